"""The report's page of five models on a million rows each: its size, and how long scripts take.

Run as ``python -m benchmarks.page_speed``. Script time is that of the processor, since a wall clock
counts what else the machine does.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from playwright.sync_api import Browser, BrowserType, CDPSession, sync_playwright
from rich.console import Console
from rich.table import Table

from costspace.report import contents, to_html

ROWS, MODELS = 1_000_000, 5
ROUNDS = 9
OPENINGS = 5
MOST, MOST_A_TURN = 100, 50  # milliseconds
DRAWN = "html.ready:has(#money[aria-busy=false])"
TRACED = ["devtools.timeline"]
# What is typed or chosen, as scripts that take how many times it was done.
INPUTS = {
    "a cost": "const e = document.getElementById('fp-cost-from'); e.value = String(1 + k / 7); "
    "e.dispatchEvent(new Event('input'))",
    "a prevalence": "const e = document.getElementById('prevalence-to'); "
    "e.value = String(0.3 + k / 97); e.dispatchEvent(new Event('input'))",
    "a condition": "const e = document.getElementById('look'); e.value = String(99 + 37 * k); "
    "e.dispatchEvent(new Event('input'))",
    "a range": "const e = document.getElementById('range-high'); e.value = String(900 + 37 * k); "
    "e.dispatchEvent(new Event('input'))",
    "another axis": "document.querySelectorAll('input[name=axis]')[(k + 1) % 3].click()",
    "a model less or more": "document.querySelectorAll('input[name=model]')[k % 2].click()",
}


def page(models: int) -> str:
    """A page of so many models."""
    rng = np.random.default_rng(5)
    y = (rng.random(ROWS) < 0.1).astype(int)
    scores = {
        f"model {i}": 1 / (1 + np.exp(2 - rng.normal((1 + 0.3 * i) * y, 1))) for i in range(models)
    }
    known = {"fp_cost": 1.0, "fn_cost": (5.0, 50.0), "prevalence": (0.02, 0.2)}
    return to_html(contents(y, scores, **known, intervals=False))


def script_time(session: CDPSession) -> float:
    found = session.send("Performance.getMetrics")["metrics"]
    return 1000 * next(one["value"] for one in found if one["name"] == "ScriptDuration")


def browser_of(chromium: BrowserType) -> Browser:
    return chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])


def turns(chromium: BrowserType, path: Path) -> list[float]:
    """How long each turn of the page's script takes in a browser just started, the first first."""
    browser = browser_of(chromium)
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    browser.start_tracing(page=tab, categories=TRACED)
    tab.goto(path.as_uri())
    tab.wait_for_selector(DRAWN, state="attached")
    events = json.loads(browser.stop_tracing())["traceEvents"]
    browser.close()
    return [event["tdur"] / 1000 for event in outermost(events, path.as_uri())]


def outermost(events: list[dict[str, Any]], url: str) -> Iterator[dict[str, Any]]:
    """The runs of a page's script that are in no other."""
    names = {"EvaluateScript", "FunctionCall"}
    runs = [
        event
        for event in events
        if event["name"] in names and event["args"].get("data", {}).get("url") == url
    ]
    end = 0
    for run in sorted(runs, key=lambda run: run["ts"]):
        if run["ts"] >= end:
            end = run["ts"] + run["dur"]
            yield run


def report(console: Console) -> None:
    """Measure, and print one table."""
    html = page(MODELS)
    console.print(
        f"{MODELS} models, n = {ROWS:.0e}: {len(html.encode()) / 1e6:.2f} MB; "
        f"3 models: {len(page(3).encode()) / 1e6:.2f} MB, at most 2."
    )
    table = Table(title="Script time", title_justify="left", box=None, pad_edge=False)
    table.add_column("what")
    for heading in ("median ms", "most ms", "at most"):
        table.add_column(heading, justify="right")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        path = Path(folder) / "page.html"
        path.write_text(html, encoding="utf-8")
        opened = [turns(driver.chromium, path) for _ in range(OPENINGS)]
        for name, of, most in (
            ("opening, until it is answered", lambda found: found[0], MOST),
            ("opening, until all is drawn", sum, ""),
            ("opening, the longest turn", max, MOST_A_TURN),
        ):
            times = [of(found) for found in opened]
            table.add_row(name, f"{median(times):.0f}", f"{max(times):.0f}", f"{most}")
        browser = browser_of(driver.chromium)
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        session = tab.context.new_cdp_session(tab)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        tab.goto(path.as_uri())
        tab.wait_for_selector(DRAWN, state="attached")
        for name, script in INPUTS.items():
            times = []
            for k in range(ROUNDS):
                tab.wait_for_selector("#money[aria-busy=false]")
                before = script_time(session)
                tab.evaluate(f"(k) => {{ {script} }}", k)
                times.append(script_time(session) - before)
            table.add_row(name, f"{median(times):.0f}", f"{max(times):.0f}", f"{MOST}")
        browser.close()
    console.print(table)


if __name__ == "__main__":
    report(Console(width=100, highlight=False))

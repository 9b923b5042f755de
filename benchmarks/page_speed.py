"""The report's page of five models on a million rows each: its size, and how long scripts take.

Run as ``python -m benchmarks.page_speed``. Script time is that of the processor, since a wall clock
counts what else the machine does.
"""

import tempfile
from pathlib import Path
from statistics import median

import numpy as np
from playwright.sync_api import CDPSession, sync_playwright
from rich.console import Console
from rich.table import Table

from costspace.report import contents, to_html

ROWS, MODELS = 1_000_000, 5
ROUNDS = 9
MOST = 100  # milliseconds
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
        browser = driver.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
        tab = browser.new_page(viewport={"width": 1280, "height": 900})
        session = tab.context.new_cdp_session(tab)
        session.send("Performance.enable", {"timeDomain": "threadTicks"})
        tab.goto(path.as_uri())
        tab.wait_for_selector("html.ready")
        table.add_row("opening, in turns", f"{script_time(session):.0f}", "", "")
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

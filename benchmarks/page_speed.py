"""The report's page: how large it is, and how long it takes to open and to answer.

Run as ``python -m benchmarks.page_speed``. Answers are found in a worker: their time is that
of a clock: a machine that does other work shows longer ones. Of opening it is the processor's.
"""

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from playwright.sync_api import Browser, BrowserType, Page, sync_playwright
from rich.console import Console
from rich.table import Table

import costspace as cs
from costspace.report import contents, to_html

# Rows and, in MB, what a page of three models may take.
SIZES = {10_000: 1, 1_000_000: 2}
MODELS, OPENINGS = 3, 5
MOST, MOST_A_TURN = 100, 50  # milliseconds
TRACED = ["devtools.timeline"]
# What is typed as the cost of a false negative.
TYPED = {
    "a value": [f"{12 + k}" for k in range(9)],
    "a range": [f"{5 + k} to {50 + k}" for k in range(9)],
}
# Gives how long it takes until the answer to what is typed stands there.
TYPE = """
async (text) => {
  const field = document.getElementById("fn-cost");
  const answer = document.getElementById("answer");
  const before = answer.dataset.question;
  const start = performance.now();
  const changed = new Promise((resolve) => {
    const watch = new MutationObserver(() => {
      const busy = answer.getAttribute("aria-busy") === "true";
      if (busy || answer.dataset.question === before) return;
      watch.disconnect();
      resolve(performance.now() - start);
    });
    watch.observe(answer, { attributes: true });
  });
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return changed;
}
"""


def page(rows: int) -> str:
    """A page of so many rows."""
    rng = np.random.default_rng(5)
    y = (rng.random(rows) < 0.1).astype(int)
    scores = {
        f"model {i}": 1 / (1 + np.exp(2 - rng.normal((1 + 0.3 * i) * y, 1))) for i in range(MODELS)
    }
    known = cs.Deployment(fp_cost=1, fn_cost=10, prevalence=0.1)
    return to_html(contents(y, scores, decision=cs.decide(y, scores, conditions=known)))


def browser_of(chromium: BrowserType) -> Browser:
    return chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])


def turns(chromium: BrowserType, path: Path) -> list[float]:
    """How long each turn of the page's script takes in a browser just started, the first first."""
    browser = browser_of(chromium)
    tab = browser.new_page(viewport={"width": 1280, "height": 900})
    browser.start_tracing(page=tab, categories=TRACED)
    tab.goto(path.as_uri())
    tab.wait_for_selector("html.ready", state="attached")
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


def answered(tab: Page, typed: list[str]) -> list[float]:
    """How long each answer takes, except the first, for which the engine gets ready."""
    return [tab.evaluate(TYPE, text) for text in typed][1:]


def report(console: Console) -> None:
    """Measure, and print one table for each size."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        for rows, most in SIZES.items():
            html = page(rows)
            path = Path(folder) / f"{rows}.html"
            path.write_text(html, encoding="utf-8")
            size = len(html.encode()) / 1e6
            table = Table(
                title=f"{MODELS} models, n = {rows:.0e}: {size:.2f} MB, at most {most}",
                title_justify="left", box=None, pad_edge=False,
            )  # fmt: skip
            table.add_column("what")
            for heading in ("median ms", "most ms", "at most"):
                table.add_column(heading, justify="right")
            opened = [turns(driver.chromium, path) for _ in range(OPENINGS)]
            for name, of, limit in (
                ("opening, until it is answered", lambda found: found[0], MOST),
                ("opening, until all is drawn", sum, ""),
                ("opening, the longest turn", max, MOST_A_TURN),
            ):
                times = [of(found) for found in opened]
                table.add_row(name, f"{median(times):.0f}", f"{max(times):.0f}", f"{limit}")
            browser = browser_of(driver.chromium)
            tab = browser.new_page(viewport={"width": 1280, "height": 900})
            tab.goto(path.as_uri())
            tab.wait_for_selector("html.ready", state="attached")
            for name, typed in TYPED.items():
                times = answered(tab, typed)
                table.add_row(
                    f"answering to {name}", f"{median(times):.0f}", f"{max(times):.0f}", f"{MOST}"
                )
            browser.close()
            console.print(table)


if __name__ == "__main__":
    report(Console(width=120, highlight=False))

"""Take the README's picture of a report: what `costspace report` writes, as a browser shows it.

Run as ``python examples/picture_of_a_report.py OUT.png``, with Playwright and Debian's chromium.
"""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import sync_playwright

from costspace.cli import main as costspace

FILE = Path(__file__).with_name("breast_cancer.csv")
SIZE = {"width": 1200, "height": 960}


def write_report(path):
    models = ("logistic", "naive_bayes", "random_forest")
    scores = [word for name in models for word in ("--score", name)]
    known = ["--fp-cost", "1", "--fn-cost", "10:100"]
    costspace(["report", str(FILE), "--label", "y_true", *scores, *known, "-o", str(path)])


def main(picture):
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = Path(folder, "report.html")
        write_report(report)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(report.as_uri())
        page.wait_for_selector("html.ready")
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Take the README's picture of a report: what `costspace report` writes, as a browser shows it.

Run as ``python examples/picture_of_a_report.py OUT.png``, with Playwright and Debian's chromium.
"""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image

from costspace.cli import main as costspace

FILE = Path(__file__).with_name("breast_cancer.csv")
WIDTH, MARGIN = 1200, 20
COLOURS = 128


def write_report(path):
    models = ("logistic", "naive_bayes", "random_forest")
    scores = [word for name in models for word in ("--score", name)]
    known = ["--fp-cost", "1", "--fn-cost", "10:100"]
    costspace(["report", str(FILE), "--label", "y_true", *scores, *known, "-o", str(path)])


def main(picture):
    from playwright.sync_api import sync_playwright

    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        report = Path(folder, "report.html")
        write_report(report)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"))
        page = browser.new_page(viewport={"width": WIDTH, "height": 960}, color_scheme="light")
        page.goto(report.as_uri())
        page.wait_for_selector("html.ready")
        # From the answer to the end of the first chart.
        chart = page.locator("figure:visible").first.bounding_box()
        end = {"x": 0, "y": 0, "width": WIDTH, "height": chart["y"] + chart["height"] + MARGIN}
        page.screenshot(path=picture, full_page=True, clip=end)
        browser.close()
    # Few colours, so that a visitor of the README waits less.
    Image.open(picture).convert("RGB").quantize(COLOURS).save(picture, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

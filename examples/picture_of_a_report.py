"""Take the README's picture of a report: what `costspace report` writes, as a browser shows it.

Run as ``python examples/picture_of_a_report.py OUT.png``, with Playwright and Debian's chromium.
The picture keeps the texts that it shows, so that a test can tell when it is out of date.
"""

import shutil
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from PIL.PngImagePlugin import PngInfo

from costspace.cli import main as costspace

FILE = Path(__file__).with_name("breast_cancer.csv")
WIDTH, MARGIN = 1200, 20
COLOURS = 128
# Where the picture keeps its texts, and how they are read: what is seen above its end.
TEXTS = "Description"
SEEN = r"""(end) => {
    const texts = [];
    const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
        const range = document.createRange();
        range.selectNode(nodes.currentNode);
        const box = range.getBoundingClientRect();
        const text = nodes.currentNode.textContent.replace(/\s+/g, " ").trim();
        if (text && box.width && box.top < end) texts.push(text);
    }
    return texts.join("\n");
}"""


def write_report(path):
    models = ("logistic", "naive_bayes", "random_forest")
    scores = [word for name in models for word in ("--score", name)]
    known = ["--fp-cost", "1", "--fn-cost", "10:100"]
    costspace(["report", str(FILE), "--label", "y_true", *scores, *known, "-o", str(path)])


def take(browser, picture):
    """Take the picture of a report in a browser, from the answer to the end of the first chart."""
    page = browser.new_page(viewport={"width": WIDTH, "height": 960}, color_scheme="light")
    with TemporaryDirectory() as folder:
        report = Path(folder, "breast_cancer.html")
        write_report(report)
        page.goto(report.as_uri())
        page.wait_for_selector("html.ready")
        # Break-even comes after the answer.
        page.wait_for_selector("#staying:not(:empty)", timeout=60_000)
        chart = page.locator("figure:visible").first.bounding_box()
        end = chart["y"] + chart["height"] + MARGIN
        clip = {"x": 0, "y": 0, "width": WIDTH, "height": end}
        page.screenshot(path=picture, full_page=True, clip=clip)
        texts = PngInfo()
        texts.add_itxt(TEXTS, page.evaluate(SEEN, end))
    page.close()
    # Few colours, so that a visitor of the README waits less.
    few = Image.open(picture).convert("RGB").quantize(COLOURS)
    few.save(picture, optimize=True, pnginfo=texts)


def main(picture):
    from playwright.sync_api import sync_playwright

    chromium = {"executable_path": shutil.which("chromium")}
    with sync_playwright() as playwright, playwright.chromium.launch(**chromium) as browser:
        take(browser, picture)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Questions to a page's engine by lines, as `loop.mjs` takes them, where there is no node."""

import shutil
import sys
from pathlib import Path

from page_answers import opened
from playwright.sync_api import sync_playwright


def main() -> None:
    """Answer line after line with the engine in a folder."""
    chromium = shutil.which("chromium")
    with (
        sync_playwright() as driver,
        driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"]) as browser,
    ):
        ask = opened(browser, Path(sys.argv[1]))
        for line in sys.stdin:
            sys.stdout.write(ask(line) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()

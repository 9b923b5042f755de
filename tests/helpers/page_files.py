"""What the page's charts give as files."""

import csv
from pathlib import Path

from opened_pages import Opened


def saved(opened: Opened, figure: str, kind: str) -> bytes:
    """The file that the menu of a figure gives."""
    opened.page.locator(f"{figure} .export summary").first.click()
    with opened.page.expect_download() as download:
        opened.page.locator(f"{figure} .export button", has_text=kind).first.click()
    return Path(download.value.path()).read_bytes()


def rows_of_csv(opened: Opened, figure: str) -> list[dict[str, str]]:
    """What a figure shows, row by row."""
    return list(csv.DictReader(saved(opened, figure, "CSV").decode("utf-8-sig").splitlines()))

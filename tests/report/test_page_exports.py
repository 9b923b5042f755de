"""Charts and tables as files: what they hold, on white, and what spreadsheets make of them."""

import re
import struct
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from opened_pages import SCORES, Opened, html_of, record_of
from page_files import rows_of_csv, saved

Opening = Callable[..., Opened]
CHARTS = (
    "#threshold-chart",
    "#strategies-chart",
    "#cost",
    "#roc",
    "#calibration",
)
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(params=["light", "dark"])
def opened(shared_page: Opening, request: pytest.FixtureRequest) -> Opened:
    found = shared_page(color_scheme=request.param)
    found.page.evaluate("document.querySelector('#why').open = true")
    found.page.locator("#calibration .chart").first.wait_for(state="attached")
    return found


@pytest.mark.parametrize("chart", CHARTS)
def test_a_chart_is_a_picture_of_its_own_on_white(opened: Opened, chart: str) -> None:
    root = ET.fromstring(saved(opened, chart, "SVG"))
    box = [float(part) for part in str(root.get("viewBox")).split()]
    assert (float(str(root.get("width"))), float(str(root.get("height")))) == (box[2], box[3])
    paper = root[0]
    assert (paper.tag, paper.get("fill")) == (SVG + "rect", "#ffffff")
    assert [float(str(paper.get(name))) for name in ("x", "y", "width", "height")] == box
    texts = [text for text in root.iter(SVG + "text") if text.text]
    assert texts
    for text in texts:
        colour = re.findall(r"\d+", str(text.get("fill")))[:3]
        # Dark on white, whatever the page is.
        assert sum(map(int, colour)) <= 600
        assert "px" in str(text.get("font-size"))
    for element in root.iter():
        assert element.get("class") is None
        assert "var(" not in " ".join(element.attrib.values())
    shown = opened.page.locator(f"{chart} .chart").first
    assert len(list(root.iter(SVG + "path"))) == shown.locator("path").count()


def test_a_chart_is_a_png_of_three_times_its_size(opened: Opened) -> None:
    picture = saved(opened, "#strategies-chart", "PNG")
    assert picture.startswith(b"\x89PNG")
    size = struct.unpack(">II", picture[16:24])
    root = ET.fromstring(saved(opened, "#strategies-chart", "SVG"))
    expected = [3 * float(str(root.get(name))) for name in ("width", "height")]
    assert size == pytest.approx(expected, abs=3)
    assert len(picture) > 10_000


def names(open_page: Opening, *given: str) -> list[dict[str, str]]:
    scores: dict[str, Any] = dict(zip(given, SCORES.values(), strict=True))
    return rows_of_csv(open_page(html_of(record_of({}, scores))), "#strategies-chart")


def test_no_name_is_a_formula_in_a_spreadsheet(open_page: Opening) -> None:
    found = {row["model"] for row in names(open_page, "=1+2", "@sum(A1)", "-first")}
    assert found - {""} == {"'=1+2", "'@sum(A1)", "'-first"}


def test_names_with_marks_of_their_own_stay_whole(open_page: Opening) -> None:
    given = 'a "quoted", name', "two\nlines", "plain"
    scores = dict(zip(given, SCORES.values(), strict=True))
    text = saved(open_page(html_of(record_of({}, scores))), "#strategies-chart", "CSV").decode()
    assert text.startswith("\ufeff")
    assert '"a ""quoted"", name"' in text
    assert '"two\nlines"' in text
    assert text.endswith("\r\n")


def test_numbers_in_files_have_all_their_digits(open_page: Opening) -> None:
    record = record_of({})
    rows = rows_of_csv(open_page(html_of(record)), "#strategies-chart")
    given = {one["cost_per_1000"] for one in record["decision"]["strategies"]}
    assert {float(row["cost_per_1000"]) for row in rows} == given
    negative = [float(row["difference"]) for row in rows if row["difference"].startswith("-")]
    assert negative or np.all([float(row["difference"] or 0) >= 0 for row in rows])


def test_the_menu_is_opened_and_closed_by_keys(fresh_page: Opening) -> None:
    opened = fresh_page()
    menu = opened.page.locator("#strategies-chart details.export")
    menu.locator("summary").focus()
    opened.page.keyboard.press("Enter")
    assert menu.get_attribute("open") is not None
    assert menu.locator("summary").get_attribute("aria-label") == "Save Strategies"
    opened.page.keyboard.press("Escape")
    assert menu.get_attribute("open") is None
    menu.locator("summary").click()
    opened.page.mouse.click(5, 5)
    assert menu.get_attribute("open") is None

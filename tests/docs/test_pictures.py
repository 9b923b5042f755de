"""The pictures that README and docs keep are what their scripts draw today.

Fonts and rasterising differ between machines: texts must be the same, shapes nearly so.
"""

import re
import runpy
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
KEPT = ROOT / "docs" / "_static"
SVG = "{http://www.w3.org/2000/svg}"
RENEW = "run .venv/bin/python examples/pictures.py docs/_static, and look at it"
# Small enough for a line's width not to matter, large enough to tell a chart from another.
SMALL = (48, 64)


def script(name: str) -> dict[str, object]:
    return runpy.run_path(str(EXAMPLES / name))


def words(svg: Path) -> list[str]:
    return ["".join(text.itertext()) for text in ET.parse(svg).iter(f"{SVG}text")]


def ink(svg: Path) -> list[float]:
    """Every number of what is drawn."""
    drawn = [path.get("d") or "" for path in ET.parse(svg).iter(f"{SVG}path")]
    return [float(number) for path in drawn for number in re.findall(r"-?\d+\.?\d*", path)]


def shrunk(picture: Image.Image) -> np.ndarray:
    return np.asarray(picture.convert("RGB").resize(SMALL, Image.Resampling.BOX), dtype=float)


def test_the_drawing_is_what_its_script_draws(tmp_path: Path) -> None:
    drawn, kept = tmp_path / "drawn.svg", KEPT / "why-auc-misleads.svg"
    script("why_auc_misleads.py")["main"](drawn)
    assert "naive Bayes, AUC 0.987" in words(kept)
    assert words(drawn) == words(kept), RENEW
    assert ink(drawn) == pytest.approx(ink(kept), abs=0.5), RENEW


@pytest.mark.smoke
def test_the_picture_of_a_report_is_what_a_browser_shows(tmp_path: Path, browser: Browser) -> None:
    taking, path = script("picture_of_a_report.py"), tmp_path / "taken.png"
    taking["take"](browser, path)
    with Image.open(path) as taken, Image.open(KEPT / "report.png") as kept:
        texts = [one.info.get(taking["TEXTS"], "").splitlines() for one in (taken, kept)]
        assert "Of 1,000 cases" in texts[0]
        assert texts[0] == texts[1], RENEW
        assert taken.width == kept.width, RENEW
        assert taken.height == pytest.approx(kept.height, rel=0.1), RENEW
        assert np.mean(np.abs(shrunk(taken) - shrunk(kept))) < 255 / 50, RENEW


def test_each_picture_that_is_shown_is_drawn() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    shown = [
        one for page in pages for one in re.findall(r"\]\((\S+\.(?:png|svg))\)", page.read_text())
    ]
    folders = {path.rpartition("/")[0].rpartition("/")[2] for path in shown}
    assert folders == {"_static", "gallery"}  # the latter is drawn by each build
    names = {path.rpartition("/")[2] for path in shown if "/gallery/" not in f"/{path}"}
    assert names == {*script("pictures.py")["PICTURES"]}


@pytest.mark.parametrize("command", script("terminals.py")["COMMANDS"])
def test_a_terminal_is_on_the_page_of_its_command_and_loads_nothing(
    site: Path, command: str
) -> None:
    name = f"terminal_{command}.svg"
    assert name in (site / "reference" / "commands" / f"{command}.html").read_text()
    picture = site / "_images" / name
    assert words(picture)[1].replace("\xa0", " ").startswith(f"$ costspace {command} ")
    assert re.findall(r"(?:url\(|href=|@import|src)[^)>]*//", picture.read_text()) == []
    assert picture.stat().st_size < 30_000


def test_the_terminal_shows_what_the_readme_prints(site: Path) -> None:
    readme = (ROOT / "README.md").read_text()
    (printed,) = re.findall(r"```text\n(Use logistic.*?)```", readme, re.DOTALL)
    shown = "".join(words(site / "_images" / "terminal_decide.svg"))
    assert "".join(printed.split()) in "".join(shown.split())

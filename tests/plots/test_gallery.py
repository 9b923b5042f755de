"""The gallery in the docs shows every plot, and its script draws them."""

import re
import runpy
from pathlib import Path

import pytest

import costspace.plots

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "guides" / "gallery.md").read_text()
SCRIPT = ROOT / "examples" / "gallery.py"


def test_every_plot_is_in_the_gallery() -> None:
    used = set(re.findall(r"plots\.(plot_\w+)", SCRIPT.read_text()))
    assert used == set(costspace.plots.__all__) - {"Display", "colours"}


def test_the_page_shows_every_picture_small_and_large_and_its_code() -> None:
    pictures = [draw.__name__ for draw in runpy.run_path(str(SCRIPT))["PICTURES"]]
    small = re.findall(r"\[!\[.+\]\(gallery/(\w+)\.png\) .+\]\(#", PAGE)
    large = re.findall(r"^!\[.+\]\(gallery/(\w+)\.png\)", PAGE, re.MULTILINE)
    assert sorted(small) == sorted(large) == sorted(pictures)
    assert sorted(re.findall(r":pyobject: (\w+)", PAGE)) == sorted(pictures)


# The libraries that score the patients may warn of what they will change.
@pytest.mark.filterwarnings("default")
def test_the_script_draws_them(tmp_path: Path) -> None:
    gallery = runpy.run_path(str(SCRIPT))
    gallery["main"](tmp_path / "new")
    drawn = {path.stem for path in (tmp_path / "new").iterdir()}
    assert drawn == {draw.__name__ for draw in gallery["PICTURES"]}
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in (tmp_path / "new").iterdir())

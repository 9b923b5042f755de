"""The gallery in the docs, which their build draws, shows every plot."""

import re
import runpy
from pathlib import Path

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

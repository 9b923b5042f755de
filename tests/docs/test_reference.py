"""The reference has a page for each object and each command, and tables that lead to them."""

import re
from collections import Counter
from inspect import ismodule
from pathlib import Path

import pytest

import costspace
from costspace.cli import main
from costspace.cli.commands import _COMMANDS


def title_of(page: Path) -> str:
    """The heading of a page, without the link to itself."""
    found = re.search(r"<h1>(.*?)<a class=\"headerlink\"", page.read_text(), re.DOTALL)
    assert found is not None, page
    return re.sub(r"<.*?>", "", found[1])


def test_each_name_has_a_page_with_that_title(site: Path) -> None:
    objects = site / "reference" / "objects"
    titles = {path.stem: title_of(path) for path in objects.glob("*.html")}
    public = {name for name in costspace.__all__ if not ismodule(getattr(costspace, name))}
    assert {f"costspace.{name}" for name in public} - {*titles} == set()
    named = {stem: stem.removesuffix("-function").rpartition(".")[2] for stem in titles}
    assert named == titles


def test_addresses_differ_without_regard_to_capitals(site: Path) -> None:
    pages = Counter(str(path).lower() for path in site.rglob("*.html"))
    assert [page for page, number in pages.items() if number > 1] == []


def test_a_table_leads_to_each_object_from_where_it_stood(site: Path) -> None:
    text = (site / "reference" / "deciding.html").read_text()
    rows = re.findall(r"<tr [^>]*id=\"(costspace\.[\w.]+)\".*?href=\"([^\"]+)\"", text)
    assert ("costspace.decide", "objects/costspace.decide.html#costspace.decide") in rows
    assert len(rows) > 5
    assert "Decide which model and threshold to use, and what that costs." in text


def test_members_are_on_the_page_of_their_class(site: Path) -> None:
    text = (site / "reference" / "objects" / "costspace.Decision.html").read_text()
    assert 'id="costspace.Decision.to_dict"' in text


@pytest.mark.parametrize("command", _COMMANDS)
def test_a_command_has_a_page_of_all_its_options(
    site: Path, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main([*command.split(), "--help"])
    # At the beginning of a line of its table.
    told = re.findall(r"^│ (?:\*  |   )?(--[\w-]+)", capsys.readouterr().out, re.MULTILINE)
    page = site / "reference" / "commands" / f"{command.replace(' ', '-')}.html"
    assert title_of(page) == f"costspace {command}"
    anchor = f"cmdoption-costspace-{command.replace(' ', '-')}"
    assert len(told) > 0
    found = re.findall(rf'<dt [^>]*id="{anchor}-([\w-]+)"', page.read_text())
    assert [f"--{name}" for name in found if "arg-" not in name] == told

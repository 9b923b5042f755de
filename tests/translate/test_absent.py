"""What the page never comes to is named once, and only where needed code names it."""

import ast

import pytest

from translate import absent, reach
from translate.__main__ import PROGRAMS
from translate.reach import Reach


def reached() -> set[str]:
    """All that the page would have, if nothing were absent."""
    found = Reach(*PROGRAMS["decide.gen.js"])
    own = {".".join(key) for key in (*found.functions, *found.constants, *found.classes)}
    methods = {
        f"{module}.{name}.{one.name}"
        for (module, name), node in found.classes.items()
        for one in node.body
        if isinstance(one, ast.FunctionDef) and one.name in found.asked
    }
    return own | methods


def test_all_that_is_absent_would_be_there(monkeypatch: pytest.MonkeyPatch):
    less = len(reached())
    monkeypatch.setattr(reach, "is_absent", lambda whole: False)
    all_of_it = reached()
    assert len(all_of_it) > 1.1 * less
    needless = [
        whole
        for whole in absent.ABSENT
        if not any(one == whole or one.startswith(f"{whole}.") for one in all_of_it)
    ]
    assert needless == []


def test_what_is_below_an_absent_name_is_absent():
    assert absent.is_absent("costspace.samples.case_costs.CaseCosts.means")
    assert absent.is_absent("costspace.single._decimals")
    assert not absent.is_absent("costspace.single.doubles")
    assert not absent.is_absent("costspace.samples.case_costs_of")


def test_parts_of_absent_classes_may_be_asked_for():
    assert {"net_fn_cost", "fp_cost", "from_predictions"} <= absent.names()
    assert "doubles" not in absent.names()


@pytest.mark.parametrize("name", ["costspace.single._decimal", "costspace.samples.rows.Rows"])
def test_an_absent_name_must_be_one(monkeypatch: pytest.MonkeyPatch, name: str):
    monkeypatch.setattr(absent, "ABSENT", frozenset({name}))
    absent.names.cache_clear()
    with pytest.raises(NameError, match=f"{name} is not in the package"):
        absent.names()
    absent.names.cache_clear()

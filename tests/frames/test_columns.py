"""Which columns hold what: the names that they have in an engine."""

import pytest

from costspace.frames.columns import Columns


def test_columns_are_renamed_in_an_engine():
    columns = Columns(label="y", scores=["s", "a b"], weight="w", groups="g")
    assert columns.numbers() == {"score0": "s", "score1": "a b", "weight": "w"}
    names = {"label": "y", **columns.numbers(), "by0": "day", "by1": "s"}
    assert columns.names(["day", "s"]) == names


def test_columns_that_are_left_out_have_no_name():
    assert Columns(label="y", scores=["s"]).names() == {"label": "y", "score0": "s"}


def test_columns_go_by_name():
    with pytest.raises(TypeError):
        Columns("y", ["s"])  # type: ignore[misc]

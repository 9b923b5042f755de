"""What becomes of stated values, and the table of them."""

import csv
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from refusals import refused

from costspace.errors import FileError
from costspace.output import write_csv
from costspace.reproduce.compare import Comparison, ComparisonRow, Outcome, compare_figures
from costspace.reproduce.figure import Figure
from costspace.reproduce.stated import StatedValue

PLAIN = StatedValue("000-fig1/auc", "AUC", "0.83", "Section 1", "a paper")
SLIPS = replace(PLAIN, slip="It slips.")
LACKS = replace(PLAIN, data="It is lost.", note="So it is.")


@pytest.mark.parametrize(
    ("stated", "computed", "outcome", "note"),
    [
        (PLAIN, 5 / 6, Outcome.MATCHES, ""),
        (PLAIN, 0.84, Outcome.DIFFERS, ""),
        (PLAIN, None, Outcome.MISSING, ""),
        (SLIPS, 0.84, Outcome.SLIP, "It slips."),
        (SLIPS, 0.83, Outcome.MATCHES, ""),
        (SLIPS, None, Outcome.MISSING, ""),
        (LACKS, None, Outcome.NO_DATA, "It is lost. So it is."),
        (LACKS, 0.9, Outcome.STAND_IN, "It is lost. So it is."),
        (replace(PLAIN, note="So it is."), 0.83, Outcome.MATCHES, "So it is."),
    ],
)
def test_outcomes(stated: StatedValue, computed: float | None, outcome: Outcome, note: str) -> None:
    row = ComparisonRow.of(stated, computed)
    assert (row.outcome, row.note) == (outcome, note)
    assert outcome.explained == (outcome not in {Outcome.DIFFERS, Outcome.MISSING})


@pytest.mark.parametrize(
    ("stated", "computed", "shown"),
    [
        ("0.2047101", 0.20471014492753623, "0.2047101"),
        ("7", 7.0, "7"),
        ("80.7 %", 0.80685281944, "80.68528 %"),
        ("0.5", None, ""),
    ],
)
def test_numbers_as_text(stated: str, computed: float | None, shown: str) -> None:
    row = ComparisonRow.of(replace(PLAIN, stated=stated), computed)
    assert row.cells() == ("000-fig1", "AUC", stated, shown, str(row.outcome), "")


def table() -> Comparison:
    figures = [Figure("000-fig1", "One", lambda: {"auc": 5 / 6}), Figure("000-fig2", "Two")]
    return compare_figures(figures, [PLAIN, replace(PLAIN, id="000-fig3/auc"), SECOND])


SECOND = replace(LACKS, id="000-fig2/auc", stated="50 %", quantity="area, all of it")


def test_only_values_of_the_figures_asked_for() -> None:
    assert [row.figure for row in table().rows] == ["000-fig1", "000-fig2"]


def test_columns() -> None:
    columns = table().columns()
    assert list(columns) == ["figure", "quantity", "stated", "computed", "outcome", "note"]
    np.testing.assert_array_equal(columns["computed"], [5 / 6, np.nan])
    assert columns["outcome"].tolist() == ["matches", "not computed: data"]
    assert {len(column) for column in Comparison(()).columns().values()} == {0}


def test_text() -> None:
    assert table().to_text().splitlines() == [
        "figure    quantity         stated  computed   outcome             note",
        "000-fig1  AUC              0.83    0.8333333  matches",
        "000-fig2  area, all of it  50 %               not computed: data  It is lost. So it is.",
    ]


def test_csv(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    write_csv(path, table().columns())
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["computed"] for row in rows] == [repr(5 / 6), ""]
    assert rows[1]["quantity"] == "area, all of it"
    assert rows[1]["outcome"] == "not computed: data"
    with refused(FileError, "it is a directory"):
        write_csv(tmp_path, table().columns())


def test_summary() -> None:
    assert table().summary() == "2 stated values: 1 matches; 1 not computed: data."

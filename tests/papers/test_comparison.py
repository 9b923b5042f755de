"""What becomes of stated values, and the table of them."""

from dataclasses import replace

import pytest

from papers.comparison import Outcome, Row, summary, table
from papers.stated import StatedValue

PLAIN = StatedValue("fig1", "auc", "AUC", "Section 1", "0.83")
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
        (LACKS, None, Outcome.MISSING, "It is lost. So it is."),
        (LACKS, 0.9, Outcome.OTHER_DATA, "It is lost. So it is."),
        (replace(PLAIN, note="So it is."), 0.83, Outcome.MATCHES, "So it is."),
    ],
)
def test_outcomes(stated: StatedValue, computed: float | None, outcome: Outcome, note: str) -> None:
    row = Row.of(stated, computed)
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
    assert Row.of(replace(PLAIN, stated=stated), computed).shown() == shown


ROWS = [
    Row.of(PLAIN, 5 / 6),
    Row.of(replace(LACKS, figure="fig2", stated="50 %", quantity="area, all of it"), None),
]


def test_the_table() -> None:
    assert table(ROWS).splitlines() == [
        "figure  quantity         stated  computed   outcome       note",
        "fig1    AUC              0.83    0.8333333  matches",
        "fig2    area, all of it  50 %               not computed  It is lost. So it is.",
    ]


def test_the_summary() -> None:
    assert summary(ROWS) == "2 stated values: 1 matches; 1 not computed."

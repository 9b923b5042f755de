"""Every number that the papers state is matched, or it is said why not."""

import csv
import tomllib
from collections import Counter
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure as Picture

import papers
from papers.__main__ import DOCUMENTS
from papers.comparison import Outcome, Row
from papers.document import Document, Figure
from papers.stated import StatedValue

FOLDER = Path(papers.__file__).parent
each_document = pytest.mark.parametrize("document", DOCUMENTS.values(), ids=DOCUMENTS.keys())
STATED = [(name, value) for name, one in DOCUMENTS.items() for value in one.stated[1]]


@cache
def compared(name: str) -> dict[StatedValue, Row]:
    return {row.value: row for row in DOCUMENTS[name].compare()}


@each_document
def test_every_stated_number_is_matched_or_explained(document: Document) -> None:
    found = {one: compared(document.name)[one] for one in document.stated[1]}
    unexplained = [row for row in found.values() if not row.outcome.explained]
    assert unexplained == []
    slips = [one for one, row in found.items() if row.outcome is Outcome.MATCHES and one.slip]
    assert slips == [], "no slip: it matches"


def test_most_are_matched() -> None:
    counts = Counter(compared(name)[value].outcome for name, value in STATED)
    assert counts == {Outcome.MATCHES: 176, Outcome.SLIP: 22, Outcome.OTHER_DATA: 66}


@each_document
def test_nothing_is_computed_that_is_not_stated(document: Document) -> None:
    stated = {(value.figure, value.name) for value in document.stated[1]}
    found = {(name, one) for name, figure in document.figures.items() for one in figure.numbers()}
    assert found <= stated


def test_every_document_has_a_folder() -> None:
    assert set(DOCUMENTS) == {path.parent.name for path in FOLDER.glob("*/stated.toml")}


def test_the_figures() -> None:
    assert {name: set(document.figures) for name, document in DOCUMENTS.items()} == {
        "roc_cost_curves": {f"fig{n}" for n in range(1, 8)},
        "lecture": {"lines", "envelope", "costs", "trivial", "compare"},
        "threshold_choice": {
            *(f"fig{n}" for n in range(1, 16)),
            *(f"table{n}" for n in range(1, 7)),
        },
        "brier_curves": {f"fig{n}" for n in range(1, 7)},
        "voros": {
            *(f"fig{n}" for n in range(1, 8)),
            *("ex25", *(f"table{n}" for n in range(1, 6))),
        },
    }


@each_document
def test_what_is_stated_is_said_in_full(document: Document) -> None:
    citation, values = document.stated
    assert citation
    assert len({(one.figure, one.name) for one in values}) == len(values)
    for one in values:
        for sentence in filter(None, (one.slip, one.data, one.note)):
            assert sentence.endswith("."), one
        assert one.place, one
        assert one.quantity, one
        assert (one.kind == "about") == (one.within > 0), one
        one.accepts(0.5)


@each_document
def test_every_sentence_is_used(document: Document) -> None:
    text = (FOLDER / document.name / "stated.toml").read_text(encoding="utf-8")
    content = tomllib.loads(text)
    used = {sentence for one in document.stated[1] for sentence in (one.slip, one.data)}
    for table in ("slips", "data"):
        assert set(content.get(table, {}).values()) <= used


def test_what_is_written(tmp_path: Path) -> None:
    columns = {"name": np.array(["one, or"]), "number": np.array([0.1 + 0.2])}
    document = Document(
        "new", {"fig1": Figure(draw=Picture), "table1": Figure(table=lambda: columns)}
    )
    value = StatedValue("fig1", "auc", "AUC, of both", "here", "0.5")
    rows = [Row.of(value, 0.1 + 0.2), Row.of(replace(value, figure="table1"), None)]
    document.write(rows, tmp_path / "new" / "folder")
    written = {path.name: path for path in (tmp_path / "new" / "folder").iterdir()}
    assert set(written) == {"fig1.png", "table1.csv", "comparison.csv"}
    assert written["fig1.png"].read_bytes().startswith(b"\x89PNG")
    assert written["table1.csv"].read_text() == f'name,number\n"one, or",{0.1 + 0.2!r}\n'
    with written["comparison.csv"].open(newline="", encoding="utf-8") as file:
        lines = list(csv.DictReader(file))
    assert [line["figure"] for line in lines] == ["fig1", "table1"]
    assert [line["computed"] for line in lines] == [repr(0.1 + 0.2), ""]
    assert lines[0]["quantity"] == "AUC, of both"


# Independent of costspace: what the slips found here rest on.


def test_cut_off_digits() -> None:
    assert str(105 / 135)[:6] == "0.7777"
    assert f"{105 / 135:.4f}" == "0.7778"
    assert str(100 * 492 / 284_807)[:5] == "0.172"
    assert f"{100 * 492 / 284_807:.3f}" == "0.173"
    assert str(6 / 7)[:4] == "0.85"
    assert f"{6 / 7:.2f}" == "0.86"


def test_lines_of_the_lecture_cross_elsewhere() -> None:
    share = (0.20 - 0.13) / ((0.20 - 0.13) + (0.18 - 0.08))
    assert share == pytest.approx(DOCUMENTS["lecture"].figures["lines"].numbers()["crossing"])
    assert round(share, 2) == 0.41


def test_the_last_crossing_of_a_and_b() -> None:
    """Between their scores 0.64 and 0.68 both classifiers' decisions stand still."""

    def loss(scores: list[float], c: float) -> float:
        wrong = [2 * (1 - c) * (s <= c) for s in scores[:4]] + [2 * c * (s > c) for s in scores[4:]]
        return sum(wrong) / 10

    a = [0.70, 0.80, 0.80, 0.70, 0.80, 0.75, 0.10, 0.55, 0.80, 0.15]
    b = [0.60, 1.00, 0.95, 0.25, 0.68, 0.64, 0.37, 0.30, 0.72, 0.25]
    assert loss(a, 0.645) < loss(b, 0.645)
    assert loss(a, 0.666) < loss(b, 0.666)
    assert loss(a, 0.667) > loss(b, 0.667)

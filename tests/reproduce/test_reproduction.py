"""Every number that the papers state is matched, or it is said why not."""

from collections import Counter
from functools import cache

import pytest

from costspace.reproduce.compare import ComparisonRow, Outcome, compare_figures
from costspace.reproduce.registry import FIGURES
from costspace.reproduce.stated import StatedValue, read_stated

STATED = read_stated([figure.id for figure in FIGURES])
each_figure = pytest.mark.parametrize("figure", FIGURES, ids=lambda figure: figure.id)


@cache
def computed() -> dict[str, float]:
    return {name: value for figure in FIGURES for name, value in figure.values().items()}


def row(value: StatedValue) -> ComparisonRow:
    return ComparisonRow.of(value, computed().get(value.id))


@pytest.mark.parametrize("value", STATED, ids=lambda value: value.id)
def test_every_stated_number_is_matched_or_explained(value: StatedValue) -> None:
    found = row(value)
    assert found.outcome.explained, f"{value.stated} is stated, {found.computed} computed"
    if found.outcome is Outcome.MATCHES:
        assert not value.slip, "no slip: it matches"


def test_most_are_matched() -> None:
    counts = Counter(row(value).outcome for value in STATED)
    assert counts[Outcome.MATCHES] >= 176
    assert counts[Outcome.SLIP] == 22
    assert counts[Outcome.MATCHES] > 2 * counts[Outcome.STAND_IN]


def test_nothing_is_computed_that_is_not_stated() -> None:
    assert set(computed()) <= {value.id for value in STATED}


def test_the_figures() -> None:
    ids = [figure.id for figure in FIGURES]
    assert len(set(ids)) == len(ids)
    assert set(ids) == {
        *(f"000-fig{n}" for n in range(1, 8)),
        *(f"001-{name}" for name in ("lines", "envelope", "costs", "trivial", "compare")),
        *(f"002-fig{n}" for n in range(1, 16)),
        *(f"002-table{n}" for n in range(1, 7)),
        *(f"003-fig{n}" for n in range(1, 7)),
        *(f"004-fig{n}" for n in range(1, 8)),
        "004-ex25",
        *(f"004-table{n}" for n in range(1, 6)),
    }


@each_figure
def test_figures_have_titles(figure: object) -> None:
    title = figure.title  # type: ignore[attr-defined]
    assert title
    assert not title.endswith(".")


def test_the_whole_table() -> None:
    table = compare_figures()
    assert [one.stated for one in table.rows] == [value.words() for value in STATED]
    assert len(table.to_text().splitlines()) == len(STATED) + 1


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
    assert share == pytest.approx(computed()["001-lines/crossing"])
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

"""The figures that notes on few rows give: those of the coverage study."""

from functools import partial
from pathlib import Path

import numpy as np
import pytest

import costspace as cs
from benchmarks.coverage.few import NAMES, PART, column, deciding, drawn, simulate
from benchmarks.coverage.models import QUALITIES
from benchmarks.coverage.populations import generator_of
from benchmarks.coverage.study import Cell, cell_of
from benchmarks.tables import read
from costspace.estimates.few_rows import BANDS, FIGURES, SAME_INTERVAL, Fewest, studied

TABLE = Path(__file__).parents[2] / "benchmarks" / "coverage" / "few.csv"


def figures(quantity: str) -> list[tuple[int, int]]:
    """By column of the study, the least and the most that intervals of a number cover."""
    found: dict[str, list[float]] = {name: [] for name in PART.columns}
    for row in read(TABLE):
        if row["quantity"] == quantity:
            found[column(cell_of(row))].append(100 * float(row["coverage"]))
    return [(round(min(some)), round(max(some))) for some in found.values()]


def test_notes_state_what_the_study_found() -> None:
    assert set(FIGURES) == set(NAMES)
    for name, told in FIGURES.items():
        assert list(told) == figures(name)[:-1]


def test_numbers_not_in_the_study_are_taken_as_the_one_that_needs_most_rows() -> None:
    least = [min(ends) for ends in zip(*FIGURES.values(), strict=True)]
    assert list(FIGURES["expected_loss.skew.optimal"]) == least
    for band, (low, high) in zip(BANDS, least, strict=True):
        told = Fewest(band - 0.5, 12, "positives", "negatives").note(["auc_hull"])
        assert told.endswith(
            f"what needs the most rows held in {low} to {high} % of simulated samples."
        )
    for metric in (cs.auc_hull, partial(cs.voros, low=0.1), lambda table: table.auc):
        assert studied(metric) not in FIGURES
    wide, narrow = (
        studied("expected_loss.skew.rate_driven", costs=cs.Uniform(0, x)) for x in (1, 0.5)
    )
    assert wide in FIGURES
    assert narrow not in FIGURES


@pytest.mark.parametrize(("name", "known"), SAME_INTERVAL.items())
def test_numbers_with_the_interval_of_another_take_its_figures(name: str, known: str) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(400) < 40
    s = 1 / (1 + np.exp(-rng.normal(np.where(y, 1.0, -1.0), 1.5)))
    one, other = (
        cs.estimate(y, s, metric=cs.gini if name == "gini" else name),
        cs.estimate(y, s, metric=known),
    )
    scale = 2 if name == "gini" else 1
    assert one.standard_error == pytest.approx(scale * other.standard_error)
    # The optimal loss and the refinement loss are one number in other ranges.
    near = 0.1 if known == "refinement_loss" else 1e-7
    for end in ("low", "high"):
        apart = scale * (getattr(other, end) - other.estimate)
        assert getattr(one, end) - one.estimate == pytest.approx(apart, rel=near)


def test_without_a_note_the_study_found_enough_coverage() -> None:
    """In at least 92 of 100 samples; those under 93 have weights."""
    enough = [row for row in read(TABLE) if column(cell_of(row)) == PART.columns[-1]]
    assert all(float(row["coverage"]) >= 0.92 for row in enough)
    under = {row["design"] for row in enough if row["outside"] == "under"}
    assert under <= {"low rare", "high rare"}
    alike = [row for row in read(TABLE) if row["design"] == "independent"]
    for name in ("brier", "macro_brier", "macro_mae"):
        assert all(float(row["coverage"]) >= 0.94 for row in alike if row["quantity"] == name)


def test_a_small_piece_of_the_study_finds_the_same() -> None:
    for cell, least, most in (
        (Cell("calibrated", "independent", 0.025, 200), *FIGURES["auc"][0]),
        (Cell("weak", "independent", 0.3, 200), 93, 97),
    ):
        truth = QUALITIES[cell.scores].population(cell.prevalence).auc
        held = []
        for k in range(200):
            positive, noise, _ = drawn(cell, generator_of(cell, k))
            scores = QUALITIES[cell.scores].scores(noise, positive, cell.prevalence)
            one = cs.estimate(positive, scores, metric=cs.auc)
            held.append(one.low <= truth <= one.high)
        assert least - 4 <= 100 * np.mean(held) <= most + 4
        assert (deciding(cell) < BANDS[-1]) == (least < 93)
    assert len(simulate(cell, 0)) == len(PART.quantities(cell))


def test_bands_and_thresholds_need_no_note() -> None:
    """With 5 and 20 expected positives; of 300 samples a right one can be covered in 91 %."""
    for part in ("few_bands", "few_thresholds"):
        rows = read(TABLE.with_name(f"{part}.csv"))
        assert {float(row["prevalence"]) for row in rows} == {0.005, 0.02}
        assert all(float(row["coverage"]) >= 0.91 for row in rows)

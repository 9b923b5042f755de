"""What the paper on Brier curves states, computed."""

from collections.abc import Mapping

import numpy as np

import costspace as cs
from papers import samples
from papers.brier_curves import models
from papers.roc_cost_curves.numbers import curve_counts


def figure_1() -> Mapping[str, float]:
    """The fifteen scores."""
    return curve_counts(samples.FIFTEEN.table())


def figure_2() -> Mapping[str, float]:
    """Their Brier curve, and the cost curve."""
    table = samples.FIFTEEN.table()
    brier = cs.loss_curve(table, choice=cs.ScoreDriven())
    optimal = cs.loss_curve(table, choice=cs.Optimal())
    breaks = brier.breaks
    biggest = breaks[np.argmax(np.abs(brier(breaks) - brier.left(breaks)))]
    peak = optimal.breaks[np.argmax(optimal(optimal.breaks))]
    before, after = (table.by_score.at(biggest, most=i) for i in (True, False))
    # The stretch on which the Brier curve lies above the cost curve by what a plot shows.
    apart = max(
        cs.curve.sign_intervals(brier - optimal).where(1), key=lambda ends: ends[1] - ends[0]
    )
    return {
        "biggest_jump": biggest,
        "jump_zeros": (before.fpr - after.fpr) * table.negatives.rows,
        "jump_ones": (after.fnr - before.fnr) * table.positives.rows,
        "highest_loss": breaks[np.argmax(brier.left(breaks))],
        "cost_curve_peak": peak,
        "apart_from": apart[0],
        "apart_to": apart[1],
    }


def figure_3() -> Mapping[str, float]:
    """Two trees on both halves."""
    return {
        name: value
        for tree, halves in models.trees().items()
        for half, table in halves.items()
        for name, value in _measures(f"{tree}_{half}", table).items()
    }


def figure_4() -> Mapping[str, float]:
    """Classifiers A, B and C."""
    a, b = samples.EXAMPLE_3["a"].table(), samples.EXAMPLE_3["b"].table()
    brier = _signs(a, b, cs.ScoreDriven())
    cost = _signs(a, b, cs.Optimal())
    first_a, second_a = brier.where(-1)
    first_b, second_b = brier.where(1)
    ((_, tie_to),) = brier.where(0)
    ((_, cost_a_to),) = cost.where(-1)
    ((_, cost_b_to),) = cost.where(1)
    return {
        "positives": a.positives.rows,
        "negatives": a.negatives.rows,
        **_measures("a", a),
        **_measures("b", b),
        **_measures("c", samples.EXAMPLE_3["c"].table()),
        "tie_to": tie_to,
        "first_a_to": first_a[1],
        "first_b_to": first_b[1],
        "second_a_to": second_a[1],
        "second_b_to": second_b[1],
        "cost_a_to": cost_a_to,
        "cost_b_to": cost_b_to,
    }


def figure_5() -> Mapping[str, float]:
    """Classifier D, whose scores are the means of those of A and B."""
    a, b = samples.EXAMPLE_3["a"].table(), samples.EXAMPLE_3["b"].table()
    first, second = _signs(a, b, cs.ScoreDriven()).where(-1)
    return {
        **_measures("d", samples.EXAMPLE_3["d"].table()),
        "hybrid_from": first[0],
        "hybrid_to": first[1],
        "hybrid_again_from": second[0],
        "hybrid_again_to": second[1],
    }


def figure_6() -> Mapping[str, float]:
    """Naive Bayes on the test half before and after calibration."""
    model = models.naive_bayes()
    loss, failed = _worst_calibrated(model["test"]), _worst_calibrated(model["calibrated"])
    return {
        "loss_from": loss[0],
        "loss_to": loss[1],
        "failed_from": failed[0],
        "failed_to": failed[1],
    }


def _worst_calibrated(table: cs.ScoreTable) -> tuple[float, float]:
    """The first and the last condition at which the gap is at least half as wide as anywhere."""
    gap = cs.metrics.calibration_gap(table)
    widest = max(np.max(gap(gap.breaks)), np.max(gap.left(gap.breaks)))
    half = cs.curve.PiecewiseQuadratic(np.array([0.0, 1.0]), np.array([[widest / 2], [0.0], [0.0]]))
    stretches = cs.curve.sign_intervals(gap - half).where(1)
    return stretches[0][0], stretches[-1][1]


def _signs(
    a: cs.ScoreTable, b: cs.ScoreTable, choice: cs.ThresholdChoice
) -> cs.curve.SignIntervals:
    return cs.curve.sign_intervals(
        cs.loss_curve(a, choice=choice) - cs.loss_curve(b, choice=choice)
    )


def _measures(name: str, table: cs.ScoreTable) -> dict[str, float]:
    return {
        f"auc_{name}": cs.auc(table),
        f"auch_{name}": cs.auc_hull(table),
        f"brier_{name}": cs.brier_score(table),
    }

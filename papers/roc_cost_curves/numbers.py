"""What the paper on ROC cost curves states, computed."""

from collections.abc import Mapping

import numpy as np

import costspace as cs
from papers import samples

# Losses no further apart than this are the same.
_SAME = 1e-12


def curve_counts(table: cs.ScoreTable) -> dict[str, float]:
    """What can be counted of a table, its ROC curve, the hull and the cost curve."""
    points = table.distinct_points.after_flagging_all()
    # Counts of rows: their products have no rounding.
    dx, dy = (
        np.diff(rates * sample.rows).round()
        for rates, sample in ((points.fpr, table.negatives), (points.fnr, table.positives))
    )
    turns = dx[:-1] * dy[1:] != dx[1:] * dy[:-1]
    optimal = cs.loss_curve(table, choice=cs.Optimal())
    lines = cs.cost_lines(points, axis="skew")
    return {
        "positives": table.positives.rows,
        "negatives": table.negatives.rows,
        "distinct": len(table.by_score.breaks),
        "segments": 1 + int(np.count_nonzero(turns)),
        "hull_segments": len(table.by_skew.corners.fpr) - 1,
        "cost_curve_points": len(np.unique(optimal.breaks)),
        "cost_lines": len(lines.left),
    }


def figure_1() -> Mapping[str, float]:
    """The fifteen scores, and what the paper says of thresholds among them."""
    table = samples.FIFTEEN.table()
    skew = 0.8
    best = table.hull_thresholds[np.searchsorted(table.by_skew.breaks, skew, side="right")]
    scores = table.by_score.breaks
    computed = {
        **curve_counts(table),
        "bins": len(table.not_flagged) - 1,
        "optimal_above": scores[scores <= best].max(),
        "optimal_below": scores[scores > best].min(),
    }
    for name, threshold in (("092", 0.92), ("085", 0.85)):
        point = table.by_score.at(threshold)
        computed[f"f0_at_{name}"] = 1 - point.fpr
        computed[f"f1_at_{name}"] = point.fnr
        computed[f"loss_at_{name}"] = cs.condition.loss_at(
            point.fpr, point.fnr, c=skew, prevalence=0.5
        )
    between = table.by_score.at(0.25)
    cells = cs.curve.contingency_table(between.fpr, between.fnr, prevalence=table.prevalence)
    computed["share_below"] = 1 - float(cells.flagged)
    return computed


def figure_2() -> Mapping[str, float]:
    """Seven scores."""
    table = samples.SEVEN.table()
    stepped = cs.loss_curve(table, choice=cs.RateDriven(stepped=True))
    gap = stepped - cs.loss_curve(table, choice=cs.Optimal())
    lengths = np.diff(stepped.breaks)
    # Number the pieces on which the two coincide, from 1.
    met = [
        np.searchsorted(stepped.breaks, start, side="right")
        for start, _ in cs.curve.sign_intervals(gap).where(0)
    ]
    return {
        "positives": table.positives.rows,
        "negatives": table.negatives.rows,
        "points": len(table.distinct_points.fpr) + 1,
        "cost_lines": len(lengths),
        "piece_shortest": lengths.min(),
        "piece_longest": lengths.max(),
        "optimal_pieces": len(met),
        "first_optimal": met[0],
        "last_optimal": met[-1],
        "auc": cs.auc(table),
        "stepped_area": stepped.expectation(cs.Uniform()),
        "area": cs.expected_loss(table, choice=cs.RateDriven()),
    }


def figure_3() -> Mapping[str, float]:
    """A perfect ranking."""
    table = samples.PERFECT.table()
    curve = cs.loss_curve(table, choice=cs.RateDriven())
    gap = curve - cs.loss_curve(table, choice=cs.Optimal())
    conditions = np.unique(gap.breaks)
    first, middle, last = conditions[np.abs(gap(conditions)) <= _SAME]
    return {
        "each_class": table.positives.rows,
        "area": curve.expectation(cs.Uniform()),
        "optimal_first": first,
        "optimal_middle": middle,
        "optimal_last": last,
    }


def figure_4() -> Mapping[str, float]:
    """The worst ranking."""
    table = samples.WORST.table()
    return {
        "each_class": table.positives.rows,
        "area": cs.expected_loss(table, choice=cs.RateDriven()),
        "optimal_area": cs.expected_loss(table, choice=cs.Optimal()),
        "switch": _switch(table),
    }


def figure_5() -> Mapping[str, float]:
    """An alternating ranking, and a random one."""
    table = samples.ALTERNATING.table()
    return {
        "each_class": table.positives.rows,
        "auc": cs.auc(table),
        "area": cs.expected_loss(table, choice=cs.RateDriven()),
        "switch": _switch(table),
        "random_area": cs.expected_loss(samples.RANDOM.table(), choice=cs.RateDriven()),
    }


def _switch(table: cs.ScoreTable) -> float:
    """The one condition inside (0, 1) at which the optimal decision changes."""
    breaks = cs.loss_curve(table, choice=cs.Optimal()).breaks
    (switch,) = breaks[(breaks > 0) & (breaks < 1)]
    return float(switch)


def figure_6() -> Mapping[str, float]:
    """Evenly spaced scores."""
    table = samples.TWENTY_FOUR.table()
    brier_curve = cs.loss_curve(table, choice=cs.ScoreDriven())
    return {
        "positives": table.positives.rows,
        "negatives": table.negatives.rows,
        "auc": cs.auc(table),
        "area": cs.expected_loss(table, choice=cs.RateDriven()),
        "brier": cs.brier_score(table),
        "brier_area": brier_curve.expectation(cs.Uniform()),
    }


def figure_7() -> Mapping[str, float]:
    """Calibrated scores, with ties."""
    table = samples.CALIBRATED.table()
    driven = cs.loss_curve(table, choice=cs.RateDriven()).breaks
    optimal = cs.loss_curve(table, choice=cs.Optimal()).breaks
    return {
        "positives": table.positives.rows,
        "negatives": table.negatives.rows,
        "switch": driven[driven > 0][0],
        "switch_decimal": driven[driven > 0][0],
        "optimal_switch": optimal[optimal > 0][0],
    }

"""What the lecture on cost curves states, computed."""

from collections.abc import Mapping

import costspace as cs
from papers.lecture.models import MIRRORED, ONE_R_AND_C45, THREE_CLASSIFIERS


def lines() -> Mapping[str, float]:
    """Cost lines of classifiers over the share of positives."""
    two = cs.cost_lines(ONE_R_AND_C45, axis="prevalence")
    three = cs.cost_lines(THREE_CLASSIFIERS, axis="prevalence")
    both = two.crossing(0, 1), three.crossing(1, 2)
    crossing, three_beats_two = (at for at in both if at is not None)
    extremes = cs.cost_lines(([1.0, 0.0], [1.0, 0.0]), axis="prevalence")
    worst, perfect = extremes(0.5)
    return {
        "one_r_start": two.left[0],
        "one_r_end": two.right[0],
        "c45_start": two.left[1],
        "c45_end": two.right[1],
        "crossing": crossing,
        "crossing_loss": two(crossing)[0],
        "c45_fpr": two(0)[1],
        "c45_tpr": 1 - two(1)[1],
        "three_beats_two": three_beats_two,
        "worst": worst,
        "perfect": perfect,
    }


def compare() -> Mapping[str, float]:
    """Two classifiers whose cost curves cross."""
    dashed, dotted = (
        cs.loss_curve(model, choice=cs.Optimal(), axis="skew") for model in MIRRORED.values()
    )
    # The dotted curve is the lower one from this skew on, up to 1.
    ((skew, _),) = cs.curve.sign_intervals(dashed - dotted).where(1)
    return {"crossing": 1 - skew}

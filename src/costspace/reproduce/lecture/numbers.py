"""What the lecture on cost curves states, computed."""

from collections.abc import Mapping

import costspace as cs
from costspace.reproduce import samples
from costspace.reproduce.figure import Figure
from costspace.reproduce.lecture import drawing, stand_ins


def _lines() -> Mapping[str, float]:
    lines = cs.cost_lines(samples.ONE_R_AND_C45, axis="prevalence")
    three = cs.cost_lines(stand_ins.THREE_CLASSIFIERS, axis="prevalence")
    both = lines.crossing(0, 1), three.crossing(1, 2)
    crossing, three_beats_two = (at for at in both if at is not None)
    extremes = cs.cost_lines(([1.0, 0.0], [1.0, 0.0]), axis="prevalence")
    middle = extremes(0.5)
    return {
        "one_r_start": lines.left[0],
        "one_r_end": lines.right[0],
        "c45_start": lines.left[1],
        "c45_end": lines.right[1],
        "crossing": crossing,
        "crossing_loss": lines(crossing)[0],
        "c45_fpr": lines(0)[1],
        "c45_tpr": 1 - lines(1)[1],
        "three_beats_two": three_beats_two,
        "worst": middle[0],
        "perfect": middle[1],
    }


def _compare() -> Mapping[str, float]:
    models = stand_ins.mirrored_models().values()
    dashed, dotted = (cs.loss_curve(model, choice=cs.Optimal(), axis="skew") for model in models)
    # The dotted curve is the lower one from this skew on, up to 1.
    ((skew, _),) = cs.sign_intervals(dashed - dotted).where(1)
    return {"crossing": 1 - skew}


FIGURES = (
    Figure(
        "001-lines", "Cost lines of classifiers over the share of positives", _lines, drawing.lines
    ),
    Figure(
        "001-envelope", "Cost curve as the lower envelope of the cost lines", draw=drawing.envelope
    ),
    Figure("001-costs", "Normalised cost over PC(+) when costs differ", draw=drawing.costs),
    Figure("001-trivial", "Trivial classifiers and the operating range", draw=drawing.trivial),
    Figure("001-compare", "Two classifiers compared at every PC(+)", _compare, drawing.compare),
)

"""What the paper on threshold choice methods states, computed."""

from collections.abc import Mapping

import numpy as np
from scipy.integrate import quad

import costspace as cs
from papers import samples
from papers.threshold_choice import tables
from papers.threshold_choice.appendix_models import DENSITIES, MODELS


def table_1() -> Mapping[str, float]:
    """Two metrics of two models."""
    return tables.by_model(tables.METRICS)


def table_2() -> Mapping[str, float]:
    """Expected losses of two models."""
    return tables.by_model(tables.LOSSES)


def table_3() -> Mapping[str, float]:
    """How many methods are not optimal."""
    names = [row.name for row in cs.reasonable_choices().choices]
    return {"methods": len(names) - names.count("optimal")}


def table_6() -> Mapping[str, float]:
    """How many methods there are."""
    return {"methods": len(cs.reasonable_choices().choices)}


def figure_4() -> Mapping[str, float]:
    """Losses of models whose rankings are special."""
    perfect, worst, random = (
        sample.table() for sample in (samples.PERFECT, samples.WORST, samples.RANDOM)
    )

    def loss(table: cs.ScoreTable, choice: cs.ThresholdChoice) -> float:
        return cs.expected_loss(table, choice=choice)

    uniform, driven, optimal = cs.RateUniform(), cs.RateDriven(), cs.Optimal()
    point = uniform.path(random).at(np.zeros(1))
    cells = cs.curve.contingency_table(point.fpr[0], point.fnr[0], prevalence=random.prevalence)
    return {
        "perfect_rate_uniform": loss(perfect, uniform),
        "perfect_rate_driven": loss(perfect, driven),
        "perfect_optimal": loss(perfect, optimal),
        "worst_rate_uniform": loss(worst, uniform),
        "random_score_uniform": loss(random, cs.ScoreUniform()),
        "random_score_driven": loss(random, cs.ScoreDriven()),
        "random_rate_uniform": loss(random, uniform),
        "random_rate_driven": loss(random, driven),
        "random_optimal": loss(random, optimal),
        "random_refinement": cs.refinement_loss(random),
        "gain_of_driving": loss(random, uniform) - loss(random, driven),
        "flagged": float(cells.flagged),
        "rate_driven_floor": loss(perfect, driven),
    }


def figure_5() -> Mapping[str, float]:
    """A perfectly calibrated model of two triangles."""
    t = np.linspace(0.1, 0.9, 9)
    # c(T) is a straight line, so any two of its points give its slope.
    slopes = np.diff(MODELS[5].optimal_condition(t)) / np.diff(t)
    return {"c_slope": slopes[0], **intervals(5)}


def figure_8() -> Mapping[str, float]:
    """A strictly convex model."""
    return {**intervals(8), **_loss(8)}


def figure_9() -> Mapping[str, float]:
    """A convex model with a straight segment."""
    model = MODELS[9]
    third, three_quarters = 1 / 3, 3 / 4
    middle = np.array([(third + three_quarters) / 2])
    heights = [density.pdf(middle)[0] for density in DENSITIES[9]]
    conditions = model.optimal_condition([third, three_quarters])
    f0 = 1 - model.by_score.at([third, three_quarters]).fpr
    return {
        **one_interval(9, 1),
        **_loss(9),
        "f0_height": heights[0],
        "f1_height": heights[1],
        "f0_height_decimal": heights[0],
        "f1_height_decimal": heights[1],
        "c_at_third": conditions[0],
        "c_at_three_quarters": conditions[1],
        "f0_at_third": f0[0],
        "f0_at_third_longer": f0[0],
        "f0_at_three_quarters": f0[1],
        "f0_at_three_quarters_longer": f0[1],
        "refinement_height": cs.pointwise.refinement_density(model, t=middle)[0],
        # On a straight segment as the paper counts it: p0 c times the share of class 0 on it.
        "refinement_area": (1 - model.prevalence) * conditions[0] * (f0[1] - f0[0]),
    }


def figure_14() -> Mapping[str, float]:
    """A convex model that does not start at c = 0."""
    bijective, constant = one_interval(14, 1), one_interval(14, 2)
    return {**bijective, "t_low": constant["t_low"], "t_high": constant["t_high"]}


def diagonal(figure: int) -> Mapping[str, float]:
    """A model whose loss does not fall to bijective intervals."""
    model = MODELS[figure]
    loss, _ = quad(lambda t: cs.pointwise.optimal_loss_density(model, t=[t])[0], *model.score_range)
    return {**one_interval(figure, 1), **_loss(figure), "bijective_loss": loss}


def intervals(figure: int) -> dict[str, float]:
    """How many intervals a model has."""
    return {"intervals": len(cs.pointwise.score_intervals(MODELS[figure]).kind)}


def one_interval(figure: int, number: int) -> dict[str, float]:
    """The ends of one interval in c and in T, and how many there are."""
    found = cs.pointwise.score_intervals(MODELS[figure])
    return {
        **intervals(figure),
        "s_low": found.c_low[number],
        "s_high": found.c_high[number],
        "t_low": found.t_low[number],
        "t_high": found.t_high[number],
    }


def _loss(figure: int) -> dict[str, float]:
    return {"loss": cs.expected_loss(MODELS[figure], choice=cs.Optimal())}

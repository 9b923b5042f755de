"""What the paper on threshold choice methods states, computed."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np

import costspace as cs
from costspace.quadrature import integrate
from costspace.reproduce import samples
from costspace.reproduce.figure import Figure
from costspace.reproduce.threshold_choice import drawing, tables
from costspace.reproduce.threshold_choice.models import MODELS


def _table_3() -> Mapping[str, float]:
    names = [row.name for row in cs.reasonable_choices().choices]
    return {"methods": len(names) - names.count("optimal")}


def _table_6() -> Mapping[str, float]:
    return {"methods": len(cs.reasonable_choices().choices)}


def _figure_4() -> Mapping[str, float]:
    perfect, worst, random = (
        sample.table() for sample in (samples.PERFECT, samples.WORST, samples.RANDOM)
    )

    def loss(table: cs.ScoreTable, choice: cs.ThresholdChoice) -> float:
        return cs.expected_loss(table, choice=choice)

    uniform, driven, optimal = cs.RateUniform(), cs.RateDriven(), cs.Optimal()
    point = uniform.path(random).start
    cells = cs.contingency_table(point.fpr[0], point.fnr[0], random.prevalence)
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


def _appendix(figure: int) -> cs.ScoreIntervals:
    return cs.score_intervals(MODELS[figure])


def _count(figure: int) -> dict[str, float]:
    return {"intervals": len(_appendix(figure).kind)}


def _ends(figure: int, interval: int) -> dict[str, float]:
    """The ends of one interval in c and in T, and how many there are."""
    intervals = _appendix(figure)
    return {
        **_count(figure),
        "s_low": intervals.c_low[interval],
        "s_high": intervals.c_high[interval],
        "t_low": intervals.t_low[interval],
        "t_high": intervals.t_high[interval],
    }


def _loss(figure: int) -> dict[str, float]:
    return {"loss": cs.expected_loss(MODELS[figure], choice=cs.Optimal())}


def _bijective_loss(figure: int) -> dict[str, float]:
    """The part of the optimal loss that falls to bijective intervals."""
    model = MODELS[figure]
    parts = integrate(lambda t: cs.optimal_loss_density(model, t), model.pair.grid)
    return {"bijective_loss": np.sum(parts)}


def _figure_5() -> Mapping[str, float]:
    t = np.linspace(0.1, 0.9, 9)
    # c(T) is a straight line, so any two of its points give its slope.
    slopes = np.diff(MODELS[5].optimal_condition(t)) / np.diff(t)
    return {"c_slope": slopes[0], **_count(5)}


def _figure_9() -> Mapping[str, float]:
    model = MODELS[9]
    third, three_quarters = 1 / 3, 3 / 4
    middle = np.array([(third + three_quarters) / 2])
    heights = [density.pdf(middle)[0] for density in (model.pair.negatives, model.pair.positives)]
    conditions = model.optimal_condition([third, three_quarters])
    f0 = 1 - model.by_score.at([third, three_quarters]).fpr
    return {
        **_ends(9, interval=1),
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
        "refinement_height": cs.refinement_density(model, middle)[0],
        # On a straight segment as the paper counts it: p0 c times the share of class 0 on it.
        "refinement_area": (1 - model.prevalence) * conditions[0] * (f0[1] - f0[0]),
    }


def _figure_11() -> Mapping[str, float]:
    return {**_ends(11, interval=1), **_loss(11), **_bijective_loss(11)}


def _figure_12() -> Mapping[str, float]:
    return {**_ends(12, interval=1), **_loss(12), **_bijective_loss(12)}


def _figure_14() -> Mapping[str, float]:
    bijective, constant = _ends(14, interval=1), _ends(14, interval=2)
    return {**bijective, "t_low": constant["t_low"], "t_high": constant["t_high"]}


def _of_model(figure: int, title: str, compute: Callable[[], Mapping[str, float]] = dict) -> Figure:
    """A figure of the appendix, which all are drawn alike."""
    return Figure(
        f"002-fig{figure}", title, compute, draw=partial(drawing.draw_model, figure, title)
    )


FIGURES = (
    Figure("002-fig1", "Score distributions of two models", draw=drawing.figure_1),
    Figure(
        "002-table1",
        "Performance metrics of two models",
        lambda: tables.by_model(tables.METRICS),
        table=tables.table_1,
    ),
    Figure("002-fig2", "ROC curves of two models", draw=drawing.figure_2),
    Figure(
        "002-table2",
        "Expected losses of two models under three choices",
        lambda: tables.by_model(tables.LOSSES),
        table=tables.table_2,
    ),
    Figure("002-table3", "Non-optimal threshold choice methods", _table_3, table=tables.table_3),
    Figure("002-fig3", "The rate-driven choice over the share of positives", draw=drawing.figure_3),
    Figure(
        "002-table4", "Threshold choice methods and their expected losses", table=tables.table_4
    ),
    Figure("002-table5", "Transformations of scores", table=tables.table_5),
    Figure("002-fig4", "Losses and metrics compared", _figure_4, table=tables.figure_4),
    Figure("002-table6", "Information that each method requires", _table_6, table=tables.table_6),
    _of_model(5, "A perfectly calibrated model of two triangles", _figure_5),
    _of_model(6, "The same ranking with linear c'(T)", lambda: _count(6)),
    _of_model(7, "The same ranking with c'(T) that bends", lambda: _count(7)),
    _of_model(8, "A strictly convex model", lambda: {**_count(8), **_loss(8)}),
    _of_model(9, "A convex model with a straight segment", _figure_9),
    _of_model(10, "A model that is not convex"),
    _of_model(11, "A diagonal model", _figure_11),
    _of_model(12, "A diagonal model with all scores close to 1/2", _figure_12),
    _of_model(13, "A strictly convex model between singular intervals", lambda: _ends(13, 1)),
    _of_model(14, "A convex model that does not start at c = 0", _figure_14),
    _of_model(15, "A discontinuous model", lambda: _ends(15, 2)),
)

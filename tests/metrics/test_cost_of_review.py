"""The cost of a case by the cost of a review: against tables of actions and linear programmes."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY, CHOICES, close, fit_for, inside
from refusals import refused
from scipy.optimize import linprog
from scipy.stats import beta

import costspace as cs
from costspace import ConditionError, ScoreError, SourceError
from costspace.metrics import ReviewCurve

Y, S = [0, 0, 0, 0, 1, 0, 0, 1, 0, 1], [0.05, 0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.9]
COSTS = {"fp_cost": 2, "fn_cost": 10}
ONE = cs.Review(cost=1)


@st.composite
def money(draw) -> dict[str, float]:
    """Costs of the four outcomes, gains among them."""
    right = {name: draw(st.sampled_from([0.0, 0.0, 1.5, -2.0])) for name in ("tp_cost", "tn_cost")}
    above = [draw(st.sampled_from([0.5, 1.0, 2.0, 10.0])) for _ in range(2)]
    return {
        "fp_cost": right["tn_cost"] + above[0],
        "fn_cost": right["tp_cost"] + above[1],
        **right,
    }


REVIEWER = st.tuples(*(2 * [st.sampled_from([1.0, 0.95, 0.8, 0.5, 0.3])]))


@pytest.mark.parametrize(
    ("choice", "expected", "without"),
    [
        (cs.ScoreDriven(), 0.7, 1.0),
        (cs.RateDriven(), 1.0, 1.0666666666666667),
        (cs.Optimal(), 0.5, 0.6),
    ],
)
def test_worked_figures(choice: cs.ThresholdChoice, expected: float, without: float) -> None:
    curve = cs.review_curve(Y, S, **COSTS, review=ONE, choice=choice)
    assert curve(1) == pytest.approx(expected, abs=1e-14)
    assert curve.without == pytest.approx(without, abs=1e-14)
    assert curve.most == pytest.approx(5 / 3, abs=1e-15)


def test_of_20_percent_of_reviews_the_worked_figure() -> None:
    curve = cs.review_curve(Y, S, **COSTS, review=ONE, choice=cs.Optimal())
    price = curve.price(0.2)
    assert price == pytest.approx(1 / 3, abs=1e-14)
    assert curve(1 + price) - 0.2 * price == pytest.approx(8 / 15, abs=1e-14)
    assert curve.price(1.0) == 0.0


@pytest.mark.parametrize("method", CHOICES)
@given(st.data(), money(), REVIEWER)
@settings(max_examples=15)
def test_it_is_the_cost_of_the_table_of_actions(method, data, costs, reviewer) -> None:
    case, scale = CHOICES[method], 40.0
    table = fit_for(case, data).table
    curve = cs.review_curve(table, **costs, review=cs.Review(1.0, *reviewer), choice=case.choice)
    loss = cs.loss_curve(table, choice=case.choice)
    between = curve.most * inside(curve.relative.breaks)
    for x in (*between[between > 1e-9], curve.most * 1.01 + 0.1, 50.0):
        actions = cs.Review(x, *reviewer).table(**costs)
        assert curve(x) == pytest.approx(actions.cost(loss, table.prevalence), abs=1e-12 * scale)
    assert curve(curve.most) == curve.without == curve(np.inf)
    # The pieces say the same, and what follows from them.
    close(curve.relative(inside(curve.relative.breaks)), curve(between), 1e-11)
    pieces = curve.columns()
    assert pieces["cost_end"][-1] == pytest.approx(curve.without, abs=1e-11)
    share = curve.share_reviewed(between)
    assert np.all((share >= 0) & (share <= 1 + 1e-12))
    assert np.all(curve.share_reviewed(curve.most + np.arange(2)) == 0)


@given(ANY, money(), REVIEWER)
def test_the_share_reviewed_is_the_slope_of_the_optimal_curve(sample, costs, reviewer) -> None:
    curve = cs.review_curve(
        sample.table, **costs, review=cs.Review(1.0, *reviewer), choice=cs.Optimal()
    )
    if curve.most == 0:
        assert curve.share_reviewed(0.0) == 0
        return
    pieces = curve.columns()
    wide = pieces["to"] - pieces["from"] > 1e-4
    rise = (pieces["cost_end"] - pieces["cost_start"])[wide]
    width = (pieces["to"] - pieces["from"])[wide]
    middle = (pieces["to"] + pieces["from"])[wide] / 2
    close(curve.share_reviewed(middle), rise / width, 1e-9)


@st.composite
def limited(draw) -> tuple[float, float]:
    return draw(st.sampled_from([0.01, 0.3, 1.0])), draw(st.sampled_from([0.0, 0.05, 0.3, 0.75]))


@given(ANY, money(), REVIEWER, limited())
@settings(max_examples=100)
def test_a_capacity_is_a_linear_programme(sample, costs, reviewer, limit) -> None:
    cost, share = limit
    review = cs.Review(cost, *reviewer)
    curve = cs.review_curve(sample.table, **costs, review=review, choice=cs.Optimal())
    price = curve.price(share)
    found = curve(cost + price) - price * share
    # What each pair of thresholds costs, and the share that it reviews.
    p, points = sample.table.prevalence, sample.table.by_score.corners
    actions = np.asarray(review.table(**costs).costs)
    low, high = np.triu_indices(len(points.fpr))
    flagged = np.stack([points.fpr, 1 - points.fnr])
    parts = np.stack([1 - flagged[:, low], flagged[:, low] - flagged[:, high], flagged[:, high]])
    weights = np.array([1 - p, p])
    each = np.einsum("kcn,ck,c->n", parts, actions, weights)
    reviewed = weights @ parts[1]
    best = linprog(each, [reviewed], [share], np.ones((1, len(each))), [1.0])
    assert best.success
    # The programme is solved to a tolerance; its vertices mix two ways to act.
    assert found == pytest.approx(best.fun, abs=1e-6)
    fits = reviewed <= share + 1e-15
    below, beyond = np.flatnonzero(fits)[:, None], np.flatnonzero(~fits)[None, :]
    along = (share - reviewed[below]) / (reviewed[beyond] - reviewed[below])
    mixed = each[below] + along * (each[beyond] - each[below])
    exact = min(each[fits].min(), mixed.min(initial=np.inf))
    assert found == pytest.approx(exact, abs=1e-12 * 20)
    if price > 0:
        assert curve.share_reviewed(cost + price) <= share + 1e-9
    else:
        assert curve.share_reviewed(cost) <= share + 1e-9


@pytest.mark.parametrize("choice", [cs.ScoreDriven(), cs.RateDriven(), cs.Optimal()])
def test_a_price_keeps_every_choice_within_its_share(choice: cs.ThresholdChoice) -> None:
    curve = cs.review_curve(Y, S, **COSTS, review=cs.Review(cost=0.2), choice=choice)
    for share in (0.0, 0.15, 0.3, 0.5, 0.9):
        price = curve.price(share)
        assert curve.share_reviewed(0.2 + price) <= share + 1e-9
        if price > 1e-3:
            assert curve.share_reviewed(0.2 + price - 1e-6) > share


def test_the_mean_over_costs_of_a_review_is_exact() -> None:
    curve = cs.review_curve(Y, S, **COSTS, review=cs.Review(1, 0.9, 0.8), choice=cs.RateDriven())
    x = (np.arange(20000) + 0.5) / 20000
    mean = curve.relative.expectation(cs.Uniform())
    assert mean == pytest.approx(float(np.mean(curve(curve.most * x))), abs=1e-8)


def test_of_densities() -> None:
    source = cs.AnalyticScores(beta(2, 4), beta(4, 2), 0.4)
    for choice in (cs.ScoreDriven(), cs.Optimal(), cs.RateDriven()):
        curve = cs.review_curve(source, **COSTS, review=ONE, choice=choice)
        loss = cs.loss_curve(source, choice=choice)
        for x in (0.2, 1.0, 1.6):
            known = cs.Review(x).table(**COSTS).cost(loss, 0.4)
            assert curve(x) == pytest.approx(known, abs=1e-12)
        assert curve.share_reviewed(1.0 + curve.price(0.1)) == pytest.approx(0.1, abs=1e-9)
        assert curve.relative(0.6) == pytest.approx(curve(1.0), abs=1e-10)


def test_a_reviewer_no_better_than_a_coin_is_never_worth_it() -> None:
    curve = cs.review_curve(Y, S, **COSTS, review=cs.Review(1, 0.5, 0.5), choice=cs.Optimal())
    assert curve.most == 0
    assert curve([0.0, 0.1]).tolist() == [curve.without] * 2
    assert curve.relative(0.3) == pytest.approx(curve.without, abs=1e-15)
    assert curve.price(0.0) == 0


def test_repr() -> None:
    curve = cs.review_curve(Y, S, **COSTS, review=ONE, choice=cs.Optimal())
    assert repr(curve) == (
        "ReviewCurve(cost from 0 where a review is free to 0.6 where it costs 1.66667)"
    )


def test_refusals() -> None:
    known = {**COSTS, "review": ONE}
    for costs, said in [
        ({"fp_cost": 0}, "fp_cost must be above tn_cost"),
        ({"fn_cost": -1}, "fn_cost must be above tp_cost"),
        ({"fn_cost": "ten"}, "fn_cost must be a number"),
        ({"fp_cost": (1, 2)}, "fp_cost must be a number"),
        ({"review": None}, "review must be a Review"),
        ({"review": 15}, "review must be a Review"),
    ]:
        with refused(ConditionError, said):
            cs.review_curve(Y, S, **(known | costs))
    curve = cs.review_curve(Y, S, **known)
    for bad in (-1, [0.1, -0.1], np.nan, "one"):
        with refused(ConditionError, "cost of a review must"):
            curve(bad)
    with refused(ConditionError, "reviewed must be in"):
        curve.price(20)
    with refused(ScoreError, "needs scores in"):
        cs.review_curve(Y, 2 * np.array(S), **known)
    with refused(SourceError, "or a score table"):
        ReviewCurve(3, cs.Optimal(), ONE, 1, 2)  # type: ignore[arg-type]

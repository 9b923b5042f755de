"""Deployment: money against draws, the mean over the prevalence, extremes, words and refusals."""

from dataclasses import FrozenInstanceError
from functools import partial

import numpy as np
import pytest
from refusals import refused
from scipy import stats
from scipy.special import expit, logit

import costspace as cs
from costspace import ConditionError

DRAWS = 10**6
DEPLOYMENTS = {
    "fraud": cs.Deployment(1, (500, 5000), (0.001, 0.01)),
    "three intervals": cs.Deployment((1, 3), (5, 50), (0.01, 0.2)),
    "gains": cs.Deployment((5, 9), (20, 50), (0.1, 0.6), tp_cost=(-3, 4), tn_cost=(-1, 2)),
    "drawn": cs.Deployment(
        cs.Drawn([1, 2, 4], [1, 2, 5]), cs.LogUniform(5, 50), cs.Drawn([0.1, 0.2])
    ),
    "beta": cs.Deployment(1, (5, 50), cs.Beta(2, 30)),
    "mixture": cs.Deployment(1, 5, cs.Mixture([cs.Point(0.3), cs.Uniform(0, 0.2)], [1, 2])),
    "scipy": cs.Deployment(stats.gamma(2), stats.lognorm(1), stats.beta(2, 5), tn_cost=(-1, 0)),
}
each_deployment = pytest.mark.parametrize("name", DEPLOYMENTS)


def within_error(values: np.ndarray, expected: float) -> None:
    error = values.std() / np.sqrt(len(values))
    assert abs(values.mean() - expected) <= 4.5 * error + 1e-12


@each_deployment
def test_money_and_skews_match_drawn_conditions(name: str) -> None:
    known = DEPLOYMENTS[name]
    drawn = known.draw(DRAWS, seed=2)
    p = drawn.prevalence
    negative, positive = (
        (1 - p) * (drawn.fp_cost - drawn.tn_cost),
        p * (drawn.fn_cost - drawn.tp_cost),
    )
    stake = negative + positive
    z = negative / stake
    within_error(negative, known.negative_stake)
    within_error(positive, known.positive_stake)
    within_error((1 - p) * drawn.tn_cost + p * drawn.tp_cost, known.constant)
    within_error(p, known.mean_prevalence)
    for q in np.quantile(z, [0.1, 0.4, 0.8]):
        q += 1e-9  # noqa: PLW2901 - off an atom that it may be on
        at = np.array([q])
        for staked, size, weight in ((False, 1.0, np.ones(DRAWS)), (True, known.stake, stake)):
            skews = known.skews(staked=staked)
            for power in (0, 1, 2):
                within_error(weight * z**power * (z < q), size * skews.below(at, power)[0])
            rest = weight * (1 - z) * (z >= q)
            within_error(rest, size * skews.complement_from(at)[0])
    assert known.skew_range.low <= z.min() * (1 + 1e-12)
    assert known.skew_range.high >= z.max() * (1 - 1e-12)
    assert known.prevalence_range.low <= p.min() <= p.max() <= known.prevalence_range.high


@each_deployment
def test_mean_over_the_prevalence(name: str) -> None:
    known, seen = DEPLOYMENTS[name], set()

    def money(prevalence: float, costs: cs.CostDistribution, size: float) -> float:
        seen.add(id(costs))
        c = costs.mean()
        return size * ((1 - prevalence) * c * 0.3 + prevalence * (1 - c) * 0.2)

    expected = known.negative_stake * 0.3 + known.positive_stake * 0.2
    assert known.over_prevalence(money) == pytest.approx(expected, rel=1e-9)
    assert len(seen) == 1


def test_mean_over_the_prevalence_asks_seldom() -> None:
    known, asked = DEPLOYMENTS["fraud"], []

    def kinked(prevalence: float, costs: cs.CostDistribution, size: float) -> float:
        asked.append(prevalence)
        return abs(prevalence - 0.004)

    found = known.over_prevalence(kinked)
    assert len(asked) <= 600
    below = known.prevalence.costs.below(np.array([0.004]), 1)[0]
    share = known.prevalence.costs.below(np.array([0.004]), 0)[0]
    expected = known.mean_prevalence - 2 * below - 0.004 * (1 - 2 * share)
    assert found == pytest.approx(expected, rel=1e-10)


def test_cost_proportions_count_by_their_size() -> None:
    known = cs.Deployment(1, cs.Drawn([1, 9]), (0.1, 0.2))
    costs = []
    known.over_prevalence(lambda p, c, size: costs.append((c, size)) or 1.0)
    assert costs[0][0] == cs.Sampled([0.5, 0.1], [2, 10])
    assert costs[0][1] == 6


@each_deployment
@pytest.mark.parametrize("unknown", [{"costs": True}, {"prevalence": True}])
def test_averaging_leaves_the_money_of_a_rule(name: str, unknown: dict[str, bool]) -> None:
    known = DEPLOYMENTS[name]
    left = known.averaging(**unknown)
    for part in ("negative_stake", "positive_stake", "constant"):
        assert getattr(left, part) == pytest.approx(getattr(known, part), rel=1e-12)
    both = known.averaging(costs=True, prevalence=True).skews()
    assert both.mean() == pytest.approx(known.negative_stake / known.stake, rel=1e-12)
    assert isinstance(both, cs.Point)
    same = known.averaging()
    assert repr(same) == repr(known)


def test_skew_range_multiplies_intervals() -> None:
    ratio = cs.skew_range(cost_ratio=(1 / 5000, 1 / 500), prevalence=(0.001, 0.01))
    known = DEPLOYMENTS["fraud"].skew_range
    assert (known.low, known.high) == pytest.approx((ratio.low, ratio.high), rel=1e-13)


# --- Draws and words ---


def test_draws() -> None:
    known = DEPLOYMENTS["gains"]
    one, two = known.draw(5, seed=1), known.draw(5, seed=np.random.default_rng(1))
    assert one.columns().keys() == two.columns().keys()
    for name, values in one.columns().items():
        assert np.array_equal(values, two.columns()[name])
    assert not np.array_equal(one.fp_cost, known.draw(5, seed=2).fp_cost)


def test_drawn_prevalence_is_uniform_in_log_odds() -> None:
    p = DEPLOYMENTS["fraud"].draw(20_000, seed=4).prevalence
    low, high = logit(0.001), logit(0.01)
    assert stats.kstest(logit(p), stats.uniform(low, high - low).cdf).pvalue > 0.01
    assert np.all((p >= 0.001 * (1 - 1e-12)) & (p <= expit(high) * (1 + 1e-12)))


def test_words() -> None:
    known = DEPLOYMENTS["gains"]
    assert repr(known) == (
        "Deployment(fp_cost=5 to 9, fn_cost=20 to 50, prevalence=0.1 to 0.6, tp_cost=-3 to 4, "
        "tn_cost=-1 to 2)"
    )
    assert DEPLOYMENTS["fraud"].assumptions == (
        "fp_cost known: 1",
        "fn_cost log-uniform from 500 to 5000",
        "prevalence uniform in log-odds from 0.001 to 0.01",
        "correct decisions cost nothing",
        "costs and prevalence vary independently",
    )
    assert "tn_cost uniform from -1 to 2" in known.assumptions
    assert "prevalence distributed as beta(2,30)" in DEPLOYMENTS["beta"].assumptions
    assert cs.Deployment(1, (2, 3), 0.1).assumptions[-1] == "correct decisions cost nothing"


def test_columns() -> None:
    columns = DEPLOYMENTS["gains"].columns()
    bounds = {"fp_cost": (5, 9), "fn_cost": (20, 50), "prevalence": (0.1, 0.6)}
    bounds |= {"tp_cost": (-3, 4), "tn_cost": (-1, 2)}
    for name, (low, high) in bounds.items():
        assert columns.pop(f"{name}_low").tolist() == [low]
        assert columns.pop(f"{name}_high").tolist() == [high]
    assert not columns


def test_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        DEPLOYMENTS["fraud"].fp_cost = 2


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"fp_cost": 0}, "fp_cost must be above tn_cost, got fp_cost down to 0 and tn_cost up"),
        ({"tn_cost": (-1, 1)}, "got fp_cost down to 1 and tn_cost up to 1: a mistake"),
        ({"tp_cost": 6, "fn_cost": (5, 9)}, "got fn_cost down to 5 and tp_cost up to 6: a mistake"),
        ({"fn_cost": stats.norm(5, 1)}, "got fn_cost down to -inf and tp_cost up to 0: a mistake"),
        ({"fn_cost": (9, 5)}, "fn_cost must have low at most high, got (9, 5)."),
        ({"prevalence": 1}, "prevalence must be in (0, 1), got 1."),
        ({"prevalence": (0, 0.1)}, "prevalence must be in (0, 1), got 0."),
        ({"prevalence": (0.2, 0.1)}, "prevalence must have low at most high"),
        ({"prevalence": "a"}, "prevalence must be a number, (low, high)"),
        (
            {"prevalence": cs.Drawn([0.1, 1.2])},
            "prevalence must be in (0, 1), got 1.2: 1.2 % is 0.012.",
        ),
        ({"prevalence": cs.Point(0)}, "prevalence must be in (0, 1), got 0."),
        (
            {"prevalence": cs.Mixture([cs.Point(1), cs.Uniform()])},
            "prevalence must be in (0, 1), got 1.",
        ),
        ({"prevalence": stats.norm()}, "conditions must have its support in [0, 1]"),
        (
            {"prevalence": cs.LogUniform(0.1, 0.2)},
            "Drawn, a frozen scipy distribution or a distribution of conditions, got",
        ),
        ({"prevalence": float("nan")}, "prevalence must be a number, (low, high)"),
        ({"prevalence": 1e60}, "prevalence must be in (0, 1), got 1e+60."),
    ],
)
def test_bad_parts(parts, text: str) -> None:
    with refused(ConditionError, text):
        cs.Deployment(**{"fp_cost": 1, "fn_cost": 5, "prevalence": 0.1, **parts})


def test_a_distribution_with_poles_is_refused() -> None:
    known = cs.Deployment(stats.beta(0.5, 0.5, loc=10, scale=5), 20, 0.1)
    with refused(ConditionError, "is too rough, or its tails are too heavy, to find its skews"):
        known.skews()


@pytest.mark.parametrize(
    "known",
    [
        cs.Deployment(2, (5, 50), 0.1, tp_cost=-1, tn_cost=(-0.5, 0.5)),
        cs.Scenarios([2, 3], [5, 50], 0.1, tp_cost=[-1, 2]),
    ],
    ids=["deployment", "scenarios"],
)
def test_money_is_asked_of_what_is_known(known) -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 1, 0, 1, 1], [0.1, 0.3, 0.35, 0.6, 0.7, 0.9])
    point = table.by_score.at(0.5)
    staying = cs.expected_money(table, choice=cs.ScoreFixed(0.5), conditions=known)
    assert known.money_at(point.fpr, point.fnr) == pytest.approx(staying, rel=1e-12)
    assert known.money_at([0, 1], [1, 0]) == pytest.approx(
        [known.money(known.positive_stake), known.money(known.negative_stake)]
    )
    assert known.money(0.0) == pytest.approx(1000 * known.constant)
    band = cs.deployment.Band(known, 1.0)
    for choice in (cs.ScoreDriven(), cs.Optimal()):
        expected = cs.expected_money(table, choice=choice, conditions=known)
        at = table.with_prevalence(band.axis)
        assert band.money(partial(choice.expected_loss, at)) == pytest.approx(expected, rel=1e-12)
        costs, size = known.as_one_loss(0.5)
        if choice.through_skew:
            loss = size * choice.expected_loss(table.with_prevalence(0.5), costs)
            assert known.money(loss) == pytest.approx(expected, rel=1e-12)

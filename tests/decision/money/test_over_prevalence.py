"""Money over a range of prevalence, of choices that look at more than the skew."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from laws.registry import ANY
from scipy import stats
from scipy.special import expit, logit

import costspace as cs
from costspace.choices.flagging import SwitchedFlagging
from costspace.decision.money.expected import corners_of
from costspace.deployment.share_flagged import Corners

NODES, WEIGHTS = np.polynomial.legendre.leggauss(20)

RANGES = {
    "known costs": (1, 10, (0.02, 0.2)),
    "costly positives": (1, (5, 50), (0.02, 0.2)),
    "costly negatives": ((3, 40), 1, (0.3, 0.8)),
    "both sides of even": (1, (0.1, 3), (0.001, 0.7)),
    "hardly ranges": (1, (2, 2.000001), (0.2, 0.2000003)),
    "18 decades": (1, (1e-9, 1e9), (0.05, 0.3)),
    "extremes": (1e9, 1, (1e-9, 1 - 1e-9)),
}


def pieces(low, high, kinks, widest=1.5):
    """Gauss-Legendre nodes between kinks, and weights that sum to 1."""
    ends = np.unique(np.concatenate([[low, high], kinks[(kinks > low) & (kinks < high)]]))
    found = []
    for a, b in pairwise(ends):
        cuts = np.linspace(a, b, int((b - a) / widest) + 2)
        found += [
            ((d + c) / 2 + (d - c) / 2 * NODES, (d - c) / 2 * WEIGHTS) for c, d in pairwise(cuts)
        ]
    x, w = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return x, w / (high - low)


def log_costs(cost, kinks):
    """Nodes and weights of a cost that is known or log-uniform."""
    if not isinstance(cost, tuple):
        return np.array([float(cost)]), np.ones(1)
    x, w = pieces(*np.log(cost), np.log(kinks))
    return np.exp(x), w


def money_by_pieces(fpr, fnr, seen, fp, fn, prevalence):
    """Money per case of flagging 1 - c of the cases, one cost known, by nested sums.

    The curve passes the points where it leaves shares `seen` of the classes unflagged.
    """
    bounds = [np.divide(a, np.add(a, b)) for a in np.ravel(fp) for b in np.ravel(fn)]
    with np.errstate(all="ignore"):
        kinks = np.concatenate([np.log((c - seen[0]) / (seen[1] - c)) for c in bounds])
    total = 0.0
    w, shares = pieces(*logit(prevalence), kinks[np.isfinite(kinks)])
    for p, q, share in zip(expit(w), expit(-w), shares, strict=True):
        rates = q * seen[0] + p * seen[1]
        inner = rates[(rates > 0) & (rates < 1)]
        odds = inner / (1 - inner)
        a, wa = log_costs(fp, np.ravel(fn)[0] * odds)
        b, wb = log_costs(fn, np.ravel(fp)[0] / odds)
        c = a / (a + b)
        lost = q * a * np.interp(c, rates, fpr) + p * b * np.interp(c, rates, fnr)
        total += share * np.sum(wa * wb * lost)
    return total


def unflagged(table):
    points = table.distinct_points.after_flagging_all()
    return np.stack([1 - points.fpr, points.fnr])


def sample(n, seed, *, ties):
    rng = np.random.default_rng(seed)
    y = rng.random(n) < 0.4
    y[:2] = False, True
    s = 0.4 * y + rng.random(n)
    s = s.round(1) if ties else s
    return cs.ScoreTable.from_predictions(y, s, sample_weight=rng.integers(1, 5, n))


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize("name", RANGES)
def test_rate_driven_money_is_the_sum_over_all_pieces(name, ties):
    fp, fn, prevalence = RANGES[name]
    table = sample(17, 3, ties=ties)
    points = table.distinct_points.after_flagging_all()
    expected = money_by_pieces(points.fpr, points.fnr, unflagged(table), fp, fn, prevalence)
    known = cs.Deployment(fp, fn, prevalence)
    found = cs.expected_money(table, choice=cs.RateDriven(), conditions=known)
    assert found == pytest.approx(1000 * expected, rel=1e-11)


@pytest.mark.parametrize(
    ("fp", "fn", "prevalence"), [RANGES["known costs"], RANGES["costly positives"]]
)
def test_thresholds_set_on_other_cases(fp, fn, prevalence):
    on, table = sample(15, 5, ties=True), sample(40, 6, ties=False)
    used = table.by_score.at(np.append(on.cut_points, np.inf)).after_flagging_all()
    expected = money_by_pieces(used.fpr, used.fnr, unflagged(on), fp, fn, prevalence)
    choice, known = cs.Fitted(cs.RateDriven(), on), cs.Deployment(fp, fn, prevalence)
    found = cs.expected_money(table, choice=choice, conditions=known)
    assert found == pytest.approx(1000 * expected, rel=1e-11)


@pytest.mark.parametrize("flagged", [0.0, 0.013, 0.3, 0.97, 1.0])
@pytest.mark.parametrize("fitted", [False, True])
def test_one_share_flagged(flagged, fitted):
    table, on = sample(40, 6, ties=False), sample(15, 5, ties=True)
    choice = cs.Fitted(cs.RateFixed(flagged), on) if fitted else cs.RateFixed(flagged)
    seen = unflagged(on if fitted else table)
    with np.errstate(all="ignore"):
        kinks = np.log((1 - flagged - seen[0]) / (seen[1] - 1 + flagged))
    w, shares = pieces(*logit((0.02, 0.6)), kinks[np.isfinite(kinks)])
    # At one prevalence there is nothing to integrate.
    expected = shares @ [
        cs.expected_money(table, choice=choice, conditions=cs.Deployment(1, 9, p)) for p in expit(w)
    ]
    known = cs.Deployment(1, 9, (0.02, 0.6))
    found = cs.expected_money(table, choice=choice, conditions=known)
    assert found == pytest.approx(expected, rel=1e-11)


@given(ANY, st.sampled_from([cs.RateDriven(), cs.RateFixed(0.2)]))
@settings(max_examples=10)
def test_money_is_linear_in_the_laws_of_costs_and_prevalence(drawn, choice):
    def money(fn, prevalence):
        known = cs.Deployment((1, 3), fn, prevalence)
        return cs.expected_money(drawn.table, choice=choice, conditions=known)

    first, second = cs.Uniform(0.1, 0.4), cs.Beta(2, 9)
    parts = [money(fn, p) for fn in (0.5, 20) for p in (first, second, 0.25)]
    mixture = cs.Mixture([first, second, cs.Point(0.25)], [0.2, 0.3, 0.5])
    expected = np.array([0.2, 0.3, 0.5]) @ np.reshape(parts, (2, 3)).mean(axis=0)
    assert money(cs.Drawn([0.5, 20]), mixture) == pytest.approx(expected, rel=1e-10)


def test_two_ranges_of_costs_average_one():
    table, fn, prevalence = sample(25, 8, ties=True), (0.5, 50), (0.02, 0.6)

    def money(fp):
        known = cs.Deployment(fp, fn, prevalence)
        return cs.expected_money(table, choice=cs.RateDriven(), conditions=known)

    a, w = log_costs((1, 3), np.exp(np.linspace(0, np.log(3), 5)))
    assert money((1, 3)) == pytest.approx(w @ [money(fp) for fp in a], rel=1e-9)


def test_scipy_laws():
    table = sample(25, 8, ties=True)
    known = cs.Deployment(stats.gamma(2), stats.lognorm(1), stats.beta(2, 5), tn_cost=(-1, 0))
    drawn = known.draw(3 * 10**4, seed=3).columns()
    p, a, b = (drawn["prevalence"], drawn["fp_cost"] - drawn["tn_cost"], drawn["fn_cost"])
    points, c = table.distinct_points.after_flagging_all(), a / (a + b)
    rates = np.outer(1 - p, 1 - points.fpr) + np.outer(p, points.fnr)
    fpr, fnr = (
        np.array([np.interp(x, r, rate) for x, r in zip(c, rates, strict=True)])
        for rate in (points.fpr, points.fnr)
    )
    money = 1000 * ((1 - p) * (a * fpr + drawn["tn_cost"]) + p * b * fnr)
    found = cs.expected_money(table, choice=cs.RateDriven(), conditions=known)
    assert abs(found - money.mean()) < 4 * money.std() / np.sqrt(len(money))


@pytest.mark.parametrize(
    "choice",
    [
        cs.ScoreDriven(),
        cs.RateDriven(stepped=True),
        cs.RateUniform(stepped=True),
        cs.NoisyCondition(cs.ScoreDriven(), stats.norm(0, 0.1)),
    ],
    ids=lambda choice: type(choice).__name__,
)
def test_choices_that_see_only_costs_need_only_the_mean_prevalence(choice):
    y, s = [0, 1, 0, 0, 1, 1], [0.1, 0.25, 0.3, 0.5, 0.7, 0.9]
    w, shares = pieces(*logit((0.02, 0.6)), np.zeros(0))
    conditions = [cs.Deployment(1, (5, 50), p) for p in ((0.02, 0.6), *expit(w))]
    found, *at = [cs.expected_money(y, s, choice=choice, conditions=known) for known in conditions]
    smooth = isinstance(choice, cs.NoisyCondition)
    assert found == pytest.approx(shares @ at, rel=1e-8 if smooth else 1e-12)


class Stepping(cs.ThresholdChoice):
    """A choice that steps at a cost, whatever the prevalence."""

    sees = frozenset({"costs"})

    def __init__(self):
        self.asked = []

    def path(self, source):
        self.asked.append(source.prevalence)
        points = source.by_score.at(np.array([0.2, 0.6]))
        return cs.OperatingPath.stepping(np.array([0.07]), points, source.prevalence)

    def flagging(self, source, scores):
        switch = np.where(scores > 0.6, 1.0, np.where(scores > 0.2, 0.07, 0.0))
        return SwitchedFlagging(switch)


def test_a_choice_of_ones_own_by_cost_is_asked_at_the_mean_prevalence():
    table, choice, known = (
        sample(40, 6, ties=False),
        Stepping(),
        cs.Deployment(1, (5, 50), (0.02, 0.6)),
    )
    found = cs.expected_money(table, choice=choice, conditions=known)
    assert choice.asked == [known.mean_prevalence]
    w, shares = pieces(*logit((0.02, 0.6)), np.zeros(0))
    each = [cs.Deployment(1, (5, 50), p) for p in expit(w)]
    at = [cs.expected_money(table, choice=choice, conditions=one) for one in each]
    assert found == pytest.approx(shares @ at, rel=1e-12)


class Flagging(cs.ThresholdChoice):
    """A choice that nothing is known of."""

    def path(self, source):
        return cs.RateDriven().path(source)

    def flagging(self, source, scores):
        return cs.RateDriven().flagging(source, scores)


@pytest.mark.parametrize("name", ["both sides of even", "costly negatives"])
def test_a_choice_of_ones_own_is_averaged_over_the_prevalence(name):
    table, known = sample(200, 8, ties=False), cs.Deployment(*RANGES[name])
    one, other = (
        cs.expected_money(table, choice=choice, conditions=known)
        for choice in (Flagging(), cs.RateDriven())
    )
    assert one == pytest.approx(other, rel=1e-8)


@pytest.mark.parametrize("weight", [0, 1e-9])
def test_a_block_of_tiny_weight_is_split_exactly(weight):
    y, s = [0, 1, 0, 1, 0, 1], [0.1, 0.2, 0.3, 0.4, 0.5, 0.6]
    on = cs.ScoreTable.from_predictions(y, s, sample_weight=[1, 2, weight, weight, 3, 1])
    known = cs.Deployment(1, (5, 50), (0.02, 0.2))
    table = cs.ScoreTable.from_predictions(y, s)
    choice = cs.Fitted(cs.RateDriven(), on)
    w, shares = pieces(*logit((0.02, 0.2)), np.zeros(0), widest=0.3)
    expected = shares @ [
        cs.expected_money(table, choice=choice, conditions=cs.Deployment(1, (5, 50), p))
        for p in expit(w)
    ]
    assert cs.expected_money(table, choice=choice, conditions=known) == pytest.approx(
        expected, rel=1e-5
    )


def test_a_source_with_densities_has_no_corners():
    beta = cs.AnalyticScores(stats.beta(2, 4), stats.beta(4, 2), prevalence=0.5)
    assert corners_of(beta, beta) is None
    table = sample(15, 5, ties=True)
    assert corners_of(table, beta) is None
    assert corners_of(table, table) is not None


def test_a_curve_is_kept_where_it_turns():
    fpr = np.array([1.0, 1.0, 0.75, 0.5, 0.5, 0.5, 0.25, 0.0, 0.0])
    fnr = np.array([0.0, 0.25, 0.25, 0.25, 0.25, 0.5, 0.75, 0.75, 1.0])
    corners = Corners.of_curve(fpr, fnr)
    np.testing.assert_array_equal(corners.set_on[0], [0, 0, 0.5, 0.5, 0.75, 1, 1])
    np.testing.assert_array_equal(corners.set_on[1], [0, 0.25, 0.25, 0.5, 0.75, 0.75, 1])
    np.testing.assert_array_equal(corners.mirrored.mirrored.set_on, corners.set_on)


@pytest.mark.parametrize("fitted", [False, True])
@pytest.mark.parametrize(
    "choice", [cs.RateDriven(), cs.RateFixed(0.1), cs.RateUniform()], ids=["driven", "fixed", "any"]
)
def test_a_prevalence_that_comes_close_to_0_and_to_1(choice, fitted):
    table, on = sample(40, 6, ties=True), sample(15, 5, ties=False)
    choice = cs.Fitted(choice, on) if fitted else choice
    prevalences = stats.beta(0.5, 0.5).ppf((np.arange(200) + 0.5) / 200)
    expected = np.mean(
        [
            cs.expected_money(table, choice=choice, conditions=cs.Deployment(1, 9, p))
            for p in prevalences
        ]
    )
    known = cs.Deployment(1, 9, cs.Beta(0.5, 0.5))
    found = cs.expected_money(table, choice=choice, conditions=known)
    assert found == pytest.approx(expected, rel=1e-5)

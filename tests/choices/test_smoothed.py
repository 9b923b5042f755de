"""Smoothed thresholds, learnt from labels: against scikit-learn, at extremes, on new rows."""

from functools import partial

import numpy as np
import pytest
from refusals import refused
from scipy.special import expit
from scipy.stats import norm, rankdata
from sklearn.isotonic import IsotonicRegression
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KernelDensity

import costspace as cs

Rows = tuple[np.ndarray, np.ndarray]


def rows(n: int, seed: int, share: float = 0.3) -> Rows:
    """Labels and scores of which no two are equal."""
    generator = np.random.default_rng(seed)
    y = np.append([0, 1], generator.random(n - 2) < share).astype(int)
    return y, generator.normal(1.2 * y)


def until(y: object, s: object, **options: object) -> np.ndarray:
    """The skew up to which each distinct score is flagged."""
    table = cs.ScoreTable.from_predictions(y, s, **options).with_prevalence(0.5)
    return cs.Smoothed().flagging(table, table.by_score.breaks).until


def by_scikit_learn(y: np.ndarray, s: np.ndarray) -> np.ndarray:
    """The smoothed probability at each score, in ascending order, before it is made to ascend."""
    y, v = y[np.argsort(s)], norm.ppf((np.arange(1, len(s) + 1) - 0.5) / len(s))[:, None]
    # The penalty of a slope b is b^2 / (2 C).
    line = LogisticRegression(C=100, tol=1e-12, max_iter=10_000).fit(v, y).predict_proba(v)[:, 1]
    near = {"kernel": "exponential", "bandwidth": len(s) ** -0.2 / 2}

    def nearby(weight: np.ndarray) -> np.ndarray:
        weighted = KernelDensity(**near).fit(v, sample_weight=weight + 1e-300).score_samples(v)
        return np.exp(weighted) * np.sum(weight)

    odds = line / (1 - line) * nearby(y) / nearby(1 - y) * nearby(1 - line) / nearby(line)
    return odds / (1 + odds)


@pytest.mark.parametrize(("n", "share"), [(9, 0.5), (40, 0.1), (300, 0.3)])
def test_the_parts_are_those_of_scikit_learn(n: int, share: float) -> None:
    y, s = rows(n, 2, share)
    p = IsotonicRegression().fit_transform(np.arange(n), by_scikit_learn(y, s))
    np.testing.assert_allclose(until(y, s), cs.skew_from_cost(p, prevalence=y.mean()), atol=1e-7)


def test_no_threshold_has_less_smoothed_loss() -> None:
    y, s = rows(60, 4)
    p, pi = by_scikit_learn(y, s), y.mean()
    missed = np.append(0, np.cumsum(p)) / (60 * pi)
    passed = np.append(0, np.cumsum(1 - p)) / (60 * (1 - pi))
    found = until(y, s)
    for z in np.linspace(0.001, 0.999, 499):
        loss = z * (passed[-1] - passed) + (1 - z) * missed
        # So many scores, the lowest, are not flagged.
        assert loss[np.sum(found <= z)] <= loss.min() + 1e-12


def test_it_costs_less_on_other_rows_than_the_thresholds_of_least_loss() -> None:
    y, s = rows(20_000, 0)
    test, costs = cs.ScoreTable.from_predictions(y, s), cs.Uniform(0.05, 0.5)
    least = cs.expected_loss(test, choice=cs.Optimal(), costs=costs)
    for n in (50, 200, 1000):
        regret = np.zeros(2)
        for seed in range(1, 25):
            train = cs.ScoreTable.from_predictions(*rows(n, seed))
            for i, choice in enumerate((cs.Smoothed(), cs.Optimal())):
                fitted = cs.Fitted(choice, train)
                regret[i] += cs.expected_loss(test, choice=fitted, costs=costs) - least
        assert 0 < regret[0] < 0.8 * regret[1]


def test_many_rows_bring_it_to_the_thresholds_of_least_loss() -> None:
    # A ranking whose log odds bend, which no line follows.
    generator = np.random.default_rng(1)
    s = generator.random(100_000)
    y = generator.random(len(s)) < np.where(s < 0.8, 0.2, 0.9)
    table = cs.ScoreTable.from_predictions(y, s)
    regret = [cs.expected_loss(table, choice=c) for c in (cs.Smoothed(), cs.Optimal())]
    assert regret[0] < 1.02 * regret[1]


def test_with_one_score_the_classes_count_alike() -> None:
    np.testing.assert_allclose(until([0, 1, 1, 1], [0.3] * 4), [0.5])
    table = cs.ScoreTable.from_predictions([0, 1, 1, 1], [0.3] * 4)
    assert cs.expected_loss(table, choice=cs.Smoothed(), costs=cs.Point(0.74)) == 0.5 * 0.74
    assert cs.expected_loss(table, choice=cs.Smoothed(), costs=cs.Point(0.76)) == 1.5 * 0.24


@pytest.mark.parametrize("scores", [[1, 2], [1, 2, 3, 4], range(30)])
def test_separated_classes_still_have_probabilities_between_0_and_1(scores: object) -> None:
    n = len(list(scores))
    found = until(np.arange(n) >= n / 2, list(scores))
    assert 0 < found[0] < 0.3
    assert 0.7 < found[-1] < 1
    np.testing.assert_allclose(found, 1 - found[::-1], atol=1e-12)


def test_scores_the_wrong_way_round_give_a_probability_of_one_half() -> None:
    found = until(np.arange(40) < 20, np.arange(40))
    np.testing.assert_allclose(found, 0.5, atol=1e-12)


def test_only_the_ranks_of_scores_count() -> None:
    y = [0, 1, 0, 0, 1, 1, 1]
    expected = until(y, np.arange(7))
    for s in ([0, 0.1, 0.2, 0.3, 0.4, 0.5, 1], [-np.inf, -3, -2, 0, 9, 1e300, np.inf]):
        np.testing.assert_array_equal(until(y, s), expected)


def test_ranks_count_half_of_their_ties() -> None:
    y, s = np.array([0, 1, 0, 0, 1, 1, 1, 1]), np.array([1, 1, 2, 3, 3, 3, 4, 5])
    spread = rankdata(s, method="average")
    np.testing.assert_array_equal(until(y, s), until(y, spread))


def test_weights_of_very_different_size_raise_nothing() -> None:
    weights = np.array([1e-300, 1, 1e90, 1e-300, 1e90, 1.0])
    with np.errstate(all="raise", under="ignore"):
        found = until([0, 0, 0, 1, 1, 1], [3, 1, 4, 2, 6, 5], sample_weight=weights)
    assert np.all(np.diff(found) >= 0)
    assert np.all((found >= 0) & (found <= 1))


def test_fitted_on_rows_it_applies_to_densities() -> None:
    train = cs.ScoreTable.from_predictions(*rows(100, 3))
    model = cs.AnalyticScores(norm(0, 1), norm(1.2, 1), 0.3)
    test = cs.ScoreTable.from_predictions(*rows(100_000, 9))
    fitted = cs.Fitted(cs.Smoothed(), train)
    on_both = [cs.expected_loss(source, choice=fitted) for source in (model, test)]
    assert on_both[0] == pytest.approx(on_both[1], abs=0.004)


def test_densities_are_refused() -> None:
    model = cs.AnalyticScores(norm(0, 1), norm(1, 1), 0.3)
    with refused(cs.SourceError, "Smoothed() needs the labelled rows of a ScoreTable, got"):
        cs.expected_loss(model, choice=cs.Smoothed())
    with refused(cs.SourceError, "Smoothed() needs the labelled rows of a ScoreTable, got"):
        cs.Smoothed().flagging(model, np.array([0.5]))


def test_scores_by_bin_have_no_bounds() -> None:
    binned = cs.ScoreCounts.from_predictions([0, 1], [0.2, 0.7], binning=cs.Binning.uniform())
    with refused(cs.ConditionError, "better scores can move its thresholds"):
        cs.bounds(binned, metric=partial(cs.expected_loss, choice=cs.Smoothed()))


def test_rows_count_not_scores() -> None:
    # The scores of a forest: the more rows there are, the less far labels reach.
    y, s = rows(3000, 5)
    s = np.round(s, 1)
    once, often = until(y, s), until(np.tile(y, 30), np.tile(s, 30))
    own = cs.skew_from_cost(
        IsotonicRegression().fit(s, y).predict(np.unique(s)), prevalence=y.mean()
    )
    assert np.mean(np.abs(often - own)) < 0.5 * np.mean(np.abs(once - own))


def test_weights_count_by_their_effective_number_of_rows() -> None:
    y, s = rows(200, 6)
    # Half of each class has no weight but for a trace.
    weight = np.where(np.arange(200) % 2, 1.0, 1e-12)
    np.testing.assert_allclose(
        until(y, s, sample_weight=7 * weight)[s[np.argsort(s)].searchsorted(np.sort(s[1::2]))],
        until(y[1::2], s[1::2]),
        atol=1e-6,
    )


@pytest.mark.parametrize("place", [0, 3, 400, 799, 800])
def test_one_row_of_a_class_has_finite_and_ascending_probabilities(place: int) -> None:
    y = np.arange(801) == place
    found = until(y, np.arange(801.0))
    assert np.all(np.diff(found) >= 0)
    assert np.all((found >= 0) & (found <= 1))
    # Nothing above the row is worth less than the average, nothing below it more.
    assert found[0] < 0.53
    assert found[-1] > 0.47
    np.testing.assert_allclose(found, 1 - until(~y, -np.arange(801.0))[::-1], atol=1e-9)


@pytest.mark.parametrize("wrong", [0, 1, 3])
def test_the_thresholds_of_classes_well_apart_are_in_their_gap(wrong: int) -> None:
    generator = np.random.default_rng(8)
    y = np.arange(400) >= 300
    s = np.where(y, generator.normal(9, 1, 400), generator.normal(0, 1, 400))
    s[:wrong] = 9
    table = cs.ScoreTable.from_predictions(y, s)
    for cost in (0.05, 0.3, 0.5, 0.7, 0.95):
        curve = cs.loss_curve(table, choice=cs.Smoothed())
        assert curve(cost) <= cs.loss_curve(table, choice=cs.Optimal())(cost) + 0.02


def test_cells_of_scores_change_little(monkeypatch: pytest.MonkeyPatch) -> None:
    y, s = rows(20_000, 7)
    in_cells = until(y, s)
    monkeypatch.setattr("costspace.choices.smoothed._CELLS", 10**6)
    assert np.max(np.abs(until(y, s) - in_cells)) < 0.02
    assert np.mean(np.abs(until(y, s) - in_cells)) < 0.002


def test_one_step_is_near_the_intercept_of_most_local_likelihood() -> None:
    for seed in range(5):
        y, s = rows(400, seed)
        y, v = y[np.argsort(s)], norm.ppf((np.arange(400) + 0.5) / 400)
        line = LogisticRegression(C=100, tol=1e-12, max_iter=10_000).fit(v[:, None], y)
        eta = line.decision_function(v[:, None])
        near = np.exp(-np.abs(v[:, None] - v) / (400**-0.2 / 2))
        low, high = np.full(400, -20.0), np.full(400, 20.0)
        for _ in range(60):
            middle = (low + high) / 2
            less = np.sum(near * expit(eta + middle[:, None]), axis=1) < near @ y
            low, high = np.where(less, middle, low), np.where(less, high, middle)
        most = expit(eta + low)
        assert np.max(np.abs(most - by_scikit_learn(y, np.arange(400.0)))) < 0.02

"""Smoothed thresholds, learnt from labels: against scikit-learn, at extremes, on new rows."""

import numpy as np
import pytest
from refusals import refused
from scipy.stats import norm, rankdata
from sklearn.covariance import EmpiricalCovariance
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.isotonic import IsotonicRegression
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


class Widened(EmpiricalCovariance):
    """The variance within a class plus 1 / n of all rows, for scikit-learn."""

    rows = 0

    def fit(self, X: np.ndarray, y: object = None) -> "Widened":
        super().fit(X)
        self.covariance_ = self.covariance_ + 1 / Widened.rows
        return self


def by_scikit_learn(y: np.ndarray, s: np.ndarray) -> np.ndarray:
    """The smoothed probability at each score, in ascending order, before it is made to ascend."""
    y, v = y[np.argsort(s)], norm.ppf((np.arange(1, len(s) + 1) - 0.5) / len(s))[:, None]
    Widened.rows = len(s)
    line = LinearDiscriminantAnalysis(solver="lsqr", covariance_estimator=Widened()).fit(v, y)
    near = {"kernel": "exponential", "bandwidth": len(s) ** -0.2 / 2}
    of_class = [
        np.sum(y == k) * np.exp(KernelDensity(**near).fit(v[y == k]).score_samples(v))
        for k in (0, 1)
    ]
    rarer = min(np.sum(y == 0), np.sum(y == 1))
    local = rarer / (rarer + 10)
    mean = of_class[1] / (of_class[0] + of_class[1])
    return local * mean + (1 - local) * line.predict_proba(v)[:, 1]


@pytest.mark.parametrize(("n", "share"), [(9, 0.5), (40, 0.1), (300, 0.3)])
def test_the_parts_are_those_of_scikit_learn(n: int, share: float) -> None:
    y, s = rows(n, 2, share)
    p = IsotonicRegression().fit_transform(np.arange(n), by_scikit_learn(y, s))
    np.testing.assert_allclose(until(y, s), cs.skew_from_cost(p, y.mean()), atol=1e-9)


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
    binned = cs.BinnedScores.from_predictions([0, 1], [0.2, 0.7])
    with refused(cs.ConditionError, "better scores can move its thresholds"):
        cs.bounds(binned, cs.expected_loss, choice=cs.Smoothed())

"""A threshold choice and a distribution of a user's own go through every verb."""

from functools import partial

import matplotlib.pyplot as plt
import numpy as np
import pytest
from foreign import Bare, LeastLoss, Parabola, RecallReached, Settings
from scipy import stats
from sklearn.linear_model import LogisticRegression

import costspace as cs
from costspace.choices.flagging import ConstantFlagging
from costspace.estimates.named import statistic_of
from costspace.plots import plot_cost_space
from costspace.sklearn import LossCurveDisplay, ThresholdChoiceClassifier

RNG = np.random.default_rng(8)
Y = (RNG.random(400) < 0.35).astype(int)
S = np.clip(0.35 + 0.3 * Y + 0.2 * RNG.standard_normal(400), 0, 1)
OTHER = np.clip(S + 0.1 * RNG.standard_normal(400), 0, 1)
TABLE = cs.ScoreTable.from_predictions(Y, S)
MODEL = cs.AnalyticScores(stats.beta(2, 4), stats.beta(4, 2), 0.3)
PARABOLA, KNOWN = Parabola(), cs.Beta(2, 2)
WEIGHT = 1.0 + np.arange(400) % 3


@pytest.mark.parametrize("source", [TABLE, TABLE.with_prevalence(0.1), MODEL])
def test_losses_of_a_users_choice_are_those_of_its_curve(source):
    curve = cs.loss_curve(source, choice=Settings())
    for costs in (cs.Uniform(), PARABOLA, cs.Beta(2, 3)):
        loss = cs.expected_loss(source, choice=Settings(), costs=costs)
        assert loss == pytest.approx(curve.expectation(costs), rel=1e-12)
    parts, c = cs.metrics.class_parts(source, choice=Settings()), np.linspace(0.01, 0.99, 23)
    np.testing.assert_allclose(parts.negatives(c) + parts.positives(c), curve(c), atol=1e-12)


def test_row_shares_of_a_users_choice_sum_to_its_loss():
    shares = cs.loss_shares(Y, S, choice=Settings(), costs=PARABOLA)
    assert shares.sum() == pytest.approx(cs.expected_loss(TABLE, choice=Settings(), costs=PARABOLA))


def test_a_users_choice_that_follows_no_sample_is_unchanged_by_fitting():
    on = cs.ScoreTable.from_predictions(Y[:100], S[:100])
    fitted = cs.Fitted(Settings(), on)
    assert cs.expected_loss(TABLE, choice=fitted) == pytest.approx(
        cs.expected_loss(TABLE, choice=Settings()), rel=1e-12
    )


def test_a_users_choice_works_in_a_noisy_condition():
    noisy = cs.NoisyCondition(Settings(), stats.norm(0, 1e-4))
    exact = cs.expected_loss(TABLE, choice=Settings())
    assert cs.expected_loss(TABLE, choice=noisy) == pytest.approx(exact, abs=1e-4)


def test_a_users_monotone_choice_has_bounds_on_binned_scores():
    bins = cs.ScoreCounts.from_predictions(Y, S, binning=cs.Binning.uniform(bins=16))
    assert cs.expected_loss(TABLE, choice=Settings()) in cs.bounds(
        bins, metric=partial(cs.expected_loss, choice=Settings())
    )
    with pytest.raises(cs.ConditionError, match="`monotone`"):
        cs.bounds(bins, metric=partial(cs.expected_loss, choice=Bare()))


@pytest.mark.parametrize("costs", [cs.Uniform(), PARABOLA, cs.Point(0.3)])
@pytest.mark.parametrize("axis", ["cost", "skew"])
def test_the_standard_error_of_a_users_choice_is_that_of_its_thresholds(costs, axis):
    found, fitted = (
        cs.estimate(Y, S, metric=partial(cs.expected_loss, choice=choice, costs=costs, axis=axis))
        for choice in (Settings(), cs.Fitted(Settings(), TABLE))
    )
    assert found.standard_error == pytest.approx(fitted.standard_error, rel=1e-12)
    assert found.estimate == pytest.approx(
        cs.expected_loss(TABLE, choice=Settings(), costs=costs, axis=axis)
    )


def test_a_users_least_loss_choice_has_the_estimates_and_bands_of_optimal():
    known, own = (
        cs.estimate(Y, S, metric=partial(cs.expected_loss, choice=choice))
        for choice in (cs.Optimal(), LeastLoss())
    )
    assert (own.estimate, own.low, own.high) == (known.estimate, known.low, known.high)
    bands = [
        cs.loss_band(Y, S, choice=choice, replicates=100) for choice in (cs.Optimal(), LeastLoss())
    ]
    for column, values in bands[0].columns().items():
        np.testing.assert_array_equal(values, bands[1].columns()[column])
    paths = [
        cs.threshold_path(TABLE, choice=choice).columns() for choice in (cs.Optimal(), LeastLoss())
    ]
    for column, values in paths[0].items():
        np.testing.assert_allclose(values, paths[1][column], rtol=1e-12)


def test_a_refusal_names_the_member_that_a_users_choice_lacks():
    with pytest.raises(cs.ConditionError, match=r"`follows`.*`influence`.*bootstrap"):
        cs.estimate(Y, S, metric=partial(cs.expected_loss, choice=Bare()))
    with pytest.raises(cs.ConditionError, match="`follows`"):
        cs.loss_band(Y, S, choice=Bare())
    resampled = cs.bootstrap(
        Y, S, metrics=statistic_of(cs.expected_loss, choice=Bare()), replicates=100, seed=0
    )
    closed = cs.estimate(Y, S, metric=partial(cs.expected_loss, choice=Settings()))
    assert resampled.columns()["standard_error"][0] == pytest.approx(closed.standard_error, rel=0.3)


def test_models_are_compared_under_a_users_choice():
    found = cs.compare(
        Y,
        {"a": S, "b": OTHER},
        metrics={"settings": statistic_of(cs.expected_loss, choice=Settings(), costs=PARABOLA)},
        sample_weight=WEIGHT,
    )
    a, b = (
        cs.expected_loss(Y, s, choice=Settings(), costs=PARABOLA, sample_weight=WEIGHT)
        for s in (S, OTHER)
    )
    assert found.columns()["difference"][0] == pytest.approx(a - b, abs=1e-12)


def test_curves_of_a_users_choice_have_bands():
    band = cs.loss_band(Y, S, choice=Settings(), simultaneous=False)
    fitted = cs.loss_band(Y, S, choice=cs.Fitted(Settings(), TABLE), simultaneous=False)
    for column, values in band.columns().items():
        np.testing.assert_allclose(values, fitted.columns()[column], atol=1e-12)
    own, known = (
        cs.difference_band(Y, {"a": S, "b": OTHER}, choice=choice, replicates=100).columns()
        for choice in (Settings(), cs.Fitted(Settings(), TABLE))
    )
    for column, values in own.items():
        np.testing.assert_allclose(values, known[column], atol=1e-12)


@pytest.mark.parametrize(
    "conditions",
    [
        cs.Deployment(1, 5, 0.3),
        cs.Deployment(1, (2, 20), 0.3),
        cs.Deployment(1, (2, 20), (0.1, 0.3)),
        cs.Deployment((1, 2), (2, 20), PARABOLA),
    ],
)
@pytest.mark.parametrize("choice", [Settings(), Bare(), LeastLoss()])
def test_a_users_choice_has_an_expected_cost(choice, conditions):
    known = {Settings: cs.Fitted(Settings(), TABLE), Bare: Settings(), LeastLoss: cs.Optimal()}
    found = cs.expected_money(TABLE, choice=choice, conditions=conditions)
    same = cs.expected_money(TABLE, choice=known[type(choice)], conditions=conditions)
    assert found == pytest.approx(same, rel=1e-8)


def test_a_users_choice_is_drawn():
    _, ax = plt.subplots()
    plot_cost_space({"own": cs.loss_curve(TABLE, choice=Settings())}, ax=ax)
    assert ax.lines
    LossCurveDisplay.from_predictions(Y, S, choices=[Settings(), cs.Optimal()])


def test_a_classifier_follows_a_users_choice():
    features = np.column_stack([S, OTHER])
    own = ThresholdChoiceClassifier(LogisticRegression(), choice=Settings(), cost_proportion=0.3)
    fitted = own.fit(features, Y)
    # The nearest setting to 0.3 is 0.2.
    flagged = fitted.estimator_.predict_proba(features)[:, 1] > 0.2
    np.testing.assert_array_equal(fitted.predict(features) == 1, flagged)


def test_a_users_distribution_gives_the_means_of_the_known_one():
    for table in (TABLE, MODEL):
        assert cs.h_measure(table, costs=PARABOLA) == pytest.approx(
            cs.h_measure(table, costs=KNOWN)
        )
        assert cs.voros(table, costs=PARABOLA) == pytest.approx(cs.voros(table, costs=KNOWN))
    assert PARABOLA.quantile(0.5) == pytest.approx(0.5)


@pytest.mark.parametrize(
    "choice", [cs.ScoreFixed(), cs.ScoreDriven(), cs.RateDriven(), cs.RateUniform(), cs.Optimal()]
)
def test_losses_under_a_users_distribution_have_standard_errors(choice):
    own, known = (
        cs.estimate(Y, S, metric=partial(cs.expected_loss, choice=choice, costs=costs))
        for costs in (PARABOLA, KNOWN)
    )
    assert own.estimate == pytest.approx(known.estimate, rel=1e-9)
    assert own.standard_error == pytest.approx(known.standard_error, rel=1e-9)


@pytest.mark.parametrize(
    "build",
    [
        lambda costs: cs.Truncated(costs, 0.2, 0.7),
        lambda costs: cs.Mixture([costs, cs.Point(0.5)], [3, 1]),
    ],
)
def test_distributions_are_built_of_a_users_distribution(build):
    own, known = (
        cs.expected_loss(TABLE, choice=cs.Optimal(), costs=build(costs))
        for costs in (PARABOLA, KNOWN)
    )
    assert own == pytest.approx(known, rel=1e-9)


def test_a_users_distribution_can_be_a_prevalence():
    for choice in (cs.Optimal(), cs.ScoreDriven(), cs.RateDriven(), cs.RateFixed(0.2)):
        own, known = (
            cs.expected_money(
                TABLE, choice=choice, conditions=cs.Deployment((1, 2), (5, 50), prevalence)
            )
            for prevalence in (PARABOLA, KNOWN)
        )
        assert own == pytest.approx(known, rel=1e-9)


def test_evaluations_take_a_users_distribution():
    own, known = (cs.evaluate(Y, {"m": S}, costs=costs) for costs in (PARABOLA, KNOWN))
    for axis, losses in own.models["m"].expected_loss.items():
        for name, loss in losses.items():
            assert loss == pytest.approx(known.models["m"].expected_loss[axis][name], rel=1e-9)


@pytest.mark.parametrize("positives", [True, False])
@pytest.mark.parametrize("ties", [True, False])
def test_what_a_noisy_condition_costs_is_the_sum_of_its_row_shares(positives, ties):
    # A block of tied scores is a jump of what a class's own rate looks up.
    scores = np.round(S, 1) if ties else S
    noisy = cs.NoisyCondition(RecallReached(positives), stats.norm(0, 0.1))
    loss = cs.expected_loss(Y[:150], scores[:150], choice=noisy)
    shares = cs.loss_shares(Y[:150], scores[:150], choice=noisy)
    assert shares.sum() == pytest.approx(loss, abs=1e-8)


def test_a_loss_that_jumps_with_the_prevalence_has_no_slope():
    class Common(Bare):
        """It flags what scores above the share of negatives."""

        follows = "prevalence"

        def path(self, source):
            point = source.by_score.at(1 - source.prevalence)
            return cs.OperatingPath.constant(point.fpr, point.fnr, source.prevalence)

        def flagging(self, source, scores):
            return ConstantFlagging((scores > 1 - source.prevalence).astype(float))

    y = np.repeat([0, 1], [65, 35])
    s = np.where(np.arange(100) % 25 == 0, 0.65, np.linspace(0, 1, 100))
    with pytest.raises(cs.ConditionError, match="jumps with the prevalence"):
        cs.estimate(y, s, metric=partial(cs.expected_loss, choice=Common()))
    fixed = cs.estimate(y, s, metric=partial(cs.expected_loss, choice=Common()), prevalence=0.35)
    assert 0 < fixed.standard_error < 0.2

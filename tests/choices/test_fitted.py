"""Thresholds chosen on one sample and applied to another: by hand, conventions, bad input."""

from typing import Any

import numpy as np
import pytest
from foreign import Bare, Known
from refusals import refused
from scipy import stats

import costspace as cs
from costspace import ConditionError, Fitted, SourceError

INF = float("inf")
TRAIN = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
CHOICES = [
    cs.ScoreFixed(),
    cs.ScoreUniform(),
    cs.ScoreDriven(),
    cs.ScoreDriven(0.3),
    cs.RateFixed(0.3),
    cs.RateUniform(),
    cs.RateUniform(stepped=True),
    cs.RateDriven(),
    cs.RateDriven(stepped=True),
    cs.Optimal(),
]
each_choice = pytest.mark.parametrize("choice", CHOICES, ids=str)


def rates(choice: cs.ThresholdChoice, scores: Any, c: float) -> list[float]:
    """Share flagged of a negative at each score, when thresholds are chosen on TRAIN."""
    found = []
    for score in scores:
        # The positive far below all others makes a table and never moves a false positive rate.
        table = cs.ScoreTable.from_predictions([0, 1], [score, -1e9])
        curve = cs.metrics.class_parts(table, choice=Fitted(choice, TRAIN)).negatives
        found.append(curve(c) / c)
    return found


# --- Positions of thresholds ---------------------------------------------------------------------


def test_thresholds_are_in_the_middle_of_the_gaps() -> None:
    # The hull of TRAIN has corners below 0.4 and above 0.6.
    low, high = (0.1 + 0.4) / 2, (0.6 + 0.9) / 2
    scores = [-5, 0.1, low, np.nextafter(low, 1), 0.5, high, np.nextafter(high, 1), 0.9, 5]
    assert rates(cs.Optimal(), scores, 0.3) == [0, 0, 0, 1, 1, 1, 1, 1, 1]
    assert rates(cs.Optimal(), scores, 0.7) == [0, 0, 0, 0, 0, 0, 1, 1, 1]
    assert rates(cs.Optimal(), scores, 0.0001) == pytest.approx([0, 0, 0, 1, 1, 1, 1, 1, 1])
    assert rates(cs.Optimal(), scores, 0.9999) == [0, 0, 0, 0, 0, 0, 1, 1, 1]


def test_at_a_tie_fewer_are_flagged() -> None:
    assert rates(cs.Optimal(), [0.5], 0.5) == [0]
    assert rates(cs.Optimal(), [0.5], np.nextafter(0.5, 0)) == [1]


def test_a_split_block_takes_what_lies_between_its_middles() -> None:
    # A quarter of TRAIN each: the score 0.6 ceases to be flagged between c = 1/2 and 3/4.
    scores = [0.4, 0.5, np.nextafter(0.5, 1), 0.6, 0.75, np.nextafter(0.75, 1)]
    assert rates(cs.RateDriven(), scores, 0.6) == pytest.approx([0, 0, 0.6, 0.6, 0.6, 1])
    assert rates(cs.RateFixed(0.4), scores, 0.6) == pytest.approx([0, 0, 0.6, 0.6, 0.6, 1])
    assert rates(cs.RateUniform(), scores, 0.6) == pytest.approx(
        [3 / 8] * 2 + [5 / 8] * 3 + [7 / 8]
    )
    stepped = rates(cs.RateUniform(stepped=True), scores, 0.6)
    assert stepped == pytest.approx([2 / 5] * 2 + [3 / 5] * 3 + [4 / 5])


def test_nothing_is_interpolated_between_scores() -> None:
    between = np.linspace(0.2501, 0.4999, 21)
    for choice in CHOICES[4:]:
        assert len(set(rates(choice, between, 0.35))) == 1


def test_neighbouring_scores_have_a_threshold_between_them() -> None:
    low = 0.3
    high = np.nextafter(low, 1)
    train = cs.ScoreTable.from_predictions([0, 1], [low, high])
    for y, s, loss in (([0, 1], [low, high], 0), ([1, 0], [low, high], 0.5)):
        test = cs.ScoreTable.from_predictions(y, s)
        curve = cs.loss_curve(test, choice=Fitted(cs.Optimal(), train))
        assert curve(0.5) == pytest.approx(2 * loss)


def test_by_hand() -> None:
    # Optimal on TRAIN: above 0.25 while c < 1/2, then above 0.75.
    test = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0.2, 0.3, 0.8, 0.7])
    curve = cs.loss_curve(test, choice=Fitted(cs.Optimal(), TRAIN))
    c = np.array([0.0, 0.2, 0.49, 0.5, 0.7, 0.99])
    by_hand = np.where(c < 0.5, c * 0.5, c * 0.5 + (1 - c))
    np.testing.assert_allclose(curve(c), by_hand, atol=1e-15)
    assert curve.left(0.5) == pytest.approx(0.25)
    assert curve.expectation(cs.Uniform()) == pytest.approx(0.375)
    best = cs.loss_curve(test, choice=cs.Optimal())
    assert np.all(best(c) <= curve(c) + 1e-15)


def test_conditions_between_the_other_samples_scores_share_a_threshold() -> None:
    test = cs.ScoreTable.from_predictions([0, 1], [0.95, 0.99])
    assert cs.loss_curve(test, choice=Fitted(cs.Optimal(), TRAIN))(0.7) == pytest.approx(0.7)
    constant = cs.ScoreTable.from_predictions([0, 1], [5, 5])
    c = np.linspace(0, 1, 11)
    curve = cs.loss_curve(test, choice=Fitted(cs.Optimal(), constant))
    np.testing.assert_allclose(curve(c), np.minimum(c, 1 - c), atol=1e-15)


@each_choice
def test_infinite_scores(choice: cs.ThresholdChoice) -> None:
    if isinstance(choice, cs.ScoreDriven | cs.ScoreUniform | cs.ScoreFixed):
        return
    train = cs.ScoreTable.from_predictions([0, 0, 1, 1], [-INF, 0.6, 0.4, INF])
    finite = cs.ScoreTable.from_predictions([0, 0, 1, 1], [-1e308, 0.6, 0.4, 1e308])
    y, s = [0, 1, 0, 1, 1], [-INF, -5, 0.5, 7, INF]
    test = cs.ScoreTable.from_predictions(y, s)
    c = np.linspace(0, 1, 41)
    own = cs.loss_curve(train, choice=choice)
    np.testing.assert_allclose(cs.loss_curve(train, choice=Fitted(choice, train))(c), own(c))
    fitted = cs.loss_curve(test, choice=Fitted(choice, train))
    assert np.all(np.isfinite(fitted(c)))
    # A gap with an infinite end has its threshold at the finite score or, of two, at -inf.
    shares = cs.loss_shares(y, s, choice=Fitted(choice, train))
    assert shares.sum() == pytest.approx(fitted.expectation(cs.Uniform()))
    assert np.isfinite(cs.expected_loss(test, choice=Fitted(choice, finite)))


@each_choice
def test_single_precision(choice: cs.ThresholdChoice) -> None:
    generator = np.random.default_rng(0)
    y = np.resize([0, 1, 1, 0, 0], 40)
    train = generator.permutation(64)[:40] / 64
    for dtype in (np.float32, np.float64):
        table = cs.ScoreTable.from_predictions(y, train.astype(dtype))
        test = cs.ScoreTable.from_predictions(y, (train[::-1] + 1 / 256).astype(dtype))
        loss = cs.expected_loss(test, choice=Fitted(choice, table))
        if dtype is np.float32:
            single = loss
    assert single == pytest.approx(loss, abs=1e-15)


@each_choice
@pytest.mark.parametrize("weight", [1e-3, 1e3])
def test_weights_of_the_other_sample_change_no_threshold(
    choice: cs.ThresholdChoice, weight: float
) -> None:
    y, s, w = [0, 1, 0, 1], [0.2, 0.3, 0.8, 0.7], np.array([1, weight, weight, 1])
    fitted = Fitted(choice, TRAIN)
    table = cs.ScoreTable.from_predictions(y, s, sample_weight=w)
    repeated = [
        cs.ScoreTable.from_predictions([0, 1], [a, b]) for a in (0.2, 0.8) for b in (0.3, 0.7)
    ]
    share = np.array([1, weight]) / (1 + weight)
    # Of each class the rates are weighted means of those of single scores.
    c = np.linspace(0, 1, 21)
    parts = [cs.loss_curve(one, choice=fitted)(c) for one in repeated]
    mixed = np.outer(share, share[::-1]).ravel() @ np.array(parts)
    own = cs.loss_curve(table, choice=fitted)
    np.testing.assert_allclose(own(c), mixed, atol=1e-12)


def test_one_row_of_a_class() -> None:
    train = cs.ScoreTable.from_predictions([0] * 9 + [1], np.arange(10) / 10)
    test = cs.ScoreTable.from_predictions([1] * 9 + [0], np.arange(10) / 10)
    for choice in CHOICES:
        fitted = cs.loss_curve(test, choice=Fitted(choice, train))
        bound = cs.loss_curve(test, choice=cs.Optimal())
        c = np.linspace(0, 1, 51)
        assert np.all(fitted(c) >= bound(c) - 1e-12)


# --- Prevalence --------------------------------------------------------------------------------


@each_choice
def test_an_override_of_the_test_sample_reweights_the_fit(choice: cs.ThresholdChoice) -> None:
    test = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0.2, 0.3, 0.8, 0.7])
    c = np.linspace(0, 1, 31)
    for prevalence in (0.1, 0.9):
        one = cs.loss_curve(test, choice=Fitted(choice, TRAIN), prevalence=prevalence)
        again = cs.loss_curve(
            test.with_prevalence(prevalence),
            choice=Fitted(choice, TRAIN.with_prevalence(prevalence)),
        )
        np.testing.assert_array_equal(one(c), again(c))
    on_skew = cs.loss_curve(test, choice=Fitted(choice, TRAIN), axis="skew")
    balanced = Fitted(choice, TRAIN.with_prevalence(0.5))
    again = cs.loss_curve(test.with_prevalence(0.5), choice=balanced)
    np.testing.assert_array_equal(on_skew(c), again(c))


def test_optimal_thresholds_move_with_the_prevalence() -> None:
    test = cs.ScoreTable.from_predictions([0, 1], [0.5, 0.55])
    fitted = Fitted(cs.Optimal(), TRAIN)
    # The middle block of TRAIN ceases to be flagged at skew 1/2, which is c = pi1.
    for prevalence in (0.1, 0.5, 0.8):
        curve = cs.loss_curve(test, choice=fitted, prevalence=prevalence)
        assert prevalence in np.round(curve.breaks, 12)


# --- Values and bad input ------------------------------------------------------------------------


def test_a_fitted_choice_is_a_value() -> None:
    fitted = Fitted(cs.Optimal(), TRAIN)
    assert fitted.choice == cs.Optimal()
    assert fitted.on is TRAIN
    assert repr(fitted).startswith("Fitted(choice=Optimal(), on=ScoreTable(2 negatives, 2 pos")


@pytest.mark.parametrize("bad", [cs.Optimal, "optimal", None, 3, TRAIN], ids=str)
def test_an_argument_that_is_not_a_choice_is_refused(bad: Any) -> None:
    with refused(
        ConditionError,
        "Fitted needs a threshold choice method such as Optimal() or ScoreDriven(), got ",
    ):
        Fitted(bad, TRAIN)


@pytest.mark.parametrize("bad", [None, 3, [0.1, 0.2], cs.Optimal(), cs.ScoreTable], ids=str)
def test_an_argument_that_is_not_a_source_is_refused(bad: Any) -> None:
    with refused(SourceError, "Fitted needs a score source to choose thresholds on, got "):
        Fitted(cs.Optimal(), bad)


def test_ties_and_scores_that_the_choice_refuses_are_refused_in_the_fit() -> None:
    tied = cs.ScoreTable.from_predictions([0, 1, 1], [0.2, 0.2, 0.4])
    for choice in (cs.RateDriven(stepped=True), cs.RateUniform(stepped=True)):
        with refused(SourceError, "needs distinct scores of equal weight, and this table has ties"):
            cs.loss_curve(TRAIN, choice=Fitted(choice, tied))
        assert cs.expected_loss(tied, choice=Fitted(choice, TRAIN)) >= 0
    wild = cs.ScoreTable.from_predictions([0, 1], [-3, 0.7])
    with refused(cs.ScoreError, "the score-driven choice needs scores in [0, 1]"):
        cs.loss_curve(wild, choice=Fitted(cs.ScoreDriven(), TRAIN))
    with refused(cs.ScoreError, "the score-driven choice needs scores in [0, 1]"):
        cs.loss_curve(TRAIN, choice=Fitted(cs.ScoreDriven(), wild))


# --- Other sources -----------------------------------------------------------------------------

C = np.linspace(0, 1, 41)
MODEL = cs.AnalyticScores(stats.beta(2, 4), stats.beta(4, 2), 0.3)
BY_RANK = [
    *(cs.Optimal(), cs.RateFixed(0.3), cs.RateUniform(), cs.RateDriven()),
    *(cs.RateDriven(stepped=True), cs.NoisyCondition(cs.Optimal(), stats.norm(0, 0.1))),
]


@pytest.mark.parametrize("axis", ["cost", "skew"])
@pytest.mark.parametrize("choice", BY_RANK, ids=[*map(str, range(len(BY_RANK)))])
def test_densities_are_flagged_by_stretches_between_middles(choice, axis) -> None:
    # Of each stretch the model's shares stand at the score that it is around.
    scores, middles = np.array([0.1, 0.4, 0.6, 0.9]), [0, 0.25, 0.5, 0.75, 1]
    shares = [np.diff(law.cdf(middles)) for law in (stats.beta(2, 4), stats.beta(4, 2))]
    same = cs.ScoreTable.from_predictions(
        [0] * 4 + [1] * 4, [*scores, *scores], sample_weight=np.concatenate(shares)
    ).with_prevalence(0.3)
    fitted = Fitted(choice, TRAIN)
    expected = cs.loss_curve(same, choice=fitted, axis=axis)
    found = cs.loss_curve(MODEL, choice=fitted, axis=axis)
    np.testing.assert_allclose(found(C), expected(C), atol=1e-12)
    np.testing.assert_allclose(found.left(C), expected.left(C), atol=1e-12)
    once = cs.expected_loss(MODEL, choice=fitted, axis=axis, costs=cs.Beta(2, 3))
    assert once == pytest.approx(found.expectation(cs.Beta(2, 3)), abs=1e-12)


@pytest.mark.parametrize("axis", ["cost", "skew"])
@pytest.mark.parametrize("on", [TRAIN, MODEL.with_prevalence(0.8)], ids=["table", "densities"])
@pytest.mark.parametrize(
    "choice",
    [cs.ScoreFixed(0.3), cs.ScoreUniform(), cs.ScoreDriven(), cs.ScoreDriven(calibrated_to=0.2)],
    ids=str,
)
def test_thresholds_that_follow_no_scores_are_the_same_on_densities(choice, on, axis) -> None:
    fitted = cs.loss_curve(MODEL, choice=Fitted(choice, on), axis=axis)
    np.testing.assert_array_equal(fitted(C), cs.loss_curve(MODEL, choice=choice, axis=axis)(C))


@each_choice
def test_a_source_of_finitely_many_scores_is_as_good_as_its_table(choice) -> None:
    scores = [0.2, 0.5, 0.7]
    known = Known(scores, [0.5, 0.25, 0.25], [0.25, 0.25, 0.5], 0.3)
    same = cs.ScoreTable.from_predictions(
        [0, 0, 0, 1, 1, 1], scores * 2, sample_weight=[2, 1, 1, 1, 1, 2]
    ).with_prevalence(0.3)
    on = Known([0.1, 0.4, 0.6, 0.9], [0.5, 0, 0.5, 0], [0, 0.5, 0, 0.5], 0.5)
    expected = cs.loss_curve(same, choice=Fitted(choice, TRAIN))
    cases = [(known, Fitted(choice, TRAIN)), (same, Fitted(choice, on))]
    # Stepped choices need the rows of a table.
    for source, fitted in cases[: 1 if "stepped=True" in str(choice) else 2]:
        curve = cs.loss_curve(source, choice=fitted)
        np.testing.assert_allclose(curve(C), expected(C), atol=1e-12)


@pytest.mark.parametrize(
    ("fitted", "words"),
    [
        (Fitted(cs.Optimal(), MODEL), "Optimal(), chosen on densities, can be applied to finitely"),
        (Fitted(Bare(), TRAIN), "more of the scores than their order (`follows`, `by_rank`)"),
    ],
)
def test_densities_it_cannot_be_applied_to(fitted, words) -> None:
    with refused(SourceError, words):
        cs.loss_curve(MODEL, choice=fitted)


def test_fitted_twice_and_applied_to_densities() -> None:
    once = Fitted(cs.Optimal(), TRAIN)
    twice = cs.loss_curve(MODEL, choice=Fitted(once, MODEL))
    np.testing.assert_array_equal(twice(C), cs.loss_curve(MODEL, choice=once)(C))

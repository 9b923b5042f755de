"""Held-out paths against decisions counted row by row."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from two_models import sample

import costspace as cs
from costspace import ConditionError, LabelError, ScoreError, SourceError
from costspace.decision.held_out.scores import fitted, pooled
from costspace.decision.money.costed import CostedScores

CHOICES = {
    "score_fixed": cs.ScoreFixed(0.4),
    "score_driven": cs.ScoreDriven(calibrated_to=0.3),
    "score_driven_uncorrected": cs.ScoreDriven(),
    "rate_driven": cs.RateDriven(),
    "optimal": cs.Optimal(),
}


def counted(
    held_out: cs.decision.HeldOutRows,
    model: str,
    choice: cs.ThresholdChoice,
    prevalence: float,
    c: np.ndarray,
) -> np.ndarray:
    """FPR and FNR at each condition, row by row: each row flagged by its fold's thresholds."""
    rows = held_out.rows
    mistake = np.ones(len(rows)) if rows.weight is None else rows.weight
    if rows.costs is not None:
        mistake = mistake * np.where(rows.positive, rows.costs.net_fn_cost, rows.costs.net_fp_cost)
    flagged = np.zeros((len(rows), len(c)))
    for k in range(held_out.folds[0].max() + 1):
        test = held_out.folds[0] == k
        train = CostedScores.from_rows(rows.take(~test), model).with_prevalence(prevalence)
        on = train.costs if isinstance(choice, cs.Optimal) else train.rows
        for j, condition in enumerate(c):
            point = cs.Point(float(condition))
            exposure = choice.exposure(on, rows.scores[model][test], point)
            flagged[test, j] = exposure.as_negative / condition
    negative, positive = mistake * ~rows.positive, mistake * rows.positive
    return np.stack(
        [negative @ flagged / negative.sum(), positive @ (1 - flagged) / positive.sum()]
    )


@settings(max_examples=16, deadline=None)
@given(
    st.integers(12, 60),
    st.integers(0, 10**6),
    st.sampled_from(list(CHOICES)),
    st.sampled_from([0.5, 0.3, 0.02]),
    st.booleans(),
    st.booleans(),
)
def test_the_pooled_path_is_that_of_decisions_counted_row_by_row(
    n: int, seed: int, name: str, prevalence: float, weighted: bool, costly: bool
) -> None:
    held_out = cs.hold_out(sample(n, seed, weighted=weighted, costly=costly), folds=3)
    choice = CHOICES[name]
    path = held_out.of("a").path(choice, prevalence)
    assert path.prevalence == prevalence
    # Away from the breaks, where rounding would decide.
    c = np.random.default_rng(seed).uniform(0.001, 0.999, 40)
    near = np.abs(c[:, None] - path.breaks).min(axis=1)
    c = c[near > 1e-9]
    fpr, fnr = counted(held_out, "a", choice, prevalence, c)
    np.testing.assert_allclose(
        path.loss()(c), cs.condition.loss_at(fpr, fnr, c=c, prevalence=prevalence), atol=1e-12
    )


def test_folds_spread_both_classes_evenly() -> None:
    rows = sample(503, 1)
    held_out = cs.hold_out(rows)
    assert str(held_out) == "5 cross-validation folds"
    for side in (rows.positive, ~rows.positive):
        sizes = np.bincount(held_out.folds[0][side])
        assert len(sizes) == 5
        assert np.ptp(sizes) <= 1
    np.testing.assert_array_equal(held_out.folds[0], cs.hold_out(rows).folds[0])
    # Not in the order of the rows, in which labels may be sorted by time.
    assert len(np.unique(np.diff(held_out.folds[0][rows.positive]))) > 2
    splits = held_out.of("a").splits
    assert sum(split.test.rows.negatives.rows for split in splits) == (~rows.positive).sum()
    for split in splits:
        assert split.train.rows.positives.rows + split.test.rows.positives.rows == (
            rows.positive.sum()
        )


def test_folds_of_groups_say_how_many_there_are() -> None:
    y, s = np.arange(3000) % 3 == 0, np.linspace(0, 1, 3000)
    groups = np.repeat([f"patient {i}" for i in range(1500)], 2)
    rows = cs.ScoredRows.from_predictions(y, {"m": s}, groups=groups)
    assert str(cs.hold_out(rows)) == "5 cross-validation folds of 1,500 groups"


def test_rows_may_be_cut_into_folds_anew() -> None:
    rows = sample(43, 1)
    held_out = cs.hold_out(rows, repeats=3)
    assert str(held_out) == "5 cross-validation folds, 3 times"
    assert len(held_out.folds) == 3
    np.testing.assert_array_equal(held_out.folds[0], cs.hold_out(rows).folds[0])
    for one, other in itertools.combinations(held_out.folds, 2):
        assert np.any(one != other)
        for side in (rows.positive, ~rows.positive):
            assert np.ptp(np.bincount(other[side])) <= 1
    assert len(held_out.judged.parts) == len(held_out.of("a").splits) == 15
    for k, part in enumerate(held_out.judged.parts):
        np.testing.assert_array_equal(part, np.flatnonzero(held_out.folds[k // 5] == k % 5))
        np.testing.assert_array_equal(held_out.judged_part(k).positive, rows.positive[part])
        assert len(held_out.training(k)) == 43 - len(part)
    # What is said of a row counts on average over the times that it is held out.
    once = held_out.judged.joined(lambda k: np.full(len(held_out.judged.parts[k]), float(k // 5)))
    np.testing.assert_allclose(once, 1.0)


@pytest.mark.parametrize(("rows", "times"), [(40, 10), (250, 8), (1001, 1), (3000, 1)])
def test_few_rows_are_cut_more_often(rows: int, times: int) -> None:
    known = cs.Deployment(1, 5, 0.3)
    decision = cs.decide(sample(rows, 2), conditions=known, choices=[cs.ScoreFixed()])
    assert len(decision.task.held_out.folds) == times


def test_fewer_folds_for_a_rare_class() -> None:
    y = np.repeat([0, 1], [50, 3])
    held_out = cs.hold_out(cs.ScoredRows.from_predictions(y, {"m": np.linspace(0, 1, 53)}))
    assert str(held_out) == "3 cross-validation folds"
    assert sorted(held_out.folds[0][y == 1]) == [0, 1, 2]


def test_no_more_folds_than_rows_or_groups_that_count() -> None:
    y, s = np.tile([0, 1], 10), {"m": np.linspace(0, 1, 20)}
    weight, groups = np.repeat([1.0, 0.0], [16, 4]), np.arange(20) // 2
    for more, what, units in (
        ({}, "rows", 20),
        ({"sample_weight": weight}, "rows", 16),
        ({"groups": groups}, "groups", 10),
        ({"groups": groups, "sample_weight": weight}, "groups", 8),
    ):
        rows = cs.ScoredRows.from_predictions(y, s, **more)
        assert cs.hold_out(rows, folds=units).folds[0].max() > 0
        text = f"is {units + 1}, and there are {units} {what} to divide: give {units} or fewer"
        with refused(ConditionError, text):
            cs.hold_out(rows, folds=units + 1)
    # So many are usual that nobody need have asked for them.
    few = cs.ScoredRows.from_predictions([0, 0, 1, 1], {"m": [1, 2, 3, 4]})
    assert str(cs.hold_out(few, folds=5)) == "2 cross-validation folds"


def test_rows_of_weight_zero_make_no_fold() -> None:
    y = np.repeat([0, 1], [50, 6])
    weight = np.ones(56)
    weight[[50, 51, 52, 54]] = 0
    rows = cs.ScoredRows.from_predictions(y, {"m": np.linspace(0, 1, 56)}, sample_weight=weight)
    held_out = cs.hold_out(rows)
    assert str(held_out) == "2 cross-validation folds"
    assert {held_out.folds[0][53], held_out.folds[0][55]} == {0, 1}
    assert held_out.of("m").path(cs.Optimal(), 0.5).loss()(0.5) >= 0


@pytest.mark.parametrize("name", CHOICES)
def test_choices_that_learn_nothing_cost_the_same_held_out(name: str) -> None:
    rows = sample(80, 3, weighted=True)
    path = cs.hold_out(rows).of("a").path(CHOICES[name], 0.3)
    table = cs.ScoreTable.from_rows(rows, "a").with_prevalence(0.3)
    c = np.linspace(0.003, 0.997, 201)
    own = CHOICES[name].path(table).loss()(c)
    if name.startswith("score"):
        np.testing.assert_allclose(path.loss()(c), own, atol=1e-13)
    else:
        assert np.abs(path.loss()(c) - own).max() > 1e-3


def test_validation_rows() -> None:
    rows, others = sample(60, 4), sample(90, 5)
    held_out = cs.hold_out(rows, validation=others)
    assert str(held_out) == "validation rows"
    train, test = (cs.ScoreTable.from_rows(r, "b").with_prevalence(0.1) for r in (rows, others))
    expected = cs.Fitted(cs.Optimal(), train).path(test).loss()
    path = held_out.of("b").path(cs.Optimal(), 0.1)
    c = np.linspace(0, 1, 301)
    np.testing.assert_array_equal(path.loss()(c), expected(c))
    assert path.start is path.end


def test_a_function_can_choose_the_path() -> None:
    held_out = cs.hold_out(sample(60, 6)).of("a")
    seen = []

    def best_single(train: CostedScores, test: CostedScores) -> cs.OperatingPath:
        seen.append((train.prevalence, test.prevalence))
        point = train.costs.by_skew.at(0.4)
        return cs.OperatingPath.constant(point.fpr, point.fnr, test.prevalence)

    path = held_out.path(best_single, 0.25)
    assert seen == [(0.25, 0.25)] * 5
    assert len(path.start.fpr) == 1
    for choice in CHOICES.values():
        ours, same = held_out.path(choice, 0.25), held_out.path(fitted(choice), 0.25)
        np.testing.assert_array_equal(ours.start.fpr, same.start.fpr)


def test_the_left_limit_at_0_and_the_value_at_1_are_kept() -> None:
    # Scores of 0 and 1 switch at the very ends.
    y, s = [0, 0, 0, 1, 1, 1] * 2, [0.0, 0.3, 1.0, 0.0, 0.6, 1.0] * 2
    rows = cs.ScoredRows.from_predictions(y, {"m": s})
    pooled_curve = cs.hold_out(rows).of("m").path(cs.ScoreDriven(), 0.5).loss()
    own = cs.loss_curve(y, s, choice=cs.ScoreDriven())
    for at in (0.0, 1.0):
        assert pooled_curve(at) == pytest.approx(own(at), abs=1e-15)
        assert pooled_curve.left(at) == pytest.approx(own.left(at), abs=1e-15)


def test_pooling_constant_points_is_exact() -> None:
    nobody = cs.OperatingPath.constant(0.0, 1.0, 0.2)
    path = pooled([nobody] * 3, [0.1, 0.2, 0.3], [1.7, 2.3, 0.9])
    assert path.start.fpr.tolist() == [0]
    assert path.start.fnr.tolist() == [1]


def test_bad_input() -> None:
    rows = sample(40, 7)
    for bad, text in (
        (1, "folds must be a whole number, at least 2, got 1."),
        (2.5, "folds must be a whole number, at least 2, got 2.5."),
        ("two", "folds must be a whole number, at least 2, got 'two'."),
    ):
        with refused(ConditionError, text):
            cs.hold_out(rows, folds=bad)  # type: ignore[arg-type]
    with refused(ConditionError, "repeats must be a whole number, at least 1, got 0."):
        cs.hold_out(rows, repeats=0)
    one = cs.ScoredRows.from_predictions([0, 0, 1], {"m": [0.1, 0.2, 0.3]})
    with refused(LabelError, "cross-validation needs 2 rows of each class, got a class of 1: give"):
        cs.hold_out(one)
    with refused(ScoreError, "there are no scores of 'c': there are those of 'a', 'b'."):
        cs.hold_out(rows).of("c")
    only_a = cs.ScoredRows.from_predictions([0, 1], {"a": [0.1, 0.2]})
    with refused(ScoreError, "there are no scores of 'b': there are those of 'a'."):
        cs.hold_out(rows, validation=only_a).of("b")
    costly = sample(40, 8, costly=True)
    with refused(ConditionError, "the validation rows have no costs of their own"):
        cs.hold_out(costly, validation=rows)
    with refused(ConditionError, "the rows have no costs"):
        cs.hold_out(rows, validation=costly)
    with refused(SourceError, "held-out decisions need paths with breakpoints"):
        cs.hold_out(rows).of("a").path(
            lambda train, test: cs.ScoreDriven().path(
                cs.AnalyticScores(lambda x: 2 * (1 - x), lambda x: 4 * x**3, 0.5)
            ),
            0.5,
        )

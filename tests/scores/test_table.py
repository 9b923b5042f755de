"""The empirical source: its look-ups, addition and reweighting."""

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace import SourceError

Y = [0, 0, 1, 1]
S = [0.1, 0.6, 0.4, 0.9]
TIED_Y = [0, 1, 0, 1, 1, 0]
TIED_S = [0.0, 0.0, 0.5, 0.5, 1.0, 1.0]


def table(y: object = Y, s: object = S, **kwargs: object) -> cs.ScoreTable:
    return cs.ScoreTable.from_predictions(y, s, **kwargs)


def test_repr() -> None:
    t = table(TIED_Y, TIED_S)
    assert repr(t) == "ScoreTable(3 negatives, 3 positives)"
    assert repr(t.with_prevalence(0.01)) == "ScoreTable(3 negatives, 3 positives, prevalence 0.01)"
    weighted = table([0, 0, 1], [1, 2, 3], sample_weight=[1, 0, 5])
    assert repr(weighted) == "ScoreTable(2 negatives, 1 positives, weighted)"
    both = weighted.with_prevalence(0.5) + weighted.with_prevalence(0.5)
    assert repr(both) == "ScoreTable(4 negatives, 2 positives, weighted, prevalence 0.5)"


def test_a_threshold_flags_what_is_above() -> None:
    points = table(TIED_Y, TIED_S).by_score.at([-1, 0, 0.5, 1])
    assert points.fpr.tolist() == pytest.approx([1, 2 / 3, 1 / 3, 0])
    assert points.fnr.tolist() == pytest.approx([0, 1 / 3, 2 / 3, 1])
    inclusive = table(TIED_Y, TIED_S).by_score.at([0, 0.5, 1, 2], most=True)
    assert inclusive.fpr.tolist() == points.fpr.tolist()
    assert inclusive.fnr.tolist() == points.fnr.tolist()


def test_float32_scores_are_the_decimals_that_they_print_as() -> None:
    t = table([0, 1], np.float32([0.1, 0.2]))
    for tenth in (0.1, np.float32(0.1)):
        assert t.by_score.at(tenth).fpr == 0
        assert t.by_score.at(tenth, most=True).fpr == 1
    assert t.by_score.at(np.nextafter(0.1, 0)).fpr == 1
    assert t.by_score.at(np.nextafter(0.1, 1), most=True).fpr == 0
    assert t.by_score.at(1e300).fnr == 1
    assert t.by_score.at(-1e300).fnr == 0


def test_score_breaks_are_the_distinct_scores() -> None:
    t = table(TIED_Y, TIED_S)
    assert t.by_score.breaks.tolist() == [0, 0.5, 1]
    assert t.score_range == (0, 1)
    signed = table([0, 1], [-0.0, 0.0])
    assert len(signed.by_score.breaks) == 1
    assert signed.auc == 0.5


def test_shares_flagged_run_along_the_roc_curve() -> None:
    t = table()
    shares = t.by_flagged.breaks
    assert shares.tolist() == [0, 0.25, 0.5, 0.75, 1]
    points = t.by_flagged.at(shares)
    assert points.fpr.tolist() == t.by_flagged.corners.fpr.tolist() == [0, 0, 0.5, 0.5, 1]
    assert points.fnr.tolist() == t.by_flagged.corners.fnr.tolist() == [1, 0.5, 0.5, 0, 0]
    between = t.by_flagged.at((shares[1:] + shares[:-1]) / 2)
    assert between.fpr.tolist() == [0, 0.25, 0.5, 0.75]
    assert t.not_flagged.tolist() == [0, 0.25, 0.5, 0.75, 1]
    assert t.with_prevalence(0.2).not_flagged.tolist() == pytest.approx([0, 0.4, 0.5, 0.9, 1])


def test_a_share_of_one_class_jumps_where_only_the_other_has_scores() -> None:
    t = table()
    assert t.by_tpr.breaks.tolist() == [0, 0.5, 0.5, 1, 1]
    recall = [0, 0.25, 0.5, 0.75, 1]
    assert t.by_tpr.at(recall).fpr.tolist() == [0, 0, 0, 0.5, 0.5]
    assert t.by_tpr.at(recall, most=True).fpr.tolist() == [0, 0, 0.5, 0.5, 1]
    assert t.by_tpr.at(recall).fnr.tolist() == [1, 0.75, 0.5, 0.25, 0]
    assert t.by_fpr.at(recall).fnr.tolist() == [1, 0.5, 0.5, 0, 0]
    assert t.by_fpr.at(recall, most=True).fnr.tolist() == [0.5, 0.5, 0, 0, 0]
    tied = table(TIED_Y, TIED_S)
    assert tied.by_tpr.at([1 / 3, 0.5]).fpr.tolist() == pytest.approx([1 / 3, 0.5])
    # A share of a class is its count over the total, to the last digit.
    many = table([0] * 30 + [1] * 30, [0.5] * 30 + [0.2] * 3 + [0.8] * 27)
    assert many.by_tpr.at([0.9, 2 / 3], most=True).fpr.tolist() == [1, 0]


def test_a_skew_takes_the_corner_that_flags_fewer_at_a_tie() -> None:
    t = table()
    assert t.by_skew.breaks.tolist() == [0, 0.5, 1]
    points = t.by_skew.at([0, 0.4, 0.5, 0.6, 1])
    assert points.fpr.tolist() == [0.5, 0.5, 0, 0, 0]
    assert points.fnr.tolist() == [0, 0, 0.5, 0.5, 1]
    assert t.skew_at_score(np.array(S)).tolist() == [0, 0.5, 0.5, 1]


def test_prevalence_is_weighted_and_overridden() -> None:
    t = table(sample_weight=[1, 1, 3, 3])
    assert t.prevalence == 0.75
    assert t.with_prevalence(0.01).prevalence == 0.01
    assert t.with_prevalence(0.01).with_prevalence(0.2).prevalence == 0.2
    assert t.prevalence == 0.75


def test_addition_is_the_table_of_all_rows() -> None:
    generator = np.random.default_rng(0)
    y, s, w = generator.integers(0, 2, 60), generator.integers(0, 9, 60) / 8, generator.random(60)
    for weights in ((None, None), (w[:20], w[20:]), (None, w[20:])):
        parts = [
            table(y[rows], s[rows], sample_weight=weight)
            for rows, weight in zip((slice(20), slice(20, None)), weights, strict=True)
        ]
        filled = [np.ones(n) if v is None else v for v, n in zip(weights, (20, 40), strict=True)]
        whole = table(y, s, sample_weight=np.concatenate(filled))
        for a, b in (parts, parts[::-1]):
            for metric in (cs.auc, cs.auc_hull, cs.brier_score, cs.h_measure, cs.calibration_loss):
                assert metric(a + b) == pytest.approx(metric(whole), abs=1e-12)


def test_adding_float32_and_float64() -> None:
    single, double = table(s=np.float32(S)), table()
    assert (single + double).auc == (double + single).auc
    assert (single + double).by_score.breaks.tolist() == [0.1, 0.4, 0.6, 0.9]


def test_addition_leaves_its_terms_alone() -> None:
    t = table()
    before = cs.brier_score(t)
    assert cs.brier_score(t + t) == before
    assert cs.brier_score(t) == before
    assert len(t.negatives) == 2


def test_different_overrides_are_not_added() -> None:
    t = table()
    text = "tables with different prevalence overrides cannot be added"
    with refused(SourceError, f"{text} (0.2 and 0.3): add first, then reweight."):
        t.with_prevalence(0.2) + t.with_prevalence(0.3)
    with refused(SourceError, f"{text} (None and 0.3)"):
        t + t.with_prevalence(0.3)
    assert (t.with_prevalence(0.2) + t.with_prevalence(0.2)).prevalence == 0.2
    with pytest.raises(TypeError, match="unsupported operand"):
        t + 3


def test_what_is_kept_does_not_leak_between_prevalences() -> None:
    t = table([*TIED_Y, 0], [*TIED_S, 0.25])
    choices = (cs.ScoreDriven(), cs.ScoreDriven(0.3), cs.ScoreUniform(), cs.RateDriven())
    kept = t
    for p in (0.1, 0.9, 0.1, 0.5):
        for costs in (cs.Uniform(), cs.Beta(2, 2), cs.Beta(2, 3), cs.Point(0.5)):
            for choice in (*choices, cs.Optimal(), cs.RateUniform()):
                fresh = table([*TIED_Y, 0], [*TIED_S, 0.25]).with_prevalence(p)
                expected = cs.expected_loss(fresh, choice=choice, costs=costs)
                found = cs.expected_loss(kept.with_prevalence(p), choice=choice, costs=costs)
                assert found == expected
                on_curve = cs.loss_curve(fresh, choice=choice).expectation(costs)
                assert found == pytest.approx(on_curve, abs=1e-14)


def test_a_table_cannot_be_changed() -> None:
    t = table()
    for array in (
        *(t.negatives.values, t.positives.values, t.by_score.breaks),
        *(t.hull.negatives_below, t.hull.positives_below),
    ):
        assert not array.flags.writeable
    with pytest.raises(AttributeError):
        t.prevalence = 0.3


@pytest.mark.parametrize(
    "scores",
    [
        [0.1, 0.2, 0.3, 0.4, 0.35, 0.7, 0.15],
        [1.0, np.nextafter(1, 2), np.nextafter(1, 0), 1.0, 0.5, 2.0, np.nextafter(1, 0)],
        [-1e308, 1e308, 0.0, 1.7e308, -1.7e308, 5e-324, 0.0],
        [-5.0, 0.0, np.inf, np.inf, 3.0, 4.0, -4.0],
    ],
)
@pytest.mark.parametrize("weight", [None, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_hull_thresholds_lead_to_the_hull(scores, weight, kind):
    with np.errstate(over="ignore"):
        scores = np.array(scores).astype(kind)
    labels = [0, 0, 1, 1, 0, 1, 0]
    table = cs.ScoreTable.from_predictions(labels, scores, sample_weight=weight)
    thresholds = table.hull_thresholds
    assert thresholds[0] == -np.inf
    assert thresholds[-1] == np.inf
    if scores.min() > -np.inf:
        points = table.by_score.at(thresholds)
        np.testing.assert_array_equal(points.fpr, table.by_skew.corners.fpr)
        np.testing.assert_array_equal(points.fnr, table.by_skew.corners.fnr)


def test_hull_thresholds_are_midpoints():
    table = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    np.testing.assert_allclose(table.hull_thresholds, [-np.inf, 0.25, 0.75, np.inf])

"""The laws that hold for joint conditions of every kind: their members are means of one law."""

import numpy as np
import pytest
from laws.conditions import CONDITIONS

import costspace as cs

TABLE = cs.ScoreTable.from_predictions(
    [0, 0, 0, 0, 1, 0, 0, 1, 0, 1], [0.05, 0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.9]
)
UNKNOWN = [{"costs": True}, {"prevalence": True}, {"costs": True, "prevalence": True}]
every_kind = pytest.mark.parametrize("known", CONDITIONS.values(), ids=CONDITIONS)


def close(found, expected):
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@every_kind
def test_stakes_are_means_over_the_prevalence(known):
    close(known.over_prevalence(lambda p, costs, size: p), known.mean_prevalence)
    negative, positive = known.stakes[0, 1], known.stakes[1, 0]
    close(known.over_prevalence(lambda p, costs, size: (1 - p) * size * costs.mean()), negative)
    close(known.over_prevalence(lambda p, costs, size: p * size * (1 - costs.mean())), positive)
    assert known.stakes[0, 0] == known.stakes[1, 1] == 0


@every_kind
def test_rules_by_the_skew_cost_the_same_by_skews_and_by_prevalence(known):
    rule = cs.Optimal()

    def lost(p, costs, size):
        return size / 2 * rule.expected_loss(TABLE.with_prevalence(p), costs)

    balanced = rule.expected_loss(TABLE.with_prevalence(0.5), known.skews())
    close(known.stake * balanced, known.over_prevalence(lost))


@every_kind
def test_skews(known):
    close(known.skews().mean(), known.negative_stake / known.stake)
    p = known.mean_prevalence
    by_class = [known.skews_of_class(positive=positive).mean() for positive in (False, True)]
    close((1 - p) * by_class[0] + p * by_class[1], known.skews(staked=False).mean())
    span = known.skew_range
    for staked in (True, False):
        low, high = known.skews(staked=staked).support
        assert span.low - 1e-12 <= low <= high <= span.high + 1e-12


@every_kind
@pytest.mark.parametrize("unknown", UNKNOWN, ids=str)
def test_not_knowing_costs_more_and_keeps_the_stakes(known, unknown):
    averaged = known.averaging(**unknown)
    close(averaged.stakes, known.stakes)
    close(averaged.of_right, known.of_right)
    less, more = (
        cs.expected_money(TABLE, choice=cs.Optimal(), conditions=one) for one in (known, averaged)
    )
    assert less <= more + 1e-9 * abs(more)


@every_kind
def test_bands_make_up_the_whole(known):
    bands = known.bands(4)
    assert 1 <= len(bands) <= 4
    close(sum(band.share for band in bands), 1)
    close(sum(band.share * band.conditions.stakes for band in bands), known.stakes)
    close(sum(band.share * np.array(band.conditions.of_right) for band in bands), known.of_right)
    ends = [end for band in bands for end in band.ends]
    assert ends == sorted(ends)


@every_kind
def test_where_rarer_ends_with_the_whole(known):
    span = known.prevalence_range
    at = np.array([span.low / 2, *np.linspace(span.low, span.high, 5)[1:], 1.0])
    found, cases = known.where_rarer(at), known.where_rarer(at, cases=True)
    close([found.negative[-1], found.positive[-1]], [known.negative_stake, known.positive_stake])
    close(cases.negative[-1] + cases.positive[-1], 1)
    close(cases.positive[-1], known.mean_prevalence)
    for one in (found, cases):
        for values in (one.negative, one.positive):
            assert values[0] == 0
            assert np.all(np.diff(values) >= 0)


@every_kind
def test_bounds_hold_the_means(known):
    span = known.prevalence_range
    assert span == known.bounds_of("prevalence")
    assert span.low <= known.mean_prevalence <= span.high
    # Net costs of mistakes are between those of the corners, and so is the money of any rule.
    fp, fn, tp, tn, p = known.corners
    for fpr, fnr in ((0, 1), (1, 0), (0.2, 0.3)):
        of_case = (1 - p) * (fpr * fp + (1 - fpr) * tn) + p * (fnr * fn + (1 - fnr) * tp)
        money = known.money_at(fpr, fnr) / 1000
        assert of_case.min() - 1e-9 <= money <= of_case.max() + 1e-9


@every_kind
def test_words_and_columns(known):
    assert known.assumptions
    assert all(isinstance(part, str) and part for part in known.assumptions)
    assert len({len(values) for values in known.columns().values()}) == 1

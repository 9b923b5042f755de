"""The interval of money, against a plain computation with a row of either kind added."""

import numpy as np
import pytest
from brute_force_decision import trials
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

import costspace as cs
from costspace.decision.money.interval import difference_interval, money_interval
from costspace.decision.money.row_money import RowMoney

STAKES = 900.0, 400.0


def drawn(seed, n=40, *, mistakes=0.3, **given):
    """Rows, and what each says of the money."""
    rng = np.random.default_rng(seed)
    y = rng.permutation(np.arange(n) % 4 == 0)
    rows = cs.ScoredRows.from_predictions(y, {"m": rng.random(n)}, **given)
    wrong = rng.random(n) < mistakes
    return rows, wrong * np.where(y, STAKES[1], STAKES[0]) * rng.random(n)


def found_of(rows, losses, *, least=0.0, selection=0.0, level=0.95):
    sample = RowMoney(rows, "sampling")
    money = sample.mean(losses) + least
    return money, *money_interval(
        *(money, losses, sample),
        stakes=STAKES,
        least=least,
        selection=selection,
        level=level,
    )


def by_logit(money, variance, freedom, floor, *, least=0.0, level=0.95, selection=0.0):
    """Choosing widens it downwards only."""
    stake, ends = sum(STAKES), []
    share = np.clip((money - least) / stake, floor, 1 - floor)
    for sign, squared in ((-1, variance + selection**2 / 2), (1, variance)):
        half = stats.t.ppf((1 + level) / 2, freedom) * np.sqrt(squared)
        reach = half / stake / (share * (1 - share))
        ends.append(least + stake / (1 + np.exp(-(np.log(share / (1 - share)) + sign * reach))))
    return min(ends[0], money), max(ends[1], money)


def share_at_most(share, n, quantile):
    """The largest share of all rows that is so many errors above what is seen of n of them."""
    squared = quantile**2 / n
    return max(np.roots([1 + squared, -(2 * share + squared), share**2]).real)


def smoothed(values, stake):
    """The variance of the mean of values with one more at either end, and how many there were."""
    more = [*values, 0.0, stake]
    return np.var(more, ddof=1) / len(more), len(values)


@given(
    st.integers(0, 999),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.sampled_from([-30.0, 0.0, 50.0]),
    st.sampled_from([0.0, 25.0]),
    st.sampled_from([0.8, 0.95]),
)
@settings(max_examples=50)
def test_plain_rows(seed, mistakes, least, selection, level):
    rows, losses = drawn(seed, mistakes=mistakes)
    money, error, interval = found_of(rows, losses, least=least, selection=selection, level=level)
    parts = [
        smoothed(losses[rows.positive == side], stake)
        for side, stake in zip((False, True), STAKES, strict=True)
    ]
    variance = sum(v for v, _ in parts)
    freedom = variance**2 / sum(v**2 / (n - 1) for v, n in parts)
    expected = np.sqrt(variance + selection**2 / 2)
    assert error == pytest.approx(expected, rel=1e-9)
    floor = sum(s / (2 * n + 2) for s, (_, n) in zip(STAKES, parts, strict=True)) / sum(STAKES)
    low, high = by_logit(
        money, variance, freedom, floor, least=least, level=level, selection=selection
    )
    beyond = 0.0
    for side, stake in zip((False, True), STAKES, strict=True):
        share, n = losses[rows.positive == side].mean() / stake, np.sum(rows.positive == side)
        most = share_at_most(share, n, stats.t.ppf((1 + level) / 2, freedom))
        beyond += stake * (most - share)
    beyond = max(beyond, stats.t.ppf((1 + level) / 2, freedom) * np.sqrt(variance))
    high = min(high, money + beyond)
    assert interval.method == "logit"
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-9, abs=1e-9)


def test_without_mistakes_there_is_still_an_interval():
    rows, _ = drawn(1)
    money, error, interval = found_of(rows, np.zeros(len(rows)))
    assert money == interval.low == 0
    assert error > 0
    # As if one of 11 positives and one of 31 negatives had been decided wrongly, or more.
    assert interval.high > 400 / 12 + 900 / 32


def test_clusters_are_the_unit():
    groups = np.arange(40) // 2
    rows, losses = drawn(2, groups=groups)
    _, error, interval = found_of(rows, losses, selection=10.0)
    totals = np.zeros(20)
    sizes, means = [], []
    for side in (False, True):
        of = rows.positive == side
        means.append(losses[of].mean())
        sizes.append(of.sum())
        np.add.at(totals, groups[of], (losses[of] - means[-1]) / of.sum())
    own = 20 / 19 * np.sum(totals**2)
    added = 0.0
    effective = [
        trials(losses[rows.positive == side], groups[rows.positive == side], stake)
        for side, stake in zip((False, True), STAKES, strict=True)
    ]
    for mean, stake, n in zip(means, STAKES, effective, strict=True):
        # Values without variation of their own, beside one of either end.
        centre = (n * mean + stake) / (n + 2)
        squares = n * (mean - centre) ** 2 + centre**2 + (stake - centre) ** 2
        added += squares / (n + 1) / (n + 2)
    assert error == pytest.approx(np.sqrt(own + added + 50.0), rel=1e-9)
    floor = sum(s / (2 * n + 2) for s, n in zip(STAKES, effective, strict=True)) / sum(STAKES)
    low, high = by_logit(sum(means), own + added, 19, floor, selection=10.0)
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-9)


def test_few_groups_of_a_class_have_few_degrees_of_freedom_among_many_of_the_other():
    def errors_reached(y, groups):
        rows = cs.ScoredRows.from_predictions(y, {"m": np.zeros(len(y))}, groups=groups)
        losses = np.random.default_rng(1).normal(size=len(y)) * (1 + 9 * y)
        more = {"stakes": (20.0, 20.0), "selection": 0.0, "level": 0.95}
        found = difference_interval(0.0, losses, RowMoney(rows, "sampling"), **more)
        (error, _), interval, _ = found
        return interval.high / error

    y = np.arange(200) < 6
    rows = errors_reached(y, None)
    # Six positives tell nearly all: 5 degrees of freedom, and not 199.
    assert rows == pytest.approx(stats.t.ppf(0.975, 5), abs=0.1)
    assert errors_reached(y, np.arange(200)) == pytest.approx(rows, abs=0.01)
    # Both classes are in each of ten groups.
    mixed = errors_reached(np.arange(200) % 4 == 0, np.arange(200) // 20)
    assert mixed == pytest.approx(stats.t.ppf(0.975, 9))


def told_apart(counts, sizes, stakes):
    """The difference and its p, where so many rows of either class tell two ways apart."""
    y = np.repeat([False, True], sizes)
    losses = np.zeros(len(y))
    for start, mistakes, stake in zip((0, sizes[0]), counts, stakes, strict=True):
        more, less = mistakes
        losses[start : start + more] = stake
        losses[start + more : start + more + less] = -stake
    sample = RowMoney(cs.ScoredRows.from_predictions(y, {"m": np.zeros(len(y))}), "sampling")
    options = {"stakes": stakes, "selection": 0.0, "level": 0.95}
    errors, _, p = difference_interval(sample.mean(losses), losses, sample, **options)
    return errors, p


def test_to_a_difference_each_class_adds_a_row_that_tells_the_two_apart():
    sizes, stakes = (267, 168), (990.0, 50.0)
    (error, seen), p = told_apart(((0, 0), (5, 27)), sizes, stakes)
    share, among = 32 / 168, (22 / 168) ** 2
    own = 50**2 * (share - among) / 167
    assert seen**2 == pytest.approx(own)
    assert error**2 == pytest.approx(own + (990 / 268) ** 2 + (50 / 169) ** 2)
    # Without it this would be certain, though one negative more would undo it.
    assert stats.norm.sf(50 * 22 / 168 / np.sqrt(own)) < 1e-4
    assert p > 0.05


def test_rows_not_seen_count_on_the_side_where_they_may_be():
    rows, losses = drawn(3, n=80)
    sample = RowMoney(rows, "sampling")
    options = {"stakes": STAKES, "selection": 0.0, "level": 0.95}
    error, both, _ = difference_interval(5.0, losses, sample, **options)
    own, bare, p = difference_interval(5.0, losses, sample, more_apart=(False, False), **options)
    assert own < error
    for side in ((True, False), (False, True)):
        one, found, _ = difference_interval(5.0, losses, sample, more_apart=side, **options)
        assert one == own
        assert found.low == (both if side[0] else bare).low
        assert found.high == (both if side[1] else bare).high
    # The p is that of the nearer end, which is the lower one here.
    assert difference_interval(5.0, losses, sample, more_apart=(False, True), **options)[2] == p


def test_mistakes_that_rows_do_not_show_widen_the_upper_end():
    rows, losses = drawn(4, n=400, mistakes=0.1)
    sample = RowMoney(rows, "sampling")
    options = {"stakes": STAKES, "least": 0.0, "selection": 0.0, "level": 0.95}
    money = sample.mean(losses)
    error, known = money_interval(money, losses, sample, **options)
    reached = []
    for times in (4, 5):
        unseen = (times**2 - 1) * error**2
        same, found = money_interval(money, losses, sample, unseen=unseen, **options)
        assert (same, found.low) == (error, known.low)
        reached.append((found.high - money) / times)
    assert reached[0] == pytest.approx(reached[1])
    assert 1.96 < reached[0] / error < 2.2


@pytest.mark.simulation
@pytest.mark.parametrize("rare", [0, 1])
@pytest.mark.parametrize("expected", [0.5, 1, 2, 4])
def test_equal_costs_are_not_told_apart_where_a_class_hardly_tells(rare, expected):
    """What one class adds on few rows, the other makes up for on many."""
    rng, sizes = np.random.default_rng(7), (400, 200)
    stakes = [1000.0, 1000.0]
    stakes[rare] = 1000 * 0.1 / (expected / sizes[rare])
    shares = {rare: (expected / sizes[rare], 0.0), 1 - rare: (0.05, 0.15)}
    told = 0
    for _ in range(1000):
        counts = [rng.multinomial(sizes[k], [*shares[k], 1 - sum(shares[k])])[:2] for k in (0, 1)]
        told += told_apart(counts, sizes, tuple(stakes))[1] < 0.05
    assert told <= 70


def test_weights_multiply_losses_and_few_rows_count():
    rng = np.random.default_rng(5)
    w = rng.choice([0.5, 1.0, 4.0], 40)
    rows, losses = drawn(5, sample_weight=w)
    sample = RowMoney(rows, "sampling")
    variance, freedom, floor = 0.0, 0.0, 0.0
    for side, stake in zip((False, True), STAKES, strict=True):
        x, own = losses[rows.positive == side], w[rows.positive == side]
        n = sample.effective_sizes[int(side)]
        assert n == pytest.approx(own.sum() ** 2 / (own @ own), rel=1e-9)
        mean = np.average(x, weights=own)
        assert sample.class_means(losses)[int(side)] == pytest.approx(mean)
        own_spread = sample.class_variances(losses)[int(side)]
        assert own_spread == pytest.approx(np.average((x - mean) ** 2, weights=own), rel=1e-9)
        centre = (n * mean + stake) / (n + 2)
        squares = n * (own_spread + (mean - centre) ** 2) + centre**2 + (stake - centre) ** 2
        part = squares / (n + 1) / (n + 2)
        variance, freedom = variance + part, freedom + part**2 / (n - 1)
        floor += stake / (2 * n + 2) / sum(STAKES)
    money, error, interval = found_of(rows, losses)
    assert error == pytest.approx(np.sqrt(variance), rel=1e-9)
    low, high = by_logit(money, variance, variance**2 / freedom, floor)
    assert (interval.low, interval.high) == pytest.approx((low, high), rel=1e-9)


def test_units_are_rows_or_groups_of_the_rarer_class():
    rows, _ = drawn(6)
    assert RowMoney(rows, "sampling").units == 10
    # Four rows a group, a positive in each but the last two, whose negatives are alone.
    y = np.arange(40) % 4 == 0
    y[32:] = False
    grouped = cs.ScoredRows.from_predictions(y, {"m": np.zeros(40)}, groups=np.arange(40) // 4)
    assert RowMoney(grouped, "sampling").units == 8
    assert RowMoney(grouped, "sampling").clusters == 10
    # A count is of so many rows.
    rows, _ = drawn(6, sample_weight=np.full(40, 3))
    assert RowMoney(rows, "sampling").units == 10
    assert RowMoney(rows, "counts").units == 30
    parts, _ = drawn(6, sample_weight=np.full(40, 0.1))
    assert RowMoney(parts, "counts").units == 10

"""A watch: its money by hand, late labels, merging in any order, alarms, and what it refuses."""

import datetime as dt
import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from two_periods import sample

import costspace as cs
from costspace import ConditionError, LabelError, ScoreError, SourceError
from costspace.watching import mean_sequence

COSTS = {"fp_cost": 1, "fn_cost": 5}
DAY = dt.date(2026, 11, 1)


def decided(**more):
    y, s = sample(0, 2000)
    return cs.decide(y, {"m": s}, **{**COSTS, "baseline": ("m", 0.5), **more})


DECISION = decided()


def day(i):
    return DAY + dt.timedelta(i)


def watched(days, *, moved=0.0, n=300, watch=None, first=0):
    watch = cs.begin_watch(DECISION, in_use=True, tolerance=520) if watch is None else watch
    for i in range(first, first + days):
        y, s = sample(100 + i, n, moved=moved)
        watch = watch.add(y, {"m": s}, day=day(i))
    return watch


def cost_of(threshold, y, s):
    return 1000 * np.mean(np.where(y == 1, 5 * (s <= threshold), 1 * (s > threshold)))


def test_money_is_that_of_the_rows_and_its_interval_that_of_their_values():
    look = watched(3).look()
    pairs = [sample(100 + i, 300) for i in range(3)]
    y, s = (np.concatenate([pair[i] for pair in pairs]) for i in (0, 1))
    cut = DECISION.rules.rule.cuts[0]
    assert look.cost.mean[-1] == pytest.approx(cost_of(cut, y, s))
    assert look.costs["in_use"].mean[-1] == pytest.approx(cost_of(0.5, y, s))
    saved = look.savings["in_use"]
    assert saved.mean[-1] == pytest.approx(cost_of(0.5, y, s) - cost_of(cut, y, s))
    flagged = s > cut
    losses = np.where(y == 1, 5 * ~flagged, 1 * flagged)
    counts = [[np.count_nonzero(losses[: 300 * (i + 1)] == v) for v in (0, 1, 5)] for i in range(3)]
    own = cs.watching.mean_sequence(counts, [0, 1, 5])
    assert look.cost.low == pytest.approx(1000 * own.low)
    assert look.cost.high == pytest.approx(1000 * own.high)
    assert look.rates["flagged"].mean[-1] == pytest.approx(np.mean(flagged))
    assert look.rates["errors"].mean[-1] == pytest.approx(np.mean(losses > 0))
    assert look.rows == 900
    assert [str(one) for one in look.days] == [str(day(i)) for i in range(3)]


def test_a_review_costs_what_its_decision_says():
    y, s = sample(0, 2000)
    review = cs.Review(cost=0.3, sensitivity=0.9, specificity=0.8)
    decision = cs.decide(y, {"m": s}, **COSTS, review=review)
    watch = cs.begin_watch(decision, tolerance=600)
    action = decision.apply({"m": s}).action
    assert {*action} == {"pass", "review", "flag"}
    mistakes = {"flag": (1, 0), "pass": (0, 5), "review": (0.3 + 0.2, 0.3 + 0.5)}
    expected = 1000 * np.mean([mistakes[one][int(k)] for one, k in zip(action, y, strict=True)])
    assert watch.add(y, {"m": s}, day=DAY).look().cost.mean[-1] == pytest.approx(expected)


def test_the_tolerance_is_the_upper_end_of_what_was_decided_unless_given():
    high = DECISION.to_dict()["recommendation"]["high"]
    assert cs.begin_watch(DECISION).terms.tolerance == pytest.approx(high, rel=5e-4)
    assert cs.begin_watch(DECISION, **COSTS, tolerance=400).terms.tolerance == 400
    with refused(ConditionError, "tolerance (--tolerance) is missing"):
        cs.begin_watch(DECISION, **COSTS)


def test_it_tells_what_is_fine_what_is_worse_and_what_is_not_known_yet():
    assert watched(1, n=50).look().verdict == "undecided"
    assert watched(30).look().verdict == "fine"
    worse = watched(40, moved=1.2)
    look = worse.look()
    assert (look.verdict, look.changed) == ("worse", False)
    assert look.told is not None
    again = worse + cs.begin_watch(DECISION, in_use=True, tolerance=520)
    assert again.look().text == look.text


def test_a_later_change_is_told_with_its_day():
    watch = watched(40, moved=1.2, watch=watched(60), first=60)
    look = watch.look()
    assert look.verdict == "worse"
    assert look.changed
    assert abs((look.since - np.datetime64(day(60))).astype(int)) <= 3
    assert "by rows since the change" in look.text
    later = watched(0, watch=watch).look()
    assert later.told == look.told


def test_how_many_rows_more_would_tell():
    watch = watched(4, n=200)
    look = watch.look()
    assert look.verdict == "undecided"
    assert np.isfinite(look.needed)
    times = (look.rows + look.needed) / look.rows
    more = cs.begin_watch(DECISION, in_use=True, tolerance=520).with_counts(
        type(watch.counts).of(
            watch.counts.day,
            watch.counts.positive,
            watch.counts.acted,
            np.ceil(1.01 * times * watch.counts.rows),
        )
    )
    assert more.look().verdict != "undecided"


def late_and_labels(seed=5, n=120):
    y, s = sample(seed, n)
    ids = [f"case {i}" for i in range(n)]
    begun = cs.begin_watch(DECISION, tolerance=520)
    return begun, y, s, ids


def test_labels_that_come_later_count_as_if_they_had_been_there():
    begun, y, s, ids = late_and_labels()
    at_once = begun.add(y, {"m": s}, day=DAY)
    late = begun.add(None, {"m": s}, day=DAY, ids=ids)
    assert (late.labelled, late.unlabelled) == (0, 120)
    assert late.look().rows == 0
    assert "no day has all its labels yet" in late.look().text
    some = late.label(y[:100], ids[:100])
    assert (some.labelled, some.unlabelled, some.look().rows) == (100, 20, 0)
    assert some.look(complete_to=DAY).left_out == 20
    everything = some.label(y[100:], ids[100:])
    for name in ("day", "positive", "acted", "rows"):
        assert np.array_equal(getattr(everything.counts, name), getattr(at_once.counts, name))


def test_labels_may_come_again_and_rows_may_not():
    begun, y, s, ids = late_and_labels()
    late = begun.add(None, {"m": s}, day=DAY, ids=ids)
    some = late.label(y[:60], ids[:60])
    grown = some.label(y[:100], ids[:100]).label(y, ids)
    assert grown.look().text == late.label(y, ids).look().text
    assert len(grown.waiting.label) == 0
    with refused(SourceError, "another label than before"):
        grown.label(1 - y[:3], ids[:3])
    with refused(SourceError, "added and labelled before"):
        grown.add(None, {"m": s}, day=DAY, ids=ids)


def test_numbers_are_ids_by_their_value():
    begun, y, s, _ = late_and_labels()
    late = begun.add(None, {"m": s}, day=DAY, ids=np.arange(120))
    assert late.label(y, np.arange(120.0)).labelled == 120
    with refused(SourceError, "missing values"):
        late.label(y, [np.nan, *range(119)])


def test_what_is_no_longer_worse_was_shown_to_be():
    watch = watched(30, moved=1.5)
    assert watch.look().to_dict()["worse"] == 1
    good = watched(200, watch=watch, first=30, n=600, moved=-1.0)
    look = good.look()
    assert look.verdict == "worse"
    assert ("Was shown on" in look.text) == (look.since_then <= look.tolerance)
    assert cs.check(look, "worse > 0").verdicts[0].verdict == "fail"


def test_missing_labels_wait_and_later_days_do_not_count_before_them():
    begun, y, s, _ = late_and_labels()
    labels = [None if i % 7 == 0 else int(k) for i, k in enumerate(y)]
    watch = begun.add(y, {"m": s}, day=DAY).add(labels, {"m": s}, day=day(1))
    watch = watch.add(y, {"m": s}, day=day(2))
    look = watch.look()
    assert (look.rows, look.later, look.left_out) == (120, 240, 0)
    assert f"Labels are complete to {DAY}" in look.text
    complete = watch.look(complete_to=day(2))
    assert complete.left_out == sum(one is None for one in labels)
    assert complete.rows == 360 - complete.left_out


@given(st.permutations(range(5)), st.integers(0, 3))
@settings(max_examples=20, deadline=None)
def test_parts_add_up_in_any_order(order, cut):
    begun, y, s, ids = late_and_labels()
    parts = [
        begun.add(y, {"m": s}, day=DAY),
        begun.add(y[:50], {"m": s[:50]}, day=day(1)),
        begun.add(None, {"m": s}, day=day(2), ids=ids),
        begun.label(y[:60], ids[:60]),
        begun.label(y[60:], ids[60:]),
    ]
    own = [parts[i] for i in order]
    one, other = begun, begun
    for part in own[: cut + 1]:
        one = one + part
    for part in own[cut + 1 :]:
        other = part + other
    found, expected = one + other, begun
    for part in parts:
        expected = expected + part
    for name in ("day", "positive", "acted", "rows"):
        assert np.array_equal(getattr(found.counts, name), getattr(expected.counts, name))
    assert found.look().text == expected.look().text
    assert len(found.waiting.row) == len(found.waiting.label) == 0


def test_a_pair_of_rules_is_counted_together():
    y, s = sample(5, 400)
    other = decided(baseline=None, fn_cost=20)
    watch = cs.begin_watch(DECISION, against={"bold": other}, tolerance=520)
    look = watch.add(y, {"m": s}, day=DAY).look()
    assert list(look.costs) == ["decision", "bold"]
    cuts = [one.rules.rule.cuts[0] for one in (DECISION, other)]
    first, second = (cost_of(cut, y, s) for cut in cuts)
    assert look.savings["bold"].mean[-1] == pytest.approx(second - first)


@pytest.mark.parametrize(
    ("more", "error", "words"),
    [
        ({"tolerance": 0}, ConditionError, "between 0 and 5000"),
        ({"tolerance": 5000}, ConditionError, "between 0 and 5000"),
        ({"tolerance": 520, "level": 2}, ConditionError, "level"),
        ({"tolerance": 520, "looks": 0}, ConditionError, "looks"),
        ({"tolerance": 520, "rows": 10}, ConditionError, "give looks"),
        ({"against": [DECISION]}, ConditionError, "against"),
        ({"against": {"decision": DECISION}}, ConditionError, "rename it"),
        ({"against": {str(i): DECISION for i in range(8)}}, ConditionError, "1 to 8 rules"),
        ({"against": {"a": 3}}, ConditionError, "decision"),
    ],
)
def test_what_no_watch_can_begin_with_is_refused(more, error, words):
    with refused(error, words):
        cs.begin_watch(DECISION, **more)


def test_rules_that_are_others_for_other_cases_are_refused():
    y, s = sample(0, 500)
    by_case = cs.decide(y, {"m": s}, fp_cost=1, fn_cost=(2, 10), baseline=("m", 0.5))
    assert cs.begin_watch(by_case).terms.tolerance > 0
    queue = cs.decide(y, {"m": s}, **COSTS, constraints=cs.Constraints(capacity=0.1), batch=50)
    with refused(ConditionError, "a queue"):
        cs.begin_watch(queue, tolerance=520)
    with refused(ConditionError, "no rule in use"):
        cs.begin_watch(decided(baseline=None), in_use=True)


def test_rows_that_cannot_be_are_refused():
    begun, y, s, ids = late_and_labels()
    for wrong in ("yesterday", "today", "2026-11", 20_000, [DAY] * 119 + [None], ["today"] * 120):
        with refused(SourceError, "must be a date"):
            begun.add(y, {"m": s}, day=wrong)
    with refused(LabelError, "a label for each of 120 rows"):
        begun.add(y[:5], {"m": s}, day=DAY)
    with refused(ScoreError, "missing"):
        begun.add(y, {"m": np.where(s > 0.9, np.nan, s)}, day=DAY)
    with refused(SourceError, "ids must have a value for each"):
        begun.add(None, {"m": s}, day=DAY, ids=ids[:4])
    with refused(SourceError, "come more than once"):
        begun.add(None, {"m": s}, day=DAY, ids=ids[:-1] + ids[:1])
    late = begun.add(None, {"m": s}, day=DAY, ids=ids)
    with refused(SourceError, "come more than once"):
        late.add(None, {"m": s}, day=DAY, ids=ids)
    with refused(SourceError, "another label than before"):
        begun.label(y, ids).label(1 - y, ids)
    with refused(SourceError, "day must be one, or one for each"):
        begun.add(y, {"m": s}, day=[DAY] * 3)
    with refused(SourceError, "must be one day"):
        begun.look(complete_to=[DAY, DAY])
    zoned = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
    with refused(SourceError, "must be a date"):
        begun.add(y, {"m": s}, day=zoned)
    with refused(SourceError, "missing labels"):
        begun.label([None, 1], ids[:2])
    with refused(SourceError, "begun alike"):
        _ = begun + cs.begin_watch(DECISION, tolerance=500)


def test_the_answer_in_python_is_that_in_json_and_in_columns():
    look = watched(3).look()
    plain = look.to_dict()
    assert plain["costs"]["decision"]["value"] == look.cost.mean[-1]
    assert [one["mean"] for one in plain["sequence"]] == look.cost.mean.tolist()
    columns = look.columns()
    assert {len(values) for values in columns.values()} == {3}
    assert "<table>" in look._repr_html_()
    gate = cs.check(look, "costs.decision > 5000", "savings.in_use < 0")
    assert gate.verdicts[0].verdict == "pass"


def of_cases(seed=5, n=300):
    y, s = sample(seed, n)
    rng = np.random.default_rng(seed)
    amounts = np.round(rng.lognormal(1, 1, n).clip(0.1, 60), 2)
    return y, s, cs.CaseCosts(fp_cost=1.5, fn_cost=amounts + 2, tp_cost=1)


def test_costs_of_each_case_count_as_their_means_within_a_bound():
    y, s, costs = of_cases()
    use = ("m", 0.5)
    decision = cs.decide(y, {"m": s}, case_costs=costs, baseline=use)
    watch = cs.begin_watch(decision, most_cost=100, in_use=True, tolerance=4000)
    watch = watch.add(y, {"m": s}, day=DAY, case_costs=costs)
    look = watch.look()
    assert (look.rows, watch.labelled, watch.unlabelled) == (300, 300, 0)
    given = {name: getattr(costs, name) for name in ("fp_cost", "fn_cost", "tp_cost", "tn_cost")}
    own = decision.apply({"m": s}, **given).action == "flag"
    assert 0 < np.mean(own != (s > 0.5)) < 1
    losses = [costs.of_flags(flagged, y == 1) for flagged in (own, s > 0.5)]
    assert look.cost.mean[-1] == pytest.approx(1000 * losses[0].mean(), rel=1e-4)
    saved = look.savings["in_use"]
    assert saved.mean[-1] == pytest.approx(1000 * (losses[1] - losses[0]).mean(), abs=0.5)
    values, counts = np.unique(losses[0], return_counts=True)
    exact = mean_sequence([counts], values, low=0, high=100).last
    last = look.cost.last
    # What it counts with is wider, by little.
    assert last.low <= 1000 * exact.low * (1 + 1e-4)
    assert 1000 * exact.high * (1 - 1e-4) <= last.high
    assert last.high - last.low < 1.02 * 1000 * (exact.high - exact.low)
    assert look.rates == {}


def test_costs_of_each_case_beyond_the_bound_or_missing_are_refused():
    y, s, costs = of_cases()
    decision = cs.decide(y, {"m": s}, case_costs=costs)
    with refused(ConditionError, "follow the costs"):
        cs.begin_watch(decision)
    with refused(ConditionError, "give one of them"):
        cs.begin_watch(DECISION, most_cost=10, **COSTS, tolerance=500)
    watch = cs.begin_watch(decision, most_cost=3, tolerance=2000)
    with refused(ConditionError, "a higher bound"):
        watch.add(y, {"m": s}, day=DAY, case_costs=costs)
    with refused(ConditionError, "case_costs is missing"):
        watch.add(y, {"m": s}, day=DAY)
    with refused(ConditionError, "added with their labels"):
        watch.add(None, {"m": s}, day=DAY, case_costs=costs)
    with refused(ConditionError, "case_costs is given"):
        watched(0).add(y, {"m": s}, day=DAY, case_costs=costs)
    with refused(ConditionError, "300 for 9 scores"):
        watch.add(y[:9], {"m": s[:9]}, day=DAY, case_costs=costs)


@pytest.mark.simulation
@pytest.mark.parametrize("looks", [None, 200])
def test_false_alarms_of_a_whole_watch_are_few(looks):
    rng, alarms, runs = np.random.default_rng(0), 0, 60
    begun = cs.begin_watch(DECISION, tolerance=520, looks=looks)
    kinds = list(itertools.product((0, 1), (0, 2)))
    # What is tolerated is just reached: 0.12 false positives and 0.08 false negatives.
    shares = {(0, 0): 0.58, (0, 2): 0.12, (1, 0): 0.08, (1, 2): 0.22}
    for _ in range(runs):
        counts = rng.multinomial(50, [shares[kind] for kind in kinds], size=200)
        days, which = np.nonzero(counts)
        positive, acted = np.array(kinds)[which].T
        parts = type(begun.counts).of(days, positive, acted, counts[days, which])
        alarms += begun.with_counts(parts).look().verdict == "worse"
    assert alarms / runs <= 0.1

"""Half-planes of ROC space, against the definitions of what they limit."""

import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from scipy.stats import binom

import costspace as cs
from costspace.choices.places import Places, checked_batches

NAMES = ("capacity", "min_precision", "min_recall", "min_npv", "max_fpr")
UNIT = st.integers(0, 20).map(lambda i: i / 20)
INSIDE = st.integers(1, 19).map(lambda i: i / 20)


@st.composite
def constraints(draw: Any) -> cs.Constraints:
    limits = draw(st.dictionaries(st.sampled_from(NAMES), UNIT, min_size=1))
    return cs.Constraints(**limits)


def counted(name: str, n: dict[str, int], limit: float) -> bool:
    """Whether a rule with such counts keeps to a limit, in whole numbers and twentieths."""
    top = round(20 * limit)
    part, whole = {
        "capacity": (n["tp"] + n["fp"], sum(n.values())),
        "min_precision": (n["tp"], n["tp"] + n["fp"]),
        "min_recall": (n["tp"], n["tp"] + n["fn"]),
        "min_npv": (n["tn"], n["tn"] + n["fn"]),
        "max_fpr": (n["fp"], n["fp"] + n["tn"]),
    }[name]
    if name in ("capacity", "max_fpr"):
        return 20 * part <= top * whole
    return 20 * part >= top * whole


COUNTS = st.fixed_dictionaries({cell: st.integers(0, 9) for cell in ("tp", "fp", "fn", "tn")})


@settings(max_examples=150)
@given(constraints(), COUNTS)
def test_limits_hold_exactly_where_counts_say(limits: cs.Constraints, n: dict[str, int]) -> None:
    positives, negatives = n["tp"] + n["fn"], n["fp"] + n["tn"]
    if not positives or not negatives:
        return
    point = cs.OperatingPoints(n["fp"] / negatives, n["fn"] / positives)
    p = positives / (positives + negatives)
    for name in limits:
        one = cs.Constraints(**{name: limits.limits[name]})
        assert bool(one.holds(point, p)) == counted(name, n, limits.limits[name])
    expected = all(counted(name, n, limit) for name, limit in limits.limits.items())
    assert bool(limits.holds(point, p)) == expected


@settings(max_examples=50)
@given(COUNTS)
def test_what_is_reached(n: dict[str, int]) -> None:
    positives, negatives = n["tp"] + n["fn"], n["fp"] + n["tn"]
    if not positives or not negatives:
        return
    point = cs.OperatingPoints(n["fp"] / negatives, n["fn"] / positives)
    p = positives / (positives + negatives)
    found = cs.Constraints().reached(point, p)
    flagged = n["tp"] + n["fp"]
    rest = positives + negatives - flagged
    expected = {
        "share_flagged": flagged / (flagged + rest),
        "precision": n["tp"] / flagged if flagged else 1,
        "recall": n["tp"] / positives,
        "npv": n["tn"] / rest if rest else 1,
        "fpr": n["fp"] / negatives,
    }
    assert {k: v[0] for k, v in found.columns().items()} == pytest.approx(expected, abs=1e-14)


@settings(max_examples=50)
@given(constraints(), UNIT, UNIT, INSIDE, INSIDE)
def test_a_range_is_kept_to_if_its_ends_are(
    limits: cs.Constraints, x: float, y: float, low: float, high: float
) -> None:
    point = cs.OperatingPoints(x, y)
    inner = np.linspace(low, high, 23)
    at_ends = limits.holds(point, np.array([low, high])).all()
    assert at_ends == limits.holds(point, inner).all()


def test_with_more_false_positives_no_broken_limit_is_kept() -> None:
    fpr, fnr = np.linspace(0, 1, 21), np.linspace(0, 1, 11)[:, None]
    for name in NAMES:
        for limit in (0, 0.15, 0.5, 0.85, 1):
            held = cs.Constraints(**{name: limit}).holds(
                cs.OperatingPoints(*np.broadcast_arrays(fpr, fnr)), 0.3
            )
            assert np.all(held[:, :-1] | ~held[:, 1:])


def test_limits_that_every_rule_keeps_and_that_hardly_any_does() -> None:
    points = cs.OperatingPoints(*(a.ravel() for a in np.meshgrid(*[np.linspace(0, 1, 9)] * 2)))
    free = cs.Constraints(capacity=1, min_precision=0, min_recall=0, min_npv=0, max_fpr=1)
    assert free.holds(points, 1 / 3).all()
    nobody = cs.OperatingPoints([0, 0, 1e-9], [1, 1 - 1e-9, 1])
    assert cs.Constraints(capacity=0).holds(nobody, 0.3).tolist() == [True, False, False]
    assert cs.Constraints(min_precision=1).holds(nobody, 0.3).tolist() == [True, True, False]


def test_names_text_and_truth_value() -> None:
    limits = cs.Constraints(min_recall=0.9, capacity=0.02, min_npv=1, max_fpr=0.5)
    assert list(limits) == ["capacity", "min_recall", "min_npv", "max_fpr"]
    assert limits.names == tuple(limits)
    assert str(limits) == (
        "flag at most 2 %, recall at least 90 %, negative predictive value at least 100 %, "
        "false positive rate at most 50 %"
    )
    assert limits.without("min_npv") == cs.Constraints(capacity=0.02, min_recall=0.9, max_fpr=0.5)
    assert limits
    assert not cs.Constraints()
    assert str(cs.Constraints()) == "no constraints"
    assert cs.Constraints(capacity=0)
    assert cs.Constraints().holds(cs.OperatingPoints([1, 0], [0, 1]), 0.5).tolist() == [True] * 2


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("limit", [-0.1, 1.1, float("nan")])
def test_limits_are_shares(name: str, limit: float) -> None:
    with refused(cs.ConditionError, f"{name} must be in [0, 1], got {limit:g}"):
        cs.Constraints(**{name: limit})


def test_bad_input() -> None:
    with refused(cs.ConditionError, "capacity must be a number, got 'much'"):
        cs.Constraints(capacity="much")  # type: ignore[arg-type]
    with refused(cs.ConditionError, "no constraint 'recall': those set are capacity"):
        cs.Constraints(capacity=0.5).without("recall")
    with refused(cs.ConditionError, "no constraint 'min_recall': those set are none"):
        cs.Constraints().sentence("min_recall")
    with refused(cs.ConditionError, "prevalence must be in [0, 1], got 2"):
        cs.Constraints(capacity=0.5).holds(cs.OperatingPoints(0, 0), 2)
    with refused(cs.ConditionError, "prevalence must be in [0, 1], got -1"):
        cs.Constraints().reached(cs.OperatingPoints(0, 0), -1)


def test_a_capacity_of_batches_may_be_a_number_of_cases() -> None:
    limits = cs.Constraints(capacity=200, batch=10_000)
    assert (limits.capacity, limits.batch) == (0.02, 10_000)
    assert limits == cs.Constraints(capacity=0.02, batch=10_000)
    assert str(limits) == "flag at most 2 %, in batches of 10,000 (a threshold may flag 1.78 %)"
    days = cs.Constraints(capacity=0.1, batch=[30, 20, 30], min_recall=0.2)
    assert days.batch == (20, 30, 30)
    assert str(days).startswith("flag at most 10 %, in batches of 20 to 30 (")
    assert days.without("capacity") == cs.Constraints(min_recall=0.2)
    assert days.only(["min_recall"]) == cs.Constraints(min_recall=0.2)
    assert days.only(["capacity"]).batch == (20, 30, 30)
    assert eval(repr(days), {"Constraints": cs.Constraints}) == days


@pytest.mark.parametrize("batch", [1, 50, (20, 30)])
def test_a_threshold_flags_none_where_no_batch_has_a_place(batch: Any) -> None:
    assert Places(0.0, checked_batches(batch)).most_by_threshold == 0
    assert Places(0.02, checked_batches(50)).most_by_threshold > 0


def test_a_threshold_goes_beyond_the_places_of_1_in_20_batches() -> None:
    limits = cs.Constraints(capacity=0.1, batch=20)
    # P(more than 2 of 20) is 5 % at a share of 4.217 %.
    shares = np.array([0.0421, 0.0423])
    assert binom.sf(2, 20, shares) == pytest.approx(0.05, abs=5e-4)
    points = cs.OperatingPoints(shares, 1 - shares)
    assert limits.holds(points, 0.3).tolist() == [True, False]
    assert cs.Constraints(capacity=0.1).holds(points, 0.3).all()
    assert cs.Constraints(capacity=1, batch=20).holds(cs.OperatingPoints(1, 0), 0.3)


@pytest.mark.parametrize(
    ("given", "text"),
    [
        ({"capacity": 200}, "A number of cases needs the size of the batch that they are of"),
        ({"capacity": 20}, "capacity must be in [0, 1], got 20: 20 % is 0.2. A number of cases"),
        ({"capacity": 30, "batch": 20}, "capacity is 30 cases of a batch of 20."),
        (
            {"capacity": 2.5, "batch": 20},
            "a whole number of cases of a batch, or a share of it, got 2.5.",
        ),
        ({"capacity": 3, "batch": [20, 30]}, "capacity is 3 cases, and batches have 20 to 30"),
        ({"batch": 20}, "batch is what a capacity is of: give a capacity, too."),
        ({"capacity": 0.1, "batch": 0}, "batch must be a whole number, at least 1, got 0."),
    ],
)
def test_batches_that_cannot_be(given: dict[str, Any], text: str) -> None:
    with refused(cs.ConditionError, text):
        cs.Constraints(**given)


@pytest.mark.parametrize(
    ("share", "batch", "told"),
    [
        (0.1, 25, "25 (2 places, rounded down; "),
        (0.1, 10, "10 ("),
        (0.3, 10, "10 ("),
        (0.1, 19, "19 (1 place, rounded down; "),
        (0.1, 9, "9 (0 places, rounded down; "),
        (0.1, [20, 30], "20 to 30 ("),
        (0.1, [20, 25, 30], "20 to 30 (2 to 3 places, rounded down; "),
    ],
)
def test_places_that_are_rounded_down_are_told(share: float, batch: Any, told: str) -> None:
    said = str(cs.Constraints(capacity=share, batch=batch))
    rest = said.removeprefix(f"flag at most {100 * share:g} %, in batches of {told}")
    assert re.fullmatch(r"a threshold may flag [\d.]+ %\)", rest)


@pytest.mark.parametrize("limits", [{"max_fpr": 0.95}, {"capacity": 0.99}, {"min_recall": 0.01}])
def test_limits_that_change_nothing_leave_the_value_of_the_formula(limits: dict[str, Any]) -> None:
    rng = np.random.default_rng(4)
    y = rng.random(500) < 0.4
    scores = {"m": np.clip(rng.normal(0.3 + 0.3 * y, 0.2), 0, 1).round(3)}
    known = cs.Deployment(fp_cost=5, fn_cost=1, prevalence=0.4)
    given = {"conditions": known, "choices": [cs.ScoreDriven(calibrated_to=0.4)]}
    free = cs.decide(y, scores, **given)
    bound = cs.decide(y, scores, constraints=cs.Constraints(**limits), **given)
    [one], [other] = (
        [one.rule for one in decision.strategies if one.strategy.model == "m"]
        for decision in (free, bound)
    )
    assert one == other
    assert f"{one}" == "flag scores above 0.833333"

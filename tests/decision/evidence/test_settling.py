"""How many rows settle a comparison, and what rows are worth: golden figures, laws, decisions."""

import json

import numpy as np
import pytest
from command_line import as_json, refused, run
from hypothesis import given, settings
from hypothesis import strategies as st
from prediction_files import write_csv
from scipy import stats

import costspace as cs
from costspace.decision.evidence.settling import rows_to_settle, value_of_two
from costspace.decision.evidence.value_of_rows import value_of_several
from costspace.decision.sentences.settled import settling_told


def less(n, more):
    """The share of the variance of a mean of n rows that m more rows take away."""
    return more / (n + more)


def test_golden_value_of_two():
    error = 300 / np.sqrt(1000)
    assert error * np.sqrt(less(1000, 1000)) == pytest.approx(6.708203932, rel=1e-9)
    assert value_of_two(10, error * np.sqrt(less(1000, 1000))) == pytest.approx(0.200796082)
    assert value_of_two(10, error) == pytest.approx(0.712281148)


def test_golden_value_of_three():
    deviations = np.array([200.0, 300.0, 250.0])
    together = np.outer(deviations, deviations) * (0.6 + 0.4 * np.eye(3)) / 1000
    apart = np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
    covariance = apart @ together @ apart.T
    for share, value in (less(1000, 1000), 0.5613), (less(1000, 10_000), 1.2312), (1.0, 1.3756):
        found = value_of_several(np.array([5.0, 8.0]), covariance * share)
        assert found == pytest.approx(value, abs=1e-4)


@given(st.integers(0, 10**6), st.integers(2, 6))
@settings(max_examples=20)
def test_values_of_several_are_those_of_draws(seed, ways):
    rng = np.random.default_rng(seed)
    more, root = rng.exponential(size=ways), rng.normal(size=(ways, ways))
    covariance = root @ root.T
    found = value_of_several(more, covariance)
    drawn = np.maximum(np.max(rng.normal(size=(100_000, ways)) @ root.T - more, axis=1), 0)
    assert found == pytest.approx(drawn.mean(), abs=5 * drawn.std() / np.sqrt(len(drawn)) + 1e-3)
    # One way alone is worth no more, and all of them no more than each by itself.
    each = [value_of_two(d, np.sqrt(v)) for d, v in zip(more, covariance.diagonal(), strict=True)]
    assert max(each) - 1e-3 <= found <= sum(each) + 1e-3
    assert value_of_several(more, covariance / 4) <= found + 1e-3


def test_ways_that_never_differ_are_worth_nothing():
    assert value_of_two(3.0, 0.0) == 0
    assert value_of_several(np.array([1.0, 2.0]), np.zeros((2, 2))) == 0
    same = np.full((2, 2), 4.0)
    alone = value_of_two(1.0, 2.0)
    assert value_of_several(np.array([1.0, 1.0]), same) == pytest.approx(alone, rel=1e-3)


def of_risk_model(prior):
    """What 1,000 more rows are worth of a risk model: 43 of 500 positive, 41 and 147 rightly told.

    Flagging costs 0.02 / 0.98 of a true positive; every part has a beta prior.
    """
    rng, cost, n = np.random.default_rng(0), 0.02 / 0.98, 1_000_000
    p, recall, right = (
        rng.beta(hits + prior, misses + prior, n)
        for hits, misses in ((43, 457), (41, 2), (147, 310))
    )
    positives = rng.binomial(1000, p)
    hits, passed = rng.binomial(positives, recall), rng.binomial(1000 - positives, right)

    def benefit(rows, more, own, beside):
        share = (43 + prior + more) / (500 + 2 * prior + rows)
        recall = (41 + prior + own) / (43 + 2 * prior + more)
        right = (147 + prior + beside) / (457 + 2 * prior + rows - more)
        model = share * recall - (1 - share) * (1 - right) * cost
        return np.maximum(np.maximum(model, share - (1 - share) * cost), 0.0)

    return float(np.mean(benefit(1000, positives, hits, passed)) - benefit(0, 0, 0, 0))


@pytest.mark.simulation
def test_published_values_of_rows_depend_on_the_prior():
    assert of_risk_model(1.0) == pytest.approx(0.001013, rel=0.03)
    assert of_risk_model(0.0) == pytest.approx(0.000348, rel=0.05)


def differing(error, seen=None):
    seen = error if seen is None else seen
    return cs.decision.MoneyDifference(1.0, error, seen, 0.0, 2.0, 0.5, 0.5, "linear")


def test_rows_to_settle():
    quantile = stats.norm.ppf(0.975) + stats.norm.ppf(0.8)
    assert quantile == pytest.approx(2.8016, abs=1e-4)
    more = differing(3.0)
    assert rows_to_settle(more, 2.0, 1000, level=0.95) == pytest.approx(
        1000 * (quantile * 1.5) ** 2
    )
    several = stats.norm.ppf(1 - 0.025 / 4) + stats.norm.ppf(0.8)
    found = rows_to_settle(more, 2.0, 1000, level=0.95, tests=4)
    assert found == pytest.approx(1000 * (several * 1.5) ** 2)
    assert rows_to_settle(more, 0.0, 1000, level=0.95) == np.inf
    assert rows_to_settle(more, 1e-300, 1000, level=0.95) == np.inf
    assert rows_to_settle(differing(0.0), 2.0, 1000, level=0.95) == 0


@given(st.floats(0, 3), st.floats(0.1, 10))
def test_what_is_added_to_an_error_falls_faster_than_what_rows_show(seen, saving):
    more = differing(3.0, seen)
    times = rows_to_settle(more, saving, 1000, level=0.95) / 1000
    error = np.sqrt(seen**2 / times + (9 - seen**2) / times**2)
    assert (stats.norm.ppf(0.975) + stats.norm.ppf(0.8)) * error == pytest.approx(saving)


def drawn(n=400, seed=2, apart=(1.5, 1.4)):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 4 == 0
    shared = rng.normal(size=n)
    return y, {
        f"m{i}": 1 / (1 + np.exp(1 - more * y - 0.9 * shared - 0.5 * rng.normal(size=n)))
        for i, more in enumerate(apart)
    }


def test_a_decision_says_what_would_settle_it():
    y, scores = drawn()
    found = cs.decide(y, scores, fp_cost=1, fn_cost=5, prevalence=0.25)
    settling = found.settling(saving=50, more_rows=400)
    rival = found.evidence.more(settling.against)
    assert not found.evidence.settles(rival)
    assert settling.against.model != found.strategy.model
    needed = rows_to_settle(rival, 50, 400, level=0.95, tests=found.evidence.comparisons)
    assert (settling.needed, settling.rows, settling.more_rows) == (needed, 400, 400)
    assert 0 < settling.worth < settling.wrong
    assert value_of_two(rival.difference, rival.standard_error) <= settling.wrong * 1.001
    assert found.settling().saving == abs(rival.difference)
    assert found.settling().worth is None
    told = " ".join(settling_told(settling))
    assert "would tell a saving of 50 against m" in told
    assert "400 more labelled rows are worth at most" in told
    assert " labelled rows would tell; being wrong costs at most " in found.recommendation.text
    twice = found.settling(saving=100)
    assert settling.needed / 4 < twice.needed < settling.needed / 2
    assert json.loads(json.dumps(settling.to_dict()))["needed"] == settling.needed


def test_what_is_clear_needs_no_rows():
    y, scores = drawn(4000, apart=(3.0, 0.2))
    found = cs.decide(y, scores, fp_cost=1, fn_cost=5, prevalence=0.25)
    assert found.settling() is None
    assert settling_told(None) == ("All others are told apart: no more rows are needed.",)
    assert "would tell" not in found.recommendation.text


@pytest.mark.parametrize("wrong", [{"saving": 0}, {"saving": -1}, {"more_rows": 0}])
def test_numbers_that_cannot_be_are_refused(wrong):
    y, scores = drawn()
    found = cs.decide(y, scores, fp_cost=1, fn_cost=5)
    with pytest.raises(cs.ConditionError, match=next(iter(wrong))):
        found.settling(**wrong)


def test_pairs_say_how_many_rows_they_need():
    y, scores = drawn()
    found = cs.compare_money(y, scores, fp_cost=1, fn_cost=5, prevalence=0.25)
    (pair,) = found.pairs
    more = found.pairs[pair]
    expected = rows_to_settle(more, abs(more.difference), 400, level=0.95)
    assert found.rows_to_settle() == {pair: expected}
    assert found.rows_to_settle(saving=7)[pair] == rows_to_settle(more, 7, 400, level=0.95)
    assert found.to_dict()["savings"][0]["rows_to_settle"] == expected


def test_the_command_says_it(tmp_path, capsys):
    y, scores = drawn()
    file = write_csv(tmp_path / "file.csv", {"y": y.astype(int), **scores})
    asked = [file, "--label", "y", "--score", "m0", "--score", "m1"]
    asked += ["--fp-cost", "1", "--fn-cost", "5", "--prevalence", "0.25"]
    expected = cs.decide(y, scores, fp_cost=1, fn_cost=5, prevalence=0.25)
    options = ["--settle", "50", "--more-rows", "400"]
    told = run(capsys, "decide", *asked, *options)
    assert len(told.splitlines()) <= 25
    settling = expected.settling(saving=50, more_rows=400)
    assert " ".join(settling_told(settling)) in " ".join(told.split())
    found = as_json(capsys, "decide", *asked, *options)["settling"]
    assert found == pytest.approx(settling.to_dict())
    assert "settling" not in as_json(capsys, "decide", *asked)
    gone = ["decide", tmp_path / "gone.csv", "--label", "y", "--score", "m0", "--fp-cost", "1"]
    assert "--settle must" in refused(capsys, *gone, "--fn-cost", "5", "--settle", "0")
    assert "--more-rows must" in refused(capsys, *gone, "--fn-cost", "5", "--more-rows", "0")

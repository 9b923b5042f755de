"""What `estimate` returns, and what it refuses."""

import re
from dataclasses import replace
from functools import partial
from itertools import product

import numpy as np
import pytest

import costspace as cs
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.estimates.named import statistic_named

Y = [0, 0, 0, 1, 0, 1, 1, 1]
S = [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9]
NAMES = (
    *("auc", "auc_hull", "brier", "macro_brier", "mae", "macro_mae", "miscalibration"),
    *("refinement_loss", "h_measure", "voros"),
    *(f"expected_loss.{axis}.{choice}" for axis in ("cost", "skew") for choice in PARAMETER_FREE),
)
DEGENERATE = {
    "separated": ([0, 0, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.7, 0.8, 0.9]),
    "separated_by_two_scores": ([0, 0, 0, 1, 1, 1], [0, 0, 0, 1, 1, 1]),
    "reversed": ([1, 1, 0, 0, 0], [0.1, 0.2, 0.3, 0.7, 0.8]),
    "constant": ([0, 0, 0, 1, 1], [0.5] * 5),
    "two_of_each": ([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]),
}


@pytest.mark.parametrize("name", NAMES)
def test_degenerate_samples(name: str) -> None:
    statistic = statistic_named(name, cs.Beta(2, 3))
    low, high = statistic.range
    for case, weight in product(DEGENERATE, (None, 1.0, 0.5)):
        y, s = DEGENERATE[case]
        w = None if weight is None else weight * np.arange(1.0, len(y) + 1)
        found = cs.estimate(y, s, metric=statistic, sample_weight=w)
        assert low <= found.low <= found.corrected <= found.high <= high, (case, weight)
        assert found.low < found.high, (case, weight)
        assert np.isfinite(found.standard_error), (case, weight)


@pytest.mark.parametrize("name", NAMES)
def test_one_row_of_a_class_has_no_error(name: str) -> None:
    statistic = statistic_named(name, cs.Beta(2, 3))
    y, s = [0, 0, 0, 0, 1], [0.1, 0.5, 0.3, 0.7, 0.8]
    for weight in (None, 1.0, 0.5):
        w = None if weight is None else weight * np.arange(1.0, len(y) + 1)
        with pytest.raises(cs.LabelError, match="at least two rows of each class"):
            cs.estimate(y, s, metric=statistic, sample_weight=w)


def test_parameters_of_metrics() -> None:
    loss = cs.estimate(
        Y, S, metric=partial(cs.expected_loss, choice=cs.RateDriven(), costs=cs.Beta(2, 3))
    )
    expected = cs.expected_loss(Y, S, choice=cs.RateDriven(), costs=cs.Beta(2, 3))
    assert (loss.estimate, loss.name, loss.n) == (expected, "expected_loss", 8)
    part = cs.estimate(Y, S, metric=partial(cs.voros, low=0.2, high=0.6))
    assert part.estimate == cs.voros(Y, S, low=0.2, high=0.6)


@pytest.mark.parametrize(
    ("metric", "parameters", "message"),
    [
        (cs.auc, {"threshold": 3}, "auc has no parameter 'threshold': it has none"),
        (cs.voros, {"lo": 0.1}, "voros has no parameter 'lo': it has low, high, costs"),
        (cs.expected_loss, {"axis": "cost"}, "expected_loss needs choice: give them with"),
        ("auroc", {}, "there is no quantity 'auroc': there are auc, "),
        ([cs.auc], {}, "a metric is a function such as cs.auc, or a name such as 'auc', got ["),
        (None, {}, "a metric is a function such as cs.auc, or a name such as 'auc', got None"),
        (lambda table: 0.5, {}, "'<lambda>' has no closed-form standard error: use the bootstrap"),
    ],
)
def test_refused_metrics(metric: object, parameters: dict, message: str) -> None:
    with pytest.raises(cs.ConditionError, match=re.escape(message)):
        cs.estimate(Y, S, metric=partial(metric, **parameters) if parameters else metric)


def test_names_stand_for_metrics() -> None:
    assert cs.estimate(Y, S, metric="auc") == cs.estimate(Y, S, metric=cs.auc)
    assert cs.estimate(Y, S, metric="h_measure") == cs.estimate(Y, S, metric=cs.h_measure)
    loss = cs.estimate(Y, S, metric="expected_loss.skew.optimal")
    by_function = partial(cs.expected_loss, choice=cs.Optimal(), axis="skew")
    assert replace(loss, note=None) == replace(cs.estimate(Y, S, metric=by_function), note=None)


def test_a_given_prevalence_is_not_an_estimate() -> None:
    table = cs.ScoreTable.from_predictions(Y, S).with_prevalence(0.2)
    message = "the prevalence is given as 0.2, so it does not vary"
    with pytest.raises(cs.ConditionError, match=message):
        cs.estimate(Y, S, metric=cs.brier_score, prevalence=0.2, design="independent")
    with pytest.raises(cs.ConditionError, match=message):
        cs.estimate(table, metric=cs.brier_score, design="independent")
    assert cs.estimate(table, metric=cs.brier_score) == cs.estimate(
        Y, S, metric=cs.brier_score, prevalence=0.2
    )


def test_designs() -> None:
    assert cs.estimate(Y, S, metric=cs.brier_score).design == "independent"
    assert cs.estimate(Y, S, metric=cs.brier_score, design="stratified").design == "stratified"
    assert cs.estimate(Y, S, metric=cs.brier_score, prevalence=0.1).design == "stratified"
    assert cs.estimate(Y, S, metric=cs.macro_brier_score).design == "stratified"
    wide, narrow = (
        cs.estimate(np.append(Y, 0), np.append(S, 0.9), metric=cs.brier_score, design=design)
        for design in ("independent", "stratified")
    )
    assert wide.standard_error > narrow.standard_error


def test_a_table_will_do() -> None:
    table = cs.ScoreTable.from_predictions(Y, S)
    of_table, of_rows = (
        cs.estimate(table, metric=cs.h_measure),
        cs.estimate(Y, S, metric=cs.h_measure),
    )
    assert of_table == of_rows


def test_groups() -> None:
    y, s, groups = Y * 2, S * 2, list(range(8)) * 2
    twins = cs.estimate(y, s, metric=cs.brier_score, groups=groups)
    once = cs.estimate(Y, S, metric=cs.brier_score, groups=[f"patient {i}" for i in range(8)])
    assert twins.standard_error == pytest.approx(once.standard_error, rel=1e-12)
    assert twins.standard_error > 1.3 * cs.estimate(y, s, metric=cs.brier_score).standard_error


def test_counts() -> None:
    counts = [1, 2, 3, 1, 1, 2, 2, 1]
    counted = cs.estimate(Y, S, metric=cs.auc, sample_weight=counts, weights="counts")
    repeated = cs.estimate(np.repeat(Y, counts), np.repeat(S, counts), metric=cs.auc)
    assert counted.low == pytest.approx(repeated.low, rel=1e-12)
    sampled = cs.estimate(Y, S, metric=cs.auc, sample_weight=counts)
    assert sampled.standard_error > counted.standard_error


def test_expected_money_has_a_standard_error() -> None:
    known = cs.Deployment(fp_cost=1, fn_cost=(5, 50), prevalence=(0.05, 0.2), tn_cost=-1)
    found = cs.estimate(
        Y, S, metric=partial(cs.expected_money, choice=cs.ScoreFixed(0.5), conditions=known)
    )
    expected = cs.expected_money(Y, S, choice=cs.ScoreFixed(0.5), conditions=known)
    assert found.estimate == expected
    # Only the positives vary at this threshold, and each false negative costs 1000 pi1 fn.
    error = 1000 * known.positive_stake * np.sqrt(0.25 * 0.75 / 3)
    assert found.standard_error == pytest.approx(error, rel=1e-9)
    # The optimal rule costs no more than the better trivial rule, which it is on useless scores.
    least = cs.estimate(
        Y, [0.5] * 8, metric=partial(cs.expected_money, choice=cs.Optimal(), conditions=known)
    )
    assert least.low < least.high == pytest.approx(least.estimate)
    with pytest.raises(cs.ConditionError, match=r"at one prevalence, and not at 0\.05 to 0\.2"):
        cs.estimate(
            Y, S, metric=partial(cs.expected_money, choice=cs.RateDriven(), conditions=known)
        )


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"groups": [1, 2]}, cs.SourceError, "groups has 2 values for 8 labels"),
        ({"groups": [1.0] * 7 + [np.nan]}, cs.SourceError, "missing value in row 8"),
    ],
)
def test_refused_options(options: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        cs.estimate(Y, S, metric=cs.auc, **options)


def test_refused_input() -> None:
    table = cs.ScoreTable.from_predictions(Y, S)
    with pytest.raises(cs.SourceError, match="groups need rows"):
        cs.estimate(table, metric=cs.auc, groups=Y)
    with pytest.raises(cs.ConditionError, match="'kendall_tau' has no closed-form standard error"):
        cs.estimate(Y, S, metric=cs.kendall_tau)
    model = cs.AnalyticScores(lambda x: 2 * (1 - x), lambda x: 2 * x, 0.5)
    with pytest.raises(cs.SourceError, match="needs rows or a ScoreTable"):
        cs.estimate(model, metric=cs.auc)
    with pytest.raises(cs.ScoreError, match="Brier score needs scores in"):
        cs.estimate(Y, [10 * one for one in S], metric=cs.brier_score)

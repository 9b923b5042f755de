"""Comparisons against DeLong's formula, McNemar's test and the error rate they promise."""

import json
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest
from placements import delong
from refusals import refused
from scipy import stats

import costspace as cs
from costspace import ConditionError, LabelError, ScoreError, SourceError
from costspace.estimates.comparing import compare_samples
from costspace.estimates.named import statistic_named
from costspace.estimates.row_errors import row_error, row_influences
from costspace.samples.rows import ScoredRows

METRICS = ("auc", "brier", "macro_brier", "mae", "h_measure", "voros", "refinement_loss")
LOSSES = tuple(
    f"expected_loss.{axis}.{choice}"
    for axis in ("cost", "skew")
    for choice in ("score_fixed", "score_driven", "rate_uniform", "rate_driven", "optimal")
)


def sample(
    seed: int, n: int = 120, share: float = 0.3, spread: float = 1.0
) -> tuple[Any, dict[str, Any]]:
    """Labels and the scores of three models that see the same thing, each with its own noise."""
    random = np.random.default_rng(seed)
    y = np.arange(n) < share * n
    seen = y + random.normal(size=n)
    logits = {name: seen + spread * random.normal(size=n) - 0.7 for name in "abc"}
    # Rounded, so that there are ties.
    return y.astype(int), {name: np.round(1 / (1 + np.exp(-x)), 2) for name, x in logits.items()}


def only(comparison: Any) -> Any:
    (pair,) = comparison.pairs
    return pair


@pytest.mark.parametrize("design", ["independent", "stratified"])
@pytest.mark.parametrize("seed", range(3))
def test_auc_by_delong(seed: int, design: str) -> None:
    y, scores = sample(seed)
    # With DeLong's divisors, the size of each class minus 1.
    aucs, covariance = delong(y, *scores.values(), ddof=1)
    found = cs.compare(y, scores, metrics=["auc"], design=design, correction=None)
    assert [(p.a, p.b) for p in found.pairs] == [("a", "b"), ("a", "c"), ("b", "c")]
    for pair, (i, j) in zip(found.pairs, [(0, 1), (0, 2), (1, 2)], strict=True):
        se = np.sqrt(covariance[i, i] + covariance[j, j] - 2 * covariance[i, j])
        assert pair.difference == pytest.approx(aucs[i] - aucs[j], abs=1e-14)
        assert pair.standard_error == pytest.approx(se, rel=1e-12)
        assert pair.low == pytest.approx(pair.difference - stats.norm.ppf(0.975) * se)
        assert pair.high == pytest.approx(pair.difference + stats.norm.ppf(0.975) * se)
        assert pair.p == pair.p_adjusted
        assert pair.p == pytest.approx(2 * stats.norm.sf(abs(pair.difference) / se))


def test_unpaired_variances_add() -> None:
    (y, first), (z, second) = sample(1, n=90), sample(2, n=150)
    comparison = cs.compare(
        {"a": y, "b": z}, {"a": first["a"], "b": second["b"]}, metrics=["auc"], design="stratified"
    )
    assert not comparison.paired
    assert comparison.n == 240
    assert "on independent samples, n 240" in repr(comparison)
    (auc_a,), variance_a = delong(y, first["a"])
    (auc_b,), variance_b = delong(z, second["b"])
    pair = only(comparison)
    assert pair.difference == pytest.approx(auc_a - auc_b)
    assert pair.standard_error == pytest.approx(np.sqrt(variance_a + variance_b).item())


def test_error_rates_by_mcnemar() -> None:
    y, scores = sample(4, n=400)
    wrong = {name: (s > 0.5) != y for name, s in scores.items()}
    pair = cs.compare(y, scores, metrics=["expected_loss.cost.score_fixed"]).pairs[0]
    b, c, n = np.sum(wrong["a"] & ~wrong["b"]), np.sum(wrong["b"] & ~wrong["a"]), len(y)
    assert b != c
    assert pair.difference == pytest.approx((b - c) / n)
    # McNemar's statistic without continuity correction, with the variance of Wald.
    assert pair.standard_error == pytest.approx(np.sqrt(b + c - (b - c) ** 2 / n) / n, rel=5e-3)


def test_brier_scores_by_the_paired_t_test() -> None:
    y, scores = sample(5, n=300)
    pair = cs.compare(y, scores, metrics=["brier"]).pairs[1]
    losses = (scores["a"] - y) ** 2 - (scores["c"] - y) ** 2
    assert pair.difference == pytest.approx(np.mean(losses))
    assert pair.standard_error == pytest.approx(stats.sem(losses), rel=5e-3)


@pytest.mark.parametrize("metric", [*METRICS, *LOSSES])
def test_models_in_the_other_order_have_the_opposite_difference(metric: str) -> None:
    y, scores = sample(6)
    there = only(cs.compare(y, {name: scores[name] for name in "ab"}, metrics=[metric]))
    back = only(cs.compare(y, {name: scores[name] for name in "ba"}, metrics=[metric]))
    assert back.difference == pytest.approx(-there.difference, abs=1e-15)
    assert back.standard_error == pytest.approx(there.standard_error)
    assert (back.low, back.high) == pytest.approx((-there.high, -there.low))
    assert back.p == pytest.approx(there.p)
    assert there.low < there.difference < there.high
    # On the same rows models that agree have a smaller standard error than on separate rows.
    apart = only(
        cs.compare({"a": y, "b": y}, {name: scores[name] for name in "ab"}, metrics=[metric])
    )
    assert apart.difference == there.difference
    assert apart.standard_error > there.standard_error


@pytest.mark.parametrize("metric", [*METRICS, *LOSSES])
def test_identical_models_do_not_differ(metric: str) -> None:
    y, scores = sample(7)
    pair = only(cs.compare(y, {"a": scores["a"], "again": scores["a"]}, metrics=[metric]))
    assert (pair.difference, pair.standard_error, pair.p, pair.p_adjusted) == (0, 0, 1, 1)
    assert pair.low < 0 < pair.high
    assert pair.method == "unseen"


def test_certain_models_are_not_certainly_different() -> None:
    y = np.repeat([0, 1], [8, 6])
    pair = only(cs.compare(y, {"perfect": y, "constant": np.full(14, 0.5)}, metrics=["auc"]))
    assert (pair.difference, pair.standard_error, pair.method) == (0.5, 0.0, "unseen")
    assert pair.p == pytest.approx(2 * 0.75**6)
    assert -1 <= pair.low < 0.5 < pair.high <= 1


@pytest.mark.simulation
@pytest.mark.parametrize("metric", ["auc", "brier", "expected_loss.cost.score_fixed"])
def test_exchangeable_models_differ_as_often_as_the_level_says(metric: str) -> None:
    runs = 400
    p = []
    for seed in range(runs):
        y, scores = sample(seed, n=150)
        p.append(only(cs.compare(y, {n: scores[n] for n in "ab"}, metrics=[metric])).p)
    # Five standard deviations of a binomial share.
    for alpha in (0.05, 0.3):
        reach = 5 * np.sqrt(alpha * (1 - alpha) / runs)
        assert alpha - reach < np.mean(np.array(p) <= alpha) < alpha + reach


def test_a_copied_cluster_adds_nothing() -> None:
    y, scores = sample(8)
    rows = np.repeat(np.arange(len(y)), 3)
    pair = {name: scores[name] for name in "ab"}
    plain = cs.compare(y, pair, metrics=METRICS).columns()
    copied = {name: s[rows] for name, s in pair.items()}
    clustered = cs.compare(y[rows], copied, metrics=METRICS, groups=rows).columns()
    np.testing.assert_allclose(clustered["difference"], plain["difference"], atol=1e-14)
    np.testing.assert_allclose(clustered["standard_error"], plain["standard_error"], rtol=1e-2)
    np.testing.assert_allclose(clustered["bias"], plain["bias"], rtol=3e-2, atol=1e-12)
    assert np.any(plain["bias"] != 0)
    naive = cs.compare(y[rows], copied, metrics=METRICS).columns()
    ratio = (naive["standard_error"] / plain["standard_error"])[plain["bias"] == 0]
    assert len(ratio) == 4
    np.testing.assert_allclose(ratio, 1 / np.sqrt(3), rtol=1e-2)


def test_weights() -> None:
    y, scores = sample(9)
    pair = {name: scores[name] for name in "ab"}
    counts = np.random.default_rng(0).integers(1, 4, len(y))
    rows = np.repeat(np.arange(len(y)), counts)
    repeated = cs.compare(
        y[rows], {name: s[rows] for name, s in pair.items()}, metrics=METRICS
    ).columns()
    counted = cs.compare(y, pair, metrics=METRICS, sample_weight=counts, weights="counts").columns()
    for name in ("difference", "standard_error"):
        np.testing.assert_allclose(counted[name], repeated[name], rtol=5e-3, atol=1e-13)
    sampled = cs.compare(y, pair, metrics=METRICS, sample_weight=counts).columns()
    scaled = cs.compare(y, pair, metrics=METRICS, sample_weight=7.5 * counts).columns()
    np.testing.assert_allclose(scaled["standard_error"], sampled["standard_error"])
    assert np.all(sampled["standard_error"] > counted["standard_error"])


def test_a_prevalence_fixes_the_classes() -> None:
    y, scores = sample(10)
    found = cs.compare(y, scores, metrics=["auc", "brier"], prevalence=0.5)
    macro = cs.compare(y, scores, metrics=["auc", "macro_brier"], design="stratified")
    assert set(found.columns()["design"]) == {"stratified"}
    for name in ("difference", "standard_error", "p"):
        np.testing.assert_allclose(found.columns()[name], macro.columns()[name])


def test_all_comparisons_are_one_family() -> None:
    y, scores = sample(11)
    metrics = ["auc", "brier"]
    plain = cs.compare(y, scores, metrics=metrics, correction=None).columns()["p"]
    assert len(plain) == 6
    bonferroni = cs.compare(y, scores, metrics=metrics, correction="bonferroni").columns()
    np.testing.assert_allclose(bonferroni["p_adjusted"], np.minimum(6 * plain, 1))
    holm = cs.compare(y, scores, metrics=metrics).columns()["p_adjusted"]
    assert np.all((plain <= holm) & (holm <= bonferroni["p_adjusted"]))


def test_the_design_goes_with_the_metric() -> None:
    y, scores = sample(12)
    names = ["brier", "macro_brier", "expected_loss.skew.optimal"]
    found = cs.compare(y, {name: scores[name] for name in "ab"}, metrics=names)
    assert [pair.design for pair in found.pairs] == ["independent", "stratified", "stratified"]
    fixed = cs.compare(y, scores, metrics=names, design="stratified")
    assert {pair.design for pair in fixed.pairs} == {"stratified"}
    metrics = [cs.brier_score, cs.macro_brier_score]
    assert (
        cs.compare(y, scores, metrics=metrics).pairs[:3]
        == cs.compare(y, scores, metrics=names[:2]).pairs[:3]
    )


def test_expected_losses_under_costs() -> None:
    y, scores = sample(12)
    costs = cs.Beta(2, 5)
    pair = cs.compare(y, scores, metrics=["expected_loss.skew.score_driven"], costs=costs).pairs[0]
    a, b = (
        cs.expected_loss(y, scores[name], choice=cs.ScoreDriven(), costs=costs, axis="skew")
        for name in "ab"
    )
    assert pair.difference == pytest.approx(a - b)


def test_rows_are_plain_and_complete() -> None:
    y, scores = sample(13)
    comparison = cs.compare(y, scores, metrics=["auc"])
    rows = json.loads(json.dumps(comparison.to_rows()))
    assert len(rows) == 3
    assert list(rows[0]) == [
        *(
            "a",
            "b",
            "metric",
            "difference",
            "se",
            "low",
            "high",
            "p",
            "p_adjusted",
            "method",
            "design",
            "bias",
        )
    ]
    assert all(len(column) == 3 for column in comparison.columns().values())
    text = repr(comparison)
    assert "95 % intervals on the same rows, n 120, p adjusted by Holm" in text
    assert "auc: a - b" in text


def test_a_metric_without_meaning_is_noted() -> None:
    y, scores = sample(14)
    margins = {name: 10 * s for name, s in scores.items()}
    found = cs.compare(y, margins, metrics=["auc", "brier"])
    assert {pair.metric for pair in found.pairs} == {"auc"}
    assert found.notes["brier"] == "a, b, c: the Brier score needs scores in [0, 1]."
    assert "No brier of a, b, c: the Brier score needs scores in [0, 1]." in repr(found)
    why = (
        r"^a: the Brier score needs scores in \[0, 1\], got scores from 0.* Also without it: b, c.$"
    )
    with pytest.raises(ScoreError, match=why):
        cs.compare(y, margins, metrics=["brier"])


@pytest.mark.parametrize("paired", [True, False])
def test_a_metric_is_compared_between_the_models_that_have_it(paired: bool) -> None:
    y, scores = sample(14)
    mixed = {"points": 10 * scores["c"], "a": scores["a"], "b": scores["b"]}
    labels = y if paired else dict.fromkeys(mixed, y)
    found = cs.compare(labels, mixed, metrics=["brier", "auc"], correction="bonferroni")
    assert [(pair.metric, pair.a, pair.b) for pair in found.pairs] == [
        ("brier", "a", "b"),
        ("auc", "points", "a"),
        ("auc", "points", "b"),
        ("auc", "a", "b"),
    ]
    both = {name: mixed[name] for name in "ab"}
    alone = cs.compare(y if paired else dict.fromkeys(both, y), both, metrics="brier")
    assert replace(found.pairs[0], p_adjusted=found.pairs[0].p) == alone.pairs[0]
    for pair in found.pairs:
        assert pair.p_adjusted == pytest.approx(min(4 * pair.p, 1))
    assert found.notes["brier"] == "points: the Brier score needs scores in [0, 1]."
    assert "No brier of points: the Brier score needs scores in [0, 1]." in found.remarks()


def test_a_metric_of_a_single_model_is_left_out_with_the_others_in_the_note() -> None:
    y, scores = sample(14)
    mixed = {"a": scores["a"], "points": 10 * scores["b"], "percent": 100 * scores["c"]}
    found = cs.compare(y, mixed, metrics=["auc", "brier"])
    assert {pair.metric for pair in found.pairs} == {"auc"}
    assert found.notes["brier"] == "points, percent: the Brier score needs scores in [0, 1]."
    with refused(ScoreError, "points: the Brier score needs scores in [0, 1], got scores from 0"):
        cs.compare(y, mixed, metrics=["brier", "mae"])


def test_what_leaves_no_interval_is_noted_for_all_models() -> None:
    y, scores = sample(14)

    def infinite(_: Any) -> float:
        return np.inf

    metrics = {"auc": "auc", "odd": replace(statistic_named("auc"), value=infinite)}
    found = cs.compare(y, scores, metrics=metrics)
    assert {pair.metric for pair in found.pairs} == {"auc"}
    why = "an interval needs a finite estimate and standard error"
    assert found.notes["odd"] == f"a, b, c: {why}."
    with refused(ScoreError, f"a: {why}, got nan"):
        cs.compare(y, scores, metrics={"odd": metrics["odd"]})


def test_one_metric_needs_no_list() -> None:
    y, scores = sample(15)
    pairs = cs.compare(y, scores, metrics=["auc"]).pairs
    for metric in ("auc", cs.auc, statistic_named("auc")):
        assert cs.compare(y, scores, metrics=metric).pairs == pairs


def test_metrics_with_parameters() -> None:
    y, scores = sample(15)
    ranges = {"low": partial(cs.voros, high=0.3), "high": partial(cs.voros, low=0.3)}
    found = cs.compare(y, {name: scores[name] for name in "ab"}, metrics={**ranges, "area": cs.auc})
    assert [pair.metric for pair in found.pairs] == ["low", "high", "area"]
    for pair, metric in zip(found.pairs, [*ranges.values(), cs.auc], strict=True):
        expected = metric(y, scores["a"]) - metric(y, scores["b"])
        assert pair.difference == pytest.approx(expected, abs=1e-14)
    fixed = partial(cs.expected_loss, choice=cs.ScoreFixed())
    named = "expected_loss.cost.score_fixed"
    pair, same = (cs.compare(y, scores, metrics=metric).pairs[0] for metric in (fixed, named))
    assert (pair.metric, pair.difference, pair.p) == ("expected_loss", same.difference, same.p)
    with refused(ConditionError, "there are two metrics 'voros'"):
        cs.compare(y, scores, metrics=list(ranges.values()))
    with refused(ConditionError, "voros has no parameter 'lower'"):
        cs.compare(y, scores, metrics=partial(cs.voros, lower=0.1))


def test_refusals() -> None:
    y, scores = sample(15)
    with refused(ScoreError, "the scores of two models at least"):
        cs.compare(y, {"a": scores["a"]})
    with refused(ScoreError, "there is no metric to compare by"):
        cs.compare(y, scores, metrics=[])
    with refused(ConditionError, "the prevalence is given as 0.2, so it does not vary"):
        cs.compare(y, scores, design="independent", prevalence=0.2)
    with refused(ConditionError, "a metric is a function such as cs.auc, or a name"):
        cs.compare(y, scores, metrics=3)
    for twice in (["auc", "brier", "auc"], ["auc", cs.auc]):
        with refused(ConditionError, "there are two metrics 'auc', and p-values are adjusted"):
            cs.compare(y, scores, metrics=twice)
    with refused(ConditionError, "expected_loss needs choice"):
        cs.compare(y, scores, metrics=[cs.expected_loss])
    with refused(LabelError, "y_true must have an entry for 'b' too"):
        cs.compare({"a": y}, scores)
    with refused(ScoreError, "y_true has an entry for 'd', which has no scores"):
        cs.compare(dict.fromkeys("abcd", y), scores)
    with refused(LabelError, "sample_weight must have an entry for 'a' too"):
        cs.compare(dict.fromkeys("abc", y), scores, sample_weight=np.ones(len(y)))
    with refused(SourceError, "groups is a mapping, y_true is not"):
        cs.compare(y, scores, groups={"a": y})


@pytest.mark.parametrize("metric", ["aucc", "expected_loss.cost.best", "expected_loss.x.optimal"])
def test_refuses_unknown_metrics(metric: str) -> None:
    y, scores = sample(15)
    with pytest.raises(ConditionError, match=f"there is no quantity '{metric}'"):
        cs.compare(y, scores, metrics=[metric])


def test_one_row_of_a_class_is_refused() -> None:
    scores = {"a": [0.1, 0.2, 0.4, 0.3], "b": [0.1, 0.4, 0.2, 0.3]}
    with refused(LabelError, "at least two rows of each class"):
        cs.compare([0, 0, 0, 1], scores, metrics=["auc"])


@pytest.mark.parametrize("metric", ["h_measure", "voros", "expected_loss.cost.optimal"])
def test_biases_are_those_of_the_estimates(metric: str) -> None:
    y, scores = sample(16)
    pair = {name: scores[name] for name in "ab"}
    a, b = (cs.estimate(y, s, metric=statistic_named(metric)) for s in pair.values())
    apart = only(cs.compare({"a": y, "b": y}, pair, metrics=[metric]))
    assert a.bias != b.bias
    assert apart.bias == pytest.approx(a.bias - b.bias)
    # An estimate's standard error includes that of its bias.
    assert apart.standard_error == pytest.approx(
        np.hypot(a.standard_error, b.standard_error), rel=5e-3
    )


def test_paired_biases_are_as_correlated_as_the_rows() -> None:
    y, scores = sample(17)
    pair = {name: scores[name] for name in "ab"}
    rows = ScoredRows.from_predictions(y, pair)
    statistic, of_rows, biases = statistic_named("h_measure"), [], []
    for name in pair:
        table = cs.ScoreTable.from_rows(rows, name)
        of_rows.append(row_influences(statistic.influence(table), rows, table, name))
        biases.append(cs.estimate(table, metric=statistic).bias)
    errors = np.array([row_error(one, rows) for one in of_rows])
    common = (np.sum(errors**2) - row_error(of_rows[0] - of_rows[1], rows) ** 2) / 2
    matrix = np.array([[errors[0] ** 2, common], [common, errors[1] ** 2]])
    of_biases = matrix / np.outer(errors, errors) * np.outer(biases, biases) / 3
    sign = np.array([1, -1])
    expected = np.sqrt(sign @ (matrix + of_biases) @ sign)
    found = only(cs.compare(y, pair, metrics=["h_measure"]))
    assert found.standard_error == pytest.approx(expected, rel=1e-9)
    assert found.standard_error > 1.02 * np.sqrt(sign @ matrix @ sign)


def test_biases_leave_metrics_in_their_range() -> None:
    # H of uninformative scores is below its bias.
    y, nothing = np.arange(40) % 2, np.random.default_rng(0).random(40)
    scores = {"nothing": nothing, "something": 0.5 * y + nothing}
    found = only(cs.compare(y, scores, metrics=["h_measure"]))
    a, b = (cs.estimate(y, s, metric=cs.h_measure) for s in scores.values())
    assert a.corrected == 0 < a.bias
    assert found.bias == pytest.approx(a.bias - b.bias)
    assert found.low < found.difference - found.bias < found.high


@pytest.mark.simulation
def test_a_difference_of_miscalibrations_covers() -> None:
    """Of two models of one population, of which it is 0: neither too often nor too rarely."""
    rng, covered = np.random.default_rng(5), 0
    for _ in range(400):
        y = rng.random(300) < 0.5
        common, *own = rng.standard_normal((3, 300))
        scores = {
            name: 1 / (1 + np.exp(-2.5 * (y - 0.5 + 0.8 * common + 0.6 * noise)))
            for name, noise in zip("ab", own, strict=True)
        }
        (pair,) = cs.compare(y, scores, metrics="miscalibration").pairs
        covered += pair.low <= 0 <= pair.high
    assert 0.92 < covered / 400 < 0.98


def test_progress_is_reported_once_a_metric() -> None:
    y, scores = sample(1)
    rows, told = ScoredRows.from_predictions(y, scores), []
    found = compare_samples([rows], metrics=["auc", "brier", "mae", "voros"], progress=told.append)
    assert told == [0.25, 0.5, 0.75, 1.0]
    assert (
        found.to_rows() == cs.compare(y, scores, metrics=["auc", "brier", "mae", "voros"]).to_rows()
    )

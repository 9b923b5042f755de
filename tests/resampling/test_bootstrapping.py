"""The bootstrap: what is drawn, against closed forms and direct resampling; intervals, refusals."""

from functools import partial

import numpy as np
import pytest
from placements import delong
from refusals import refused

import costspace as cs
from costspace import ConditionError, ScoreError, SourceError, WeightError
from costspace.resampling.acceleration import acceleration_of
from costspace.resampling.resamples import Resampling
from costspace.samples.rows import ScoredRows

Y = np.array([0, 0, 0, 1, 0, 1, 1, 1])
S = np.array([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.9])
DESIGNS = ("independent", "stratified")


def predictions(n: int = 400, share: float = 0.3, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = (rng.random(n) < share).astype(int)
    return labels, 1 / (1 + np.exp(-rng.normal(size=n) - labels + 1))


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("decimals", [12, 1])
def test_standard_error_of_the_auc_is_delongs(design: str, decimals: int) -> None:
    labels, scores = predictions()
    scores = scores.round(decimals)
    found = cs.bootstrap(labels, scores, metrics=cs.auc, replicates=4000, design=design)
    _, variance = delong(labels, scores, ddof=0)
    # The standard error of a standard deviation of 4000 values is 1.1 %.
    assert found.standard_error[0] == pytest.approx(np.sqrt(variance).item(), rel=0.05)
    assert abs(found.bias[0]) < 4 * found.standard_error[0] / np.sqrt(4000)


def test_replicates_are_metrics_of_resampled_rows() -> None:
    labels, scores = predictions(60)
    metrics = [cs.auc, cs.brier_score, cs.h_measure, cs.voros, cs.accuracy, cs.kendall_tau]
    found = cs.bootstrap(labels, scores, metrics=metrics, replicates=50, seed=5)
    rng = np.random.default_rng(5)
    for values in found.replicates:
        rows = rng.integers(0, 60, 60)
        expected = [metric(labels[rows], scores[rows]) for metric in metrics]
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-12)
    assert found.estimate.tolist() == pytest.approx([metric(labels, scores) for metric in metrics])


@pytest.mark.parametrize("design", DESIGNS)
def test_replicates_are_metrics_of_what_was_drawn(design: str) -> None:
    """Of so many rows that counts are not drawn one by one."""
    labels, scores = predictions(1500)
    # So small a part of the score tells the row.
    scores = scores.round(2) + np.arange(1500) * 1e-12
    tables: list[cs.ScoreTable] = []
    metrics = {"auc": cs.auc, "h": cs.h_measure, "seen": lambda t: tables.append(t) or t.prevalence}
    if design == "stratified":
        del metrics["seen"]
        metrics["auc"] = lambda t: tables.append(t) or cs.auc(t)
    found = cs.bootstrap(
        labels, scores, metrics=metrics, replicates=40, design=design, method="basic"
    )
    order = np.argsort(scores)
    for values, table in zip(found.replicates, tables[1:], strict=True):
        drawn = np.zeros(1500, dtype=int)
        for sample in (table.negatives, table.positives):
            drawn[order[np.searchsorted(scores[order], sample.values)]] = sample.weights
        assert drawn.sum() == 1500
        rows = np.repeat(np.arange(1500), drawn)
        assert values[0] == pytest.approx(cs.auc(labels[rows], scores[rows]), abs=1e-12)
        if design == "stratified":
            assert labels[rows].sum() == labels.sum()
        assert values[1] == pytest.approx(cs.h_measure(labels[rows], scores[rows]), abs=1e-12)


def test_sampling_weights_go_with_their_rows() -> None:
    labels, scores = predictions(60)
    weight = np.random.default_rng(2).uniform(0.5, 3, 60)
    found = cs.bootstrap(
        labels,
        scores,
        metrics=[cs.brier_score, cs.h_measure],
        replicates=50,
        sample_weight=weight,
        seed=5,
    )
    rng = np.random.default_rng(5)
    for values in found.replicates:
        rows = rng.integers(0, 60, 60)
        for value, metric in zip(values, (cs.brier_score, cs.h_measure), strict=True):
            expected = metric(labels[rows], scores[rows], sample_weight=weight[rows])
            assert value == pytest.approx(expected, abs=1e-12)


def test_counts_are_so_many_rows() -> None:
    labels, scores = predictions(100)
    counts = np.random.default_rng(2).integers(0, 5, 100)
    repeated = np.repeat(labels, counts), np.repeat(scores, counts)
    found = cs.bootstrap(
        labels,
        scores,
        metrics=cs.brier_score,
        replicates=3000,
        sample_weight=counts,
        weights="counts",
    )
    expected = cs.bootstrap(*repeated, metrics=cs.brier_score, replicates=3000)
    assert found.estimate[0] == pytest.approx(expected.estimate[0], abs=1e-12)
    assert found.standard_error[0] == pytest.approx(expected.standard_error[0], rel=0.06)
    # As sampling weights they are 100 rows, not 200.
    sampled = cs.bootstrap(
        labels, scores, metrics=cs.brier_score, replicates=3000, sample_weight=counts
    )
    assert sampled.standard_error[0] > 1.2 * found.standard_error[0]


def test_a_stratified_design_keeps_class_sizes() -> None:
    labels, scores = predictions()
    rows = ScoredRows.from_predictions(labels, {"m": scores})
    resampling = Resampling.of(rows, "m", design="stratified")
    rng = np.random.default_rng(0)
    for _ in range(20):
        table, dropped = resampling.draw(rng)
        assert dropped == 0
        assert table.negatives.total == np.sum(labels == 0)
        assert table.positives.total == np.sum(labels == 1)


def test_an_independent_design_varies_class_sizes() -> None:
    labels, scores = predictions()
    found = cs.bootstrap(labels, scores, metrics=lambda table: table.prevalence, replicates=3000)
    share = np.mean(labels)
    expected = np.sqrt(share * (1 - share) / 400)
    assert found.standard_error[0] == pytest.approx(expected, rel=0.06)


def test_a_share_of_positives_is_held() -> None:
    labels, scores = predictions()
    weight = np.random.default_rng(4).uniform(0.1, 2, 400)
    rows = ScoredRows.from_predictions(labels, {"m": scores}, sample_weight=weight)
    for options, share in (
        ({"design": "stratified"}, rows.prevalence),
        ({"prevalence": 0.05}, 0.05),
        ({"prevalence": 0.05, "design": "stratified"}, 0.05),
    ):
        resampling = Resampling.of(rows, "m", **options)
        tables = [resampling.sample, resampling.draw(np.random.default_rng(0))[0]]
        assert [table.prevalence for table in tables] == [share, share]
    found = cs.bootstrap(labels, scores, metrics=cs.brier_score, prevalence=0.05)
    assert found.estimate[0] == cs.brier_score(labels, scores, prevalence=0.05)
    assert found.design == "stratified"
    assert cs.bootstrap(labels, scores, metrics=cs.auc, replicates=39).design == "independent"
    closed = cs.estimate(labels, scores, metric=cs.brier_score, prevalence=0.05)
    assert found.standard_error[0] == pytest.approx(closed.standard_error, rel=0.1)


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("pure", [True, False])
def test_clusters_are_drawn_whole(design: str, pure: bool) -> None:
    labels = np.repeat([0, 1], 20) if pure else np.tile([0, 1], 20)
    groups = np.arange(40) // 4
    rows = ScoredRows.from_predictions(labels, {"m": np.arange(40) / 40}, groups=groups)
    resampling = Resampling.of(rows, "m", design=design)
    for seed in range(20):
        table, _ = resampling.draw(np.random.default_rng(seed))
        found = np.zeros(40)
        for sample in (table.negatives, table.positives):
            found[(sample.values * 40).round().astype(int)] = sample.weights
        assert np.all(found.reshape(10, 4) == found.reshape(10, 4)[:, :1])
        assert found.sum() == 40
        if design == "stratified" and pure:
            assert table.negatives.total == 20


@pytest.mark.parametrize("design", DESIGNS)
def test_copies_in_clusters_change_no_replicate(design: str) -> None:
    labels, scores = predictions(150)
    copies = np.repeat(labels, 3), np.repeat(scores, 3)
    groups = np.repeat(np.arange(150), 3)
    single = cs.bootstrap(labels, scores, metrics=[cs.auc, cs.brier_score], design=design, seed=3)
    clustered = cs.bootstrap(
        *copies, metrics=[cs.auc, cs.brier_score], groups=groups, design=design, seed=3
    )
    np.testing.assert_allclose(clustered.replicates, single.replicates, atol=1e-12)


def test_seeds() -> None:
    first, again, other = (
        cs.bootstrap(Y, S, metrics=cs.auc, replicates=100, seed=seed, design="stratified")
        for seed in (7, 7, 8)
    )
    np.testing.assert_array_equal(first.replicates, again.replicates)
    assert np.any(first.replicates != other.replicates)


def test_the_same_seed_pairs_models() -> None:
    labels, scores = predictions()
    close = scores + np.random.default_rng(0).normal(0, 0.02, len(scores))
    a, b, apart = (
        cs.bootstrap(labels, s, metrics=cs.auc, seed=seed)
        for s, seed in ((scores, 0), (close, 0), (close, 1))
    )
    paired = np.std(a.replicates - b.replicates)
    assert paired < 0.3 * np.std(a.replicates - apart.replicates)


def test_progress_and_interrupts() -> None:
    told: list[float] = []
    cs.bootstrap(Y, S, metrics=cs.auc, replicates=250, progress=told.append, design="stratified")
    assert told[-1] == 1
    assert len(told) <= 100
    assert told == sorted(set(told))
    assert 0 < told[0] <= 0.02

    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cs.bootstrap(Y, S, metrics=cs.auc, progress=stop, design="stratified")


def test_resamples_without_a_class_are_drawn_again() -> None:
    labels = np.array([1, 1] + [0] * 30)
    scores = np.append([0.5, 0.7], np.linspace(0, 1, 30))
    found = cs.bootstrap(labels, scores, metrics=cs.auc)
    assert np.isfinite(found.replicates).all()
    # A resample of 32 has no positive with probability (30/32)^32, about 1/8.
    assert 90 < found.dropped < 210


@pytest.mark.parametrize("design", DESIGNS)
def test_acceleration_of_a_mean(design: str) -> None:
    """In parts the jackknife finds what leaving out single rows does, up to its noise."""
    labels, scores = predictions(2000, share=0.5)
    metrics = {"by influence": cs.brier_score, "by jackknife": partial(cs.brier_score)}
    found = cs.bootstrap(labels, scores, metrics=metrics, replicates=200, design=design)
    errors = (scores - labels) ** 2
    if design == "stratified":
        errors -= np.where(labels == 1, errors[labels == 1].mean(), errors[labels == 0].mean())
    else:
        errors -= errors.mean()
    assert found.acceleration is not None
    assert found.acceleration[0] == pytest.approx(acceleration_of(errors), abs=1e-12)
    assert found.acceleration[1] == pytest.approx(acceleration_of(errors), abs=0.012)


def test_parts_left_out() -> None:
    """Each row is in one part; a row that counts for many is in as many."""
    counts = np.array([3, 1, 0, 2, 1, 1, 4, 1])
    rows = ScoredRows.from_predictions(Y, {"m": S}, sample_weight=counts)
    for design, strata in (("independent", [13]), ("stratified", [5, 8])):
        resampling = Resampling.of(rows, "m", design=design, weights="counts")
        parts = list(resampling.leaving_out(np.random.default_rng(0)))
        assert np.bincount([number for number, _ in parts]).tolist() == strata
        assert all(sum(table.ranking.totals) == 12 for _, table in parts)
        left = sum(table.ranking.totals[1] for _, table in parts)
        assert left == 8 * (len(parts) - 1)
    labels, scores = predictions(1000)
    resampling = Resampling.of(ScoredRows.from_predictions(labels, {"m": scores}), "m")
    parts = list(resampling.leaving_out(np.random.default_rng(0)))
    assert [sum(table.ranking.totals) for _, table in parts] == [995] * 200
    assert len({table.ranking.totals for _, table in parts}) <= 2


def test_an_interval_corrects_what_the_hull_adds() -> None:
    """By what the closed form says, by whatever method, and its error is part of the error."""
    metrics = {
        "voros": cs.voros,
        "part": partial(cs.voros, low=0.1, high=0.4),
        "loss": cs.refinement_loss,
        "plain": lambda table: 1 - (1 - cs.voros(table)),
    }
    labels, scores = predictions(1000)
    found = cs.bootstrap(labels, scores, metrics=metrics)
    assert list(found.corrections) == ["voros", "part", "loss"]
    assert found.corrected[3] == found.estimate[3] == pytest.approx(found.estimate[0])
    for name in ("voros", "part", "loss"):
        closed = cs.estimate(labels, scores, metric=metrics[name], design="independent")
        i = found.names.index(name)
        assert found.corrected[i] == pytest.approx(closed.corrected, abs=1e-12)
        assert np.sign(found.bias[i]) == np.sign(closed.bias)
        for method in ("percentile", "basic", "bca"):
            one = found.interval(name, method=method)
            assert one.bias == pytest.approx(closed.bias, abs=1e-12)
            assert one.low < one.corrected < one.high
            assert one.standard_error > found.standard_error[i]
            assert one.standard_error == pytest.approx(closed.standard_error, rel=0.15)
            assert (one.low, one.high) == pytest.approx(
                (closed.low, closed.high), abs=0.4 * closed.standard_error
            )


def test_groups_have_larger_biases() -> None:
    labels, scores = predictions(300)
    copies = np.repeat(labels, 4), np.repeat(scores, 4)
    groups = np.repeat(np.arange(300), 4)
    single = cs.bootstrap(
        labels, scores, metrics=cs.h_measure, replicates=50, method="basic", level=0.9
    )
    found = cs.bootstrap(
        *copies, metrics=cs.h_measure, groups=groups, replicates=50, method="basic", level=0.9
    )
    assert found.corrected[0] == pytest.approx(single.corrected[0], abs=0.02 * single.bias[0])


@pytest.mark.parametrize("method", ["percentile", "basic", "bca"])
@pytest.mark.parametrize("level", [0.9, 0.3])
def test_miscalibration_has_an_upper_bound(method: str, level: float) -> None:
    rng = np.random.default_rng(3)
    scores = rng.random(500)
    # Calibrated scores: every replicate is above the sample's value, which is above the truth.
    labels = rng.random(500) < scores
    found = cs.bootstrap(
        labels, scores, metrics=cs.miscalibration, replicates=200, method=method, level=level
    )
    assert found.replicates.min() > found.estimate[0] > 0
    closed = cs.estimate(labels, scores, metric=cs.miscalibration, level=level)
    assert found.low[0] == 0 <= found.corrected[0] <= found.high[0]
    assert found.corrected[0] == pytest.approx(closed.corrected, abs=1e-12)
    assert found.high[0] == pytest.approx(closed.high, abs=0.7 * closed.standard_error)
    one = found.interval("miscalibration")
    assert (one.low, one.high) == (found.low[0], found.high[0])


def test_a_metric_without_interval_is_noted() -> None:
    labels, scores = predictions(200)
    metrics = {
        "auc": cs.auc,
        # Above the sample's on every resample, with a bias that nobody knows.
        "distinct": lambda table: len(table.by_score.breaks) / 200,
        "constant": lambda table: 0.25,
    }
    found = cs.bootstrap(labels, scores, metrics=metrics, replicates=100)
    assert found.notes == {
        "distinct": "the estimate 1 is outside all replicates, so a BCa interval has no "
        "meaning: use method='basic'.",
        "constant": "constant is 0.25 on every resample, which does not show its error: leave "
        "it out, or use an interval in closed form.",
    }
    assert np.isfinite(found.low).tolist() == [True, False, False]
    assert np.isfinite(found.high).tolist() == [True, False, False]
    assert "distinct 1, no interval" in repr(found)
    assert found.interval("distinct", method="basic").low > 0.9
    with refused(ScoreError, "the estimate 1 is outside all replicates"):
        found.interval("distinct")
    with refused(ScoreError, "constant is 0.25 on every resample"):
        found.interval("constant", method="basic")


def test_the_record() -> None:
    metrics = {"a": cs.auc, "wide": lambda table: cs.voros(table, low=0.1, high=0.3)}
    found = cs.bootstrap(*predictions(), metrics=metrics, level=0.9, method="bca")
    columns = found.columns()
    assert columns["metric"].tolist() == ["a", "wide"]
    assert np.all(columns["low"] < columns["estimate"])
    assert np.all(columns["estimate"] < columns["high"])
    one = found.interval("wide")
    assert (one.low, one.high, one.method, one.level) == (found.low[1], found.high[1], "bca", 0.9)
    wider = found.interval("a", method="percentile", level=0.99)
    assert wider.high - wider.low > found.high[0] - found.low[0]
    assert "a 0.7" in repr(found)
    assert "90 % interval" in repr(found)
    with refused(ConditionError, "there are no replicates of 'b': there are 'a', 'wide'."):
        found.interval("b")
    plain = cs.bootstrap(*predictions(), metrics=metrics, method="basic")
    with refused(ConditionError, "call bootstrap with method='bca'."):
        plain.interval("a", method="bca")


def test_refusals() -> None:
    for options, error, text in (
        ({"replicates": 1}, ConditionError, "replicates must be a whole number, at least 2, got"),
        ({"replicates": 38}, ConditionError, "replicates must be at least 39 for an interval"),
        ({"method": "normal"}, ConditionError, "method must be 'percentile' or 'basic' or 'bca'"),
        (
            {"prevalence": 0.2, "design": "independent"},
            ConditionError,
            "the prevalence is given as 0.2, so it does not vary as with independent rows",
        ),
        ({"weights": "counts"}, WeightError, "weights='counts' needs sample_weight"),
        ({"groups": [1, 2]}, SourceError, "groups has 2 values for 8 labels"),
        (
            {"weights": "counts", "sample_weight": np.append(np.ones(7), 1.5)},
            WeightError,
            "must be whole numbers, got 1.5 in row 8: use weights='sampling'.",
        ),
        (
            {"weights": "counts", "sample_weight": np.full(8, 1e20)},
            WeightError,
            "weights that are counts must sum to less than 9.0072e+15, got 8e+20",
        ),
        (
            {"sample_weight": np.where(Y == 1, 1e80, 1), "design": "stratified"},
            WeightError,
            "the weights of the classes differ too much in the sample",
        ),
        (
            {"sample_weight": [1e80, 1, 1, 1e80, 1, 1, 1, 1]},
            WeightError,
            "the weights of the classes differ too much in a resample",
        ),
        (
            {"sample_weight": [1, 1, 1, 1, 1, 0, 0, 0]},
            SourceError,
            "there is one row with the positive class",
        ),
        (
            {"groups": [0, 1, 2, 3, 4, 3, 3, 3]},
            SourceError,
            "there is one cluster with the positive class",
        ),
    ):
        with refused(error, text):
            cs.bootstrap(Y, S, metrics=cs.auc, **options)


def test_predictions_that_cannot_be_resampled() -> None:
    with refused(SourceError, "the scores of each row are needed, got ScoreTable"):
        cs.bootstrap(cs.ScoreTable.from_predictions(Y, S), None, metrics=cs.auc)
    with refused(SourceError, "there is one row with the negative class"):
        cs.bootstrap([0, 1, 1, 1], S[:4], metrics=cs.auc)
    with refused(ScoreError, "auc is 1 on every resample, which does not show its error"):
        cs.bootstrap(Y, Y / 2, metrics=cs.auc)
    # Its bias is known, and 0.
    with refused(ScoreError, "voros is 1 on every resample, which does not show its error"):
        cs.bootstrap(Y, Y / 2, metrics=cs.voros)
    with refused(ScoreError, "auc is 0.5 on every resample"):
        cs.bootstrap(Y, np.full(8, 0.3), metrics=cs.auc)


def test_arguments_that_are_not_metrics_are_refused() -> None:
    for bad in ("auc", [], 3):
        with refused(ConditionError, "metrics must be functions of a score table such as cs.auc"):
            cs.bootstrap(Y, S, metrics=bad)
    with refused(ConditionError, "got [0, 0, 1, 1]: give one, several, or a mapping."):
        cs.bootstrap(Y, S, metrics=[0, 0, 1, 1])
    with refused(ConditionError, "two metrics have the same name"):
        cs.bootstrap(Y, S, metrics=[cs.auc, cs.auc])
    with refused(ConditionError, "two metrics have the same name among ['1', '1']"):
        cs.bootstrap(Y, S, metrics={1: cs.auc, "1": cs.voros})
    with refused(ScoreError, "metric has no finite value on the sample: leave it out."):
        cs.bootstrap(Y, S, metrics={"metric": lambda table: float("nan")})


def test_a_metric_that_no_row_moves_has_no_acceleration() -> None:
    assert acceleration_of(np.zeros(5)) == 0
    assert acceleration_of(np.array([2.0, -1.0, -1.0]) * 1e-150) == pytest.approx(1 / 6**1.5)
    assert acceleration_of(np.array([2.0, -1.0]), np.array([1.0, 2.0])) == 1 / 6**1.5
    # Without any one row it is the same, and their mean is off by rounding.
    y, s = np.repeat([0, 1], 20), np.repeat([0.2, 0.7], 20)

    def most(table: cs.ScoreTable) -> float:
        return 0.1 + 0.7 * (table.prevalence > 0.52)

    found = cs.bootstrap(y, s, metrics=most, method="bca")
    assert found.acceleration is not None
    assert found.acceleration[0] == 0
    assert found.low[0] < found.high[0]

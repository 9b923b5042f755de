"""Murphy's partition."""

from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace import ConditionError

Y = [0, 1, 0, 1, 1, 0]
S = [0.0, 0.0, 0.4, 0.6, 1.0, 0.4]
TABLE = cs.ScoreTable.from_predictions(Y, S)


def test_bins_of_distinct_scores() -> None:
    found = cs.partition_scores(TABLE, "roc")
    assert found.share.tolist() == pytest.approx([1 / 3, 1 / 3, 1 / 6, 1 / 6])
    assert found.positive_share.tolist() == pytest.approx([0.5, 0, 1, 1])
    assert found.mean_score.tolist() == pytest.approx([0, 0.4, 0.6, 1])


def test_bins_of_the_hull() -> None:
    found = cs.partition_scores(TABLE)
    assert found.share.tolist() == pytest.approx([2 / 3, 1 / 3])
    assert found.positive_share.tolist() == pytest.approx([0.25, 1])
    assert found.mean_score.tolist() == pytest.approx([0.2, 0.8])
    assert found.refinement_loss == pytest.approx(2 / 3 * 3 / 16)
    assert found.calibration_loss == pytest.approx(2 / 3 * 0.05**2 + 1 / 3 * 0.2**2)


@pytest.mark.parametrize("partition", ["hull", "roc"])
@pytest.mark.parametrize("p", [None, 0.05])
def test_columns(partition: str, p: float | None) -> None:
    table = TABLE if p is None else TABLE.with_prevalence(p)
    found = cs.partition_scores(table, partition)
    columns = found.columns()
    assert list(columns) == ["share", "positive_share", "mean_score"]
    assert len({len(column) for column in columns.values()}) == 1
    assert columns["share"].sum() == pytest.approx(1)
    assert columns["share"] @ columns["positive_share"] == pytest.approx(table.prevalence)
    assert found.calibration_loss == cs.calibration_loss(table, partition=partition)
    assert found.refinement_loss == cs.refinement_loss(table, partition=partition)


def test_losses_add_up_to_the_brier_score_over_distinct_scores() -> None:
    for p in (None, 0.05, 0.9):
        table = TABLE if p is None else TABLE.with_prevalence(p)
        found = cs.partition_scores(table, "roc")
        total = found.calibration_loss + found.refinement_loss
        assert total == pytest.approx(cs.brier_score(table), abs=1e-15)


@pytest.mark.parametrize("scale", [0.1, 1 / 3, 1e-7])
def test_equal_weights_change_nothing(scale: float) -> None:
    generator = np.random.default_rng(0)
    y = np.append([0, 1], generator.integers(0, 2, 3000))
    s = generator.integers(0, 50, 3002) / 50
    weight = np.full(3002, scale)
    for partition in ("hull", "roc"):
        expected = cs.calibration_loss(y, s, partition=partition)
        found = cs.calibration_loss(y, s, partition=partition, sample_weight=weight)
        assert found == pytest.approx(expected, abs=1e-12)


def test_float32_scores_are_summed_in_double_precision() -> None:
    generator = np.random.default_rng(0)
    y, s = np.append([0, 1], generator.integers(0, 2, 50_000)), generator.random(50_002)
    single = s.astype(np.float32)
    expected = cs.calibration_loss(y, single.astype(float))
    assert cs.calibration_loss(y, single) == pytest.approx(expected, abs=1e-14)


@pytest.mark.parametrize("partition", ["bins", "Hull", None, ["hull"], 10])
def test_unknown_partition(partition: Any) -> None:
    text = f"partition must be 'hull' or 'roc', got {partition!r}."
    for metric in (cs.calibration_loss, cs.refinement_loss):
        with refused(ConditionError, text):
            metric(Y, S, partition=partition)
    with refused(ConditionError, text):
        cs.partition_scores(TABLE, partition)


def test_a_partition_needs_a_table() -> None:
    with refused(cs.SourceError, "ScoreTable"):
        cs.partition_scores([0.1, 0.2])


def test_infinite_scores_fall_into_bins() -> None:
    table = cs.ScoreTable.from_predictions([0, 1, 0, 1], [-np.inf, -np.inf, 2, np.inf])
    for partition in ("hull", "roc"):
        assert cs.partition_scores(table, partition).share.sum() == 1
        assert 0 <= cs.refinement_loss(table, partition=partition) <= 0.25

"""What names of scores, weights and costs may speak of, in a dataframe of any engine."""

from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from refusals import refused
from summaries import same

import costspace as cs
from costspace import Rule, ScoreCounts
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.frames import apply_decision, binned_scores, held_out_counts, score_counts

RNG = np.random.default_rng(11)
N = 90
Y = RNG.integers(0, 2, N)
S = RNG.random(N).round(3)
W = RNG.integers(1, 5, N)
LISTS = [[1 - s, s] for s in S.tolist()]
ABOVE = SavedDecision({}, DeployedRules("m", "own", Rule(0.5)))


def frame_of(engine: Any, **columns: Any) -> Any:
    return engine.frame(y=Y, **columns)


@pytest.mark.parametrize(
    ("name", "expected"), [("-s", -S), ("1-s", 1 - S), ("s+s-t", S + S - S[::-1]), ("s", S)]
)
def test_scores_are_made_by_the_engine(engine: Any, name: str, expected: Any) -> None:
    frame = frame_of(engine, s=S, t=S[::-1].copy())
    counts = score_counts(frame, label="y", score=name)
    same(counts, ScoreCounts.from_predictions(Y, expected))


def test_weights_are_made_by_the_engine(engine: Any) -> None:
    counts = score_counts(frame_of(engine, s=S, w=W), label="y", score="s", weight="2*(w + 1)")
    same(counts, ScoreCounts.from_predictions(Y, S, sample_weight=2.0 * (W + 1)))
    long = frame_of(engine, s=S, w=pa.array([2**60] + [1] * (N - 1)))
    with refused(cs.WeightError, "column 'w' has integers beyond 2^53"):
        score_counts(long, label="y", score="s", weight="2*w")


def test_a_column_of_single_precision_is_negated_as_it_prints(engine: Any) -> None:
    counts = score_counts(frame_of(engine, s=S.astype(np.float32)), label="y", score="1-s")
    same(counts, ScoreCounts.from_predictions(Y, 1 - S))


@pytest.mark.parametrize("kind", [None, pa.list_(pa.float64(), 2)], ids=["lists", "arrays"])
def test_an_element_of_lists(engine: Any, kind: Any) -> None:
    if engine.name == "dask":
        pytest.skip("Dask makes text of lists, but for those of Parquet")
    frame = frame_of(engine, m=pa.array(LISTS, kind))
    counts = score_counts(frame, label="y", score="m[1]")
    same(counts, ScoreCounts.from_predictions(Y, S))
    bins = binned_scores(frame, label="y", score="m[1]", bins=8)
    assert bins.positives.total == Y.sum()
    assert cs.read_rows(frame, label="y", scores=["m[1]"]).scores["m[1]"].tolist() == S.tolist()
    applied = apply_decision(ABOVE, frame, score="m[1]")
    assert dict(applied.counts) == {"flag": (S > 0.5).sum(), "pass": (S <= 0.5).sum()}
    with refused(cs.FileError, "name one element, counted from 0, such as 'm[1]' for the last"):
        score_counts(frame, label="y", score="m")
    with refused(cs.FileError, "have no element 2"):
        score_counts(frame, label="y", score="m[2]")
    with refused(cs.FileError, "holds no lists: 'y[1]' is no element of it"):
        score_counts(frame, label="y", score="y[1]")


def test_lists_of_several_lengths(engine: Any) -> None:
    if engine.name == "dask":
        pytest.skip("Dask makes text of lists, but for those of Parquet")
    frame = engine.frame(y=[0, 1, 1], m=[[0.1, 0.2], [0.3], [0.4, 0.5]])
    with refused(cs.ScoreError, "column 'm' holds lists that are not all of 2: correct them"):
        score_counts(frame, label="y", score="m[0]")


def test_dask_reads_lists_in_parquet(tmp_path: Any) -> None:
    dd = pytest.importorskip("dask.dataframe")
    from pyarrow import parquet

    parquet.write_table(pa.table({"y": Y, "m": LISTS}), tmp_path / "a.parquet")
    frame = dd.read_parquet(tmp_path / "a.parquet")
    counts = score_counts(frame, label="y", score="m[1]")
    same(counts, ScoreCounts.from_predictions(Y, S))
    objects = frame.assign(m=frame["y"].map(str, meta=("m", object)))
    with refused(cs.ScoreError, "column 'm' holds objects such as '"):
        score_counts(objects, label="y", score="m")


@pytest.mark.cluster
def test_vectors_of_spark(spark: Any) -> None:
    from pyspark.ml.linalg import Vectors, VectorUDT
    from pyspark.sql import types

    kinds = types.StructType(
        [types.StructField("y", types.LongType()), types.StructField("m", VectorUDT())]
    )
    rows = [(y, Vectors.dense(list_)) for y, list_ in zip(Y.tolist(), LISTS, strict=True)]
    frame = spark.createDataFrame(rows, kinds)
    counts = score_counts(frame, label="y", score="m[1]")
    same(counts, ScoreCounts.from_predictions(Y, S))
    assert sorted(cs.read_rows(frame, label="y", scores=["m[1]"]).scores["m[1]"]) == sorted(S)
    applied = apply_decision(ABOVE, frame, score="m[1]")
    assert applied.counts["flag"] == (S > 0.5).sum()
    assert applied.frame.schema["m"].dataType == VectorUDT()
    with refused(cs.FileError, "name one element, counted from 0, such as 'm[1]' for the last"):
        cs.read_rows(frame, label="y", scores=["m"])


def test_patterns_stand_for_several_columns(engine: Any) -> None:
    frame = frame_of(engine, id=np.arange(N), model_a=S, model_b=S[::-1].copy())
    for ask in ("model_*", ["model_*"], "all-but:id"):
        counts = score_counts(frame, label="y", score=ask)
        assert list(counts) == ["model_a", "model_b"]
        same(counts["model_a"], ScoreCounts.from_predictions(Y, S))
    held_out = held_out_counts(frame, label="y", score="model_*", number="id", folds=2)
    assert list(held_out.source.models) == ["model_a", "model_b"]
    with refused(cs.FileError, "the frame has no column of scores that 'models_*' matches"):
        score_counts(frame, label="y", score="models_*")


def test_decisions_take_objects_of_pandas() -> None:
    from datetime import date
    from decimal import Decimal

    pd = pytest.importorskip("pandas")
    days = [date(2024, 1, 1 + i % 3) for i in range(N)]
    frame = pd.DataFrame({"m": [Decimal(str(s)) for s in S], "day": days}, index=[7] * N)
    applied = apply_decision(ABOVE, frame)
    assert applied.frame["action"].tolist() == ["flag" if s > 0.5 else "pass" for s in S]
    assert applied.frame["m"].tolist() == frame["m"].tolist()
    queue = SavedDecision({}, DeployedRules("m", "own", Rule(0.1, by="share")))
    assert apply_decision(queue, frame, batch="day").counts["flag"] == 9


def test_integers_beyond_2_53_are_not_said_to_be_missing(engine: Any) -> None:
    frame = engine.frame(m=[2**60, 0, 1])
    for missing in ("refuse", "pass"):
        with refused(cs.ScoreError, "column 'm' has integers beyond 2^53"):
            apply_decision(ABOVE, frame, missing=missing)

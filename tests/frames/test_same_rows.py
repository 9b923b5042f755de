"""A lazy frame that has other rows at each pass is refused: one pass checks, another counts."""

import random
from functools import partial
from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.frames import apply_decision, binned_scores, held_out_counts, score_counts

N = 400
Y = np.arange(N) % 2
CHANGED = "the frame has other rows or scores each time that it is computed"
ABOVE = SavedDecision({}, DeployedRules("s", "own", cs.Rule(0.5)))


def of_polars(*, labels: bool) -> Any:
    pl = pytest.importorskip("polars")

    def drawn(column: Any) -> Any:
        found = np.random.default_rng().random(len(column))
        return pl.Series(found > 0.5 if labels else found)

    kind = pl.Boolean if labels else pl.Float64
    frame = pl.LazyFrame({"y": Y, "s": np.arange(N) / N})
    name = "y" if labels else "s"
    return frame.with_columns(pl.col("y").map_batches(drawn, return_dtype=kind).alias(name))


def of_dask(*, labels: bool) -> Any:
    import pandas as pd

    dd = pytest.importorskip("dask.dataframe")
    rows = pd.DataFrame({"y": Y, "s": np.arange(N) / N})

    def drawn(part: Any) -> Any:
        found = np.random.default_rng().random(len(part))
        return part.assign(y=(found > 0.5) * 1) if labels else part.assign(s=found)

    return dd.from_pandas(rows, npartitions=3).map_partitions(drawn, meta=rows)


def of_duckdb(*, labels: bool) -> Any:
    import duckdb

    drawn = "(random() > 0.5)::int y, i / 400 s" if labels else "i % 2 y, random() s"
    return duckdb.connect().sql(f"SELECT i, {drawn} FROM range({N}) rows(i)")


def of_spark(spark: Any, *, labels: bool) -> Any:
    from pyspark.sql import functions

    frame = spark.range(N).withColumn("y", functions.col("id") % 2)
    # Its rand() draws by a seed in the plan, and workers start in one state: the same numbers.
    drawn = functions.udf(lambda: random.SystemRandom().random(), "double").asNondeterministic()()
    frame = frame.withColumn("s", functions.col("id") / N if labels else drawn)
    return frame.withColumn("y", (drawn > 0.5).cast("int")) if labels else frame


MAKERS = {"polars": of_polars, "dask": of_dask, "duckdb": of_duckdb}
ALL = [*MAKERS, pytest.param("spark", marks=pytest.mark.cluster)]


@pytest.fixture(params=ALL)
def drawn(request: pytest.FixtureRequest) -> Any:
    """Makes a frame of an engine whose labels, or scores, are drawn anew at each pass."""
    if request.param == "spark":
        return partial(of_spark, request.getfixturevalue("spark"))
    return MAKERS[request.param]


@pytest.mark.parametrize("labels", [False, True])
def test_counts_of_rows_that_are_drawn_anew(drawn: Any, labels: bool) -> None:
    frame = drawn(labels=labels)
    for count in (score_counts, binned_scores):
        with refused(cs.SourceError, CHANGED):
            count(frame, label="y", score="s")


def test_decisions_on_scores_that_are_drawn_anew(drawn: Any) -> None:
    with refused(cs.SourceError, CHANGED):
        apply_decision(ABOVE, drawn(labels=False))


@pytest.mark.parametrize("engine", ["dask", "duckdb"])
def test_folds_of_rows_that_are_drawn_anew(engine: str) -> None:
    with refused(cs.SourceError, CHANGED):
        held_out_counts(MAKERS[engine](labels=False), label="y", score="s", folds=2)


def test_folds_read_rows_that_stay_the_same_in_any_order_of_parts() -> None:
    frame = of_dask(labels=False).persist()
    counts = held_out_counts(frame, label="y", score="s", folds=2)
    known = cs.Deployment(fp_cost=1, fn_cost=2, prevalence=0.5)
    assert cs.decide(counts, conditions=known).recommendation


def test_weights_of_zero_are_counted_each_time(engine: Any) -> None:
    frame = engine.frame(y=[0, 1, 0, 1], s=[0.9, 0.1, 0.2, 0.8], w=[0.0, 1.0, 2.0, 0.0])
    for count in (score_counts, binned_scores):
        assert count(frame, label="y", score="s", weight="w").negatives.total == 2.0

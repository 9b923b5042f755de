"""Workers are killed in mid-run, and parts come in any order: the answer stays the same."""

import re
import runpy
from collections.abc import Callable, Iterator
from inspect import getfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from summaries import same
from trap import Trap

import costspace as cs
from costspace import Binning, ScoreCounts
from costspace.frames import binned_scores, score_counts

EXAMPLES = Path(__file__).parents[2] / "examples"
ROWS, PARTS = 4000, 6
GENERATOR = np.random.default_rng(26)
FRAME = pd.DataFrame(
    {
        "y": GENERATOR.integers(0, 2, ROWS),
        "s": GENERATOR.integers(0, 200, ROWS) / 256,
        "w": GENERATOR.integers(0, 4, ROWS),
        "real": GENERATOR.random(ROWS),
        "part": np.arange(ROWS) * PARTS // ROWS,
    }
)
ASKED = {"label": "y", "score": "s"}
COUNTS = ScoreCounts.from_predictions(FRAME["y"], FRAME["s"], sample_weight=FRAME["w"])
BINNED = ScoreCounts.from_predictions(
    FRAME["y"], FRAME["s"], binning=Binning.uniform(bins=16), sample_weight=FRAME["w"]
)
# Sums of whole numbers and of multiples of 1/256 are exact, so their order does not matter.
WHOLE: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "counts": (lambda frame: score_counts(frame, **ASKED, weight="w"), COUNTS),
    "bins": (lambda frame: binned_scores(frame, **ASKED, weight="w", bins=16), BINNED),
}


@pytest.fixture(scope="module")
def workers() -> Iterator[Any]:
    """A Dask cluster of two processes, in which what Dask computes is computed."""
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


def in_dask(order: Any = range(PARTS)) -> Any:
    """The rows, of which the parts are partitions in some order."""
    import dask.dataframe as dd

    parts = [FRAME[FRAME["part"] == part] for part in order]
    return dd.concat([dd.from_pandas(part, npartitions=1, sort=False) for part in parts])


def trapped(frame: Any, trap: Trap) -> Any:
    """The rows, which pass through the trap in the workers."""

    def rows_of(rows: Any) -> Any:
        import os

        for part in rows["part"].unique():
            trap.take_up(int(part), os.getpid())
        return rows

    return frame.map_partitions(rows_of, meta=frame._meta)


# The first pass looks at the rows, whatever is asked then; the second counts.
@pytest.mark.parametrize(("what", "earlier"), [("counts", 0), ("bins", 1)])
def test_a_dask_worker_is_killed(workers: Any, tmp_path: Path, what: str, earlier: int) -> None:
    count, expected = WHOLE[what]
    trap = Trap(tmp_path / "trap", after=earlier * PARTS)
    with trap.killing():
        found = count(trapped(in_dask(), trap))
    same(found, expected)


def test_a_spark_executor_is_killed(stopped_spark: Any, tmp_path: Path) -> None:
    # Two executors, each a process with one core and 1024 MB.
    builder = stopped_spark.master("local-cluster[2,1,1024]")
    session = builder.config("spark.executor.memory", "512m").getOrCreate()
    try:
        session.sparkContext.setLogLevel("OFF")
        session.sparkContext.addPyFile(getfile(Trap))
        trap = Trap(tmp_path / "trap", after=PARTS)
        count, expected = WHOLE["counts"]
        with trap.killing():
            found = count(made_in_executors(session, trap))
    finally:
        session.stop()
    same(found, expected)


def made_in_executors(session: Any, trap: Trap) -> Any:
    """The rows, of which the executors make each part and pass it through the trap."""

    def rows_of(batches: Any) -> Any:
        import os

        import psutil

        # Between this process and its executor is the one that starts such as this.
        executor = psutil.Process(os.getppid()).ppid()
        for numbers in batches:
            for part in numbers["id"]:
                trap.take_up(int(part), executor)
                yield FRAME[FRAME["part"] == part]

    schema = session.createDataFrame(FRAME.head(1)).schema
    return session.range(PARTS, numPartitions=PARTS).mapInPandas(rows_of, schema)


def in_spark(spark: Any, order: Any) -> Any:
    """The rows, of which the parts are in some order."""
    return spark.createDataFrame(pd.concat([FRAME[FRAME["part"] == part] for part in order]))


@pytest.mark.parametrize("engine", ["dask", "spark"])
def test_partitions_in_another_order(request: pytest.FixtureRequest, engine: str) -> None:
    order = (3, 0, 5, 1, 4, 2)
    if engine == "dask":
        request.getfixturevalue("workers")
        frame = in_dask(order).repartition(npartitions=9)
    else:
        frame = in_spark(request.getfixturevalue("spark"), order).repartition(9)
    for count, expected in WHOLE.values():
        same(count(frame), expected)
    real = ScoreCounts.from_predictions(FRAME["y"], FRAME["s"], sample_weight=FRAME["real"])
    same(score_counts(frame, **ASKED, weight="real"), real, 1e-12)


# Of the dashboard, where another cluster runs.
@pytest.mark.cluster
@pytest.mark.filterwarnings("ignore:Port .* is already in use")
def test_the_example_on_dask(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    runpy.run_path(str(EXAMPLES / "cluster_dask.py"), run_name="__main__")
    as_in_python(capsys.readouterr().out, tmp_path)


def test_the_example_on_spark(
    stopped_spark: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.syspath_prepend(EXAMPLES)
    runpy.run_path(str(EXAMPLES / "cluster_spark.py"), run_name="__main__")
    as_in_python(capsys.readouterr().out, tmp_path)


def as_in_python(printed: str, tmp_path: Path) -> None:
    """What an example prints is what the same predictions have here."""
    runpy.run_path(str(EXAMPLES / "on_a_cluster.py"))["write_predictions"](tmp_path)
    rows = pd.read_parquet(tmp_path)
    ill = rows["outcome"] == "ill"
    assert repr(cs.evaluate(cs.ScoreTable.from_predictions(ill, rows["card"]))) in printed
    for site in ("north", "south"):
        here = rows["site"] == site
        area = cs.auc(ill[here], rows["card"][here])
        assert f"card at {site}: AUC {area:.6f}" in printed
    exact = {
        "AUC": cs.auc(ill, rows["network"]),
        "expected loss": cs.expected_loss(
            ill, rows["network"], choice=cs.RateDriven(), costs=cs.Beta(2, 8)
        ),
    }
    for name, value in exact.items():
        found = re.search(rf"network: {name} Bounds\(low=(\S+), high=(\S+)\)", printed)
        assert found is not None
        low, high = map(float, found.groups())
        assert low <= value <= high
        assert high - low < 1e-3

"""Rows a core counts in a second, bytes that move and memory, of DuckDB, Dask and Spark.

Run as ``python -m benchmarks.frames_on_clusters [ROWS] [PARTS]``, here on two processes or cores.
Time is that of the processors, of all processes without their start, so it does not tell of other
work on the machine; Spark's has that of its compiler in it. Each measurement has a process of its
own, and memory is the largest resident set: of the process asked, and of a worker.
"""

import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
from rich.console import Console
from rich.table import Table

from benchmarks.frames_at_scale import BINS
from costspace.frames import binned_scores, score_counts

WHAT: dict[str, Callable[[Any], Any]] = {
    "exact, float32": lambda frame: score_counts(frame, label="label", score="single"),
    "exact, float64": lambda frame: score_counts(frame, label="label", score="double"),
    "2^20 bins": lambda frame: binned_scores(frame, label="label", score="double", bins=BINS),
    "2^16 bins": lambda frame: binned_scores(frame, label="label", score="double", bins=2**16),
}


def make(folder: Path, rows: int, parts: int) -> None:
    """Write a Parquet file for each part."""
    import duckdb

    with duckdb.connect() as connection:
        connection.execute("SELECT setseed(0.5)")
        for part in range(parts):
            connection.execute(
                "COPY (SELECT (random() < s)::TINYINT AS label, s::FLOAT AS single, s AS double "
                f"FROM (SELECT random() AS s FROM range({rows // parts}))) "
                f"TO '{folder}/{part}.parquet' (FORMAT parquet)"
            )


def _seconds(*processes: psutil.Process) -> float:
    """Time of the processors that processes and those they started have had."""
    everyone = {*processes, *(c for p in processes for c in p.children(recursive=True))}
    return sum(sum(one.cpu_times()[:4]) for one in everyone)


def _peak() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


@contextmanager
def _duckdb(folder: str) -> Iterator[tuple[Any, Callable[[], list[float]]]]:
    import duckdb

    connection = duckdb.connect(config={"threads": 2})
    yield connection.read_parquet(f"{folder}/*.parquet"), lambda: [0.0, 0.0]


@contextmanager
def _dask(folder: str) -> Iterator[tuple[Any, Callable[[], list[float]]]]:
    import dask.dataframe as dd
    from dask.distributed import Client, LocalCluster

    def moved_and_peak(dask_worker: Any) -> tuple[float, float]:
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        return dask_worker.transfer_outgoing_bytes_total, peak

    with (
        LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as client,
    ):

        def seen() -> list[float]:
            found = list(client.run(moved_and_peak).values())
            return [sum(moved for moved, _ in found), max(peak for _, peak in found)]

        yield dd.read_parquet(folder), seen


@contextmanager
def _spark(folder: str) -> Iterator[tuple[Any, Callable[[], list[float]]]]:
    from pyspark.sql import SparkSession

    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.memory": "3g",
        "spark.driver.maxResultSize": "0",
        "spark.sql.shuffle.partitions": "4",
    }
    builder = SparkSession.builder.master("local[2]")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    session.range(1000).selectExpr("sum(id)").collect()
    (java,) = (p for p in psutil.Process().children() if p.name() == "java")

    def seen() -> list[float]:
        context = session.sparkContext
        stages = context._jsc.sc().statusStore().stageList(None, False, False, _quantiles(), None)
        written = (stages.apply(i).shuffleWriteBytes() for i in range(stages.size()))
        return [float(sum(written)), float(java.memory_info().rss)]

    def _quantiles() -> Any:
        gateway = session.sparkContext._gateway
        return gateway.new_array(gateway.jvm.double, 0)

    yield session.read.parquet(folder), seen
    session.stop()


ENGINES = {"duckdb": _duckdb, "dask": _dask, "spark": _spark}


def measure(engine: str, what: str, folder: str) -> None:
    """Print seconds on the clock, of processors, bytes moved, peak of this process and a worker."""
    with ENGINES[engine](folder) as (frame, seen):
        moved = seen()[0]
        me = psutil.Process()
        used, start = _seconds(me), time.perf_counter()
        WHAT[what](frame)
        clock, used = time.perf_counter() - start, _seconds(me) - used
        found = seen()
        print(clock, used, found[0] - moved, _peak(), found[1])


def report(rows: int, parts: int, console: Console, engines: list[str]) -> None:
    """Measure and print."""
    title = f"{rows:.0e} rows in {parts} parts"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    headings = ("rows/s a core", "seconds", "MB moved", "peak MB", "of a worker")
    for heading in ("engine", "what", *headings):
        table.add_column(heading, justify="left" if heading in ("engine", "what") else "right")
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), rows, parts)
        for engine in engines:
            for what in WHAT:
                command = [sys.executable, "-m", "benchmarks.frames_on_clusters", engine, what]
                done = subprocess.run([*command, folder], check=True, capture_output=True)
                numbers = map(float, done.stdout.split())
                clock, used, moved, *peaks = numbers
                sizes = [f"{size / 1e6:.0f}" for size in (moved, *peaks)]
                table.add_row(engine, what, f"{rows / used:.2e}", f"{clock:.1f}", *sizes)
                console.print(f"{engine}, {what}: {clock:.1f} s", style="dim")
    console.print(table)


if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in ENGINES:
        measure(*sys.argv[1:])
    else:
        sizes = [int(float(size)) for size in sys.argv[1:]]
        given = dict(zip(("rows", "parts"), sizes, strict=False))
        report(
            given.get("rows", 10**7),
            given.get("parts", 16),
            Console(width=120, highlight=False),
            list(ENGINES),
        )

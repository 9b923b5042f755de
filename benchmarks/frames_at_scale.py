"""Files of 10^8 rows: peak memory and time of `costspace evaluate`, against a plain group-by.

Run as ``python -m benchmarks.frames_at_scale [ROWS]``. Each measurement is a process of its own;
its peak memory is that of the whole process, with the engine and what it gives back.
"""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

ROWS = 10**8
BINS = 2**20
# Scores of a calibrated model: as float32, continuous, and with most mass near 0 and 1.
_COLUMNS = """
    (random() < s)::TINYINT AS label,
    s::FLOAT AS single,
    s AS double,
    1 / (1 + exp(-40 * (s - 0.5))) AS saturated
"""
_DUCKDB = """
import duckdb
with duckdb.connect(config={{"memory_limit": "2048MiB", "temp_directory": {folder!r}}}) as c:
    c.sql(
        "SELECT count(*), sum(n) FROM (SELECT {column}, label, count(*) AS n "
        "FROM read_parquet({file!r}) GROUP BY ALL)"
    ).fetchall()
"""
_POLARS = """
import polars as pl
rows = pl.scan_parquet({file!r}).group_by("{column}", "label").agg(pl.len().alias("n"))
rows.select(pl.len(), pl.sum("n")).collect(engine="streaming")
"""


def make(file: Path, rows: int) -> None:
    """Write the rows, out of core."""
    import duckdb

    settings = {"memory_limit": "2048MiB", "temp_directory": str(file.parent)}
    with duckdb.connect(config=settings) as connection:
        connection.execute("SET preserve_insertion_order = false")
        connection.execute("SELECT setseed(0.5)")
        source = f"SELECT {_COLUMNS} FROM (SELECT random() AS s FROM range({rows}))"
        connection.execute(f"COPY ({source}) TO '{file}' (FORMAT parquet)")


class Cost(NamedTuple):
    """Seconds, those that processors worked, and peak bytes."""

    seconds: float
    work: float
    peak: float


def measured(*command: str) -> Cost:
    """What a process costs, run by one that runs nothing else."""
    runner = (
        "import resource, subprocess, sys; "
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL); "
        "used = resource.getrusage(resource.RUSAGE_CHILDREN); "
        "print(used.ru_utime + used.ru_stime, used.ru_maxrss * 1024)"
    )
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", runner, sys.executable, *command],
        check=True,
        capture_output=True,
        text=True,
    )
    work, peak = map(float, done.stdout.split())
    return Cost(time.perf_counter() - start, work, peak)


def report(rows: int, console: Console) -> None:
    """Measure and print."""
    title = f"{rows:.0e} rows of Parquet"
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for heading in ("scores", "what"):
        table.add_column(heading)
    ratios = ("of DuckDB's", "of Polars'")
    for heading in ("seconds", *ratios, "CPU s", *ratios, "rows/s", "peak GB"):
        table.add_column(heading, justify="right")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "predictions.parquet"
        make(file, rows)
        for column, bins in {"single": 0, "double": BINS, "saturated": BINS}.items():
            names = {"file": str(file), "folder": folder, "column": column}
            plain = [measured("-c", script.format(**names)) for script in (_DUCKDB, _POLARS)]
            runs = dict(zip(("group-by by DuckDB", "group-by by Polars"), plain, strict=True))
            options = ["--bins", str(bins)] if bins else []
            asked = ["--label", "label", "--score", column, "--json", *options]
            name = f"costspace evaluate, {f'{bins} bins' if bins else 'exact'}"
            runs[name] = measured("-m", "costspace.cli", "evaluate", str(file), *asked)
            for what, cost in runs.items():
                seconds = [
                    f"{cost.seconds:.1f}",
                    *(f"{cost.seconds / p.seconds:.2f}" for p in plain),
                ]
                work = [f"{cost.work:.1f}", *(f"{cost.work / p.work:.2f}" for p in plain)]
                size = f"{cost.peak / 1e9:.2f}"
                speed = f"{rows / cost.seconds:.2e}"
                table.add_row(column, what, *seconds, *work, speed, size)
                console.print(f"{column}, {what}: {seconds[0]} s, {size} GB", style="dim")
    console.print(table)


if __name__ == "__main__":
    report(int(float(sys.argv[1])) if sys.argv[1:] else ROWS, Console(width=140, highlight=False))

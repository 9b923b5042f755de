"""`costspace decide` on large files: against `evaluate` of the same, and the engine's group-by.

What `decide` may take was set when `evaluate` counted scores in DuckDB, as it still does with
``--engine duckdb``: that is the first line. Rows in memory are evaluated in less than half of it.

Run as ``python -m benchmarks.deciding [ROWS]``. Every run is a process of its own, the least of
several, the commands taking turns; peak memory is that of the whole process.
"""

import sys
import tempfile
from pathlib import Path

from rich.console import Console
from rich.table import Table

from benchmarks.frames_at_scale import Cost, measured

ROWS, LARGE, ROUNDS = 10**6, 10**7, 3
MODELS = ("m0", "m1", "m2")
COMMAND = ("-c", "from costspace_command import main; main()")
KNOWN = ("--fp-cost", "1", "--fn-cost", "10", "--prevalence", "0.1")
RANGES = ("--fp-cost", "1", "--fn-cost", "5:50", "--prevalence", "0.05:0.2")
LIMIT = (*RANGES, "--capacity", "0.2")
# What is asked, and at most how many times the time and the memory of the first line it takes.
TASKS: dict[str, tuple[tuple[str, ...], float, float]] = {
    "evaluate, counted by DuckDB": (("evaluate", "--engine", "duckdb"), 1, 1),
    "evaluate": (("evaluate",), 1, 1),
    "decide, known costs": (("decide", *KNOWN), 1, 1.3),
    "decide, ranges": (("decide", *RANGES), 1.5, 1.3),
    "decide, a limit and ranges": (("decide", *LIMIT), 2.5, 1.3),
}
# Beside a decision the same with a review, and the page that opens with it.
BESIDE = {"known costs": KNOWN, "ranges": RANGES, "a limit and ranges": LIMIT}
REVIEWED, REVIEW = ("--review-cost", "0.3"), (1.5, 1.3)
PAGE = (1.3, 1.3)
GROUP_BY = """
import duckdb
with duckdb.connect(config={{"memory_limit": "2048MiB", "temp_directory": {folder!r}}}) as c:
    for model in {models!r}:
        c.sql(
            "SELECT count(*), sum(n) FROM (SELECT " + model + ", y, count(*) AS n "
            "FROM read_parquet({file!r}) GROUP BY ALL)"
        ).fetchall()
"""


def make(file: Path, rows: int) -> None:
    """Write predictions of three models, a fifth of the rows positive, out of core."""
    import duckdb

    logits = ", ".join(
        f"1 / (1 + exp(-({0.6 + 0.3 * i}) * (1.2 * y - 0.8 + sqrt(-2 * ln(1 - random())) * "
        f"cos(2 * pi() * random())))) AS m{i}"
        for i in range(len(MODELS))
    )
    settings = {"memory_limit": "2048MiB", "temp_directory": str(file.parent)}
    with duckdb.connect(config=settings) as connection:
        connection.execute("SELECT setseed(0.5)")
        source = f"SELECT (random() < 0.2)::TINYINT AS y FROM range({rows})"
        connection.execute(
            f"COPY (SELECT y, {logits} FROM ({source})) TO '{file}' (FORMAT parquet)"
        )


def least(tasks: dict[str, tuple[str, ...]], rounds: int) -> dict[str, Cost]:
    """The least that each task takes, the tasks taking turns."""
    found: dict[str, list[Cost]] = {name: [] for name in tasks}
    for _ in range(rounds):
        for name, arguments in tasks.items():
            found[name].append(measured(*arguments))
    return {name: Cost(*map(min, zip(*costs, strict=True))) for name, costs in found.items()}


def report(console: Console, rows: int = ROWS, large: int = LARGE) -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "predictions.parquet"
        make(file, rows)
        asked = ["--label", "y", *(word for model in MODELS for word in ("--score", model))]
        tasks = {
            name: (*COMMAND, command[0], str(file), *asked, *command[1:])
            for name, (command, _, _) in TASKS.items()
        }
        title = f"{rows:.0e} rows of Parquet, {len(MODELS)} models"
        limits = {name: (time, memory) for name, (_, time, memory) in TASKS.items()}
        _print(title, least(tasks, ROUNDS), limits, console)
        output = ("--output", str(Path(folder) / "page.html"))
        pages = {
            name: (*COMMAND, "report", str(file), *asked, *known, *output)
            for name, known in BESIDE.items()
        }
        for name, page in pages.items():
            decided, reviewed, paged = (
                f"{what}, {name}" for what in ("decide", "review", "report")
            )
            command = tasks[decided]
            turns = {decided: command, reviewed: (*command, *REVIEWED), paged: page}
            limits = {decided: (1, 1), reviewed: REVIEW, paged: PAGE}
            _print(title, least(turns, ROUNDS), limits, console)
        make(file, large)
        script = GROUP_BY.format(folder=folder, models=MODELS, file=str(file))
        runs = {"group-by by DuckDB": ("-c", script)}
        runs["evaluate"] = tasks["evaluate"]
        runs["decide, known costs"] = tasks["decide, known costs"]
        runs["decide, a limit and ranges"] = tasks["decide, a limit and ranges"]
        runs["report, known costs"] = pages["known costs"]
        title = f"{large:.0e} rows of Parquet, {len(MODELS)} models"
        (base, first, *others) = runs
        limits = {base: (1, 1), first: (2.5, 1), **dict.fromkeys(others, (2.5, 0))}
        _print(title, least(runs, 1), limits, console)


def _print(
    title: str, found: dict[str, Cost], limits: dict[str, tuple[float, float]], console: Console
) -> None:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    base = next(iter(found))
    table.add_column("least of runs that take turns")
    for heading in ("seconds", f"x {base}", "at most", "CPU x", "peak MB", "x", "at most"):
        table.add_column(heading, justify="right")
    first = found[base]
    for name, cost in found.items():
        time, memory = limits[name]
        table.add_row(
            name,
            f"{cost.seconds:.2f}",
            f"{cost.seconds / first.seconds:.2f}",
            f"{time:g}",
            f"{cost.work / first.work:.2f}",
            f"{cost.peak / 1e6:.0f}",
            f"{cost.peak / first.peak:.2f}",
            f"{memory:g}" if memory else f"{400 * len(MODELS)} MB",
        )
    console.print(table)


if __name__ == "__main__":
    size = int(float(sys.argv[1])) if sys.argv[1:] else ROWS
    report(Console(width=120, highlight=False), size)

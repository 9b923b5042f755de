"""How long the first answer takes to come: from starting Python, or from the first import.

Every task is a Python of its own, the least of several runs, the tasks taking turns; each is set
against `import numpy` in the same run. What is compiled once is compiled in a round of warm-up.
"""

import os
import resource
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

ROUNDS = 9
DATA = Path(__file__).parents[1] / "examples" / "breast_cancer.csv"
COMMAND = ("-c", "from costspace_command import main; main()")
ROWS = "y, s = [0, 0, 1, 1] * 250, [0.1, 0.6, 0.4, 0.9] * 250"
# Times within Python, so that what it takes to start counts on neither side.
WITHIN = (
    "import time; wall, used = time.perf_counter(), time.process_time(); {}; "
    "print(time.perf_counter() - wall, time.process_time() - used)"
)


@dataclass(frozen=True)
class Task:
    """What is timed, and at most how many times `import numpy` it is to take."""

    arguments: tuple[str, ...]
    most: float


def _within(code: str, most: float) -> Task:
    return Task(("-c", WITHIN.format(code)), most)


def _command(most: float, *arguments: str) -> Task:
    return Task((*COMMAND, *arguments), most)


IMPORT = _within("import numpy", 1)
IMPORTS = {
    "import costspace": _within("import costspace", 0.5),
    "and the first auc": _within(f"import costspace as cs; {ROWS}; cs.auc(y, s)", 2.5),
    "and the first evaluate": _within(f"import costspace as cs; {ROWS}; cs.evaluate(y, s)", 3),
    "and the first decide": _within(
        f"import costspace as cs; {ROWS}; "
        "cs.decide(y, s, conditions=cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.1))",
        3.5,
    ),
}
START = Task(("-c", "import numpy"), 1)
COMMANDS = {
    "costspace --version": _command(0.5, "--version"),
    "costspace --help": _command(2.5, "--help"),
    "costspace decide --help": _command(3, "decide", "--help"),
    "costspace evaluate of 569 rows": _command(
        *(5, "evaluate", str(DATA), "--label", "y_true"),
        *("--score", "logistic", "--score", "naive_bayes", "--score", "random_forest"),
    ),
}


def seconds(task: Task, *, within: bool) -> tuple[float, float]:
    """Seconds by the clock and of processors that a run takes, or what it says they were."""
    before, start = _used(), time.perf_counter()
    run = subprocess.run([sys.executable, *task.arguments], check=True, capture_output=True)
    if within:
        wall, used = map(float, run.stdout.split())
        return wall, used
    return time.perf_counter() - start, _used() - before


def _used() -> float:
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return children.ru_utime + children.ru_stime


def least(tasks: dict[str, Task], rounds: int, *, within: bool) -> dict[str, tuple[float, float]]:
    """The least that each task takes, by the clock and of processors, the tasks taking turns."""
    times: dict[str, list[tuple[float, float]]] = {name: [] for name in tasks}
    for counted in range(-1, rounds):
        for name, task in tasks.items():
            taken = seconds(task, within=within)
            if counted >= 0:
                times[name].append(taken)
    return {name: tuple(map(min, zip(*taken, strict=True))) for name, taken in times.items()}


def report(console: Console) -> None:
    """Measure, and print one table."""
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    table = Table(title="From the first keystroke, against `import numpy`", box=None)
    table.add_column("least of runs that take turns")
    for heading in ("seconds", "x import numpy", "of processor time", "at most"):
        table.add_column(heading, justify="right")
    for base, tasks, within in ((IMPORT, IMPORTS, True), (START, COMMANDS, False)):
        found = least({"": base, **tasks}, ROUNDS, within=within)
        wall, used = found[""]
        for name, task in tasks.items():
            taken = found[name]
            table.add_row(
                *(name, f"{taken[0]:.3f}", f"{taken[0] / wall:.2f}"),
                *(f"{taken[1] / used:.2f}", f"{task.most:g}"),
            )
    console.print(table)

"""The whole `evaluate` set against one sort of the same scores, and against roc_auc_score.

Labels are int64 and validated, scores too. The targets are ratios; every row is measured in one
run, the two sides taking turns. NumPy's sort differs tenfold between processors, and so between
the instructions that it may use: those that it would not choose have processes of their own.
"""

import os
import subprocess
import sys
from dataclasses import dataclass
from math import log
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.metrics import roc_auc_score

import costspace as cs
from benchmarks.measure import median_ratio, paired_times, peak_bytes
from benchmarks.predictions import predictions

ROUNDS = 5
SHARES = (0.1, 0.5)
# At most so many times a sort of the continuous scores, by rows and share of positives.
SORTS: dict[str, dict[float, float]] = {
    "continuous": {0.1: 2, 0.5: 3},
    "tied": {0.1: 6, 0.5: 6},
    "constant": {0.1: 6, 0.5: 6},
    "float32": {0.1: 6, 0.5: 6},
    "weighted": {0.1: 12, 0.5: 12},
}
# The same of continuous scores where NumPy sorts with other instructions than it would choose: what
# it is not to use, and the targets.
AVX512 = "X86_V4 AVX512_ICL AVX512_SPR"
DISPATCHES = {
    "with AVX2": (AVX512, SORTS["continuous"]),
    "without AVX": (f"X86_V3 {AVX512}", {0.1: 1.3, 0.5: 1.3}),
}
AUCS = 10  # at least so many times less than roc_auc_score
MEMORY = 4  # at most so many times the bytes of the scores


@dataclass(frozen=True)
class Figures:
    """What one kind of rows cost at one size."""

    seconds: float
    sorts: float
    aucs: float
    memory: float


def rows(n: int, share: float) -> tuple[np.ndarray, dict[str, tuple[np.ndarray, dict[str, Any]]]]:
    """Labels, and scores with further arguments of each kind of rows."""
    labels, scores, weights = predictions(n, share)
    return labels, {
        "continuous": (scores, {}),
        "tied": (scores.round(2), {}),
        "constant": (np.full(n, 0.3), {}),
        "float32": (scores.astype(np.float32), {}),
        "weighted": (scores, {"sample_weight": weights}),
    }


def measure(n: int, share: float) -> dict[str, Figures]:
    """Figures of every kind of rows at one size and share of positives."""
    labels, kinds = rows(n, share)
    continuous, _ = kinds["continuous"]
    figures = {}
    for kind, (scores, options) in kinds.items():

        def evaluate(scores=scores, options=options):
            return cs.evaluate(labels, scores, **options)

        times = paired_times({"sort": lambda: np.sort(continuous), "evaluate": evaluate}, ROUNDS)
        auc = paired_times(
            {"auc": lambda s=scores, o=options: roc_auc_score(labels, s, **o), "us": evaluate}, 1
        )
        figures[kind] = Figures(
            seconds=median(times["evaluate"]),
            sorts=median_ratio(times["evaluate"], times["sort"]),
            aucs=median_ratio(auc["auc"], auc["us"]),
            memory=peak_bytes(evaluate) / scores.nbytes,
        )
    return figures


def report(sizes: list[int], console: Console) -> None:
    """Measure, and print one table."""
    table = Table(title="cs.evaluate: every metric, every choice, both axes", box=None)
    headings = (
        *("rows", "positives", "n", "x np.sort", "at most"),
        *("roc_auc_score is slower by", "memory x scores", "growth exponent"),
    )
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "rows" else "right")
    for share in SHARES:
        by_size = {n: measure(n, share) for n in sizes}
        for kind in SORTS:
            for n, figures in by_size.items():
                row = figures[kind]
                table.add_row(
                    *(kind, f"{share:.0%}", f"{n:.0e}", f"{row.sorts:.2f}"),
                    *(f"{SORTS[kind][share]}", f"{row.aucs:.1f}", f"{row.memory:.2f}"),
                    _growth(by_size, kind) if n == sizes[-1] else "",
                )
    console.print(table)
    console.print(
        f"\nTargets, at n = 1e7: {AUCS} times less than roc_auc_score, and for continuous rows "
        f"memory at most {MEMORY} times the scores'. The growth exponent is the slope of log "
        "time over log n from the smallest size to the largest.",
    )


def report_dispatches(size: int, console: Console) -> None:
    """Measure where NumPy sorts with other instructions, and print a line for each and a share."""
    table = Table(title="The same, continuous, where NumPy sorts", box=None)
    for heading in ("", "positives", "n", "x np.sort", "at most"):
        table.add_column(heading, justify="right" if heading else "left")
    command = [sys.executable, "-m", "benchmarks.evaluate_against_sort", str(size)]
    for name, (disabled, targets) in DISPATCHES.items():
        environment = {**os.environ, "NPY_DISABLE_CPU_FEATURES": disabled}
        ended = subprocess.run(command, check=True, capture_output=True, text=True, env=environment)
        for (share, most), ratio in zip(targets.items(), ended.stdout.split(), strict=True):
            table.add_row(name, f"{share:.0%}", f"{size:.0e}", ratio, f"{most}")
    console.print(table)


def sorts(n: int, share: float) -> float:
    """How many times a sort `evaluate` of continuous scores takes."""
    labels, scores, _ = predictions(n, share)
    tasks = {"sort": lambda: np.sort(scores), "evaluate": lambda: cs.evaluate(labels, scores)}
    times = paired_times(tasks, ROUNDS)
    return median_ratio(times["evaluate"], times["sort"])


def _growth(by_size: dict[int, dict[str, Figures]], kind: str) -> str:
    small, large = min(by_size), max(by_size)
    if small == large:
        return ""
    times = by_size[large][kind].seconds / by_size[small][kind].seconds
    return f"{log(times) / log(large / small):.2f}"


if __name__ == "__main__":
    for positives in SHARES:
        print(f"{sorts(int(sys.argv[1]), positives):.2f}")

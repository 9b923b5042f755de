"""The bootstrap of four metrics against a loop that resamples rows for roc_auc_score alone.

Rounds of both take turns. A round of the loop is a few resamples, whose time is for each as much
as for any other.
"""

from statistics import median
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from sklearn.metrics import roc_auc_score

import costspace as cs
from benchmarks.measure import median_ratio, paired_times, peak_bytes
from benchmarks.predictions import predictions

ROWS = 10**5
SHARES = (0.1, 0.5)
ROUNDS = 5
REPLICATES = 1000
LOOPS = 10  # resamples of the loop in each round
TIMES = 20  # at least so many times faster
METRICS = (cs.auc, cs.brier_score, cs.h_measure, cs.voros)
KINDS = ("continuous", "tied", "weighted", "stratified")


def rows(share: float, kind: str) -> tuple[np.ndarray, np.ndarray, dict[str, Any]]:
    """Labels, scores, and further arguments of the bootstrap."""
    labels, scores, weights = predictions(ROWS, share)
    options = {"weighted": {"sample_weight": weights}, "stratified": {"design": kind}}
    return labels, scores.round(2) if kind == "tied" else scores, options.get(kind, {})


def loop(labels: np.ndarray, scores: np.ndarray, weight: np.ndarray | None) -> None:
    """Some replicates of the AUC, by drawing rows and sorting them."""
    rng = np.random.default_rng(0)
    for _ in range(LOOPS):
        rows = rng.integers(0, ROWS, ROWS)
        drawn = None if weight is None else weight[rows]
        roc_auc_score(labels[rows], scores[rows], sample_weight=drawn)


def report(console: Console) -> None:
    """Measure, and print one table."""
    table = Table(title=f"cs.bootstrap: AUC, Brier, H and VOROS, n = {ROWS:.0e}", box=None)
    headings = ("rows", "positives", "seconds", "times faster", "at least", "bytes a row")
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "rows" else "right")
    for share in SHARES:
        for kind in KINDS:
            table.add_row(kind, f"{share:.0%}", *_measure(share, kind))
    console.print(table)
    console.print(
        f"\nSeconds for {REPLICATES} replicates and BCa intervals in one process; times faster "
        "than a loop that resamples rows and calls roc_auc_score alone. The target is for "
        "continuous rows.",
    )


def _measure(share: float, kind: str) -> tuple[str, str, str, str]:
    labels, scores, options = rows(share, kind)

    def bootstrap(replicates: int = REPLICATES) -> None:
        cs.bootstrap(labels, scores, metrics=METRICS, replicates=replicates, **options)

    times = paired_times(
        {
            "us": bootstrap,
            "loop": lambda: loop(labels, scores, options.get("sample_weight")),
        },
        ROUNDS,
    )
    looped = [seconds * REPLICATES / LOOPS for seconds in times["loop"]]
    return (
        f"{median(times['us']):.2f}",
        f"{median_ratio(looped, times['us']):.1f}",
        f"{TIMES}" if kind == "continuous" else "",
        f"{peak_bytes(lambda: bootstrap(50)) / ROWS:.0f}",
    )

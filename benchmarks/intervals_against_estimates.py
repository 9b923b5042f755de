"""Intervals for the whole `evaluate` set against the numbers alone."""

from rich.console import Console
from rich.table import Table

import costspace as cs
from benchmarks.measure import median_ratio, paired_times
from benchmarks.predictions import predictions

ROUNDS = 5
SHARES = (0.1, 0.5)
MOST = 2  # times the point estimates, intervals and numbers together


def report(sizes: list[int], console: Console) -> None:
    """Measure, and print one table."""
    table = Table(title="cs.evaluate(..., intervals=True) against cs.evaluate(...)", box=None)
    for heading in ("positives", "n", "x the numbers alone", "at most"):
        table.add_column(heading, justify="right")
    for share in SHARES:
        for n in sizes:
            labels, scores, _ = predictions(n, share)
            times = paired_times(
                {
                    "with": lambda y=labels, s=scores: cs.evaluate(y, s, intervals=True),
                    "without": lambda y=labels, s=scores: cs.evaluate(y, s),
                },
                ROUNDS,
            )
            ratio = median_ratio(times["with"], times["without"])
            table.add_row(f"{share:.0%}", f"{n:.0e}", f"{ratio:.2f}", f"{MOST}")
    console.print(table)

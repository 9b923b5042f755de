"""The cost of a case at 1,000 costs of a review: what it takes beyond the table, and sorting it."""

from collections.abc import Callable
from functools import partial
from statistics import median

import numpy as np
from rich.console import Console
from rich.table import Table

import costspace as cs
from benchmarks.measure import median_ratio, paired_times
from benchmarks.predictions import predictions

ROWS, COSTS, ROUNDS = 10**6, 1000, 9
# At most so many milliseconds more than making the table.
MOST = 10
CHOICES = {
    "score-driven": cs.ScoreDriven(),
    "optimal": cs.Optimal(),
    "rate-driven": cs.RateDriven(),
}
REVIEW = cs.Review(cost=1, sensitivity=0.95, specificity=0.9)


def report(console: Console) -> None:
    """Measure, and print one table."""
    table = Table(title=f"{COSTS} costs of a review, n = {ROWS:.0e}", box=None)
    table.add_column("choice")
    for heading in ("the table: ms", "with costs, x the table", "costs: ms more", "once more: ms"):
        table.add_column(heading, justify="right")
    labels, scores, _ = predictions(ROWS, 0.1)
    make = partial(cs.ScoreTable.from_predictions, labels, scores)
    costs = np.linspace(0, 2, COSTS)
    for name, choice in CHOICES.items():

        def curve(choice: cs.ThresholdChoice = choice) -> cs.metrics.ReviewCurve:
            return cs.review_curve(make(), fp_cost=2, fn_cost=10, review=REVIEW, choice=choice)

        made = curve()
        tasks: dict[str, Callable[[], object]] = {
            "table": make,
            "costs": lambda curve=curve: curve()(costs),
            "again": lambda made=made: made(costs),
        }
        times = paired_times(tasks, ROUNDS)
        more = median(a - b for a, b in zip(times["costs"], times["table"], strict=True))
        table.add_row(
            name,
            f"{1000 * median(times['table']):.1f}",
            f"{median_ratio(times['costs'], times['table']):.2f}",
            f"{1000 * more:.1f}",
            f"{1000 * median(times['again']):.2f}",
        )
    console.print(table)
    console.print(f"\nRequired: at most {MOST} ms more than making the table.")


if __name__ == "__main__":
    report(Console(width=120, highlight=False))

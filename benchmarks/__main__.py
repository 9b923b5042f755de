"""Run the benchmarks: ``python -m benchmarks [--frames] [SIZE ...]``, by default 1e5 1e6 1e7.

With ``--frames``, files of 10^8 rows too, which takes many minutes and some gigabytes of disk.
"""

import sys

from rich.console import Console

from benchmarks import (
    bootstrap_against_loop,
    deciding,
    evaluate_against_sort,
    first_use,
    frames_at_scale,
    intervals_against_estimates,
    predicting,
    reviewing,
)

if __name__ == "__main__":
    given = [size for size in sys.argv[1:] if size != "--frames"]
    sizes = [int(float(size)) for size in given] or [10**5, 10**6, 10**7]
    console = Console(width=120, highlight=False)
    first_use.report(console)
    console.print()
    evaluate_against_sort.report(sizes, console)
    console.print()
    evaluate_against_sort.report_dispatches(max(sizes), console)
    console.print()
    deciding.report(console)
    console.print()
    bootstrap_against_loop.report(console)
    console.print()
    intervals_against_estimates.report([10**6], console)
    console.print()
    predicting.report(console)
    console.print()
    reviewing.report(console)
    if "--frames" in sys.argv[1:]:
        console.print()
        frames_at_scale.report(frames_at_scale.ROWS, console)

"""Run the benchmarks: ``python -m benchmarks [SIZE ...]``, by default 1e5 1e6 1e7."""

import sys

from rich.console import Console

from benchmarks import bootstrap_against_loop, evaluate_against_sort, intervals_against_estimates

if __name__ == "__main__":
    sizes = [int(float(size)) for size in sys.argv[1:]] or [10**5, 10**6, 10**7]
    console = Console(width=120, highlight=False)
    evaluate_against_sort.report(sizes, console)
    console.print()
    bootstrap_against_loop.report(console)
    console.print()
    intervals_against_estimates.report([10**6], console)

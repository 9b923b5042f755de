"""Run the benchmarks: ``python -m benchmarks [SIZE ...]``, by default 1e5 1e6 1e7."""

import sys

from rich.console import Console

from benchmarks.evaluate_against_sort import report

if __name__ == "__main__":
    sizes = [int(float(size)) for size in sys.argv[1:]] or [10**5, 10**6, 10**7]
    report(sizes, Console(width=120, highlight=False))

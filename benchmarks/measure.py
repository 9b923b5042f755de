"""Times and memory that mean something on a shared machine: ratios within one run."""

import time
import tracemalloc
from collections.abc import Callable
from statistics import median


def paired_times(tasks: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Seconds of each task in each round, the tasks taking turns, after one round of warm-up."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for counted in range(-1, rounds):
        for name, task in tasks.items():
            start = time.perf_counter()
            task()
            if counted >= 0:
                times[name].append(time.perf_counter() - start)
    return times


def median_ratio(over: list[float], under: list[float]) -> float:
    """The median of the ratios of two tasks, round by round."""
    return median(a / b for a, b in zip(over, under, strict=True))


def peak_bytes(task: Callable[[], object]) -> int:
    """The most memory that a task holds at once beyond its input, NumPy's arrays included."""
    tracemalloc.start()
    try:
        task()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

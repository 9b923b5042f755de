"""Measuring: a table that is kept up row by row, so that a run that was stopped goes on."""

import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
from rich.console import Console

import costspace as cs
from benchmarks.measure import median_ratio, paired_times
from benchmarks.peers.comparison import Comparison, Quantity, Value, difference
from benchmarks.peers.memory import available_bytes, peak_bytes
from benchmarks.peers.predictions import KINDS, Predictions
from benchmarks.peers.registry import COMPARISONS
from benchmarks.tables import Row, read, write

SIZES = (10**4, 10**5, 10**6, 10**7)
# Fewer sizes are enough for tied scores.
TIED_SIZES = (10**4, 10**6)
# Below it the allocator's own pages are more than what a call takes.
LEAST_ROWS_OF_MEMORY = 10**5
SECONDS_A_CALL, SHARE_OF_MEMORY = 60, 0.5
# A sort grows a little faster than the rows do.
GROWTH = 1.2
ROUNDS, ROOM = (2, 15), 4.0  # rounds of a pair, and seconds they may take
TABLE_ROWS, TABLE_ROUNDS = 10**6, 7


@dataclass(frozen=True)
class Before:
    """What a comparison took at the largest size that was measured yet, and the peer of memory."""

    n: int
    seconds: float
    peer_seconds: float
    bytes_a_row: float

    def reason_to_skip(self, n: int) -> str:
        """Why not to measure at n, or nothing."""
        seconds, size = GROWTH * self.peer_seconds * n / self.n, self.bytes_a_row * n
        if seconds > SECONDS_A_CALL:
            return f"about {seconds:.0f} s a call expected"
        if size > SHARE_OF_MEMORY * available_bytes():
            return f"about {size / 1e9:.0f} GB expected"
        return ""

    def rounds(self, n: int) -> int:
        return int(np.clip(ROOM * self.n / n / (self.seconds + self.peer_seconds), *ROUNDS))


def cells() -> Iterator[tuple[Comparison, str, int]]:
    """Smaller sizes first, since they tell what larger ones will take."""
    for n in SIZES:
        for kind in KINDS if n in TIED_SIZES else ("distinct",):
            for comparison in COMPARISONS:
                yield comparison, kind, n


def measure_all(path: Path, sizes: Iterable[int], console: Console) -> None:
    """Measure every cell that is not in the table yet."""
    rows = read(path)
    there = {_cell(row) for row in rows}
    for comparison, kind, n in cells():
        if n in sizes and (comparison.key, kind, n) not in there:
            row = measure(comparison, predictions(kind, n), _before(rows, comparison, kind))
            rows.append(row)
            write(path, rows)
            told = row["not_measured"] or f"{float(row['time_ratio']):.2f} times our time"
            console.print(f"{comparison.key}, {comparison.peer}, {kind}, {n:.0e}: {told}")


@cache
def _our_peak(quantity: Quantity, given: Predictions) -> int:
    """A quantity is compared with several packages, and takes what it takes."""
    key = next(one.key for one in COMPARISONS if one.quantity == quantity)
    return peak_bytes(key, "ours", given)


def measure(comparison: Comparison, given: Predictions, before: Before | None) -> Row:
    """Times, memory and how far apart the numbers are."""
    reason = before.reason_to_skip(given.n) if before else ""
    named = {
        "quantity": comparison.quantity.name,
        "peer": comparison.peer,
        "call": comparison.call,
        "our_call": comparison.quantity.call,
        "kind": given.kind,
        "n": str(given.n),
        "not_measured": reason,
    }
    figures: dict[str, float] = {}
    if not reason:
        rounds = before.rounds(given.n) if before else ROUNDS[1]
        figures = _timed(comparison, given, rounds)
    if not reason and given.kind == "distinct" and given.n >= LEAST_ROWS_OF_MEMORY:
        ours = _our_peak(comparison.quantity, given)
        theirs = peak_bytes(comparison.key, "theirs", given)
        figures |= {"bytes": ours, "peer_bytes": theirs, "memory_ratio": theirs / ours}
    names = ("rounds", "seconds", "peer_seconds", "time_ratio", "bytes", "peer_bytes")
    return named | {
        name: f"{figures[name]:.4g}" if name in figures else ""
        for name in (*names, "memory_ratio", "difference")
    }


def _timed(comparison: Comparison, given: Predictions, rounds: int) -> dict[str, float]:
    found: dict[str, Value] = {}

    def task(name: str) -> Callable[[], None]:
        side = comparison.sides[name]
        rows = side.form(given)

        def compute() -> None:
            found[name] = side.compute(*rows)

        return compute

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        times = paired_times({name: task(name) for name in comparison.sides}, rounds)
    return {
        "rounds": rounds,
        "seconds": median(times["ours"]),
        "peer_seconds": median(times["theirs"]),
        "time_ratio": median_ratio(times["theirs"], times["ours"]),
        "difference": difference(found["ours"], found["theirs"]),
    }


def tables() -> list[Row]:
    """What each of our numbers takes from rows, and from a table that is there."""
    given = predictions("distinct", TABLE_ROWS)
    # By what they are called: those of one call differ in arguments alone.
    ways: dict[str, Callable[..., Value]] = {"ScoreTable": cs.ScoreTable.from_predictions}
    for quantity in dict.fromkeys(one.quantity for one in COMPARISONS):
        if quantity.takes_table:
            ways.setdefault(quantity.call, quantity.compute)
    ways["evaluate"] = cs.evaluate
    return [_of_table(call, way, given) for call, way in ways.items()]


def _of_table(call: str, way: Callable[..., Any], given: Predictions) -> Row:
    tasks: dict[str, Callable[[], object]] = {"rows": lambda: way(*given.rows)}
    if call != "ScoreTable":
        # Tables keep what they have worked out, so each round has one of its own.
        fresh = iter([cs.ScoreTable.from_predictions(*given.rows) for _ in range(TABLE_ROUNDS + 1)])
        tasks["table"] = lambda: way(next(fresh))
    times = paired_times(tasks, TABLE_ROUNDS)
    return {
        "call": call,
        "n": str(given.n),
        "seconds": f"{median(times['rows']):.4g}",
        "seconds_of_table": f"{median(times['table']):.4g}" if "table" in times else "",
    }


@cache
def predictions(kind: str, n: int) -> Predictions:
    return Predictions(kind, n)


def _before(rows: list[Row], comparison: Comparison, kind: str) -> Before | None:
    done = [row for row in rows if _cell(row)[0] == comparison.key and not row["not_measured"]]
    alike = [row for row in done if row["kind"] == kind]
    if not alike:
        return None
    last = max(alike, key=lambda row: int(row["n"]))
    return Before(
        int(last["n"]),
        float(last["seconds"]),
        float(last["peer_seconds"]),
        max(float(row["peer_bytes"] or 0) / int(row["n"]) for row in done),
    )


def _cell(row: Row) -> tuple[str, str, int]:
    return f"{row['quantity']} | {row['call']}", row["kind"], int(row["n"])

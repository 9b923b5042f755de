"""Parts of the study with a row a setting, whose sizes are its own."""

import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
from rich.progress import Progress

from benchmarks.tables import Row, read, write

CHUNK = 25  # simulations that a process makes at a time
Sample: TypeAlias = tuple[float, ...]


class AnySetting(Protocol):
    """What is drawn: a tuple whose text is its name."""

    @property
    def n(self) -> int: ...
    @property
    def prevalence(self) -> float: ...


@dataclass(frozen=True)
class BySetting:
    """A part of the study.

    Attributes
    ----------
    title, about : str
    simulations : int
    settings : sequence
        In the order of the table.
    simulate : callable
        What the simulation of that number finds in a setting.
    figures : callable
        What is written of a setting, given what its simulations found, a row each.
    words : callable
        What the page says of all rows.
    """

    title: str
    about: str
    simulations: int
    settings: Sequence[Any]
    simulate: Callable[[Any, int], Sample]
    figures: Callable[[Any, np.ndarray], dict[str, float]]
    words: Callable[[Sequence[Row]], Iterable[str]]

    def run(
        self, path: Path, share: float, sizes: Sequence[int], *, fresh: bool, jobs: int
    ) -> None:
        """Simulate what is not in the table yet; settings have sizes of their own."""
        rows = [] if fresh else read(path)
        count = max(round(share * self.simulations), 2)
        there = {key_of(row) for row in rows if int(row["simulations"]) == count}
        keys = [key_of(described(setting)) for setting in self.settings]
        chunks = [(k, min(k + CHUNK, count)) for k in range(0, count, CHUNK)]
        with Progress() as progress, ProcessPoolExecutor(jobs) as pool:
            waiting = {
                pool.submit(_simulated, self.simulate, setting, *chunk): (setting, chunk)
                for setting, key in zip(self.settings, keys, strict=True)
                if key not in there
                for chunk in chunks
            }
            task = progress.add_task(self.title, total=len(waiting))
            done: dict[AnySetting, dict[tuple[int, int], list[Sample]]] = defaultdict(dict)
            for future in as_completed(waiting):
                setting, chunk = waiting[future]
                done[setting][chunk] = future.result()
                progress.advance(task)
                if len(done[setting]) == len(chunks):
                    parts = done.pop(setting)
                    found = np.array([sample for chunk in chunks for sample in parts[chunk]])
                    row = self._row(setting, found)
                    rows = [old for old in rows if key_of(old) != key_of(row)] + [row]
                    write(path, sorted(rows, key=lambda row: keys.index(key_of(row))))

    def _row(self, setting: Any, samples: np.ndarray) -> Row:
        written = {
            name: "" if np.isnan(value) else f"{value:.3f}"
            for name, value in self.figures(setting, samples).items()
        }
        return {**described(setting), "simulations": str(len(samples)), **written}

    def lines(self, rows: Sequence[Row]) -> Iterator[str]:
        """What the page says, after its heading."""
        yield from self.words(rows)
        yield ""


def described(setting: AnySetting) -> Row:
    """What a row begins with."""
    return {
        "setting": str(setting),
        "n": str(setting.n),
        "prevalence": f"{setting.prevalence:g}",
    }


def key_of(row: Row) -> tuple[str, ...]:
    """Which setting a row is of."""
    return row["setting"], row["n"], row["prevalence"]


def table(
    rows: Sequence[Row], columns: dict[str, Callable[[Row], str]], first: str
) -> Iterator[str]:
    """A line a setting, as Markdown."""
    yield f"| {' | '.join((first, 'n', 'Prevalence', *columns))} |"
    yield f"| ---{' | ---' * (2 + len(columns))} |"
    for row in rows:
        lead = f"| {row['setting']} | {int(row['n']):,} | {row['prevalence']}"
        yield f"{lead} | {' | '.join(text(row) for text in columns.values())} |"


def shown(name: str, digits: int = 1) -> Callable[[Row], str]:
    """The text of a figure, a dash if there is none."""
    return lambda row: f"{float(row[name]):.{digits}f}" if row[name] else "–"


def percent_of_bias(row: Row) -> str:
    """A bias with the 95 % interval of that, a dash if too few samples have one."""
    if not row["se_of_bias"]:
        return "–"
    return f"{float(row['bias']):+.1f} ± {1.96 * float(row['se_of_bias']):.1f}"


def range_of(rows: Sequence[Row], figure: str, form: str) -> str:
    """The least and the largest value of a figure, a dash if there is none."""
    values = [float(row[figure]) for row in rows if row[figure]]
    if not values:
        return "–"
    low, high = (format(end, form) for end in (min(values), max(values)))
    return low if low == high else f"{low} to {high}"


def standard_error(values: np.ndarray) -> float:
    """Of their mean."""
    return float(np.std(values, ddof=1) / np.sqrt(len(values)))


def _simulated(
    simulate: Callable[[Any, int], Sample], setting: Any, start: int, stop: int
) -> list[Sample]:
    """What the simulations from one to another find."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [simulate(setting, k) for k in range(start, stop)]

"""What every part of the study shares: cells, simulations, figures, a table kept cell by cell."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
from rich.progress import Progress

from benchmarks.tables import Row, read, write
from costspace.checks import AXES
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.metrics import METRICS

LEVEL, INSIDE = 0.95, (0.93, 0.97)
SIZES, PREVALENCES = (200, 1000, 5000), (0.5, 0.1, 0.02)
FEWEST = 30  # expected positives, where a part is not about fewer
NOTHING = 1e-9  # what rounding and quadrature leave of it
CHUNK = 50  # simulations that a process makes at a time
QUANTITIES = (
    *METRICS,
    *(f"expected_loss.{axis}.{choice}" for axis in AXES for choice in PARAMETER_FREE),
)
# Each number once: expected losses that are metrics have two names.
DISTINCT = tuple(
    name
    for name in QUANTITIES
    if name.rpartition(".")[2] not in {"score_driven", "score_uniform"}
    and name != "expected_loss.cost.optimal"
)


class Cell(NamedTuple):
    """What rows are drawn: of which scores, and by which design."""

    scores: str
    design: str
    prevalence: float
    n: int

    @property
    def left_out(self) -> bool:
        return self.prevalence * self.n < FEWEST


def cells_of(scores: Sequence[str], designs: Sequence[str]) -> tuple[Cell, ...]:
    """Those with enough positives."""
    every = (
        Cell(name, design, prevalence, n)
        for name in scores
        for design in designs
        for prevalence in PREVALENCES
        for n in SIZES
    )
    return tuple(cell for cell in every if not cell.left_out)


@dataclass(frozen=True)
class Found:
    """What simulations gave for each of k quantities: arrays of shape (simulations, k).

    NaN where a quantity has no such number.
    """

    low: np.ndarray
    high: np.ndarray
    estimate: np.ndarray
    corrected: np.ndarray
    error: np.ndarray
    p: np.ndarray

    @classmethod
    def of(cls, rows: Sequence[Sequence[tuple[float, ...]]]) -> "Found":
        """One row a simulation, in it a tuple for each quantity: ends, and what else there is."""
        known = np.array(rows, dtype=float)
        padded = np.full((*known.shape[:2], len(fields(cls))), np.nan)
        padded[..., : known.shape[2]] = known
        return cls(*np.moveaxis(padded, 2, 0))

    @classmethod
    def joined(cls, parts: Sequence["Found"]) -> "Found":
        return cls(
            *(np.concatenate([getattr(part, one.name) for part in parts]) for one in fields(cls))
        )


Simulate: TypeAlias = Callable[[Cell, int], Sequence[tuple[float, ...]]]


def simulated(simulate: Simulate, cell: Cell, start: int, stop: int) -> Found:
    """What the simulations from one to another find."""
    return Found.of([simulate(cell, k) for k in range(start, stop)])


@dataclass(frozen=True)
class Part:
    """A part of the study: what it is about, and how one of its samples is drawn and looked at.

    Attributes
    ----------
    title, about : str
    cells : tuple of Cell
    simulations : mapping of n to int
    quantities : function of a cell to the names of its quantities
    targets : function of a cell to the population's values of these
    simulate : function of a cell and the number of a simulation to a tuple for each quantity
    columns : tuple of str
        What the columns of the page's tables are; the sizes by default.
    column : function of a cell to one of them
    listed : bool
        Whether the page lists every number outside.
    """

    title: str
    about: str
    cells: tuple[Cell, ...]
    simulations: dict[int, int]
    quantities: Callable[[Cell], tuple[str, ...]]
    targets: Callable[[Cell], np.ndarray]
    simulate: Simulate
    columns: tuple[str, ...] = tuple(f"n = {n:,}" for n in SIZES)
    column: Callable[[Cell], str] = lambda cell: f"n = {cell.n:,}"
    listed: bool = True

    def rows(self, cell: Cell, found: Found) -> list[Row]:
        """The table's rows of a cell."""
        columns = _figures(found, self.targets(cell))
        return [
            {
                **{key: str(value) for key, value in cell._asdict().items()},
                "quantity": name,
                "simulations": str(len(found.low)),
                **{key: _written(values[j]) for key, values in columns.items()},
                "outside": _side(columns["coverage"][j]),
            }
            for j, name in enumerate(self.quantities(cell))
        ]

    def run(
        self, path: Path, share: float, sizes: Sequence[int], *, fresh: bool, jobs: int
    ) -> None:
        """Simulate what is not in the table yet, as large a share of the simulations as asked."""
        rows = read(path)
        counts = {n: max(round(share * count), 2) for n, count in self.simulations.items()}
        there = {cell_of(row) for row in rows if int(row["simulations"]) == counts[int(row["n"])]}
        cells = [cell for cell in self.cells if cell.n in sizes and (fresh or cell not in there)]
        with Progress() as progress, ProcessPoolExecutor(jobs) as pool:
            waiting = {
                pool.submit(simulated, self.simulate, cell, k, min(k + CHUNK, counts[cell.n])): (
                    cell,
                    k,
                )
                for cell in sorted(cells, key=lambda cell: -cell.n)
                for k in range(0, counts[cell.n], CHUNK)
            }
            task = progress.add_task(self.title, total=len(waiting))
            done: dict[Cell, dict[int, Found]] = defaultdict(dict)
            for future in as_completed(waiting):
                cell, k = waiting[future]
                done[cell][k] = future.result()
                progress.advance(task)
                if len(done[cell]) == len(range(0, counts[cell.n], CHUNK)):
                    of_cell = done.pop(cell)
                    found = Found.joined([of_cell[k] for k in sorted(of_cell)])
                    others = [row for row in rows if cell_of(row) != cell]
                    rows = others + self.rows(cell, found)
                    # Stable: the quantities of a cell stay in their order.
                    write(path, sorted(rows, key=lambda row: self.cells.index(cell_of(row))))


def _figures(found: Found, target: np.ndarray) -> dict[str, np.ndarray]:
    below, above = found.high < target - NOTHING, found.low > target + NOTHING
    # Of what the interval is around.
    deviation = np.std(found.corrected, axis=0, ddof=1)
    scale = np.where(deviation > NOTHING, deviation, np.nan)
    return {
        "target": target,
        "coverage": 1 - np.mean(below | above, axis=0),
        "below": np.mean(below, axis=0),
        "above": np.mean(above, axis=0),
        "width": np.mean(found.high - found.low, axis=0),
        "bias": (np.mean(found.estimate, axis=0) - target) / scale,
        "corrected_bias": (np.mean(found.corrected, axis=0) - target) / scale,
        "se_over_sd": np.mean(found.error, axis=0) / scale,
        "rejected": np.where(np.isnan(found.p[0]), np.nan, np.mean(found.p < 1 - LEVEL, axis=0)),
    }


def _side(coverage: float) -> str:
    # Counted in simulations: 0.93 of them is not under.
    if coverage < INSIDE[0] - NOTHING:
        return "under"
    return "over" if coverage > INSIDE[1] + NOTHING else ""


def _written(value: float) -> str:
    if np.isnan(value):
        return ""
    return "0" if abs(value) < NOTHING else f"{value:.4g}"


def cell_of(row: Row) -> Cell:
    return Cell(row["scores"], row["design"], float(row["prevalence"]), int(row["n"]))

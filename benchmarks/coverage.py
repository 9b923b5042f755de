"""How often 95 % intervals cover the population's value, for everything that `evaluate` computes.

    python -m benchmarks.coverage             all cells, 2,000 simulations: a quarter of an hour
    python -m benchmarks.coverage --quick     200 simulations, into build/coverage
    python -m benchmarks.coverage --n 200 --scores tied --fresh

The table is kept up cell by cell: a run that was stopped goes on where it was. Simulation k of a
cell is the same in every run.
"""

import argparse
import csv
import zlib
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from rich.console import Console
from rich.progress import MofNCompleteColumn, Progress, TimeRemainingColumn

import costspace as cs
from benchmarks.coverage_models import MODELS
from costspace.choices import PARAMETER_FREE
from costspace.condition import AXES
from costspace.evaluation import METRICS
from costspace.inference.estimating import estimate_on
from costspace.inference.named import statistic_named

LEVEL, INSIDE = 0.95, (0.93, 0.97)
SIZES, PREVALENCES = (200, 1000, 5000), (0.5, 0.1, 0.02)
DESIGNS = ("independent", "stratified")
FEWEST = 30  # expected positives
NOTHING = 1e-9  # what rounding and quadrature leave of it
QUANTITIES = (
    *METRICS,
    *(f"expected_loss.{axis}.{choice}" for axis in AXES for choice in PARAMETER_FREE),
)
STATISTICS = {name: statistic_named(name) for name in QUANTITIES}
FOLDER, QUICK = Path(__file__).parent, Path("build/coverage")
HEAD = (
    *("scores", "design", "prevalence", "n", "quantity", "simulations", "target", "coverage"),
    *("below", "above", "width", "bias", "corrected_bias", "se_over_sd", "outside"),
)


class Cell(NamedTuple):
    """What rows are drawn."""

    scores: str
    design: str
    prevalence: float
    n: int

    @property
    def left_out(self) -> bool:
        return self.prevalence * self.n < FEWEST


@dataclass(frozen=True)
class Found:
    """What a cell's simulations gave for every quantity: arrays of shape (simulations, k)."""

    estimate: np.ndarray
    corrected: np.ndarray
    error: np.ndarray
    low: np.ndarray
    high: np.ndarray


@cache
def targets(scores: str, prevalence: float) -> np.ndarray:
    """The population's value of every quantity."""
    source = MODELS[scores].population(prevalence)
    return np.array([statistic.value(source) for statistic in STATISTICS.values()])


def table_of(cell: Cell, simulation: int) -> cs.ScoreTable:
    """The rows of one simulation."""
    rng = np.random.default_rng([zlib.crc32(repr(tuple(cell)).encode()), simulation])
    if cell.design == "independent":
        positive = rng.random(cell.n) < cell.prevalence
    else:
        positive = np.arange(cell.n) < round(cell.prevalence * cell.n)
    scores = MODELS[cell.scores].draw(positive, cell.prevalence, rng)
    return cs.ScoreTable.from_predictions(positive, scores)


def simulate(cell: Cell, simulations: int) -> Found:
    """Draw, and estimate everything."""
    found = np.empty((5, simulations, len(STATISTICS)))
    for k in range(simulations):
        table = table_of(cell, k)
        for j, statistic in enumerate(STATISTICS.values()):
            # What is on the skew axis takes fixed class sizes by default.
            design = "stratified" if statistic.balanced else cell.design
            one = estimate_on(statistic, table, level=LEVEL, design=design)
            found[:, k, j] = (
                *(one.estimate, one.corrected),
                *(one.standard_error, one.low, one.high),
            )
    return Found(*found)


def rows_of(cell: Cell, simulations: int) -> list[dict[str, str]]:
    """The table's rows of one cell."""
    found, target = simulate(cell, simulations), targets(cell.scores, cell.prevalence)
    below, above = found.high < target - NOTHING, found.low > target + NOTHING
    # Of what the interval is around.
    deviation = np.std(found.corrected, axis=0, ddof=1)
    varies = deviation > NOTHING
    scale = np.where(varies, deviation, 1.0)
    figures = {
        "target": target,
        "coverage": 1 - np.mean(below | above, axis=0),
        "below": np.mean(below, axis=0),
        "above": np.mean(above, axis=0),
        "width": np.mean(found.high - found.low, axis=0),
        "bias": (np.mean(found.estimate, axis=0) - target) / scale,
        "corrected_bias": (np.mean(found.corrected, axis=0) - target) / scale,
        "se_over_sd": np.where(varies, np.mean(found.error, axis=0) / scale, np.nan),
    }
    coverage = figures["coverage"]
    outside = np.where(coverage < INSIDE[0], "under", np.where(coverage > INSIDE[1], "over", ""))
    return [
        {
            **{key: str(value) for key, value in cell._asdict().items()},
            "quantity": name,
            "simulations": str(simulations),
            **{key: _written(values[j]) for key, values in figures.items()},
            "outside": str(outside[j]),
        }
        for j, name in enumerate(STATISTICS)
    ]


def _written(value: float) -> str:
    return "0" if abs(value) < NOTHING else f"{value:.4g}"


def cell_of(row: dict[str, str]) -> Cell:
    return Cell(row["scores"], row["design"], float(row["prevalence"]), int(row["n"]))


def read(path: Path) -> list[dict[str, str]]:
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: Iterable[dict[str, str]]) -> None:
    """Write the rows in the order of the cells, through a file beside it."""
    order = {cell: i for i, cell in enumerate(every_cell())}
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_suffix(".part")
    with beside.open("w", newline="") as file:
        writer = csv.DictWriter(file, HEAD, lineterminator="\n")
        writer.writeheader()
        writer.writerows(
            sorted(rows, key=lambda r: (order[cell_of(r)], QUANTITIES.index(r["quantity"])))
        )
    beside.replace(path)


def every_cell() -> list[Cell]:
    return [
        Cell(scores, design, prevalence, n)
        for scores, design, prevalence, n in product(MODELS, DESIGNS, PREVALENCES, SIZES)
    ]


def summary(rows: list[dict[str, str]]) -> str:
    """The table in short, as Markdown: ranges over the cells of a size."""
    simulations = sorted({int(row["simulations"]) for row in rows})
    head = [
        f"| Quantity | {' | '.join(f'n = {n:,}' for n in SIZES)} |",
        "| --- | --- | --- | --- |",
    ]
    lines = [
        "# Coverage of 95 % intervals",
        "",
        "Made by `python -m benchmarks.coverage`; every number stands in `coverage.csv`.",
        f"{' or '.join(f'{k:,}' for k in simulations)} simulations a cell. Ranges are over the",
        "cells of a size: scores calibrated, overconfident, tied; prevalence 0.5, 0.1, 0.02;",
        "independent rows, fixed class sizes.",
        "",
        f"Left out, with fewer than {FEWEST} expected positives:",
        "; ".join(f"prevalence {p:g} at n = {n:,}" for p, n in _left_out()) + ".",
        "",
        "## Coverage in percent",
        "",
        "Bold where a cell is outside of 93 to 97, with how many are under and over.",
        "`miscalibration` has an upper bound, which always covers the 0 of calibrated scores.",
        "",
        *head,
    ]
    for name in QUANTITIES:
        cells = (_coverage_text(_at(rows, name, n)) for n in SIZES)
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    lines += [
        "",
        "## Bias of what is optimal on its own sample",
        "",
        "In standard deviations: of the estimate, and after correction.",
        "",
        *head,
    ]
    for name in QUANTITIES:
        if any(row["bias"] != row["corrected_bias"] for row in rows if row["quantity"] == name):
            cells = (_bias_text(_at(rows, name, n)) for n in SIZES)
            lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join([*lines, ""])


def _left_out() -> list[tuple[float, int]]:
    return sorted({(cell.prevalence, cell.n) for cell in every_cell() if cell.left_out})


def _at(rows: list[dict[str, str]], name: str, n: int) -> list[dict[str, str]]:
    return [row for row in rows if row["quantity"] == name and int(row["n"]) == n]


def _coverage_text(rows: list[dict[str, str]]) -> str:
    text = _range([100 * float(row["coverage"]) for row in rows], 1)
    counts = {side: sum(row["outside"] == side for row in rows) for side in ("under", "over")}
    outside = ", ".join(f"{count} {side}" for side, count in counts.items() if count)
    return f"**{text}** ({outside})" if outside else text


def _bias_text(rows: list[dict[str, str]]) -> str:
    before, after = ([float(row[key]) for row in rows] for key in ("bias", "corrected_bias"))
    return f"{_range(before, 2)}; {_range(after, 2)}"


def _range(values: list[float], digits: int) -> str:
    if not values:
        return ""
    return f"{min(values):.{digits}f} to {max(values):.{digits}f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="200 simulations, into build/coverage")
    parser.add_argument("--simulations", type=int)
    parser.add_argument("--n", type=int, nargs="+", choices=SIZES, default=SIZES)
    parser.add_argument("--scores", nargs="+", choices=list(MODELS), default=list(MODELS))
    parser.add_argument("--jobs", type=int, default=2, help="cells at a time")
    parser.add_argument("--fresh", action="store_true", help="redo cells that are there")
    given = parser.parse_args()
    folder, simulations = (QUICK, 200) if given.quick else (FOLDER, 2000)
    simulations = given.simulations or simulations
    path = folder / "coverage.csv"
    rows = read(path)
    there = {cell_of(row) for row in rows if int(row["simulations"]) == simulations}
    cells = [
        cell
        for cell in every_cell()
        if cell.n in given.n and cell.scores in given.scores and not cell.left_out
        if given.fresh or cell not in there
    ]
    console = Console(width=120, highlight=False)
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console) as progress, ProcessPoolExecutor(given.jobs) as pool:
        task = progress.add_task("cells", total=len(cells))
        futures = {pool.submit(rows_of, cell, simulations): cell for cell in cells}
        for future in as_completed(futures):
            cell = futures[future]
            rows = [row for row in rows if cell_of(row) != cell] + future.result()
            write(path, rows)
            progress.advance(task)
    folder.joinpath("coverage.md").write_text(summary(rows))
    counts = [sum(row["outside"] == side for row in rows) for side in ("under", "over")]
    console.print(f"of {len(rows)} {counts[0]} under 93 %, {counts[1]} over 97 %: see {path}")


if __name__ == "__main__":
    main()

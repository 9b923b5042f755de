"""How far estimates without labels were off, when the labels have come."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray, FrozenValue
from costspace.decision.words import estimate_shown, listed
from costspace.errors import SourceError
from costspace.estimates.interval import normal_quantile
from costspace.notebook import Tabulated
from costspace.predictions import source_of
from costspace.scores.table import check_table
from costspace.watching.cell_estimates import CellEstimate
from costspace.watching.mixture_cells import counted_in
from costspace.watching.unlabelled_cells import UnlabelledCells
from costspace.watching.unlabelled_prevalence import ASSUMED, CALIBRATION, LABEL_SHIFT

PREVALENCE, COST = "prevalence", "cost_per_1000"


@final
@dataclass(frozen=True)
class LabelledError:
    """How far an estimate without labels was off.

    Attributes
    ----------
    quantity : {"prevalence", "cost_per_1000"}
    assumption : {"label_shift", "calibration"}
    estimate, labelled : float
        What it was said to be, and what it is on the same rows with their labels.
    difference : float
        The first minus the second.
    standard_error, low, high : float
        Of the difference, where the assumption holds; the interval is around it.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> n = np.arange(400)
    >>> y = (n % 7 < 2).astype(int)
    >>> s = n % 80 / 80 + y / 2
    >>> table = cs.ScoreTable.from_predictions(y, s)
    >>> came = cs.watching.drift_unlabelled(table, s).labelled(table)
    >>> [round(one.difference, 3) for one in came.errors]
    [0.0, 0.0]
    """

    quantity: str
    assumption: str
    estimate: float
    labelled: float
    difference: float
    standard_error: float
    low: float
    high: float

    @property
    def held(self) -> bool:
        """Whether the difference is no more than errors of the samples make it."""
        return self.low <= 0 <= self.high


@final
@dataclass(frozen=True, repr=False)
class LabelsCame(FrozenValue, Tabulated):
    """How far each estimate without labels was off, and so which assumption held.

    Attributes
    ----------
    errors : tuple of LabelledError
        Of the prevalence, and of money if it was asked for, under either assumption.
    level : float in (0, 1)
        Confidence level of the intervals.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> n = np.arange(400)
    >>> y = (n % 7 < 2).astype(int)
    >>> s = n % 80 / 80 + y / 2
    >>> table = cs.ScoreTable.from_predictions(y, s)
    >>> cs.watching.drift_unlabelled(table, s).labelled(table).held
    ('label_shift', 'calibration')
    """

    errors: tuple[LabelledError, ...]
    level: float

    @property
    def held(self) -> tuple[str, ...]:
        """The assumptions of which every estimate is as near as errors of the samples let it be."""
        names = dict.fromkeys(one.assumption for one in self.errors)
        off = {one.assumption for one in self.errors if not one.held}
        return tuple(name for name in names if name not in off)

    def reading(self) -> str:
        """Which assumption held, in a sentence or two."""
        parts = []
        for one in self.errors:
            value, ends = estimate_shown(one.difference, one.low, one.high)
            what = one.quantity.replace("cost_per_1000", "cost per 1,000")
            parts.append(
                f"{what} under {one.assumption.replace('_', ' ')} was off by {value} ({ends})"
            )
        told = listed([f"that {ASSUMED[name]}" for name in self.held])
        fits = f"What the labels fit: {told}." if told else "The labels fit neither assumption."
        return f"{fits} With labels, {listed(parts)}."

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row an error, every attribute by its name."""
        names = LabelledError.__dataclass_fields__
        return {name: np.array([getattr(one, name) for one in self.errors]) for name in names}

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and numbers, ready for JSON."""
        errors = [{**asdict(one), "held": one.held} for one in self.errors]
        return {"errors": errors, "held": list(self.held), "level": self.level}

    def __repr__(self) -> str:
        return self.reading()


def labels_came(cells: UnlabelledCells, level: float, after: Any) -> LabelsCame:
    """How far the estimates are off that were found for rows whose labels have come."""
    table = check_table("labels", source_of(after), needs="a ScoreTable or rows", own=True)
    finer, within = cells.finer, cells.within
    labelled = [counted_in(finer.edges, side) for side in (table.negatives, table.positives)]
    mass, squares = (np.stack(one) for one in zip(*labelled, strict=True))
    if not np.allclose(mass.sum(axis=0), finer.mass[2], rtol=1e-9, atol=0):
        raise SourceError(
            f"labels are of {mass.sum():g} rows, and estimates of {finer.totals[2]:g} with other "
            "scores: give the same rows, all with their labels. A row whose label is late is no "
            "negative: wait for it, or estimate from the rows that have theirs."
        )
    labels = _Labels(mass, squares, level)
    classes = np.repeat([[0.0], [1.0]], len(finer), axis=1)
    names = LABEL_SHIFT, CALIBRATION
    errors = [
        labels.error(PREVALENCE, name, cells.estimate(name).in_cells(finer, within), classes)
        for name in names
    ]
    if cells.rule is not None:
        money = cells.money_of(cells.rule)
        errors += [
            labels.error(COST, name, cells.under(name, money, level)[0], money.of_each)
            for name in names
        ]
    return LabelsCame(tuple(errors), level)


@final
@dataclass(frozen=True, eq=False)
class _Labels(FrozenValue):
    """The new rows by class and cell, in arrays of shape (2, k)."""

    mass: FloatArray
    squares: FloatArray
    level: float

    def error(
        self, quantity: str, assumption: str, estimate: CellEstimate, worth: FloatArray
    ) -> LabelledError:
        """How far an estimate is off the mean of what rows are worth by class and cell.

        A new row has a part in both.
        """
        total = self.mass.sum()
        labelled = float(np.sum(self.mass * worth) / total)
        before = estimate.cells.squares[:2] * estimate.influence[:2] ** 2
        apart = estimate.influence[2] - (worth - labelled) / total
        error = float(np.sqrt(np.sum(before) + np.sum(self.squares * apart**2)))
        difference, reach = estimate.value - labelled, normal_quantile(self.level) * error
        ends = difference - reach, difference + reach
        return LabelledError(
            quantity, assumption, estimate.value, labelled, difference, error, *ends
        )

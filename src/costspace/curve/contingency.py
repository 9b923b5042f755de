"""The four outcomes of all rows at an operating point: true and false positives and negatives."""

from __future__ import annotations

from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, Floats, FrozenValue, kept, plain
from costspace.checks import check_prevalence, check_rates
from costspace.notebook import Tabulated


@final
@dataclass(frozen=True, eq=False)
class ContingencyTable(FrozenValue, Tabulated):
    """Share of all rows in each cell of label and prediction.

    Make one with `contingency_table`.

    Attributes
    ----------
    tp, fn : float or array, in [0, 1]
        True positives and false negatives.
    fp, tn : float or array, in [0, 1]
        False positives and true negatives.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 5.1.

    Examples
    --------
    >>> import costspace as cs
    >>> table = cs.curve.contingency_table(fpr=0.5, fnr=0.25, prevalence=0.5)
    >>> table.tp, table.fn, table.fp, table.tn
    (0.375, 0.125, 0.25, 0.25)
    >>> table.flagged
    0.625
    """

    tp: Floats
    fn: Floats
    fp: Floats
    tn: Floats

    def __post_init__(self) -> None:
        for name in ("tp", "fn", "fp", "tn"):
            value = getattr(self, name)
            if isinstance(value, np.ndarray):
                object.__setattr__(self, name, kept(value))

    @property
    def positives(self) -> Floats:
        """Row total: share of rows that are positive, the prevalence."""
        return self.tp + self.fn

    @property
    def negatives(self) -> Floats:
        """Row total: share of rows that are negative."""
        return self.fp + self.tn

    @property
    def flagged(self) -> Floats:
        """Column total: share of rows predicted positive."""
        return self.tp + self.fp

    @property
    def cleared(self) -> Floats:
        """Column total: share of rows predicted negative."""
        return self.fn + self.tn

    def columns(self) -> dict[str, FloatArray]:
        """One row an operating point."""
        return {name: np.ravel(getattr(self, name)) for name in ("tp", "fn", "fp", "tn")}


def contingency_table(fpr: ArrayLike, fnr: ArrayLike, *, prevalence: float) -> ContingencyTable:
    """Contingency table of an operating point, as shares of all rows.

    Parameters
    ----------
    fpr, fnr : float or array in [0, 1]
        False positive and false negative rate; arrays give a table for each point.
    prevalence : float in (0, 1)
        Share of positives.

    Returns
    -------
    ContingencyTable
        The cells of a point sum to 1, its errors to the error rate.

    Raises
    ------
    ConditionError
        If a rate is not in [0, 1] or the prevalence not inside (0, 1).

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 5.1, give the expected table of
    the rate-uniform choice. It is the table of the choice's operating point, the cells being linear
    in the rates.

    Examples
    --------
    >>> import costspace as cs
    >>> source = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> point = cs.RateUniform().path(source).start
    >>> cs.curve.contingency_table(point.fpr, point.fnr, prevalence=source.prevalence).columns()
    {'tp': array([0.3125]), 'fn': array([0.1875]), 'fp': array([0.1875]), 'tn': array([0.3125])}
    """
    p = check_prevalence(prevalence)
    x, y = check_rates(fpr, fnr)
    cells = p * (1 - y), p * y, (1 - p) * x, (1 - p) * (1 - x)
    return ContingencyTable(*map(plain, cells))

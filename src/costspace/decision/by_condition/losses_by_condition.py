"""Which strategy loses least at each condition, band by band, and what follows from it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FrozenValue
from costspace.comparison.dominating import Dominance, dominance
from costspace.condition import skew_from_cost
from costspace.curve import PiecewiseQuadratic, lower_envelope
from costspace.decision.by_condition.losses import Losses
from costspace.decision.by_condition.table import DecisionTable, table_along
from costspace.decision.fitting.fitted import FittedByCondition
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import Band

# The short table keeps to a strategy while its loss is within this share of the least.
NEARLY_BEST = 0.01


@final
@dataclass(frozen=True, eq=False)
class BandLosses(FrozenValue):
    """What strategies lose in a band of prevalence, on held-out rows.

    Attributes
    ----------
    band : Band
    place : int
        Which band of the task it is.
    fits : tuple of FittedByCondition
        Those that keep to the constraints in it.
    """

    band: Band
    place: int
    fits: Sequence[FittedByCondition]

    @cached_property
    def losses(self) -> Losses:
        """The losses along the paths; there must be some."""
        curves = {fit.strategy: fit.paths[self.place].loss() for fit in self.fits}
        return Losses(curves, self.band.axis)

    @property
    def lowest_money(self) -> float:
        """Money per 1,000 cases of the best strategy at each condition."""
        return self.band.money(self.losses.lowest.curve.expectation)

    def table(self, *, within: float = 0.0) -> DecisionTable:
        """Which strategy to use where in the band."""
        return table_along(
            self.losses,
            {fit.strategy: fit.rules[self.place] for fit in self.fits},
            self.band.conditions.skew_range,
            prevalences=None if self.band.share == 1 else Range(*self.band.ends),
            within=within,
        )


def by_band(fits: Sequence[FittedByCondition]) -> list[BandLosses]:
    """What strategies lose in each band of their task."""
    bands = fits[0].task.bands
    return [
        BandLosses(band, i, tuple(fit for fit in fits if i in fit.rules))
        for i, band in enumerate(bands)
    ]


def hybrid_money(bands: Sequence[BandLosses]) -> float | None:
    """Money per 1,000 cases of the best strategy at each condition; None if there is none."""
    if not all(each.fits for each in bands):
        return None
    return sum(each.band.share * each.lowest_money for each in bands)


def joined_table(bands: Sequence[BandLosses], *, within: float = 0.0) -> DecisionTable | None:
    """The tables of the bands in which something is feasible, as one."""
    tables = [each.table(within=within) for each in bands if each.fits]
    return DecisionTable.joined(tables) if tables else None


def dominance_of(band: BandLosses) -> Dominance | None:
    """The dominance of models on the skew axis, each by its best choice at each condition."""
    of_model: dict[str, list[PiecewiseQuadratic]] = {}
    for fit in band.fits:
        if fit.strategy.model is not None:
            curve = band.losses.curves[fit.strategy]
            of_model.setdefault(fit.strategy.model, []).append(curve)
    if not of_model:
        return None
    curves = {model: lower_envelope(each).curve for model, each in of_model.items()}
    found = dominance(curves)
    skews = np.asarray(skew_from_cost(found.breaks, prevalence=band.band.axis))
    return Dominance(skews, found.best, found.names)

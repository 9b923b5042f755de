"""Integrals of loss curves from knot to knot: what ends of ranges on the page snap to."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from costspace.arrays import FloatArray
from costspace.choices import RateDriven, ScoreDriven
from costspace.condition import loss_at
from costspace.curve import OperatingPath
from costspace.errors import SourceError, brief
from costspace.report.cuts import floats64
from costspace.scores.table import ScoreTable

_LINEAR_STEPS = 2000
# In the decimal logarithm of the odds, and how far that goes.
_STEPS_A_FACTOR, _FACTORS = 200, 6


def _logit_knots() -> FloatArray:
    exponent = np.arange(-_FACTORS * _STEPS_A_FACTOR, _FACTORS * _STEPS_A_FACTOR + 1)
    factor = 10.0 ** (np.abs(exponent) / _STEPS_A_FACTOR)
    return np.where(exponent < 0, 1.0, factor) / (1 + factor)


# The same as the page's.
KNOTS: Mapping[str, FloatArray] = MappingProxyType(
    {"linear": np.arange(_LINEAR_STEPS + 1) / _LINEAR_STEPS, "logit": _logit_knots()}
)


def knot_integrals(path: OperatingPath, knots: FloatArray) -> FloatArray:
    """Integral of the loss along a path from each knot to the next, exact to rounding."""
    inner = path.breaks[(path.breaks > knots[0]) & (path.breaks < knots[-1])]
    x = np.concatenate([knots, inner])
    x.sort(kind="stable")
    low, high = x[:-1], x[1:]
    middle = (low + high) / 2
    piece = np.searchsorted(path.breaks, middle, side="right") - 1
    piece = np.clip(piece, 0, len(path.breaks) - 2)
    start, width = path.breaks[piece], np.diff(path.breaks)[piece]

    def loss(c: FloatArray) -> FloatArray:
        along = np.divide(c - start, width, out=np.zeros_like(c), where=width > 0)
        fpr, fnr = (
            first[piece] + along * (second[piece] - first[piece])
            for first, second in (
                (path.start.fpr, path.end.fpr),
                (path.start.fnr, path.end.fnr),
            )
        )
        return np.asarray(loss_at(np.clip(c, 0, 1), path.prevalence, *_rates(fpr, fnr)))

    # Simpson's rule is exact for degree 2.
    parts = (high - low) * (loss(low) + 4 * loss(middle) + loss(high)) / 6
    return np.add.reduceat(parts, np.searchsorted(x, knots[:-1], side="left"))


def _rates(*rates: FloatArray) -> list[FloatArray]:
    """Rates without what rounding adds to their range."""
    return [np.clip(rate, 0, 1) for rate in rates]


def stored_integrals(
    table: ScoreTable, prevalence: float, *, probabilities: bool
) -> dict[str, dict[str, dict[str, str]]]:
    """By axis, method and scale, for the methods whose curves follow every single score.

    Parameters
    ----------
    table : ScoreTable
        With the prevalence that the scores are calibrated to.
    prevalence : float
        That of the cost axis.
    probabilities : bool
        Whether the scores are in [0, 1], as the score-driven methods need it.
    """
    own = table.prevalence
    choices: dict[str, ScoreDriven | RateDriven] = {"rate_driven": RateDriven()}
    if probabilities:
        choices["score_driven"] = ScoreDriven(own)
        choices["score_driven_uncorrected"] = ScoreDriven()
    found: dict[str, dict[str, dict[str, str]]] = {}
    for axis, p in (("cost", prevalence), ("skew", 0.5)):
        found[axis] = {}
        for name, choice in choices.items():
            path = choice.path(table.with_prevalence(p))
            if not isinstance(path, OperatingPath):
                raise SourceError(f"a report needs a ScoreTable, got {brief(table)}.")
            found[axis][name] = {
                scale: floats64(knot_integrals(path, knots).astype(np.float32))
                for scale, knots in KNOTS.items()
            }
    return found

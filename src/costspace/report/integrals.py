"""Integrals of loss curves from knot to knot: what ends of ranges on the page snap to."""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from costspace.arrays import FloatArray
from costspace.condition import loss_at
from costspace.curve import OperatingPath
from costspace.curve.loss import pieces_at
from costspace.curve.path import check_exact
from costspace.decision.strategy import parameter_free
from costspace.report.choices import path_of
from costspace.report.encoding import base64_of
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
    piece = pieces_at(path.breaks, (low + high) / 2)
    first, last = path.along(piece, low), path.along(piece, high)

    def loss(c: FloatArray, fpr: FloatArray, fnr: FloatArray) -> FloatArray:
        return np.asarray(loss_at(c, path.prevalence, fpr, fnr))

    # Rates are linear in the condition: in the middle they are the mean of those at the ends.
    fpr, fnr = (first.fpr + last.fpr) / 2, (first.fnr + last.fnr) / 2
    middle = loss((low + high) / 2, fpr, fnr)
    ends = loss(low, first.fpr, first.fnr) + loss(high, last.fpr, last.fnr)
    # Simpson's rule is exact for degree 2.
    parts = (high - low) * (ends + 4 * middle) / 6
    return np.add.reduceat(parts, np.searchsorted(x, knots[:-1], side="left"))


def stored_integrals(
    table: ScoreTable, prevalence: float, *, probabilities: bool
) -> dict[str, dict[str, dict[str, str]]]:
    """By axis, choice and scale, for the choices whose curves follow every single score.

    Parameters
    ----------
    table : ScoreTable
        With the prevalence that the scores are calibrated to.
    prevalence : float
        That of the cost axis.
    probabilities : bool
        Whether the scores are in [0, 1], as the score-driven choices need it.
    """
    choices = {
        name: choice
        for name, choice in parameter_free(table.prevalence).items()
        if path_of(choice) in ("share", "score")
        if probabilities or not choice.on_probabilities
    }
    found: dict[str, dict[str, dict[str, str]]] = {}
    for axis, p in (("cost", prevalence), ("skew", 0.5)):
        found[axis] = {}
        for name, choice in choices.items():
            path = check_exact("a report needs", choice.path(table.with_prevalence(p)))
            found[axis][name] = {
                scale: base64_of(knot_integrals(path, knots).astype(np.float32))
                for scale, knots in KNOTS.items()
            }
    return found

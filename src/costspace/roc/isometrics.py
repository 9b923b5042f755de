"""Isometrics: lines of ROC space along which loss, share flagged or precision is constant."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.checks import check_number, check_prevalence
from costspace.condition import loss_at
from costspace.errors import ConditionError


@final
@dataclass(frozen=True, eq=False)
class Isometric(FrozenValue):
    """Where a line of constant value enters and leaves ROC space.

    Attributes
    ----------
    measure : {"loss", "flagged", "precision"}
        What is constant.
    value : float
        Its value along the line.
    fpr, tpr : array of shape (2,), in [0, 1]
        The two ends, the one of smaller FPR first. They coincide if the line only touches a corner
        of the unit square.

    Notes
    -----
    Flach (2003), The geometry of ROC space, ICML.

    Examples
    --------
    >>> import costspace as cs
    >>> line = cs.roc.loss_isometric(c=0.25, prevalence=0.5, loss=0.25)
    >>> print(line)
    loss 0.25
    >>> line.columns()
    {'fpr': array([0., 1.]), 'tpr': array([0.66666667, 1. ])}
    """

    measure: str
    value: float
    fpr: FloatArray
    tpr: FloatArray

    def __str__(self) -> str:
        return f"{self.measure} {self.value:g}"

    def columns(self) -> dict[str, FloatArray]:
        """One row an end of the line."""
        return {"fpr": self.fpr, "tpr": self.tpr}


def loss_isometric(
    *,
    c: float,
    prevalence: float,
    loss: float | None = None,
    fpr: float | None = None,
    fnr: float | None = None,
) -> Isometric:
    """Operating points of equal loss at one operating condition.

    Parameters
    ----------
    c : float in [0, 1]
        Cost proportion; at prevalence 1/2 it is the skew z. The slope is z / (1 - z).
    prevalence : float in (0, 1)
        Share of positives.
    loss : float, optional
        The loss of the points: 2 (c pi0 FPR + (1 - c) pi1 FNR).
    fpr, fnr : float in [0, 1], optional
        An operating point on the line, instead of its loss.

    Returns
    -------
    Isometric
        Points above and to the left of it lose less. At c = 1/2 the loss is the error rate, so
        this is the isometric of accuracy 1 - loss.

    Raises
    ------
    ConditionError
        If the condition, the prevalence or a rate is out of its range, neither a loss nor a point
        is given, or no point of ROC space has the loss.

    Notes
    -----
    Provost and Fawcett (2001), Machine Learning 42: iso-performance lines; Flach (2003), ICML.

    Examples
    --------
    Accuracy 0.9 when one row in five is positive:

    >>> import costspace as cs
    >>> line = cs.roc.loss_isometric(c=0.5, prevalence=0.2, loss=1 - 0.9)
    >>> line.fpr.round(12), line.tpr.round(12)
    (array([0. , 0.125]), array([0.5, 1. ]))
    """
    c, p = check_number("c", c, low=0, high=1), check_prevalence(prevalence)
    false_positives, false_negatives = (
        float(loss_at(1, 0, c=c, prevalence=p)),
        float(loss_at(0, 1, c=c, prevalence=p)),
    )
    if loss is not None and fpr is None and fnr is None:
        loss = check_number("loss", loss)
    elif loss is None and fpr is not None and fnr is not None:
        fpr = check_number("fpr", fpr, low=0, high=1)
        fnr = check_number("fnr", fnr, low=0, high=1)
        loss = float(loss_at(fpr, fnr, c=c, prevalence=p))
    else:
        raise ConditionError(
            "loss_isometric needs either a loss or a point (both fpr and fnr), got "
            f"loss={loss}, fpr={fpr}, fnr={fnr}."
        )
    worst = false_positives + false_negatives
    if not 0 <= loss <= worst:
        raise ConditionError(
            f"no operating point has a loss of {loss:g} at cost proportion {c:g} and prevalence "
            f"{p:g}: losses there are from 0 to {worst:g}."
        )
    # With FNR nothing cancels at small losses.
    x, missed = _in_square(false_positives, false_negatives, loss)
    return Isometric("loss", loss, x, np.sort(1 - missed))


def rate_isometric(*, flagged: float, prevalence: float) -> Isometric:
    """Operating points that flag the same share of rows.

    Parameters
    ----------
    flagged : float in [0, 1]
        Share of rows predicted positive, pi0 FPR + pi1 TPR.
    prevalence : float in (0, 1)
        Share of positives.

    Returns
    -------
    Isometric
        A falling line, of slope -pi0 / pi1.

    Raises
    ------
    ConditionError
        If the share is not in [0, 1] or the prevalence not inside (0, 1).

    Notes
    -----
    The rate-driven choice works where this line crosses the ROC curve: Hernandez-Orallo, Flach,
    Ferri (2011), arXiv:1107.5930, Section 4; Flach (2003), ICML.

    Examples
    --------
    >>> import costspace as cs
    >>> cs.roc.rate_isometric(flagged=0.25, prevalence=0.5).columns()
    {'fpr': array([0. , 0.5]), 'tpr': array([0.5, 0. ])}
    """
    flagged, p = check_number("flagged", flagged, low=0, high=1), check_prevalence(prevalence)
    return Isometric("flagged", flagged, *_in_square(1 - p, p, flagged))


def precision_isometric(*, precision: float, prevalence: float) -> Isometric:
    """Operating points of equal precision, the share of positives among the flagged.

    Parameters
    ----------
    precision : float in [0, 1]
        pi1 TPR / (pi0 FPR + pi1 TPR).
    prevalence : float in (0, 1)
        Share of positives; on the diagonal it is the precision.

    Returns
    -------
    Isometric
        A line from (0, 0), where nobody is flagged: every precision is a limit there.

    Raises
    ------
    ConditionError
        If the precision is not in [0, 1] or the prevalence not inside (0, 1).

    Notes
    -----
    Flach (2003), The geometry of ROC space, ICML.

    Examples
    --------
    >>> import costspace as cs
    >>> cs.roc.precision_isometric(precision=0.75, prevalence=0.5).columns()
    {'fpr': array([0. , 0.33333333]), 'tpr': array([0., 1.])}
    """
    q, p = check_number("precision", precision, low=0, high=1), check_prevalence(prevalence)
    return Isometric("precision", q, *_in_square(q * (1 - p), -(1 - q) * p, 0.0))


def _in_square(alpha: float, beta: float, gamma: float) -> tuple[FloatArray, FloatArray]:
    """Both coordinates of the ends of alpha x + beta y = gamma, which meets the unit square."""
    x, y = _where_crossed(alpha, beta, gamma), _where_crossed(beta, alpha, gamma)
    return x, y if alpha * beta <= 0 else y[::-1]


def _where_crossed(alpha: float, beta: float, gamma: float) -> FloatArray:
    """The u in [0, 1] for which alpha u + beta v = gamma has a v in [0, 1]: both ends."""
    if alpha == 0:
        return np.array([0.0, 1.0])
    # Clipping also corrects a line that rounding moves past the corner it touches; + 0.0 turns
    # -0.0 into 0.0.
    return np.clip(np.sort([gamma / alpha, (gamma - beta) / alpha]), 0, 1) + 0.0

"""Models made of several: one for each operating condition, or one of averaged scores."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FloatArray, FrozenValue
from costspace.checks import check_conditions
from costspace.comparison.dominating import check_curves
from costspace.costs.base import check_weights
from costspace.curve import LossCurve, PiecewiseQuadratic, lower_envelope
from costspace.curve.loss import common_breaks
from costspace.errors import ConditionError, ScoreError, brief
from costspace.notebook import Tabulated
from costspace.single import doubles


@final
@dataclass(frozen=True, eq=False)
class Hybrid(FrozenValue, Tabulated):
    """A classifier that uses the best model for each range of operating conditions.

    It is chosen on the sample of its curves, where its loss is their pointwise minimum, which is
    optimistic; `on` gives the loss of the same choice of models on another sample.

    Attributes
    ----------
    breaks : array of shape (k + 1,)
        Conditions, strictly ascending from 0 to 1.
    models : tuple of k str
        The model used between them.
    curve : PiecewiseQuadratic
        The pointwise minimum of its curves.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 5; Drummond and Holte (2006), Machine
    Learning 65, Section 5.2, on its bias.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 1, 1]
    >>> curves = {
    ...     "a": cs.loss_curve(y, [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven()),
    ...     "b": cs.loss_curve(y, [0.2, 0.3, 0.35, 0.5], choice=cs.ScoreDriven()),
    ... }
    >>> switching = cs.hybrid(curves)
    >>> switching.models
    ('a', 'b', 'a', 'b', 'a')
    >>> switching.breaks
    array([0.  , 0.3 , 0.35, 0.4 , 0.6 , 1.  ])
    """

    breaks: FloatArray
    models: tuple[str, ...]
    curve: PiecewiseQuadratic

    def on(self, curves: Mapping[str, LossCurve]) -> PiecewiseQuadratic:
        """Loss of this hybrid on another sample.

        Parameters
        ----------
        curves : mapping of str to LossCurve
            The curves of the same models on the other sample.

        Returns
        -------
        PiecewiseQuadratic
            The curve of the model in use at each condition; smaller is better.

        Raises
        ------
        ConditionError
            If a model in use has no curve.
        """
        check_curves(curves)
        names = sorted(set(self.models))
        missing = [name for name in names if name not in curves]
        if missing:
            raise ConditionError(f"the hybrid uses {missing[0]!r}, which has no curve: give one.")
        pieces = [curves[name].piecewise() for name in names]
        switches = PiecewiseQuadratic(self.breaks, np.zeros((3, len(self.models))))
        breaks = common_breaks([*pieces, switches])
        used = np.array([names.index(model) for model in self.models])
        used = used[switches.pieces_of(breaks)]
        every = np.stack([piece.coefficients_on(breaks) for piece in pieces])
        return PiecewiseQuadratic(breaks, every[used, :, np.arange(len(used))].T)

    def models_at(self, conditions: ArrayLike) -> NDArray[np.str_]:
        """The model in use at each condition; at a switch the following one.

        Raises
        ------
        ConditionError
            If a condition is not in [0, 1].
        """
        c = check_conditions("an operating condition", conditions)
        piece = np.minimum(np.searchsorted(self.breaks, c, "right"), len(self.models)) - 1
        return np.array(self.models)[piece]

    def columns(self) -> dict[str, FloatArray | NDArray[np.str_]]:
        """One row a range of conditions."""
        return {
            "from": self.breaks[:-1],
            "to": self.breaks[1:],
            "model": np.array(self.models),
        }


def hybrid(curves: Mapping[str, LossCurve]) -> Hybrid:
    """Use at each operating condition the model of least loss.

    Parameters
    ----------
    curves : mapping of str to LossCurve
        On one axis; if models coincide, the first is used.

    Returns
    -------
    Hybrid

    Raises
    ------
    ConditionError
        If there are no curves, or something else among them.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 5: hybrid classifiers.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 1, 1]
    >>> train = {"a": cs.loss_curve(y, [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven())}
    >>> cs.hybrid(train).on(train)(0.5)
    0.5
    """
    envelope = lower_envelope(check_curves(curves))
    names = tuple(curves)
    models = tuple(names[i] for i in envelope.winner)
    return Hybrid(envelope.breaks, models, envelope.curve)


def average_scores(
    y_score: Mapping[str, ArrayLike], *, weights: Sequence[float] | None = None
) -> FloatArray:
    """The mean of several models' scores, row by row.

    Parameters
    ----------
    y_score : mapping of str to array of shape (n,)
        Scores of the same rows, on one scale.
    weights : sequence of float, optional
        One a model, not negative, not all zero; equal by default.

    Returns
    -------
    array of shape (n,)

    Raises
    ------
    ScoreError
        If there are no scores, their lengths differ, or one is not finite.
    ConditionError
        If a weight is negative, all are zero, or they are not one a model.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Example 3: classifier D averages A and B, which
    is not the same as choosing between them at random (`weighted_sum`).

    Examples
    --------
    >>> average_scores({"a": [0.75, 0.25], "b": [0.25, 1.0]})
    array([0.5  , 0.625])
    """
    arrays = _score_arrays(y_score)
    if any(a.ndim != 1 or a.size == 0 or a.shape != arrays[0].shape for a in arrays):
        shapes = ", ".join(str(a.shape) for a in arrays)
        raise ScoreError(f"scores to average must be of the same rows, got shapes {shapes}.")
    if not all(np.isfinite(a).all() for a in arrays):
        raise ScoreError("scores to average must be finite: use their ranks, or leave rows out.")
    w = None if weights is None else check_weights("average_scores", weights, len(arrays))
    # Of numbers below 1 no sum overflows: each row without the power of two of its largest score.
    power = np.frexp(np.abs(arrays).max(axis=0))[1]
    small = np.ldexp(arrays, -power)
    mean = np.average(small, axis=0, weights=None if w is None else w / w.max())
    return np.ldexp(np.clip(mean, small.min(axis=0), small.max(axis=0)), power)


def _score_arrays(scores: object) -> list[FloatArray]:
    if not isinstance(scores, Mapping):
        raise ScoreError(f"scores must be a mapping of names to scores, got {brief(scores)}.")
    if len(scores) == 0:
        raise ScoreError("there are no scores to average: give at least one model's.")
    try:
        return [doubles(np.asarray(values)) for values in scores.values()]
    except (TypeError, ValueError, OverflowError):
        raise ScoreError(f"scores to average must be numbers, got {brief(scores)}.") from None

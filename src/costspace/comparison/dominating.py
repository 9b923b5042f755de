"""Which model is best at which operating condition."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray, FrozenValue
from costspace.checks import check_number
from costspace.curve import LossCurve, lower_envelope, sign_intervals
from costspace.curve.loss import check_curve
from costspace.errors import ConditionError, brief
from costspace.notebook import Tabulated


@final
@dataclass(frozen=True, eq=False)
class Dominance(FrozenValue, Tabulated):
    """Which of several models has the least loss at each operating condition.

    Attributes
    ----------
    breaks : array of shape (k + 1,)
        Conditions, strictly ascending from 0 to 1.
    best : tuple of k tuples of str
        The models of least loss between them: one that dominates all others, or several whose
        curves coincide.
    names : tuple of str
        All models compared.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 5: A dominates B at a cost proportion
    where its loss is lower.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 1, 1]
    >>> curves = {
    ...     "a": cs.loss_curve(y, [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven()),
    ...     "b": cs.loss_curve(y, [0.2, 0.6, 0.7, 0.3], choice=cs.ScoreDriven()),
    ... }
    >>> found = cs.dominance(curves)
    >>> found.where("a")
    [(0.1, 0.2), (0.3, 0.4), (0.7, 0.9)]
    >>> found.never_best
    ()
    """

    breaks: FloatArray
    best: tuple[tuple[str, ...], ...]
    names: tuple[str, ...]

    def where(self, name: str) -> list[tuple[float, float]]:
        """The intervals in which a model dominates all others."""
        if name not in self.names:
            names = ", ".join(map(repr, self.names))
            raise ConditionError(f"there is no curve {brief(name)}: there are {names}.")
        return [
            (float(self.breaks[i]), float(self.breaks[i + 1]))
            for i, best in enumerate(self.best)
            if best == (name,)
        ]

    @property
    def never_best(self) -> tuple[str, ...]:
        """The models that can be discarded: at every condition another has a lower loss."""
        seen = {name for best in self.best for name in best}
        return tuple(name for name in self.names if name not in seen)

    def columns(self) -> dict[str, FloatArray | NDArray[np.str_]]:
        """One row an interval."""
        best = np.array([", ".join(names) for names in self.best])
        return {"from": self.breaks[:-1], "to": self.breaks[1:], "best": best}


def dominance(curves: Mapping[str, LossCurve]) -> Dominance:
    """Find which model has the least loss at each operating condition.

    Parameters
    ----------
    curves : mapping of str to LossCurve
        On one axis; two or more.

    Returns
    -------
    Dominance
        Exact up to rounding; losses within 1e-12 over a whole interval coincide.

    Raises
    ------
    ConditionError
        If there are no curves, or something else among them.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 5: dominance intervals.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 1, 1]
    >>> good = cs.loss_curve(y, [0.1, 0.2, 0.8, 0.9], choice=cs.ScoreDriven())
    >>> poor = cs.loss_curve(y, [0.9, 0.8, 0.2, 0.1], choice=cs.ScoreDriven())
    >>> cs.dominance({"good": good, "poor": poor}).where("good")
    [(0.1, 0.9)]
    """
    lowest = lower_envelope(check_curves(curves)).curve
    gaps = {name: sign_intervals(curve - lowest) for name, curve in curves.items()}
    breaks = np.unique(np.concatenate([gap.breaks for gap in gaps.values()]))
    is_best = {
        name: gap.sign[np.searchsorted(gap.breaks, breaks[:-1], side="right") - 1] == 0
        for name, gap in gaps.items()
    }
    best = [tuple(name for name in curves if is_best[name][i]) for i in range(len(breaks) - 1)]
    new = [i for i in range(len(best)) if i == 0 or best[i] != best[i - 1]]
    return Dominance(np.append(breaks[new], 1.0), tuple(best[i] for i in new), tuple(curves))


@final
@dataclass(frozen=True, eq=False)
class LossesAt(FrozenValue, Tabulated):
    """The losses of several models at one operating condition.

    Attributes
    ----------
    condition : float
    names : tuple of str
        The models, least loss first.
    loss : array
        Their losses.
    excess : array, not negative
        How much more each loses than the best.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65: the vertical distance between two cost
    curves is their difference in performance at that operating point.

    Examples
    --------
    >>> import costspace as cs
    >>> curve = cs.loss_curve([0, 1], [0.2, 0.7], choice=cs.ScoreFixed(0.8))
    >>> cs.comparison.losses_at({"a": curve}, condition=0.5).loss
    array([0.5])
    """

    condition: float
    names: tuple[str, ...]
    loss: FloatArray
    excess: FloatArray

    def columns(self) -> dict[str, FloatArray | NDArray[np.str_]]:
        """One row a model."""
        return {"model": np.array(self.names), "loss": self.loss, "excess": self.excess}


def losses_at(curves: Mapping[str, LossCurve], *, condition: float) -> LossesAt:
    """Rank models at one operating condition.

    Parameters
    ----------
    curves : mapping of str to LossCurve
        On one axis.
    condition : float in [0, 1]
        Cost proportion or skew, as on the axis.

    Returns
    -------
    LossesAt

    Raises
    ------
    ConditionError
        If there are no curves, something else among them, or the condition is outside [0, 1].

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65: comparing classifiers at an operating point.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 1, 1]
    >>> a = cs.loss_curve(y, [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven())
    >>> b = cs.loss_curve(y, [0.2, 0.3, 0.8, 0.7], choice=cs.ScoreDriven())
    >>> found = cs.comparison.losses_at({"a": a, "b": b}, condition=0.5)
    >>> found.names, found.excess
    (('b', 'a'), array([0. , 0.5]))
    """
    condition = check_number("an operating condition", condition, low=0, high=1)
    losses = np.array([float(curve(condition)) for curve in check_curves(curves)])
    order = np.argsort(losses, kind="stable")
    names = tuple(curves)
    ranked = losses[order]
    return LossesAt(condition, tuple(names[i] for i in order), ranked, ranked - ranked[0])


def check_curves(curves: object) -> list[LossCurve]:
    """The curves of a mapping, or `ConditionError` unless all are curves and there is one."""
    if not isinstance(curves, Mapping) or not curves or not all(isinstance(n, str) for n in curves):
        raise ConditionError(
            f"curves must be a mapping of names to loss curves, got {brief(curves)}."
        )
    return [check_curve(curve) for curve in curves.values()]

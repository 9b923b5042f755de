"""What committing to one strategy costs more than using the best one at each condition."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray, FrozenValue, underflow_to_zero
from costspace.condition import skew_from_cost
from costspace.curve import OperatingPath, PiecewiseQuadratic, weighted_sum
from costspace.curve.crossing import COINCIDE
from costspace.decision.by_condition.losses import Losses
from costspace.decision.strategy import Strategy
from costspace.deployment.bounds import Stakes
from costspace.deployment.conditions import BALANCED, CASES, JointConditions
from costspace.errors import ConditionError, brief, check_kind
from costspace.notebook import Tabulated

# How far, relatively, rounding may move a condition from the break that it should be at.
_NEAR = 1e-13


@final
@dataclass(frozen=True, eq=False)
class Regrets(FrozenValue, Tabulated):
    """The regret of each strategy against the best at each condition, per 1,000 cases.

    Attributes
    ----------
    strategies : tuple of k Strategy or str
        What may be committed to.
    expected : array of shape (k,)
        In the mean over the conditions; not negative, smaller is better.
    maximum : array of shape (k,)
        The most, over all conditions that can be; inf if it has no bound.

    Notes
    -----
    Savage (1951), The theory of statistical decision, Journal of the American Statistical
    Association 46: regret, and the rule whose greatest is least.

    Examples
    --------
    >>> import costspace as cs
    >>> known = cs.Scenarios(fp_cost=1, fn_cost=[1, 9], prevalence=0.5)
    >>> rules = {"few": (0.0, 0.5), "many": (0.5, 0.0)}
    >>> paths = {name: cs.OperatingPath.constant(*at, 0.5) for name, at in rules.items()}
    >>> found = cs.regrets(paths, conditions=known)
    >>> found.strategies, found.expected, found.maximum
    (('few', 'many'), array([1000.,    0.]), array([2000.,    0.]))
    """

    strategies: tuple[Strategy | str, ...]
    expected: FloatArray
    maximum: FloatArray

    def to_rows(self) -> list[dict[str, Any]]:
        """Each strategy as plain values for JSON; a maximum without bound is None."""
        rows = []
        for name, mean, most in zip(self.strategies, self.expected, self.maximum, strict=True):
            row: dict[str, Any] = {"rule": name}
            if isinstance(name, Strategy):
                row = {"model": name.model, "choice": name.name}
            regret = {"expected": float(mean), "maximum": float(most) if most < np.inf else None}
            rows.append({**row, **regret})
        return rows

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a strategy."""
        return {
            "strategy": np.array([str(name) for name in self.strategies]),
            "expected_regret": self.expected,
            "maximum_regret": self.maximum,
        }


@underflow_to_zero
def regrets(
    paths: Mapping[Strategy | str, OperatingPath], *, conditions: JointConditions
) -> Regrets:
    """Expected and maximum regret of using one strategy at all conditions.

    Parameters
    ----------
    paths : mapping of Strategy or str to OperatingPath
        What is compared, a single rule as a constant path. Either on the skew axis, for what
        depends on costs and prevalence through the skew alone; or at the prevalence, if it is
        known.
    conditions : JointConditions
        What is known of costs and prevalence at deployment.

    Returns
    -------
    Regrets
        Against the best of `paths` at each condition.

    Raises
    ------
    ConditionError
        If the paths or the conditions are none, the paths are at different prevalences, or they
        are neither on the skew axis nor at the known prevalence.

    Notes
    -----
    Between breaks the money of two rates differs by a linear function of the stakes pi0 a and
    pi1 b, so it is greatest at a corner of the range of conditions or where a break crosses its
    edges. Where the rates move with the condition, as rate-driven ones do, it may also be
    greatest on an edge between breaks, at a condition that a square root gives.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> balanced = cs.ScoreTable.from_predictions(y, s).with_prevalence(0.5)
    >>> choices = cs.ScoreFixed(), cs.Optimal()
    >>> known = cs.Scenarios(fp_cost=1, fn_cost=[1, 9], prevalence=[0.5, 0.1])
    >>> paths = {str(choice): choice.path(balanced) for choice in choices}
    >>> regrets(paths, conditions=known).maximum
    array([450., 0.])
    """
    check_kind("paths", paths, Mapping)
    for name, path in paths.items():
        check_kind(f"path {brief(name)}", path, OperatingPath)
    check_kind("conditions", conditions, JointConditions)
    losses = Losses.along(paths)
    _check_axis(losses.axis, conditions)
    return regrets_of(losses, conditions)


def regrets_of(losses: Losses[Strategy | str], conditions: JointConditions) -> Regrets:
    """`regrets`, given the losses along the paths."""
    axis, best = losses.axis, losses.lowest.curve
    excesses = [
        weighted_sum([curve, best], weights=[1.0, -1.0]) for curve in losses.curves.values()
    ]
    costs, size = conditions.as_one_loss(axis)
    # What rounding leaves of a difference may be below zero.
    expected = [max(size * excess.expectation(costs), 0.0) for excess in excesses]
    greatest = [_maximum(excess, axis, conditions) for excess in excesses]
    return Regrets(tuple(losses.curves), CASES * np.array(expected), CASES * np.array(greatest))


def regrets_in_bands(bands: Sequence[Regrets], shares: Sequence[float]) -> Regrets:
    """The regrets over several bands of prevalence, each with its probability.

    Of what may be committed to in every band: elsewhere constraints may leave it no rule.
    """
    common = [name for name in bands[0].strategies if all(name in b.strategies for b in bands)]
    expected, maximum = np.zeros(len(common)), np.zeros(len(common))
    for band, share in zip(bands, shares, strict=True):
        place = [band.strategies.index(name) for name in common]
        expected += share * band.expected[place]
        maximum = np.maximum(maximum, band.maximum[place])
    return Regrets(tuple(common), expected, maximum)


def _check_axis(axis: float, conditions: JointConditions) -> None:
    known = conditions.prevalence_range
    if axis != BALANCED and (known.low, known.high) != (axis, axis):
        raise ConditionError(
            f"the paths are at prevalence {axis:g} and the conditions have {known.low:g} to "
            f"{known.high:g}: use paths on the skew axis, at prevalence 0.5."
        )


def _maximum(excess: PiecewiseQuadratic, axis: float, conditions: JointConditions) -> float:
    turning = _turning_points(excess)
    # Breaks of no length at the ends are no breaks between conditions.
    inner = np.unique(np.concatenate([excess.breaks, turning]))[1:-1]
    at = np.asarray(skew_from_cost(inner, prevalence=axis))
    span = conditions.skew_range
    inside = at[(at >= span.low) & (at <= span.high)]
    try:
        stakes = conditions.extremes(inside)
    except ConditionError:
        # Costs without an upper bound.
        ends = excess.columns()
        worst = max(float(ends["loss_start"].max()), float(ends["loss_end"].max()))
        return np.inf if worst > COINCIDE else 0.0
    return max(float(_greatest(excess, axis, conditions, stakes)), 0.0)


def _greatest(
    excess: PiecewiseQuadratic, axis: float, conditions: JointConditions, stakes: Stakes
) -> float:
    """The greatest excess money at some conditions, from both sides where it jumps."""
    a, b = stakes.negative / (1 - axis), stakes.positive / axis
    c = a / (a + b)
    skew = stakes.negative / (stakes.negative + stakes.positive)
    # A condition is reached from below unless there are none below it or between others.
    spread = conditions.skews().atoms[1].sum() < 1 - _NEAR
    reached = spread & (skew > conditions.skew_range.low * (1 + 10 * _NEAR))
    pieces = len(excess.breaks) - 2
    first, last = (
        np.clip(np.searchsorted(excess.breaks, c * factor, side="right") - 1, 0, pieces)
        for factor in (np.where(reached, 1 - _NEAR, 1 + _NEAR), 1 + _NEAR)
    )
    greatest = -np.inf
    for step in range(int((last - first).max()) + 1):
        q0, q1, q2 = excess.coefficients[:, np.minimum(first + step, last)]
        greatest = max(greatest, float(np.max((a + b) / 2 * (q0 + c * (q1 + c * q2)))))
    return greatest


def _turning_points(excess: PiecewiseQuadratic) -> FloatArray:
    """Conditions inside pieces at which money may be greatest with one of the costs at its most.

    With a at its most the money is a Q(c) / (2 c), with b at its most b Q(c) / (2 (1 - c)).
    """
    q0, q1, q2 = excess.coefficients
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        roots = np.stack([np.sqrt(q0 / q2), 1 - np.sqrt((q0 + q1 + q2) / q2)])
    inside = (roots > excess.breaks[:-1]) & (roots < excess.breaks[1:])
    return roots[inside]

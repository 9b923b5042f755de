"""How far rules are beyond the constraints that they were to keep to."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FloatArray, FrozenValue
from costspace.curve import OperatingPath, OperatingPoints
from costspace.decision.limits.constraints import Constraints, check_prevalences
from costspace.errors import check_kind
from costspace.notebook import Tabulated


@final
@dataclass(frozen=True, eq=False)
class Violations(FrozenValue, Tabulated):
    """The value of each constrained quantity under rules, on any sample.

    Attributes
    ----------
    constraint : tuple of k str
        The constraints that are set.
    limit : array of shape (k,)
        Their limits.
    reached : array of shape (k,), in [0, 1]
        The worst value of what each limits.
    shortfall : array of shape (k,), not negative
        How far beyond its limit that is; 0 if the constraint is kept to.

    Notes
    -----
    Tong, Feng and Li (2018), Science Advances 4: a limit kept on the sample that a threshold was
    chosen on is broken about half the time on new cases.

    Examples
    --------
    >>> import costspace as cs
    >>> limits = cs.Constraints(capacity=0.5, min_recall=0.4)
    >>> points = cs.OperatingPoints(0.5, 0.25)
    >>> found = cs.decision.violations(points, constraints=limits, prevalence=0.5)
    >>> found.constraint, found.reached, found.shortfall
    (('capacity', 'min_recall'), array([0.625, 0.75 ]), array([0.125, 0.   ]))
    """

    constraint: tuple[str, ...]
    limit: FloatArray
    reached: FloatArray
    shortfall: FloatArray

    @property
    def held(self) -> bool:
        """Whether every constraint is kept to."""
        return not self.shortfall.any()

    def columns(self) -> dict[str, FloatArray | NDArray[np.str_]]:
        """One row a constraint."""
        return {
            "constraint": np.array(self.constraint, dtype=np.str_),
            "limit": self.limit,
            "reached": self.reached,
            "shortfall": self.shortfall,
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """Each constraint as plain values, ready for JSON."""
        columns = {name: values.tolist() for name, values in self.columns().items()}
        rows = zip(*columns.values(), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]


def violations(
    points: OperatingPoints | OperatingPath, *, constraints: Constraints, prevalence: ArrayLike
) -> Violations:
    """The worst violation of each constraint by rules.

    Parameters
    ----------
    points : OperatingPoints or OperatingPath
        Where the rules work: ``rule.on(table)`` for a `Rule` or a `ThresholdPath` and a sample
        other than theirs.
    constraints : Constraints
    prevalence : float or array of shape (k,), in [0, 1]
        Shares of positives at each of which they should be kept to.

    Returns
    -------
    Violations
        The worst over the points and the prevalences, constraint by constraint.

    Raises
    ------
    ConditionError
        If the prevalences are not in [0, 1], or the points or the constraints are none.

    Notes
    -----
    Along a straight piece of a path every value is monotone, so its ends are enough. Pieces of no
    length are left out.

    Examples
    --------
    >>> import costspace as cs
    >>> train = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> test = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0.2, 0.3, 0.8, 0.7])
    >>> known = {"constraints": cs.Constraints(max_fpr=0.25), "prevalence": 0.5}
    >>> path = cs.decision.constrained_path(train, choice=cs.Optimal(), **known)
    >>> violations(path.on(train), **known).held
    True
    >>> violations(path.on(test), **known).shortfall
    array([0.25])
    """
    check_kind("points", points, OperatingPoints, OperatingPath)
    check_kind("constraints", constraints, Constraints)
    at, p = _points(points), check_prevalences(prevalence)[:, None]
    names, reached = constraints.names, constraints.reached(at, p)
    worst, shortfall = [], []
    for name, bound in constraints.bounds(at).items():
        values, limit = reached.of(name), constraints.limits[name]
        most = name in ("capacity", "max_fpr")
        worst.append(values.max() if most else values.min())
        beyond = worst[-1] - limit if most else limit - worst[-1]
        shortfall.append(max(beyond, 0.0) if np.any(bound.excess(p) > 0) else 0.0)
    limits = np.array(list(constraints.limits.values()))
    return Violations(names, limits, np.array(worst), np.array(shortfall))


def _points(points: OperatingPoints | OperatingPath) -> OperatingPoints:
    if isinstance(points, OperatingPoints):
        return OperatingPoints(np.ravel(points.fpr), np.ravel(points.fnr))
    long = np.diff(points.breaks) > 0
    ends = points.start, points.end
    return OperatingPoints(
        np.concatenate([end.fpr[long] for end in ends]),
        np.concatenate([end.fnr[long] for end in ends]),
    )

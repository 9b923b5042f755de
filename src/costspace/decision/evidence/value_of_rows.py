"""What would settle a decision that is not clear, and what more labelled rows are worth."""

from dataclasses import dataclass
from math import inf
from typing import Any, final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.checks import check_number, check_whole
from costspace.decision.evidence.money_evidence import MoneyEvidence
from costspace.decision.evidence.money_sample import MoneySample
from costspace.decision.evidence.settling import nearest_rival, rows_that_tell, value_of_two
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.strategy import Strategy
from costspace.special import ndtri

# Draws of what more than two ways cost, and as many with the other sign.
_DRAWS = 2**16


@final
@dataclass(frozen=True, eq=False)
class Settling(FrozenValue):
    """What would settle whether the recommended strategy costs less than its nearest rival.

    Attributes
    ----------
    against : Strategy
        The cheapest that the rows do not tell from the recommended one.
    saving : float
        What is to be told from none, per 1,000 cases: what is seen, unless another is asked for.
    rows : int
        How many labelled rows there are.
    needed : float
        How many it takes in all to tell that saving with a chance of 80 %, by the test that the
        decision makes, all comparisons allowed for; infinite for a saving of 0.
    wrong : float
        What a wrong choice between all strategies costs at most per 1,000 cases, on average: the
        value of perfect information.
    more_rows : int or None
        How many more labelled rows were asked about.
    worth : float or None
        What these are worth at most, per 1,000 cases of the future.

    Notes
    -----
    Where models are nearly equal both values can be many times too high, since the rows that are
    there speak for what seems best on them: they are bounds, and no forecasts. There is no chance
    of being clear here: under a flat prior it would be far too high.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> y, random = np.tile([0, 0, 0, 1], 50), np.random.default_rng(0)
    >>> scores = {name: y + random.normal(size=200) for name in ("one", "other")}
    >>> decision = cs.decide(y, scores, fp_cost=1, fn_cost=2, prevalence=0.2)
    >>> found = decision.settling(saving=50)
    >>> found.against.model, found.rows, round(found.needed, -2)
    ('other', 200, 1600.0)
    """

    against: Strategy
    saving: float
    rows: int
    needed: float
    wrong: float
    more_rows: int | None = None
    worth: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON; an infinite number is None."""
        against = {"model": self.against.model, "choice": self.against.name}
        numbers = {name: value for name, value in vars(self).items() if name != "against"}
        return {**against, **numbers, "needed": self.needed if self.needed < inf else None}


def settling(
    choosing: Choosing,
    evidence: MoneyEvidence,
    *,
    saving: float | None = None,
    more_rows: int | None = None,
) -> Settling | None:
    """What would settle the nearest comparison that is not clear; None if all are."""
    if saving is not None:
        check_number("saving", saving, low=0, open_ends=True)
    if more_rows is not None:
        check_whole("more_rows", more_rows, least=1)
    rival = nearest_rival(choosing, evidence)
    if rival is None or rival.more is None:
        return None
    asked = abs(rival.more.difference) if saving is None else saving
    apart = _Apart.of(choosing, evidence)
    return Settling(
        rival.strategy,
        asked,
        evidence.n,
        rows_that_tell(rival, choosing, evidence, asked),
        apart.value(1.0),
        more_rows,
        None if more_rows is None else apart.value(more_rows / (evidence.n + more_rows)),
    )


def value_of_several(more: FloatArray, covariance: FloatArray) -> float:
    """What it is worth to learn which of several ways costs least, in their unit.

    The mean of what is then saved, over quasi-random draws and their mirror.

    Parameters
    ----------
    more : array of shape (k,)
        What each of the others is thought to cost more than the one that is taken.
    covariance : array of shape (k, k)
        Of what will then be thought of these differences.
    """
    if len(more) == 1:
        return value_of_two(float(more[0]), float(np.sqrt(covariance[0, 0])))
    scales, directions = np.linalg.eigh(covariance)
    root = directions * np.sqrt(np.clip(scales, 0.0, None))
    # What varies most comes first.
    root = root[:, scales > np.finfo(float).eps * max(float(scales[-1]), 0.0)][:, ::-1]
    if root.shape[1] == 0:
        return 0.0
    places = _spread(root.shape[1])
    moved = ndtri(places) @ root.T
    saved = [np.max(sign * moved - more, axis=1) for sign in (1, -1)]
    return float(np.mean(np.maximum(saved, 0.0)))


def _spread(dimensions: int) -> FloatArray:
    """Points spread evenly in a cube, of shape (draws, dimensions): evenly along the first side.

    Along the others they move by powers of the inverse of the root above 1 of x^d = x + 1.
    """
    count, step = np.arange(_DRAWS), 2.0
    for _ in range(64):
        step = (1 + step) ** (1 / dimensions)
    moves = np.append(1 / _DRAWS, step ** -np.arange(1.0, dimensions))
    starts = np.append(0.5 / _DRAWS, np.full(dimensions - 1, 0.5))
    return (starts + np.outer(count, moves)) % 1


@final
@dataclass(frozen=True, eq=False)
class _Apart(FrozenValue):
    """What all strategies cost more than the recommended one, with their errors together."""

    more: FloatArray  # shape (k,)
    covariance: FloatArray  # shape (k, k), on the rows that there are

    @classmethod
    def of(cls, choosing: Choosing, evidence: MoneyEvidence) -> "_Apart":
        """Of each group that does the same on all rows one, with the errors of the evidence.

        These count more than how rows vary: rows not seen, and what choosing hides.
        """
        best, *others = choosing.in_order
        sample = MoneySample.of(choosing.task)
        errors = []
        for one in others:
            own, more = sample.errors_apart(one, best), evidence.more(one.strategy)
            told = 0.0 if more is None else more.standard_error
            seen = float(np.sqrt(own @ own))
            errors.append(own * (told / seen) if seen > 0 else own)
        return cls(
            np.array([max(one.money - best.money, 0.0) for one in others]),
            np.array([[float(a @ b) for b in errors] for a in errors]),
        )

    def value(self, share: float) -> float:
        """What it is worth to learn so much, as a share of all variance that there is."""
        if len(self.more) == 0:
            return 0.0
        return value_of_several(self.more, self.covariance * share)

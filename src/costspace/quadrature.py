"""Adaptive Gauss-Kronrod quadrature over many intervals at once."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from heapq import heapify, heappop, heappush
from itertools import pairwise
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, Function, IndexArray
from costspace.errors import ConditionError

TOLERANCE = 1e-13
CELLS = 4096
# Below this value of a part the tolerance is absolute.
_SMALL = 1e-3
MAX_HALVINGS = 60
# A range halved so often is 1e-12 of its length.
_MOST_HALVED = 40
# The error that each of many integrals may have, as a share of their sum.
_LEAST_PART = 1e-15
MAX_PARTS = 2000

# The 15-point Kronrod rule and the 7-point Gauss rule inside it (positive half, centre last).
_NODES = np.array(
    [
        0.991455371120812639206854697526329,
        0.949107912342758524526189684047851,
        0.864864423359769072789712788640926,
        0.741531185599394439863864773280788,
        0.586087235467691130294144258693013,
        0.405845151377397166906606412076961,
        0.207784955007898467600689403773245,
        0.0,
    ]
)
_KRONROD = np.array(
    [
        0.022935322010529224963732008058970,
        0.063092092629978553290700663189204,
        0.104790010322250183839876322541518,
        0.140653259715525918745189590510238,
        0.169004726639267902826583426598550,
        0.190350578064785409913256402421014,
        0.204432940075298892414161999234649,
        0.209482141084727828012999174891714,
    ]
)
_GAUSS = np.array(
    [
        0.0,
        0.129484966168869693270611432679082,
        0.0,
        0.279705391489276667901467771423780,
        0.0,
        0.381830050505118944950369775488975,
        0.0,
        0.417959183673469387755102040816327,
    ]
)
_X = np.concatenate([-_NODES, _NODES[-2::-1]])
_K = np.concatenate([_KRONROD, _KRONROD[-2::-1]])
_G = np.concatenate([_GAUSS, _GAUSS[-2::-1]])


def integrate(f: Callable[[FloatArray], FloatArray], edges: FloatArray) -> FloatArray:
    """Integral of a bounded `f` over each interval between ascending `edges`.

    The whole range is cut into `CELLS` cells and at the edges, and a part is halved until its Gauss
    and Kronrod rules agree to `TOLERANCE`, so kinks cost halvings. A kink between a part's end and
    its outermost node goes unnoticed; the error is below the square of a thousandth of a cell. `f`
    is vectorised, and never asked for the ends of an interval. `ConditionError` if the tolerance is
    not met after `MAX_HALVINGS` halvings.
    """
    ends, integrals = integrated_cells(f, edges)
    owner = np.searchsorted(edges, ends[:-1], side="right") - 1
    return np.bincount(owner, integrals, minlength=len(edges) - 1).astype(float)


def integrated_cells(
    f: Callable[[FloatArray], FloatArray], edges: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The ends of the parts that `integrate` makes, and the integral over each.

    A single rule over a piece of one of the parts is also exact to the tolerance.
    """
    ends = np.union1d(edges, np.linspace(edges[0], edges[-1], CELLS + 1))
    a, b = ends[:-1], ends[1:]
    starts, integrals = [], []
    for _ in range(MAX_HALVINGS):
        kronrod, gauss = _rules(f, a, b)
        rough = np.abs(kronrod - gauss) > TOLERANCE * np.maximum(_SMALL, np.abs(kronrod))
        starts.append(a[~rough])
        integrals.append(kronrod[~rough])
        a, b = a[rough], b[rough]
        if a.size == 0:
            start = np.concatenate(starts)
            order = np.argsort(start)
            return np.append(start[order], ends[-1]), np.concatenate(integrals)[order]
        middle = (a + b) / 2
        a, b = np.concatenate([a, middle]), np.concatenate([middle, b])
    raise _not_found(TOLERANCE, float(a[0]))


@final
@dataclass(frozen=True, eq=False)
class RunningIntegral(FrozenValue):
    """The integral of a bounded function from one end of its range to any point in it.

    The function is integrated once, by `integrated_cells`; each point costs one more rule.
    """

    f: Function  # vectorised
    # Shape (m + 1,): ascending, the ends of the range first and last; `f` should be smooth between
    # them.
    breaks: FloatArray

    @property
    def cells(self) -> FloatArray:
        """The ends of the parts of the integration."""
        return self._cells[0]

    @property
    def whole(self) -> float:
        """The integral over the range."""
        return float(self._below[-1])

    def below(self, x: FloatArray) -> FloatArray:
        """The integral from the low end to each point in the range."""
        cell = self._cell(x)
        return self._below[cell] + _rules(self.f, self.cells[cell], x)[0]

    def above(self, x: FloatArray) -> FloatArray:
        """The integral from each point in the range to the high end, as exact as `below`."""
        cell = self._cell(x)
        return self._above[cell + 1] + _rules(self.f, x, self.cells[cell + 1])[0]

    @cached_property
    def _cells(self) -> tuple[FloatArray, FloatArray]:
        return integrated_cells(self.f, self.breaks)

    @cached_property
    def _below(self) -> FloatArray:
        return np.append(0.0, _summed(self._cells[1]))

    @cached_property
    def _above(self) -> FloatArray:
        return np.append(_summed(self._cells[1][::-1])[::-1], 0.0)

    def _cell(self, x: FloatArray) -> IndexArray:
        last = len(self.cells) - 2
        return np.clip(np.searchsorted(self.cells, x, side="right") - 1, 0, last)


def _summed(parts: FloatArray) -> FloatArray:
    # In double precision the rounding of thousands of sums would add up.
    return np.cumsum(parts, dtype=np.longdouble).astype(float)


def _rules(
    f: Callable[[FloatArray], FloatArray], a: FloatArray, b: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The Kronrod and the Gauss rule over each interval."""
    half = (b - a) / 2
    values = f(((a + b) / 2)[..., None] + half[..., None] * _X)
    return half * (values @ _K), half * (values @ _G)


def integrate_costly(
    f: Callable[[float], float],
    edges: FloatArray,
    *,
    tolerance: float,
    density: Function = np.ones_like,
) -> float:
    """Integral of a bounded `f` of one number that is slow to evaluate, from the first edge on.

    The part whose Gauss and Kronrod rules differ most is halved until the differences sum to less
    than the tolerance, relative to the integral. `f` is never asked for an edge, and should be
    smooth between them. The density is a vectorised factor of it, bounded, and smooth where it is.
    `ConditionError` if the tolerance is not met with `MAX_PARTS` parts.
    """

    def weighed(x: FloatArray) -> FloatArray:
        return np.array([f(place) for place in x.tolist()]) * density(x)

    def part(a: float, b: float) -> tuple[float, float, float, float]:
        kronrod, gauss = _rules(weighed, np.asarray(a), np.asarray(b))
        return -abs(float(kronrod - gauss)), a, b, float(kronrod)

    parts = [part(a, b) for a, b in pairwise(np.unique(edges).tolist())]
    heapify(parts)
    while len(parts) < MAX_PARTS:
        total = math.fsum(part[-1] for part in parts)
        if -math.fsum(worst for worst, *_ in parts) <= tolerance * abs(total):
            return total
        _, a, b, _ = heappop(parts)
        for start, end in ((a, (a + b) / 2), ((a + b) / 2, b)):
            heappush(parts, part(start, end))
    raise _not_found(tolerance, parts[0][1])


def _not_found(tolerance: float, near: float) -> ConditionError:
    return ConditionError(
        f"an integral did not converge to {tolerance:g} near {near:.6g}: use a smoother "
        "density or, for conditions, Sampled values."
    )

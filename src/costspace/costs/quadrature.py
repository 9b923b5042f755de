"""Adaptive Gauss-Kronrod quadrature over many intervals at once."""

from collections.abc import Callable

import numpy as np

from costspace.arrays import FloatArray
from costspace.errors import ConditionError

TOLERANCE = 1e-13
MAX_HALVINGS = 60

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
    """Integral of `f` over each interval between ascending `edges`.

    An interval is halved until its Gauss and Kronrod rules agree to `TOLERANCE` times its share
    of the whole width, so a kink or an integrable end singularity costs halvings, not accuracy.

    Parameters
    ----------
    f : callable
        Vectorised and finite inside the intervals (it is never asked for their ends).
    edges : array of shape (m + 1,)

    Returns
    -------
    array of shape (m,)

    Raises
    ------
    ConditionError
        If the tolerance is not met after `MAX_HALVINGS` halvings.
    """
    a, b = edges[:-1], edges[1:]
    owner = np.flatnonzero(a < b)
    a, b = a[owner], b[owner]
    total = np.zeros(len(edges) - 1)
    span = float(edges[-1] - edges[0])
    for _ in range(MAX_HALVINGS):
        if owner.size == 0:
            return total
        half = (b - a) / 2
        values = f(((a + b) / 2)[:, None] + half[:, None] * _X)
        kronrod, gauss = half * (values @ _K), half * (values @ _G)
        scale = np.maximum(half / span, np.abs(kronrod))
        rough = np.abs(kronrod - gauss) > TOLERANCE * np.maximum(scale, 1e-3)
        np.add.at(total, owner[~rough], kronrod[~rough])
        a, b, owner = a[rough], b[rough], owner[rough]
        middle = (a + b) / 2
        a, b = np.concatenate([a, middle]), np.concatenate([middle, b])
        owner = np.concatenate([owner, owner])
    raise ConditionError(
        f"the distribution of conditions could not be integrated to {TOLERANCE:g} near "
        f"{float(a[0]):.6g}: use a smoother one, or Sampled values of it."
    )


def integrate_odds(
    density: Callable[[FloatArray], FloatArray], edges: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """E[X / (1 - X)] and E[(1 - X) / X] over the pieces between `edges`, from a density.

    A piece that touches the end where the integrand blows up (1 for the first, 0 for the
    second) is not integrated: its moment is given as `inf`.
    """
    inverse = _integrate_away_from_zero(lambda x: density(x) * ((1 - x) / x), edges)
    odds = _integrate_away_from_zero(lambda y: density(1 - y) * ((1 - y) / y), 1 - edges[::-1])
    return odds[::-1], inverse


def _integrate_away_from_zero(
    f: Callable[[FloatArray], FloatArray], edges: FloatArray
) -> FloatArray:
    positive = edges[edges > 0]
    result = integrate(f, np.maximum(edges, positive[0])) if positive.size else np.zeros(0)
    result[(edges[:-1] == 0) & (edges[1:] > 0)] = np.inf
    return result

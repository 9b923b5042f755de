"""What the laws range over: threshold choice methods, distributions of conditions, predictions.

A new choice or distribution is put to every law by registering it here.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np
from brute_force import Density, Sample, beta_density, uniform_density
from brute_force_methods import AtShare, Named
from foreign import RecallReached
from hypothesis import strategies as st
from scipy import stats
from scipy.special import expit, logit

import costspace as cs

AXES = ("cost", "skew")

# --- Threshold choice methods ---------------------------------------------------------------


@dataclass(frozen=True)
class Choice:
    """A choice, its name in the oracle, and what becomes of it when the classes swap."""

    choice: cs.ThresholdChoice
    method: Named
    # The choice that does the same to the scores 1 - s with the labels swapped.
    mirror: cs.ThresholdChoice
    ranks: bool = False  # whether it looks at nothing but the order of the scores
    untied: bool = False  # whether it is defined without ties and weights only
    probabilities: bool = False  # whether it is defined for scores in [0, 1] only
    any_source: bool = True  # whether it is defined for sources that are no tables
    # Whether nothing but shares of rows matter to it, not how many rows there are.
    shares: bool = True
    # To which its losses are right: a mean over scores is an integral over kinks, and a tied block
    # that holds 1e-6 of a class is split by shares of it with only 10 digits.
    tolerance: float = 1e-12


def _own_mirror(choice: cs.ThresholdChoice, method: Named, **flags: Any) -> Choice:
    return Choice(choice, method, choice, **flags)


CHOICES = {
    "score_fixed": _own_mirror(cs.ScoreFixed(), ("score_fixed", 0.5)),
    "score_fixed_low": Choice(cs.ScoreFixed(0.25), ("score_fixed", 0.25), cs.ScoreFixed(0.75)),
    "score_fixed_outside": Choice(cs.ScoreFixed(-1), ("score_fixed", -1.0), cs.ScoreFixed(2)),
    "score_uniform": _own_mirror(cs.ScoreUniform(), ("score_uniform",), tolerance=1e-11),
    "score_uniform_part": Choice(
        cs.ScoreUniform(0.125, 0.5),
        ("score_uniform", 0.125, 0.5),
        cs.ScoreUniform(0.5, 0.875),
        tolerance=1e-11,
    ),
    "score_uniform_wide": Choice(
        cs.ScoreUniform(-1, 1.5),
        ("score_uniform", -1.0, 1.5),
        cs.ScoreUniform(-0.5, 2),
        tolerance=1e-11,
    ),
    "score_driven": _own_mirror(cs.ScoreDriven(), ("score_driven",), probabilities=True),
    "score_driven_corrected": Choice(
        cs.ScoreDriven(calibrated_to=0.05),
        ("score_driven", 0.05),
        cs.ScoreDriven(0.95),
        probabilities=True,
    ),
    "score_driven_balanced": _own_mirror(
        cs.ScoreDriven(0.5), ("score_driven", 0.5), probabilities=True
    ),
    "rate_fixed": Choice(cs.RateFixed(0.2), ("rate_fixed", 0.2), cs.RateFixed(0.8), ranks=True),
    "rate_fixed_all": Choice(cs.RateFixed(1), ("rate_fixed", 1.0), cs.RateFixed(0), ranks=True),
    "rate_fixed_batch": Choice(
        cs.RateFixed(0.3, batch=5), ("by_batch", (5, 1)), cs.RateFixed(0.8, batch=5), ranks=True
    ),
    "rate_fixed_batches": Choice(
        cs.RateFixed(0.25, batch=(12, 4, 12)),
        ("by_batch", (12, 3), (12, 3), (4, 1)),
        cs.RateFixed(0.75, batch=(4, 12, 12)),
        ranks=True,
    ),
    "rate_uniform": _own_mirror(cs.RateUniform(), ("rate_uniform",), ranks=True),
    "rate_uniform_stepped": _own_mirror(
        cs.RateUniform(stepped=True), ("rate_uniform_stepped",), ranks=True, untied=True
    ),
    "rate_driven": _own_mirror(cs.RateDriven(), ("rate_driven",), ranks=True),
    "rate_driven_stepped": _own_mirror(
        cs.RateDriven(stepped=True), ("rate_driven_stepped",), ranks=True, untied=True
    ),
    "optimal": _own_mirror(cs.Optimal(), ("optimal",), ranks=True),
    "smoothed": _own_mirror(
        cs.Smoothed(), ("smoothed",), ranks=True, any_source=False, shares=False
    ),
}

# One that is not the package's, as a user would write it.
FOREIGN = {
    "recall_reached": Choice(
        RecallReached(),
        AtShare("positives"),
        RecallReached(positives=False),
        ranks=True,
        tolerance=1e-10,
    ),
}
EVERY_CHOICE = CHOICES | FOREIGN

# --- Distributions of operating conditions ---------------------------------------------------

_NODES, _NODE_WEIGHTS = np.polynomial.legendre.leggauss(12)
# Panels shrink by halves towards 0 and 1: down to 2^-150 even c^-0.6 has no mass left.
_HALVES = 0.5 ** np.arange(1, 151)


def _nodes(low: float, high: float, breaks: np.ndarray) -> tuple[np.ndarray, ...]:
    """Gauss-Legendre nodes c on [low, high], 1 - c without cancellation, and their weights."""
    edges = np.unique(np.concatenate([[low, high], np.clip(breaks, low, high)]))
    found = []
    for near, is_upper in ((edges, False), (1 - edges[::-1], True)):
        start, end = near[0], min(near[-1], 0.5)
        if start >= end:
            continue
        inner = np.concatenate([near[near > _HALVES[-1]], _HALVES])
        panels = np.unique(np.concatenate([[start, end], inner[(inner > start) & (inner < end)]]))
        half = np.diff(panels) / 2
        x = ((panels[:-1] + panels[1:]) / 2)[:, None] + half[:, None] * _NODES
        # A node that rounds to 1 would fall beyond a jump at 1.
        sides = (np.minimum(1 - x, np.nextafter(1, 0)), x) if is_upper else (x, 1 - x)
        found.append(np.stack([*sides, half[:, None] * _NODE_WEIGHTS]).reshape(3, -1))
    return tuple(np.concatenate(found, axis=1))


@dataclass(frozen=True)
class Atom:
    """Mass on one condition."""

    c: float

    def mean(self, f: Callable[..., Any], breaks: np.ndarray) -> Any:
        return f(np.array([self.c]), np.array([1 - self.c]))[..., 0]


@dataclass(frozen=True)
class Spread:
    """A density, up to a factor, of c and 1 - c on [low, high], smooth between its kinks."""

    density: Callable[[np.ndarray, np.ndarray], np.ndarray]
    low: float = 0.0
    high: float = 1.0
    kinks: tuple[float, ...] = ()

    def mean(self, f: Callable[..., Any], breaks: np.ndarray) -> Any:
        c, rest, share = _nodes(self.low, self.high, np.append(breaks, self.kinks))
        share = share * self.density(c, rest)
        return f(c, rest) @ share / share.sum()


def _flat(c: np.ndarray, rest: np.ndarray) -> np.ndarray:
    return np.ones_like(c)


def _powers(a: float, b: float) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    return lambda c, rest: c ** (a - 1) * rest ** (b - 1)


@dataclass(frozen=True)
class Costs:
    """A distribution and what it should be: a mixture of atoms and densities, by weight."""

    costs: cs.CostDistribution
    parts: tuple[tuple[float, Atom | Spread], ...]
    # To which its moments are right; adaptive quadrature is to fewer digits.
    tolerance: float = 1e-12
    # Whether it is integrated anew at every call; `tests/costs` holds it to the others.
    slow: bool = False

    def mean(self, f: Callable[..., Any], breaks: Any = ()) -> Any:
        """E[f(X, 1 - X)], f smooth between the breaks and perhaps of several values."""
        total = sum(weight for weight, _ in self.parts)
        breaks = np.asarray(breaks, dtype=float)
        return sum(weight * part.mean(f, breaks) for weight, part in self.parts) / total


def _costs(
    costs: cs.CostDistribution, *parts: Atom | Spread, tolerance: float = 1e-12, slow: bool = False
) -> Costs:
    return Costs(costs, tuple((1.0, part) for part in parts), tolerance, slow)


def _beta(a: float, b: float) -> Costs:
    return _costs(cs.Beta(a, b), Spread(_powers(a, b)))


def _scipy(frozen: Any, spread: Spread) -> Costs:
    return _costs(cs.ScipyFrozen(frozen), spread, tolerance=1e-11, slow=True)


def _in_log_odds(c: np.ndarray, rest: np.ndarray) -> np.ndarray:
    return 1 / (c * rest)


def _staked(fp: tuple[float, float], fn: tuple[float, float], prevalence: tuple[float, float]):
    """The stake-weighted skews of costs and a prevalence between bounds, by nested quadrature."""
    (x0, x1), (y0, y1) = np.log(fp), np.log(fn)
    w0, w1 = logit(prevalence)
    bends = np.array([-y - w for y in (y0, y1) for w in (w0, w1)])

    def over_prevalence(s: np.ndarray) -> np.ndarray:
        low, high = np.maximum(y0, -s - w1), np.minimum(y1, -s - w0)
        return np.log1p(np.exp(s + np.maximum(low, high))) - np.log1p(np.exp(s + low))

    def density(c: np.ndarray, rest: np.ndarray) -> np.ndarray:
        t = np.log(c / rest)[..., None]
        if x0 == x1:
            return over_prevalence(t - x0)[..., 0] / (c * c * rest)
        ends = np.broadcast_to([x0, x1], (*c.shape, 2))
        ends = np.sort(np.clip(np.concatenate([ends, t - bends], axis=-1), x0, x1), axis=-1)
        half, middle = np.diff(ends) / 2, (ends[..., 1:] + ends[..., :-1]) / 2
        x = middle[..., None] + half[..., None] * _NODES
        inner = (np.exp(x) * over_prevalence(t[..., None] - x)) @ _NODE_WEIGHTS
        return np.sum(half * inner, axis=-1) / (c * c * rest)

    kinks = expit(np.add.outer([x0, x1], bends).ravel())
    return Spread(density, kinks.min(), kinks.max(), tuple(kinks))


COSTS = {
    "uniform": _costs(cs.Uniform(), Spread(_flat)),
    "uniform_low": _costs(cs.Uniform(0, 0.25), Spread(_flat, 0, 0.25)),
    "uniform_inside": _costs(cs.Uniform(0.2, 0.5), Spread(_flat, 0.2, 0.5)),
    "uniform_high": _costs(cs.Uniform(0.6, 1), Spread(_flat, 0.6, 1)),
    "beta_hand": _beta(2, 2),
    "beta_flat": _beta(1, 1),
    "beta_skewed": _beta(2, 6.5),
    "beta_rare": _beta(1.3, 40),
    "beta_narrow": _costs(
        cs.Beta(40, 60), Spread(_powers(40, 60), kinks=tuple(np.linspace(0.1, 0.8, 29)))
    ),
    "beta_at_ends": _beta(0.4, 0.7),
    "beta_at_one": _beta(3, 0.5),
    "logit_uniform": _costs(cs.LogitUniform(0.02, 0.9), Spread(_in_log_odds, 0.02, 0.9)),
    "logit_uniform_high": _costs(cs.LogitUniform(0.6, 0.999), Spread(_in_log_odds, 0.6, 0.999)),
    "point": _costs(cs.Point(0.5), Atom(0.5)),
    "point_third": _costs(cs.Point(1 / 3), Atom(1 / 3)),
    "point_zero": _costs(cs.Point(0), Atom(0.0)),
    "point_one": _costs(cs.Point(1), Atom(1.0)),
    "mixture": Costs(
        cs.Mixture([cs.Beta(2, 6), cs.Point(0.25), cs.Uniform(0.5, 1)], weights=[3, 2, 1]),
        ((3.0, Spread(_powers(2, 6))), (2.0, Atom(0.25)), (1.0, Spread(_flat, 0.5, 1))),
    ),
    "sampled": _costs(cs.Sampled([0.9, 0.25, 0.1, 0.25]), *map(Atom, (0.9, 0.25, 0.1, 0.25))),
    "sampled_weighted": Costs(
        cs.Sampled([1, 0.3, 0, 0.7], weights=[1, 2, 0, 5]),
        ((1.0, Atom(1.0)), (2.0, Atom(0.3)), (5.0, Atom(0.7))),
    ),
    "mixture_of_points": Costs(
        cs.Mixture([cs.Point(0), cs.Point(0.7)], [1, 3]), ((1.0, Atom(0.0)), (3.0, Atom(0.7)))
    ),
    "truncated_to_the_end": _costs(
        cs.Truncated(cs.Sampled([0.05, 0.3, 1]), 0.1, 1), Atom(0.3), Atom(1.0)
    ),
    "truncated_from_zero": _costs(
        cs.Truncated(cs.Sampled([0, 0.3, 1]), 0, 0.3), Atom(0.0), Atom(0.3)
    ),
    "truncated_uniform": _costs(cs.Truncated(cs.Uniform(), 0.1, 0.4), Spread(_flat, 0.1, 0.4)),
    "truncated_beta": _costs(
        cs.Truncated(cs.Beta(0.5, 3), 0, 0.75), Spread(_powers(0.5, 3), 0, 0.75)
    ),
    "truncated_sampled": _costs(
        cs.Truncated(cs.Sampled([0.1, 0.4, 0.6, 0.9]), 0.25, 0.6), Atom(0.4), Atom(0.6)
    ),
    "truncated_mixture": Costs(
        cs.Truncated(cs.Mixture([cs.Point(0.5), cs.Uniform()]), 0.25, 0.75),
        ((2.0, Atom(0.5)), (1.0, Spread(_flat, 0.25, 0.75))),
    ),
    "truncated_past_atom": _costs(
        cs.Truncated(cs.Mixture([cs.Point(0.1), cs.Uniform()]), 0.25, 1), Spread(_flat, 0.25, 1)
    ),
    "truncated_twice": _costs(
        cs.Truncated(cs.Truncated(cs.Beta(2, 2), 0.1, 0.8), 0.25, 1),
        Spread(_powers(2, 2), 0.25, 0.8),
    ),
    "staked_skews": _costs(
        cs.Deployment(1, (500, 5000), (0.001, 0.01)).skews(),
        _staked((1, 1), (500, 5000), (0.001, 0.01)),
    ),
    "staked_skews_of_three": _costs(
        cs.Deployment((1, 3), (2, 20), (0.05, 0.4)).skews(), _staked((1, 3), (2, 20), (0.05, 0.4))
    ),
    "scipy_beta": _scipy(stats.beta(2, 3.5), Spread(_powers(2, 3.5))),
    "scipy_arcsine": _scipy(stats.beta(0.5, 0.5), Spread(_powers(0.5, 0.5))),
    "scipy_uniform": _scipy(stats.uniform(0.2, 0.5), Spread(_flat, 0.2, 0.7)),
    "scipy_truncated": _costs(
        cs.Truncated(cs.ScipyFrozen(stats.beta(2, 2)), 0.25, 0.5),
        Spread(_powers(2, 2), 0.25, 0.5),
        tolerance=1e-11,
        slow=True,
    ),
}

# The oracle's own quadrature takes these: densities without poles.
ORACLE_COSTS: dict[str, tuple[cs.CostDistribution, Density, float, float]] = {
    "uniform": (cs.Uniform(), uniform_density, 0, 1),
    "uniform_part": (cs.Uniform(0.2, 0.7), uniform_density, 0.2, 0.7),
    "beta_hand": (cs.Beta(2, 2), beta_density(2, 2), 0, 1),
    "beta_skewed": (cs.Beta(2.5, 6), beta_density(2.5, 6), 0, 1),
    "beta_part": (cs.Truncated(cs.Beta(3, 2), 0.1, 0.6), beta_density(3, 2), 0.1, 0.6),
}

# --- Predictions -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Predictions:
    """Labels, scores, weights, and the prevalence that the classes are reweighted to."""

    y: np.ndarray
    s: np.ndarray
    w: np.ndarray | None = None
    prevalence: float | None = None

    def __len__(self) -> int:
        return len(self.y)

    @property
    def options(self) -> dict[str, Any]:
        return {"sample_weight": self.w, "prevalence": self.prevalence}

    @cached_property
    def table(self) -> cs.ScoreTable:
        table = cs.ScoreTable.from_predictions(self.y, self.s, sample_weight=self.w)
        return table if self.prevalence is None else table.with_prevalence(self.prevalence)

    def on(self, axis: str) -> cs.ScoreTable:
        """The table whose cost axis is the asked axis."""
        return self.table.with_prevalence(0.5) if axis == "skew" else self.table

    @property
    def printed(self) -> np.ndarray:
        """The scores as they are printed, which is what those of single precision count as."""
        return self.s.astype(str).astype(float)

    @cached_property
    def oracle(self) -> Sample:
        return Sample(self.y, self.printed, self.w, self.prevalence)

    @property
    def weights(self) -> np.ndarray:
        return np.ones(len(self)) if self.w is None else self.w

    @property
    def by_rank(self) -> "Predictions":
        """Evenly spaced scores in the same order: no two so close that quadrature fails."""
        distinct, rank = np.unique(self.s, return_inverse=True)
        return replace(self, s=(rank + 1) / (len(distinct) + 1))

    def masses(self, axis: str) -> np.ndarray:
        """Each row's share of the whole after the classes are reweighted."""
        share = self.oracle.positive_share(axis)
        totals = [self.weights[self.y == label].sum() for label in (0, 1)]
        return self.weights * np.where(self.y == 1, share / totals[1], (1 - share) / totals[0])

    def rows(self, index: Any) -> "Predictions":
        w = None if self.w is None else self.w[index]
        return Predictions(self.y[index], self.s[index], w, self.prevalence)


UNIT = st.floats(0, 1)
PLAIN = st.integers(0, 10**6).map(lambda i: i / 10**6)
SHIFTS = st.sampled_from([0.5, 0.001, 0.03, 0.25, 0.9, 0.995])
WHOLE = st.integers(0, 4).map(float)
REAL = st.floats(0.01, 10)


# A strategy of strategies, so that one grid serves a whole sample.
GRIDS = st.sampled_from([1, 2, 4, 5, 10]).map(
    lambda steps: st.integers(0, steps).map(lambda i: i / steps)
)


@st.composite
def predictions(
    draw: Any,
    scores: st.SearchStrategy[Any] = st.just(UNIT),
    weights: st.SearchStrategy[float] | None = None,
    prevalence: st.SearchStrategy[float | None] = st.none(),
    sizes: tuple[int, int] = (2, 12),
    unique: bool = False,
    dtype: type = float,
    one_positive: bool = False,
) -> Predictions:
    """Rows in an order that is neither by class nor by score, both classes of some weight."""
    s = draw(st.lists(draw(scores), min_size=sizes[0], max_size=sizes[1], unique=unique))
    # All labels by one number, and all weights by one list: drawing takes longer than testing.
    others = 0 if one_positive else draw(st.integers(0, 2 ** (len(s) - 2) - 1))
    y = [0, 1, *(others >> i & 1 for i in range(len(s) - 2))]
    w = None
    if weights is not None:
        w = draw(st.lists(weights, min_size=len(s), max_size=len(s)))
    if w is not None:
        w[:2] = (value or 1.0 for value in w[:2])
    order = np.random.default_rng(len(s)).permutation(len(s))
    return Predictions(
        np.array(y)[order],
        np.array(s, dtype=dtype)[order],
        None if w is None else np.array(w)[order],
        draw(prevalence),
    )


# Scores one rounding apart.
NEIGHBOURS = st.sampled_from([0.1, 0.3, 0.7]).map(
    lambda base: st.integers(0, 40).map(lambda i: base * (1 + i * 2.0**-52))
)

SAMPLES = {
    "continuous": predictions(),
    "plain": predictions(st.just(PLAIN)),
    "tied": predictions(GRIDS),
    "at_the_ends": predictions(st.just(st.one_of(st.sampled_from([0.0, 1.0]), PLAIN))),
    "one_rounding_apart": predictions(NEIGHBOURS),
    "two_rows": predictions(GRIDS, sizes=(2, 2)),
    "single_precision": predictions(st.just(st.floats(0, 1, width=32)), dtype=np.float32),
    "counted": predictions(GRIDS, weights=WHOLE),
    "weighted": predictions(st.just(PLAIN), weights=REAL),
    "weighted_ties": predictions(GRIDS, weights=REAL, prevalence=SHIFTS),
    "shifted": predictions(GRIDS, prevalence=SHIFTS),
    "counted_and_shifted": predictions(GRIDS, weights=WHOLE, prevalence=SHIFTS),
    "imbalanced": predictions(st.just(PLAIN), sizes=(12, 24), one_positive=True),
    "imbalanced_by_weight": predictions(
        GRIDS, weights=st.sampled_from([1e-4, 1.0, 1e4]), sizes=(2, 8)
    ),
}
# Without ties and weights, as stepped curves need.
UNTIED = predictions(st.just(PLAIN), prevalence=st.none() | SHIFTS, unique=True)
ANY = st.one_of(*SAMPLES.values())


def fit_for(case: Choice, data: st.DataObject) -> Predictions:
    """Predictions that the choice takes."""
    return data.draw(UNTIED if case.untied else ANY, label="predictions")


# --- Comparison ------------------------------------------------------------------------------


def close(actual: Any, expected: Any, tolerance: float = 1e-12) -> None:
    """Assert equality, NaN with NaN and infinity with infinity, up to an absolute error."""
    np.testing.assert_allclose(actual, expected, rtol=0, atol=tolerance)


def inside(breaks: np.ndarray, least: float = 1e-9) -> np.ndarray:
    """Three conditions inside each piece of some width between the breaks, away from rounding."""
    breaks = np.unique(np.concatenate([[0.0, 1.0], breaks]))
    wide = [(a, b) for a, b in pairwise(breaks) if b - a > least]
    return np.array([a + t * (b - a) for a, b in wide for t in (0.2, 0.5, 0.7)])


def same_curve(curve: cs.LossCurve, other: cs.LossCurve) -> None:
    """Assert that two curves agree away from their breaks, and in expectation."""
    c = inside(np.concatenate([curve.breaks, other.breaks]))
    close(curve(c), other(c))
    close(curve.expectation(cs.Beta(2, 3)), other.expectation(cs.Beta(2, 3)))

"""What the laws of score sources range over: tables of every kind, and models with densities.

A new source is put to every law by registering it here with its oracle.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from brute_force import Sample
from brute_force_models import Model
from scipy import stats

import costspace as cs


@dataclass(frozen=True, eq=False)
class Source:
    """A source, its oracle, and its properties."""

    make: Callable[[], cs.ScoreSource]
    oracle: Sample | Model
    probabilities: bool = True  # whether all scores are in [0, 1]
    convex: bool | None = None  # whether the ROC curve is its own hull; None for tables


@cache
def source(name: str) -> cs.ScoreSource:
    """The source by its name, made once."""
    return SOURCES[name].make()


def on(name: str, axis: str) -> cs.ScoreSource:
    """The source by its name whose cost axis is the asked axis."""
    return source(name).with_prevalence(0.5) if axis == "skew" else source(name)


# --- Tables ------------------------------------------------------------------------------------


def _table(y: Any, s: Any, w: Any = None, prevalence: float | None = None, **flags: bool) -> Source:
    y, s = np.asarray(y), np.asarray(s)

    def make() -> cs.ScoreTable:
        table = cs.ScoreTable.from_predictions(y, s, sample_weight=w)
        return table if prevalence is None else table.with_prevalence(prevalence)

    return Source(make, Sample(y, s.astype(str).astype(float), w, prevalence), **flags)


_GENERATOR = np.random.default_rng(7)
_Y = np.append([0, 1], _GENERATOR.integers(0, 2, 14))
_S = _GENERATOR.random(16)
_W = _GENERATOR.choice([1e-3, 0.5, 1.0, 30.0, 1e3], 16)
TABLES = {
    "continuous": _table(_Y, _S),
    "tied": _table(_Y, np.round(_S, 1)),
    "at_the_ends": _table(_Y, np.clip(np.round(2 * _S - 0.5, 1), 0, 1)),
    "constant": _table([0, 1, 1, 0, 0], [0.3] * 5),
    "separated": _table([0, 0, 1, 1, 1], [0.1, 0.2, 0.2000001, 0.8, 0.9]),
    "reversed": _table([1, 1, 0], [0.1, 0.3, 0.8]),
    "one_of_a_class": _table(np.arange(16) == 5, np.round(_S, 1)),
    "weighted": _table(_Y, np.round(_S, 1), _W),
    "weighted_and_shifted": _table(_Y, _S, _W, 0.03),
    "rare": _table(_Y, np.round(_S, 1), None, 1e-6),
    "common": _table(_Y, np.round(_S, 1), None, 1 - 1e-6),
    "single_precision": _table(_Y, np.round(_S, 1).astype(np.float32)),
    "decision_values": _table(_Y, 10 * _S - 4, probabilities=False),
}

# --- Models with densities -----------------------------------------------------------------------

_UNIT = np.linspace(0, 1, 61)


def _by_formula(
    negatives: tuple[Callable[..., Any], Callable[..., Any]],
    positives: tuple[Callable[..., Any], Callable[..., Any]],
    prevalence: float,
    kinks: tuple[tuple[float, ...], tuple[float, ...]] = ((), ()),
    *,
    convex: bool = True,
) -> Source:
    """A model on [0, 1] from the density and the distribution function of each class."""

    def clipped(cdf: Callable[..., Any]) -> Callable[..., Any]:
        return lambda t: cdf(np.clip(t, 0, 1))

    def make() -> cs.AnalyticScores:
        classes = zip((negatives[0], positives[0]), kinks, strict=True)
        return cs.AnalyticScores(
            *(cs.scores.ScoreDensity(f, kinks=k) for f, k in classes), prevalence
        )

    pdfs, cdfs = zip(negatives, positives, strict=True)
    edges = np.union1d(_UNIT, np.concatenate(kinks))
    cdfs = clipped(cdfs[0]), clipped(cdfs[1])
    return Source(make, Model(pdfs, cdfs, edges, prevalence), convex=convex)


def _by_scipy(
    negatives: Any,
    positives: Any,
    prevalence: float,
    edges: Any,
    *,
    probabilities: bool = False,
    convex: bool = True,
) -> Source:
    """A model from two frozen scipy distributions."""
    oracle = Model(
        (negatives.pdf, positives.pdf),
        (negatives.cdf, positives.cdf),
        np.unique(np.asarray(edges, dtype=float)),
        prevalence,
    )
    return Source(
        lambda: cs.AnalyticScores(negatives, positives, prevalence),
        oracle,
        probabilities=probabilities,
        convex=convex,
    )


def _plateau(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0.75, 8 / 7, 32 / 7 * (1 - x))


def _below_plateau(x: np.ndarray) -> np.ndarray:
    return np.where(x < 0.75, 8 / 7 * x, 1 - 16 / 7 * (1 - x) ** 2)


def _ramp(x: np.ndarray) -> np.ndarray:
    return np.where(x < 1 / 3, 18 / 5 * x, 6 / 5)


def _below_ramp(x: np.ndarray) -> np.ndarray:
    return np.where(x < 1 / 3, 9 / 5 * x**2, 1 / 5 + 6 / 5 * (x - 1 / 3))


def _steps(*heights: float) -> tuple[Callable[..., Any], Callable[..., Any]]:
    """A density with a step to each height at every quarter, and its distribution function."""
    below = np.append(0.0, np.cumsum(heights)) / 4

    def pdf(x: np.ndarray) -> np.ndarray:
        return np.array(heights)[np.clip(4 * np.asarray(x), 0, 3).astype(int)]

    return pdf, lambda x: np.interp(x, np.arange(5) / 4, below)


_FLAT = (np.ones_like, lambda x: x)
_FALLING = (lambda x: 2 * (1 - x), lambda x: 1 - (1 - x) ** 2)
# The papers' models have the names of the figures of arXiv:1112.2640, Appendix A.
MODELS = {
    "figure_5": _by_formula(_FALLING, (lambda x: 2 * x, lambda x: x**2), 0.5),
    "figure_8": _by_formula(_FALLING, (lambda x: 4 * x**3, lambda x: x**4), 0.5),
    "figure_9": _by_formula(
        (_plateau, _below_plateau), (_ramp, _below_ramp), 0.5, ((0.75,), (1 / 3,))
    ),
    "figure_11": _by_formula(_FLAT, _FLAT, 0.5),
    "figure_12": _by_scipy(
        *(stats.uniform(0.495, 0.01),) * 2, 0.5, [0, 0.495, 0.505, 1], probabilities=True
    ),
    "figure_13": _by_formula(_FLAT, (lambda x: 0.5 + x, lambda x: (x + x**2) / 2), 0.5),
    "figure_15": _by_scipy(
        stats.uniform(0, 0.6),
        stats.uniform(0.5, 0.5),
        0.5,
        [0, 0.5, 0.6, 1],
        probabilities=True,
    ),
    "waves": _by_formula(
        (lambda x: 6 * x * (1 - x), lambda x: x**2 * (3 - 2 * x)),
        (
            lambda x: 1 - np.cos(6 * np.pi * x),
            lambda x: x - np.sin(6 * np.pi * x) / (6 * np.pi),
        ),
        0.5,
        convex=False,
    ),
    "steps": _by_formula(
        _steps(0.4, 1.6, 1.2, 0.8),
        _steps(0.8, 0.4, 1.2, 1.6),
        0.2,
        ((0.25, 0.5, 0.75),) * 2,
        convex=False,
    ),
    "skewed_figure_8": _by_formula(_FALLING, (lambda x: 4 * x**3, lambda x: x**4), 0.02),
    "betas": _by_scipy(
        stats.beta(2, 5), stats.beta(4, 3), 0.5, np.linspace(0, 1, 31), probabilities=True
    ),
    "betas_with_a_pole": _by_scipy(
        stats.beta(0.5, 2),
        stats.beta(3, 1.5),
        0.5,
        np.concatenate([_UNIT, 0.5 ** np.arange(1, 90), 1 - 0.5 ** np.arange(1, 44)]),
        probabilities=True,
    ),
    "gap": _by_scipy(
        stats.uniform(0, 0.2), stats.uniform(0.7, 0.3), 0.4, [0, 0.2, 0.7, 1], probabilities=True
    ),
    "reversed": _by_scipy(
        stats.uniform(0.3, 0.7),
        stats.uniform(0, 0.5),
        0.4,
        [0, 0.3, 0.5, 1],
        probabilities=True,
        convex=False,
    ),
    "binormal": _by_scipy(stats.norm(0, 1), stats.norm(1, 1), 0.3, np.linspace(-9, 10, 58)),
    "binormal_unequal": _by_scipy(
        stats.norm(0, 1), stats.norm(1, 2), 0.3, np.linspace(-17, 18, 106), convex=False
    ),
    "exponential": _by_scipy(
        stats.expon(), stats.expon(scale=5), 0.3, 180 * np.linspace(0, 1, 121) ** 2
    ),
}
if hasattr(stats, "Normal"):  # since SciPy 1.15
    _new = stats.Normal(mu=0, sigma=1), stats.Normal(mu=1.5, sigma=1)
    MODELS["new_scipy"] = _by_scipy(*_new, 0.4, np.linspace(-9, 11, 61))

SOURCES = {f"table_{name}": case for name, case in TABLES.items()}
SOURCES |= {f"model_{name}": case for name, case in MODELS.items()}
# All tables, a convex model with kinks, and one with steps that is not convex.
FEW = [f"table_{name}" for name in TABLES] + ["model_figure_9", "model_steps"]
# With those of the other models that take no time.
QUICK = [*FEW, "model_figure_8", "model_gap", "model_reversed", "model_binormal"]

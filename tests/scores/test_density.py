"""The score distribution of one class, by a density or by scipy."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from refusals import refused
from scipy import stats

import costspace as cs
from costspace import ConditionError, ScoreError
from costspace.scores import ScoreDensity
from costspace.scores.density import as_scores

NAN, INF = float("nan"), float("inf")
Array = np.ndarray


def flat(x: Array) -> Array:
    return np.ones_like(x)


def peak(width: float, centre: float = 0.4321) -> Any:
    scale = 1 / (width * np.sqrt(2 * np.pi))
    return lambda x: scale * np.exp(-(((x - centre) / width) ** 2) / 2)


# Densities and their distribution functions.
KNOWN = {
    "flat": (ScoreDensity(flat), lambda x: x),
    "cubic": (ScoreDensity(lambda x: 4 * x**3), lambda x: x**4),
    "waves": (
        ScoreDensity(lambda x: 1 - np.cos(40 * np.pi * x)),
        lambda x: x - np.sin(40 * np.pi * x) / (40 * np.pi),
    ),
    "root": (ScoreDensity(lambda x: 1.5 * np.sqrt(x)), lambda x: x**1.5),
    "tent": (
        ScoreDensity(lambda x: np.where(x < 0.3, x / 0.15, (1 - x) / 0.35), kinks=[0.3]),
        lambda x: np.where(x < 0.3, x**2 / 0.3, 1 - (1 - x) ** 2 / 0.7),
    ),
    "steps": (
        ScoreDensity(lambda x: np.where(x < 1 / 3, 0.0, 1.5), kinks=(1 / 3,)),
        lambda x: np.maximum(x - 1 / 3, 0) * 1.5,
    ),
    "shifted": (ScoreDensity(lambda x: 0 * x + 0.25, -3, 1), lambda x: (x + 3) / 4),
    "tiny_range": (ScoreDensity(lambda x: 0 * x + 1e20, 0, 1e-20), lambda x: x * 1e20),
    "huge_range": (ScoreDensity(lambda x: 0 * x + 1e-300, 0, 1e300), lambda x: x * 1e-300),
    "peak": (ScoreDensity(peak(1e-3)), stats.norm(0.4321, 1e-3).cdf),
    "narrow_peak": (ScoreDensity(peak(1e-5)), stats.norm(0.4321, 1e-5).cdf),
}
each_density = pytest.mark.parametrize("name", KNOWN)


def thresholds(density: ScoreDensity) -> Array:
    low, high = density.support
    around = 0.4321 + 1e-5 * np.linspace(-5, 5, 21)
    return np.concatenate([low + (high - low) * np.linspace(0, 1, 203), around])


@each_density
def test_shares_below_and_above(name: str) -> None:
    density, cdf = KNOWN[name]
    t = thresholds(density)
    t = t[(t >= density.low) & (t <= density.high)]
    np.testing.assert_allclose(density.cdf(t), cdf(t), atol=2e-13)
    np.testing.assert_allclose(density.sf(t), 1 - cdf(t), atol=2e-13)
    assert density.cdf(np.array(density.low)) == 0
    assert density.sf(np.array(density.high)) == 0


@each_density
def test_beyond_the_support(name: str) -> None:
    density, _ = KNOWN[name]
    low, high = density.support
    t = np.array([-INF, low - 1e301, high + 1e301, INF])
    assert density.pdf(t).tolist() == [0, 0, 0, 0]
    np.testing.assert_allclose(density.cdf(t), [0, 0, 1, 1], atol=1e-12)
    np.testing.assert_allclose(density.sf(t), [1, 1, 0, 0], atol=1e-12)


def test_tails_keep_their_digits() -> None:
    steep = ScoreDensity(lambda x: 20 * (1 - x) ** 19)
    t = np.array([0.5, 0.9, 0.99])
    np.testing.assert_allclose(steep.sf(t), (1 - t) ** 20, rtol=1e-10)
    mirrored = ScoreDensity(lambda x: 20 * x**19)
    np.testing.assert_allclose(mirrored.cdf(1 - t), (1 - t) ** 20, rtol=1e-10)


@settings(max_examples=20)
@given(st.lists(st.floats(0.05, 5), min_size=1, max_size=5), st.floats(-3, 3), st.floats(0.1, 9))
def test_any_polynomial(coefficients: list[float], low: float, width: float) -> None:
    powers = np.arange(len(coefficients))
    mass = np.sum(coefficients / (powers + 1)) * width

    def density(x: Array) -> Array:
        u = (x[..., None] - low) / width
        return np.sum(coefficients * u**powers, axis=-1) / mass

    found, u = ScoreDensity(density, low, low + width), np.linspace(0, 1, 21)
    below = np.sum(coefficients * u[:, None] ** (powers + 1) / (powers + 1), axis=1) / mass * width
    np.testing.assert_allclose(found.cdf(low + width * u), below, atol=1e-12)


def test_shapes() -> None:
    density = KNOWN["cubic"][0]
    for function in (density.pdf, density.cdf, density.sf):
        assert np.shape(function(np.array(0.3))) == ()
        assert np.shape(function(np.full((2, 3), 0.3))) == (2, 3)
        assert np.shape(function(np.zeros(0))) == (0,)


def test_a_density_need_not_be_known_outside() -> None:
    logarithm = ScoreDensity(lambda x: 1 / (x * np.log(2)), 1, 2)
    np.testing.assert_allclose(logarithm.cdf(np.array([0, 1.5, 3])), [0, np.log2(1.5), 1])


def test_a_constant_is_a_density() -> None:
    model = cs.AnalyticScores(np.ones_like, lambda x: 2 * x, 0.5)
    assert model.auc == pytest.approx(2 / 3, abs=1e-13)


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"density": 3}, ScoreError, "a density must be a function of scores, got 3."),
        ({"density": None}, ScoreError, "a density must be a function of scores, got None."),
        ({"low": 1, "high": 0}, ConditionError, "low must be below high"),
        ({"low": 0, "high": 0}, ConditionError, "low must be below high"),
        ({"low": -INF}, ConditionError, "low must be in"),
        ({"high": NAN}, ConditionError, "high must be"),
        ({"low": "a"}, ConditionError, "low must be a number, got 'a'."),
        ({"kinks": [2]}, ConditionError, "kinks must be in [0, 1], got [2]."),
        ({"kinks": [NAN]}, ConditionError, "kinks must be in [0, 1]"),
        ({"kinks": "a"}, ConditionError, "kinks must be in [0, 1], got 'a'."),
        ({"kinks": None}, ConditionError, "kinks must be in [0, 1], got None."),
        ({"density": lambda x: x}, ScoreError, "must integrate to 1, got 0.5: scale it."),
        ({"density": lambda x: 0 * x}, ScoreError, "must integrate to 1, got 0: scale it."),
        ({"density": peak(1e-12)}, ScoreError, "must integrate to 1, got 0: scale it."),
        ({"density": lambda x: -flat(x)}, ScoreError, "must not be negative, got -1."),
        ({"density": lambda x: 4 * x - 1}, ScoreError, "must not be negative, got -1."),
        ({"density": lambda x: x * NAN}, ScoreError, "must not be negative, got nan."),
        ({"density": lambda x: [1, 2, 3]}, ScoreError, "must give one number for each score"),
        ({"density": lambda x: "high"}, ScoreError, "must give one number for each score"),
        ({"density": lambda x: np.ones(3)}, ScoreError, "must give one number for each score"),
    ],
)
def test_bad_densities(arguments: dict[str, Any], error: Any, text: str) -> None:
    with refused(error, text):
        ScoreDensity(**{"density": flat, **arguments})


def test_poles_are_refused() -> None:
    with np.errstate(divide="ignore"), refused(ScoreError, "a density must be bounded, got inf."):
        ScoreDensity(lambda x: 1 / np.sqrt(x) / 2)


def test_a_density_cannot_be_changed() -> None:
    kinks = np.array([0.5])
    density = ScoreDensity(flat, kinks=kinks)
    kinks[0] = 0.7
    assert density.kinks.tolist() == [0.5]


# --- scipy's distributions -----------------------------------------------------------------------

FROZEN = {
    "norm": stats.norm(2, 3),
    "beta": stats.beta(2, 5),
    "uniform": stats.uniform(0.2, 0.1),
    "expon": stats.expon(scale=3),
    "gamma": stats.gamma(0.7),
    "cauchy": stats.cauchy(),
    "arcsine": stats.beta(0.5, 0.5),
    "histogram": stats.rv_histogram((np.array([1, 3, 2]), np.array([0, 1, 2, 3])), density=True)(),
    "triangle": stats.triang(0.2),
}
if hasattr(stats, "Normal"):  # since SciPy 1.15
    FROZEN["new_normal"] = stats.Normal(mu=0, sigma=2)
    FROZEN["new_uniform"] = stats.Uniform(a=0.0, b=2.0)


@pytest.mark.parametrize("name", FROZEN)
def test_scipy_distributions(name: str) -> None:
    frozen = FROZEN[name]
    scores = as_scores(frozen)
    t = np.linspace(-3, 3, 23) + 0.01
    np.testing.assert_array_equal(scores.cdf(t), frozen.cdf(t))
    np.testing.assert_array_equal(scores.pdf(t), frozen.pdf(t))
    np.testing.assert_allclose(scores.sf(t), 1 - frozen.cdf(t), atol=1e-15)
    assert scores.support == tuple(map(float, frozen.support()))
    grid = scores.grid
    assert np.all(np.isfinite(grid))
    assert np.all(np.diff(grid) > 0)
    finite = [end for end in scores.support if np.isfinite(end)]
    assert set(finite) <= set(scores.breaks.tolist()) <= set(grid.tolist())
    below = scores.cdf(grid)
    # Nothing but rounding is beyond the grid, and nowhere is it coarse.
    assert below[0] <= 1e-12
    assert below[-1] >= 1 - 1e-12
    assert np.diff(below).max() < 0.01


@pytest.mark.parametrize("name", FROZEN)
def test_against_itself_a_model_is_random(name: str) -> None:
    model = cs.AnalyticScores(FROZEN[name], FROZEN[name], 0.3)
    assert model.auc == pytest.approx(0.5, abs=1e-11)
    c = np.linspace(0, 1, 11)
    optimal = cs.loss_curve(model, choice=cs.Optimal())(c)
    np.testing.assert_allclose(optimal, 2 * np.minimum(0.7 * c, 0.3 * (1 - c)), atol=1e-12)
    by_rate = cs.loss_curve(model, choice=cs.RateDriven())(c)
    np.testing.assert_allclose(by_rate, 2 * c * (1 - c), atol=1e-12)


@pytest.mark.parametrize("name", [name for name in FROZEN if "cauchy" not in name])
def test_means_of_functions(name: str) -> None:
    frozen = FROZEN[name]
    model = cs.AnalyticScores(frozen, stats.norm(), 0.5)
    found, _ = model.class_means(lambda t: np.clip(t, -2, 1.5), np.ones_like)
    q = (np.arange(200_000) + 0.5) / 200_000
    quantile = frozen.icdf if hasattr(frozen, "icdf") else frozen.ppf
    assert found == pytest.approx(np.mean(np.clip(quantile(q), -2, 1.5)), abs=1e-5)

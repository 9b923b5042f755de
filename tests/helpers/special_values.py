"""Where special functions are tested, and values of more digits than SciPy's."""

import json
from pathlib import Path

import numpy as np
from scipy import special

# Of mpmath 1.4.1 with 500 digits, from its log-gamma, erfc and incomplete gamma functions and the
# continued fraction DLMF 8.17.22: arguments, of which the last is the value. SciPy's functions
# themselves err by up to 1e-12 where tails are far.
VALUES = json.loads(Path(__file__).with_name("special_values.json").read_text(encoding="utf-8"))

INF, NAN = float("inf"), float("nan")
ODD = [-INF, -2.0, -0.5, 0.0, 0.5, 1.0, 3.0, 800.0, INF, NAN]


def chances(rng: np.random.Generator, lowest: float, n: int) -> np.ndarray:
    low = sizes(rng, lowest, 0.5, n)
    high = 1 - np.exp(rng.uniform(np.log(2e-16), np.log(0.5), n))
    return np.choose(rng.integers(0, 3, n), [low, high, rng.random(n)])


def sizes(rng: np.random.Generator, low: float, high: float, n: int) -> np.ndarray:
    return np.exp(rng.uniform(np.log(low), np.log(high), n))


def inputs(n: int) -> dict[str, tuple[np.ndarray, ...]]:
    rng = np.random.default_rng(5)
    a, b = sizes(rng, 0.01, 1e6, n), sizes(rng, 0.01, 1e6, n)
    spread = np.sqrt(1 / a + 1 / b)
    odds = np.clip(np.log(a / b) + rng.normal(size=n) * spread * rng.choice([1, 5], n), -300, 300)
    # SciPy is exact to an absolute error only, where the gamma functions' first argument is large.
    shape = sizes(rng, 0.01, 20, n)
    near = np.abs(shape + rng.normal(size=n) * 4 * np.sqrt(shape))
    freedom = np.where(rng.random(n) < 0.5, rng.integers(1, 200, n), sizes(rng, 1, 1e7, n))
    t = rng.choice([-1, 1], n) * sizes(rng, 1e-5, 35, n)
    p, wide = chances(rng, 1e-300, n), rng.uniform(-37, 37, n)
    few = sizes(rng, 0.2, 1e4, n), sizes(rng, 0.2, 1e4, n), rng.uniform(1e-6, 1 - 1e-6, n)
    return {
        "betainc": (a, b, special.expit(odds)),
        "betaincc": (a, b, special.expit(odds)),
        "betaincinv": few,
        "betaln": (a, b),
        "erf": (wide / 6,),
        "erfc": (wide / 2,),
        "expit": (20 * wide,),
        "gammainc": (shape, near),
        "gammaincc": (shape, near),
        "gammaln": (a,),
        "kolmogorov": (rng.uniform(-0.1, 5, n),),
        "log_expit": (20 * wide,),
        "log_ndtr": (30 * wide,),
        "logit": (p,),
        "ndtr": (wide,),
        "ndtri": (p,),
        "pdtr": (np.arange(n) % 40, sizes(rng, 0.1, 60, n)),
        "stdtr": (freedom, t),
        # Beyond, SciPy has 1e153 of one degree of freedom.
        "stdtrit": (freedom, chances(rng, 1e-30, n)),
        "xlog1py": (a, sizes(rng, 1e-20, 1e20, n)),
        "xlogy": (a, b),
    }

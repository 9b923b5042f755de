"""Special functions in JavaScript are SciPy's, and hold to values of more digits than SciPy's."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import special

Call = Callable[[str, dict[str, list[list[Any]]]], dict[str, list[Any]]]

# Of mpmath 1.4.1 with 500 digits, from its log-gamma, erfc and incomplete gamma functions and the
# continued fraction DLMF 8.17.22: arguments, of which the last is the value. SciPy's functions
# themselves err by up to 1e-12 where tails are far.
VALUES = json.loads(Path(__file__).with_name("special_values.json").read_text(encoding="utf-8"))


def test_values_of_many_digits(call: Call):
    found = call(
        "python/special.js", {name: [r[:-1] for r in rows] for name, rows in VALUES.items()}
    )
    for name, rows in VALUES.items():
        for own, (*args, value) in zip(found[name], rows, strict=True):
            # Of small a, the place is the power 1 / a of what is known.
            few = 1e-13 if name == "betaincinv" and args[0] < 0.1 else 2e-14
            assert own == pytest.approx(value, rel=few, abs=0), (name, args)


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


# How far SciPy itself is off.
OFF = {"betaln": 1e-8, "gammaln": 1e-8, "betainc": 2e-12}


def test_random_inputs(call: Call):
    known = inputs(1500)
    asked = {name: np.column_stack(args).tolist() for name, args in known.items()}
    found = call("python/special.js", asked)
    for name, args in known.items():
        theirs = getattr(special, name)(*args)
        # JSON has large whole numbers as ints.
        own = np.array(found[name], dtype=float)
        np.testing.assert_allclose(
            own, theirs, rtol=OFF.get(name, 5e-13), atol=1e-300, err_msg=name
        )


INF, NAN = float("inf"), float("nan")
ODD = [-INF, -2.0, -0.5, 0.0, 0.5, 1.0, 3.0, 800.0, INF, NAN]
# By how many arguments they have.
BOUNDS = {
    1: ["erf", "erfc", "expit", "kolmogorov", "log_expit", "log_ndtr", "logit", "ndtr", "ndtri"],
    2: ["gammainc", "gammaincc", "pdtr", "stdtr", "stdtrit", "xlog1py", "xlogy", "betaln"],
    3: ["betainc", "betaincc", "betaincinv"],
}


@pytest.mark.parametrize(
    ("count", "name"), [(count, name) for count, names in BOUNDS.items() for name in names]
)
def test_ends_and_bad_arguments(call: Call, count: int, name: str):
    places = np.stack(np.meshgrid(*[ODD] * count), axis=-1).reshape(-1, count)
    if name == "betaln":
        places = places[np.all(places >= 0, axis=1)]
    if name in {"pdtr", "betaincinv"}:
        places = places[np.all(np.isfinite(places[:, :-1]), axis=1)]
    with np.errstate(all="ignore"):
        theirs = getattr(special, name)(*places.T)
    found = call("python/special.js", {name: places.tolist()})[name]
    np.testing.assert_allclose(found, theirs, rtol=5e-13, atol=1e-300)


def test_gammaln_of_negatives(call: Call):
    x = np.random.default_rng(6).uniform(-30, 0, 200).tolist()
    found = call("python/special.js", {"gammaln": [[v] for v in [*x, -3.0, 0.0, -INF, INF, NAN]]})
    theirs = special.gammaln([*x, -3.0, 0.0, -INF, INF, NAN])
    np.testing.assert_allclose(found["gammaln"], theirs, rtol=1e-12, atol=1e-13)


def test_arrays_lists_and_numbers(call: Call):
    table, row = [[0.5], [2.0]], [0.1, 0.25, 0.75]
    asked = {
        "expit": [[row], [table], [True], [[]]],
        "betainc": [[table, 3, row], [2, row, 0.5], [1, 1, 0.25]],
        "xlogy": [[row, table], [table, row], [row, row], [2, row]],
    }
    found = call("python/special.js", asked)
    for name, calls in asked.items():
        for own, args in zip(found[name], calls, strict=True):
            theirs = getattr(special, name)(*args)
            assert np.shape(own) == np.shape(theirs)
            np.testing.assert_allclose(own, theirs, rtol=1e-14)

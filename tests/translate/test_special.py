"""Special functions in JavaScript are SciPy's, and hold to values of more digits than SciPy's."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from scipy import special
from special_values import ODD, VALUES, inputs

Call = Callable[[str, dict[str, list[list[Any]]]], dict[str, list[Any]]]

# What the page has, by how many arguments they have.
BOUNDS = {
    1: ["expit", "log_expit", "log_ndtr", "logit", "ndtr", "ndtri"],
    2: ["stdtr", "stdtrit", "xlog1py", "xlogy", "betaln"],
    3: ["betainc", "betaincc", "betaincinv"],
}
NAMES = [name for names in BOUNDS.values() for name in names]


def test_values_of_many_digits(call: Call):
    found = call("python/special.js", {name: [row[:-1] for row in VALUES[name]] for name in NAMES})
    for name in NAMES:
        for own, (*args, value) in zip(found[name], VALUES[name], strict=True):
            # Of small a, the place is the power 1 / a of what is known.
            few = 1e-13 if name == "betaincinv" and args[0] < 0.1 else 2e-14
            assert own == pytest.approx(value, rel=few, abs=0), (name, args)


# How far SciPy itself is off.
OFF = {"betaln": 1e-8, "betainc": 2e-12}


def test_random_inputs(call: Call):
    given = inputs(1500)
    known = {name: given[name] for name in NAMES}
    asked = {name: np.column_stack(args).tolist() for name, args in known.items()}
    found = call("python/special.js", asked)
    for name, args in known.items():
        theirs = getattr(special, name)(*args)
        # JSON has large whole numbers as ints.
        own = np.array(found[name], dtype=float)
        np.testing.assert_allclose(
            own, theirs, rtol=OFF.get(name, 5e-13), atol=1e-300, err_msg=name
        )


@pytest.mark.parametrize(
    ("count", "name"), [(count, name) for count, names in BOUNDS.items() for name in names]
)
def test_ends_and_bad_arguments(call: Call, count: int, name: str):
    places = np.stack(np.meshgrid(*[ODD] * count), axis=-1).reshape(-1, count)
    if name == "betaln":
        places = places[np.all(places >= 0, axis=1)]
    if name == "betaincinv":
        places = places[np.all(np.isfinite(places[:, :-1]), axis=1)]
    with np.errstate(all="ignore"):
        theirs = getattr(special, name)(*places.T)
    found = call("python/special.js", {name: places.tolist()})[name]
    np.testing.assert_allclose(found, theirs, rtol=5e-13, atol=1e-300)


@pytest.mark.smoke
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

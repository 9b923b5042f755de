"""The quadrature under densities."""

import numpy as np
import pytest
from refusals import refused

from costspace import ConditionError
from costspace.quadrature import integrate


def test_polynomials_are_exact() -> None:
    edges = np.array([0.0, 0.3, 0.3, 1.0])
    for k in range(10):
        expected = np.diff(edges ** (k + 1)) / (k + 1)
        np.testing.assert_allclose(integrate(lambda x, k=k: x**k, edges), expected, atol=1e-16)


def test_kinks_and_singular_ends() -> None:
    edges = np.array([0.0, 0.5, 1.0])
    kink = integrate(lambda x: np.abs(x - 1 / 3), edges).sum()
    assert kink == pytest.approx(((1 / 3) ** 2 + (2 / 3) ** 2) / 2, abs=1e-13)
    for power in (0.5, 0.1, 0.01):
        found = integrate(lambda x, power=power: x**power, edges).sum()
        assert found == pytest.approx(1 / (1 + power), abs=1e-12)


@pytest.mark.parametrize("gap", [1e-2, 1e-3, 1e-4, 1e-5])
def test_a_kink_close_to_an_end(gap: float) -> None:
    end = 0.3 + gap
    found = integrate(lambda x: np.abs(x - 0.3), np.array([0.2, end])).sum()
    assert found == pytest.approx((0.1**2 + gap**2) / 2, abs=1e-12)


def test_a_narrow_peak_inside_a_wide_interval() -> None:
    width = 1e-3

    def peak(x: np.ndarray) -> np.ndarray:
        return np.exp(-(((x - 0.3) / width) ** 2) / 2) / (width * np.sqrt(2 * np.pi))

    assert integrate(peak, np.array([0.0, 0.29, 0.31, 1.0])).sum() == pytest.approx(1, abs=1e-12)


def test_what_cannot_be_integrated() -> None:
    with refused(ConditionError, "an integral could not be found to 1e-13 near"):
        integrate(lambda x: 1 / x, np.array([0.0, 1.0]))

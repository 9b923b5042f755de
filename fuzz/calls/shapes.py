"""Curves and paths given by hand, and the errors themselves."""

from typing import Any

import brute_force
import numpy as np
from public_names import PUBLIC

import costspace as cs
from fuzz.calls.registry import makes
from fuzz.case import REFUSE, Case
from fuzz.oracle import CLOSE, differ
from fuzz.samples import Rng

ERRORS = tuple(
    name
    for name, value in PUBLIC.items()
    if isinstance(value, type) and issubclass(value, Exception)
)


@makes("PiecewiseQuadratic", weight=0.3)
def piecewise(rng: Rng, name: str) -> Case:
    """Values and expectations of pieces."""
    inner = np.sort(rng.random(int(rng.integers(0, 4))))
    breaks = np.concatenate([[0.0], inner, [1.0]])
    coefficients = rng.normal(size=(3, len(breaks) - 1))
    if rng.random() < 0.3:
        bad: list[tuple[Any, ...]] = [
            (breaks[::-1], coefficients),
            (breaks, coefficients[:2]),
            (breaks, coefficients[:, :-1]),
            ([0.0, 0.5], [[1], [1], [1]]),
            ([0, np.nan, 1], np.ones((3, 2))),
            ("a", coefficients),
            (breaks, None),
            (breaks, np.full_like(coefficients, np.nan)),
        ]
        return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)
    low, high = sorted(rng.random(2))
    c, share = brute_force.quadrature(breaks, low, high)
    at = np.clip(np.searchsorted(breaks, c, side="right") - 1, 0, len(breaks) - 2)
    a0, a1, a2 = coefficients[:, at]
    values = a0 + a1 * c + a2 * c * c
    mean = float(share @ values / share.sum())

    def right(answer: Any) -> str | None:
        wrong = differ(answer(c), values, CLOSE)
        return wrong or differ(answer.expectation(cs.Uniform(low, high)), mean, CLOSE)

    return Case(name, (breaks, coefficients), right=right)


@makes("SmoothCurve", "SmoothPath", weight=0.05)
def smooth(rng: Rng, name: str) -> Case:
    """Curves given by a function."""
    a = float(rng.uniform(0.5, 3))
    breaks = np.array([0.0, 1.0])
    if name == "SmoothPath":

        def point(c: Any) -> Any:
            return cs.OperatingPoints(1 - np.asarray(c) ** 2, np.asarray(c) ** 2)

        expected = np.array(
            [2 * (x * 0.5 * (1 - x * x) + (1 - x) * 0.5 * x * x) for x in (0.2, 0.9)]
        )
        return Case(
            name,
            (breaks, point, 0.5),
            right=lambda path: differ(path.loss()(np.array([0.2, 0.9])), expected, CLOSE),
        )
    if rng.random() < 0.4:
        bad: list[tuple[Any, ...]] = [
            (np.array([1.0, 0.0]), np.sin),
            (np.array([0.0, 0.5]), np.sin),
            ("a", np.sin),
            (breaks, None),
        ]
        return Case(name, bad[int(rng.integers(len(bad)))], {}, REFUSE)
    return Case(
        name,
        (breaks, lambda c: np.exp(-a * np.asarray(c))),
        right=lambda curve: differ(curve.expectation(cs.Uniform()), (1 - np.exp(-a)) / a, CLOSE),
    )


@makes(*ERRORS, weight=0.01)
def errors(rng: Rng, name: str) -> Case:
    """Every error is a ValueError, and the warning none."""
    return Case(
        name,
        ("No.",),
        right=lambda error: None if isinstance(error, ValueError | Warning) else "is no ValueError",
    )

"""Right answers: by definition from the tests' oracles, or by relations that are theorems.

Numbers may be off by `TIGHT` where both sides add up the rows, by `CLOSE` where the oracle
integrates by quadrature; relative to the number where it is above 1.
"""

from collections.abc import Callable
from typing import Any

import brute_force
import numpy as np

TIGHT = 1e-12
CLOSE = 1e-9


def differ(found: Any, expected: Any, tolerance: float) -> str | None:
    """How two numbers or arrays differ by more than the tolerance, if they do."""
    found, expected = np.asarray(found, dtype=float), np.asarray(expected, dtype=float)
    if found.shape != expected.shape:
        return f"shape {found.shape} where it is {expected.shape}"
    scale = np.maximum(1.0, np.where(np.isfinite(expected), np.abs(expected), 1.0))
    near = (found == expected) | (np.abs(found - expected) <= tolerance * scale)
    near |= np.isnan(found) & np.isnan(expected)
    if np.all(near):
        return None
    at = int(np.argmin(np.ravel(near)))
    return f"{np.ravel(found)[at]!r} where it is {np.ravel(expected)[at]!r} (at {at})"


def number(expected: Callable[[], Any], tolerance: float = CLOSE) -> Callable[[Any], str | None]:
    """The check of an answer that is a number, or an array of them."""
    return lambda answer: differ(answer, expected(), tolerance)


def columns(expected: Callable[[], dict[str, Any]], tolerance: float = CLOSE) -> Any:
    """The check of attributes of an answer."""

    def check(answer: Any) -> str | None:
        for name, value in expected().items():
            wrong = differ(getattr(answer, name), value, tolerance)
            if wrong:
                return f"{name}: {wrong}"
        return None

    return check


def inside(breaks: np.ndarray) -> np.ndarray:
    """Conditions inside each piece between the breaks, away from their rounding."""
    breaks = np.unique(np.concatenate([[0.0, 1.0], np.clip(breaks, 0, 1)]))
    low, width = breaks[:-1], np.diff(breaks)
    wide = width > 1e-9
    low, width = low[wide], width[wide]
    return np.concatenate([low + 0.3 * width, low + 0.7 * width])


def clear(sample: brute_force.Sample, method: Any, axis: str, c: np.ndarray) -> np.ndarray:
    """Conditions at which a threshold corrected for the prevalence is well off every score."""
    match method:
        case ("score_driven", float(p)):
            pi1 = sample.positive_share(axis)
            flagged, spared = c * (1 - pi1) * p, (1 - c) * pi1 * (1 - p)
            threshold = flagged / (flagged + spared)
            gap = np.abs(threshold[:, None] - sample.scores[None, :]).min(axis=1)
            return c[gap > 1e-9]
    return c


def curve(
    sample: brute_force.Sample, method: Any, axis: str, factor: float = 1.0
) -> Callable[[Any], str | None]:
    """The check of a loss curve, by the loss at conditions between all its breaks."""

    def check(answer: Any) -> str | None:
        c = inside(np.append(sample.breakpoints(method, axis), answer.breaks))
        c = clear(sample, method, axis, c)
        return differ(answer(c), factor * sample.loss(method, axis, c), CLOSE)

    return check


def kendall(sample: brute_force.Sample) -> float:
    """Kendall's tau-b by all pairs of rows, by weight."""
    masses, s, y = sample.masses(), sample.scores, sample.labels
    pairs = np.outer(masses, masses)
    order = np.sign(s[:, None] - s[None, :])
    label = np.sign(y[:, None] - y[None, :])
    untied = np.sqrt((pairs * (order != 0)).sum() * (pairs * (label != 0)).sum())
    return float((pairs * order * label).sum() / untied)


def scored(sample: brute_force.Sample, on_negatives: Any, on_positives: Any) -> float:
    """The mean of a score over the rows."""
    y, s = sample.labels, sample.scores
    each = np.where(y == 1, on_positives(s), on_negatives(s))
    return float(sample.masses() @ each)

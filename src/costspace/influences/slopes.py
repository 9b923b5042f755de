"""How a statistic moves with the share of positives."""

from collections.abc import Callable

from costspace.scores.table import ScoreTable

# How far the share is moved, relative to that of the smaller class.
_STEP = 1e-4


def slope_of(value: Callable[[ScoreTable], float], table: ScoreTable) -> float:
    """Slope in the share of positives, both classes' scores held, by a central difference."""
    p = table.prevalence
    step = _STEP * min(p, 1 - p)
    low, high = (table.with_prevalence(q) for q in (p - step, p + step))
    return (value(high) - value(low)) / (high.prevalence - low.prevalence)

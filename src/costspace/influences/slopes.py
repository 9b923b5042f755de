"""How a statistic moves with the share of positives."""

from collections.abc import Callable

from costspace.errors import ConditionError
from costspace.scores.table import ScoreTable

# The step of the share, relative to the smaller class's share.
_STEP = 1e-4
# Slopes over two steps agree to this if the value does not jump.
_SAME = 0.01


def slope_of(value: Callable[[ScoreTable], float], table: ScoreTable, step: float = _STEP) -> float:
    """Slope in the share of positives at fixed scores of both classes, by a central difference."""
    p = table.prevalence
    step *= min(p, 1 - p)
    low, high = (table.with_prevalence(q) for q in (p - step, p + step))
    return (value(high) - value(low)) / (high.prevalence - low.prevalence)


def smooth_slope_of(value: Callable[[ScoreTable], float], table: ScoreTable, asked: str) -> float:
    """`slope_of`, or `ConditionError`, naming what was `asked`, if the value jumps there."""
    slope, nearer = slope_of(value, table), slope_of(value, table, _STEP / 10)
    if abs(slope - nearer) > _SAME * max(abs(slope), abs(nearer), _SAME):
        raise ConditionError(
            f"{asked} jumps with the prevalence, so it has no closed-form standard error if the "
            "prevalence is estimated: fix the prevalence or use the bootstrap."
        )
    return slope

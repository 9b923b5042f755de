"""The probable scale of scores that are not probabilities."""

# Scores this far outside [0, 1] are not from a regression on 0 and 1 either.
_BEYOND = 0.5
# Ratings end at 5, 10 or 20. Up to 5 there is no hint; from there to 20 scores are certainly not
# probabilities, and perhaps percentages.
_FEW, _MARKS, _HUNDRED = 5, 20, 100
# The range between these two class numbers contains all probabilities.
_SIGNS = (-1, 1)
PERCENTAGES = "percentages"


def scale_of(low: float, high: float) -> str:
    """What scores from `low` to `high` look like if not like probabilities; else empty."""
    if (low, high) == _SIGNS:
        return ""
    if low < 0 and (low <= -_BEYOND or high >= 1 + _BEYOND):
        return "decision values, log-odds or points"
    if low >= 0 and _MARKS < high <= _HUNDRED:
        return PERCENTAGES
    return ""


def advised(low: float, high: float, advice: str) -> str:
    """Advice on scores that are not probabilities: `advice`, unless they are percentages."""
    scale = scale_of(low, high)
    if scale == PERCENTAGES:
        return f"they look like {scale}. Divide them by 100."
    return f"they look like {scale}. {advice[0].upper()}{advice[1:]}" if scale else advice


def percentages(low: float, high: float) -> str:
    """A sentence that scores from `low` to `high` may be percentages; empty if not."""
    if scale_of(low, high) != PERCENTAGES or low == high:
        return ""
    return f"scores from {low:g} to {high:g} may be {PERCENTAGES}: if so, divide them by 100."


def off_scale(threshold: str, low: float, high: float) -> str:
    """Why a probability threshold does not suit scores from `low` to `high`; empty if it does."""
    scale = scale_of(low, high)
    if scale == PERCENTAGES:
        why = f"may be {scale}: if so, divide them by 100"
    elif scale:
        why = f"look like {scale}: calibrate them, or set a threshold on their scale"
    elif low >= 0 and _FEW < high <= _MARKS:
        why = "are not probabilities: calibrate them, or divide them by the largest possible score"
    elif low >= 0 and high > _HUNDRED:
        why = "are not probabilities: calibrate them, or set a threshold on their scale"
    else:
        return ""
    # A single score has its own warning.
    if low == high:
        return ""
    return (
        f"{threshold} is on the scale of probabilities, and scores from {low:g} to {high:g} {why}."
    )


def threshold_off_scale(threshold: float, low: float, high: float) -> str:
    """`off_scale` for a single threshold inside (0, 1)."""
    return off_scale(f"the threshold {threshold:g}", low, high) if 0 < threshold < 1 else ""

"""What scale scores are on that are no probabilities."""

# How far beyond [0, 1] scores are not those of a regression on 0 and 1 either.
_BEYOND = 0.5
# Ratings end at 5, 10 or 20. To 5 they are left alone; from there to 20 they are no probabilities
# for certain, and percentages perhaps.
_FEW, _MARKS = 5, 20
# These two classes written as numbers have all probabilities between them.
_SIGNS = (-1, 1)
PERCENTAGES = "percentages"


def scale_of(low: float, high: float) -> str:
    """What scores from `low` to `high` look like that are no probabilities; or nothing."""
    if (low, high) == _SIGNS:
        return ""
    if low < 0 and (low <= -_BEYOND or high >= 1 + _BEYOND):
        return "decision values or log-odds"
    if low >= 0 and _MARKS < high <= 100:
        return PERCENTAGES
    return ""


def advised(low: float, high: float, advice: str) -> str:
    """What to do about scores that are no probabilities: unless they are percentages, `advice`."""
    scale = scale_of(low, high)
    if scale == PERCENTAGES:
        return f"they look like {scale}. Divide them by 100."
    return f"they look like {scale}. {advice[0].upper()}{advice[1:]}" if scale else advice


def off_scale(threshold: str, low: float, high: float) -> str:
    """Why a threshold among probabilities does not go with scores from `low` to `high`, if so."""
    scale = scale_of(low, high)
    if scale == PERCENTAGES:
        why = f"look like {scale}: divide them by 100"
    elif scale:
        why = f"look like {scale}: calibrate them, or set a threshold on their scale"
    elif low >= 0 and _FEW < high <= _MARKS:
        why = "are no probabilities: calibrate them, or divide them by the largest they can be"
    else:
        return ""
    # Of a single score there is more to say.
    if low == high:
        return ""
    return (
        f"{threshold} is on the scale of probabilities, and scores from {low:g} to {high:g} {why}."
    )


def threshold_off_scale(threshold: float, low: float, high: float) -> str:
    """`off_scale` of one threshold, if that is among probabilities."""
    return off_scale(f"the threshold {threshold:g}", low, high) if 0 < threshold < 1 else ""

"""What scale scores are on that are no probabilities."""

# How far beyond [0, 1] scores are not those of a regression on 0 and 1 either.
_BEYOND = 0.5
# Where ratings end, and below which the largest percentage is only if positives are rare.
_RARE = 5
# Classes written as numbers, of which one is no probability, have all thresholds between them.
_CLASSES = (-1, 1)
PERCENTAGES = "percentages"


def scale_of(low: float, high: float) -> str:
    """What scores from `low` to `high` look like that are no probabilities; or nothing."""
    if (low, high) == _CLASSES:
        return ""
    if low < 0 and (low <= -_BEYOND or high >= 1 + _BEYOND):
        return "decision values or log-odds"
    if low >= 0 and _RARE < high <= 100:
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
    # Of a single score there is more to say.
    if not scale or low == high:
        return ""
    advice = (
        "divide them by 100"
        if scale == PERCENTAGES
        else "calibrate them, or set a threshold on their scale"
    )
    return (
        f"{threshold} is on the scale of probabilities, and scores from {low:g} to {high:g} look "
        f"like {scale}: {advice}."
    )


def threshold_off_scale(threshold: float, low: float, high: float) -> str:
    """`off_scale` of one threshold, if that is among probabilities."""
    return off_scale(f"the threshold {threshold:g}", low, high) if 0 < threshold < 1 else ""

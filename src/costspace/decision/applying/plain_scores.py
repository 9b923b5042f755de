"""The scores that a decision was made on as plain values, and back, every value checked."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from costspace.checks import check_conditions, check_number, check_numbers
from costspace.decision.applying.decided_on import DecidedOn
from costspace.deployment.bounds import Range
from costspace.errors import ConditionError, brief

_FLAGGED = ("share", "low", "high")
_LABEL = ("column", "positive")


def plain_scores(found: DecidedOn) -> dict[str, Any]:
    """Plain values, ready for JSON."""
    flagged, label = found.flagged, (found.label, found.positive)
    return {
        "quantiles": found.scores.tolist(),
        "negatives_above": found.negatives_above.tolist(),
        "positives_above": found.positives_above.tolist(),
        "rows": list(found.rows),
        "independent": found.independent,
        "prevalence": vars(found.prevalence),
        "flagged": None if flagged is None else dict(zip(_FLAGGED, flagged, strict=True)),
        "label": None if found.label is None else dict(zip(_LABEL, label, strict=True)),
    }


def scores_of(values: Any) -> DecidedOn:
    """The scores of `plain_scores`, or `ConditionError` unless they are such."""
    if not isinstance(values, Mapping):
        raise ConditionError(f"scores must be an object, got {brief(values)}.")
    scores = check_numbers("quantiles", values.get("quantiles", ()))
    negatives, positives = (
        check_conditions(name, values.get(name, ()))
        for name in ("negatives_above", "positives_above")
    )
    shapes = {scores.shape, negatives.shape, positives.shape}
    if shapes != {(scores.size,)} or not np.isfinite(scores).all() or (np.diff(scores) <= 0).any():
        raise ConditionError("quantiles must ascend, with a share of each class above each.")
    if any((np.diff(above) > 0).any() for above in (negatives, positives)):
        raise ConditionError("the shares above quantiles must not ascend.")
    rows = check_numbers("rows", values.get("rows", ()))
    if rows.shape != (2,) or not ((rows > 0) & np.isfinite(rows)).all():
        raise ConditionError(f"rows must be two numbers above 0, got {brief(values.get('rows'))}.")
    independent = check_number("independent", values.get("independent", 0), low=0, high=1)
    if independent == 0:
        raise ConditionError("independent must be above 0.")
    flagged, label = values.get("flagged"), values.get("label")
    return DecidedOn(
        *(scores, negatives, positives, (float(rows[0]), float(rows[1])), independent),
        range_of("prevalence", values.get("prevalence")),
        None if flagged is None else _flagged(flagged),
        *((None, None) if label is None else _label(label)),
    )


def _flagged(values: Any) -> tuple[float, float, float]:
    if not isinstance(values, Mapping) or values.keys() != {*_FLAGGED}:
        raise ConditionError(f"flagged must have {', '.join(_FLAGGED)}, got {brief(values)}.")
    share, low, high = (check_number(name, values[name], low=0, high=1) for name in _FLAGGED)
    if not low <= share <= high:
        raise ConditionError(f"the share flagged must be from low to high, got {brief(values)}.")
    return share, low, high


def _label(values: Any) -> tuple[str, str | None]:
    if isinstance(values, Mapping) and values.keys() == {*_LABEL}:
        column, positive = (values[name] for name in _LABEL)
        if isinstance(column, str) and isinstance(positive, str | None):
            return column, positive
    raise ConditionError(f"label must have {' and '.join(_LABEL)}, got {brief(values)}.")


def range_of(name: str, values: Any) -> Range:
    """A range of plain values inside [0, 1], or `ConditionError` unless it is one."""
    if not isinstance(values, Mapping) or not {"low", "high"} <= values.keys():
        raise ConditionError(f"{name} must have 'low' and 'high', got {brief(values)}.")
    low, high = (check_number(name, values[end], low=0, high=1) for end in ("low", "high"))
    if low > high:
        raise ConditionError(f"{name} must have low not above high, got {low:g} and {high:g}.")
    return Range(low, high)

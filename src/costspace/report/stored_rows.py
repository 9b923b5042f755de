"""The rows of a decision as a page holds them, to answer other questions about them."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FloatArray
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.held_out.holdout import HeldOut
from costspace.decision.held_out.rows import HeldOutRows
from costspace.report.encoding import base64_of
from costspace.report.raking import raked_rows
from costspace.single import doubles


def stored_rows(held_out: HeldOut | None) -> dict[str, Any] | None:
    """Rows in folds, as plain values for JSON; None if there are none.

    Parameters
    ----------
    held_out : HeldOutRows, HeldOutCounts or None
        Without validation rows and costs of their own.

    Returns
    -------
    dict
        The models in their order, which JavaScript does not keep of names like numbers; the labels;
        by model the distinct scores and which of them each row has; the folds, weights and groups.
        Of many rows what `RakedRows` has. Arrays are the type and the bytes of their numbers.
    """
    if isinstance(held_out, HeldOutCounts):
        return _counts(held_out)
    return _rows(held_out) if isinstance(held_out, HeldOutRows) else None


def _counts(held_out: HeldOutCounts) -> dict[str, Any]:
    raked = raked_rows(held_out)
    counts = {
        name: {
            "lowest": _array(one.low_ends),
            "highest": _array(one.cells),
            "counts": _array(_small(one.sums.rows.ravel())),
        }
        for name, one in raked.counts.items()
    }
    return {
        "models": list(counts),
        "folds": raked.folds,
        "counts": counts,
        "positive": _array(raked.sampled.positive.astype(np.uint8)),
        "fold": _array(_small(raked.sampled.fold)),
        "cells": {name: _array(_small(cells)) for name, cells in raked.sampled.by_model.items()},
    }


def _rows(held_out: HeldOutRows) -> dict[str, Any]:
    rows = held_out.rows
    return {
        "models": list(rows.scores),
        "positive": _array(rows.positive.astype(np.uint8)),
        "scores": {name: _scores(doubles(values)) for name, values in rows.as_given.items()},
        "folds": [_array(_small(fold)) for fold in held_out.folds],
        "weight": None if rows.weight is None else _array(np.asarray(rows.weight, dtype=float)),
        "groups": None if rows.groups is None else _array(_small(rows.groups)),
    }


def _scores(values: FloatArray) -> dict[str, Any]:
    distinct, place = np.unique(values, return_inverse=True)
    return {"distinct": _array(distinct), "place": _array(_small(place))}


def _small(numbers: NDArray[np.integer[Any]]) -> NDArray[Any]:
    """Whole numbers from 0 in as few bytes as hold them."""
    return numbers.astype(np.min_scalar_type(int(numbers.max(initial=0))))


def _array(values: NDArray[Any]) -> dict[str, str]:
    return {"type": values.dtype.str[1:], "base64": base64_of(values)}

"""The same predictions as other types: every kind of labels, scores and weights."""

from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np

from fuzz.samples import Rng, Sample


def dressed(rng: Rng, one: Sample) -> tuple[Sample, Any, Any, dict[str, Any]]:
    """A sample, perhaps rounded to a narrower type, and its labels, scores and options to pass."""
    s, one = _scores(rng, one)
    y, pos_label = _labels(rng, one.y)
    options: dict[str, Any] = {}
    if pos_label is not None:
        options["pos_label"] = pos_label
    if one.w is not None:
        options["sample_weight"] = _weight_container(rng, one.w)
    if one.prevalence is not None:
        options["prevalence"] = one.prevalence
    return one, y, s, options


def _labels(rng: Rng, y: np.ndarray) -> tuple[Any, Any]:
    match rng.integers(22):
        case 0 | 1 | 2 | 3 | 4 | 5 | 6 | 7:
            return y, None
        case 8:
            return y.tolist(), None
        case 9:
            return y.astype(bool), None
        case 10:
            return 2 * y - 1, None
        case 11:
            return y.astype(float), None
        case 12:
            return np.where(y == 1, "good", "bad"), "good"
        case 13:
            return np.where(y == 1, "bad", "good").astype(object), "bad"
        case 14:
            return y + 1, 2
        case 15:
            return y.astype(np.uint8), 1
        case 16:
            return tuple(bool(one) for one in y), None
        case 17:
            return _pandas(y), None
        case 18:
            import polars as pl

            return pl.Series(y), None
        case 19:
            import pyarrow as pa

            return pa.array(y), None
        case 20:
            return (1 - y), 0
        case _:
            return [2.5 if one else -7 for one in y.tolist()], 2.5


def _pandas(values: np.ndarray) -> Any:
    """As rows that a filter kept: their labels are not their places."""
    import pandas as pd

    return pd.Series(values, index=np.arange(len(values), 0, -1) + 100)


def as_printed(narrow: np.ndarray) -> np.ndarray:
    """The decimals that numbers of few bits print as, which they mean."""
    return np.array([float(str(value)) for value in narrow])


def _scores(rng: Rng, one: Sample) -> tuple[Any, Sample]:
    s = one.s
    match rng.integers(26):
        case 0:
            return s.tolist(), one
        case 1:
            return tuple(s.tolist()), one
        case 2:
            return s.astype(">f8"), one
        case 3:
            return np.repeat(s, 2)[::2], one
        case 4 if np.all(np.abs(s[np.isfinite(s)]) < 3e38):
            narrow = s.astype(np.float32)
            return narrow, replace(one, s=as_printed(narrow))
        case 5 if np.all(np.abs(s[np.isfinite(s)]) < 6e4):
            narrow = s.astype(np.float16)
            return narrow, replace(one, s=as_printed(narrow))
        case 6 if np.all(s == np.round(s)) and np.all(np.abs(s) < 2**31):
            return s.astype(rng.choice([np.int64, np.int32])), one
        case 7 if np.all((s == 0) | (s == 1)):
            return s.astype(bool), one
        case 8 if one.finite:
            # Exact, or as a person would write them.
            written = float if rng.random() < 0.5 else repr
            return [Decimal(written(value)) for value in s.tolist()], one
        case 9:
            return s.astype(np.longdouble), one
        case 10:
            return s.astype(object), one
        case 11:
            return _pandas(s), one
        case 12:
            import polars as pl

            return pl.Series(s), one
        case 13:
            import pyarrow as pa

            return pa.array(s), one
        case 14:
            return np.ma.array(s, mask=np.zeros(len(s), bool)), one
        case 15:
            frozen = s.copy()
            frozen.flags.writeable = False
            return frozen, one
        case 16:
            return s[::-1].copy()[::-1], one
        case _:
            return s.copy(), one


def _weight_container(rng: Rng, w: np.ndarray) -> Any:
    match rng.integers(6):
        case 0:
            return w.tolist()
        case 1:
            return _pandas(w)
        case 2 if np.all(w == np.round(w)) and w.max() < 2**31:
            return w.astype(np.int64)
        case _:
            return w.copy()

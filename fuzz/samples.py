"""Random predictions: labels, scores and weights of every kind, and what is known of them."""

from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any

import brute_force
import numpy as np

Rng = np.random.Generator
SUBNORMAL = 5e-324


@dataclass(frozen=True, eq=False)
class Sample:
    """Labels 0 and 1, scores and weights as plain float arrays, and a prevalence or None.

    Both classes have weight. `kind` says which kind of scores it is, `unit` that they are in
    [0, 1], `finite` that none is infinite.
    """

    y: np.ndarray
    s: np.ndarray
    w: np.ndarray | None
    prevalence: float | None
    kind: str

    def __len__(self) -> int:
        return len(self.y)

    @property
    def unit(self) -> bool:
        return bool(np.all((self.s >= 0) & (self.s <= 1)))

    @property
    def finite(self) -> bool:
        return bool(np.all(np.isfinite(self.s)))

    @property
    def tied(self) -> bool:
        return len(np.unique(self.s)) < len(self.s)

    @cached_property
    def weights(self) -> np.ndarray:
        return np.ones(len(self.y)) if self.w is None else self.w

    @property
    def present(self) -> np.ndarray:
        return self.weights > 0

    @cached_property
    def oracle(self) -> brute_force.Sample:
        return brute_force.Sample(self.y, self.s.astype(float), self.w, self.prevalence)

    @cached_property
    def ranked(self) -> brute_force.Sample:
        """Evenly spaced scores in the same order, for what looks at nothing else."""
        distinct, rank = np.unique(self.s, return_inverse=True)
        spaced = (rank + 1) / (len(distinct) + 1)
        return brute_force.Sample(self.y, spaced, self.w, self.prevalence)

    @property
    def pi1(self) -> float:
        return self.oracle.positive_share()

    def rows(self, index: Any) -> "Sample":
        w = None if self.w is None else self.w[index]
        return Sample(self.y[index], self.s[index], w, self.prevalence, self.kind)


def _ends(rng: Rng, n: int) -> np.ndarray:
    return rng.choice([0.0, 1.0, 0.5, rng.random()], n)


def _neighbours(rng: Rng, n: int) -> np.ndarray:
    return rng.choice([0.1, 0.3, 0.7]) * (1 + rng.integers(0, 6, n) * 2.0**-52)


def _subnormal(rng: Rng, n: int) -> np.ndarray:
    return rng.integers(0, 9, n) * SUBNORMAL


def _signed_zeros(rng: Rng, n: int) -> np.ndarray:
    return rng.choice([0.0, -0.0, 1.0, 0.25], n)


def _near_one(rng: Rng, n: int) -> np.ndarray:
    return 1 - rng.integers(0, 9, n) * 2.0**-53


UNIT = {
    "continuous": lambda rng, n: rng.random(n),
    "plain": lambda rng, n: rng.random(n).round(3),
    "tenths": lambda rng, n: rng.integers(0, 11, n) / 10,
    "halves": lambda rng, n: rng.integers(0, 3, n) / 2,
    "one value": lambda rng, n: np.full(n, rng.choice([0.0, 0.3, 0.5, 1.0])),
    "ends": _ends,
    "neighbours": _neighbours,
    "signed zeros": _signed_zeros,
    "subnormal": _subnormal,
    "near one": _near_one,
    "tiny": lambda rng, n: 10.0 ** -rng.integers(0, 320, n),
}
WIDE = {
    "decisions": lambda rng, n: rng.normal(size=n),
    "integers": lambda rng, n: rng.integers(-3, 4, n).astype(float),
    "huge": lambda rng, n: rng.uniform(-1, 1, n) * 1e308,
    "largest": lambda rng, n: rng.choice(np.finfo(float).max * np.array([1, -1, 0.5]), n),
    "every size": lambda rng, n: rng.choice([-1, 1], n) * 10.0 ** rng.integers(-300, 300, n),
    "beyond 2^53": lambda rng, n: 2.0**53 + 2 * rng.integers(0, 5, n),
}
INFINITE = {
    "infinite": lambda rng, n: rng.choice([-np.inf, np.inf, 0.0, 0.5, 1.0], n),
    "infinite high": lambda rng, n: rng.choice([np.inf, 0.1, 0.6], n),
}
KINDS = {**UNIT, **WIDE, **INFINITE}


def _weights(rng: Rng, n: int) -> np.ndarray:
    match rng.integers(7):
        case 0:
            return rng.integers(0, 4, n).astype(float)
        case 1:
            return rng.uniform(0.01, 10, n)
        case 2:
            return 10 ** rng.uniform(-3, 3, n)
        case 3:
            return rng.choice([0.0, 1.0], n)
        case 4:
            return np.full(n, rng.choice([1.0, 0.1, 1e-90, 1e90, 2.0**-40]))
        case 5:
            return rng.integers(1, 3, n) * float(rng.choice([1e-100, 1e-50, 1e50, 4e99]))
        case _:
            return rng.uniform(0, 1, n) * rng.choice([1, 1e-8, 1e8])


def _prevalence(rng: Rng) -> float:
    return float(rng.choice([0.5, 0.001, 0.25, 0.995, rng.uniform(0.01, 0.99), 1e-6]))


def sample(
    rng: Rng,
    kinds: dict[str, Any] = KINDS,
    *,
    rows: tuple[int, int] = (2, 13),
    weighted: bool = True,
    prevalence: bool = True,
    distinct: bool = False,
) -> Sample:
    """Rows in any order, both classes of some weight."""
    n = int(rng.integers(*rows))
    kind = str(rng.choice(list(kinds)))
    s = kinds[kind](rng, n)
    if distinct:
        s = rng.permutation(n) / n
    share = rng.choice([0.5, 0.5, 0.1, 0.9])
    y = (rng.random(n) < share).astype(np.int64)
    first, second = rng.permutation(n)[:2]
    y[first], y[second] = 0, 1
    w = _weights(rng, n) if weighted and rng.random() < 0.4 else None
    if w is not None:
        filler = max(float(w.max()), 1.0) if w.max() < 1e-100 else float(w.max())
        for one in (first, second):
            w[one] = w[one] or filler or 1.0
    p = _prevalence(rng) if prevalence and rng.random() < 0.3 else None
    return Sample(y, s, w, p, kind)


def small(rng: Rng, **options: Any) -> Sample:
    """A sample of probabilities."""
    return sample(rng, UNIT, **options)


# --- The same in other clothes ---------------------------------------------------------------


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
            return _pandas(y, rng), None
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


def _pandas(values: np.ndarray, rng: Rng) -> Any:
    import pandas as pd

    index = rng.permutation(len(values)) + 100
    return pd.Series(values, index=index)


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
            return narrow, replace(one, s=narrow.astype(float))
        case 5 if np.all(np.abs(s[np.isfinite(s)]) < 6e4):
            narrow = s.astype(np.float16)
            return narrow, replace(one, s=narrow.astype(float))
        case 6 if np.all(s == np.round(s)) and np.all(np.abs(s) < 2**31):
            return s.astype(rng.choice([np.int64, np.int32])), one
        case 7 if np.all((s == 0) | (s == 1)):
            return s.astype(bool), one
        case 8 if one.finite:
            return [Decimal(value) for value in s.tolist()], one
        case 9:
            return s.astype(np.longdouble), one
        case 10:
            return s.astype(object), one
        case 11:
            return _pandas(s, rng), one
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
            return _pandas(w, rng)
        case 2 if np.all(w == np.round(w)) and w.max() < 2**31:
            return w.astype(np.int64)
        case _:
            return w.copy()


# --- What is bad -------------------------------------------------------------------------------


def _with(values: Any, at: int, new: Any) -> list[Any]:
    found = list(np.asarray(values).tolist())
    found[at % len(found)] = new
    return found


SPOILS = (
    "NaN score",
    "None score",
    "text score",
    "scores too few",
    "scores too many",
    "scores of shape (n, 1)",
    "scores of shape (n, 2)",
    "complex scores",
    "text scores",
    "one score",
    "no rows",
    "only negatives",
    "only positives",
    "three labels",
    "word labels",
    "NaN label",
    "None label",
    "negative weight",
    "NaN weight",
    "infinite weight",
    "no weight",
    "a class without weight",
    "weights too many",
    "weights out of range",
    "one weight",
    "text weights",
    "prevalence out of range",
    "text prevalence",
    "two prevalences",
    "pos_label unknown",
    "pos_label a list",
    "masked score",
    "labels of shape (n, 1)",
    "dates as scores",
    "integers beyond 2^53",
    "dict of scores",
    "dict of labels",
    "one label",
    "pos_label beyond int64",
    "ragged scores",
)


def spoiled(
    rng: Rng, one: Sample, spoils: tuple[str, ...] = SPOILS
) -> tuple[Any, Any, dict[str, Any], str]:
    """Labels, scores and options of which one is not as it must be, and which."""
    y, s = one.y, one.s
    n, at = len(y), int(rng.integers(len(y)))
    w = one.weights
    options: dict[str, Any] = {}
    if one.w is not None:
        options["sample_weight"] = one.w
    note = str(rng.choice(spoils))
    match note:
        case "NaN score":
            s = _with(s, at, np.nan)
        case "None score":
            s = _with(s, at, None)
        case "text score":
            s = _with(s, at, "0.5")
        case "scores too few":
            s = s[:-1]
        case "scores too many":
            s = np.append(s, 0.5)
        case "scores of shape (n, 1)":
            s = s[:, None]
        case "scores of shape (n, 2)":
            s = np.stack([s, s], axis=1)
        case "complex scores":
            s = s + 0j
        case "text scores":
            s = s.astype(str)
        case "one score":
            s = float(s[0])
        case "no rows":
            y, s = [], []
            options = {}
        case "only negatives":
            y = np.zeros(n, int)
        case "only positives":
            y = np.ones(n, int)
        case "three labels":
            y = rng.permutation(np.append([0, 1, 2], y[3:]))
        case "word labels":
            y = np.where(y == 1, "yes", "no")
        case "NaN label":
            y = _with(y.astype(float), at, np.nan)
        case "None label":
            y = _with(y, at, None)
        case "negative weight":
            options["sample_weight"] = _with(w, at, -1.0)
        case "NaN weight":
            options["sample_weight"] = _with(w, at, np.nan)
        case "infinite weight":
            options["sample_weight"] = _with(w, at, np.inf)
        case "no weight":
            options["sample_weight"] = np.zeros(n)
        case "a class without weight":
            options["sample_weight"] = np.where(y == rng.integers(2), 0.0, 1.0)
        case "weights too many":
            options["sample_weight"] = np.ones(n + 1)
        case "weights out of range":
            options["sample_weight"] = np.full(n, float(rng.choice([1e-300, 1e300, 1e-101, 1e101])))
        case "one weight":
            options["sample_weight"] = 1.0
        case "text weights":
            options["sample_weight"] = ["a"] * n
        case "prevalence out of range":
            options["prevalence"] = float(rng.choice([0, 1, -0.5, 1.5, 50, np.nan, np.inf]))
        case "text prevalence":
            options["prevalence"] = "0.5"
        case "two prevalences":
            options["prevalence"] = [0.5, 0.5]
        case "pos_label unknown":
            options["pos_label"] = 7
        case "pos_label a list":
            options["pos_label"] = [1]
        case "masked score":
            s = np.ma.array(s, mask=np.arange(n) == at)
        case "labels of shape (n, 1)":
            y, s = y[:, None], s
        case "dates as scores":
            s = np.full(n, np.datetime64("2024-01-01"))
        case "integers beyond 2^53":
            s = [2**53 + 1, *([0] * (n - 1))]
        case "dict of scores":
            s = {"a": 1}
        case "dict of labels":
            y = dict(enumerate(y.tolist()))
        case "one label":
            y = int(y[0])
        case "pos_label beyond int64":
            options["pos_label"] = 2**63
        case "ragged scores":
            s = [[0.5], [0.5, 0.6], *([[0.1]] * (n - 2))]
    return y, s, options, note

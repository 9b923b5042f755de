"""Predictions of which one thing is not as it must be."""

from decimal import Decimal
from typing import Any

import numpy as np

from fuzz.samples import Rng, Sample


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
    "dates as scores",
    "integers beyond 2^53",
    "dict of scores",
    "dict of labels",
    "one label",
    "pos_label beyond int64",
    "ragged scores",
    "Decimals that a double cannot tell apart",
    "long doubles that a double cannot tell apart",
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
        case "Decimals that a double cannot tell apart":
            near = Decimal("0.5" + 28 * "0" + "1")
            s = [Decimal("0.5"), near, *map(Decimal, s[2:].tolist())]
        case "long doubles that a double cannot tell apart":
            s = s.astype(np.longdouble)
            s[:2] = 0.5, np.nextafter(np.longdouble(0.5), np.longdouble(1))
            if np.finfo(np.longdouble).eps == np.finfo(float).eps:
                # There are none on this machine.
                s[0] = np.nan
        case "ragged scores":
            s = [[0.5], [0.5, 0.6], *([[0.1]] * (n - 2))]
    return y, s, options, note

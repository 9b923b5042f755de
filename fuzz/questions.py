"""Random rows, and what may be asked of a decision on them, as a page has both."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from scipy.special import expit, logit

import costspace as cs
from costspace.decision.asking import held_out_for
from costspace.decision.held_out.holdout import HeldOut

Rng = np.random.Generator
LIMITS = ("capacity", "min_precision", "min_recall", "min_npv", "max_fpr")
KNOWN = ([], ["costs"], ["prevalence"], ["costs", "prevalence"])
NAMES = (
    *("logistic", "random forest", "Modèle n° 3", "模型", "🌲", "it's", 'so "called"', "a, b"),
    *("<b>bold</b>", "a & b", "constructor", "__proto__", "toString", "flag_nobody", "x" * 80),
    *("back\\slash", "${x}", "new\nline", "null", "optimal", "in use", "%s {0}"),
)


@dataclass(frozen=True, eq=False)
class Rows:
    """Labels, scores by model, and perhaps weights and groups."""

    y: np.ndarray
    scores: dict[str, np.ndarray]
    weight: np.ndarray | None = None
    groups: np.ndarray | None = None
    kinds: tuple[str, ...] = ()

    def held_out(self, often: int | None = None) -> HeldOut:
        """The rows in folds: cut as often as `decide` cuts them, or so often."""
        given = {"sample_weight": self.weight, "groups": self.groups}
        rows = cs.ScoredRows.from_predictions(self.y, self.scores, **given)
        return held_out_for(rows) if often is None else cs.hold_out(rows, repeats=often)


def _good(rng: Rng, y: np.ndarray) -> np.ndarray:
    return expit(rng.normal(size=len(y)) + rng.uniform(0.5, 3) * (y - 0.5) - rng.uniform(0, 2))


def _rounded(rng: Rng, y: np.ndarray) -> np.ndarray:
    return _good(rng, y).round(int(rng.integers(1, 4)))


def _separated(rng: Rng, y: np.ndarray) -> np.ndarray:
    return (y + rng.random(len(y))) / 2


def _infinite(rng: Rng, y: np.ndarray) -> np.ndarray:
    s = logit(_good(rng, y))
    return np.where(rng.random(len(y)) < 0.2, rng.choice([-np.inf, np.inf], len(y)), s)


def _beyond(rng: Rng, y: np.ndarray) -> np.ndarray:
    return rng.normal(size=len(y)) * 10.0 ** rng.integers(-1, 5) + 3 * y


SCORES: dict[str, Callable[[Rng, np.ndarray], np.ndarray]] = {
    "good": _good,
    "rounded": _rounded,
    "tied": lambda rng, y: rng.choice([0.2, 0.5, 0.7], len(y), p=[0.5, 0.3, 0.2]) + 0.1 * y,
    "two values": lambda rng, y: (rng.random(len(y)) < 0.3 + 0.4 * y).astype(float),
    "one score": lambda rng, y: np.full(len(y), rng.choice([0.0, 0.5, 0.3, 1.0])),
    "separated": _separated,
    "useless": lambda rng, y: rng.random(len(y)),
    "reversed": lambda rng, y: 1 - _good(rng, y),
    "infinite": _infinite,
    "beyond": _beyond,
    "rounding": lambda rng, y: rng.choice([-1e-17, 0.0, 0.4, 1.0, 1.0000001], len(y)),
    "neighbours": lambda rng, y: 0.3 * (1 + rng.integers(0, 6, len(y)) * 2.0**-52) + 0.1 * y,
    "tiny": lambda rng, y: 10.0 ** -rng.integers(0, 320, len(y)),
    "ends": lambda rng, y: rng.choice([0.0, 1.0, 0.5, rng.random()], len(y)),
    "short": lambda rng, y: _good(rng, y).astype(np.float32),
    "percent": lambda rng, y: (100 * _good(rng, y)).round(),
}


def random_rows(rng: Rng, most: int = 120) -> Rows:
    """Rows of one model or several, a few of which are of any odd kind."""
    n = int(rng.choice([12, 25, 60, most], p=[0.3, 0.35, 0.25, 0.1]))
    share = float(rng.choice([0.5, 0.3, 0.1, 0.8]))
    y = (rng.random(n) < share).astype(int)
    # Three positives, and both classes in any case.
    y[: n if rng.random() < 0.1 else 4] = 0
    y[:3] = 1
    y = rng.permutation(y)
    many = int(rng.choice([1, 2, 3, 12], p=[0.35, 0.35, 0.25, 0.05]))
    odd = rng.random() < 0.4
    names = rng.choice(NAMES if odd else (*NAMES[:2], "third"), min(many, 2 if odd else 3), False)
    names = [str(one) for one in names] + [f"model {k}" for k in range(many - len(names))]
    kinds = tuple(str(rng.choice(list(SCORES))) if rng.random() < 0.6 else "good" for _ in names)
    scores = {name: SCORES[kind](rng, y) for name, kind in zip(names, kinds, strict=True)}
    return Rows(y, scores, _weights(rng, y), _groups(rng, y), kinds)


def _weights(rng: Rng, y: np.ndarray) -> np.ndarray | None:
    if rng.random() < 0.75:
        return None
    n = len(y)
    kind = rng.integers(4)
    if kind == 0:
        w = rng.integers(0, 4, n).astype(float)
    elif kind == 1:
        w = rng.gamma(0.5, size=n) + 1e-3
    elif kind == 2:
        w = np.full(n, 0.1)
    else:
        w = np.where(y == 1, 1.0, 3.7)
    w[:2] += 1
    for label in (0, 1):
        w[np.flatnonzero(y == label)[:2]] += 1
    return w


def _groups(rng: Rng, y: np.ndarray) -> np.ndarray | None:
    return rng.integers(0, max(len(y) // 3, 4), len(y)) if rng.random() < 0.2 else None


def _logarithmic(rng: Rng, low: float, high: float) -> float:
    return float(np.exp(rng.uniform(np.log(low), np.log(high))))


def _amount(rng: Rng, low: float, high: float, ranged: float = 0.5) -> list[float]:
    """A value or a range; of a few digits, or of all that there are."""
    start = _logarithmic(rng, low, high)
    end = start * _logarithmic(rng, 1.01, 100) if rng.random() < ranged else start
    if rng.random() < 0.5:
        start, end = float(f"{start:.2g}"), float(f"{end:.2g}")
    return [start, min(end, 1e6)] if end > start else [start, start]


def _prevalence(rng: Rng) -> list[float]:
    low, high = _amount(rng, 1e-5 if rng.random() < 0.3 else 0.01, 0.9)
    return [low, max(low, min(high, 0.95))]


def _limits(rng: Rng) -> dict[str, float]:
    often = rng.choice([0, 1, 2, 3], p=[0.45, 0.35, 0.12, 0.08])
    return {
        str(name): float(np.round(rng.choice([rng.random(), 0.02, 0.2, 0.9, 0.99, 1.0, 0.0]), 3))
        for name in rng.choice(LIMITS, often, replace=False)
    }


def _baseline(rng: Rng, rows: Rows) -> dict[str, Any] | None:
    if rng.random() < 0.7:
        return None
    model = str(rng.choice(list(rows.scores)))
    s = rows.scores[model].astype(float)
    at = float(rng.choice([rng.choice(s), 0.5, rng.choice(s) * 1.01, float(np.median(s)), 2.0]))
    return {"model": model, "threshold": at}


def random_question(rng: Rng, rows: Rows) -> dict[str, Any]:
    """Costs, prevalence, what is known, limits and a rule in use, each of any kind."""
    wide = rng.random() < 0.3
    low, high = (1e-3, 1e5) if wide else (0.5, 50)
    gains = rng.random() < 0.3
    fp, fn = _amount(rng, low, high, 0.3), _amount(rng, low, high)
    if rng.random() < 0.5:
        fp = [1.0, 1.0]
    least = min(fp[0], fn[0])
    question = {
        "fp_cost": fp,
        "fn_cost": fn,
        "tp_cost": _gain(rng, least) if gains else [0.0, 0.0],
        "tn_cost": _gain(rng, least) if gains and rng.random() < 0.5 else [0.0, 0.0],
        "prevalence": _prevalence(rng),
        "estimated": bool(rng.random() < 0.4),
        "known": list(KNOWN[int(rng.choice(4, p=[0.5, 0.2, 0.15, 0.15]))]),
        "limits": _limits(rng),
        "baseline": _baseline(rng, rows),
    }
    return question if rng.random() < 0.65 else _reviewed(rng, question, least)


def _reviewed(rng: Rng, question: dict[str, Any], least: float) -> dict[str, Any]:
    """The same with a review, which mostly pays, and at times room for some."""
    review = {"cost": _amount(rng, 1e-3 * least, 1.2 * least, 0.3)}
    for name in ("sensitivity", "specificity"):
        ends = np.sort(rng.choice([1.0, 0.95, 0.8, 0.5, 0.0], 2, p=[0.5, 0.2, 0.2, 0.05, 0.05]))
        review[name] = [float(ends[rng.integers(2)]), float(ends[1])]
    limits = dict(question["limits"])
    if rng.random() < 0.4:
        limits["review_capacity"] = float(rng.choice([0.0, 0.05, 0.2, 0.9]))
    return {**question, "review": review, "limits": limits}


def _gain(rng: Rng, least: float) -> list[float]:
    """What a right decision costs or brings; at times more than a wrong one, which is refused."""
    ends = np.sort(rng.choice([-5, -1, -0.1, 0, 0.5, 0.9], 2)) * least
    if rng.random() < 0.05:
        ends = ends + 3 * least
    return [float(ends[0]), float(ends[rng.integers(2)])]


@dataclass(frozen=True, eq=False)
class Scenario:
    """Rows and a question about them."""

    rows: Rows
    question: dict[str, Any]
    level: float = 0.95
    often: int | None = None
    held_out: HeldOut = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "held_out", self.rows.held_out(self.often))

    def __str__(self) -> str:
        return f"{len(self.rows.y)} rows of {self.rows.kinds}, level {self.level}: {self.question}"


def random_scenario(rng: Rng, most: int = 120) -> Scenario:
    """Any rows that can be cut into folds, and any question."""
    while True:
        often = [1, 2, None][int(rng.choice(3, p=[0.4, 0.3, 0.3]))]
        rows = random_rows(rng, most)
        level = float(rng.choice([0.95, 0.8, 0.99], p=[0.7, 0.15, 0.15]))
        question = random_question(rng, rows)
        try:
            return Scenario(rows, question, level, often)
        except cs.errors.CostspaceError:
            continue

"""Prevalence and money of rows without labels, where the assumption holds that is made of them."""

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
from scipy.special import expit

import costspace as cs
from benchmarks.coverage.by_setting import BySetting, Sample, shown, table
from benchmarks.coverage.populations import generator_of
from benchmarks.coverage.study import LEVEL
from benchmarks.tables import Row
from costspace.decision import Rule
from costspace.samples.class_sample import ClassSample
from costspace.watching.mixture_cells import CountedSample
from costspace.watching.mixture_test import mixture_test
from costspace.watching.unlabelled_cells import UnlabelledCells
from costspace.watching.unlabelled_prevalence import CALIBRATION, LABEL_SHIFT

_COSTS = np.array([[0.0, 1.0], [10.0, 0.0]])
# At least so many labelled rows; of label shift such a share of them is positive.
_LABELLED, _BEFORE = 2000, 0.2
# Where only how often scores come has changed: of scores up to the cut so many are left.
_LEFT = 0.4
# Classes that have moved together, by so much of their distance, are no mixture.
_MOVED = 1 / 3
_MANY = 1_000_000

Draw = Callable[[np.ndarray, np.random.Generator], np.ndarray]


def _normal(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.round(expit(1.5 * y - 1 + rng.standard_normal(len(y))), 3)


def _grades(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    return np.floor(np.clip(4 + 2.2 * y + 1.6 * rng.standard_normal(len(y)), 0, 11))


def _skewed(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    n = len(y)
    return np.round(np.where(y == 1, rng.beta(3, 2, n), rng.beta(1, 4, n)), 2)


def _two_kinds(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    n = len(y)
    plain = rng.normal(2.5, 0.7, n)
    positives = np.where(rng.random(n) < 0.35, rng.normal(-0.5, 1, n), plain)
    return np.round(np.where(y == 1, positives, rng.standard_normal(n)), 1)


# Scores with ties that are no probabilities, by class.
KINDS: MappingProxyType[str, Draw] = MappingProxyType(
    {"normal": _normal, "grades": _grades, "skewed": _skewed, "two kinds": _two_kinds}
)


class Unlabelled(NamedTuple):
    """Which scores are drawn, what holds of them, and the share of positives."""

    kind: str
    holds: str
    n: int
    prevalence: float

    def __str__(self) -> str:
        return f"{self.kind}, {self.holds.replace('_', ' ')}"


SETTINGS = (
    *(
        Unlabelled(kind, LABEL_SHIFT, n, prevalence)
        for kind in KINDS
        for n, prevalence in ((200, 0.01), (2000, 0.1), (20_000, 0.5))
    ),
    *(
        Unlabelled(kind, CALIBRATION, n, prevalence)
        for kind in KINDS
        for n, prevalence in ((200, 0.2), (20_000, 0.01))
    ),
)


class _Truth(NamedTuple):
    """A rule, and what is true of the new rows."""

    cut: float
    prevalence: float
    money: float


@cache
def _truth(setting: Unlabelled) -> _Truth:
    """The cut of a rule, the prevalence, and what the rule costs, from very many rows."""
    rng = np.random.default_rng(0)
    classes = [KINDS[setting.kind](np.full(_MANY, one), rng) for one in (0, 1)]
    # Between two scores, so that no rounding matters.
    cut = float(np.quantile(np.concatenate(classes), 0.6)) + 1e-4
    left = [np.ones(_MANY)] * 2
    if setting.holds == CALIBRATION:
        left = [np.where(scores > cut, 1.0, _LEFT) for scores in classes]
    shares = np.array([1 - setting.prevalence, setting.prevalence])
    weights = shares * [one.mean() for one in left]
    wrong = [
        float(own @ (scores > cut if k == 0 else scores <= cut) / own.sum())
        for k, (own, scores) in enumerate(zip(left, classes, strict=True))
    ]
    p = float(weights[1] / weights.sum())
    return _Truth(cut, p, 1000 * ((1 - p) * wrong[0] + p * _COSTS[1, 0] * wrong[1]))


def _drawn(
    kind: str, n: int, prevalence: float, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    y = (rng.random(n) < prevalence).astype(int)
    return y, KINDS[kind](y, rng)


def _moved(setting: Unlabelled, rng: np.random.Generator) -> np.ndarray:
    """New scores where every quantile of a class is nearer to that of the other."""
    classes = np.sort([KINDS[setting.kind](np.full(setting.n, one), rng) for one in (0, 1)])
    nearer = (1 - _MOVED) * classes + _MOVED * classes[::-1]
    y = (rng.random(setting.n) < setting.prevalence).astype(int)
    return nearer[y, rng.integers(0, setting.n, setting.n)]


def _new(setting: Unlabelled, cut: float, rng: np.random.Generator) -> np.ndarray:
    """Scores of the new rows."""
    if setting.holds == LABEL_SHIFT:
        return _drawn(setting.kind, setting.n, setting.prevalence, rng)[1]
    _, scores = _drawn(setting.kind, 4 * setting.n, setting.prevalence, rng)
    return scores[(scores > cut) | (rng.random(len(scores)) < _LEFT)][: setting.n]


def _counted(table: cs.ScoreTable, new: np.ndarray, cut: float) -> UnlabelledCells:
    counting = CountedSample(ClassSample.sort(np.array(new)))
    cells = UnlabelledCells.of(table, counting).cut_at(table, counting, [cut])
    return cells.priced(_COSTS, Rule(cut))


def simulate(setting: Unlabelled, simulation: int) -> Sample:
    """Whether each interval has the truth, and whether the test rejects; NaN for what is not."""
    rng = generator_of(setting, simulation)
    truth, shifted = _truth(setting), setting.holds == LABEL_SHIFT
    rows = max(setting.n, _LABELLED)
    before = _BEFORE if shifted else setting.prevalence
    y, scores = _drawn(setting.kind, rows, before, rng)
    labelled = cs.ScoreTable.from_predictions(y, scores)
    cells = _counted(labelled, _new(setting, truth.cut, rng), truth.cut)
    found = cells.prevalence(setting.holds, LEVEL)
    _, money = cells.under(setting.holds, cells.money_of(Rule(truth.cut)), LEVEL)
    held = [
        float(low <= true <= high)
        for (low, high), true in (
            ((found.low, found.high), truth.prevalence),
            (money, truth.money),
        )
    ]
    if not shifted:
        return (*held, np.nan, np.nan, np.nan)
    moments = cells.moments(LEVEL)
    by_rank = moments is not None and moments.low <= truth.prevalence <= moments.high
    refused = np.nan
    if setting.n == _LABELLED:
        refused = float(_refuses(_counted(labelled, _moved(setting, rng), truth.cut)))
    return (*held, float(by_rank), float(_refuses(cells)), refused)


def _refuses(cells: UnlabelledCells) -> bool:
    return mixture_test(cells.shift.cells, cells.shift.estimate.value).p < 1 - LEVEL


def figures(_: Unlabelled, samples: np.ndarray) -> dict[str, float]:
    """Shares of simulations, in percent."""
    names = ("prevalence_held", "money_held", "moments_held", "rejected", "moved_rejected")
    return {name: 100 * np.mean(own) for name, own in zip(names, samples.T, strict=True)}


def words(rows: Sequence[Row]) -> Iterator[str]:
    yield from table(rows, columns=COLUMNS, first="Scores, and what holds")


COLUMNS = {
    "Prevalence held, %": shown("prevalence_held"),
    "Money held, %": shown("money_held"),
    "By the mean rank, %": shown("moments_held"),
    "Mixture rejected, %": shown("rejected"),
    "Moved together: rejected, %": shown("moved_rejected"),
}

PART = BySetting(
    "Rows without labels",
    "How often the 95 % intervals of `drift_unlabelled` hold the prevalence and what a rule costs, "
    "where the assumption holds that they make; how often the test rejects that new scores are a "
    "mixture of those of both classes, where they are, and where both classes have moved a third "
    f"of their distance towards each other. There are {_LABELLED:,} labelled rows, or as many as "
    "new ones if these are more. The prevalence is that of the new rows under label shift (before "
    f"it was {_BEFORE:g}) and of the labelled ones under calibration. A false positive costs 1, a "
    "false negative 10. Scores have ties, and are no probabilities.",
    2000,
    SETTINGS,
    simulate,
    figures,
    words,
)

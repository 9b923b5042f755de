"""The differences of a comparison that are shown: of the best models from each other one."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from costspace.decision.words import estimate_shown, listed
from costspace.estimates.differences import ModelComparison, ModelDifference, tests_of
from costspace.metrics import LARGER_IS_BETTER


class Unbeaten(NamedTuple):
    """The best models by a metric: of several the first differ by nothing that can be shown."""

    models: tuple[str, ...]
    all_are: bool


def metrics_of(comparison: ModelComparison) -> list[str]:
    """What models are compared by."""
    return list(dict.fromkeys(pair.metric for pair in comparison.pairs))


def best_by(comparison: ModelComparison, metric: str) -> Unbeaten:
    """The models that no other is better than by what the page can show."""
    beaten, models = set(), dict[str, None]()
    for pair in (pair for pair in comparison.pairs if pair.metric == metric):
        models |= {pair.a: None, pair.b: None}
        shown = estimate_shown(pair.difference, pair.low, pair.high)[0]
        if float(shown.replace(",", "")) != 0:
            ahead = (pair.difference > 0) == (metric in LARGER_IS_BETTER)
            beaten.add(pair.b if ahead else pair.a)
    best = tuple(model for model in models if model not in beaten) or tuple(models)
    return Unbeaten(best, len(best) == len(models))


def _turned(pair: ModelDifference, model: str) -> ModelDifference:
    """The difference of a model from another, in that order."""
    if pair.a == model:
        return pair
    low, high = -pair.high, -pair.low
    return replace(pair, a=pair.b, b=pair.a, low=low, high=high, difference=-pair.difference)


class Beside(NamedTuple):
    """A difference of the best models from others that are equal, by their names."""

    pair: ModelDifference
    best: Sequence[str]
    others: Sequence[str]


def rows_of(comparison: ModelComparison) -> list[Beside]:
    """By each metric the best model beside each other; models that are equal are one."""
    found = []
    tests = tests_of(comparison.pairs)
    for metric in metrics_of(comparison):
        models = best_by(comparison, metric).models
        best = min(models)
        rows: dict[tuple[str, str, str], list[ModelDifference]] = {}
        same = {best}
        for pair, test in zip(comparison.pairs, tests, strict=True):
            if pair.metric == metric and best in (pair.a, pair.b):
                row = _turned(pair, best)
                if test is None:
                    same.add(row.b)
                else:
                    rows.setdefault(test, []).append(row)
        for alike in rows.values():
            others = [row.b for row in alike]
            equal = [model for model in models if model in same]
            pair = replace(alike[0], a=listed(equal), b=listed(others))
            found.append(Beside(pair, equal, others))
    return found

"""Which model is best by which numbers, in a sentence or two."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from costspace.cli.evaluation_cells import cell_of
from costspace.cli.lines import shortened
from costspace.decision.words import listed
from costspace.evaluation import Evaluation
from costspace.metrics import LARGER_IS_BETTER

# How long a name is in a sentence.
_NAME = 30
# So many models that share a place are named.
_FEW = 3
_OF_ONE = ("auc", "brier", "h_measure")


def answer_of(evaluation: Evaluation) -> str:
    """Which model is best by each metric and method, or the numbers of the only one."""
    metrics, losses = evaluation.sections().values()
    if len(evaluation.models) == 1:
        return _of_one(evaluation, metrics)
    bounds = list(evaluation.bounds().values()) or [{}, {}]
    by_metric, by_method = (
        _winners(evaluation, *both) for both in zip((metrics, losses), bounds, strict=True)
    )
    exact = not any(bounds)
    if len(by_metric) == 1 and by_metric.keys() == by_method.keys():
        (best,) = by_metric
        some = any(_some(*one) for one in ((by_metric, metrics), (by_method, losses)))
        compared = " compared" if some else ""
        return f"{_named(best, exact=exact)} best by every metric and with every method{compared}."
    told = _told(by_metric, "by", "metric", metrics, exact=exact)
    least = _told(by_method, "with", "method", losses, exact=exact)
    # A model's name stays as it is.
    told = told.replace("one of", "One of", 1) if told.startswith("one of") else told
    return f"{told} By expected loss {least}"


def suited(
    evaluation: Evaluation, quantity: str, values: Sequence[float | None]
) -> list[float | None]:
    """The numbers of models, None for a loss at thresholds that do not suit a model's scores."""
    models = evaluation.models.values()
    return [
        None if quantity in model.off_scale else value
        for model, value in zip(models, values, strict=True)
    ]


def best_of(
    quantity: str, values: Sequence[float | None], bounds: Sequence[Any]
) -> tuple[int, ...]:
    """The places of the best of some numbers: of several where they are equal or bounds overlap."""
    sign = 1 if quantity in LARGER_IS_BETTER else -1
    ends = {
        i: sorted((sign * one.low, sign * one.high)) if one else (sign * value, sign * value)
        for i, (value, one) in enumerate(zip(values, bounds, strict=True))
        if value is not None
    }
    if len(ends) < 2:
        return ()
    surest = max((low for low, _ in ends.values()), default=0.0)
    return tuple(i for i, (_, high) in ends.items() if high >= surest)


def _winners(
    evaluation: Evaluation,
    quantities: Mapping[str, Sequence[float | None]],
    bounds: Mapping[str, Sequence[Any]],
) -> dict[tuple[str, ...], list[str]]:
    """What each model is best by, and several that are equal; who is best by most comes first."""
    names = list(evaluation.models)
    found: dict[tuple[str, ...], list[str]] = {}
    for quantity, values in quantities.items():
        ends = bounds.get(quantity, [None] * len(names))
        best = best_of(quantity, suited(evaluation, quantity, values), ends)
        if best:
            found.setdefault(tuple(names[i] for i in best), []).append(quantity)
    return dict(sorted(found.items(), key=lambda one: -len(one[1])))


def _some(winners: Mapping[tuple[str, ...], Sequence[str]], every: Collection[str]) -> bool:
    """Whether models are compared by some of the quantities only: one has no number of others."""
    return sum(map(len, winners.values())) < len(every)


def _told(
    winners: Mapping[tuple[str, ...], Sequence[str]],
    by: str,
    kind: str,
    every: Collection[str],
    *,
    exact: bool,
) -> str:
    """Who is best by what: most of it is told by the rest."""
    number = sum(map(len, winners.values()))
    compared = f"{kind} compared" if _some(winners, every) else kind
    parts = []
    for best, names in winners.items():
        others = [name for of in winners.values() if of is not names for name in of]
        what = listed(names)
        if len(names) > number / 2:
            what = f"every {compared}{f' but {listed(others)}' if others else ''}"
        parts.append(f"{_named(best, exact=exact)} best {by} {what}")
    return f"{'; '.join(parts)}."


def _named(best: Sequence[str], *, exact: bool) -> str:
    """The models as the subject of a sentence; where numbers are not exact, it may be any."""
    names = [shortened(name, _NAME) for name in best]
    if len(names) == 1:
        return f"{names[0]} is"
    many = f"{len(names)} models"
    if not exact:
        return f"{f'one of {many}' if names[_FEW:] else ' or '.join(names)} is"
    return f"{many if names[_FEW:] else listed(names)} are equally"


def _of_one(evaluation: Evaluation, metrics: Mapping[str, Sequence[float | None]]) -> str:
    """The numbers of the only model that tell most."""
    ((name, model),) = evaluation.models.items()
    ends = model.intervals or model.bounds
    told = []
    for metric in _OF_ONE:
        cell = cell_of(metrics[metric][0], ends.metrics[metric] if ends else None)
        if model.metrics[metric] is not None:
            told.append(f"{metric} {cell.joined}")
    return f"{shortened(name, _NAME)}: {', '.join(told)}."

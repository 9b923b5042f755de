"""Which model is best by which numbers, in a sentence or two."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from costspace.cli.console import printable
from costspace.cli.evaluation_cells import cell_of
from costspace.cli.lines import shortened
from costspace.decision.words import listed
from costspace.evaluation import Evaluation
from costspace.metrics import LARGER_IS_BETTER

# How long a name is in a sentence.
_NAME = 30
# So many models that share a place are named.
_FEW = 3
# Such a part of a number, and so little, is what single precision loses.
_SINGLE, _NOTHING = 1e-6, 1e-8
_OF_ONE = ("auc", "brier", "h_measure")


# What models are best by: one, or several that are equal.
_Winners: TypeAlias = Mapping[tuple[str, ...], Sequence[str]]


class Answer(NamedTuple):
    """A text, and the metrics and methods that it names."""

    text: str
    named: frozenset[str]


def answer_of(evaluation: Evaluation) -> str:
    """Which model is best by each metric and method, or the numbers of the only one."""
    return next(answers_of(evaluation)).text


def answers_of(evaluation: Evaluation) -> Iterator[Answer]:
    """The answer in full, and again with less each time; the last fits any page."""
    metrics, losses = evaluation.sections().values()
    if len(evaluation.models) == 1:
        for most in range(len(_OF_ONE), 0, -1):
            yield _of_one(evaluation, metrics, _OF_ONE[:most])
        return
    bounds = list(evaluation.bounds().values()) or [{}, {}]
    by_metric, by_method = (
        _winners(evaluation, *both) for both in zip((metrics, losses), bounds, strict=True)
    )
    exact = not any(bounds)
    of = (by_metric, metrics), (by_method, losses)
    if len(by_metric) == 1 and by_metric.keys() == by_method.keys():
        (best,) = by_metric
        if exact and len(best) == len(evaluation.models):
            yield _of_equals(best, *of)
        else:
            yield _of_all(best, *of, exact=exact)
        return
    yield _by_name(*of, exact=exact)
    for text in _by_count(*of, exact=exact):
        yield Answer(_begun(text), frozenset())


def _of_all(best: Sequence[str], *of: tuple[_Winners, Collection[str]], exact: bool) -> Answer:
    """One that is best by all that is compared."""
    who, how = _subject(best, exact=exact)
    compared = " compared" if any(_some(*one) for one in of) else ""
    told = f"{who} {how} best by every metric and with every method{compared}."
    return Answer(_begun(told), frozenset())


def _of_equals(models: Sequence[str], *of: tuple[_Winners, Collection[str]]) -> Answer:
    """Models that are all equal by whatever is compared."""
    who, _ = _subject(models, exact=True)
    metrics, methods = (_number(winners) for winners, _ in of)
    compared = " compared" if any(_some(*one) for one in of) else ""
    told = f"{who} are equally good by all {metrics} metrics and with all {methods} methods"
    return Answer(_begun(f"{told}{compared}."), frozenset())


def _by_name(
    metrics: tuple[_Winners, Collection[str]],
    methods: tuple[_Winners, Collection[str]],
    *,
    exact: bool,
) -> Answer:
    """Who is best by which metrics and methods, by their names."""
    told = _told(metrics[0], "by", "metric", metrics[1], exact=exact)
    least = _told(methods[0], "with", "method", methods[1], exact=exact)
    listed_of = (_listed_of(winners).values() for winners in (metrics[0], methods[0]))
    named = (name for found in listed_of for _, names in found for name in names)
    return Answer(f"{_begun(told)} By expected loss {least}", frozenset(named))


def _by_count(*of: tuple[_Winners, Collection[str]], exact: bool) -> Iterator[str]:
    """By how many metrics and methods each is best; of many the first, and then of fewer."""
    parts = _counted(*of, exact=exact)
    if len(parts) <= _FEW:
        yield f"{'; '.join(parts)}."
    for most in range(min(len(parts), _FEW) - 1, 0, -1):
        # Else numbers that do not add up look wrong.
        yield f"{'; '.join(parts[:most])}; others have the rest."
    yield f"{parts[0]}."


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
    surest = max(low for low, _ in ends.values())
    # What single precision loses of scores makes none of two equal models the better one.
    least = surest - max(_SINGLE * abs(surest), _NOTHING)
    return tuple(i for i, (_, high) in ends.items() if high >= least)


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


def _some(winners: _Winners, every: Collection[str]) -> bool:
    """Whether models are compared by some of the quantities only: one has no number of others."""
    return _number(winners) < len(every)


def _number(winners: _Winners) -> int:
    return sum(map(len, winners.values()))


def _listed_of(winners: _Winners) -> dict[tuple[str, ...], tuple[bool, Sequence[str]]]:
    """For each of the best what is listed: for one with most of it, what the others are best by."""
    found: dict[tuple[str, ...], tuple[bool, Sequence[str]]] = {}
    for best, names in winners.items():
        others = [name for of in winners.values() if of is not names for name in of]
        most = len(names) > len(others)
        found[best] = (most, others if most else names)
    return found


def _told(winners: _Winners, by: str, kind: str, every: Collection[str], *, exact: bool) -> str:
    """Who is best by what: most of it is told by the rest."""
    compared = f"{kind} compared" if _some(winners, every) else kind
    parts = []
    for best, (most, names) in _listed_of(winners).items():
        what = listed(names)
        if most:
            what = f"every {compared}{f' but {what}' if names else ''}"
        parts.append(f"{' '.join(_subject(best, exact=exact))} best {by} {what}")
    return f"{'; '.join(parts)}."


def _counted(*of: tuple[_Winners, Collection[str]], exact: bool) -> list[str]:
    """How many metrics and methods each is best by, the one with most first."""
    counts: dict[tuple[str, ...], list[int]] = {}
    for place, (winners, _) in enumerate(of):
        for best, names in winners.items():
            # Many models that are equal are told without names, and so together.
            named = best if len(best) <= _FEW else ()
            counts.setdefault(named, [0] * len(of))[place] += len(names)
    # How many there are in all stands beside the first number of each kind.
    totals = [
        f" of {_number(winners)} {kind}{' compared' if _some(winners, every) else ''}"
        for kind, (winners, every) in zip(("metrics", "methods"), of, strict=True)
    ]
    parts: list[str] = []
    for models, numbers in sorted(counts.items(), key=lambda one: -sum(one[1])):
        who, how = _subject(models, exact=exact)
        # The verb is told once.
        how = how.removeprefix("is").removeprefix("are ") if parts else f"{how} best"
        told = []
        for place, (by, number) in enumerate(zip(("by", "with"), numbers, strict=True)):
            if number:
                told.append(f"{by} {number}{totals[place]}")
                totals[place] = ""
        parts.append(" ".join([who, *how.split(), " and ".join(told)]))
    return parts


def _begun(text: str) -> str:
    """A sentence with its first letter in upper case, unless a model's name is first."""
    for start in ("one of", "several models"):
        if text.startswith(start):
            return text.replace(start, start.capitalize(), 1)
    return text


def _subject(best: Sequence[str], *, exact: bool) -> tuple[str, str]:
    """The models as the subject of a sentence, and its verb; without exact numbers it may be any.

    No names at all are several models.
    """
    among = list(map(printable, best))
    names = [shortened(name, _NAME, among) for name in among]
    if len(names) == 1:
        return names[0], "is"
    many = f"{len(names)} models" if names else "several models"
    few = 0 < len(names) <= _FEW
    if not exact:
        return " or ".join(names) if few else f"one of {many}", "is"
    return listed(names) if few else many, "are equally"


def _of_one(
    evaluation: Evaluation, metrics: Mapping[str, Sequence[float | None]], told: Sequence[str]
) -> Answer:
    """The numbers of the only model that tell most."""
    ((name, model),) = evaluation.models.items()
    ends = model.intervals or model.bounds
    known = [metric for metric in told if model.metrics[metric] is not None]
    cells = [cell_of(metrics[one][0], ends.metrics[one] if ends else None) for one in known]
    numbers = [f"{metric} {cell.joined}" for metric, cell in zip(known, cells, strict=True)]
    return Answer(f"{shortened(printable(name), _NAME)}: {', '.join(numbers)}.", frozenset(known))

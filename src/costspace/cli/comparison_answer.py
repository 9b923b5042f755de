"""Which model is best by the metric that fits what is known, and what the data show of it."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from costspace.cli.comparison_rows import Beside, Unbeaten, best_by, metrics_of, rows_of
from costspace.cli.console import printable
from costspace.cli.fitting_metric import (
    BY_COST,
    FEW,
    Subject,
    clause_of,
    subject_of,
    told_by,
    uses_of,
)
from costspace.cli.lines import shortened
from costspace.decision.words import listed
from costspace.estimates.differences import ModelComparison, ModelDifference

_NOTHING_SHOWN = "The data show no difference: it may be chance."
# How long a model's name is where whole names have no room.
_NAME = 30


def answers_of(comparison: ModelComparison, costs: str) -> Iterator[str]:
    """Who is best, and which of that the data show; again with less each time."""
    best = {metric: best_by(comparison, metric) for metric in metrics_of(comparison)}
    # A metric that some models lack says least of all.
    known = [metric for metric in best if metric not in comparison.notes] or list(best)
    use = next(uses_of(known, costs, prefix=BY_COST), None)
    lead = known[0] if use is None else use.quantity
    clause = lead if use is None else clause_of(use, costs)
    others = [metric for metric in best if metric != lead]
    rows = rows_of(comparison)
    clear = [row.pair for row in rows if comparison.is_clear(row.pair)]
    leading = [row for row in rows if row.pair.metric == lead]
    for first, rest, named in (
        (clause, others, str),
        (clause, others, _short),
        (clause, [], _short),
        (lead, [], _short),
    ):
        named_by = {first: best[lead], **{name: best[name] for name in rest}}
        told = told_by((_subject(one, named), text) for text, one in named_by.items())
        if not clear:
            yield f"{told} {_NOTHING_SHOWN}" if rows else told
            continue
        if rest or not others:
            yield f"{told} {_shown(clear, named)}"
        yield f"{told} {_shown_by(lead, leading, comparison, named)}"


def _short(model: str) -> str:
    return shortened(printable(model), _NAME)


def _subject(unbeaten: Unbeaten, named: Callable[[str], str]) -> Subject:
    return subject_of(list(map(named, unbeaten.models)), all_are=unbeaten.all_are)


def _shown(clear: Iterable[ModelDifference], named: Callable[[str], str]) -> str:
    """Over which models, and by which metrics, the data show an advantage."""
    shown: dict[tuple[str, str], list[str]] = {}
    for row in clear:
        shown.setdefault((row.a, row.b), []).append(row.metric)
    parts = (
        f"of {named(a)} over {named(b)} by {listed(metrics)}" for (a, b), metrics in shown.items()
    )
    return f"Shown by the data: the advantage {'; '.join(parts)}."


def _shown_by(
    metric: str,
    rows: Sequence[Beside],
    comparison: ModelComparison,
    named: Callable[[str], str],
) -> str:
    """Over which models the data show an advantage by one metric, and over which not."""
    shown, unseen = (
        [
            named(model)
            for row in rows
            if comparison.is_clear(row.pair) is clear
            for model in row.others
        ]
        for clear in (True, False)
    )
    if not shown:
        return f"By {metric} the data show no difference: it may be chance."
    others = len(shown) + len(unseen)
    if others > FEW:
        return f"By {metric} the data show an advantage over {len(shown)} of {others} models."
    but = f", not over {listed(unseen)}" if unseen else ""
    return f"By {metric} the data show an advantage over {listed(shown)}{but}."

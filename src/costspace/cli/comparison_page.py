"""A comparison by metrics on one screen: who is best, by how much, and how sure that is."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.console import Console
from rich.table import Table

from costspace.cli.console import say
from costspace.cli.fitted_table import fitted_table
from costspace.cli.lines import LINES, cut, wrapped
from costspace.cli.tables import adjusted_heading, interval_heading
from costspace.decision.words import estimate_shown, listed, p_shown
from costspace.inference.differences import ModelComparison, ModelDifference
from costspace.metrics import LARGER_IS_BETTER

_MOST_ANSWER = 3
# Rows of the table, whatever else there is to say.
_LEAST_ROWS, _LEAST_WITH_BANDS = 6, 3
# Two empty lines, the headings, how many rows there are besides, and where they are.
_AROUND = 5
_LAST = "All pairs, in full precision: --json."


def print_comparison(
    comparison: ModelComparison, console: Console, bands: Sequence[str] = ()
) -> None:
    """Print which model is best by each metric, against which others that is shown, and how.

    Lines on `bands` stand below the table.
    """
    for line in cut(wrapped(_answer(comparison)), _MOST_ANSWER):
        say(console, line, "bold")
    below = [*bands, ""] if bands else []
    told = list(_remarks(comparison))
    if console.is_terminal and any(map(comparison.is_clear, comparison.pairs)):
        told[0] += f" Bold where p is below {1 - comparison.level:.3g}."
    remarks = [line for text in told for line in wrapped(text)]
    rows = _rows(comparison)
    least = min(_LEAST_WITH_BANDS if bands else _LEAST_ROWS, len(rows))
    room = LINES - _MOST_ANSWER - _AROUND - len(below)
    remarks = cut(remarks, max(room - least, 1))
    shown = rows[: max(room - len(remarks), least)]
    console.print()
    console.print(_table(comparison, shown))
    if rows[len(shown) :]:
        say(console, f"and {len(rows) - len(shown)} more: --json has all pairs", "dim")
    console.print()
    for line in below:
        say(console, line)
    for line in (*remarks, _LAST):
        say(console, line, "dim")


def _answer(comparison: ModelComparison) -> str:
    """Who is best by which metrics, and which of that the data show."""
    best: dict[str, list[str]] = {}
    for metric in _metrics(comparison):
        best.setdefault(_best(comparison, metric), []).append(metric)
    if len(best) == 1:
        (model,) = best
        by = _all_of(best[model])
        told = f"{model} is best by {by}."
    else:
        told = "; ".join(f"{model} is best by {listed(by)}" for model, by in best.items()) + "."
    shown: dict[tuple[str, str], list[str]] = {}
    for model, metrics in best.items():
        for metric in metrics:
            for pair in _against(comparison, metric, model):
                if comparison.is_clear(pair):
                    other = pair.b if pair.a == model else pair.a
                    shown.setdefault((model, other), []).append(metric)
    if not shown:
        return f"{told} The data show no difference: it may be chance."
    parts = [f"of {model} over {other} by {listed(by)}" for (model, other), by in shown.items()]
    return f"{told} Shown by the data: the advantage {'; '.join(parts)}."


def _all_of(metrics: Sequence[str]) -> str:
    if len(metrics) == 1:
        return metrics[0]
    return f"{'both' if len(metrics) == 2 else f'all {len(metrics)}'} metrics compared"


def _metrics(comparison: ModelComparison) -> list[str]:
    return list(dict.fromkeys(pair.metric for pair in comparison.pairs))


def _best(comparison: ModelComparison, metric: str) -> str:
    """The model that no other is better than, the first of several."""
    beaten, models = set(), dict[str, None]()
    for pair in (pair for pair in comparison.pairs if pair.metric == metric):
        models |= {pair.a: None, pair.b: None}
        ahead = pair.difference if metric in LARGER_IS_BETTER else -pair.difference
        if ahead != 0:
            beaten.add(pair.b if ahead > 0 else pair.a)
    return next((model for model in models if model not in beaten), next(iter(models)))


def _against(comparison: ModelComparison, metric: str, model: str) -> list[ModelDifference]:
    """The comparisons of one model with others."""
    return [
        pair for pair in comparison.pairs if pair.metric == metric and model in (pair.a, pair.b)
    ]


def _turned(pair: ModelDifference, model: str) -> ModelDifference:
    """The difference of a model from another, in that order."""
    if pair.a == model:
        return pair
    low, high = -pair.high, -pair.low
    return replace(pair, a=pair.b, b=pair.a, low=low, high=high, difference=-pair.difference)


def _rows(comparison: ModelComparison) -> list[ModelDifference]:
    """By each metric the best model beside each other."""
    found = []
    for metric in _metrics(comparison):
        best = _best(comparison, metric)
        found += [_turned(pair, best) for pair in _against(comparison, metric, best)]
    return found


def _table(comparison: ModelComparison, rows: Sequence[ModelDifference]) -> Table:
    """Differences, with names of metrics and models as long as there is room for."""
    adjusted = adjusted_heading(comparison.correction)
    columns = {
        "difference": [estimate_shown(r.difference, r.low, r.high)[0] for r in rows],
        interval_heading(comparison.level): [
            estimate_shown(r.difference, r.low, r.high)[1] for r in rows
        ],
        adjusted: [p_shown(r.p_adjusted) for r in rows],
    }
    several = len({row.a for row in rows}) > 1
    names = {
        "metric": [row.metric for row in rows],
        **({"best": [row.a for row in rows]} if several else {}),
        "against": [row.b for row in rows],
    }
    return fitted_table(
        names, columns, ["bold" if comparison.is_clear(row) else "" for row in rows]
    )


def _remarks(comparison: ModelComparison) -> Iterator[str]:
    """How to read the table, and what it rests on."""
    pairs, metrics = comparison.pairs, _metrics(comparison)
    larger = [name for name in metrics if name in LARGER_IS_BETTER]
    better = f"larger is better for {listed(larger)}" if larger else "smaller is better"
    mixed = ", else smaller" if 0 < len(larger) < len(metrics) else ""
    yield f"Difference: the best model minus the other; {better}{mixed}."
    several = f"; p allows for {len(pairs)} comparisons" if comparison.correction else ""
    rows = "scored by all models" if comparison.paired else "of independent samples"
    yield f"{comparison.n} rows, {rows}{several if len(pairs) > 1 else ''}."
    biased = [m for m in metrics if any(_biased(pair) for pair in pairs if pair.metric == m)]
    if biased:
        yield f"Corrected for optimism, as thresholds are chosen on the rows: {listed(biased)}."
    if any(pair.method == "unseen" for pair in pairs):
        yield "Where no row tells two models apart, the interval is what may go unseen."
    yield from comparison.remarks()


def _biased(pair: ModelDifference) -> bool:
    return round(pair.bias, 6) != 0

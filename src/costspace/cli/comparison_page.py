"""A comparison by metrics on one screen: who is best, by how much, and how sure that is."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from costspace.cli.console import printable, say
from costspace.cli.lines import LINES, WIDTH, cut, shortened, wrapped
from costspace.cli.tables import interval_heading
from costspace.decision.words import estimate_shown, listed, p_shown
from costspace.inference.differences import ModelComparison, ModelDifference
from costspace.metrics import LARGER_IS_BETTER

_MOST_ANSWER = 3
# Rows of the table, whatever else there is to say, and columns of a name.
_LEAST_ROWS, _SHORTEST_NAME = 6, 8
_LAST = "All pairs, in full precision: --json."


def print_comparison(comparison: ModelComparison, console: Console) -> None:
    """Print which model is best by each metric, against which others that is shown, and how."""
    for line in cut(wrapped(_answer(comparison)), _MOST_ANSWER):
        say(console, line, "bold")
    foot = [line for text in _remarks(comparison) for line in wrapped(text)]
    rows = _rows(comparison)
    room = max(LINES - _MOST_ANSWER - 4 - len(foot), _LEAST_ROWS)
    console.print()
    console.print(_table(comparison, rows[:room]))
    if rows[room:]:
        say(console, f"and {len(rows) - room} more: --json has all pairs", "dim")
    console.print()
    if console.is_terminal and any(map(comparison.is_clear, rows)):
        say(console, f"Bold where p is below {1 - comparison.level:g}.", "dim")
    for line in foot:
        say(console, line, "dim")


def _answer(comparison: ModelComparison) -> str:
    """Who is best by which metrics, and which of that the data show."""
    best: dict[str, list[str]] = {}
    for metric in _metrics(comparison):
        best.setdefault(_best(comparison, metric), []).append(metric)
    if len(best) == 1:
        (model,) = best
        by = "every metric" if len(best[model]) > 1 else best[model][0]
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
    adjusted = f"p, {comparison.correction}" if comparison.correction else "p"
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
        **({"best": [printable(row.a) for row in rows]} if several else {}),
        "against": [printable(row.b) for row in rows],
    }
    taken = sum(2 + max(map(cell_len, (head, *cells))) for head, cells in columns.items())
    room = max((WIDTH + 2 - taken) // len(names) - 2, _SHORTEST_NAME)
    table = Table(box=None, pad_edge=False)
    for heading in names:
        table.add_column(heading, no_wrap=True)
    for heading in columns:
        table.add_column(heading, justify="right", no_wrap=True)
    shown = [[shortened(name, room) for name in column] for column in names.values()]
    for row, *cells in zip(rows, *shown, *columns.values(), strict=True):
        style = "bold" if comparison.is_clear(row) else ""
        table.add_row(*(Text(cell, style) for cell in cells))
    return table


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
    yield _LAST


def _biased(pair: ModelDifference) -> bool:
    return round(pair.bias, 6) != 0

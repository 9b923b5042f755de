"""A comparison by metrics on one screen: who is best, by how much, and how sure that is."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rich.console import Console
from rich.table import Table

from costspace.cli.console import printable, say
from costspace.cli.fitted_table import fitted_table
from costspace.cli.lines import LINES, each_wrapped, first_fitting, fitting, shortened
from costspace.cli.tables import adjusted_heading, interval_heading
from costspace.decision.words import estimate_shown, listed, p_shown
from costspace.estimates.differences import ModelComparison, ModelDifference, tests_of
from costspace.metrics import LARGER_IS_BETTER

_MOST_ANSWER = 3
# Rows of the table, whatever else there is to say.
_LEAST_ROWS, _LEAST_WITH_BANDS = 6, 3
# Two empty lines, the headings, how many rows there are besides, and where they are.
_AROUND = 5
_NOTHING_SHOWN = "The data show no difference: it may be chance."
_LAST = "All pairs, in full precision: --json."
_LAST_OF_FEWER = "All pairs and notes, in full precision: --json."
# How long a model's name is where whole names have no room, and how many are named at most.
_NAME, _FEW = 30, 3


def print_comparison(
    comparison: ModelComparison, console: Console, bands: Sequence[str] = ()
) -> None:
    """Print which model is best by each metric, against which others that is shown, and how.

    Lines on `bands` stand below the table.
    """
    say(console, *first_fitting(_answers(comparison), _MOST_ANSWER), style="bold")
    below = [*bands, ""] if bands else []
    told = list(_remarks(comparison))
    if console.is_terminal and any(map(comparison.is_clear, comparison.pairs)):
        told[0] += f" Bold where p is below {1 - comparison.level:.3g}."
    rows = _rows(comparison)
    least = min(_LEAST_WITH_BANDS if bands else _LEAST_ROWS, len(rows))
    room = LINES - _MOST_ANSWER - _AROUND - len(below)
    fit = fitting(told, max(room - least, 1))
    remarks = each_wrapped(fit)
    most = max(room - len(remarks), least)
    # A line that says that one is left out takes as much room as that.
    shown = rows if len(rows) == most + 1 else rows[:most]
    if rows:
        console.print()
        console.print(_table(comparison, shown))
    if rows[len(shown) :]:
        say(console, f"and {len(rows) - len(shown)} more: --json has all pairs", style="dim")
    console.print()
    say(console, *below)
    say(console, *remarks, _LAST if fit == told else _LAST_OF_FEWER, style="dim")


def _answers(comparison: ModelComparison) -> Iterator[str]:
    """Who is best by which metrics, and which of that the data show; again with less each time."""
    best: dict[_Unbeaten, list[str]] = {}
    for metric in _metrics(comparison):
        best.setdefault(_best(comparison, metric), []).append(metric)
    rows = _rows(comparison)
    clear = [row.pair for row in rows if comparison.is_clear(row.pair)]
    nothing = f" {_NOTHING_SHOWN}" if rows else ""
    for named, by in ((str, listed), (_short, listed), (_short, _number_of)):
        shown = f" {_shown(clear, named, by)}" if clear else nothing
        yield f"{_by_name(best, named)}{shown}"
    number = f" The data show {len(clear)} of {len(rows)} differences from other models."
    for told in (_by_name(best, _short), *_by_count(best)):
        yield f"{told}{number if clear else nothing}"


def _short(model: str) -> str:
    return shortened(printable(model), _NAME)


class _Unbeaten(NamedTuple):
    """The best models by a metric: of several the first differ by nothing that can be shown."""

    models: tuple[str, ...]
    all_are: bool

    def told(self, named: Callable[[str], str] = str) -> tuple[str, str]:
        """The subject of a sentence, and its verb."""
        names = [named(model) for model in self.models]
        if len(names) == 1:
            return names[0], "is best"
        who = listed(names) if len(names) <= _FEW else f"{len(names)} models"
        return who, f"are equally {'good' if self.all_are else 'best'}"


def _by_name(best: Mapping[_Unbeaten, Sequence[str]], named: Callable[[str], str]) -> str:
    """Who is best by which metrics."""
    if len(best) == 1:
        ((models, metrics),) = best.items()
        return f"{' '.join(models.told(named))} by {_all_of(metrics)}."
    parts = (f"{' '.join(models.told(named))} by {listed(by)}" for models, by in best.items())
    return f"{'; '.join(parts)}."


def _by_count(best: Mapping[_Unbeaten, Sequence[str]]) -> Iterator[str]:
    """By how many metrics the first models are best; again with fewer models."""
    several = sum(map(len, best.values()))
    (first, metrics), *others = sorted(best.items(), key=lambda one: -len(one[1]))
    told = f"{' '.join(first.told(_short))} by {len(metrics)} of {several} metrics compared"
    parts = [told, *(f"{models.told(_short)[0]} by {len(by)}" for models, by in others)]
    for most in range(min(len(parts), _FEW), 0, -1):
        rest = "; others have the rest" if parts[most:] else ""
        yield f"{'; '.join(parts[:most])}{rest}."


def _shown(
    clear: Iterable[ModelDifference],
    named: Callable[[str], str],
    by: Callable[[Sequence[str]], str],
) -> str:
    """Over which models, and by which metrics, the data show an advantage."""
    shown: dict[tuple[str, str], list[str]] = {}
    for row in clear:
        shown.setdefault((row.a, row.b), []).append(row.metric)
    parts = [f"of {named(a)} over {named(b)} by {by(metrics)}" for (a, b), metrics in shown.items()]
    return f"Shown by the data: the advantage {'; '.join(parts)}."


def _number_of(metrics: Sequence[str]) -> str:
    return metrics[0] if len(metrics) == 1 else f"{len(metrics)} metrics"


def _all_of(metrics: Sequence[str]) -> str:
    if len(metrics) == 1:
        return metrics[0]
    return f"{'both' if len(metrics) == 2 else f'all {len(metrics)}'} metrics compared"


def _metrics(comparison: ModelComparison) -> list[str]:
    return list(dict.fromkeys(pair.metric for pair in comparison.pairs))


def _best(comparison: ModelComparison, metric: str) -> _Unbeaten:
    """The models that no other is better than by what the page can show."""
    beaten, models = set(), dict[str, None]()
    for pair in (pair for pair in comparison.pairs if pair.metric == metric):
        models |= {pair.a: None, pair.b: None}
        shown = estimate_shown(pair.difference, pair.low, pair.high)[0]
        if float(shown.replace(",", "")) != 0:
            ahead = (pair.difference > 0) == (metric in LARGER_IS_BETTER)
            beaten.add(pair.b if ahead else pair.a)
    best = tuple(model for model in models if model not in beaten) or tuple(models)
    return _Unbeaten(best, len(best) == len(models))


def _turned(pair: ModelDifference, model: str) -> ModelDifference:
    """The difference of a model from another, in that order."""
    if pair.a == model:
        return pair
    low, high = -pair.high, -pair.low
    return replace(pair, a=pair.b, b=pair.a, low=low, high=high, difference=-pair.difference)


class _Beside(NamedTuple):
    """A difference of the best models from others that are equal, by their names."""

    pair: ModelDifference
    best: Sequence[str]
    others: Sequence[str]


def _rows(comparison: ModelComparison) -> list[_Beside]:
    """By each metric the best model beside each other; models that are equal are one."""
    found = []
    tests = tests_of(comparison.pairs)
    for metric in _metrics(comparison):
        models = _best(comparison, metric).models
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
            found.append(_Beside(pair, equal, others))
    return found


def _table(comparison: ModelComparison, shown: Sequence[_Beside]) -> Table:
    """Differences, with names of metrics and models as long as there is room for."""
    adjusted, rows = adjusted_heading(comparison.correction), [row.pair for row in shown]
    columns = {
        "difference": [estimate_shown(r.difference, r.low, r.high)[0] for r in rows],
        interval_heading(comparison.level): [
            estimate_shown(r.difference, r.low, r.high)[1] for r in rows
        ],
        adjusted: [p_shown(r.p_adjusted) for r in rows],
    }
    several = len({row.a for row in rows}) > 1
    names: dict[str, Sequence[str | Sequence[str]]] = {
        **({"best": [row.best for row in shown]} if several else {}),
        "against": [row.others for row in shown],
    }
    return fitted_table(
        names,
        columns,
        ["bold" if comparison.is_clear(row) else "" for row in rows],
        first={"metric": [row.metric for row in rows]},
    )


def _remarks(comparison: ModelComparison) -> Iterator[str]:
    """How to read the table, and what it rests on."""
    pairs, metrics = comparison.pairs, _metrics(comparison)
    larger = [name for name in metrics if name in LARGER_IS_BETTER]
    better = f"larger is better for {listed(larger)}" if larger else "smaller is better"
    mixed = ", else smaller" if 0 < len(larger) < len(metrics) else ""
    if _rows(comparison):
        yield f"Difference: the best model minus the other; {better}{mixed}."
    family = len({*tests_of(pairs)} - {None})
    several = f"; p allows for {family} comparisons" if comparison.correction else ""
    rows = "scored by all models" if comparison.paired else "of independent samples"
    yield f"{comparison.n} rows, {rows}{several if family > 1 else ''}."
    yield from comparison.remarks()
    biased = [m for m in metrics if any(round(p.bias, 6) for p in pairs if p.metric == m)]
    if biased:
        yield f"Corrected for optimism, as thresholds are chosen on the rows: {listed(biased)}."
    if any(row.pair.method == "unseen" for row in _rows(comparison)):
        yield "Where no row tells two models apart, the interval is what may go unseen."

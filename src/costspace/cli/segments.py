"""How segments are printed: a line each, and why some have no numbers."""

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

from rich.console import Console

from costspace.cli.console import printable, say, title
from costspace.cli.evaluating import SegmentEvaluation
from costspace.cli.evaluation_cells import cell_of
from costspace.cli.evaluation_page import foot_lines
from costspace.cli.fitted_table import SHORTEST, fitted_table, room_for
from costspace.cli.lines import LINES, each_wrapped, fitting, shortened, wrapped
from costspace.cli.tables import NONE
from costspace.decision.words import alone_shown
from costspace.evaluation import Evaluation

_METRICS = ("auc", "brier", "h_measure")
_MOST_NAMED, _MOST_REASONS = 3, 3
# Columns that make room for names, the first first, and how long a name is in a sentence.
_SPARED, _NAME = ("h_measure", "brier", "prevalence"), 30


# By heading, what stands in each line.
_Columns: TypeAlias = dict[str, list[str]]


class _Line(NamedTuple):
    """A row of the table: names, a model, and numbers by column."""

    names: list[str]
    numbers: dict[str, str]


def print_segments(
    segments: Sequence[SegmentEvaluation], overall: Evaluation, axis: str, console: Console
) -> None:
    """Print how the numbers that tell most differ between segments."""
    answer = wrapped(_answer(segments))
    say(console, *answer, style="bold")
    console.print()
    reasons = each_wrapped(fitting(_reasons(segments), _MOST_REASONS))
    # How many lines have room depends on the longest that the foot may be.
    foot = foot_lines(overall, [], _METRICS, headed=False, tested=False)
    lines = [*_lines("all", overall, axis, len(segments[0].by)), *_all_lines(segments, axis)]
    room = LINES - len([*answer, *reasons, *foot]) - 4
    names, numbers = _columns(segments, lines[:room])
    console.print(fitted_table(names, numbers))
    if lines[room:]:
        left = len(lines) - room
        say(console, f"and {left} more line{'' if left == 1 else 's'}: --details", style="dim")
    console.print()
    foot = foot_lines(overall, [], numbers, headed=False, tested=False)
    say(console, *reasons, *foot, style="dim")


def print_segment_details(
    segments: Sequence[SegmentEvaluation], axis: str, console: Console
) -> None:
    """Print every segment, and why some have no numbers."""
    title(console, f"segments by {', '.join(segments[0].by)}")
    console.print(fitted_table(*_columns(segments, _all_lines(segments, axis)), whole=True))
    refused = [segment for segment in segments if segment.reason is not None]
    if refused:
        console.print()
    for segment in refused:
        say(console, *wrapped(f"{_at(segment)}: {segment.reason}"))


def _answer(segments: Sequence[SegmentEvaluation]) -> str:
    """Where models rank best and worst, by AUC, or who ranks best in how many segments."""
    found = {_at(one): one.evaluation for one in segments if one.evaluation is not None}
    by = shortened(", ".join(segments[0].by), _NAME)
    if not found:
        return f"No segment by {by} can be evaluated."
    of = f"{len(found)} of {len(segments)} segments by {by}"
    models = list(next(iter(found.values())).models)
    aucs = {
        at: [one.models[name].metrics["auc"] or 0.0 for name in models] for at, one in found.items()
    }
    if len(models) > 1:
        wins = [0] * len(models)
        for values in aucs.values():
            wins[values.index(max(values))] += 1
        order = sorted(range(len(models)), key=lambda i: -wins[i])
        told = [f"{shortened(models[i], _NAME)} in {wins[i]}" for i in order if wins[i]]
        if len(told) > _MOST_NAMED:
            rest = sum(wins[i] for i in order[_MOST_NAMED:])
            told = [*told[:_MOST_NAMED], f"others in {rest}"]
        return f"Best by AUC, in {of}: {', '.join(told)}."
    low, high = (pick(aucs, key=lambda at: aucs[at]) for pick in (min, max))
    ends = [f"{cell_of(aucs[at][0], None).number} ({shortened(at, _NAME)})" for at in (low, high)]
    return f"The AUC of {shortened(models[0], _NAME)} is from {' to '.join(ends)}, in {of}."


def _reasons(segments: Sequence[SegmentEvaluation]) -> list[str]:
    """Why some segments have no numbers, once for each reason."""
    found: dict[str, list[str]] = {}
    for segment in segments:
        if segment.reason is not None:
            found.setdefault(segment.reason, []).append(shortened(_at(segment), _NAME))
    return [
        f"{names[0]}{f' and {len(names) - 1} more' if names[1:] else ''}: {reason}"
        for reason, names in found.items()
    ]


def _all_lines(segments: Sequence[SegmentEvaluation], axis: str) -> list[_Line]:
    lines = []
    for segment in segments:
        names = [_named(value) for value in segment.by.values()]
        if segment.evaluation is None:
            rows = NONE if segment.source is None else f"{segment.source.rows:,}"
            lines.append(_Line([*names, NONE], {"rows": rows}))
        else:
            lines += [
                line._replace(names=[*names, line.names[-1]])
                for line in _lines("", segment.evaluation, axis, len(names))
            ]
    return lines


def _lines(name: str, evaluation: Evaluation, axis: str, columns: int) -> list[_Line]:
    """For each model its numbers; the `name` stands in the columns that segments have."""
    lines = []
    for model, found in evaluation.models.items():
        ends = found.intervals or found.bounds
        values = {metric: found.metrics[metric] for metric in _METRICS}
        values["optimal loss"] = found.expected_loss[axis]["optimal"]
        numbers = {
            "rows": f"{evaluation.source.rows:,}",
            "prevalence": alone_shown(evaluation.condition.prevalence),
            **{what: cell_of(value, None).number for what, value in values.items()},
            "auc": cell_of(values["auc"], ends.metrics["auc"] if ends else None).joined,
        }
        lines.append(_Line([*[name] * columns, printable(model)], numbers))
    return lines


def _columns(
    segments: Sequence[SegmentEvaluation], lines: Sequence[_Line]
) -> tuple[_Columns, _Columns]:
    """Columns of names and of numbers, without some numbers where they leave names no room."""
    headings = [*map(printable, segments[0].by), "model"]
    names = {heading: [line.names[i] for line in lines] for i, heading in enumerate(headings)}
    numbers = {
        what: [line.numbers.get(what, NONE) for line in lines]
        for what in ("rows", "prevalence", *_METRICS, "optimal loss")
    }
    for spared in _SPARED:
        if room_for(names, numbers) < SHORTEST:
            del numbers[spared]
    return names, numbers


def _at(segment: SegmentEvaluation) -> str:
    return ", ".join(f"{name} {_named(value)}" for name, value in segment.by.items())


def _named(value: Any) -> str:
    """The value of a column that names segments, as tables show it."""
    return "(none)" if value is None else printable(str(value))

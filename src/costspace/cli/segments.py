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
from costspace.decision.words import alone_shown, listed
from costspace.evaluation import Evaluation
from costspace.evaluation.records import ModelEvaluation
from costspace.names import MISSING

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
    """Print the numbers that tell most of segments, those with most rows first."""
    answer = wrapped(_answer(segments, overall, axis))
    segments = _most_first(segments)
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
    segments = _most_first(segments)
    console.print(fitted_table(*_columns(segments, _all_lines(segments, axis)), whole=True))
    refused = [segment for segment in segments if segment.reason is not None]
    if refused:
        console.print()
    for segment in refused:
        say(console, *wrapped(f"{_at(segment)}: {segment.reason}"))


def _most_first(segments: Sequence[SegmentEvaluation]) -> list[SegmentEvaluation]:
    """The segments by how many rows they have, those without numbers last."""
    return sorted(segments, key=lambda one: (one.evaluation is None, -_rows(one)))


def _rows(segment: SegmentEvaluation) -> int:
    return (segment.source and segment.source.rows) or 0


def _answer(segments: Sequence[SegmentEvaluation], overall: Evaluation, axis: str) -> str:
    """What is found where most rows are, or with how many of them each model ranks best."""
    found = [one for one in _most_first(segments) if one.evaluation is not None]
    by = shortened(", ".join(segments[0].by), _NAME)
    if not found:
        return f"No segment by {by} can be evaluated."
    if len(overall.models) > 1:
        return _best(found, list(overall.models), sum(map(_rows, segments)), by)
    ((model, whole),) = overall.models.items()
    first = found[:_MOST_NAMED]
    losses = [_loss(one, model, axis) * _rows(one) for one in found]
    of_rows = sum(map(_rows, first)) / sum(map(_rows, segments))
    of_loss = sum(losses[: len(first)]) / sum(losses) if sum(losses) > 0 else 0.0
    aucs = [_auc(one.evaluation.models[model]) for one in first if one.evaluation is not None]
    who = shortened(printable(model), _NAME)
    names = listed([shortened(" ".join(map(_named, one.by.values())), _NAME) for one in first])
    have = "has" if len(first) == 1 else "have"
    return (
        f"By {by}, {names} {have} {_percent(of_rows)} of the rows and {_percent(of_loss)} of the "
        f"optimal loss: the AUC of {who} is {listed(aucs)} there, and "
        f"{_auc(whole)} in all rows."
    )


def _best(found: Sequence[SegmentEvaluation], models: Sequence[str], rows: int, by: str) -> str:
    """In segments with how many of the rows each model ranks best."""
    won: dict[str, list[int]] = {model: [] for model in models}
    for one in found:
        if one.evaluation is not None:
            of_models = one.evaluation.models
            best = max(models, key=lambda name: of_models[name].metrics["auc"] or 0.0)
            won[best].append(_rows(one))
    order = sorted(filter(won.get, models), key=lambda name: -sum(won[name]))
    told = [
        f"{shortened(printable(name), _NAME)} where {_percent(sum(won[name]) / rows)} of the rows "
        f"are (in {len(won[name])})"
        for name in order[:_MOST_NAMED]
    ]
    rest = [len(won[name]) for name in order[_MOST_NAMED:]]
    others = [f"others in {sum(rest)}"] if rest else []
    return f"Best by AUC, in {len(found)} segments by {by}: {', '.join([*told, *others])}."


def _auc(model: ModelEvaluation) -> str:
    ends = model.intervals or model.bounds
    return cell_of(model.metrics["auc"], ends.metrics["auc"] if ends else None).joined


def _loss(segment: SegmentEvaluation, model: str, axis: str) -> float:
    """The optimal loss of a model in a segment."""
    if segment.evaluation is None:
        return 0.0
    return segment.evaluation.models[model].expected_loss[axis]["optimal"] or 0.0


def _percent(share: float) -> str:
    return f"{alone_shown(100 * share)} %"


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
        values = {metric: found.metrics[metric] for metric in _METRICS}
        values["optimal loss"] = found.expected_loss[axis]["optimal"]
        numbers = {
            "rows": f"{evaluation.source.rows:,}",
            "prevalence": alone_shown(evaluation.condition.prevalence),
            **{what: cell_of(value, None).number for what, value in values.items()},
            "auc": _auc(found),
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
    return MISSING if value is None else printable(str(value))

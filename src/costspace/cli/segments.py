"""How segments are printed: a line each, and why some have no numbers."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.text import Text

from costspace.cli.console import printable, say, title
from costspace.cli.evaluating import SegmentEvaluation
from costspace.cli.tables import NONE, table_of
from costspace.evaluation.reports import shown

_METRICS = ("auc", "brier", "h_measure")


def print_segments(segments: Sequence[SegmentEvaluation], axis: str, console: Console) -> None:
    """Print for each segment and model how many rows there are, and the numbers that tell most."""
    names = list(segments[0].by)
    table = table_of((*names, "model"), ("rows", "prevalence", *_METRICS, f"optimal, {axis} axis"))
    for segment in segments:
        values = [_named(value) for value in segment.by.values()]
        for model, *cells in _lines(segment, axis):
            rows = NONE if segment.source is None else str(segment.source.rows)
            table.add_row(*map(Text, (*values, model, rows, *cells)))
    title(console, f"segments by {', '.join(names)}")
    console.print(table)
    refused = [segment for segment in segments if segment.reason is not None]
    if refused:
        console.print()
    for segment in refused:
        at = ", ".join(f"{name} {_named(value)}" for name, value in segment.by.items())
        say(console, f"{at}: {segment.reason}")


def _lines(segment: SegmentEvaluation, axis: str) -> list[list[str]]:
    """For each model its name and its numbers, one line without any if there are none."""
    evaluation = segment.evaluation
    if evaluation is None:
        return [[NONE] * (len(_METRICS) + 3)]
    lines = []
    for name, model in evaluation.models.items():
        numbers = [*(model.metrics[m] for m in _METRICS), model.expected_loss[axis]["optimal"]]
        prevalence = f"{evaluation.condition.prevalence:.6g}"
        lines.append([printable(name), prevalence, *map(shown, numbers)])
    return lines


def _named(value: Any) -> str:
    """The value of a column that names segments, as tables show it."""
    return "(none)" if value is None else printable(str(value))

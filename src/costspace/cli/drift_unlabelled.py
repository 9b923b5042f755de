"""`costspace drift --unlabelled`: prevalence and money of rows whose labels have not come."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from rich.console import Console

from costspace.cli.answer import GateOptions, give
from costspace.cli.console import Step, printable, progress, say
from costspace.cli.lines import LINES, each_wrapped, fitting, paragraph, shortened
from costspace.cli.options import AskedColumns, refuse_of_rows
from costspace.cli.periods import of_model
from costspace.cli.tables import interval_heading, table_of
from costspace.decision.words import amount_shown, p_shown
from costspace.errors import ConditionError, CostspaceError
from costspace.frames.files import read_segments
from costspace.frames.storage import chosen, counted_of, load_table
from costspace.frames.unlabelled_scores import open_unlabelled
from costspace.samples.rows import ScoredRows
from costspace.summaries.counts import ScoreCounts
from costspace.watching.unlabelled import found_without_labels, labelled_table
from costspace.watching.unlabelled_drift import UnlabelledDrift

_MOST_ANSWER, _MOST_NOTES, _NAME, _EMPTY = 9, 5, 24, 2
_LATE = (
    "The first file must be of days whose labels are complete: a row whose label is late is no "
    "negative."
)
_MORE = "Full precision, the rules and their savings: --json."


def answer_unlabelled(
    before: Path,
    after: Path,
    columns: AskedColumns,
    known: Mapping[str, Any],
    *,
    level: float,
    gate: GateOptions,
    json: bool,
    output: Path | None,
) -> int:
    """The answer of `costspace drift` about a file without labels, and its exit status."""
    decision = known.get("decision")
    costs = {name: cost for name, cost in known.items() if name != "decision"}
    found: dict[str, UnlabelledDrift] = {}
    with progress() as step:
        for name, source in _labelled(before, columns, step).items():
            try:
                with open_unlabelled(after, name, step(f"counting {name}", 1)) as new:
                    found[name] = found_without_labels(
                        source,
                        labelled_table(source),
                        *new,
                        known=costs,
                        decision=decision,
                        level=level,
                    )
            except CostspaceError as error:
                raise type(error)(f"{name}: {error}") from None
    plain = partial(_plain, before, after, found)
    shown = partial(print_unlabelled, found)
    return give(plain, shown, gate, json=json, output=output)


def refuse_with_unlabelled(given: Mapping[str, object]) -> None:
    """`ConditionError` if anything is given that needs labels of both files."""
    asked = [name for name, value in given.items() if value]
    if asked:
        raise ConditionError(
            f"{', '.join(asked)} needs labels in both files: leave out --unlabelled, or that."
        )


def _labelled(
    before: Path, columns: AskedColumns, step: Step
) -> Mapping[str, ScoreCounts | ScoredRows]:
    """The labelled scores of each model."""
    if columns.label is None:
        refuse_of_rows(columns.of_rows_only())
        counted = counted_of(load_table(before), before)
        return chosen(counted, columns.score or list(counted), before)
    own = columns.of_rows(before)
    rows = read_segments(before, own, progress=step(f"reading {before.name}", 1)).rows
    return {name: of_model(rows, name) for name in rows.scores}


def _plain(before: Path, after: Path, found: Mapping[str, UnlabelledDrift]) -> dict[str, Any]:
    first = next(iter(found.values()))
    return {
        "source": {
            "before": {"path": str(before), "rows": first.n_before},
            "after": {"path": str(after), "rows": first.n_after},
        },
        "level": first.level,
        "models": {name: one.to_dict() for name, one in found.items()},
    }


def print_unlabelled(found: Mapping[str, UnlabelledDrift], console: Console) -> None:
    """Print what to make of it, the numbers, and what they rest on."""
    first = next(iter(found.values()))
    remarks = dict.fromkeys(told for one in found.values() for told in one.remarks())
    foot = [
        f"{first.n_before:,} rows with labels, {first.n_after:,} without.",
        *remarks,
        _LATE,
        _MORE,
    ]
    foot = paragraph(foot, _MOST_NOTES)
    if len(found) == 1:
        answer = paragraph(first.sentences(), _MOST_ANSWER)
        table = table_of([""], ["", interval_heading(first.level)])
        for row in first.rows():
            table.add_row(*row)
        table.add_row("mixture of both classes", f"p {p_shown(first.test.p)}", "")
    else:
        answer, table = _of_several(found, LINES - len(foot) - 2 * _EMPTY)
    say(console, *answer, style="bold")
    console.print()
    console.print(table)
    console.print()
    say(console, *foot, style="dim")


def _of_several(found: Mapping[str, UnlabelledDrift], room: int) -> tuple[list[str], Any]:
    """A row for each model, as many as there is room for."""
    table = table_of(["prevalence"], ["label shift", "calibration", "mixture, p"])
    shown = dict(list(found.items())[:room])
    for name, one in shown.items():
        values = [amount_shown(own.estimate, 4) for own in (one.label_shift, one.calibration)]
        table.add_row(shortened(printable(name), _NAME), *values, p_shown(one.test.p))
    refused = sum(one.shift_refused for one in found.values())
    more = f" {len(found) - len(shown)} more: --json." if len(shown) < len(found) else ""
    told = (
        f"Scores within a class are shown to have changed for {refused} of {len(found)} models."
        f"{more}"
    )
    return fitting(each_wrapped([told]), _EMPTY), table

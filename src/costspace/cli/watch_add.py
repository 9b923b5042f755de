"""`costspace watch add`: more rows for a watch, or labels that came later."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from costspace.cli.console import page, progress, say
from costspace.cli.lines import each_wrapped
from costspace.cli.memory import Memory
from costspace.deferral import deferred_calls

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.frames.locked import one_at_a_time
    from costspace.frames.storage import load_watch, save, watch_if_saved
    from costspace.frames.watched_rows import WatchedColumns, add_files
    from costspace.watching.look import counted
    from costspace.watching.watch import Watch


def watch_add(
    watch: Path,
    file: Path,
    /,
    *,
    label: str | None = None,
    positive: str | None = None,
    score: str | None = None,
    day: str | None = None,
    date: str | None = None,
    row_id: Annotated[str | None, Parameter(name="--id")] = None,
    only_labels: Annotated[bool, Parameter(negative="")] = False,
    fp_cost_column: str | None = None,
    fn_cost_column: str | None = None,
    tp_cost_column: str | None = None,
    tn_cost_column: str | None = None,
    machine: Memory = Memory(),
) -> None:
    """Add rows of a day to a watch, or labels that came later.

    Only counts are kept, by day, class and what the rules do with a row; of rows whose labels come
    later a digest of their id beside that. The watch is replaced in one step, or not at all.

    Example: costspace watch add watch.parquet monday.parquet --label Y --date 2026-11-30

    Parameters
    ----------
    watch
        What costspace watch begin has written.
    file
        New rows: CSV with a header, or Parquet; a glob, or a folder of files. Or a watch that began
        as a copy of the same one, to add up.
    label
        Column of labels, empty where they are not there yet.
    positive
        Label of the positive class; needed unless labels are 0/1, -1/1 or true/false.
    score
        Column of the model's scores. Default: the name of the model.
    day
        Column of the day of each row.
    date
        The day of all rows, such as 2026-11-30.
    row_id
        Column of what each row is called: labels that come later are matched by it.
    fp_cost_column
        Column of the cost of a false positive in each case, if the watch began with --most-cost.
    fn_cost_column
        Column of the cost of a false negative.
    tp_cost_column
        Column of the cost of a true positive. Default: 0.
    tn_cost_column
        Column of the cost of a true negative. Default: 0.
    only_labels
        The file has labels and ids, of rows that another file has.
    """
    machine.limit()
    named = {
        "fp_cost": fp_cost_column,
        "fn_cost": fn_cost_column,
        "tp_cost": tp_cost_column,
        "tn_cost": tn_cost_column,
    }
    costs = {name: one for name, one in named.items() if one is not None}
    columns = WatchedColumns(
        label=label, positive=positive, score=score, day=day, date=date, id=row_id, costs=costs
    )
    with one_at_a_time(watch):
        before = load_watch(watch)
        with progress() as step:
            other = watch_if_saved(file)
            if other is not None:
                after = before + other
            else:
                reading = step(f"reading {file.name}", 1)
                after = add_files(before, file, columns, only_labels=only_labels, progress=reading)
        save(watch, after)
    with page(None) as console:
        say(console, *each_wrapped(_told(before, after)))


def _told(before: Watch, after: Watch) -> list[str]:
    """What has come of what was added, and what there is in all."""
    labelled, unlabelled = (
        getattr(after, name) - getattr(before, name) for name in ("labelled", "unlabelled")
    )
    added = [f"{counted(labelled, 'row')} with a label"] if labelled or not unlabelled else []
    added += [f"{counted(unlabelled, 'row')} without"] if unlabelled > 0 else []
    every = f"{after.labelled:,} with, {after.unlabelled:,} without"
    told = [f"Added: {', '.join(added)}. In all: {every}."]
    never = after.unlabelled - len(after.waiting.row)
    if never > before.unlabelled - len(before.waiting.row):
        told.append(
            f"{counted(never, 'row')} without a label can never get one: name ids (--id), or look "
            "with --complete-to."
        )
    alone = len(after.waiting.label)
    if alone > len(before.waiting.label):
        told.append(f"{counted(alone, 'label')} of ids that no row has.")
    first, last = _rows_by_day(before), _rows_by_day(after)
    again = sum(rows < last[day] for day, rows in first.items())
    if again:
        told.append(f"{counted(again, 'day')} of these had rows before.")
    return told


def _rows_by_day(watch: Watch) -> Counter[int]:
    """How many rows each day has, with a label or without."""
    counts = watch.counts + watch.waiting.counts
    found: Counter[int] = Counter()
    for day, rows in zip(counts.day.tolist(), counts.rows.tolist(), strict=True):
        found[day] += rows
    return found

"""The table of an evaluation: models side by side, or one below another where they are many."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from costspace.cli.console import printable, say
from costspace.cli.evaluation_cells import Cell, cells_of
from costspace.cli.fitted_table import fitted_table
from costspace.cli.lines import WIDTH, shortened
from costspace.estimates.estimates import Estimate
from costspace.evaluation import Evaluation
from costspace.metrics import LARGER_IS_BETTER
from costspace.metrics.bounded import Bounds

# What goes where there is not room for all, the last first; what is not named here stays.
_FIRST = (
    *("auc", "brier", "optimal", "h_measure", "miscalibration", "score_fixed", "score_driven"),
    *("voros", "refinement_loss", "score_uniform", "rate_driven", "mae", "auc_hull"),
    *("macro_brier", "rate_uniform", "macro_mae"),
)
# Such a part of a number, and so little, is what single precision loses.
_SINGLE, _NOTHING = 1e-6, 1e-8
# A column of names keeps at least this much.
_SHORTEST = 8


class Row(NamedTuple):
    """A quantity of each model, and which models are best by it."""

    section: str
    quantity: str
    cells: list[Cell]
    best: tuple[int, ...]


def rows_of(evaluation: Evaluation) -> list[Row]:
    """All quantities, in their order."""
    models = list(evaluation.models)
    bounded = evaluation.bounds()
    found: Mapping[str, Mapping[str, Sequence[Estimate | Bounds | None]]]
    found = evaluation.intervals() or bounded
    rows = []
    for section, quantities in evaluation.sections().items():
        for quantity, values in quantities.items():
            ends = found[section][quantity] if found else [None] * len(models)
            bounds = bounded[section][quantity] if bounded else [None] * len(models)
            known = _suited(evaluation, quantity, values)
            best = _best_of(quantity, known, bounds)
            cells = cells_of(known, ends)
            rows.append(Row(section, quantity, cells, best if len(models) > 1 else ()))
    return rows


def _suited(
    evaluation: Evaluation, quantity: str, values: Sequence[float | None]
) -> list[float | None]:
    """The numbers of models, None for a loss at thresholds that do not suit a model's scores."""
    models = evaluation.models.values()
    return [
        None if quantity in model.off_scale else value
        for model, value in zip(models, values, strict=True)
    ]


def _best_of(
    quantity: str, values: Sequence[float | None], bounds: Sequence[Bounds | None]
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


def goes_beside(evaluation: Evaluation) -> bool:
    """Whether there is room for a column a model."""
    return _stacking(list(evaluation.models), rows_of(evaluation)) is not None


def shown_of(evaluation: Evaluation, room: int) -> list[Row]:
    """The quantities that the table has room for, in so many lines."""
    return _arranged(list(evaluation.models), rows_of(evaluation), room)[1]


def print_table(evaluation: Evaluation, console: Console, room: int) -> None:
    """Print as much as there is room for, in so many lines."""
    names = list(evaluation.models)
    stacked, kept = _arranged(names, rows_of(evaluation), room)
    if stacked is None:
        _print_below(names, kept, console, room)
    else:
        _print_beside(names, kept, console, stacked=stacked)


def print_all(evaluation: Evaluation, console: Console) -> None:
    """Print every quantity of every model, with names in full, in as many tables as that takes."""
    names, rows = list(evaluation.models), rows_of(evaluation)
    has_ends = any(cell.ends for row in rows for cell in row.cells)
    first = 0
    while first < len(names):
        last = first + 1
        while (
            last < len(names)
            and _least_width(
                names[first : last + 1], _of_models(rows, first, last + 1), stacked=has_ends
            )
            <= WIDTH
        ):
            last += 1
        console.print()
        part = _of_models(rows, first, last)
        _print_beside(names[first:last], part, console, stacked=has_ends, whole=True)
        first = last


def _stacking(names: Sequence[str], rows: Sequence[Row]) -> bool | None:
    """Whether intervals stand below numbers beside each other; None if models have no columns."""
    fits = (one for one in (False, True) if _least_width(names, rows, stacked=one) <= WIDTH)
    return next(fits, None)


def _arranged(
    names: Sequence[str], rows: Sequence[Row], room: int
) -> tuple[bool | None, list[Row]]:
    """How models stand, as `_stacking` says, and the quantities that have room then."""
    stacked = _stacking(names, rows)
    if stacked is None:
        return stacked, _kept_below(rows, _number_below(names, room))
    return stacked, _kept(rows, _room_for_rows(rows, room, stacked=stacked))


def _of_models(rows: Sequence[Row], first: int, last: int) -> list[Row]:
    """The rows of some of the models."""
    return [
        row._replace(
            cells=row.cells[first:last],
            best=tuple(i - first for i in row.best if first <= i < last),
        )
        for row in rows
    ]


def _room_for_rows(rows: Sequence[Row], room: int, *, stacked: bool) -> int:
    """How many quantities there is room for, beside the headings."""
    sections = len(dict.fromkeys(row.section for row in rows))
    return max((room - sections) // (2 if stacked else 1), 1)


def _kept(rows: Sequence[Row], most: int) -> list[Row]:
    """Those that tell most, in the order of all."""
    chosen = sorted(rows, key=_rank)[:most]
    return [row for row in rows if row in chosen]


def _rank(row: Row) -> int:
    return _FIRST.index(row.quantity) if row.quantity in _FIRST else -1


def _least_width(names: Sequence[str], rows: Sequence[Row], *, stacked: bool) -> int:
    return _width(_column_widths(names, rows, _SHORTEST, stacked=stacked))


def _width(columns: Sequence[int]) -> int:
    return sum(columns) + 2 * (len(columns) - 1)


def _column_widths(
    names: Sequence[str], rows: Sequence[Row], longest: int, *, stacked: bool
) -> list[int]:
    """How wide columns are: that of quantities, and those of models with names up to a length."""
    widths = [max(cell_len(row.quantity) for row in rows)]
    for i, name in enumerate(names):
        texts = [text for row in rows for text in _texts(row.cells[i], stacked=stacked)]
        widths.append(max(*map(cell_len, texts), min(cell_len(printable(name)), longest)))
    return widths


def _texts(cell: Cell, *, stacked: bool) -> list[str]:
    return [cell.number, cell.ends] if stacked else [cell.joined]


def _print_beside(
    names: Sequence[str],
    rows: Sequence[Row],
    console: Console,
    *,
    stacked: bool,
    whole: bool = False,
) -> None:
    """A column a model, and a table a section under the same headings."""
    longest = _SHORTEST
    while longest < WIDTH and (
        _width(_column_widths(names, rows, longest + 1, stacked=stacked)) <= WIDTH
    ):
        longest += 1
    widths = _column_widths(names, rows, longest, stacked=stacked)
    sections = list(dict.fromkeys(row.section for row in rows))
    among = list(map(printable, names))
    for section in sections:
        table = Table(box=None, pad_edge=False, show_header=section == sections[0])
        table.add_column(width=widths[0], no_wrap=True)
        for name, width in zip(names, widths[1:], strict=True):
            heading = printable(name) if whole else shortened(printable(name), width, among)
            table.add_column(
                Text(heading), width=width, justify="right", no_wrap=not whole, overflow="fold"
            )
        for row in (row for row in rows if row.section == section):
            for line in _lines(row, stacked=stacked):
                table.add_row(*line)
        if section != sections[0]:
            say(console, section, style="bold")
        console.print(table)


def _lines(row: Row, *, stacked: bool) -> Iterator[list[Text]]:
    """A quantity in one line, or in two with the intervals below the numbers."""
    styles = ["bold" if i in row.best else "" for i in range(len(row.cells))]
    texts = [_texts(cell, stacked=stacked) for cell in row.cells]
    yield [Text(row.quantity), *(Text(t[0], s) for t, s in zip(texts, styles, strict=True))]
    if stacked and any(cell.ends for cell in row.cells):
        yield [Text(""), *(Text(text[1], "dim") for text in texts)]


def _number_below(names: Sequence[str], room: int) -> int:
    """How many models there is room for, a line each."""
    return len(names) if len(names) < room else room - 2


def _kept_below(rows: Sequence[Row], models: int) -> list[Row]:
    """The quantities that tell most and have room beside each other, for the first models."""
    left = WIDTH - 2 * _SHORTEST
    kept: list[Row] = []
    for row in sorted(rows, key=_rank):
        texts = [_heading(row), *(cell.joined for cell in row.cells[:models])]
        left -= 2 + max(map(cell_len, texts))
        if left < 0 and kept:
            break
        kept.append(row)
    return kept


def _heading(row: Row) -> str:
    """The heading of a column: a method's is a loss."""
    return row.quantity if row.section == "metrics" else f"{row.quantity} loss"


def _print_below(names: Sequence[str], rows: Sequence[Row], console: Console, room: int) -> None:
    """A row a model, with the quantities that tell most."""
    shown = names[: _number_below(names, room)]
    columns = {
        _heading(row): [
            Text(cell.joined, "bold" if i in row.best else "")
            for i, cell in enumerate(row.cells[: len(shown)])
        ]
        for row in rows
    }
    console.print(fitted_table({"model": shown}, columns))
    if names[len(shown) :]:
        say(console, f"and {len(names) - len(shown)} more models: --details", style="dim")

"""How an evaluation is shown: as text or HTML, with remarks below its numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from costspace.metrics.bounded import Bounds
from costspace.notebook import LETTERS, first_of, html_table, in_short

if TYPE_CHECKING:
    from costspace.estimates.estimates import Estimate
    from costspace.estimates.evaluated import Intervals

# By section and quantity: one number for each model, and the text below each, if any.
TableRows: TypeAlias = Mapping[str, Mapping[str, tuple[list[str], list[str]]]]

# Models that a screen has room for, and notes on them.
_MODELS, _REMARKS = 8, 8
OF_BOUNDS = "Below each number: its certain bounds; the number is their middle."


def as_text(summary: str, models: Sequence[str], rows: TableRows, remarks: Sequence[str]) -> str:
    """A table in plain text, a column a model, of as many as there is room for."""
    models, rows, remarks = _on_a_screen(models, rows, remarks)
    below = any(ends for quantities in rows.values() for _, ends in quantities.values())
    width = max(24 if below else 18, *(len(name) + 2 for name in models))
    begun = max(18, *(len(name) for quantities in rows.values() for name in quantities))

    def line(first: str, cells: Sequence[str]) -> str:
        return f"{first:<{begun}}" + "".join(f"{cell:>{width}}" for cell in cells)

    lines = [summary]
    for section, quantities in rows.items():
        lines += ["", section, line("", models)]
        for quantity, (numbers, ends) in quantities.items():
            lines.append(line(quantity, numbers))
            lines += [line("", ends)] if ends else []
    return "\n".join([*lines, "", *remarks] if remarks else lines)


def as_html(summary: str, models: Sequence[str], rows: TableRows, remarks: Sequence[str]) -> str:
    """The same as a table in HTML."""
    models, rows, remarks = _on_a_screen(models, rows, remarks)
    cells: list[list[str]] = []
    for section, quantities in rows.items():
        cells.append([section])
        for quantity, (numbers, ends) in quantities.items():
            below = ends or [""] * len(numbers)
            values = zip(numbers, below, strict=True)
            cells.append([quantity, *("\n".join(filter(None, both)) for both in values)])
    return html_table(["", *models], cells, caption=summary, notes=remarks)


def _on_a_screen(
    models: Sequence[str], rows: TableRows, remarks: Sequence[str]
) -> tuple[Sequence[str], TableRows, Sequence[str]]:
    shown, told = first_of(models, _MODELS, "models")
    cut = {
        section: {
            quantity: (numbers[:_MODELS], ends[:_MODELS])
            for quantity, (numbers, ends) in quantities.items()
        }
        for section, quantities in rows.items()
    }
    kept, left = first_of(remarks, _REMARKS, "notes", "to_dict()")
    notes = [in_short(note, LETTERS) for note in kept]
    return list(map(in_short, shown)), cut, [*told, *notes, *left]


def shown(value: float | None) -> str:
    """A number as tables show it, an n-dash if missing."""
    return "–" if value is None else f"{value:.6f}"


def ends_shown(found: Estimate | Bounds | None) -> str:
    """The ends of an interval as tables show them, an n-dash if missing."""
    if found is None:
        return "–"
    if isinstance(found, Bounds):
        return f"{found.low:.6f} to {found.high:.6f}"
    return f"{'up' if _is_bound(found) else f'{found.low:.4f}'} to {found.high:.4f}"


def _is_bound(found: Estimate) -> bool:
    return found.method == "upper bound"


def of_intervals(
    intervals: Intervals, estimates: Mapping[str, Sequence[Estimate | None]]
) -> list[str]:
    """Lines on how to read the intervals of each quantity, all of the same kind."""
    of = "groups of rows" if intervals.clustered else "rows"
    lines = [f"Below each number: its {100 * intervals.level:g} % interval, of independent {of}."]
    known = {name: [one for one in found if one] for name, found in estimates.items()}
    upper = [name for name, found in known.items() if any(map(_is_bound, found))]
    if upper:
        lines.append(f'"up to" is an upper bound: samples overestimate {", ".join(upper)}.')
    biased = [name for name, found in known.items() if any(round(one.bias, 6) for one in found)]
    if biased:
        lines.append(
            "Thresholds are chosen on the same rows, and intervals corrected for that optimism: "
            f"{', '.join(biased)}. Such an interval may not contain its number."
        )
    return lines

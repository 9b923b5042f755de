"""The tables in short, as Markdown."""

from collections.abc import Callable, Iterator, Mapping

import numpy as np

from benchmarks.coverage.by_setting import BySetting
from benchmarks.coverage.study import FEWEST, INSIDE, PREVALENCES, SIZES, Cell, Part, cell_of
from benchmarks.tables import Row

Rows = list[Row]


def page(parts: Mapping[str, tuple[Part | BySetting, Rows]]) -> str:
    """All parts, one after the other."""
    lines = [
        "# Coverage of 95 % intervals",
        "",
        "Made by `python -m benchmarks.coverage`; every number stands in `coverage/*.csv`. Ranges",
        "are over the cells of a size: kinds of scores and designs, and prevalence 0.5, 0.1, 0.02.",
        f"Left out, with fewer than {FEWEST} expected positives, except in the last parts:",
        "; ".join(f"prevalence {p:g} at n = {n:,}" for p, n in _left_out()) + ".",
        "",
        "Coverage is in percent, bold where a cell is outside of 93 to 97, with how many are under",
        "and over. Of 2,000 simulations its own standard error is 0.5; of 1,000 it is 0.7, and of",
        "400 it is 1.1, so that of right intervals one cell in 14 is outside by chance.",
        "",
    ]
    for name, (part, rows) in parts.items():
        if isinstance(part, BySetting):
            lines += [f"## {part.title}", "", f"{part.about} See `{name}.csv`.", ""]
            lines += part.lines(rows)
            continue
        lines += [f"## {part.title}", "", f"{part.about} {_counts(rows)} See `{name}.csv`.", ""]
        lines += [*_coverage(part, rows), "", *_errors_of_first_kind(part, rows)]
        lines += [*_biases(part, rows), *_outside(part, rows)]
    return "\n".join(lines)


def _left_out() -> list[tuple[float, int]]:
    return [(p, n) for p in sorted(PREVALENCES) for n in SIZES if Cell("", "", p, n).left_out]


def _counts(rows: Rows) -> str:
    counts = {n: {int(row["simulations"]) for row in rows if int(row["n"]) == n} for n in SIZES}
    of_size = [
        f"{' or '.join(f'{k:,}' for k in sorted(found))} at n = {n:,}"
        for n, found in counts.items()
        if found
    ]
    return f"Simulations a cell: {', '.join(of_size)}."


def _names(rows: Rows) -> list[str]:
    return list(dict.fromkeys(row["quantity"] for row in rows))


def _table(part: Part, rows: Rows, text: Callable[[Rows], str]) -> Iterator[str]:
    yield f"| Quantity | {' | '.join(part.columns)} |"
    yield f"| --- |{' --- |' * len(part.columns)}"
    columns = {cell: part.column(cell) for cell in {cell_of(row) for row in rows}}
    for name in _names(rows):
        of_name = [(columns[cell_of(row)], row) for row in rows if row["quantity"] == name]
        cells = (text([row for at, row in of_name if at == column]) for column in part.columns)
        yield f"| `{name}` | {' | '.join(cells)} |"


def _coverage(part: Part, rows: Rows) -> Iterator[str]:
    return _table(part, rows, _coverage_text)


def _coverage_text(rows: Rows) -> str:
    text = _range([100 * float(row["coverage"]) for row in rows], 1)
    counts = {side: sum(row["outside"] == side for row in rows) for side in ("under", "over")}
    outside = ", ".join(f"{count} {side}" for side, count in counts.items() if count)
    return f"**{text}** ({outside})" if outside else text


def _errors_of_first_kind(part: Part, rows: Rows) -> Iterator[str]:
    equal = [row for row in rows if row["rejected"] and float(row["target"]) == 0]
    if equal:
        yield "Of models that are equal, p is below 0.05 in percent of samples:"
        yield ""
        yield from _table(
            part, equal, lambda cells: _range([100 * float(row["rejected"]) for row in cells], 1)
        )
        yield ""


def _biases(part: Part, rows: Rows) -> Iterator[str]:
    corrected = [row for row in rows if row["bias"] != row["corrected_bias"]]
    if corrected:
        names = {row["quantity"] for row in corrected}
        yield "Bias of what is optimal on its own sample, in standard deviations: of the estimate;"
        yield "after correction."
        yield ""
        yield from _table(part, [row for row in rows if row["quantity"] in names], _bias_text)
        yield ""


def _bias_text(rows: Rows) -> str:
    before, after = (
        [float(row[key]) for row in rows if row[key]] for key in ("bias", "corrected_bias")
    )
    return f"{_range(before, 2)}; {_range(after, 2)}" if before else ""


def _outside(part: Part, rows: Rows) -> Iterator[str]:
    """Every cell outside, a line for each quantity."""
    found = [row for row in rows if row["outside"]]
    low, high = (f"{100 * end:.0f}" for end in INSIDE)
    count = len({cell_of(row) for row in rows})
    yield (
        f"Outside of {low} to {high}: {len(found)} of {len(rows)} numbers of {count} cells"
        f"{', every one of them here.' if found and part.listed else '.'}"
    )
    yield ""
    if found and part.listed:
        yield "| Quantity | Scores, design, prevalence, n: coverage |"
        yield "| --- | --- |"
        for name in _names(found):
            cells = (_cell_text(row) for row in found if row["quantity"] == name)
            yield f"| `{name}` | {'; '.join(cells)} |"
        yield ""


def _cell_text(row: Row) -> str:
    cell = cell_of(row)
    coverage = 100 * float(row["coverage"])
    return f"{cell.scores}, {cell.design}, {cell.prevalence:g}, {cell.n:,}: {coverage:.1f}"


def _range(values: list[float], digits: int) -> str:
    if not values:
        return ""
    low, high = (f"{end:.{digits}f}" for end in (np.min(values), np.max(values)))
    return low if low == high else f"{low} to {high}"

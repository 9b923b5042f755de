"""The tables as a page of the documentation, from what is stored alone: no package is needed."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import median

from benchmarks.tables import Row, read

TABLES = ("results", "tables", "causes", "machine")
_TEMPLATE = Path(__file__).with_name("page.md")
# Of sums of ten million rows, relatively.
_ROUNDING = 1e-11
_MILLION = 10**6


def page(tables: dict[str, list[Row]]) -> str:
    """All of it."""
    rows = tables["results"]
    distinct = [row for row in rows if row["kind"] == "distinct"]
    rounds = sorted({int(row["rounds"]) for row in rows if row["rounds"]})
    parts: dict[str, Iterable[str]] = {
        "machine": [_machine({row["what"]: row["is"] for row in tables["machine"]})],
        "rounds": [f"{rounds[0]} to {rounds[-1]}"],
        "short": _short_answer(rows),
        "agreement": _agreement(rows),
        "causes": _causes(tables["causes"]),
        "ratios": _ratios(distinct),
        "second": _second_numbers(tables["tables"]),
        "tied": _tied(rows),
        "skipped": _skipped(rows),
    }
    template = _TEMPLATE.read_text()
    return template.format(**{name: "\n".join(lines) for name, lines in parts.items()})


def read_all(folder: Path) -> dict[str, list[Row]]:
    """The stored tables."""
    return {name: read(folder / f"{name}.csv") for name in TABLES}


def _machine(facts: dict[str, str]) -> str:
    parts = ("date", "processor", "cores", "memory")
    date, processor, cores, memory = (facts[part] for part in parts)
    versions = ", ".join(f"{what} {number}" for what, number in facts.items() if what not in parts)
    return f"Measured on {date}; {processor}, {cores} cores, {memory}; {versions}."


def _short_answer(rows: list[Row]) -> Iterator[str]:
    calls = list(_by_call(rows).values())
    apart = _apart(rows)
    yield f"- {len(calls) - len(apart)} of {len(calls)} numbers agree to rounding."
    yield f"- The other {len(apart)} differ by at most {max(map(_gap, apart)):.1e}, relatively."
    for n in _ends(rows):
        ratios = [float(row["time_ratio"]) for row in _timed(rows, n)]
        slower = sum(ratio > 1 for ratio in ratios)
        yield (
            f"- At n = {_power(n)} costspace is faster in {slower} of {len(ratios)} calls. The "
            f"median time ratio is {_short(median(ratios))} ({_short(min(ratios))} to "
            f"{_short(max(ratios))})."
        )


def _agreement(rows: list[Row]) -> Iterator[str]:
    calls, apart = _by_call(rows), _apart(rows)
    agree = len(calls) - len(apart)
    yield f"{agree} of {len(calls)} agree to rounding, at every size, ties or not."
    yield "The largest differences of the others, relative to the largest value:"
    yield ""
    for found in apart:
        yield f"- {_name(found[0])}, {found[0]['quantity']}: {_gap(found):.1e}"


def _apart(rows: list[Row]) -> list[list[Row]]:
    """The calls of which some number differs by more than rounding."""
    return [found for found in _by_call(rows).values() if _gap(found) >= _ROUNDING]


def _gap(rows: list[Row]) -> float:
    return max(float(row["difference"]) for row in rows if row["difference"])


def _causes(rows: list[Row]) -> Iterator[str]:
    for row in rows:
        labels = "" if row["y"] == "0 1 0 1" else f"; labels {row['y']}"
        theirs, ours = (f"{float(row[name]):.8g}" for name in ("theirs", "ours"))
        yield (
            f"- **{row['peer']}**, {row['quantity']}. Scores {row['s']}{labels}: it gives "
            f"{theirs}, costspace {ours}. {row['rule']}"
        )


# Columns of ratios, and costspace's own figure at a million rows.
_FIGURES = (
    ("time", "time_ratio", (10**4, _MILLION, 10**7), "ms", "seconds", 1e3),
    ("memory", "memory_ratio", (_MILLION,), "MB", "bytes", 1e-6),
)


def _ratios(rows: list[Row]) -> Iterator[str]:
    """A line for each call: ratios of time and memory at some sizes; a quantity is named once."""
    heads = [
        head
        for title, _, sizes, unit, *_ in _FIGURES
        for head in (*(f"{title}, {_power(n)}" for n in sizes), f"{unit}, {_power(_MILLION)}")
    ]
    yield f"| Quantity | Package | {' | '.join(heads)} |"
    yield "| --- | --- |" + " ---: |" * len(heads)
    before = ""
    for found in _by_call(rows).values():
        at = {int(row["n"]): row for row in found}
        cells = []
        for _, name, sizes, _, figure, unit in _FIGURES:
            cells += [_ratio(at[n][name] if n in at else "") for n in sizes]
            known = at[_MILLION][figure] if _MILLION in at else ""
            cells.append(_short(unit * float(known)) if known else "–")
        what = f"{found[0]['quantity']}: `{found[0]['our_call']}`"
        shown, before = ("" if what == before else what), what
        yield f"| {shown} | {_name(found[0])} | {' | '.join(cells)} |"


def _ratio(written: str) -> str:
    if not written:
        return "–"
    short = _short(float(written))
    return f"**{short}**" if float(written) < 1 else short


def _ends(rows: list[Row]) -> tuple[int, int]:
    """The smallest and the largest number of rows."""
    sizes = [int(row["n"]) for row in rows]
    return min(sizes), max(sizes)


def _timed(rows: list[Row], n: int) -> list[Row]:
    """The calls timed on so many rows, of distinct scores."""
    timed = [row for row in rows if row["kind"] == "distinct" and row["time_ratio"]]
    return [row for row in timed if int(row["n"]) == n]


def _second_numbers(rows: list[Row]) -> Iterator[str]:
    yield f"| n = {_power(int(rows[0]['n']))} | from two arrays, ms | from a `ScoreTable`, ms |"
    yield "| --- | ---: | ---: |"
    for row in rows:
        taken = (row["seconds"], row["seconds_of_table"])
        cells = (_short(1000 * float(seconds)) if seconds else "" for seconds in taken)
        yield f"| `{row['call']}` | {' | '.join(cells)} |"


def _tied(rows: list[Row]) -> Iterator[str]:
    """How the ratios of tied scores compare with those of distinct ones."""
    pairs = []
    for found in _by_call(rows).values():
        at = {row["kind"]: row["time_ratio"] for row in found if int(row["n"]) == _MILLION}
        if at.get("tied") and at.get("distinct"):
            pairs.append((float(at["distinct"]), float(at["tied"])))
    if pairs:
        smaller = sum(tied < distinct for distinct, tied in pairs)
        least, most = (_short(of(tied for _, tied in pairs)) for of in (min, max))
        yield f"With scores in hundredths the time ratios at n = {_power(_MILLION)} are {least} to"
        yield f"{most}, smaller than with distinct scores in {smaller} of {len(pairs)} calls"
        yield "(`results.csv`)."


def _skipped(rows: list[Row]) -> Iterator[str]:
    for row in rows:
        if row["not_measured"]:
            size = f"n = {_power(int(row['n']))}" + (", tied" if row["kind"] == "tied" else "")
            yield f"- {_name(row)}, {row['quantity']}, at {size}: {row['not_measured']}."
    distinct = [row for row in rows if row["kind"] == "distinct"]
    calls = _by_call(distinct)
    for n in sorted({int(row["n"]) for row in distinct}):
        missing = [found[0] for found in calls.values() if all(int(row["n"]) != n for row in found)]
        if missing:
            named = ", ".join(f"{_name(row)} ({row['quantity']})" for row in missing)
            yield f"- The run was stopped at n = {_power(n)} before {named}."
    yield "- Memory below n = 10⁵, where the allocator's pages outweigh it, and of tied scores."


def _by_call(rows: list[Row]) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = {}
    for row in rows:
        found.setdefault((row["quantity"], row["call"]), []).append(row)
    return found


def _name(row: Row) -> str:
    return f"{row['peer']} `{row['call']}`"


def _power(n: int) -> str:
    return f"10{'⁰¹²³⁴⁵⁶⁷⁸⁹'[len(str(n)) - 1]}"


def _short(value: float) -> str:
    if value >= 9.95:
        return f"{value:.0f}"
    return f"{value:.2g}" if value < 0.995 else f"{value:.1f}"

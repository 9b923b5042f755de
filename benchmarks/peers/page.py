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
        "causes": _causes(tables["causes"]),
        "ratios": _ratios(distinct),
        "below": _below(distinct),
        "own": _own(distinct),
        "second": _second_numbers(tables["tables"]),
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
    agree = len(calls) - len(apart)
    yield f"- {agree} of {len(calls)} numbers agree to rounding, at every size, ties or not."
    others = ", ".join(f"{_name(found[0])} {_gap(found):.1e}" for found in apart)
    yield f"- The other {len(apart)} differ by at most, relative to the largest value: {others}."
    for n in _ends(rows):
        ratios = [float(row["time_ratio"]) for row in _timed(rows, n)]
        slower = sum(ratio > 1 for ratio in ratios)
        yield (
            f"- At n = {_power(n)} costspace is faster in {slower} of {len(ratios)} calls. The "
            f"median time ratio is {_short(median(ratios))} ({_short(min(ratios))} to "
            f"{_short(max(ratios))})."
        )


def _apart(rows: list[Row]) -> list[list[Row]]:
    """The calls of which some number differs by more than rounding."""
    return [found for found in _by_call(rows).values() if _gap(found) >= _ROUNDING]


def _gap(rows: list[Row]) -> float:
    return max(float(row["difference"]) for row in rows if row["difference"])


def _causes(rows: list[Row]) -> Iterator[str]:
    for row in rows:
        yield f"- **{row['peer']}**, {row['quantity']}. {row['rule']}"


# What is compared, and the sizes shown; memory is known of every call at a million rows.
_FIGURES = (("time", 10**4), ("time", 10**7), ("memory", _MILLION))


def _ratios(rows: list[Row]) -> Iterator[str]:
    """A line for each package: medians and ranges of its ratios."""
    heads = " | ".join(f"{what}, {_power(n)}" for what, n in _FIGURES)
    yield f"| Package | calls | {heads} |"
    yield "| --- | ---: |" + " ---: |" * len(_FIGURES)
    for peer in dict.fromkeys(row["peer"] for row in rows):
        own = [row for row in rows if row["peer"] == peer]
        cells = " | ".join(_ratio(_known(own, f"{what}_ratio", n)) for what, n in _FIGURES)
        yield f"| {peer} | {len(_by_call(own))} | {cells} |"


def _known(rows: list[Row], figure: str, n: int) -> list[float]:
    """A figure of the calls measured on so many rows."""
    return [float(row[figure]) for row in rows if int(row["n"]) == n and row[figure]]


def _ratio(values: list[float]) -> str:
    if not values:
        return "–"
    short = _short(median(values))
    shown = f"**{short}**" if median(values) < 1 else short
    least, most = _short(min(values)), _short(max(values))
    return shown if least == most else f"{shown} ({least} to {most})"


def _below(rows: list[Row]) -> Iterator[str]:
    """The quantities of which another package takes less, with the least ratio of each."""
    for what, took in (("time", "is faster"), ("memory", "takes less memory")):
        least: dict[str, float] = {}
        for name, n in _FIGURES:
            for row in rows:
                for ratio in _known([row], f"{what}_ratio", n) if name == what else ():
                    least[row["quantity"]] = min(ratio, least.get(row["quantity"], 1))
        found = "; ".join(f"{of} {_short(ratio)}" for of, ratio in least.items() if ratio < 1)
        yield f"- Another package {took} (least ratio) for: {found}."


def _own(rows: list[Row]) -> Iterator[str]:
    """What the calls of costspace take."""
    ranges = []
    for figure, unit, name in (("seconds", 1e3, "ms"), ("bytes", 1e-6, "MB")):
        values = [unit * value for value in _known(rows, figure, _MILLION)]
        ranges.append(
            f"{_short(min(values))} to {_short(max(values))} {name} (median "
            f"{_short(median(values))})"
        )
    yield f"- A call of costspace at n = {_power(_MILLION)}: {', '.join(ranges)}."


def _ends(rows: list[Row]) -> tuple[int, int]:
    """The smallest and the largest number of rows."""
    sizes = [int(row["n"]) for row in rows]
    return min(sizes), max(sizes)


def _timed(rows: list[Row], n: int) -> list[Row]:
    """The calls timed on so many rows, of distinct scores."""
    timed = [row for row in rows if row["kind"] == "distinct" and row["time_ratio"]]
    return [row for row in timed if int(row["n"]) == n]


# A mean over rows, a rank, a curve, and all numbers at once.
_SECOND = ("brier_score", "auc", "loss_curve", "evaluate")


def _second_numbers(rows: list[Row]) -> Iterator[str]:
    taken = {row["call"]: row for row in rows}
    shown = ", ".join(
        f"`{call}` {_ms(taken[call]['seconds_of_table'])} instead of {_ms(taken[call]['seconds'])}"
        for call in _SECOND
    )
    yield (
        f"- From an existing `ScoreTable`, made in {_ms(taken['ScoreTable']['seconds'])} ms, each "
        f"further number takes less, in ms at n = {_power(int(rows[0]['n']))}: {shown} "
        "(`tables.csv`)."
    )


def _ms(seconds: str) -> str:
    return _short(1000 * float(seconds))


def _skipped(rows: list[Row]) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row["not_measured"]:
            size = f"n = {_power(int(row['n']))}" + (", tied" if row["kind"] == "tied" else "")
            reasons.setdefault(size, []).append(f"{_name(row)} ({row['not_measured']})")
    for size, named_calls in reasons.items():
        yield f"- At {size}: {', '.join(named_calls)}."
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

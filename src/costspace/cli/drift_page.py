"""A drift on one screen: what has changed, what to do, and how sure that is."""

from collections.abc import Iterator, Mapping
from itertools import starmap
from pathlib import Path

from rich.console import Console

from costspace.choices.doubts import DOUBTS, noted
from costspace.cli.console import printable, say
from costspace.cli.drift_answer import answer_of
from costspace.cli.drift_table import label_of, print_money, print_table, table_of_model
from costspace.cli.lines import LINES, each_wrapped, fitting, paragraph, shortened, wrapped
from costspace.decision.words import listed, p_shown
from costspace.watching.changes import Drift

_MOST_ANSWER, _MOST_NOTES, _MOST_READING = 3, 4, 5
# Lines that what is told first may take with what keeping the rule costs, and its table.
_MOST_MONEY, _MOST_ROWS = 7, 6
_NAME, _FEW = 24, 3
_EMPTY = 2
# Notes on what the page does not show.
_TESTS = "calibration_test"
_MORE = "All quantities: --details. Full precision: --json."
_TERMS = (
    "Calibration: mean score minus prevalence; apart: the largest difference of a class's shares "
    "at or below a score."
)


def print_drift(found: Mapping[str, Drift], console: Console) -> None:
    """Print what has changed for which models, the numbers, and what they rest on."""
    money = any(drift.money is not None for drift in found.values())
    answer = paragraph(answer_of(found), _MOST_MONEY if money else _MOST_ANSWER)
    notes = each_wrapped(fitting(_doubts(found), _MOST_NOTES))
    reading = paragraph(_reading(found), _MOST_READING)
    foot = [*notes, *reading, _MORE]
    say(console, *answer, style="bold")
    console.print()
    room = LINES - len(answer) - len(foot) - _EMPTY
    if money and len(found) > 1:
        room -= print_money(found, console, _MOST_ROWS)
    print_table(found, console, room)
    console.print()
    say(console, *foot, style="dim")


def print_drift_details(
    before: Path, after: Path, found: Mapping[str, Drift], console: Console
) -> None:
    """Print all that is compared of each model, and all there is to say of it."""
    say(console, *wrapped(" ".join(answer_of(found))), style="bold")
    console.print()
    say(console, *wrapped(f"{before} to {after}"))
    for name, drift in found.items():
        console.print()
        say(console, *wrapped(name), style="bold")
        say(console, *wrapped(" ".join([_rows(drift), *answer_of({name: drift})])))
        console.print(table_of_model(drift))
        console.print()
        say(console, *each_wrapped(_remarks(drift)))


def _reading(found: Mapping[str, Drift]) -> Iterator[str]:
    """What is compared, and how to read it."""
    drifts = list(found.values())
    first = drifts[0]
    few = [shortened(printable(name), _NAME) for name, one in found.items() if one.note]
    if few:
        of = f"{len(few)} models" if len(few) > _FEW else listed(few)
        yield f"Intervals of {of} may be too narrow: few rows overlap."
    tests = max(len(one.changes) + len(one.shifts) for one in drifts)
    adjusted = f", adjusted by {first.correction.capitalize()}" if first.correction else ""
    yield _rows(first)
    yield f"Clear: p below {1 - first.level:.3g}{adjusted} for {tests} tests a model."
    yield _TERMS
    yield from _of_money(drifts)
    yield from _allowances(drifts)


def _of_money(drifts: list[Drift]) -> Iterator[str]:
    """How the best rule is judged, and what is assumed of costs."""
    money = next((one.money for one in drifts if one.money is not None), None)
    if money is None:
        return
    if money.reason is not None:
        yield f"No intervals of costs: {money.reason}"
    yield f"Best: judged on {money.basis}. Assumed: {'; '.join(money.assumptions)}."


def _rows(drift: Drift) -> str:
    return f"{drift.n_before:,} and {drift.n_after:,} rows. Change: after minus before."


def _allowances(drifts: list[Drift]) -> Iterator[str]:
    """What intervals allow for besides chance."""
    changes = [one for drift in drifts for one in drift.changes]
    if any(one.bounds[0] < one.bounds[1] for one in changes):
        yield "Scores are binned: an interval includes whatever the bins may hide."
    if any(round(one.bias, 6) for one in changes):
        yield "Corrected for optimism where thresholds are chosen on the rows."


def _doubts(found: Mapping[str, Drift]) -> Iterator[str]:
    """What scores look like, then what is missing, once for all models and samples alike."""
    looks: dict[str, dict[str, None]] = {}
    gaps: dict[str, dict[str, None]] = {}
    for name, drift in found.items():
        model = shortened(printable(name), _NAME)
        for what, why in drift.notes.items():
            kind = what.partition(".")[0]
            if kind in DOUBTS:
                looks.setdefault(why, {})[model] = None
            elif kind != _TESTS:
                gaps.setdefault(why, {})[f"{model}, no {label_of(what)}"] = None
    for why, found_of in [*looks.items(), *gaps.items()]:
        names = list(found_of)
        more = f"{names[0]} and {len(names) - 1} more"
        yield f"{listed(names) if len(names) <= _FEW else more}: {why}"


def _remarks(found: Drift) -> Iterator[str]:
    """What there is to say of a model."""
    yield _TERMS
    for when, test in (("before", found.calibration_before), ("after", found.calibration_after)):
        if test is not None:
            yield f"That scores are calibrated {when}: p {p_shown(test.p)} (Cox)."
    yield from _of_money([found])
    yield from _allowances([found])
    yield from filter(None, [found.note])
    yield from starmap(noted, found.notes.items())

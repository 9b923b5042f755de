"""A drift by segment: what keeping the rule costs in each, or what has changed there."""

from collections.abc import Iterator
from typing import NamedTuple

from rich.console import Console

from costspace.cli.console import printable, say, title
from costspace.cli.drift_answer import answer_of
from costspace.cli.drift_table import label_of, numbers_of
from costspace.cli.fitted_table import fitted_table
from costspace.cli.lines import LINES, each_wrapped, fitting, paragraph
from costspace.cli.money_segments import change_shown, joined_told, names_shown, short
from costspace.cli.tables import NONE
from costspace.decision.sentences.by_segment import few_named, most_told
from costspace.decision.words import alone_shown, estimate_shown
from costspace.watching.changes import Drift
from costspace.watching.changes_by_segment import ChangesBySegment
from costspace.watching.kept_by_segment import KeptBySegment

_MOST_ANSWER, _MOST_SENTENCES = 6, 5
# Between the answer, the table and the lines below it, the headings, and how many are left out.
_AROUND = 4
_MORE = "All that has changed, and every segment: --details. Full precision: --json."


class _Told(NamedTuple):
    """What is said of segments, how to read it, and the columns of their table."""

    sentences: list[str]
    reading: list[str]
    labels: dict[str, list[str]]
    numbers: dict[str, list[str]]
    clear: list[bool]


def print_drift_by_segment(drift: Drift, console: Console, *, whole: bool) -> None:
    """Print where most is lost or has changed: all segments, or those that there is room for."""
    found = drift.segments
    if found is None:
        return
    told = _of_costs(found) if isinstance(found, KeptBySegment) else _of_changes(found)
    said = each_wrapped(fitting(told.sentences, _MOST_SENTENCES))
    foot = paragraph([*told.reading, *joined_told(found.segments), *_gone(found.gone)])
    shown = every = len(found.segments)
    if whole:
        console.print()
        title(console, f"By segment ({', '.join(map(printable, found.by))})")
    else:
        foot.append(_MORE)
        answer = paragraph(answer_of({"": drift}), _MOST_ANSWER)
        room = LINES - len([*answer, *said, *foot]) - _AROUND
        shown = every if every <= room else room - 1
        say(console, *answer, style="bold")
    say(console, *said)
    console.print()
    some = found.segments[:shown]
    names = {printable(name): [names_shown(one, name) for one in some] for name in found.by}
    labels, numbers = (
        {heading: column[:shown] for heading, column in columns.items()}
        for columns in (told.labels, told.numbers)
    )
    styles = ["bold" * clear for clear in told.clear[:shown]]
    console.print(fitted_table(names, numbers, styles, labels=labels, whole=whole))
    if every > shown:
        left = every - shown
        say(console, f"and {left} more segment{'' if left == 1 else 's'}", style="dim")
    console.print()
    say(console, *foot, style="dim")


def _of_costs(found: KeptBySegment) -> _Told:
    """What keeping the rule costs."""
    segments = found.segments
    costs = [one.kept.shown for one in segments]
    changes = [change_shown(one.more) for one in segments]
    clear = [one.more is not None and not one.more.low <= 0 <= one.more.high for one in segments]
    clear = [is_clear and one.reason is None for is_clear, one in zip(clear, segments, strict=True)]
    numbers = {
        "cost, %": [
            alone_shown(100 * one.contribution / found.cost) if found.cost > 0 else NONE
            for one in segments
        ],
        "before": [NONE if one.before is None else one.before.shown[0] for one in segments],
        "now": [cost for cost, _ in costs],
        "interval": [ends or NONE for _, ends in costs],
        "more": [more for more, _ in changes],
        "interval ": [ends or NONE for _, ends in changes],
    }
    reading = ["Costs of the kept rule are per 1,000 cases of the segment."]
    if found.intervals > 1:
        reading.append(
            f"The {100 * found.level:g} % intervals of a column hold all at once: "
            f"{found.intervals} of {100 * found.level_of_each:.4g} % each (Bonferroni)."
        )
    return _Told(list(_costs_told(found, clear)), reading, {}, numbers, clear)


def _costs_told(found: KeptBySegment, clear: list[bool]) -> Iterator[str]:
    """Where most is lost, and where more or less than before."""
    most = most_told(found.segments, found.cost, short, " now")
    if most:
        yield most
    compared = sum(one.reason is None and one.more is not None for one in found.segments)
    if not compared:
        return
    shown = [one for one, is_clear in zip(found.segments, clear, strict=True) if is_clear]
    more, less = (
        [one for one in shown if one.more is not None and one.more.difference * sign > 0]
        for sign in (1, -1)
    )
    of = f"{compared} segment{'' if compared == 1 else 's'}"
    if not shown:
        yield f"The rule is shown to cost more or less than before in none of {of}."
        return
    where = [few_named(some, short) if some else "none" for some in (more, less)]
    yield (
        f"Of {of} the rule is shown to cost more than before in {where[0]}, and less in {where[1]}."
    )


def _of_changes(found: ChangesBySegment) -> _Told:
    """What has changed most surely in each segment."""
    most = [one.most for one in found.segments]
    clear = [one is not None and found.is_clear(one) for one in most]
    numbers: dict[str, list[str]] = {"rows": [f"{one.rows:,}" for one in found.segments]}
    cells = [[NONE] * 4 if one is None else numbers_of(one) for one in most]
    for i, heading in enumerate(("before", "after", "change", "interval")):
        numbers[heading] = [line[i] for line in cells]
    numbers["clear"] = ["yes" if is_clear else "no" for is_clear in clear]
    adjusted = f", p adjusted by {found.correction.capitalize()}" if found.correction else ""
    each = f"{100 * found.level_of_each:.4g} % each (Bonferroni){adjusted}"
    reading = [
        "Of each segment what has changed most surely, by the end of its interval nearest 0.",
        f"The {100 * found.level:g} % intervals hold all at once: {found.tests} of {each}.",
    ]
    labels = {"quantity": [NONE if one is None else label_of(one.quantity) for one in most]}
    return _Told(list(_changes_told(found)), reading, labels, numbers, clear)


def _changes_told(found: ChangesBySegment) -> Iterator[str]:
    """In how many segments a change is shown, and the largest that is."""
    tested = [one for one in found.segments if one.changes]
    shown = [one for one in tested if any(map(found.is_clear, one.changes))]
    of = f"{len(tested)} segment{'' if len(tested) == 1 else 's'}"
    if not shown:
        yield f"A change is shown in none of {of}."
        return
    yield f"A change is shown in {len(shown)} of {of}: {few_named(shown, short)}."
    most = shown[0].most
    if most is not None:
        amount, ends = estimate_shown(most.difference, most.low, most.high)
        what, where = label_of(most.quantity), short(shown[0].name)
        yield f"The largest that is told is that of the {what} of {where}: {amount} ({ends})."


def _gone(gone: int) -> list[str]:
    """How many segments are no more, if some are."""
    what = "segment before has" if gone == 1 else "segments before have"
    return [f"{gone:,} {what} no rows now."] if gone else []

"""What a rule costs and saves by segment, on one screen or in full."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from rich.console import Console

from costspace.cli.console import printable, say, title
from costspace.cli.fitted_table import fitted_table
from costspace.cli.lines import LINES, each_wrapped, fitting, paragraph, shortened
from costspace.cli.tables import NONE
from costspace.decision.evidence.money_by_segment import MoneyBySegment, SegmentMoney
from costspace.decision.evidence.money_evidence import MoneyDifference, StrategyMoney
from costspace.decision.sentences.by_segment import sentences_of
from costspace.decision.words import alone_shown, estimate_shown
from costspace.names import MISSING

_MANY = 50
# How long a segment's name is in a sentence, and how many lines the answer and sentences take.
_NAME, _MOST_ANSWER, _MOST_SENTENCES = 24, 3, 9
_LAST = "All of the decision, and every segment: --details. Full precision: --json."
_LAST_OF_COMPARISON = "Full precision, and the comparison: --json."
# So many segments have room whatever is said.
_ROWS = 3
# Between the answer, the table and the lines below it, the headings, and how many are left out.
_AROUND = 4


class AnySegment(Protocol):
    """A segment, or several that are joined."""

    @property
    def by(self) -> Mapping[str, Any]: ...

    @property
    def number(self) -> int: ...


def print_by_segment(
    found: MoneyBySegment, answer: Sequence[str], console: Console, last: Sequence[str] = ()
) -> None:
    """Print the answer, where most is lost and saved, and as many segments as there is room for.

    The `last` lines say how to go on, by default where more is.
    """
    lines = each_wrapped(answer)[:_MOST_ANSWER]
    foot = [*paragraph(_read(found)), *(last or [_LAST])]
    room = LINES - len([*lines, *foot]) - _AROUND
    said = each_wrapped(fitting(sentences_of(found, short), min(_MOST_SENTENCES, room - _ROWS)))
    room -= len(said)
    shown = found.segments[: room if len(found.segments) <= room else room - 1]
    say(console, *lines, style="bold")
    say(console, *said)
    console.print()
    _print(found, shown, console, whole=False)
    left = len(found.segments) - len(shown)
    if left:
        say(console, f"and {left} more segment{'' if left == 1 else 's'}", style="dim")
    console.print()
    say(console, *foot, style="dim")


def print_every_segment(found: MoneyBySegment, console: Console) -> None:
    """Print every segment, and what thresholds of its own would save there."""
    title(console, f"By segment, per 1,000 cases of each ({', '.join(map(printable, found.by))})")
    say(console, *each_wrapped(sentences_of(found, printable)))
    console.print()
    _print(found, found.segments, console, whole=True)
    console.print()
    say(console, *paragraph(_read(found)), style="dim")


def short(name: str) -> str:
    """The name of a segment in a sentence."""
    return shortened(printable(name), _NAME)


def _read(found: MoneyBySegment) -> list[str]:
    """How to read the table."""
    texts = ["Costs and savings are per 1,000 cases of the segment."]
    if found.intervals > 1:
        texts.append(
            f"The {100 * found.level:g} % intervals of a column hold all at once: "
            f"{found.intervals} of {100 * found.level_of_each:.4g} % each (Bonferroni)."
        )
    return [*texts, *joined_told(found.segments)]


def joined_told(segments: Sequence[AnySegment]) -> list[str]:
    """How many segments are joined, if some are."""
    joined = [one for one in segments if one.number > 1]
    if not joined:
        return []
    (others,) = joined
    number, (name, *_) = others.number, others.by.values()
    # So many are not regions, but values of a number or names of cases.
    bins = ": name a column of fewer values, such as bins" if number > _MANY else ""
    return [f"Too small for an interval: {number:,} segments, joined as {name}{bins}."]


def _print(
    found: MoneyBySegment, shown: Sequence[SegmentMoney], console: Console, *, whole: bool
) -> None:
    names = {printable(column): [names_shown(one, column) for one in shown] for column in found.by}
    costs = [_with_ends(one.money) for one in shown]
    numbers = {
        "cases, %": [alone_shown(100 * one.share) for one in shown],
        "cost, %": [
            alone_shown(100 * one.contribution / found.cost) if found.cost > 0 else NONE
            for one in shown
        ],
        "cost": [cost for cost, _ in costs],
        "interval": [ends or NONE for _, ends in costs],
    }
    if found.against is not None:
        saved = [change_shown(one.saving) for one in shown]
        numbers |= {
            "saves": [saving for saving, _ in saved],
            "interval ": [ends or NONE for _, ends in saved],
        }
    if whole and found.own_saving is not None:
        own = [change_shown(one.own_saving) for one in shown]
        numbers["own threshold saves"] = [
            f"{saving} ({ends})" if ends else saving for saving, ends in own
        ]
    console.print(fitted_table(names, numbers, whole=whole))


def names_shown(one: AnySegment, column: str) -> str:
    """What a column says of a segment, and how many it is."""
    value = one.by[column]
    name = MISSING if value is None else printable(str(value))
    return f"{name} ({one.number:,})" if one.number > 1 else name


def _with_ends(money: StrategyMoney) -> tuple[str, str]:
    return money.shown


def change_shown(saving: MoneyDifference | None) -> tuple[str, str]:
    """What is saved, or costs more, and the ends of the interval of that."""
    if saving is None:
        return NONE, ""
    if saving.method == "none":
        return alone_shown(saving.difference), ""
    return estimate_shown(saving.difference, saving.low, saving.high)

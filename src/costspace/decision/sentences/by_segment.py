"""What is said of money by segment, a sentence each."""

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from costspace.decision.evidence.money_by_segment import MoneyBySegment
from costspace.decision.sentences.terms import flagging
from costspace.decision.strategy import BASELINE
from costspace.decision.words import alone_shown, estimate_shown, listed, sides_shown

# So many segments are named.
_NAMED = 3
_USE = "the rule in use"
_APART = ("more", "less")


class NamedSegment(Protocol):
    """A segment by its name."""

    @property
    def name(self) -> str: ...


class Costing(NamedSegment, Protocol):
    """A segment, and what it costs."""

    @property
    def number(self) -> int: ...

    @property
    def share(self) -> float: ...

    @property
    def contribution(self) -> float: ...


def sentences_of(found: MoneyBySegment, named: Callable[[str], str] = str) -> Iterator[str]:
    """Where most is lost, where money is saved, and what thresholds of their own would save."""
    most = most_told(found.segments, found.cost, named)
    told = most, _apart(found, named), _savings(found, named), _own(found, named)
    yield from filter(None, told)


def most_told(
    segments: Sequence[Costing], whole: float, named: Callable[[str], str], when: str = ""
) -> str:
    """Which segments have most of the cost of all, "" if none has."""
    single = [one for one in segments if one.number == 1 and one.contribution > 0]
    if len(segments) < 2 or not single or whole <= 0:
        return ""
    first = single[:_NAMED] if len(single) > _NAMED else single[:1]
    cost, cases = (sum(getattr(one, name) for one in first) for name in ("contribution", "share"))
    names = listed([named(one.name) for one in first])
    lose = "lose" if len(first) > 1 else "loses"
    return (
        f"{names} {lose} most: {_percent(cost / whole)} of the cost of "
        f"{alone_shown(whole)} per 1,000 cases{when}, with {_percent(cases)} of the cases."
    )


def _apart(found: MoneyBySegment, named: Callable[[str], str]) -> str:
    """Which segments are shown to cost more or less than the rest per case."""
    if found.intervals < 2:
        return ""
    costs = {how: [one for one in found.segments if found.differs(one) == how] for how in _APART}
    parts = [f"{how} in {few_named(some, named)}" for how, some in costs.items() if some]
    if not parts:
        return "No segment is shown to cost more or less than the rest per case."
    return f"Shown to cost, per case, {', and '.join(parts)} than in the rest."


def _savings(found: MoneyBySegment, named: Callable[[str], str]) -> str:
    """In how many segments the rule is shown to save money, and where to cost more."""
    if found.against is None or not found.intervals:
        return ""
    told = [(one, one.saving) for one in found.segments if one.saving and not one.reason]
    saved = [one for one, saving in told if saving.low > 0]
    lost = sorted(
        (one for one, saving in told if saving.high < 0),
        key=lambda one: one.share * (one.saving.difference if one.saving else 0.0),
    )
    against = _USE if found.against.name == BASELINE else flagging(found.against.name)
    shown = f"Against {against} it is shown to save money in {len(saved)} of {_segments(told)}"
    if not lost:
        return f"{shown}, and to cost more in none."
    return f"{shown}, and to cost more in {few_named(lost, named)}."


def _own(found: MoneyBySegment, named: Callable[[str], str]) -> str:
    """What thresholds of their own would save, all together."""
    own = found.own_saving
    if own is None:
        return f"No thresholds of their own: {found.why_not_own}." if found.why_not_own else ""
    each = [one for one in found.segments if one.own_saving is not None]
    shown = [one for one in each if one.own_saving and one.own_saving.low > 0]
    if own.low > 0:
        saved, ends = estimate_shown(own.difference, own.low, own.high)
        told = f"would save {saved} per 1,000 cases in all ({ends}), held-out"
    else:
        amount, ends = sides_shown(own.difference, own.low, own.high, "less", "more")
        told = f"are not shown to save money: they cost {amount} per 1,000 cases ({ends}), held-out"
    of = f"{len(shown)} of {_segments(each)}" if shown else f"none of {_segments(each)}"
    where = f": {few_named(shown, named)}" if shown else ""
    return f"Thresholds of their own {told}; a saving is shown in {of}{where}."


def few_named(segments: Sequence[NamedSegment], named: Callable[[str], str]) -> str:
    """The first of some segments, and how many more there are."""
    names = [named(one.name) for one in segments[:_NAMED]]
    more = len(segments) - len(names)
    return listed([*names, *([f"{more} more"] if more else [])])


def _segments(some: Sequence[object]) -> str:
    return f"{len(some)} segment{'' if len(some) == 1 else 's'}"


def _percent(share: float) -> str:
    return f"{alone_shown(100 * share)} %"

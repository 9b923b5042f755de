"""A look at a watch: whether the rule costs more than is tolerated, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.decision.words import alone_shown, estimate_shown, exact_shown
from costspace.deployment.conditions import CASES
from costspace.notebook import Tabulated
from costspace.watching.sequences import MeanSequence

FINE, WORSE, UNDECIDED = "fine", "worse", "undecided"
# The rule that a decision names as the one in use.
IN_USE = "in_use"
_SAID = {FINE: "Fine so far", WORSE: "Worse than is tolerated", UNDECIDED: "Not enough yet"}


@final
@dataclass(frozen=True, eq=False, repr=False)
class Look(FrozenValue, Tabulated):
    """What a watch says: made by `Watch.look`, valid however often it is looked at.

    Attributes
    ----------
    verdict : {"fine", "worse", "undecided"}
        "worse" if a look has shown that the first rule costs more than is tolerated, "fine" if this
        one shows that it does not.
    days : array of shape (looks,)
        The days whose labels are complete, as dates: a look at the end of each.
    costs : mapping of str to MeanSequence
        What each rule costs per 1,000 cases.
    savings : mapping of str to MeanSequence
        What each other rule costs more than the first: what the first saves.
    rates : mapping of str to MeanSequence
        Shares of the rows, by the first rule: "errors", wrongly flagged or passed, and "flagged".
    tolerance, level : float
        What it may cost per 1,000 cases; the chance that it is called worse by all rows while it
        is not is 1 - level at most, over all looks.
    looks : int or None
        How many looks are planned. Then that is the chance of both kinds of alarms together.
    told : date or None
        The day whose look has first shown that it is worse.
    since : date or None
        The day since when it is, by the rows: bets that begin then have gained most.
    since_then : float or None
        What it has cost per 1,000 cases since then. Of all days the last one is chosen that makes
        most of it, so that this is too much, if anything.
    changed : bool
        Whether the detector of later changes has shown it first.
    between : float
        The mean number of looks before a false alarm of that detector, at least: the chance of one
        within so many looks is their number over this at most.
    later : int
        Rows of later days, which wait for labels, of theirs or of days before.
    left_out : int
        Rows without labels of days that are taken to be complete.
    needed : float or None
        How many rows more would tell whether it is worse, were they like these; None if there are
        none, or that is told.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1] * 50, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9] * 50
    >>> watch = cs.begin_watch(cs.decide(y, {"model": s}, fp_cost=1, fn_cost=2), tolerance=200)
    >>> look = watch.add(y, {"model": s}, day="2026-11-02").look()
    >>> look
    Fine so far: the rule costs 125 (86 to 175) per 1,000 cases, and 200 is tolerated.
    """

    verdict: str
    days: NDArray[np.datetime64]
    costs: Mapping[str, MeanSequence]
    savings: Mapping[str, MeanSequence]
    rates: Mapping[str, MeanSequence]
    tolerance: float
    level: float
    looks: int | None
    told: np.datetime64 | None
    since: np.datetime64 | None
    since_then: float | None
    changed: bool
    between: float
    later: int
    left_out: int
    needed: float | None

    @property
    def cost(self) -> MeanSequence:
        """What the first rule costs per 1,000 cases."""
        return next(iter(self.costs.values()))

    @property
    def rows(self) -> int:
        """How many labelled rows it is told from."""
        return int(self.cost.rows[-1]) if len(self.days) else 0

    @property
    def text(self) -> str:
        """What is to be known, in a sentence or two."""
        return " ".join(self.sentences())

    def sentences(self) -> Iterator[str]:
        """The same, sentence by sentence."""
        said, tolerated = _SAID[self.verdict], f"{self._tolerated} is tolerated"
        if self.since is not None:
            said += f" since {self.since}"
        if not self.rows:
            yield f"{said}: no day has all its labels yet, and {tolerated}."
            yield from self._left()
            return
        now = f"the rule costs {_last(self.cost)} per {CASES:,} cases"
        if self.since_then is not None:
            now = f"it costs {alone_shown(self.since_then)} per {CASES:,} cases since then"
            now += f", {_last(self.cost)} in all"
        yield f"{said}: {now}, and {tolerated}."
        if self.changed:
            false = f", with a false alarm once in {alone_shown(self.between)} looks at most"
            false = false if self.looks is None else ""
            yield f"That was shown on {self.told} by rows since the change{false}."
        for name, saving in self.savings.items():
            yield _compared(name, saving)
        if self.needed is not None and self.verdict == UNDECIDED:
            yield f"{_rows_told(self.needed)} would tell, were they like these."
        yield from self._left()

    @property
    def _tolerated(self) -> str:
        """What is tolerated."""
        return exact_shown(self.tolerance)

    def _left(self) -> Iterator[str]:
        """Which rows do not count."""
        if self.later:
            to = f"to {self.days[-1]}: " if len(self.days) else "of no day: "
            rows = _counted(self.later, "row")
            yield f"Labels are complete {to}{rows} of later days do not count yet."
        if self.left_out:
            yield f"{_counted(self.left_out, 'row')} of complete days without a label left out."

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a look."""
        found: dict[str, NDArray[Any]] = {"day": self.days, "rows": self.cost.rows}
        parts = {**self.costs, **{f"{name} more": one for name, one in self.savings.items()}}
        for name, sequence in {**parts, **self.rates}.items():
            ends = {name: sequence.mean, f"{name} low": sequence.low, f"{name} high": sequence.high}
            found |= ends
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        days = [str(day) for day in self.days]
        return {
            "text": self.text,
            "verdict": self.verdict,
            "told": None if self.told is None else str(self.told),
            "since": None if self.since is None else str(self.since),
            "since_then": self.since_then,
            "changed": self.changed,
            "looks_between_false_alarms": self.between,
            "tolerance": self.tolerance,
            "level": self.level,
            "days": len(days),
            "rows": self.rows,
            "later": self.later,
            "left_out": self.left_out,
            "needed": self.needed,
            "costs": {name: _plain(one) for name, one in self.costs.items()},
            "savings": {name: _plain(one) for name, one in self.savings.items()},
            "rates": {name: _plain(one) for name, one in self.rates.items()},
            "sequence": [
                {"day": day, "rows": int(rows), "mean": mean, "low": low, "high": high}
                for day, rows, mean, low, high in zip(
                    days, *(values.tolist() for values in self.cost.columns().values()), strict=True
                )
            ],
        }

    def __repr__(self) -> str:
        return self.text


def _counted(number: int, what: str) -> str:
    return f"{number:,} {what}{'s' * (number != 1)}"


def _rows_told(more: float) -> str:
    """How many more rows, in words."""
    return "Very many more rows" if np.isinf(more) else f"About {_rounded(more):,} more rows"


def _rounded(number: float) -> int:
    """A number of rows in two digits."""
    return int(float(f"{max(number, 1):.2g}"))


def _last(sequence: MeanSequence) -> str:
    """What is known last of a mean, in words."""
    ends = sequence.last
    amount, interval = estimate_shown(float(sequence.mean[-1]), ends.low, ends.high)
    return f"{amount} ({interval})"


def other_told(name: str) -> str:
    """What another rule is called in words."""
    return "the rule in use" if name == IN_USE else name


def _compared(name: str, saving: MeanSequence) -> str:
    """What the first rule saves against another, in words."""
    low, high = saving.last.low, saving.last.high
    told = "costs less than" if low > 0 else "costs more than" if high < 0 else "is not told from"
    return f"It {told} {other_told(name)}: it saves {_last(saving)} per {CASES:,} cases."


def _plain(sequence: MeanSequence) -> dict[str, float | None]:
    """The last value of a sequence, with its interval, ready for JSON."""
    if len(sequence.counts) == 0:
        return {"value": None, "low": None, "high": None}
    ends = sequence.last
    return {"value": float(sequence.mean[-1]), "low": ends.low, "high": ends.high}

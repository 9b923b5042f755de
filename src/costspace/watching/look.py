"""A look at a watch: whether the rule costs more than is tolerated, and how sure that is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import isfinite
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.decision.words import alone_shown, estimate_shown, exact_shown
from costspace.deployment.conditions import CASES
from costspace.notebook import Tabulated
from costspace.watching.sequences import MeanSequence

FINE, WORSE, UNDECIDED = "fine", "worse", "undecided"
_DAYS_A_YEAR = 365.25
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
        "worse" if a look has shown that the first rule costs more than is tolerated, also where it
        does so no more; "fine" if this one shows that it does not.
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
        About the day since when it is: bets that begin then have gained most until it was told.
    since_then : float or None
        What it has cost per 1,000 cases since then. Of all days the last one is chosen that makes
        most of it, so that this is too much, if anything.
    changed : bool
        Whether the detector of later changes has shown it first.
    between : float
        The mean number of looks before a false alarm of that detector, at least: the chance of one
        within so many looks is their number over this at most.
    later : int
        Rows that do not count yet: those of the first day without all labels, and of later ones.
    blocked : date or None
        That day.
    left_out : int
        Rows without labels of days that are taken to be complete.
    needed : float or None
        How many rows more would tell whether it is worse, were they like these, which may be far
        off while the mean is; None if there are none, or that is told.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1] * 50, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9] * 50
    >>> watch = cs.begin_watch(cs.decide(y, {"model": s}, fp_cost=1, fn_cost=2), tolerance=200)
    >>> look = watch.add(y, {"model": s}, day="2026-11-02").look()
    >>> look
    Fine so far: the rule costs 125 (74 to 181) per 1,000 cases, and 200 is tolerated.
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
    blocked: np.datetime64 | None
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
        tolerated = f"{exact_shown(self.tolerance)} is tolerated"
        if not self.rows:
            none = "no day has all its labels yet" if self.later else "there are no rows yet"
            yield f"{_SAID[UNDECIDED]}: {none}, and {tolerated}."
            yield from self._left()
            return
        yield f"{self._said}, and {tolerated}."
        if self.changed:
            years = alone_shown(self.between / _DAYS_A_YEAR)
            false = f", with a false alarm once in {years} years of daily looks at most"
            yield (
                f"That was shown on {self.told} by rows since the change"
                f"{false if self.looks is None else ''}."
            )
        for name, saving in self.savings.items():
            yield _compared(name, saving)
        if self.needed is not None and self.verdict == UNDECIDED:
            yield f"{_rows_told(self.needed)} would tell, if they are like these."
        if self.looks is not None and len(self.days) > self.looks:
            yield (
                f"{len(self.days):,} looks of {self.looks:,} planned: beyond these, false alarms "
                "are as many as they come."
            )
        yield from self._left()

    @property
    def _said(self) -> str:
        """What it costs, and whether that is too much."""
        per = f"per {CASES:,} cases"
        if self.since_then is None:
            return f"{_SAID[self.verdict]}: the rule costs {_last(self.cost)} {per}"
        later = f"costs {alone_shown(self.since_then)} {per} since then, {_last(self.cost)} in all"
        if self.since_then > self.tolerance:
            return f"{_SAID[WORSE]} since about {self.since}: the rule {later}"
        return f"Was shown on {self.told} to cost more than is tolerated: the rule {later}"

    def _left(self) -> Iterator[str]:
        """Which rows do not count."""
        if self.later:
            to = f"to {self.days[-1]}" if len(self.days) else "of no day"
            yield (
                f"Labels are complete {to}: {counted(self.later, 'row')} from {self.blocked} on "
                "do not count yet."
            )
        if self.left_out:
            yield f"{counted(self.left_out, 'row')} of complete days without a label left out."

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a look."""
        found: dict[str, NDArray[Any]] = {"day": self.days, "rows": self.cost.rows}
        saved = {f"saved against {name}": one for name, one in self.savings.items()}
        for name, sequence in {**self.costs, **saved, **self.rates}.items():
            ends = {name: sequence.mean, f"{name} low": sequence.low, f"{name} high": sequence.high}
            found |= ends
        return found

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        days = [str(day) for day in self.days]
        return {
            "text": self.text,
            "verdict": self.verdict,
            # A number, for a gate: undecided where it is None.
            "worse": {WORSE: 1, FINE: 0}.get(self.verdict),
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
            "blocked": None if self.blocked is None else str(self.blocked),
            "left_out": self.left_out,
            "needed": self.needed if self.needed is None or isfinite(self.needed) else None,
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


def counted(number: int, what: str) -> str:
    """A number of things, in words."""
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
    value, ends, other = float(saving.mean[-1]), saving.last, other_told(name)
    low, high = (ends.low, ends.high) if ends.low > 0 else (-ends.high, -ends.low)
    if low > 0:
        amount, interval = estimate_shown(abs(value), low, high)
        told = "less" if value > 0 else "more"
        return f"It costs {amount} ({interval}) {told} than {other}."
    return f"Whether it costs less than {other} is not told yet: it saves {_last(saving)}."


def _plain(sequence: MeanSequence) -> dict[str, float | None]:
    """The last value of a sequence, with its interval, ready for JSON."""
    if len(sequence.counts) == 0:
        return {"value": None, "low": None, "high": None}
    ends = sequence.last
    return {"value": float(sequence.mean[-1]), "low": ends.low, "high": ends.high}

"""What a rule by share does to the cases of queues, which are known by their counts."""

from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil
from typing import final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.decision.rules.cuts import ROUNDING
from costspace.decision.rules.rule import Rule
from costspace.deployment.actions import FLAG, PASS

# Below all other scores but -inf.
_LOWEST = -np.finfo(float).max


def cut_beyond(scores: FloatArray, left_out: BoolArray) -> float:
    """The highest of some ascending scores that is left out; -inf if none is."""
    beyond = scores[left_out]
    return float(max(beyond[-1], _LOWEST)) if len(beyond) else -np.inf


@final
@dataclass(frozen=True, eq=False)
class Queue(FrozenValue):
    """The cases of one queue."""

    scores: FloatArray  # shape (k,): their distinct scores, ascending
    counts: FloatArray  # shape (k,): how many cases have each
    # How many more have no score, and come first, or take no place.
    first: float = 0.0
    last: float = 0.0

    @classmethod
    def of(
        cls,
        scores: FloatArray,
        counts: FloatArray | None = None,
        *,
        missing: str = PASS,
        placed: str = FLAG,
    ) -> "Queue":
        """The queue of some cases, or of so many cases of each of some scores.

        Scores may be NaN, of cases to which happens what is said of `missing` ones: they come first
        if they are `placed`, which is done with cases that find a place, and else take none.
        """
        absent = np.isnan(scores)
        if counts is None:
            places = float(np.count_nonzero(absent))
            values, found = np.unique(scores[~absent], return_counts=True)
        else:
            places = float(counts[absent].sum())
            # An engine may tell -0 from 0.
            values, which = np.unique(scores[~absent], return_inverse=True)
            found = np.bincount(which, weights=counts[~absent], minlength=len(values))
        first, last = (places, 0.0) if missing == placed else (0.0, places)
        return cls(values, found.astype(float), first, last)

    @property
    def cases(self) -> float:
        """How many there are."""
        return float(self.counts.sum()) + self.first + self.last

    def cuts(self, rule: Rule) -> list[float]:
        """The score above which cases fit in each share of a rule, from the top; -inf if all do."""
        down_to = self._down_to
        return [cut_beyond(self.scores, down_to > self.places_in(share)) for share in rule.cuts]

    def by_score(self, rule: Rule) -> Rule:
        """What a rule does to these cases, by their scores."""
        other = None if rule.otherwise is None else self.by_score(rule.otherwise)
        if rule.by == "score":
            return Rule(rule.cuts, rule.actions, otherwise=other, chance=rule.chance)
        cuts: list[float] = []
        actions = [rule.actions[-1]]
        for cut, action in zip(self.cuts(rule)[::-1], rule.actions[-2::-1], strict=True):
            if cuts and cut == cuts[-1]:
                actions[-1] = action
            else:
                cuts.append(cut)
                actions.append(action)
        return Rule(cuts, actions, otherwise=other, chance=rule.chance)

    def tied(self, rule: Rule) -> int:
        """How many cases share a score that there is room for, but not for all of them."""
        return int(self.counts[self._are_tied(rule)].sum())

    def _are_tied(self, rule: Rule) -> BoolArray:
        found = np.zeros(len(self.counts), dtype=bool)
        for share in rule.cuts if rule.by == "share" else ():
            found |= self.at_edge(slice(None), self._down_to, share)
        return found if rule.otherwise is None else found | self._are_tied(rule.otherwise)

    @property
    def _down_to(self) -> FloatArray:
        """How many cases there are down to the last of those of each score."""
        return self.cases - self.last - np.cumsum(self.counts) + self.counts

    def places_in(self, share: float) -> float:
        """How many cases there is room for in a share."""
        return share * self.cases * (1 + ROUNDING)

    def at_edge(self, turns: IndexArray | slice, down_to: FloatArray, share: float) -> BoolArray:
        """Of which scores some cases fit in a share, and not all.

        Parameters
        ----------
        turns : array of int of shape (m,), or slice
            Which of the scores are in question.
        down_to : array of shape (m,)
            How many cases have places down to the last of those of each.
        share : float
        """
        places = self.places_in(share)
        return (down_to - self.counts[turns] < np.floor(places)) & (down_to > places)


def largest_share(rule: Rule) -> float:
    """The share of a queue down to which something else is done than below; 1 without a queue."""
    parts = (rule,) if rule.otherwise is None else (rule, rule.otherwise)
    if any(part.by == "score" for part in parts):
        return 1.0
    return max(cut for part in parts for cut in part.cuts)


def too_small_told(
    share: float, queues: Iterable[Queue], *, batches: bool, placed: str = "flagged"
) -> str:
    """Which queues are too small for anybody to be in a share of them, if any."""
    least = ceil(1 / (share * (1 + ROUNDING))) if share else 0
    sizes = [queue.cases for queue in queues if queue.cases > 0]
    small = [size for size in sizes if size < least]
    if not small:
        return ""
    what, more = (
        f"{small[0]:,.0f} cases are too few for anybody to be {placed}",
        "queue more at a time",
    )
    if batches:
        what = f"batches too small for anybody to be {placed}: {len(small):,} of {len(sizes):,}"
        more = "make batches longer"
    return (
        f"{what}, since a share of {share:g} takes {least:,} cases; {more}, or decide on a larger "
        "share"
    )


def applied_in_batches(
    rule: Rule,
    scores: FloatArray,
    batch: IndexArray | None,
    seed: int | None,
    missing: str = PASS,
) -> tuple[NDArray[np.str_], int, str]:
    """What a rule by share does to each case, how many are tied where a queue is cut, and a note.

    The note is that of `too_small_told`.

    Parameters
    ----------
    rule : Rule
    scores : array of shape (n,)
        NaN where there is none: what is done with these is for the caller to say.
    batch : array of int of shape (n,), optional
        The number of the batch that each case is of; all are one queue unless given.
    seed : int, optional
        Draws go by the place of a case among all.
    missing : str
        As in `Queue.of`.
    """
    random = rule.random(len(scores), seed)
    others = () if rule.otherwise is None else rule.otherwise.actions
    # Text with room for each of the actions.
    found = np.empty(len(scores), dtype=np.array([*rule.actions, *others]).dtype)
    parts = parts_of(batch, len(scores))
    queues = [Queue.of(scores[rows], missing=missing) for rows in parts]
    for rows, queue in zip(parts, queues, strict=True):
        found[rows] = queue.by_score(rule).decided(scores[rows], random[rows])
    note = too_small_told(largest_share(rule), queues, batches=batch is not None)
    return found, sum(queue.tied(rule) for queue in queues), note


def parts_of(batch: IndexArray | None, cases: int) -> list[IndexArray]:
    """Which of so many cases are in each batch; all are in one if there are none."""
    if batch is None:
        return [np.arange(cases)]
    order = np.argsort(batch, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(batch[order])) + 1)

"""Rows whose labels come later, and labels whose rows do: matched by a digest of their ids."""

import re
from dataclasses import dataclass
from hashlib import md5
from typing import Any, Self, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FrozenValue, IndexArray
from costspace.errors import SourceError
from costspace.samples.vectors import missing_rows, vector
from costspace.watching.joint_counts import UNLABELLED, JointCounts

# Numbers are ids by their value: 7.0 is 7.
_WHOLE = re.compile(r"(-?[0-9]+)\.0+")
_NO_IDS = np.zeros(0, dtype=np.uint64)


def digests_of(ids: ArrayLike) -> NDArray[np.uint64]:
    """A digest of each id, by its text; those in files have the same."""
    values = vector(ids, "ids", SourceError)
    missing = int(np.count_nonzero(missing_rows(values)))
    if missing:
        raise SourceError(f"ids has {missing:,} missing values: fill them or drop the rows.")
    texts = (_WHOLE.sub(r"\1", text) if _WHOLE.fullmatch(text) else text for text in _texts(values))
    halves = (md5(text.encode(), usedforsecurity=False).digest()[8:] for text in texts)
    return np.array([int.from_bytes(half, "little") for half in halves], dtype=np.uint64)


def _texts(values: NDArray[Any]) -> list[str]:
    return [str(value).strip() for value in values.tolist()]


@final
@dataclass(frozen=True, eq=False)
class WaitingRows(FrozenValue):
    """Rows without a label, labels without a row, and which ids have both; ordered by digests."""

    row: NDArray[np.uint64]
    day: IndexArray
    acted: IndexArray  # as in `JointCounts`
    label: NDArray[np.uint64]
    positive: IndexArray  # 0 or 1
    matched: NDArray[np.uint64]  # of rows that have been counted
    matched_positive: IndexArray

    @classmethod
    def of(
        cls,
        *,
        row: NDArray[np.uint64] = _NO_IDS,
        day: ArrayLike = (),
        acted: ArrayLike = (),
        label: NDArray[np.uint64] = _NO_IDS,
        positive: ArrayLike = (),
        matched: NDArray[np.uint64] = _NO_IDS,
        matched_positive: ArrayLike = (),
    ) -> Self:
        """These in their order; `SourceError` if a row comes twice, or an id with two labels."""
        rows = _ordered(row, day, acted)
        labels = _ordered(label, positive)
        known = _ordered(matched, matched_positive)
        for ids in (rows[0], known[0]):
            twice = int(np.count_nonzero(ids[1:] == ids[:-1]))
            if twice:
                raise SourceError(
                    f"{twice:,} ids come more than once, each of one row: give every row an id of "
                    "its own, and add each once."
                )
        same = np.concatenate([[False], labels[0][1:] == labels[0][:-1]])[: len(labels[0])]
        _check_alike(labels[1][same], labels[1][np.flatnonzero(same) - 1])
        return cls(*rows, *(one[~same] for one in labels), *known)

    def __add__(self, other: "WaitingRows") -> "WaitingRows":
        own, others = vars(self), vars(other)
        return WaitingRows.of(**{name: np.concatenate([own[name], others[name]]) for name in own})

    def settled(self) -> "tuple[JointCounts, WaitingRows]":
        """The rows whose labels are there, counted; and what still waits.

        A label of a row that has been counted is left out, `SourceError` if it is another one.
        """
        if np.isin(self.row, self.matched).any():
            again = np.count_nonzero(np.isin(self.row, self.matched))
            raise SourceError(f"{again:,} rows have been added and labelled before, by their ids.")
        old = np.isin(self.label, self.matched)
        place = np.searchsorted(self.matched, self.label[old])
        _check_alike(self.positive[old], self.matched_positive[place])
        label, positive = self.label[~old], self.positive[~old]
        _, rows, labels = np.intersect1d(self.row, label, assume_unique=True, return_indices=True)
        counts = JointCounts.of(self.day[rows], positive[labels], self.acted[rows], 1)
        left = np.delete(np.arange(len(self.row)), rows)
        without = np.delete(np.arange(len(label)), labels)
        waiting = WaitingRows.of(
            row=self.row[left],
            day=self.day[left],
            acted=self.acted[left],
            label=label[without],
            positive=positive[without],
            matched=np.concatenate([self.matched, self.row[rows]]),
            matched_positive=np.concatenate([self.matched_positive, positive[labels]]),
        )
        return counts, waiting

    @property
    def counts(self) -> JointCounts:
        """The rows that wait, counted."""
        return JointCounts.of(self.day, UNLABELLED, self.acted, 1)


def _ordered(ids: NDArray[np.uint64], *columns: ArrayLike) -> list[NDArray[Any]]:
    """Ids and what belongs to each, in the order of the ids."""
    order = np.argsort(ids, kind="stable")
    return [ids[order], *(np.asarray(one, dtype=np.int64)[order] for one in columns)]


def _check_alike(labels: IndexArray, others: IndexArray) -> None:
    """`SourceError` if an id has come with two labels."""
    unlike = int(np.count_nonzero(labels != others))
    if unlike:
        raise SourceError(
            f"{unlike:,} ids come with another label than before: a watch keeps the first. Begin "
            "one anew where labels are corrected."
        )

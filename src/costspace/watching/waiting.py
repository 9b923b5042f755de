"""Rows whose labels come later, and labels whose rows do: matched by a digest of their names."""

from dataclasses import dataclass
from hashlib import md5
from typing import Any, Self, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FrozenValue, IndexArray
from costspace.errors import SourceError
from costspace.samples.vectors import vector
from costspace.watching.joint_counts import UNLABELLED, JointCounts


def digests_of(names: ArrayLike) -> NDArray[np.str_]:
    """A digest of each name, by its text; files have the same."""
    texts = (str(name) for name in vector(names, "ids", SourceError).tolist())
    found = [md5(text.encode(), usedforsecurity=False).hexdigest() for text in texts]
    return np.array(found, dtype="<U32")


@final
@dataclass(frozen=True, eq=False)
class WaitingRows(FrozenValue):
    """Rows without a label, and labels without a row, in the order of their names' digests."""

    row: NDArray[np.str_]  # the digest of each row's name
    day: IndexArray
    acted: IndexArray  # as in `JointCounts`
    label: NDArray[np.str_]  # the digest of each label's name
    positive: IndexArray  # 0 or 1

    @classmethod
    def of(
        cls,
        row: NDArray[Any] = np.array([], dtype="<U32"),
        day: ArrayLike = (),
        acted: ArrayLike = (),
        label: NDArray[Any] = np.array([], dtype="<U32"),
        positive: ArrayLike = (),
    ) -> Self:
        """Rows and labels, `SourceError` if a name comes twice."""
        found = []
        for names, what, columns in (row, "row", (day, acted)), (label, "label", (positive,)):
            order = np.argsort(names, kind="stable")
            found += [names[order], *(np.asarray(one, dtype=np.int64)[order] for one in columns)]
            twice = int(np.count_nonzero(names[order][1:] == names[order][:-1]))
            if twice:
                raise SourceError(
                    f"{twice:,} ids come more than once, each of one {what}: give every {what} an "
                    "id of its own, and add each once."
                )
        return cls(*found)

    def __add__(self, other: "WaitingRows") -> "WaitingRows":
        pairs = zip(vars(self).values(), vars(other).values(), strict=True)
        return WaitingRows.of(*(np.concatenate(pair) for pair in pairs))

    def matched(self) -> "tuple[JointCounts, WaitingRows]":
        """The rows whose labels are there, counted; and what still waits."""
        _, rows, labels = np.intersect1d(
            self.row, self.label, assume_unique=True, return_indices=True
        )
        counts = JointCounts.of(self.day[rows], self.positive[labels], self.acted[rows], 1)
        left, without = (
            np.delete(np.arange(len(self.row)), rows),
            np.delete(np.arange(len(self.label)), labels),
        )
        waiting = WaitingRows(
            self.row[left],
            self.day[left],
            self.acted[left],
            self.label[without],
            self.positive[without],
        )
        return counts, waiting

    @property
    def counts(self) -> JointCounts:
        """The rows that wait, counted."""
        return JointCounts.of(self.day, UNLABELLED, self.acted, 1)

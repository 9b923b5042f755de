"""Which columns of a file hold what."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True, kw_only=True)
class Columns:
    """Which columns hold what."""

    label: str  # column of labels
    # Columns of scores, one a model, higher meaning more positive: ``-NAME`` is column NAME with
    # its sign changed.
    scores: Sequence[str]
    weight: str | None = None  # column of sample weights
    # Label of the positive class; needed unless labels are 0/1, -1/1 or true/false.
    positive: str | None = None
    # Column of the cluster that each row belongs to, such as a patient or a customer. Rows of a
    # cluster may depend on each other; intervals, p-values and folds allow for it.
    groups: str | None = None

    def numbers(self) -> dict[str, str]:
        """Columns of scores and weights, by their names in an engine."""
        numbers = {f"score{i}": name for i, name in enumerate(self.scores)}
        return numbers if self.weight is None else {**numbers, "weight": self.weight}

    def names(self, by: Sequence[str] = ()) -> dict[str, str]:
        """All columns that an engine reads, with those of labels and segments, by those names."""
        segments = {f"by{i}": name for i, name in enumerate(by)}
        return {"label": self.label, **self.numbers(), **segments}

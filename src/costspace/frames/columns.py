"""Which columns of a file hold what."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import final

from costspace.frames.formulas import possible_columns
from costspace.frames.patterns import scores_among


@final
@dataclass(frozen=True, kw_only=True)
class Columns:
    """Which columns hold what."""

    label: str  # column of labels
    # Columns of scores, one a model, higher meaning more positive, and what `frames/formulas.py`
    # makes of columns: ``-NAME`` is column NAME with its sign changed, ``1-NAME`` the chance of the
    # other class.
    scores: Sequence[str]
    weight: str | None = None  # column of sample weights
    # Label of the positive class; needed unless labels are 0/1, -1/1 or true/false.
    positive: str | None = None
    # Column of the cluster that each row belongs to, such as a patient or a customer. Rows of a
    # cluster may depend on each other; intervals, p-values and folds allow for it.
    groups: str | None = None
    # One of the scores that has decisions of a rule in use, in numbers or words.
    decisions: str | None = None
    actions: Sequence[str] = ()  # what these words are, from passing to flagging, if given

    def numbers(self) -> dict[str, str]:
        """Columns of scores and weights, by their names in an engine."""
        numbers = {f"score{i}": name for i, name in enumerate(self.scores)}
        return numbers if self.weight is None else {**numbers, "weight": self.weight}

    def chosen_among(self, known: Collection[str], others: Iterable[str], where: object) -> Columns:
        """The same with the columns that patterns of scores match, as `scores_among` finds them.

        What is not among them: the columns of labels, weights and groups, and those of `others`.
        """
        named = (self.label, self.weight, self.groups, self.decisions, *others)
        besides = {own for name in named if name is not None for own in possible_columns(name)}
        return replace(self, scores=scores_among(self.scores, known, besides, where))

    def names(self, by: Sequence[str] = ()) -> dict[str, str]:
        """All columns that an engine reads, with those of labels and segments, by those names."""
        segments = {f"by{i}": name for i, name in enumerate(by)}
        return {"label": self.label, **self.numbers(), **segments}

"""Held-out rows one by one, with whatever weights, costs and groups they have."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray
from costspace.decision.held_out.holdout import HeldOut
from costspace.decision.held_out.judged_rows import JudgedRows
from costspace.decision.held_out.scores import HeldOutScores, Split
from costspace.decision.money.costed import CostedScores
from costspace.deployment.review import Review
from costspace.samples.rows import ScoredRows
from costspace.samples.validation import check_model
from costspace.scores.table import ScoreTable


@final
@dataclass(frozen=True, eq=False, repr=False)
class HeldOutRows(FrozenValue, HeldOut):
    """Rows in folds, or with separate validation rows.

    Attributes
    ----------
    rows : ScoredRows
    validation : ScoredRows or None
    folds : tuple of arrays of int of shape (n,)
        Each time the rows are cut: the fold of each, to which thresholds chosen on the other folds
        are applied. One time, and all 0, where there are validation rows.

    Notes
    -----
    Stone (1974), Journal of the Royal Statistical Society B 36: cross-validatory choice.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.6, 0.2, 0.7, 0.9]
    >>> held_out = cs.hold_out(cs.ScoredRows.from_predictions(y, {"model": s}))
    >>> str(held_out)
    '3 cross-validation folds'
    >>> path = held_out.of("model").path(cs.Optimal(), prevalence=0.5)
    >>> round(path.loss()(0.5), 4), round(cs.loss_curve(y, s, choice=cs.Optimal())(0.5), 4)
    (0.5, 0.1667)
    """

    rows: ScoredRows
    validation: ScoredRows | None
    folds: Sequence[IndexArray]
    weights: str | None = None

    @property
    def models(self) -> Collection[str]:
        return self.rows.scores

    def __str__(self) -> str:
        if self.validation is not None:
            return "validation rows"
        often = f", {len(self.folds)} times" if len(self.folds) > 1 else ""
        groups = "" if self.rows.groups is None else f" of {self.rows.groups.max() + 1:,} groups"
        return f"{self.folds[0].max() + 1} cross-validation folds{groups}{often}"

    @property
    def once(self) -> "HeldOutRows":
        return self if len(self.folds) == 1 else replace(self, folds=self.folds[:1])

    def in_step(self, review: Review, step: int) -> "HeldOutRows":
        """The same rows, with what each costs in one of the two decisions of three actions."""

        def with_costs(rows: ScoredRows) -> ScoredRows:
            return replace(rows, costs=rows.known_costs.of_step(review, step))

        validation = None if self.validation is None else with_costs(self.validation)
        return replace(self, rows=with_costs(self.rows), validation=validation)

    def forgone(self, negative_stake: float, positive_stake: float) -> float:
        return 0.0

    @cached_property
    def judged(self) -> JudgedRows:
        if self.validation is not None:
            return JudgedRows(self.validation, [np.arange(len(self.validation))])
        parts = [np.flatnonzero(fold == k) for fold in self.folds for k in range(fold.max() + 1)]
        return JudgedRows(self.rows, parts, len(self.folds))

    def counted(self, cuts: Mapping[str, FloatArray]) -> None:
        return None

    def training(self, part: int | None) -> ScoredRows:
        """The rows that thresholds are chosen on: all, or those outside a part."""
        if part is None or self.validation is not None:
            return self.rows
        return self.rows.take(_others(self.judged.parts[part], len(self.rows)))

    def judged_part(self, part: int | None) -> ScoredRows:
        """The held-out rows at a time; None asks for all."""
        judged = self.judged
        if part is None or self.validation is not None:
            return judged.rows
        return judged.rows.take(judged.parts[part])

    def _whole(self, model: str) -> CostedScores:
        return self._sorted(_of_model(self.rows, model), model)

    def _judged_table(self, model: str) -> ScoreTable:
        return ScoreTable.from_rows(self.judged.rows, model, counts=self.weights == "counts")

    def _split(self, model: str) -> HeldOutScores:
        rows = _of_model(self.rows, model)
        if self.validation is not None:
            parts = [(rows, _of_model(self.validation, model))]
        else:
            n = len(rows)
            parts = [(rows.take(_others(part, n)), rows.take(part)) for part in self.judged.parts]
        return HeldOutScores(
            tuple(
                Split(self._sorted(train, model), self._sorted(test, model))
                for train, test in parts
            )
        )

    def _sorted(self, rows: ScoredRows, model: str) -> CostedScores:
        return CostedScores.from_rows(rows, model, counts=self.weights == "counts")


def _others(part: IndexArray, rows: int) -> BoolArray:
    """Which rows are not in a part."""
    others = np.ones(rows, dtype=bool)
    others[part] = False
    return others


def _of_model(rows: ScoredRows, model: str) -> ScoredRows:
    """The rows with the scores of one model only, so that no others are copied."""
    check_model(model, rows.scores)
    return replace(rows, scores={model: rows.scores[model]})

"""Many held-out rows, counted by fold, class and cell of each model's scores."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, read_only
from costspace.decision.held_out.holdout import HeldOut
from costspace.decision.held_out.judged_rows import JudgedRows
from costspace.decision.held_out.scores import HeldOutScores, Split
from costspace.decision.money.costed import CostedScores
from costspace.errors import SourceError
from costspace.samples.rows import ScoredRows
from costspace.samples.validation import check_model
from costspace.scores.table import ScoreTable
from costspace.summaries.counts import ScoreCounts
from costspace.summaries.folded_rows import FoldedSource
from costspace.summaries.joint import JointRows
from costspace.summaries.runs import as_read, forgone


@final
@dataclass(frozen=True, eq=False, repr=False)
class HeldOutCounts(FrozenValue, HeldOut):
    """Rows in folds, known by their counts.

    Thresholds are chosen between cells, runs of neighbouring scores; rows are judged by themselves.

    Attributes
    ----------
    source : costspace.summaries.folded_rows.FoldedSource
        The rows, and the fold of each, to which thresholds chosen on the other folds are applied.

    Notes
    -----
    Stone (1974), Journal of the Royal Statistical Society B 36: cross-validatory choice.

    Examples
    --------
    >>> import costspace as cs
    >>> generator = np.random.default_rng(0)
    >>> y = generator.integers(0, 2, 100_000)
    >>> rows = cs.ScoredRows.from_predictions(y, {"model": generator.normal(y)})
    >>> held_out = cs.hold_out(rows)
    >>> held_out.of("model").splits[0].test.rows
    ScoreTable(9931 negatives, 10109 positives)
    >>> held_out.forgone(1.0, 1.0)
    3.9...e-05
    """

    source: FoldedSource
    validation = None
    weights = "counts"

    @property
    def models(self) -> Collection[str]:
        return self.source.models

    def __str__(self) -> str:
        return f"{self.source.folds} cross-validation folds"

    @property
    def rows(self) -> ScoredRows:  # type: ignore[override]
        return self.source.rows

    @property
    def once(self) -> "HeldOutCounts":
        return self

    def forgone(self, negative_stake: float, positive_stake: float) -> float:
        """What thresholds inside cells may save beside those between them."""
        alone, models = self.source.alone, self.source.models
        return max(
            forgone(self._of(model), negative_stake, positive_stake, alone=alone)
            for model in models
        )

    @cached_property
    def judged(self) -> JudgedRows:
        fold = self.source.fold
        if fold is None:
            raise SourceError("rows that are not in memory can be judged only where all are.")
        parts = [np.flatnonzero(fold == k) for k in range(self.source.folds)]
        return JudgedRows(self.source.rows, parts)

    def counted(self, cuts: Mapping[str, FloatArray]) -> JudgedRows | None:
        kinds = self.source.kinds(cuts)
        return None if kinds is None else self.of_kinds(kinds, cuts)

    def of_kinds(self, kinds: JointRows, cuts: Mapping[str, FloatArray]) -> JudgedRows:
        """Rows of such kinds, of which one of each stands for all."""
        scores = {}
        for model, thresholds in cuts.items():
            # What is not above a threshold may be at it, and is not flagged.
            ends = np.append(thresholds, self._of(model).cells[-1])
            scores[model] = read_only(ends[kinds.by_model[model]].astype(float))
        weight = read_only(np.asarray(kinds.counts, dtype=float))
        rows = ScoredRows(read_only(kinds.positive), scores, weight)
        parts = [np.flatnonzero(kinds.fold == k) for k in range(self.source.folds)]
        return JudgedRows(rows, parts, cuts=cuts)

    def _whole(self, model: str) -> CostedScores:
        return CostedScores.same(self._table(model, range(self.source.folds)))

    def _judged_table(self, model: str) -> ScoreTable:
        return self.whole(model).rows

    def _split(self, model: str) -> HeldOutScores:
        splits, folds = [], range(self.source.folds)
        for k in folds:
            train = self._table(model, [one for one in folds if one != k])
            test = self._table(model, [k])
            splits.append(Split(CostedScores.same(train), CostedScores.same(test)))
        return HeldOutScores(tuple(splits))

    def _table(self, model: str, folds: Sequence[int]) -> ScoreTable:
        """The table of some folds."""
        counts, given = self._of(model), self.source.counted(model)
        found = counts.of_folds(folds).ranked
        if counts is given:
            return found
        return replace(found, given=given.of_folds(folds).ranked.ranking)

    def _of(self, model: str) -> ScoreCounts:
        found: ScoreCounts = self._once("counts", model, self._read)
        return found

    def _read(self, model: str) -> ScoreCounts:
        return as_read(self.source.counted(check_model(model, self.source.models)))

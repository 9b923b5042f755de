"""Decisions that were made on the rows, by whatever is in use."""

from dataclasses import dataclass
from typing import cast, final

import numpy as np

from costspace.arrays import FloatArray
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.held_out.rows import HeldOutRows
from costspace.decision.rules.actions import chances_of
from costspace.deployment.conditions import BALANCED
from costspace.samples.rows import ScoredRows
from costspace.single import doubles


@final
@dataclass(frozen=True, eq=False)
class FittedDecisions(FittedStrategy):
    """What was decided on each row: there is nothing to fit, and no rule for other cases."""

    @property
    def cuts(self) -> FloatArray:
        return np.array([self._threshold])

    def part_flagged(self, part: int | None) -> FloatArray:
        judged = self.task.judged
        return self._decided(judged.rows)[judged.of_part(part)]

    def training_flagged(self, part: int | None) -> FloatArray:
        return self._decided(cast(HeldOutRows, self.task.held_out).training(part))

    def part_losses(self, part: int) -> FloatArray:
        positive = self.task.judged.rows.positive[self.task.judged.parts[part]]
        return self.task.losses_of(positive, chances_of(self.part_flagged(part)))

    def apparent_of(self, part: int | None) -> float:
        scores = self.task.fitted_on(self.strategy.whose_scores, part)
        at = scores.costs.by_score.at(self._threshold)
        return float(self.task.conditions.money_at(at.fpr.item(), at.fnr.item()))

    def _decided(self, rows: ScoredRows) -> FloatArray:
        decided = doubles(rows.scores[self.strategy.whose_scores])
        return (decided > self._threshold).astype(float)

    @property
    def _threshold(self) -> float:
        """Between what is flagged and what is not, of decisions that may be of several kinds."""
        found = self.strategy.choice.threshold_at(BALANCED, BALANCED)
        return cast(float, found)

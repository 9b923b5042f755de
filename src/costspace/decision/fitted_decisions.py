"""Decisions that were made on the rows, by whatever is in use."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue
from costspace.decision.fitted import FittedStrategy
from costspace.decision.strategy import Strategy
from costspace.decision.task import Task
from costspace.scores.rows import ScoredRows


@final
@dataclass(frozen=True, eq=False)
class FittedDecisions(FrozenValue, FittedStrategy):
    """What was decided on each row: there is nothing to fit, and no rule for other cases."""

    strategy: Strategy
    task: Task

    @property
    def reason(self) -> str:
        return ""

    @property
    def rule(self) -> None:
        return None

    def part_flagged(self, part: int) -> FloatArray:
        return self._decided(self.task.held_out.judged)[self.task.held_out.parts[part]]

    def part_losses(self, part: int) -> FloatArray:
        positive = self.task.held_out.judged.positive[self.task.held_out.parts[part]]
        return self.task.losses_of(positive, self.part_flagged(part))

    def apparent_of(self, part: int | None) -> float:
        rows = self.task.held_out.training(part)
        return self.task.money_of(self.task.losses_of(rows.positive, self._decided(rows)), rows)

    def _decided(self, rows: ScoredRows) -> FloatArray:
        return np.asarray(rows.scores[self.strategy.whose_scores], dtype=float)

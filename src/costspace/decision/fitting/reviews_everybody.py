"""Reviewing every case, which needs no model."""

from dataclasses import dataclass
from typing import final

import numpy as np

from costspace.arrays import FloatArray
from costspace.curve import OperatingPoints
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.money.row_money import relative_costs
from costspace.decision.rules.rule import Rule
from costspace.deployment.actions import REVIEW
from costspace.deployment.conditions import CASES


@final
@dataclass(frozen=True, eq=False)
class ReviewsEverybody(FittedStrategy):
    """One that has a person look at each case: the conditions alone say what that costs."""

    @property
    def reason(self) -> str:
        task, nobody = self.task, OperatingPoints(np.zeros(()), np.ones(()))
        places = task.constraints.of_reviewed.limits.get("capacity", 1.0)
        held = all(task.limits.holds(nobody, end).all() for end in task.whole.ends)
        return (
            ""
            if held and places == 1
            else f"{self.strategy} breaks a constraint: {task.constraints}."
        )

    @property
    def rule(self) -> Rule:
        return Rule((), (REVIEW,))

    @property
    def cuts(self) -> FloatArray:
        return np.zeros(0)

    def part_flagged(self, part: int | None) -> FloatArray:
        return np.zeros(len(self.task.judged.of_part(part)))

    def part_reviewed(self, part: int | None) -> FloatArray:
        return np.ones(len(self.task.judged.of_part(part)))

    def part_losses(self, part: int) -> FloatArray:
        rows, some = self.task.judged.rows, self.task.judged.parts[part]
        relative = relative_costs(rows)
        # What a review itself costs is the same for each case, whatever its amounts.
        amounts = np.ones(len(some)) if relative is None else relative[some]
        negatives, positives = self.task.reviewing_all(amounts)
        return np.asarray(CASES * np.where(rows.positive[some], positives, negatives))

    def apparent_of(self, part: int | None) -> float:
        negatives, positives = self.task.reviewing_all(np.ones(1)).ravel().tolist()
        return float(CASES * (negatives + positives + self.task.conditions.constant))

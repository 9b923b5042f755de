"""Thresholds that segments learn from their own rows, held-out as all rules are."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from costspace.arrays import FloatArray, FrozenDict, IndexArray
from costspace.choices import Smoothed
from costspace.decision.asking import held_out_for
from costspace.decision.evidence.money_sample import MoneySample
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.held_out.holdout import HeldOut
from costspace.decision.held_out.rows import HeldOutRows
from costspace.decision.limits.thresholds import rule_of
from costspace.decision.money.costed import CostedScores
from costspace.decision.rules.actions import chances_of
from costspace.decision.task import Task
from costspace.deployment.conditions import BALANCED
from costspace.errors import LabelError
from costspace.single import doubles


class OwnThreshold(NamedTuple):
    """What the rows of a segment say of the cost of a threshold that others of them chose."""

    losses: FloatArray  # as the row losses of strategies
    selection: float  # how much less it seems to cost on the rows that it is learnt on


def why_none(fit: FittedStrategy) -> str:
    """Why segments have no thresholds of their own beside what is stated; "" if they may."""
    strategy, task = fit.strategy, fit.task
    if strategy.model not in task.models:
        return "what is stated looks at no scores"
    if task.limits or task.constraints.of_reviewed:
        return "limits are of all cases together"
    if strategy.reviews or fit.rule is None or fit.rule.by != "score":
        return "what is stated is not one threshold"
    return ""


def own_thresholds(
    task: Task, model: str, samples: Sequence[MoneySample | None]
) -> list[OwnThreshold | None]:
    """A threshold for each sample of a segment; None where its rows, or groups, are too few."""
    found: list[OwnThreshold | None] = []
    for sample in samples:
        try:
            found.append(None if sample is None else _learnt(task, model, sample))
        except LabelError:
            found.append(None)
    return found


def _learnt(task: Task, model: str, sample: MoneySample) -> OwnThreshold:
    """A threshold for one model that is learnt from a segment, judged by folds of its rows."""
    rows = task.judged.rows.take(sample.counts)
    rows = replace(rows, scores=FrozenDict({model: rows.scores[model]}))
    if task.together is None:
        held_out: HeldOut = held_out_for(rows, weights=task.judged_weights)
    else:
        held_out = HeldOutRows(rows, None, [task.judged.fold[sample.counts]], task.judged_weights)
    scores, positive = doubles(rows.scores[model]), rows.positive
    negative_stake, positive_stake = sample.stakes
    skew = negative_stake / (negative_stake + positive_stake)

    def losses(learnt_on: CostedScores, some: IndexArray) -> FloatArray:
        choice = Smoothed()
        table = learnt_on.with_prevalence(BALANCED).looked_at(choice)
        flagged = rule_of(choice, table, skew).flagged(scores[some])
        return task.losses_of(positive[some], chances_of(flagged))

    judged, splits = held_out.judged, held_out.of(model).splits
    found = judged.joined(lambda k: losses(splits[k].train, judged.parts[k]))
    apparent = losses(held_out.whole(model), np.arange(len(rows)))
    return OwnThreshold(found, max(sample.mean(found - apparent), 0.0))

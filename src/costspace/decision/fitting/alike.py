"""Strategies that do the same on all rows, and in which order equal ones are taken."""

from collections.abc import Mapping, Sequence

import numpy as np

from costspace.arrays import FloatArray
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.rules.cuts import ROUNDING
from costspace.decision.strategy import FLAG_EVERYBODY, Strategy
from costspace.decision.task import Task
from costspace.deployment.conditions import BALANCED
from costspace.samples.copies import are_copies

# Ties of a copy in single precision change the AUC by less.
_SAME_AUC = 1e-4


def simplest_first(fits: Sequence[FittedStrategy]) -> list[FittedStrategy]:
    """Strategies in the order in which equal ones are taken, in whatever order they are given.

    Flagging nobody comes first, then everybody, reviewing everybody, the rule in use, and then what
    learns least from labelled rows: a queue, a threshold by formula, a learnt one; each without a
    review before the same with it. Of one ranking on several scales the nearest to probabilities is
    first, whatever its name; last decide the names.
    """
    return sorted(fits, key=_place)


def _place(fit: FittedStrategy) -> tuple[int, str, float, str]:
    strategy, task = fit.strategy, fit.task
    if strategy.model is None:
        return 2 * strategy.reviews + (strategy == FLAG_EVERYBODY), "", 0.0, ""
    if strategy == task.baseline:
        return 3, "", 0.0, ""
    if strategy.choice.share_flagged is not None:
        learns = 4
    else:
        learns = 6 if strategy.choice.threshold_at(BALANCED, BALANCED) is None else 5
    return (
        2 * learns + strategy.reviews,
        strategy.name,
        task.brier_scores[strategy.model],
        strategy.model,
    )


def groups_alike(fits: Sequence[FittedStrategy]) -> list[list[FittedStrategy]]:
    """Strategies of one task, in groups that do the same on all rows."""
    groups: list[list[FittedStrategy]] = []
    apparent = {fit.strategy: fit.apparent_of(None) for fit in fits}
    for fit in fits:
        joined, others = [fit], []
        for group in groups:
            if any(_are_alike(fit, one, apparent) for one in group):
                joined += group
            else:
                others.append(group)
        groups = [*others, joined]
    return groups


def copies_of(task: Task, model: str) -> frozenset[str]:
    """The models whose scores are those of one, but for what single precision loses; itself too."""
    if model not in task.models:
        return frozenset({model})
    rows = task.judged.rows.scores
    if task.judged.cuts is None:
        return frozenset(name for name in task.models if are_copies(rows[model], rows[name]))
    return frozenset(name for name in task.models if _are_counted_alike(task, model, name))


def _are_counted_alike(task: Task, a: str, b: str) -> bool:
    """The same of rows that are counted together, whose scores are the thresholds between them."""
    one, other = (task.models[model].rows for model in (a, b))
    own, others = (np.unique(table.by_score.breaks.astype(np.float32)) for table in (one, other))
    return are_copies(own, others) and abs(one.auc - other.auc) < _SAME_AUC and _agree(task, a, b)


def _are_alike(
    one: FittedStrategy, other: FittedStrategy, apparent: Mapping[Strategy, float]
) -> bool:
    """Whether two do the same on all rows: what is chosen on all, and what is judged held-out.

    Thresholds that a choice learns of two rankings which nowhere disagree are the same, and what
    they do to held-out rows between two scores of the others is a matter of the scale. So is what
    the ties of a copy in single precision move. Who flags everybody, or nobody, costs what that
    costs, however it was learnt.
    """
    a, b, task = one.strategy, other.strategy, one.task
    same_way = (a.choice, a.passing, a.known, a.places) == (b.choice, b.passing, b.known, b.places)
    learnt = same_way and a.choice.by_rank
    models = [model for model in (a.model, b.model) if model is not None]
    copies = learnt and len(models) == 2 and models[1] in copies_of(task, models[0])
    # What does the same costs the same: most are told apart by that.
    differ = abs(apparent[a] - apparent[b]) > ROUNDING * max(map(abs, task.trivial.values()))
    if differ and not copies:
        return False
    if one.same_for_all and other.same_for_all:
        return _act_alike(one, other)
    if copies:
        return True
    if learnt and len(models) == 2 and _work_alike(one, other):
        return _agree(task, models[0], models[1])
    return (
        _equal(task, one.row_losses, other.row_losses)
        and _equal(task, one.flagged, other.flagged)
        and _equal(task, one.reviewed, other.reviewed)
        and _act_alike(one, other)
    )


def _act_alike(one: FittedStrategy, other: FittedStrategy) -> bool:
    """Whether what is chosen on all rows does the same with each held-out one."""
    same = _equal(one.task, one.part_flagged(None), other.part_flagged(None))
    return same and _equal(one.task, one.part_reviewed(None), other.part_reviewed(None))


def _work_alike(one: FittedStrategy, other: FittedStrategy) -> bool:
    """Whether what is chosen on all rows flags as many of either class."""
    a, b = one.rule, other.rule
    if a is None or b is None or a.queued or one.strategy.reviews:
        return _act_alike(one, other)
    models = one.task.models
    at, there = (
        a.on(models[one.strategy.whose_scores].rows),
        b.on(models[other.strategy.whose_scores].rows),
    )
    return bool(np.allclose([at.fpr, at.fnr], [there.fpr, there.fnr], rtol=0, atol=ROUNDING))


def _agree(task: Task, a: str, b: str) -> bool:
    """Whether no two rows are ranked one way by a model and the other way by another."""
    counts = task.judged.rows.counts
    first, second = (task.judged_scores(model)[counts] for model in (a, b))
    ordered = second[np.lexsort((second, first))]
    return bool(np.all(ordered[1:] >= ordered[:-1]))


def _equal(task: Task, a: FloatArray, b: FloatArray) -> bool:
    """Whether values of the held-out rows are the same, but for rounding."""
    counts = task.judged.rows.counts
    scale = np.max(np.abs(a), initial=1.0)
    return bool(np.all(np.abs(a[counts] - b[counts]) <= ROUNDING * scale))

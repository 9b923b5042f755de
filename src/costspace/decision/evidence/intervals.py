"""Intervals for what each strategy costs, and for what it costs more than the best."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from costspace.decision.evidence.money_evidence import (
    SAME,
    MoneyDifference,
    MoneyEvidence,
    StrategyMoney,
)
from costspace.decision.evidence.money_sample import MoneySample, without_interval
from costspace.decision.fitting.choosing import Choosing, Priced
from costspace.errors import LabelError, ScoreError
from costspace.estimates.multiplicity import adjusted_p

# Holm's steps count on the best way being told from the recommended one last.
_CORRECTION = "bonferroni"
# Where each model is compared with the rule in use, which nobody chose, they do not.
_CORRECTION_IN_USE = "holm"


def evidence_of(choosing: Choosing) -> MoneyEvidence:
    """What each strategy costs, and what that is more than what is chosen, with intervals.

    What does the same on all rows as another has the money of that, and is compared with nothing by
    itself.
    """
    task, best = choosing.task, choosing.priced(choosing.best)
    sample = MoneySample.of(task)
    priced = [choosing.priced(fit) for fit in choosing.distinct]
    design = "independent" if task.estimated else "stratified"
    rest = (task.level, _CORRECTION, design, sample.n)
    last = (sample.money.units, best.selection, choosing.margin)
    try:
        sample.check_units()
        found = [
            sample.money_of(one, None if one.fit is best.fit else _more(sample, one, choosing))
            for one in priced
        ]
    except (LabelError, ScoreError) as error:
        bare = _with_alike([without_interval(one) for one in priced], choosing)
        return MoneyEvidence(bare, *rest, str(error), *last)
    adjusted = [_as_compared(one, sample, choosing) for one in _adjusted(found)]
    return MoneyEvidence(_with_alike(adjusted, choosing), *rest, None, *last)


def _more(sample: MoneySample, one: Priced, choosing: Choosing) -> MoneyDifference:
    """What one costs more than what is chosen; no p of models that can do the same as that."""
    more = sample.difference(one, choosing.priced(choosing.best))
    if one.strategy.model not in choosing.own_models:
        return more
    return replace(more, p=np.nan, p_adjusted=np.nan)


def _with_alike(found: Sequence[StrategyMoney], choosing: Choosing) -> tuple[StrategyMoney, ...]:
    """The same for every strategy, those that do the same on all rows as another with its money."""
    known, all_of = {one.strategy: one for one in found}, []
    for fit in choosing.fits:
        first = choosing.stands_for[fit.strategy]
        one = known[first.strategy]
        if fit is not first:
            own = SAME if first is choosing.best and one.method != "none" else one.more
            same = replace(one, strategy=fit.strategy, rule=fit.rule, more=own)
            one = replace(same, same_as=first.strategy)
        all_of.append(one)
    return tuple(all_of)


def _as_compared(one: StrategyMoney, sample: MoneySample, choosing: Choosing) -> StrategyMoney:
    """The same; the rule in use is compared with the best of each model only, by Holm's steps."""
    use, task = choosing.strategy, choosing.task
    if one.strategy != task.baseline or one.more is None or np.isnan(one.more.p) or not use.model:
        return one
    in_use = next(choosing.priced(fit) for fit in choosing.fits if fit.strategy == one.strategy)
    more = {
        model: sample.difference(in_use, choosing.priced(fit))
        for model, fit in choosing.of_models.items()
    }
    # A model whose threshold is in use has no p, and so nothing that allows for the others.
    tested = {model: found.p for model, found in more.items() if not np.isnan(found.p)}
    adjusted = adjusted_p(list(tested.values()), _CORRECTION_IN_USE)
    p = dict(zip(tested, adjusted.tolist(), strict=True))
    return replace(one, more=replace(one.more, p_adjusted=p[use.model]))


def _adjusted(found: Sequence[StrategyMoney]) -> tuple[StrategyMoney, ...]:
    """The same, p-values of other models adjusted for how many there are.

    Whether a model is worth using at all is asked of flagging nobody and everybody, whatever
    others do: those comparisons are not of the family.
    """
    family = [one.more.p for one in found if one.more is not None and one.in_family]
    adjusted = iter(adjusted_p(family, _CORRECTION).tolist())
    return tuple(
        replace(one, more=replace(one.more, p_adjusted=next(adjusted)))
        if one.more is not None and one.in_family
        else one
        for one in found
    )

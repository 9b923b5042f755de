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
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.strategy import Strategy
from costspace.errors import LabelError, ScoreError
from costspace.inference.multiplicity import adjusted_p

# Holm's steps count on the best way being told from the recommended one last.
_CORRECTION = "bonferroni"
# Where each is compared with one that nobody chose they do not.
_CORRECTION_ALONE = "holm"


def evidence_of(choosing: Choosing) -> MoneyEvidence:
    """Intervals for strategies that are feasible, and for what each costs more than what is chosen.

    What is chosen has the money of the whole way to it. What does the same on all rows as another
    has the money of that, and is compared with nothing by itself.
    """
    task, best, fits = choosing.task, choosing.best, choosing.distinct
    sample = MoneySample.of(task)
    units, found = sample.money.units, []
    rest = (task.level, _CORRECTION, "stratified", sample.n)
    try:
        sample.check_units()
        for fit in fits:
            more = None if fit is best else _more(sample, fit, choosing)
            found.append(sample.money_of(fit, choosing if fit is best else fit, more))
    except (LabelError, ScoreError) as error:
        bare = _with_alike(_bare(fits, choosing), choosing)
        own = without_interval(best, best.money or 0.0) if choosing.is_lucky else None
        last = choosing.selection, None, own
        return MoneyEvidence(bare, *rest, str(error), units, *last)
    alone = _alone(sample, choosing)
    adjusted = _with_alike(_with_alone(_adjusted(found), task.baseline, alone), choosing)
    own = None
    if choosing.is_lucky:
        own = sample.money_of(best, best)
    return MoneyEvidence(adjusted, *rest, None, units, choosing.selection, alone, own)


def _more(sample: MoneySample, fit: FittedStrategy, choosing: Choosing) -> MoneyDifference:
    """What one costs more than what is chosen.

    Luck in choosing counts in what is saved against what needs no model and the rule in use. What
    another model costs more is of the two rules themselves, with the interval and the p of the
    whole way to the chosen one.
    """
    more, best = sample.difference(fit, choosing), choosing.best
    given = fit.strategy.model is None or fit.strategy == choosing.task.baseline
    if given or not choosing.is_lucky:
        return more
    own = sample.difference(fit, best)
    if own.none:
        return replace(own, p=more.p, p_adjusted=more.p_adjusted)
    luck = own.difference - more.difference
    return replace(more, difference=own.difference, low=more.low + luck, high=more.high + luck)


def _alone(sample: MoneySample, choosing: Choosing) -> MoneyDifference | None:
    """What the rule in use costs more than the chosen model, were that the only one."""
    baseline, use = choosing.task.baseline, choosing.strategy
    in_use = [fit for fit in choosing.fits if fit.strategy == baseline]
    own: dict[str, list[FittedStrategy]] = {}
    for fit in choosing.distinct:
        if fit.strategy.model is not None and fit.strategy != baseline:
            own.setdefault(fit.strategy.model, []).append(fit)
    if not in_use or use == baseline or use.model is None or len(own) < 2:
        return None
    ways = {name: Choosing(tuple(fits)) for name, fits in own.items()}
    found = {name: sample.difference(in_use[0], way) for name, way in ways.items()}
    # A model whose threshold is in use has no p, and so nothing that allows for the others.
    tested = {name: more.p for name, more in found.items() if not np.isnan(more.p)}
    adjusted = dict(zip(tested, adjusted_p(list(tested.values()), _CORRECTION_ALONE), strict=True))
    if use.model not in adjusted:
        return None
    return replace(found[use.model], p_adjusted=float(adjusted[use.model]))


def _with_alone(
    found: Sequence[StrategyMoney], baseline: Strategy | None, alone: MoneyDifference | None
) -> tuple[StrategyMoney, ...]:
    """The same; where every part chooses the model, the rule in use is compared with models only.

    Then it is one difference, which allows for as many comparisons as there are models.
    """
    return tuple(
        replace(one, more=replace(one.more, p_adjusted=alone.p_adjusted))
        if alone is not None
        and one.more is not None
        and one.strategy == baseline
        and one.more.difference == alone.difference
        else one
        for one in found
    )


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


def _bare(fits: Sequence[FittedStrategy], choosing: Choosing) -> tuple[StrategyMoney, ...]:
    """What each strategy costs, without intervals."""
    return tuple(
        without_interval(fit, choosing.money if fit is choosing.best else fit.money or 0.0)
        for fit in fits
    )


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

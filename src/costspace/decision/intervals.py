"""Intervals for what each strategy costs, and for what it costs more than the best."""

from collections.abc import Sequence
from dataclasses import replace

from costspace.decision.choosing import Choosing
from costspace.decision.evidence import MoneyEvidence, StrategyMoney
from costspace.decision.fitted import FittedStrategy
from costspace.decision.money_sample import MoneySample, without_interval
from costspace.errors import LabelError, ScoreError
from costspace.inference.multiplicity import adjusted_p

# Holm's steps count on the best way being told from the recommended one last.
_CORRECTION = "bonferroni"


def evidence_of(choosing: Choosing) -> MoneyEvidence:
    """Intervals for strategies that are feasible, and for what each costs more than what is chosen.

    What is chosen has the money of the whole way to it.
    """
    task, best, fits = choosing.task, choosing.best, choosing.fits
    sample = MoneySample.of(task)
    units, found = sample.money.units, []
    rest = (task.level, _CORRECTION, "stratified", sample.n)
    try:
        sample.check_units()
        for fit in fits:
            more = None if fit is best else sample.difference(fit, choosing)
            found.append(sample.money_of(fit, choosing if fit is best else fit, more))
    except (LabelError, ScoreError) as error:
        bare = _bare(fits, choosing)
        return MoneyEvidence(bare, *rest, str(error), units, choosing.selection)
    return MoneyEvidence(_adjusted(found), *rest, None, units, choosing.selection)


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

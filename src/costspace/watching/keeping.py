"""What keeping a rule costs on a later sample: the rule, and how it is priced."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from costspace.decision.applying.saved import SavedDecision
from costspace.decision.deciding import decide
from costspace.decision.decision import Decision
from costspace.decision.evidence.money_evidence import SAME, MoneyDifference, MoneyEvidence
from costspace.decision.evidence.money_sample import MoneySample
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.fitting.fitted import FittedStrategy
from costspace.decision.limits.constraints import Constraints
from costspace.decision.rules.between import reviewed_between
from costspace.decision.rules.rule import Rule
from costspace.decision.strategy import TRIVIAL, Strategy
from costspace.errors import InfeasibleError, without_data_warnings
from costspace.watching.divided import divided
from costspace.watching.kept_by_segment import KeptBySegment
from costspace.watching.kept_rule import kept_rule
from costspace.watching.money_drift import MoneyDrift
from costspace.watching.pricing_segments import kept_by_segment
from costspace.watching.segment_pairs import Divided


def money_drift(
    before: Any,
    after: Any,
    known: Mapping[str, Any],
    *,
    decision: SavedDecision | Decision | None,
    level: float,
    segments: Divided | None = None,
) -> tuple[MoneyDrift, KeptBySegment | None]:
    """What keeping the rule of a decision costs on a later sample, or that of one made before.

    Parameters
    ----------
    known : mapping
        What is known of costs and prevalence, as `decide` takes it.
    segments : Divided, optional
        The segments of both, which are rows then, to tell it in each.
    """
    # What is to be said of the scores is in what has changed.
    with without_data_warnings():
        kept = kept_rule(before, known, decision, level)
        rows, first = divided(after, "after", kept.model), kept.first
        later = decide(
            rows, baseline=kept.in_use, constraints=kept.constraints, level=level, **kept.known
        )
        found = _priced(later, kept.rule)
        if segments is None:
            return found, None
        if first is None:
            rows = divided(before, "before", kept.model)
            first = decide(rows, baseline=kept.in_use, level=level, **kept.known)
            was = first.task.baseline or found.kept.strategy
        else:
            was = cast(Strategy, first.strategy)
        on = cast(Choosing, first.choosing), cast(Choosing, later.choosing)
        return found, kept_by_segment((on[0], was), (on[1], found.kept.strategy), segments)


def _priced(later: Decision, rule: Rule) -> MoneyDrift:
    """What a rule costs beside the best that a decision compares it with."""
    choosing, evidence = later.choosing, later.evidence
    if choosing is None or evidence is None:
        raise InfeasibleError(
            "nothing keeps to the limits of the decision on the rows after: give costs instead, "
            "which ask for no limits."
        )
    kept = later.task.baseline or _trivial(rule)
    own = next(fit for fit in choosing.fits if fit.strategy == kept)
    best = choosing.cheapest([fit for fit in choosing.fits if fit is not own])
    money = {one.strategy: one for one in evidence.strategies}
    return MoneyDrift(
        rule=rule,
        kept=money[kept],
        best=money[best.strategy],
        saving=_saving(later, own, best),
        broken=_broken(own),
        level=later.level,
        n=evidence.n,
        basis=later.basis,
        assumptions=later.task.assumptions,
        reason=evidence.reason,
    )


def _saving(later: Decision, kept: FittedStrategy, best: FittedStrategy) -> MoneyDifference:
    """What one strategy costs more than another."""
    choosing, evidence = cast(Choosing, later.choosing), cast(MoneyEvidence, later.evidence)
    one, other = choosing.priced(kept), choosing.priced(best)
    if one.judged is other.judged:
        return SAME
    if evidence.reason is not None:
        return MoneyDifference.without_interval(one.money - other.money)
    return MoneySample.of(choosing.task).difference(one, other)


def _trivial(rule: Rule) -> Strategy:
    return next(strategy for strategy, own in TRIVIAL.items() if own == rule)


def _broken(kept: FittedStrategy) -> tuple[str, ...]:
    """The limits that a rule does not keep to on the rows, in words."""
    task, steps = kept.task, (kept.passing.rule, kept.flagging.rule)
    limits, p = task.constraints, task.conditions.mean_prevalence
    table = next(iter(task.models.values())).rows
    acted, flagged = (cast(Rule, rule).on(table) for rule in steps)
    alone: dict[str, Any] = {name: {name: limit} for name, limit in limits.limits.items()}
    of_each = {name: Constraints(**one) for name, one in alone.items()}
    return tuple(
        limits.sentence(name)
        for name, one in of_each.items()
        if not one.of_flagged.holds(flagged, p).all()
        or not one.of_reviewed.holds(reviewed_between(acted, flagged), p).all()
    )

"""Does a model save money? Models two at a time, each used as well as it can be."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from inspect import Parameter, Signature, signature
from itertools import combinations
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FrozenDict, underflow_to_zero
from costspace.decision.comparing.money_comparison import MoneyComparison, Sides, sides_of
from costspace.decision.deciding import decide
from costspace.decision.decision import Decision
from costspace.decision.evidence.money_evidence import (
    SAME,
    MoneyDifference,
    MoneyEvidence,
    StrategyMoney,
)
from costspace.decision.evidence.money_sample import MoneySample
from costspace.decision.fitting.alike import copies_of
from costspace.decision.fitting.choosing import Choosing, Priced
from costspace.decision.held_out.holdout import HeldOut
from costspace.decision.strategy import BASELINE, Strategy
from costspace.errors import ConditionError, InfeasibleError
from costspace.estimates.multiplicity import adjusted_tests, check_correction
from costspace.samples.rows import NamedScores, ScoredRows

_Function = TypeVar("_Function", bound=Callable[..., Any])


def _with_options_of(other: Callable[..., Any]) -> Callable[[_Function], _Function]:
    """Show the options of a function in the signature of one that hands them on."""

    def shown(function: _Function) -> _Function:
        own = [
            one
            for one in signature(function).parameters.values()
            if one.kind is not Parameter.VAR_KEYWORD
        ]
        options = [
            one
            for one in signature(other).parameters.values()
            if one.kind is Parameter.KEYWORD_ONLY
        ]
        vars(function)["__signature__"] = Signature([*own, *options])
        return function

    return shown


@_with_options_of(decide)
def compare_money(
    y_true: ArrayLike | ScoredRows | HeldOut,
    y_score: NamedScores | None = None,
    *,
    correction: str | None = "holm",
    **options: Any,
) -> MoneyComparison:
    """Compare the costs of models, two at a time, or each with the rule in use.

    Parameters
    ----------
    y_true, y_score, options
        As `decide` has them: what decisions cost, as `fp_cost` and `fn_cost`, `conditions` or
        `case_costs`, is needed. There are two models or more, or one and a `baseline`: every model
        is compared with that then, and not with the others.
    correction : {"holm", "bonferroni"} or None
        How p-values are adjusted for there being several pairs.

    Returns
    -------
    MoneyComparison

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        As `decide` does, or if there is one model to compare.
    InfeasibleError
        If too few models keep to the constraints for a comparison.

    Notes
    -----
    Costs are those of `decide`: each row is judged by thresholds that were fitted without it, and
    the cost of every model has the same margin for choosing among strategies, so that it is in no
    difference between them. Losses are paired row by row. Degrees of freedom are those of Welch;
    for rows that choose for each other, half the square of what either model seems to cost less on
    the rows that it is fitted on is added to the variance: Varma and Simon (2006), BMC
    Bioinformatics 7.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> rng = np.random.default_rng(0)
    >>> y = np.tile([0, 0, 0, 1], 100)
    >>> scores = {"new": 1.5 * y + rng.normal(size=400), "old": 0.5 * y + rng.normal(size=400)}
    >>> cs.compare_money(y, scores, fp_cost=1, fn_cost=5, prevalence=0.2).text
    'new saves 279 per 1,000 cases against old (144 to 413; p below 0.001).'
    """
    check_correction(correction)
    return compared(decide(y_true, y_score, **options), correction)


@underflow_to_zero
def compared(decision: Decision, correction: str | None = "holm") -> MoneyComparison:
    """What the models of a decision save against each other, or against the rule in use."""
    if len(decision.task.models) < 2 and decision.task.baseline is None:
        raise ConditionError(
            "there is one model to compare: give the scores of two, or the rule in use (baseline)."
        )
    notes, choosing, evidence = _left_out(decision), decision.choosing, decision.evidence
    entrants, pairs = [], {}
    if choosing is not None and evidence is not None:
        entrants = _entrants(choosing, evidence)
        pairs = _pairs(choosing, evidence, entrants)
    if not pairs:
        name, why = next(iter(notes.items()))
        raise InfeasibleError(f"too few models can be compared: {name}, {why}")
    strategies = [one.money for one in entrants]
    tests = [
        None if np.isnan(one.p) or both[0] == both[1] else tuple(sorted(both))
        for one, both in zip(pairs.values(), sides_of(pairs, strategies), strict=True)
    ]
    adjusted = adjusted_tests(pairs.values(), tests, correction)
    return MoneyComparison(
        decision=decision,
        pairs=FrozenDict(zip(pairs, adjusted, strict=True)),
        strategies=strategies,
        correction=correction,
        notes=FrozenDict(notes),
    )


class _Entrant(NamedTuple):
    """What is deployed of a model, or the rule in use, and what that costs.

    It has the cost of the first model, by name, that does the same on all rows.
    """

    name: str
    priced: Priced
    money: StrategyMoney


def _left_out(decision: Decision) -> dict[str, str]:
    """Why models that do not keep to the constraints are compared with none."""
    notes, use = {}, decision.task.baseline
    for model in decision.task.models:
        own = [one for one in decision.fits if one.strategy.model == model and one.strategy != use]
        if not any(one.feasible for one in own):
            notes[model] = own[0].reason if own else "no choice suits its scores."
    return notes


def _entrants(choosing: Choosing, evidence: MoneyEvidence) -> list[_Entrant]:
    """The best of each model, the rule in use last."""
    models, found = choosing.of_models, []
    known = {one.strategy: replace(one, more=None) for one in evidence.strategies}
    first: dict[Strategy, str] = {}
    same: dict[str, str] = {}
    for name in sorted(models):
        alike = first.setdefault(choosing.stands_for[models[name].strategy].strategy, name)
        copied = [one for one in same if one in copies_of(choosing.task, name)]
        same[name] = same[copied[0]] if copied else alike
    for name in choosing.task.models:
        if name in models:
            fit, use = models[name], models[same[name]].strategy
            priced = replace(choosing.priced(fit), judged=choosing.stands_for[use])
            as_first = None if same[name] == name else use
            money = replace(known[use], strategy=fit.strategy, rule=fit.rule, same_as=as_first)
            found.append(_Entrant(name, priced, money))
    in_use = [one for one in choosing.fits if one.strategy == choosing.task.baseline]
    for one in in_use:
        money = replace(known[one.strategy], same_as=None)
        found.append(_Entrant(BASELINE, choosing.priced(one), money))
    return found


def _pairs(
    choosing: Choosing, evidence: MoneyEvidence, entrants: Sequence[_Entrant]
) -> dict[Sides, MoneyDifference]:
    """Who is compared with whom, and what the other costs more."""
    sample, use = MoneySample.of(choosing.task), choosing.task.baseline
    in_use = [(one, entrants[-1]) for one in entrants[:-1]]
    found = {}
    for one, other in combinations(entrants, 2) if use is None else in_use:
        if evidence.reason is not None:
            more = other.money.money - one.money.money
            difference = MoneyDifference.without_interval(more)
        elif one.priced.judged is other.priced.judged and other.money.strategy != use:
            difference = SAME
        else:
            difference = sample.difference(other.priced, one.priced)
        found[one.name, other.name] = difference
    return found

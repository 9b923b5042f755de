"""Does a model save money? Models two at a time, each used as well as it can be."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FrozenDict, Progress, underflow_to_zero
from costspace.choices.naming import Choices
from costspace.decision.asking import (
    asked_of,
    task_of,
    validation_rows,
    with_batches,
    with_decisions,
)
from costspace.decision.comparing.money_comparison import MoneyComparison, sides_of
from costspace.decision.comparing.saving import MoneySaving
from costspace.decision.evidence.money_evidence import SAME, StrategyMoney
from costspace.decision.evidence.money_sample import MoneySample, without_interval
from costspace.decision.fitting.alike import copies_of
from costspace.decision.fitting.choosing import Choosing, Priced
from costspace.decision.fitting.strategies import check_choices, fit, strategies_of
from costspace.decision.fitting.together import together
from costspace.decision.held_out.holdout import FOLDS, HeldOut
from costspace.decision.limits.constraints import Constraints
from costspace.decision.sentences.cautions import (
    carried_by_few,
    doubts_of_use,
    few_told,
    no_probabilities,
    turned_round,
)
from costspace.decision.sentences.recommended import stated_of
from costspace.decision.strategy import BASELINE, Strategy
from costspace.decision.task import Task
from costspace.deployment.conditions import JointConditions
from costspace.errors import ConditionError, InfeasibleError, LabelError, ScoreError
from costspace.inference.interval import check_level
from costspace.inference.multiplicity import adjusted_tests, check_correction
from costspace.inference.sampling_design import check_weights_are
from costspace.scores.case_costs import CaseCosts
from costspace.scores.rows import NamedScores, ScoredRows


@underflow_to_zero
def compare_money(
    y_true: ArrayLike | ScoredRows | HeldOut,
    y_score: NamedScores | None = None,
    *,
    conditions: JointConditions | None = None,
    case_costs: CaseCosts | None = None,
    prevalence: float | tuple[float, float] | None = None,
    constraints: Constraints = Constraints(),
    batch: ArrayLike | None = None,
    validation: tuple[ArrayLike, NamedScores] | ScoredRows | None = None,
    known: str | Iterable[str] = (),
    choices: Choices | None = None,
    baseline: tuple[str, float] | ArrayLike | None = None,
    calibrated_to: float | None = None,
    folds: int = FOLDS,
    level: float = 0.95,
    correction: str | None = "holm",
    weights: str = "sampling",
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> MoneyComparison:
    """Compare the costs of models, two at a time, or each with the rule in use.

    Parameters
    ----------
    y_true : array of shape (n,), or ScoredRows or HeldOut alone
        Labels of two classes; or rows that have everything, such as those of `read_rows`.
    y_score : array of shape (n, models), mapping of str to arrays, or data frame
        Scores of two models or more, of one if there is a baseline; higher meaning more positive.
    conditions : JointConditions
        What is known of costs and prevalence at deployment, such as a `Deployment`.
    case_costs : CaseCosts
        What decisions on each row cost, instead of `conditions`.
    prevalence : float or (low, high), optional
        Share of positives at deployment beside `case_costs`; by default it is estimated from the
        rows.
    constraints : Constraints, optional
        What every rule has to keep to.
    batch : int or array of shape (n,), optional
        How many cases the capacity is of, or the batch of each row, such as its day: a queue is cut
        in each batch, as `apply` does. The same as a `batch` of the constraints.
    validation : tuple of labels and scores, or ScoredRows, optional
        Rows to compare models on, whose thresholds are chosen on the others; by default they are
        compared on cross-validation folds.
    known : "costs", "prevalence", or both in a list
        What is known at each decision, as in `decide`.
    choices : sequence of ThresholdChoice, or mapping of str to such, optional
        How thresholds are set. One choice serves all models; of several each model has the one that
        costs least. By default those of `decide`.
    baseline : (model, threshold), str or array of shape (n,), optional
        The rule in use: scores of that model above the threshold are flagged; or what it decided,
        0 or 1 for each row, or the name of that among the scores. Every model is compared with it,
        and not with the others.
    calibrated_to : float in (0, 1), optional
        The prevalence that scores are calibrated to, if training was resampled; by default that
        of the rows.
    folds : int, default 5
        How many cross-validation folds, at least 2. Few rows are cut into folds several times.
    level : float in (0, 1)
        Confidence level of each interval.
    correction : {"holm", "bonferroni"} or None
        How p-values are adjusted for there being several pairs.
    weights : {"sampling", "counts"}
        What a weight w is: the inverse of a chance of being sampled, or w equal rows.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.
    groups : array of shape (n,), optional
        The cluster that a row belongs to (a patient, a customer); clusters are independent, rows
        of one need not be.

    Returns
    -------
    MoneyComparison

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order.
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
    >>> known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.2)
    >>> cs.compare_money(y, scores, conditions=known).text
    'new saves 279 per 1,000 cases against old (146 to 412; p below 0.001).'
    """
    checked = validation_rows(validation, pos_label)
    rows, joint = asked_of(
        y_true,
        y_score,
        conditions=conditions,
        prevalence=prevalence,
        validation=checked,
        pos_label=pos_label,
        sample_weight=sample_weight,
        case_costs=case_costs,
        groups=groups,
    )
    rows, in_use = with_decisions(rows, baseline, validated=validation is not None)
    task = task_of(
        rows,
        joint,
        constraints=with_batches(constraints, batch, rows),
        validation=checked,
        known=known,
        choices=choices,
        baseline=in_use,
        calibrated_to=calibrated_to,
        folds=folds,
        level=level,
        weights=weights,
    )
    return compare_on(task, asked=choices is not None, level=level, correction=correction)


@underflow_to_zero
def compare_on(
    task: Task,
    *,
    asked: bool,
    level: float = 0.95,
    correction: str | None = "holm",
    progress: Progress = lambda _: None,
) -> MoneyComparison:
    """`compare_money` of a task, whose choices were `asked` for or are the default ones."""
    check_level(level)
    check_correction(correction)
    check_weights_are(task.weights)
    if len(task.models) < 2 and task.baseline is None:
        raise ConditionError(
            "there is one model to compare: give the scores of two, or the rule in use (baseline)."
        )
    left_out = check_choices(task) if asked else no_probabilities(task)
    choosing, notes = _chosen(task, progress)
    entrants = _entrants(choosing)
    doubts = _doubts(task, choosing)
    in_use = [fit for fit in choosing.fits if fit.strategy == task.baseline]
    pairs = _pairs(task, entrants, notes)
    sample = MoneySample.of(choosing.task)
    plain = [choosing.priced(fit) for fit in choosing.fits if fit.strategy.model is None]
    savings, strategies, reason = _judged(sample, entrants, pairs)
    few = few_told(sample.money.units, clustered=sample.money.clustered)
    own = (text for fit in in_use for text in doubts_of_use(fit))
    carried, turned = carried_by_few(sample.money.rows), turned_round(task)
    warnings = ("" if reason else few, carried, turned, *own, *doubts, *left_out)
    stated = choosing.priced(stated_of(choosing, turned=turned))
    money_of = without_interval if reason else sample.money_of
    return MoneyComparison(
        pairs=_adjusted(savings, strategies, correction),
        strategies=strategies,
        margin=choosing.margin,
        level=level,
        correction=correction,
        n=sample.n,
        basis=str(task.held_out),
        trivial=tuple(map(money_of, plain)),
        stated=money_of(stated),
        assumptions=(*task.assumptions, *task.coarse),
        reason=reason,
        warnings=tuple(filter(None, warnings)),
        notes=FrozenDict(notes),
    )


class _Entrant(NamedTuple):
    """A model and what is deployed of it, or the rule in use.

    It has the cost of the first model, by name, that does the same on all rows.
    """

    name: str
    priced: Priced
    same_as: Strategy | None = None


def _chosen(task: Task, progress: Progress) -> tuple[Choosing, dict[str, str]]:
    """All that keeps to the constraints, as in `decide`; why other models do not."""
    strategies = list(strategies_of(task))
    fits = []
    for i, strategy in enumerate(strategies, start=1):
        fits.append(fit(strategy, task))
        progress(i / len(strategies))
    fits, notes = together(fits), {}
    for model in task.models:
        own = [one for one in fits if one.strategy.model == model and one.strategy != task.baseline]
        if not any(one.feasible for one in own):
            notes[model] = own[0].reason if own else "no choice suits its scores."
    return Choosing(tuple(one for one in fits if one.feasible)), notes


def _entrants(choosing: Choosing) -> list[_Entrant]:
    """The best of each model, the rule in use last."""
    models, found = choosing.of_models, []
    first: dict[Strategy, str] = {}
    same: dict[str, str] = {}
    for name in sorted(models):
        alike = first.setdefault(choosing.stands_for[models[name].strategy].strategy, name)
        copied = [one for one in same if one in copies_of(choosing.task, name)]
        same[name] = same[copied[0]] if copied else alike
    for name in choosing.task.models:
        if name in models:
            use = models[same[name]].strategy
            priced = replace(choosing.priced(models[name]), judged=choosing.stands_for[use])
            found.append(_Entrant(name, priced, None if same[name] == name else use))
    in_use = [one for one in choosing.fits if one.strategy == choosing.task.baseline]
    return [*found, *(_Entrant(BASELINE, choosing.priced(one)) for one in in_use)]


def _pairs(
    task: Task, entrants: Sequence[_Entrant], notes: dict[str, str]
) -> list[tuple[_Entrant, _Entrant]]:
    """Who is compared with whom; `InfeasibleError` if nobody is with anybody."""
    if task.baseline is not None:
        *models, in_use = entrants
        pairs = [(one, in_use) for one in models]
    else:
        pairs = list(combinations(entrants, 2))
    if not pairs:
        name, why = next(iter(notes.items()))
        raise InfeasibleError(f"too few models can be compared: {name}, {why}")
    return pairs


def _judged(
    sample: MoneySample,
    entrants: Sequence[_Entrant],
    pairs: Sequence[tuple[_Entrant, _Entrant]],
) -> tuple[list[MoneySaving], tuple[StrategyMoney, ...], str | None]:
    """What each pair saves and each entrant costs; why there are no intervals, if so."""
    try:
        sample.check_units()
        more = [
            SAME
            if one.priced.judged is other.priced.judged and other.name != BASELINE
            else sample.difference(other.priced, one.priced)
            for one, other in pairs
        ]
        savings = [
            MoneySaving.of(one.name, other.name, found)
            for (one, other), found in zip(pairs, more, strict=True)
        ]
        found = [sample.money_of(one.priced) for one in entrants]
        return savings, _with_same(found, entrants), None
    except (LabelError, ScoreError) as error:
        savings = [
            MoneySaving(
                one.name,
                other.name,
                other.priced.money - one.priced.money,
                *(np.nan,) * 5,
                "none",
            )
            for one, other in pairs
        ]
        bare = [without_interval(one.priced) for one in entrants]
        return savings, _with_same(bare, entrants), str(error)


def _with_same(
    found: Sequence[StrategyMoney], entrants: Sequence[_Entrant]
) -> tuple[StrategyMoney, ...]:
    """The same, with what does the same on all rows."""
    both = zip(found, entrants, strict=True)
    return tuple(replace(money, same_as=one.same_as) for money, one in both)


def _doubts(task: Task, choosing: Choosing) -> list[str]:
    """What speaks against reading the scores of each model as its choices do."""
    found = []
    for name, scores in task.models.items():
        own = [one.strategy for one in choosing.fits if one.strategy.model == name]
        table = scores.rows
        misfits = [one.choice.misfit(table) for one in own if one != task.baseline]
        if misfits:
            texts = dict.fromkeys(filter(None, (table.looks, table.rounded, *misfits)))
            found += [f"{name}: {text}" for text in texts]
    return found


def _adjusted(
    savings: Sequence[MoneySaving], strategies: Sequence[StrategyMoney], correction: str | None
) -> tuple[MoneySaving, ...]:
    tests = [
        None if np.isnan(one.p) or both[0] == both[1] else tuple(sorted(both))
        for one, both in zip(savings, sides_of(savings, strategies), strict=True)
    ]
    return tuple(adjusted_tests(savings, tests, correction))

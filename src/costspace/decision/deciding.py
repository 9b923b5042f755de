"""The verb: from predictions and what is known about deployment to a decision."""

from collections.abc import Iterable
from typing import Any

from numpy.typing import ArrayLike

from costspace.arrays import FrozenDict, Progress, underflow_to_zero
from costspace.checks import check_prevalence
from costspace.choices.doubts import warn_of_thresholds
from costspace.decision.choosing import Choosing
from costspace.decision.constraints import Constraints
from costspace.decision.costed import CostedScores
from costspace.decision.decision import Decision
from costspace.decision.holdout import FOLDS, hold_out
from costspace.decision.intervals import evidence_of
from costspace.decision.money import check_joint
from costspace.decision.recommendation import recommend
from costspace.decision.strategies import fit, strategies_of
from costspace.decision.strategy import (
    CASE,
    FLAG_EVERYBODY,
    FLAG_NOBODY,
    Choices,
    check_known,
    default_choices,
    named_choices,
    rule_in_use,
)
from costspace.decision.task import Task
from costspace.deployment.conditions import CASES, JointConditions
from costspace.deployment.deployment import Deployment
from costspace.errors import ConditionError, ScoreError, SourceError, brief
from costspace.inference.interval import check_level
from costspace.inference.sampling_design import check_weights_are
from costspace.scores.case_costs import CaseCosts
from costspace.scores.rows import NamedScores, ScoredRows

# Rows are cut into folds anew until so many have been judged, but not more often than this.
_ROWS_CUT, _MOST_REPEATS = 2_000, 10


@underflow_to_zero
def decide(
    y_true: ArrayLike | ScoredRows,
    y_score: NamedScores | None = None,
    *,
    conditions: JointConditions | None = None,
    case_costs: CaseCosts | None = None,
    prevalence: float | tuple[float, float] | None = None,
    constraints: Constraints = Constraints(),
    validation: tuple[ArrayLike, NamedScores] | ScoredRows | None = None,
    known: str | Iterable[str] = (),
    choices: Choices | None = None,
    baseline: tuple[str, float] | None = None,
    calibrated_to: float | None = None,
    folds: int = FOLDS,
    randomise: bool = False,
    level: float = 0.95,
    weights: str = "sampling",
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> Decision:
    """Decide which strategy to use, a model and its threshold, and what that will cost.

    Parameters
    ----------
    y_true : array of shape (n,), or ScoredRows alone
        Labels of two classes; or rows that have everything, such as those of `read_rows`.
    y_score : array of shape (n,) or (n, models), mapping of str to arrays, or data frame
        Scores of one model or of several, higher meaning more positive. One model without a
        name is called "y_score".
    conditions : JointConditions
        What is known of costs and prevalence at deployment, such as a `Deployment`.
    case_costs : CaseCosts
        What decisions on each row cost, instead of `conditions`.
    prevalence : float or (low, high), optional
        Share of positives at deployment beside `case_costs`; that of the rows by default.
    constraints : Constraints, optional
        What every rule has to keep to.
    validation : tuple of labels and scores, or ScoredRows, optional
        Rows to compare strategies on, whose thresholds are chosen on the others; by default they
        are compared on cross-fitted folds. `ScoredRows` may have weights and costs too, and
        must have costs beside `case_costs`.
    known : "costs", "prevalence", or both in a list
        What is known at each decision of what `conditions` give a range for. By default nothing
        is, so that one rule serves the whole range. With costs of each case costs are known.
    choices : sequence of ThresholdChoice, or mapping of str to such, optional
        What to compare for each model. By default its scores are trusted as probabilities
        (`ScoreDriven`), or a threshold is learnt from labelled rows (`Smoothed`); with a capacity
        the top share of the queue is flagged, too (`RateFixed`).
    baseline : (model, threshold), optional
        The rule in use, to compare with: scores of that model above the threshold are flagged.
    calibrated_to : float in (0, 1), optional
        The prevalence that scores are calibrated to, if training was resampled; by default that
        of the rows. Thresholds that trust the scores are corrected from it to deployment.
    folds : int, default 5
        How many cross-fitted folds, at least 2. Few rows are cut into folds several times.
    randomise : bool, default False
        Whether a rule may draw between two thresholds to reach a constraint exactly.
    level : float in (0, 1)
        Confidence level of the intervals for money on rows held out.
    weights : {"sampling", "counts"}
        What a weight w is: the inverse of a chance of being sampled, or w equal rows.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    sample_weight : array of shape (n,), optional
        Non-negative.
    groups : array of shape (n,), optional
        The cluster that a row belongs to (a patient, a customer); clusters are independent, rows
        of one need not be. Folds do not cut them. Validation rows need groups of their own.

    Returns
    -------
    Decision

    Raises
    ------
    LabelError, ScoreError, WeightError, ConditionError, SourceError
        If the input is not so. If nothing is feasible under the constraints the decision says it.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 7: which threshold choice
    method applies depends on what is known at deployment; Drummond and Holte (2006), Machine
    Learning 65, for the comparison over operating conditions.

    Examples
    --------
    >>> import costspace as cs
    >>> y = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1]
    >>> s = [0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.2)
    >>> decision = cs.decide(y, {"model": s}, conditions=known)
    >>> decision.trivial
    {'flag_nobody': 1000.0, 'flag_everybody': 800.0}
    """
    rows = _rows(
        y_true,
        y_score,
        pos_label=pos_label,
        sample_weight=sample_weight,
        case_costs=case_costs,
        groups=groups,
    )
    if conditions is None:
        conditions = conditions_of(rows, prevalence)
    elif case_costs is not None or prevalence is not None:
        what = "prevalence" if case_costs is None else "case_costs"
        raise ConditionError(f"conditions and {what} are both given: give one of them.")
    found = decide_rows(
        rows,
        conditions,
        constraints=constraints,
        validation=_validation_rows(validation, pos_label),
        choices=choices,
        known=known,
        baseline=baseline,
        calibrated_to=calibrated_to,
        folds=folds,
        randomise=randomise,
        level=level,
        weights=weights,
    )
    warn_of_thresholds(found.task.doubts)
    return found


@underflow_to_zero
def decide_rows(
    rows: ScoredRows,
    conditions: JointConditions,
    *,
    constraints: Constraints = Constraints(),
    validation: ScoredRows | None = None,
    known: str | Iterable[str] = (),
    choices: Choices | None = None,
    baseline: tuple[str, float] | None = None,
    calibrated_to: float | None = None,
    folds: int = FOLDS,
    randomise: bool = False,
    level: float = 0.95,
    weights: str = "sampling",
    path: str | None = None,
    progress: Progress = lambda _: None,
) -> Decision:
    """`decide` on validated rows; `progress` is told which share of the work is done."""
    check_joint(conditions)
    check_level(level)
    check_weights_are(weights)
    if not isinstance(constraints, Constraints):
        raise ConditionError(f"constraints must be Constraints, got {brief(constraints)}.")
    models = {name: CostedScores.from_rows(rows, name) for name in rows.scores}
    own = next(iter(models.values())).prevalence
    capacity = constraints.capacity
    if calibrated_to is not None:
        own = check_prevalence(calibrated_to, "calibrated_to")
    task = Task(
        rows,
        FrozenDict(models),
        hold_out(rows, validation, folds=folds, repeats=_repeats(len(rows))),
        FrozenDict(
            default_choices(own, capacity) if choices is None else named_choices(choices, own)
        ),
        own,
        conditions,
        check_known(known) | ({"costs", CASE} if rows.costs is not None else set()),
        constraints,
        randomise=randomise,
        level=level,
        baseline=None if baseline is None else rule_in_use(baseline, models),
    )
    strategies = list(strategies_of(task, asked=choices is not None))
    fits = []
    for i, strategy in enumerate(strategies, start=1):
        fits.append(fit(strategy, task))
        progress(i / len(strategies))
    trivial = {
        FLAG_NOBODY.name: CASES * (conditions.positive_stake + conditions.constant),
        FLAG_EVERYBODY.name: CASES * (conditions.negative_stake + conditions.constant),
    }
    feasible = [one for one in fits if one.feasible]
    every = Choosing(tuple(feasible))
    choosing = every if every.candidates else None
    evidence = None if choosing is None else evidence_of(choosing, level=level, weights=weights)
    basis = str(task.held_out)
    return Decision(
        recommendation=recommend(fits, choosing, evidence, trivial=trivial),
        fits=tuple(fits),
        choosing=choosing,
        evidence=evidence,
        trivial=FrozenDict(trivial),
        task=task,
        level=level,
        weights=weights,
        path=path,
        basis=basis,
        assumptions=_assumptions(task, basis),
    )


def _repeats(rows: int) -> int:
    """How often rows are cut into folds: the fewer there are, the more chance is in one cut."""
    return min(max(_ROWS_CUT // rows, 1), _MOST_REPEATS)


def _rows(y_true: ArrayLike | ScoredRows, y_score: NamedScores | None, **given: Any) -> ScoredRows:
    """The rows that are given, or those of labels and scores."""
    if not isinstance(y_true, ScoredRows):
        if y_score is None:
            raise SourceError("y_score is missing: give y_true and y_score, or ScoredRows.")
        return ScoredRows.from_predictions(y_true, y_score, **given)
    beside = [name for name, value in {"y_score": y_score, **given}.items() if value is not None]
    if beside:
        raise SourceError(f"ScoredRows have everything: leave out {' and '.join(beside)}.")
    return y_true


def conditions_of(
    rows: ScoredRows, prevalence: float | tuple[float, float] | None = None
) -> Deployment:
    """What rows with costs of their own say of deployment: the mean costs of each class."""
    if rows.costs is None:
        raise ConditionError(
            "what decisions cost is needed: give conditions, such as a Deployment, or case_costs."
        )
    means = rows.mean_costs
    return Deployment(
        means.fp_cost,
        means.fn_cost,
        rows.prevalence if prevalence is None else prevalence,
        tp_cost=means.tp_cost,
        tn_cost=means.tn_cost,
    )


def _validation_rows(
    given: tuple[ArrayLike, NamedScores] | ScoredRows | None, pos_label: object
) -> ScoredRows | None:
    if given is None or isinstance(given, ScoredRows):
        return given
    try:
        labels, scores = given
    except (TypeError, ValueError):
        raise ScoreError(
            f"validation must be a tuple of labels and scores, or ScoredRows, got {brief(given)}."
        ) from None
    return ScoredRows.from_predictions(labels, scores, pos_label=pos_label)


def _assumptions(task: Task, basis: str) -> tuple[str, ...]:
    """What was assumed of deployment, scores and rows, one sentence part each."""
    scores = f"scores are calibrated to a prevalence of {task.calibrated_to:.4g}"
    compared = f"strategies are compared on {basis}; costs per 1,000 cases are on all rows"
    said = (*task.conditions.assumptions, scores, compared)
    span = task.conditions.skew_range
    if span.low == span.high:
        return said
    plain, staked = (task.conditions.skews(staked=staked).mean() for staked in (False, True))
    skews = (
        f"skews from {span.low:.4g} to {span.high:.4g}, {plain:.4g} in the mean, and {staked:.4g} "
        "if conditions count by the money at stake, as they do here"
    )
    return (*said, skews)

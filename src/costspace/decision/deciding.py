"""The verb: from predictions and what is known about deployment to a decision."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from numpy.typing import ArrayLike

from costspace.arrays import FrozenDict, Progress, underflow_to_zero
from costspace.choices.doubts import warn_of_doubts
from costspace.choices.naming import Choices
from costspace.decision.asking import (
    asked_of,
    task_of,
    validation_rows,
    with_batches,
    with_decisions,
)
from costspace.decision.decision import Decision
from costspace.decision.evidence.intervals import evidence_of
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.fitting.strategies import fit, strategies_of
from costspace.decision.fitting.together import together
from costspace.decision.held_out.holdout import FOLDS, HeldOut
from costspace.decision.limits.constraints import Constraints
from costspace.decision.money.expected import check_joint
from costspace.decision.recommendation import recommend
from costspace.decision.sentences.cautions import left_out
from costspace.decision.task import Task
from costspace.deployment.amounts import Uncertain
from costspace.deployment.conditions import COSTS, JointConditions
from costspace.deployment.review import Review, check_actions
from costspace.samples.case_costs import CaseCosts
from costspace.samples.order import check_order
from costspace.samples.rows import NamedScores, ScoredRows


@underflow_to_zero
def decide(
    y_true: ArrayLike | ScoredRows | HeldOut,
    y_score: NamedScores | None = None,
    *,
    conditions: JointConditions | None = None,
    fp_cost: Uncertain = None,
    fn_cost: Uncertain = None,
    tp_cost: Uncertain = None,
    tn_cost: Uncertain = None,
    case_costs: CaseCosts | None = None,
    prevalence: Uncertain = None,
    review: Review | None = None,
    constraints: Constraints = Constraints(),
    batch: ArrayLike | None = None,
    validation: tuple[ArrayLike, NamedScores] | ScoredRows | None = None,
    known: str | Iterable[str] = (),
    choices: Choices | None = None,
    baseline: tuple[str, float] | tuple[str, float, float] | ArrayLike | None = None,
    calibrated_to: float | None = None,
    folds: int = FOLDS,
    randomise: bool = False,
    level: float = 0.95,
    weights: str = "sampling",
    actions: Sequence[str] | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
) -> Decision:
    """Decide which model and threshold to use, and what that costs.

    Parameters
    ----------
    y_true : array of shape (n,), or ScoredRows or HeldOut alone
        Labels of two classes; or rows that have everything, such as those of `read_rows`.
    y_score : array of shape (n,) or (n, models), mapping of str to arrays, or data frame
        Scores of one model or of several, higher meaning more positive. One model without a
        name is called "y_score".
    conditions : JointConditions
        What is known of costs and prevalence at deployment, such as a `Deployment`.
    fp_cost, fn_cost, tp_cost, tn_cost : float or (low, high)
        Instead of `conditions`, those of a `Deployment`. Correct decisions cost nothing by default.
    case_costs : CaseCosts
        What decisions on each row cost, instead of both.
    prevalence : float or (low, high), optional
        Share of positives at deployment, beside costs without `conditions`; by default it is
        estimated from the rows.
    review : Review, optional
        What it costs that a person looks at a case first, beside costs or `case_costs`; of
        `conditions` it is a part. Then cases are passed, reviewed or flagged.
    constraints : Constraints, optional
        What every rule has to keep to. With a review they are of what is flagged without one.
    batch : int or array of shape (n,), optional
        How many cases the capacity is of, or the batch of each row, such as its day: a queue is cut
        in each batch, as `apply` does. The same as a `batch` of the constraints.
    validation : tuple of labels and scores, or ScoredRows, optional
        Rows to compare strategies on, whose thresholds are chosen on the others; by default they
        are compared on cross-validation folds. `ScoredRows` may have weights and costs too, and
        must have costs beside `case_costs`.
    known : "costs", "prevalence", or both in a list
        What is known at each decision of what `conditions` give a range for. By default nothing
        is, so that one rule serves the whole range. With costs of each case costs are known.
    choices : sequence of ThresholdChoice, or mapping of str to such, optional
        What to compare for each model. By default its scores are trusted as probabilities
        (`ScoreDriven`), or a threshold is learnt from labelled rows (`Smoothed`); with a capacity
        the top share of the queue is flagged, too (`RateFixed`).
    baseline : (model, threshold), str or array of shape (n,), optional
        The rule in use, to compare with: scores of that model above the threshold are flagged.
        Or what it decided, 0 or 1 for each row, or the name of that among the scores. With a review
        it may be (model, low, high), which reviews scores above the one and flags those above the
        other; or "pass", "review" or "flag" for each row, or the `actions`, or 0, 0.5 and 1.
    calibrated_to : float in (0, 1), optional
        The prevalence that scores are calibrated to, if training was resampled; by default that
        of the rows. Thresholds that trust the scores are corrected from it to deployment.
    folds : int, default 5
        How many cross-validation folds, at least 2. Few rows are cut into folds several times.
    randomise : bool, default False
        Whether a rule may draw between two thresholds to reach a constraint exactly. A queue
        draws nothing: ties at its edge are left out.
    level : float in (0, 1)
        Confidence level of the intervals for money on held-out rows.
    weights : {"sampling", "counts"}
        What a weight w is: the inverse of a chance of being sampled, or w equal rows.
    actions : sequence of str, optional
        What to call passing and flagging, with a review passing, reviewing and flagging: as
        ("approve", "review", "decline"). Sentences and `apply` say it; JSON keeps pass and flag.
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
        For labels not of two classes, unusable scores, negative weights, options out of range or a
        table that does not fit, in this order. If nothing is feasible under the constraints the
        decision says it.

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
    >>> decision = cs.decide(y, {"model": s}, fp_cost=1, fn_cost=5, prevalence=0.2)
    >>> decision.trivial
    {'flag_nobody': 1000.0, 'flag_everybody': 800.0}
    """
    check_order([("y_true", y_true), ("batch", batch), ("baseline", baseline)])
    checked = validation_rows(validation, pos_label)
    rows, joint = asked_of(
        y_true,
        y_score,
        conditions=conditions,
        costs=dict(zip(COSTS, (fp_cost, fn_cost, tp_cost, tn_cost), strict=True)),
        prevalence=prevalence,
        review=review,
        validation=checked,
        pos_label=pos_label,
        sample_weight=sample_weight,
        case_costs=case_costs,
        groups=groups,
    )
    names = check_actions(actions, check_joint(joint).review)
    rows, in_use = with_decisions(rows, baseline, validated=validation is not None, names=names)
    task = task_of(
        rows,
        joint,
        constraints=with_batches(constraints, batch, rows),
        validation=checked,
        choices=choices,
        known=known,
        baseline=in_use,
        calibrated_to=calibrated_to,
        folds=folds,
        randomise=randomise,
        level=level,
        weights=weights,
        actions=actions,
    )
    found = decide_task(task)
    warn_of_doubts(task.doubts)
    return found


@underflow_to_zero
def decide_task(
    task: Task, *, path: str | None = None, progress: Progress = lambda _: None
) -> Decision:
    """`decide` on what is asked, from a file; `progress` is told the share that is done."""
    lacking, strategies = left_out(task), list(strategies_of(task))
    fits = []
    for i, strategy in enumerate(strategies, start=1):
        fits.append(fit(strategy, task))
        progress(i / len(strategies))
    fits = together(fits)
    every = Choosing(tuple(one for one in fits if one.feasible))
    choosing = every if every.candidates else None
    evidence = None if choosing is None else evidence_of(choosing)
    basis = str(task.held_out)
    return Decision(
        recommendation=recommend(fits, choosing, evidence, trivial=task.trivial, left_out=lacking),
        fits=tuple(fits),
        choosing=choosing,
        evidence=evidence,
        trivial=FrozenDict(task.trivial),
        task=task,
        path=path,
        basis=basis,
        assumptions=_assumptions(task, basis),
    )


def _assumptions(task: Task, basis: str) -> tuple[str, ...]:
    """What was assumed of deployment, scores and rows, one sentence part each."""
    scores = f"scores are calibrated to a prevalence of {task.calibrated_to:.4g}"
    compared = f"strategies are compared on {basis}: each row is judged by a rule that others chose"
    said = (*task.assumptions, scores, compared, *task.coarse)
    span = task.conditions.skew_range
    if span.low == span.high:
        return said
    mean = task.conditions.skews().mean()
    skews = f"skews from {span.low:.4g} to {span.high:.4g}, on average {mean:.4g}"
    return (*said, f"{skews}: conditions count by the money at stake")

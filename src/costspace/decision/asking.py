"""What is asked of a decision: rows, conditions and options become a task."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import BoolArray, FloatArray, FrozenDict
from costspace.checks import check_prevalence
from costspace.choices.naming import Choices
from costspace.decision.held_out.holding_out import hold_out
from costspace.decision.held_out.holdout import FOLDS, HeldOut
from costspace.decision.limits.constraints import Constraints
from costspace.decision.money.expected import check_joint
from costspace.decision.money.row_conditions import conditions_of
from costspace.decision.strategy import (
    CASE,
    Baseline,
    check_known,
    default_choices,
    named_choices,
    rule_in_use,
)
from costspace.decision.task import Task
from costspace.deployment.actions import ACTIONS, DECIDED
from costspace.deployment.amounts import Uncertain
from costspace.deployment.conditions import JointConditions
from costspace.deployment.deployment import Deployment
from costspace.deployment.review import Review, check_actions, check_review
from costspace.errors import ConditionError, ScoreError, SourceError, brief
from costspace.estimates.interval import check_level
from costspace.estimates.sampling_design import check_weights_are
from costspace.predictions import check_left_out, rows_of
from costspace.samples.case_costs import CaseCosts
from costspace.samples.rows import NamedScores, ScoredRows
from costspace.samples.validation import group_numbers, score_array
from costspace.samples.vectors import vector
from costspace.single import doubles

# What decisions that are given in an array are called.
IN_USE = "in use"
_OR_REVIEWED = ", and where cases are reviewed 0.5"
# Rows are cut into folds anew until so many have been judged, but not more often than this.
_ROWS_CUT, _MOST_REPEATS = 2_000, 10


def asked_of(
    y_true: ArrayLike | ScoredRows | HeldOut,
    y_score: NamedScores | None,
    *,
    conditions: JointConditions | None,
    costs: Mapping[str, Uncertain],
    prevalence: Uncertain,
    review: Review | None,
    validation: ScoredRows | None,
    **given: Any,
) -> tuple[ScoredRows | HeldOut, JointConditions]:
    """The rows that are given or made of labels, scores and more, and what is known of them."""
    if isinstance(y_true, HeldOut):
        check_left_out(y_true, y_score=y_score, **given)
        rows: ScoredRows | HeldOut = y_true
    else:
        # A decision answers later, when the caller may have changed the arrays.
        made = rows_of(y_true, y_score, **given)
        rows = made if made is y_true else made.own
    costs = {name: cost for name, cost in costs.items() if cost is not None}
    _check_one_way(conditions, given["case_costs"], costs, prevalence)
    check_review(review)
    if conditions is not None:
        if review is not None:
            raise ConditionError("review and conditions are both given: give it in conditions.")
        return rows, conditions
    if costs:
        return rows, Deployment(prevalence=prevalence, review=review, **costs)
    own = rows.rows if isinstance(rows, HeldOut) else rows
    return rows, conditions_of(own if validation is None else validation, prevalence, review)


def _check_one_way(
    conditions: JointConditions | None,
    case_costs: CaseCosts | None,
    costs: Mapping[str, Uncertain],
    prevalence: Uncertain,
) -> None:
    """Raise `ConditionError` if costs are given twice, or only those of one mistake."""
    first = dict(list(costs.items())[:1])
    ways = {"conditions": conditions, "case_costs": case_costs, **first}
    given = [name for name, what in ways.items() if what is not None]
    if conditions is not None and prevalence is not None:
        given.append("prevalence")
    if len(given) > 1:
        raise ConditionError(f"{given[0]} and {given[1]} are both given: give one of them.")
    for name in ("fp_cost", "fn_cost"):
        if costs and name not in costs:
            raise ConditionError(f"{name} is missing beside {' and '.join(costs)}.")


def task_of(
    rows: ScoredRows | HeldOut,
    conditions: JointConditions,
    *,
    constraints: Constraints = Constraints(),
    validation: ScoredRows | None = None,
    known: str | Iterable[str] = (),
    choices: Choices | None = None,
    baseline: Baseline | None = None,
    calibrated_to: float | None = None,
    folds: int = FOLDS,
    randomise: bool = False,
    level: float = 0.95,
    weights: str = "sampling",
    actions: Sequence[str] | None = None,
) -> Task:
    """What there is to decide on validated rows; options and errors are those of `decide`."""
    level = check_level(level)
    check_weights_are(weights)
    check_joint(conditions)
    if not isinstance(constraints, Constraints):
        raise ConditionError(f"constraints must be Constraints, got {brief(constraints)}.")
    decided, passed, reviews = baseline if isinstance(baseline, str) else None, 0, False
    if isinstance(rows, HeldOut):
        held_out: HeldOut = rows
        if validation is not None:
            raise SourceError(
                "rows that are divided already are judged so: leave out the validation rows."
            )
        if decided is not None:
            reviews = _check_decided(decided, rows)
    else:
        if decided is not None:
            reviews = check_decisions(decided, rows, validation)
        given = len(rows) + (0 if validation is None else len(validation))
        rows = rows.worth_flagging
        validation = None if validation is None else validation.worth_flagging
        passed = given - len(rows) - (0 if validation is None else len(validation))
        held_out = held_out_for(rows, validation, folds=folds, weights=weights)
    judged = held_out.rows if held_out.validation is None else held_out.validation
    models = {name: held_out.whole(name) for name in held_out.models if name != decided}
    if not models:
        raise ScoreError("there are no scores but decisions of the rule in use: give a model's.")
    own = next(iter(models.values())).prevalence
    if calibrated_to is not None:
        own = check_prevalence(calibrated_to, "calibrated_to")
    if choices is None:
        compared = default_choices(own, constraints.capacity, constraints.batch)
    else:
        compared = named_choices(choices, own)
    rows = held_out.rows
    task = Task(
        rows,
        FrozenDict(models),
        held_out,
        FrozenDict(compared),
        own,
        conditions.completed(judged.prevalence),
        check_known(known) | ({"costs", CASE} if rows.costs is not None else set()),
        constraints,
        randomise=randomise,
        level=level,
        estimated=not conditions.gives_prevalence,
        weights=held_out.weights or weights,
        baseline=None if baseline is None else rule_in_use(baseline, models, reviews=reviews),
        asked=choices is not None,
        names=check_actions(actions, conditions.review),
        passed=passed,
    )
    _check_reviewed(task)
    return task


def _check_reviewed(task: Task) -> None:
    """`ConditionError` if limits or draws are asked for that rules of three actions cannot keep."""
    places = task.constraints.of_reviewed
    if places and task.conditions.review is None:
        raise ConditionError(
            "review_capacity (--review-capacity) is how many cases can be reviewed: say what a "
            "review costs (review, --review-cost)."
        )
    _check_in_use(task)
    if not task.reviews:
        return
    if task.randomise:
        raise ConditionError(
            "a rule with a review draws nothing: leave out randomise (--randomise), or the review."
        )
    if task.sole_condition is None and (task.limits or places):
        raise ConditionError(
            "limits beside a review take one rule for all conditions: leave out what is known at "
            "each decision (known, --known), or the limits."
        )


def _check_in_use(task: Task) -> None:
    """`ConditionError` if the rule in use reviews cases, and nothing says what that comes to."""
    use, review = task.baseline, task.conditions.review
    if use is None or not use.reviews:
        return
    if review is None:
        raise ConditionError(
            "the rule in use reviews cases: say what a review costs (review, --review-cost)."
        )
    if not task.reviews:
        raise ConditionError(
            "the rule in use reviews cases, and what a review costs is never worth it: there is "
            "nothing to compare it by; leave it out, or give another cost."
        )
    if CASE in task.known and task.sole_condition is not None:
        # Rows are counted one by one.
        return
    fp, fn, tp, tn, _ = task.seen.corners
    if not review.pays(fp - tn, fn - tp).all():
        raise ConditionError(
            "the rule in use reviews cases at costs where a review costs more than it can save: "
            "strategies are compared where it may be worth it; leave out these costs, or the rule "
            "in use."
        )


def with_decisions(
    rows: ScoredRows | HeldOut,
    baseline: Baseline | ArrayLike | None,
    *,
    validated: bool,
    names: Mapping[str, str],
) -> tuple[ScoredRows | HeldOut, Baseline | None]:
    """The rows with the decisions of the rule in use beside their scores, and what that is.

    Decisions may be words: those of actions, or their `names`.
    """
    if baseline is None or isinstance(baseline, str):
        return rows, baseline
    if isinstance(baseline, tuple) and baseline and isinstance(baseline[0], str):
        return rows, baseline
    if isinstance(rows, HeldOut):
        raise ConditionError(
            "baseline of rows that are divided already is the name of a column of decisions, 0 or "
            f"1, counted as scores are, or a model and its threshold; got {brief(baseline)}."
        )
    decided = _in_numbers(vector(baseline, "baseline", ConditionError), names)
    if len(decided) != len(rows):
        raise ConditionError(
            f"baseline has {len(decided)} decisions for {len(rows)} rows: give one for each, or a "
            "model and its threshold."
        )
    if IN_USE in rows.scores:
        raise ConditionError(
            f"there are scores of a model named {IN_USE!r}, what decisions in an array are called: "
            "name it otherwise."
        )
    if validated:
        raise ConditionError(
            "baseline has decisions on the rows, and the validation rows have none: give both "
            "theirs among the scores, and the name of them as baseline."
        )
    scores = {**rows.scores, IN_USE: score_array(decided, "baseline", len(rows))}
    return replace(rows, scores=scores), IN_USE


def _in_numbers(decided: NDArray[Any], names: Mapping[str, str]) -> NDArray[Any]:
    """Decisions as numbers, where they are words."""
    words = decided.tolist()
    if not words or not all(isinstance(word, str) for word in words):
        return decided
    kinds, which = np.unique(np.array(words, dtype=str), return_inverse=True)
    plain = dict(zip(ACTIONS, DECIDED, strict=True))
    named = {names.get(action, action): value for action, value in plain.items()}
    # What may be read as names is.
    known = next((one for one in (named, plain) if {*kinds.tolist()} <= {*one}), named)
    unknown = [kind for kind in kinds.tolist() if kind not in known]
    if unknown:
        raise ConditionError(
            f"baseline must be decisions, {', '.join(known)} or 0 and 1, got {brief(unknown[0])}."
        )
    return np.array([known[kind] for kind in kinds.tolist()])[which]


def with_batches(
    constraints: Constraints, batch: ArrayLike | None, rows: ScoredRows | HeldOut
) -> Constraints:
    """The constraints with the size of batches, or with the sizes of those that rows are in."""
    if batch is None or not isinstance(constraints, Constraints):
        return constraints
    if constraints.batch is not None:
        raise ConditionError("batch is given twice, beside and in constraints: give it once.")
    if np.ndim(batch) == 0:
        return replace(constraints, batch=np.asarray(batch).item())
    size = len(rows.rows if isinstance(rows, HeldOut) else rows)
    sizes = np.bincount(group_numbers(batch, size, "batch", "rows"))
    return replace(constraints, batch=tuple(sizes.tolist()))


def _check_decided(name: str, held_out: HeldOut) -> bool:
    """Whether a column of counted rows has reviews, or `ConditionError` unless it decides."""
    if name not in held_out.models:
        raise ConditionError(f"baseline is {name!r}, and rows have no decisions of that name.")
    found = held_out.whole(name).rows.by_score.breaks
    odd = found[_undecided(found)]
    if len(odd):
        raise ConditionError(
            f"baseline {name!r} must be decisions, 0 or 1, got {odd[0]:g} among "
            f"them: give scores as a model and its threshold{_OR_REVIEWED}."
        )
    return bool((found == DECIDED[1]).any())


def _undecided(values: FloatArray) -> BoolArray:
    """Which values are none of `DECIDED`."""
    return np.all([values != one for one in DECIDED], axis=0)


def check_decisions(name: str, *samples: ScoredRows | None) -> bool:
    """Whether a column of decisions has reviews, or `ConditionError` unless all are decisions."""
    reviews = False
    for rows in samples:
        if rows is None:
            continue
        if name not in rows.scores:
            raise ConditionError(f"baseline is {name!r}, and rows have no decisions of that name.")
        found = doubles(rows.scores[name])
        odd = np.flatnonzero(_undecided(found))
        if len(odd):
            raise ConditionError(
                f"baseline {name!r} must be decisions, 0 or 1, got "
                f"{found[odd[0]]:g} in row {odd[0] + 1}: give scores as a model and its "
                f"threshold{_OR_REVIEWED}."
            )
        reviews = reviews or bool((found == DECIDED[1]).any())
    return reviews


def held_out_for(
    rows: ScoredRows,
    validation: ScoredRows | None = None,
    *,
    folds: int = FOLDS,
    weights: str | None = None,
) -> HeldOut:
    """Rows divided as a decision has them: the fewer there are, the more often they are cut.

    That takes out the chance that is in one cut.
    """
    counted = int(np.count_nonzero(rows.counts))
    often = min(max(_ROWS_CUT // counted, 1), _MOST_REPEATS)
    return hold_out(rows, validation=validation, folds=folds, repeats=often, weights=weights)


def validation_rows(
    given: tuple[ArrayLike, NamedScores] | ScoredRows | None, pos_label: object
) -> ScoredRows | None:
    """Rows to judge on, as they are given or made of labels and scores."""
    if given is None or isinstance(given, ScoredRows):
        return given
    try:
        labels, scores = given
    except (TypeError, ValueError):
        raise ScoreError(
            f"validation must be a tuple of labels and scores, or ScoredRows, got {brief(given)}."
        ) from None
    return ScoredRows.from_predictions(labels, scores, pos_label=pos_label)

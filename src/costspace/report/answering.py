"""What a page answers to what is typed in: a decision on the rows that it holds."""

from collections.abc import Mapping, Sequence
from typing import Any

from costspace.arrays import BoolArray, FloatArray, IndexArray
from costspace.choices.places import Batch
from costspace.decision.asking import task_of
from costspace.decision.deciding import decide_task
from costspace.decision.decision import Decision
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.held_out.holdout import HeldOut
from costspace.decision.held_out.rows import HeldOutRows
from costspace.decision.limits.constraints import Constraints
from costspace.decision.strategy import Baseline
from costspace.deployment.deployment import Deployment
from costspace.deployment.review import Review
from costspace.samples.rows import ScoredRows
from costspace.summaries.cell_sums import CellSums
from costspace.summaries.counts import ScoreCounts
from costspace.summaries.joint import JointRows
from costspace.summaries.raked import RakedRows

AMOUNTS = ("fp_cost", "fn_cost", "tp_cost", "tn_cost", "prevalence")
REVIEW = ("cost", "sensitivity", "specificity")


def held_out_of(
    positive: BoolArray,
    scores: Mapping[str, FloatArray],
    folds: Sequence[IndexArray],
    weight: FloatArray | None,
    groups: IndexArray | None,
) -> HeldOut:
    """The rows that a page holds, in the folds of each time that they were cut."""
    rows = ScoredRows(positive, scores, weight, groups=groups).as_read
    return HeldOutRows(rows, None, folds)


def counts_of(
    folds: int,
    lowest: Mapping[str, FloatArray],
    highest: Mapping[str, FloatArray],
    counts: Mapping[str, IndexArray],
    some: JointRows,
) -> HeldOut:
    """The many rows that a page holds the counts of.

    By model, the ends of the cells, and how many rows of each fold and class are in each of them.
    """
    return HeldOutCounts(
        RakedRows(
            {
                name: ScoreCounts(
                    highest[name], CellSums(of_model.reshape(folds, 2, -1)), None, lowest[name]
                )
                for name, of_model in counts.items()
            },
            some,
        )
    )


def asked(held_out: HeldOut, question: Mapping[str, Any], level: float) -> Decision:
    """The decision that a question asks for.

    Parameters
    ----------
    held_out : HeldOut
        The rows, and how they are divided.
    question : mapping
        Costs and prevalence as [low, high], equal for a value; the `cost`, `sensitivity` and
        `specificity` of a `review` likewise, or None; whether the prevalence is
        `estimated` from the rows; what is `known` at each decision; `limits` by name; the size, or
        sizes, of the `batch` of a capacity, or None; and the rule in use as `baseline`: a `model`
        and its `threshold`, or a column of decisions as the model, without a threshold.
    level : float in (0, 1)
        Confidence level of the intervals.

    Raises
    ------
    ConditionError
        If a cost, prevalence or limit that is asked is out of range; the message says what to do.
    """
    given = {name: question[name] for name in AMOUNTS}
    if question["estimated"]:
        del given["prevalence"]
    task = task_of(
        held_out,
        deployment_of(given, question.get("review")),
        constraints=_constraints(question["limits"], question.get("batch")),
        known=question["known"],
        baseline=_baseline(question["baseline"]),
        level=level,
    )
    return decide_task(task)


def _constraints(limits: Mapping[str, Any], batch: Batch) -> Constraints:
    """The limits; a batch is that of a capacity, if there is one."""
    places = "capacity" in limits or "review_capacity" in limits
    return Constraints(**limits, batch=batch if places else None)


def _baseline(use: Mapping[str, Any] | None) -> Baseline | None:
    if use is None:
        return None
    model: str = use["model"]
    return model if use["threshold"] is None else (model, use["threshold"])


def deployment_of(
    amounts: Mapping[str, Sequence[float]], review: Mapping[str, Sequence[float]] | None = None
) -> Deployment:
    """What is known of deployment, by the ends of costs and prevalence, and of a review."""
    given: dict[str, Any] = {name: _amount(ends) for name, ends in amounts.items()}
    return Deployment(**given, review=None if review is None else review_of(review))


def review_of(amounts: Mapping[str, Sequence[float]]) -> Review:
    """What is known of a review, by the ends of its parts."""
    given: dict[str, Any] = {name: _amount(ends) for name, ends in amounts.items()}
    return Review(**given)


def _amount(ends: Sequence[float]) -> float | tuple[float, float]:
    low, high = ends
    return low if low == high else (low, high)

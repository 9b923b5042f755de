"""The held-out rows of a segment, and how much of all cases they stand for."""

from dataclasses import replace

import numpy as np

from costspace.arrays import FloatArray, IndexArray
from costspace.decision.evidence.money_sample import MoneySample, correct_costs
from costspace.decision.fitting.choosing import Priced
from costspace.decision.money.row_money import RowMoney, relative_costs
from costspace.decision.task import Task
from costspace.errors import ConditionError
from costspace.estimates.interval import Ends


def class_shares(task: Task) -> Ends:
    """The shares of negatives and positives among the cases."""
    p = task.conditions.mean_prevalence
    return 1 - p, p


def row_shares(task: Task) -> FloatArray:
    """What share of all cases each held-out row stands for, of sum 1."""
    rows = task.judged.rows
    of_each = np.divide(class_shares(task), rows.class_weights)[rows.positive.astype(int)]
    return of_each if rows.weight is None else of_each * rows.weight


def row_costs(task: Task, one: Priced) -> FloatArray:
    """What each held-out row adds to the cost per 1,000 cases, without the margin; they sum to it."""
    rows = task.judged.rows
    relative, shares = relative_costs(rows), class_shares(task)
    losses = one.row_losses if relative is None else one.row_losses * relative
    own = (losses + correct_costs(task, rows)) * row_shares(task)
    return own / np.asarray(shares)[rows.positive.astype(int)]


def check_weights(task: Task) -> None:
    """`ConditionError` if weights are counts, and a row would stand for another number of cases."""
    counted = task.judged_weights == "counts" and task.judged.rows.weight is not None
    if counted and not task.estimated:
        raise ConditionError(
            "segments of rows whose weights are counts have the prevalence of the rows: leave out "
            "the prevalence, or give each row as often as it counts."
        )


def sample_of(task: Task, chosen: IndexArray, level: float) -> MoneySample:
    """Some of the held-out rows as those of a segment, whose share of positives is its own.

    Where the prevalence is given a row weighs as many cases as it stands for at deployment.
    `LabelError` if a class does not occur in it.
    """
    whole, of_class = task.judged.rows, row_shares(task)
    rows, weights = whole.take(chosen), task.judged_weights
    own = of_class[chosen]
    masses = np.array([np.sum(own[~rows.positive]), np.sum(own[rows.positive])])
    more = masses / masses.sum() / class_shares(task)
    correct = correct_costs(task, whole)[chosen] * more[rows.positive.astype(int)]
    if rows.costs is not None:
        mine, of_all = rows.mean_costs, whole.mean_costs
        more *= mine.net_fp_cost / of_all.net_fp_cost, mine.net_fn_cost / of_all.net_fn_cost
    if not task.estimated:
        # What is known is the sum over all segments.
        rows, weights = replace(rows, weight=own / np.mean(own)), "sampling"
    money = RowMoney(rows, weights, correct=correct, estimated=True)
    scale = float(more[0]), float(more[1])
    n = len(chosen)
    return MoneySample(money, chosen, task.conditions, level, n, certain=False, scale=scale)

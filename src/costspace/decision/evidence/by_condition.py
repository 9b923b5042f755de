"""What strategies would lose at each condition if that were known, on held-out rows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from costspace.comparison.dominating import Dominance, dominance
from costspace.condition import skew_from_cost
from costspace.curve import PiecewiseQuadratic, lower_envelope
from costspace.decision.fitting.fitted import fit_by_condition
from costspace.decision.strategy import CONDITION, Strategy
from costspace.decision.task import Task


def losses_by_condition(
    task: Task, strategies: Sequence[Strategy]
) -> Mapping[Strategy, PiecewiseQuadratic] | None:
    """The loss of each without a review, but of queues and of the rule in use.

    These look at no condition. None where limits make it a matter of the prevalence too, or where
    nothing keeps to them.
    """
    # There is a rule at every condition, in every part: once over the rows is enough.
    known = replace(task.one_by_one, known=CONDITION, held_out=task.held_out.once)
    if len(known.bands) > 1:
        return None
    found = {}
    for one in strategies:
        by_share = one.choice.share_flagged is not None or one.choice.places is not None
        if one.reviews or (one.model is not None and (by_share or one == task.baseline)):
            continue
        use = one if one.model is None else replace(one, known=CONDITION)
        fit = fit_by_condition(use, known, everywhere=True)
        if fit.feasible:
            found[use] = fit.held_out_path(0).loss()
    return found or None


def dominance_of(
    task: Task, losses: Mapping[Strategy, PiecewiseQuadratic] | None
) -> Dominance | None:
    """The dominance of models on the skew axis, each by its best choice at each condition."""
    of_model: dict[str, list[PiecewiseQuadratic]] = {}
    for strategy, curve in (losses or {}).items():
        if strategy.model is not None:
            of_model.setdefault(strategy.model, []).append(curve)
    if not of_model:
        return None
    found = dominance({model: lower_envelope(each).curve for model, each in of_model.items()})
    axis = replace(task, known=CONDITION).bands[0].axis
    skews = np.asarray(skew_from_cost(found.breaks, prevalence=axis))
    return Dominance(skews, found.best, found.names)

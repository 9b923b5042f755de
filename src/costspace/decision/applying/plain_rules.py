"""The rules of a decision as plain values, which a file holds, and back, every value checked."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from costspace.arrays import FrozenDict
from costspace.checks import check_number, check_prevalence
from costspace.choices.formulas import choice_of_formula
from costspace.decision.applying.decided_on import DecidedOn
from costspace.decision.applying.deployed import CORRECT_COSTS, DeployedRules, axis_of
from costspace.decision.applying.plain_scores import plain_scores, range_of, scores_of
from costspace.decision.rules.review_queue import ReviewQueue, ReviewWorth
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules_by_condition import ByFormula, RulesByCondition
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.deployment.bounds import Range
from costspace.deployment.review import Review, named_actions
from costspace.errors import ConditionError, brief

_REVIEW = ("cost", "sensitivity", "specificity")
# What each of the two decisions has of its own that a review makes of one.
_STEP = ("costs", "skews", "bands")
# What reviews of a queue have beside rules by condition.
_QUEUE = ("share", "prevalence", "axis", "stakes")


def plain_rules(deployed: DeployedRules) -> dict[str, Any]:
    """Plain values, ready for JSON, or `ConditionError` if a formula is in no plain values."""
    found = {
        "model": deployed.model,
        "choice": deployed.choice,
        "rule": None if deployed.rule is None else deployed.rule.to_dict(),
        "one_by_one": None if deployed.one_by_one is None else deployed.one_by_one.to_dict(),
        "costs": deployed.costs,
        "correct_costs": dict(deployed.correct_costs),
        "prevalence_known": deployed.prevalence_known,
        "skews": None if deployed.skews is None else vars(deployed.skews),
        "bands": [
            {"prevalence": vars(span), **rules.to_dict()} for span, rules in deployed.bands.items()
        ],
        "scores": None if deployed.decided_on is None else plain_scores(deployed.decided_on),
    }
    review, steps = deployed.review, map(plain_rules, deployed.steps)
    if deployed.queue is not None:
        found["queue"] = _plain_queue(deployed.queue)
    if deployed.names:
        found["actions"] = dict(deployed.names)
    if review is None:
        return found
    return {
        **found,
        "review": {name: getattr(review, name).mean for name in _REVIEW},
        "steps": [{name: step[name] for name in _STEP} for step in steps],
    }


def _plain_queue(queue: ReviewQueue) -> dict[str, Any]:
    """Plain values of reviews that have places in a queue."""
    worth = queue.worth
    return {
        "share": queue.share,
        "prevalence": worth.prevalence,
        "axis": worth.axis,
        "stakes": [list(stakes) for stakes in worth.stakes],
        **worth.rules.to_dict(),
    }


def rules_of(values: Any) -> DeployedRules:
    """The rules of `plain_rules`, or `ConditionError` unless every value is one of those."""
    if not isinstance(values, dict):
        raise ConditionError(f"the rules to apply must be an object, got {brief(values)}.")
    model, choice = values.get("model"), values.get("choice")
    if not (model is None or isinstance(model, str)) or not isinstance(choice, str):
        raise ConditionError(
            f"model and choice must be names, got {brief(model)} and {brief(choice)}."
        )
    names = _names(values.get("actions", {}))
    if values.get("rule") is not None:
        rule = Rule.from_dict(values["rule"])
        if model is None and not rule.trivial:
            raise ConditionError(f"a rule without a model looks at no scores, got {rule}.")
        single, scores = _one_by_one(values, rule), _scores(values)
        return DeployedRules(
            *(model, choice, rule), one_by_one=single, decided_on=scores, names=names
        )
    if model is None:
        raise ConditionError("there is neither a model nor a rule.")
    if values.get("queue") is not None:
        return DeployedRules(
            *(model, choice, None),
            queue=_queue(values["queue"]),
            one_by_one=_one_by_one(values, None),
            decided_on=_scores(values),
            names=names,
        )
    more: dict[str, Any]
    if "review" in values:
        more = {"review": _review(values["review"]), "steps": _steps(values, model, choice)}
    else:
        more = {"bands": _bands(values)}
    found = DeployedRules(model, choice, None, **_seen(values), **more)
    one = found.prevalence.low == found.prevalence.high
    return replace(
        found,
        correct_costs=_correct_costs(values),
        prevalence_known=_prevalence_known(values, one=one),
        decided_on=_scores(values),
        names=names,
    )


def _names(values: Any) -> Mapping[str, str]:
    """What actions are called, if otherwise."""
    if not isinstance(values, dict):
        raise ConditionError(f"actions must be an object, got {brief(values)}.")
    return named_actions(list(values.values()), list(values))


def _seen(values: dict[str, Any]) -> dict[str, Any]:
    """The skews that rules are for, and the cost proportion that they take."""
    costs, skews = values.get("costs"), values.get("skews")
    return {
        "skews": None if skews is None else range_of("skews", skews),
        "costs": None if costs is None else check_number("costs", costs, low=0, high=1),
    }


def _bands(values: dict[str, Any]) -> FrozenDict[Range, RulesByCondition]:
    bands = values.get("bands")
    if not isinstance(bands, list) or not bands:
        raise ConditionError(f"bands must be a list of rules, got {brief(bands)}.")
    found = [_band(band) for band in bands]
    ends = [end for span, _ in found for end in (span.low, span.high)]
    if ends != sorted(ends):
        raise ConditionError("the bands of prevalence must ascend.")
    return FrozenDict(found)


def _review(values: Any) -> Review:
    if not isinstance(values, dict) or values.keys() != {*_REVIEW}:
        raise ConditionError(f"review must have {', '.join(_REVIEW)}, got {brief(values)}.")
    return Review(**{name: check_number(name, values[name]) for name in _REVIEW})


def _steps(values: dict[str, Any], model: str, choice: str) -> tuple[DeployedRules, ...]:
    steps = values.get("steps")
    if not isinstance(steps, list) or [type(step) for step in steps] != [dict, dict]:
        raise ConditionError(f"steps must be two objects beside a review, got {brief(steps)}.")
    found = [DeployedRules(model, choice, None, _bands(step), **_seen(step)) for step in steps]
    if [*found[0].bands] != [*found[1].bands]:
        raise ConditionError("the steps beside a review must have the same bands of prevalence.")
    return tuple(found)


def _scores(values: dict[str, Any]) -> DecidedOn | None:
    return None if values.get("scores") is None else scores_of(values["scores"])


def _correct_costs(values: dict[str, Any]) -> Mapping[str, float | None]:
    costs = values.get("correct_costs")
    if not isinstance(costs, dict) or costs.keys() != {*CORRECT_COSTS}:
        names = " and ".join(CORRECT_COSTS)
        raise ConditionError(f"correct_costs must have {names}, got {brief(costs)}.")
    return FrozenDict(
        {
            name: cost if cost is None else check_number(name, cost, open_ends=True)
            for name, cost in costs.items()
        }
    )


def _prevalence_known(values: dict[str, Any], *, one: bool) -> bool:
    """Whether the prevalence is to be given."""
    known = values.get("prevalence_known")
    if not isinstance(known, bool):
        raise ConditionError(f"prevalence_known must be true or false, got {brief(known)}.")
    if not known and not one:
        raise ConditionError("a prevalence that is not known must be one, its mean.")
    return known


def _queue(values: Any) -> ReviewQueue:
    if not isinstance(values, dict) or not values.keys() >= {*_QUEUE}:
        raise ConditionError(f"queue must have {', '.join(_QUEUE)}, got {brief(values)}.")
    share = check_number("share", values["share"], low=0, high=1)
    prevalence, axis = (check_prevalence(values[name], name) for name in _QUEUE[1:3])
    stakes: Any = values["stakes"]
    if not isinstance(stakes, list) or [np.shape(each) for each in stakes] != [(2,), (2,)]:
        raise ConditionError(
            f"stakes must be those of two decisions, two numbers each, got {brief(stakes)}."
        )
    low, high = (
        (check_number("a stake", negative, low=0), check_number("a stake", positive, low=0))
        for negative, positive in stakes
    )
    worth = ReviewWorth(_by_condition(values, axis), axis, prevalence, (low, high))
    return ReviewQueue(worth, share)


def _one_by_one(values: dict[str, Any], rule: Rule | None) -> Rule | None:
    """What goes with a queue for single cases."""
    if values.get("one_by_one") is None:
        return None
    found = Rule.from_dict(values["one_by_one"])
    if found.queued or (rule is not None and not rule.queued):
        raise ConditionError(f"one_by_one must be a rule by score beside a queue, got {found}.")
    return found


def _band(values: Any) -> tuple[Range, RulesByCondition]:
    if not isinstance(values, dict):
        raise ConditionError(f"a band must be an object, got {brief(values)}.")
    prevalence = range_of("prevalence", values.get("prevalence"))
    if prevalence.low == prevalence.high:
        check_prevalence(prevalence.low)
    return prevalence, _by_condition(values, axis_of(prevalence))


def _by_condition(values: dict[str, Any], axis: float) -> RulesByCondition:
    """The rules over the cost axis of a prevalence."""
    if "formula" not in values:
        return ThresholdPath.from_dict(values)
    return ByFormula(choice_of_formula(values["formula"]), axis)

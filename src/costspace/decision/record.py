"""The record of a decision as plain values, ready for JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from costspace.choices.doubts import with_names
from costspace.costs import CostDistribution
from costspace.decision.evidence.money_evidence import MoneyEvidence, StrategyMoney
from costspace.decision.evidence.outcomes import Outcomes
from costspace.decision.evidence.plain_money import cost_dict, more_dict, plain_number
from costspace.decision.recommendation import Recommendation
from costspace.decision.sentences.certain import is_clear
from costspace.decision.strategy import Strategy
from costspace.decision.task import Task
from costspace.deployment.bounds import Range
from costspace.deployment.conditions import CASES, JointConditions
from costspace.deployment.review import Review

if TYPE_CHECKING:
    from costspace.comparison.dominating import Dominance
    from costspace.decision.evidence.kept import LimitKept
    from costspace.decision.evidence.places_worth import PlacesWorth
    from costspace.decision.fitting.choosing import Choosing

# Raised when a key changes its meaning or goes; readers ignore keys that they do not know.
VERSION = "2.0"


def recommendation_dict(
    chosen: Recommendation,
    evidence: MoneyEvidence | None,
    outcomes: Outcomes | None,
    excluded: Strategy | None,
) -> dict[str, Any]:
    """What to do, with its outcomes; `excluded` is not allowed."""
    one = chosen.interval
    return {
        "text": chosen.text,
        "instruction": chosen.instruction,
        "cost": chosen.cost,
        "without_model": chosen.without_model,
        "model": chosen.model,
        "choice": chosen.choice,
        "rule": None if chosen.rule is None else chosen.rule.to_dict(),
        "cost_per_1000": chosen.money,
        "low": None if one is None else one.low,
        "high": None if one is None else one.high,
        "warnings": list(chosen.warnings),
        "flagged_share": None if outcomes is None else outcomes.flagged.value / CASES,
        **_reviewed_dict(outcomes),
        "shown": chosen.shown,
        "clear": evidence is not None and is_clear(evidence, excluded),
        "stated": None if chosen.stated is None else _named(chosen.stated),
    }


def _reviewed_dict(outcomes: Outcomes | None) -> dict[str, float]:
    """The share that is reviewed, where some may be."""
    if outcomes is None or outcomes.reviewed is None:
        return {}
    return {"reviewed_share": outcomes.reviewed.value / CASES}


def review_dict(choosing: Choosing | None, evidence: MoneyEvidence | None) -> dict[str, Any]:
    """What reviews save against the best without, and one more place; empty without a review."""
    if choosing is None or choosing.task.conditions.review is None:
        return {}
    best, saves, other = choosing.best, None, choosing.best_otherwise
    if best.strategy.reviews and other is not None and evidence is not None:
        more = evidence.more(other.strategy)
        difference = choosing.priced(other).money - choosing.priced(best).money
        ends = (np.nan, np.nan) if more is None else (more.low, more.high)
        saves = {
            "difference": difference if more is None else more.difference,
            **dict(zip(("low", "high"), map(plain_number, ends), strict=True)),
        }
    return {"review_saves": saves, "review_worth": best.price or None}


def strategy_dict(
    one: StrategyMoney, in_sample: float | None, outcomes: Outcomes | None, *, same_for_all: bool
) -> dict[str, Any]:
    """What is known of one strategy."""
    more = one.more
    return {
        **money_dict(one),
        "in_sample": in_sample,
        "same_for_all": same_for_all,
        "outcomes": None if outcomes is None else outcomes.to_dict(),
        "more": None if more is None else more_dict(more),
    }


def _named(strategy: Strategy) -> dict[str, Any]:
    return {"model": strategy.model, "choice": strategy.name}


def money_dict(one: StrategyMoney) -> dict[str, Any]:
    """What a strategy costs."""
    return {
        "model": one.strategy.model,
        "choice": one.strategy.name,
        "rule": None if one.rule is None else one.rule.to_dict(),
        **cost_dict(one),
        "same_as": None if one.same_as is None else _named(one.same_as),
    }


def kept_dict(one: LimitKept) -> dict[str, Any]:
    """How a limit is kept."""
    ends = {name: plain_number(getattr(one, name)) for name in ("costs_low", "costs_high")}
    return asdict(one) | ends


def worth_dict(worth: Mapping[str, PlacesWorth]) -> dict[str, Any]:
    """What other batches of a queue save, by model."""
    return {name: asdict(one) for name, one in worth.items()}


def task_dict(task: Task, path: str | None, basis: str) -> dict[str, Any]:
    """What a decision is about."""
    conditions = task.conditions
    span, prevalence = conditions.skew_range, conditions.prevalence_range
    return {
        "costs_and_prevalence": str(conditions),
        "costs": _mean_costs(conditions),
        "review": _mean_review(conditions.review),
        "prevalence": {
            **vars(prevalence),
            "mean": conditions.mean_prevalence,
            "estimated": task.estimated,
        },
        "skew": {
            **vars(span),
            "plain": _distribution(conditions.skews(staked=False)),
            "by_stake": _distribution(conditions.skews()),
        },
        "stake_per_1000": CASES * conditions.stake,
        "path": path,
        "known": sorted(task.known),
        "passed": task.passed,
        "calibrated_to": task.calibrated_to,
        "compared_on": basis,
    }


def _mean_costs(conditions: JointConditions) -> dict[str, float]:
    """What each decision on a case of its class costs on average."""
    p = conditions.mean_prevalence
    of_negatives, of_positives = conditions.of_right
    return {
        "fp_cost": (of_negatives + conditions.negative_stake) / (1 - p),
        "fn_cost": (of_positives + conditions.positive_stake) / p,
        "tp_cost": of_positives / p,
        "tn_cost": of_negatives / (1 - p),
    }


def _mean_review(review: Review | None) -> dict[str, float] | None:
    """What a review costs, and what it finds, on average."""
    if review is None:
        return None
    return {
        "cost": review.cost.mean,
        "sensitivity": review.sensitivity.mean,
        "specificity": review.specificity.mean,
    }


def dominance_rows(dominance: Dominance | None, skews: Range) -> list[dict[str, Any]]:
    """Which models lose least where, in the range of skews."""
    if dominance is None:
        return []
    ends = np.clip(dominance.breaks, skews.low, skews.high).tolist()
    rows = zip(ends[:-1], ends[1:], dominance.best, strict=True)
    return [
        {"skew_low": low, "skew_high": high, "models": list(best)}
        for low, high, best in rows
        if low < high
    ]


def notes_dict(task: Task, evidence: MoneyEvidence | None) -> dict[str, str]:
    """What is to be said of intervals and of scores."""
    reason = None if evidence is None else evidence.reason
    doubts = with_names(task.doubts)
    return doubts if reason is None else {"intervals": reason, **doubts}


def _distribution(skews: CostDistribution) -> dict[str, Any]:
    """A distribution of skews for JSON: its mean and its deciles."""
    deciles = skews.quantile(np.arange(1, 10) / 10)
    return {"mean": skews.mean(), "deciles": deciles.tolist()}

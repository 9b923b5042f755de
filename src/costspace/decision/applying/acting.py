"""What deployed rules do with each of some cases, given in arrays."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray
from costspace.decision.applying.decided_on import ScoresFound
from costspace.decision.applying.deployed import DeployedRules, needs_seed
from costspace.decision.rules.actions import FLAG, PASS, Actions
from costspace.decision.rules.draws import drawn
from costspace.decision.rules.queue import applied_in_batches
from costspace.decision.rules.rule import Rule
from costspace.errors import ConditionError, warn_of
from costspace.samples.rounding import in_unit
from costspace.samples.rows import NamedScores
from costspace.samples.validation import group_numbers, score_array
from costspace.single import doubles


def acted(
    rules: DeployedRules,
    scores: NamedScores,
    given: Mapping[str, ArrayLike | None],
    seed: int | None,
    batch: ArrayLike | None,
) -> Actions:
    """What rules do with each case, and a warning if their scores are not like the decision's."""
    checked = doubles(score_array(rules.own_of(scores), "scores"))
    low, high = float(checked.min(initial=1.0)), float(checked.max(initial=0.0))
    checked = in_unit(checked) if rules.in_unit(low, high) else checked
    rules.check_batch(batch)
    if rules.rule is not None:
        rules.check_needs(given)
        found = _by_one_rule(rules, rules.rule, checked, seed, batch)
    else:
        found = _by_condition(rules, checked, given, seed)
    if rules.decided_on is None:
        return found
    above = [np.count_nonzero(checked > score) for score in rules.decided_on.scores]
    doubt = rules.doubt(ScoresFound(len(checked), np.array(above, dtype=float)))
    if doubt:
        warn_of(f"{rules.what}: {doubt}")
    return replace(found, doubt=doubt)


def _by_condition(
    deployed: DeployedRules,
    scores: FloatArray,
    given: Mapping[str, ArrayLike | None],
    seed: int | None,
) -> Actions:
    at = deployed.conditions(given)
    for name, values in vars(at).items():
        if values.ndim and len(values) != len(scores):
            raise ConditionError(
                f"{name} are {len(values)} for {len(scores)} scores: give one for each."
            )
    rules = deployed.rules_at(at)
    if at.same:
        return Actions(rules.one.applied(scores, seed=seed))
    if rules.draws and seed is None:
        raise ConditionError(needs_seed(deployed.what))
    random = drawn(seed, len(scores)) if rules.draws and seed is not None else scores
    return Actions(np.where(rules.decided(scores, random), FLAG, PASS))


def _by_one_rule(
    rules: DeployedRules,
    rule: Rule,
    scores: FloatArray,
    seed: int | None,
    batch: ArrayLike | None,
) -> Actions:
    if not rule.queued:
        return Actions(rule.applied(scores, seed=seed))
    if batch is None and len(scores) == 1:
        rule, note = rules.of_one_case(rule)
        return Actions(rule.applied(scores, seed=seed), 0, note)
    batches = None if batch is None else group_numbers(batch, len(scores), "batch", "scores")
    action, tied, note = applied_in_batches(rule, scores, batches, seed)
    if note:
        warn_of(f"{rules.what}: {note}.")
    return Actions(action, tied, note)

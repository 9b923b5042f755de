"""What deployed rules do with each of some cases, given in arrays."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import BoolArray, FloatArray
from costspace.decision.applying.applied_how import Asked
from costspace.decision.applying.decided_on import ScoresFound
from costspace.decision.applying.deployed import DeployedRules, needs_seed
from costspace.decision.rules.actions import Actions
from costspace.decision.rules.draws import drawn
from costspace.decision.rules.queue import applied_in_batches
from costspace.deployment.actions import FLAG, PASS, REVIEW
from costspace.errors import ConditionError, ScoreError, warn_of
from costspace.samples.rounding import in_unit
from costspace.samples.rows import NamedScores
from costspace.samples.validation import group_numbers, score_array
from costspace.samples.vectors import missing_rows, vector
from costspace.single import doubles


def acted(
    rules: DeployedRules, scores: NamedScores, given: Mapping[str, Any], asked: Asked
) -> Actions:
    """What rules do with each case, and a warning if their scores are not like the decision's."""
    names = rules.called(asked).names
    found = _acted(rules, scores, given, asked)
    return replace(found, action=in_words(found.action, names))


def in_words(action: NDArray[np.str_], names: Mapping[str, str]) -> NDArray[np.str_]:
    """The action on each case as it is called."""
    if not names:
        return action
    kinds, which = np.unique(action, return_inverse=True)
    return np.array([names[kind] for kind in kinds.tolist()], dtype=str)[which]


def _acted(
    rules: DeployedRules, scores: NamedScores, given: Mapping[str, Any], asked: Asked
) -> Actions:
    own, absent = rules.own_of(scores), None
    if not asked.refuses:
        own, given, absent = _without_missing(own, given)
        if absent.all():
            rules.check_batch(asked.batch)
            rules.check_needs(given)
            return Actions(np.full(len(absent), asked.missing), missing=len(absent))
    checked = doubles(score_array(own, "scores"))
    low, high = float(checked.min(initial=1.0)), float(checked.max(initial=0.0))
    checked = in_unit(checked) if rules.in_unit(low, high) else checked
    rules.check_batch(asked.batch)
    rules.check_needs(given)
    if rules.conditional:
        found = _by_condition(rules, checked, given, asked.seed)
    else:
        queued = checked if absent is None else np.where(absent, np.nan, checked)
        found = _by_one_rule(rules, checked, queued, asked)
    if absent is not None:
        checked = checked[~absent]
        action = np.where(absent, asked.missing, found.action)
        found = replace(found, action=action, missing=len(absent) - len(checked))
    return _compared(rules, found, checked)


def _compared(rules: DeployedRules, found: Actions, scores: FloatArray) -> Actions:
    """The same, with what speaks against these scores."""
    if rules.decided_on is None:
        return found
    above = [np.count_nonzero(scores > score) for score in rules.decided_on.scores]
    doubt = rules.doubt(ScoresFound(len(scores), np.array(above, dtype=float)))
    if doubt:
        warn_of(f"{rules.what}: {doubt}")
    return replace(found, doubt=doubt)


def _without_missing(
    scores: ArrayLike, given: Mapping[str, Any]
) -> tuple[ArrayLike, Mapping[str, Any], BoolArray]:
    """Values with those of another case where one is missing, and the cases of which one is."""
    columns = {"scores": scores, **{name: one for name, one in given.items() if np.ndim(one)}}
    arrays, lacks = {}, []
    for name, one in columns.items():
        masked = hasattr(one, "mask") and isinstance(one, np.ma.MaskedArray)
        error = ScoreError if name == "scores" else ConditionError
        array = arrays[name] = vector(np.ma.getdata(one) if masked else one, name, error)
        lacks.append(missing_rows(array) | (np.ma.getmaskarray(one) if masked else False))
    absent = lacks[0]
    for one in lacks:
        # Amounts of another length are refused where they are read.
        absent = absent | one if len(one) == len(absent) else absent
    place = np.where(absent, np.argmin(absent), np.arange(len(absent)))
    filled = {}
    for name, array in arrays.items():
        given_as = columns[name]
        if len(array) != len(absent):
            filled[name] = given_as
        elif isinstance(given_as, list | tuple):
            # What is read of a list depends on the kinds of its values.
            filled[name] = [given_as[i] for i in place]
        else:
            filled[name] = array[place]
    return filled.pop("scores"), {**given, **filled}, absent


def _by_condition(
    deployed: DeployedRules,
    scores: FloatArray,
    given: Mapping[str, Any],
    seed: int | None,
) -> Actions:
    worth = deployed.worth_flagging(given)
    if worth is not None:
        _check_length("costs", worth, scores)
        # Cases that are passed have the amounts of another one.
        place = np.where(worth, np.arange(len(worth)), np.argmax(worth))
        given = {name: np.asarray(x)[place] if np.ndim(x) else x for name, x in given.items()}
        if not worth.any():
            return Actions(np.full(len(scores), PASS), not_worth=len(scores))
    at = deployed.conditions(given)
    for name, values in vars(at).items():
        _check_length(name, values, scores)
    steps = deployed.in_steps(given)
    if at.same and len(steps) == 1:
        return Actions(steps[0].one.applied(scores, seed=seed))
    draws = any(rules.draws for rules in steps)
    if draws and seed is None:
        raise ConditionError(needs_seed(deployed.what))
    random = drawn(seed, len(scores)) if draws and seed is not None else scores
    flagged = [rules.decided(scores, random) for rules in steps]
    action = acted_in_steps(*(one if worth is None else one & worth for one in flagged))
    never = 0 if worth is None else len(worth) - int(np.count_nonzero(worth))
    return Actions(action, not_worth=never)


def acted_in_steps(first: BoolArray, *others: BoolArray) -> NDArray[np.str_]:
    """The action on each case by whether it is flagged in each step: in how many it is."""
    if not others:
        return np.where(first, FLAG, PASS)
    return np.array((PASS, REVIEW, FLAG))[np.sum([first, *others], axis=0)]


def _check_length(name: str, values: FloatArray | BoolArray, scores: FloatArray) -> None:
    if values.ndim and len(values) != len(scores):
        raise ConditionError(
            f"{name} are {len(values)} for {len(scores)} scores: give one for each."
        )


def _by_one_rule(
    rules: DeployedRules, scores: FloatArray, queued: FloatArray, asked: Asked
) -> Actions:
    """What one rule does; a queue has scores that are NaN where they are missing."""
    rule = rules.rule
    if rule is not None and not rule.queued:
        return Actions(rule.applied(scores, seed=asked.seed))
    if asked.batch is None and len(scores) == 1:
        one, note = rules.of_one_case(scores)
        return Actions(one.applied(scores, seed=asked.seed), 0, note)
    batches = None
    if asked.batch is not None:
        batches = group_numbers(asked.batch, len(scores), "batch", "scores")
    if rule is not None:
        found = applied_in_batches(rule, queued, batches, asked.seed, asked.missing)
    else:
        found = rules.the_queue.applied(queued, batches, asked.missing)
    action, tied, note = found
    if note:
        warn_of(f"{rules.what}: {note}.")
    return Actions(action, tied, note)

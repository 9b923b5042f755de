"""Decisions kept in files, sound and spoiled, and applied."""

import json
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import costspace as cs
from costspace.decision import SavedDecision
from costspace.decision.applying.deployed import DeployedRules
from fuzz.calls.registry import makes
from fuzz.case import ANSWER, EITHER, REFUSE, Case
from fuzz.samples import Rng

_RNG = np.random.default_rng(11)
_Y = (_RNG.random(80) < 0.4).astype(int)
_S = np.round(1 / (1 + np.exp(1 - 2 * _Y - _RNG.normal(size=80))), 2)
_LIMITS = cs.Constraints(capacity=0.3)
_KNOWN = cs.Deployment(1.0, (2.0, 9.0), (0.2, 0.4))
_ODD = (None, -1, 0.5, 2.0, 1e400, "", "inf", "a", [], [0, 1], {}, {"low": 0, "high": 1}, True)


@cache
def _saved() -> list[dict[str, Any]]:
    """The values of the saved decisions of some strategies."""
    kept = []
    for limits in (_LIMITS, cs.Constraints()):
        found = cs.decide(_Y, {"m": _S}, conditions=_KNOWN, constraints=limits, folds=2)
        kept += [_kept(found.saved(one.strategy)) for one in found.strategies]
    return kept


def _kept(decision: SavedDecision) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "decision.json"
        decision.save(path)
        values: dict[str, Any] = json.loads(path.read_text())
    return values


def _spoil(rng: Rng, value: Any) -> Any:
    """The values with one of them something else, or left out."""
    if not isinstance(value, dict | list) or not value or rng.random() < 0.15:
        return _ODD[int(rng.integers(len(_ODD)))]
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = keys[int(rng.integers(len(keys)))]
    copy = value.copy()
    if rng.random() < 0.1:
        del copy[key]
    else:
        copy[key] = _spoil(rng, value[key])
    return copy


def _load(text: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "decision.json"
        path.write_text(text)
        found = cs.load_decision(path)
    _applied(found, _S)
    return found


def _applied(found: SavedDecision, scores: Any) -> Any:
    given: dict[str, Any] = {}
    if found.rules.rule is None:
        given = {"fp_cost": 1.0, "fn_cost": 5.0, "prevalence": 0.3}
    return found.apply(scores, seed=1, **given)


def _doubts_wrongly(found: SavedDecision) -> str | None:
    """Whether its own scores look like others, or others like its own."""
    if found.rules.decided_on is None:
        return None
    if _applied(found, _S).doubt:
        return "its own scores are doubted"
    return None if _applied(found, 0.2 * _S).doubt else "other scores are not doubted"


@makes("load_decision", weight=0.15)
def load(rng: Rng, name: str) -> Case:
    """Sound files come back as they were; of others every value is checked."""
    values = _saved()[int(rng.integers(len(_saved())))]
    if rng.random() < 0.4:

        def right(answer: Any) -> str | None:
            same = _kept(answer) == values
            return _doubts_wrongly(answer) if same else "another decision than was saved"

        return Case(name, (json.dumps(values),), must=ANSWER, right=right, call=_load)
    if rng.random() < 0.1:
        text = json.dumps(values)
        cut = text[: int(rng.integers(len(text)))]
        return Case(name, (cut,), must=REFUSE, call=_load)
    if rng.random() < 0.2:
        # One thing said twice, or two things.
        recommended = {**values["recommendation"], "rule": cs.Rule(-3.5).to_dict()}
        two = json.dumps({**values, "recommendation": recommended})
        twice = json.dumps(values).replace('"apply": {', '"apply": {"model": "m", ', 1)
        return Case(name, ((two, twice)[int(rng.integers(2))],), must=REFUSE, call=_load)
    spoiled = {**values, "apply": _spoil(rng, values["apply"])}
    return Case(name, (json.dumps(spoiled),), must=EITHER, call=_load)


@makes("Actions", "SavedDecision", weight=0.1)
def actions(rng: Rng, name: str) -> Case:
    """What a rule does to scores on both sides of its cuts, and on them."""
    cuts = sorted(set(np.round(rng.normal(size=2), 1).tolist()))
    words = ("pass", "review", "flag")[: len(cuts) + 1]
    kept = SavedDecision({}, DeployedRules("m", "own", cs.Rule(cuts, words)))
    scores = np.append(rng.normal(size=5), [*cuts, -np.inf, np.inf])
    wanted = [words[sum(score > cut for cut in cuts)] for score in scores]
    # What is done with those that have no score is asked, and what others have stays.
    missing = ("refuse", "pass", "review", "flag")[int(rng.integers(4))]
    lacks = (
        np.zeros(len(scores), dtype=bool) if missing == "refuse" else rng.random(len(scores)) < 0.3
    )
    scores[lacks] = np.nan
    wanted = [missing if none else word for none, word in zip(lacks, wanted, strict=True)]

    def right(answer: Any) -> str | None:
        if name == "SavedDecision":
            answer = answer.apply(scores, missing=missing)
        return None if answer.action.tolist() == wanted else f"{answer.action} where it is {wanted}"

    def call() -> Any:
        return kept if name == "SavedDecision" else kept.apply(scores, missing=missing)

    return Case(name, right=right, call=call)


def _read(text: str) -> Any:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.csv"
        path.write_text(text)
        return cs.read_rows(path, label="y", scores=["s"])


@makes("read_rows", weight=0.1)
def read(rng: Rng, name: str) -> Case:
    """Rows come back as they were written; a cell that is no number is refused."""
    scores = np.round(rng.normal(size=6), 3)
    lines = [f"{label},{score}" for label, score in zip([0, 1] * 3, scores.tolist(), strict=True)]
    if rng.random() < 0.3:
        lines[int(rng.integers(6))] = ["0,", "1,high", "2,0.5", ",0.5"][int(rng.integers(4))]
        return Case(name, ("\n".join(["y,s", *lines, ""]),), must=REFUSE, call=_read)

    def right(answer: Any) -> str | None:
        same = answer.scores["s"].tolist() == scores.tolist()
        return None if same and answer.positive.sum() == 3 else "other rows than were written"

    return Case(name, ("\n".join(["y,s", *lines, ""]),), must=ANSWER, right=right, call=_read)

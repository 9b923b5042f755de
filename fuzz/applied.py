"""Saved decisions on files of new rows, also moved or missing: what they do in Python."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import costspace as cs
from costspace.errors import CostspaceError
from fuzz.case import EITHER, Case
from fuzz.commands import run
from fuzz.files import in_a_folder
from fuzz.named import store
from fuzz.samples import Rng

_ROWS = 300
# What may have become of the scores.
_MOVED = {
    "as they were": lambda s: s,
    "reversed": lambda s: 1 - s,
    "scaled": lambda s: 0.2 * s,
    "shifted": lambda s: s + 0.3,
    "log-odds": lambda s: np.log(s / (1 - s)),
}
# A cost of a false negative as options say it, and as numbers.
_COSTS = {
    "--fn-cost=5": lambda amount: 5.0,
    "--fn-cost-column=amount": lambda amount: amount,
    "--fn-cost-column=0.6*amount": lambda amount: 0.6 * amount,
    "--fn-cost-column=2*(amount + 1)-amount*amount": lambda amount: (
        2 * (amount + 1) - amount * amount
    ),
}


def _rows(rng: Rng) -> tuple[np.ndarray, np.ndarray]:
    y = (rng.random(_ROWS) < 0.3).astype(int)
    return y, np.round(1 / (1 + np.exp(3 - 2 * y - rng.normal(size=_ROWS))), 3)


@cache
def _saved() -> list[Any]:
    """Decisions with one rule, one at each condition, for each case's costs, a queue, reviews."""
    rng = np.random.default_rng(12)
    y, s = _rows(rng)
    known, review = cs.Deployment(1.0, (2.0, 9.0), (0.2, 0.4)), cs.Review(0.2, 0.9)
    own = cs.CaseCosts(fp_cost=1.0, fn_cost=rng.uniform(0.5, 9, _ROWS).round(2))
    asked: list[dict[str, Any]] = [
        {"conditions": known},
        {"conditions": known, "known": ("costs", "prevalence")},
        {"case_costs": own},
        {"conditions": known, "constraints": cs.Constraints(capacity=0.3)},
        {"case_costs": own, "review": review},
        {
            "conditions": cs.Deployment(1.0, (2.0, 9.0), (0.2, 0.4), review=review),
            "known": ("costs", "prevalence"),
            "actions": ("approve", "look", "decline"),
        },
    ]
    decisions = [cs.decide(y, {"m": s}, folds=2, **each) for each in asked]
    return [one.saved(each.strategy) for one in decisions for each in one.strategies]


def case(rng: Rng) -> Case:
    """Actions that are written beside rows, and what is told of them."""
    saved = _saved()[int(rng.integers(len(_saved())))]
    moved = str(rng.choice(list(_MOVED)))
    s = _MOVED[moved](_rows(rng)[1].clip(0.001, 0.999))
    amount = rng.uniform(0.5, 9, _ROWS).round(2)
    for values in (s, amount):
        if rng.random() < 0.4:
            values[rng.random(_ROWS) < 0.05] = np.nan
    cost = str(rng.choice(list(_COSTS)))
    follows = saved.rules.rule is None
    given = {"fp_cost": 1.0, "fn_cost": _COSTS[cost](amount), "prevalence": 0.3}
    options = ["--fp-cost=1", cost, "--prevalence=0.3"] if follows else []
    missing = str(rng.choice(["refuse", "pass", "review", "flag"]))
    strict = bool(rng.random() < 0.3)
    options += [f"--missing={missing}", *(["--strict"] if strict else [])]
    # Also words too many or too few.
    words = [None, ["a", "b"], ["a", "b", "c"]][int(rng.integers(3))]
    options += [] if words is None else [f"--actions={','.join(words)}"]
    as_text = bool(rng.random() < 0.5)

    def known() -> Any:
        try:
            asked = {"missing": missing, "actions": words}
            return saved.apply({"m": s}, **asked, **(given if follows else {}))
        except CostspaceError as error:
            return error

    def work(folder: Path) -> Any:
        path, out = (folder / f"{one}.{'csv' if as_text else 'parquet'}" for one in ("rows", "out"))
        saved.save(folder / "decision.json")
        store(path, {"m": s, "amount": amount})
        arguments = [folder / "decision.json", path, *options, "--json", "-o", out]
        try:
            told = json.loads(run("apply", *arguments))
        except CostspaceError as error:
            here = known()
            if not isinstance(here, CostspaceError) and not (strict and here.doubt):
                raise AssertionError(f"refused where Python answers: {error}") from None
            raise
        return told, known(), _actions(out)

    def right(answer: Any) -> str | None:
        told, here, actions = answer
        if isinstance(here, CostspaceError):
            return f"an answer where Python has {here}"
        if actions != here.action.tolist():
            return "other actions than in Python"
        for name in ("missing", "not_worth", "doubt"):
            if told[name] != getattr(here, name):
                return f"{name}: {told[name]!r} where it is {getattr(here, name)!r}"
        if strict and told["doubt"]:
            return f"strict, and only doubts {told['doubt']!r}"
        looks = saved.model is not None and moved != "as they were"
        return f"scores that are {moved} are not doubted" if looks and not told["doubt"] else None

    shown = (saved, moved, options)
    return Case("apply", shown, {}, EITHER, right, call=in_a_folder(work))


def _actions(path: Path) -> list[str]:
    from pyarrow.csv import read_csv
    from pyarrow.parquet import read_table

    found: list[str] = (read_csv if path.suffix == ".csv" else read_table)(path)[
        "action"
    ].to_pylist()
    return found

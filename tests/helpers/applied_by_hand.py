"""What a saved decision does, row by row, from its JSON alone and in plain Python."""

import json
from pathlib import Path
from typing import Any

import numpy as np

PRIME = 2**31 - 1


def draws(seed: int, rows: int) -> list[float]:
    """A number from [0, 1) for each row."""
    keys = [int(key) % PRIME for key in np.random.SeedSequence(seed).generate_state(6)]
    found = []
    for row in range(rows):
        x = row
        for key in keys:
            x = pow(x + key, 5, PRIME)
        found.append(x / PRIME)
    return found


def actions(path: Path, scores: Any, *, seed: int = 0, **known: Any) -> list[str]:
    """The action for each row; what is known is one number, or one for each row."""
    apply = json.loads(path.read_text())["apply"]
    random = draws(seed, len(scores))
    found = []
    for i, score in enumerate(scores):
        here = {name: float(v[i] if np.ndim(v) else v) for name, v in known.items()}
        if "steps" in apply:
            found.append(_reviewed(apply, float(score), here))
            continue
        rule = apply["rule"] or _rule_at(apply["bands"], **here)
        if random[i] >= rule.get("chance", 1):
            rule = rule["otherwise"]
        found.append(_action(rule, float(score), [float(s) for s in scores]))
    return found


def _reviewed(apply: dict[str, Any], score: float, here: dict[str, float]) -> str:
    """Pass, review or flag, by whether each of the two steps flags."""
    review, correct = apply["review"], apply["correct_costs"]
    se, sp, d = review["sensitivity"], review["specificity"], review["cost"]
    known = {f"{one}_cost": here.get(f"{one}_cost", 0.0) for one in ("fp", "fn", "tp", "tn")}
    known |= {name: cost for name, cost in correct.items() if cost and name not in here}
    fp, fn, tp, tn = known.values()
    looked = (d + (1 - sp) * fp + sp * tn, d + se * tp + (1 - se) * fn)
    # From what one action costs on either class to what the next one does.
    ends = [((tn, fn), looked), (looked, (fp, tp))]
    if apply["steps"][0]["costs"] is None and d >= (se + sp - 1) * (fp - tn) * (fn - tp) / (
        fp - tn + fn - tp
    ):
        ends = [((tn, fn), (fp, tp))] * 2
    flags = 0
    for step, ((u, v), (next_u, next_v)) in zip(apply["steps"], ends, strict=True):
        c = (next_u - u) / (next_u - u + v - next_v) if step["costs"] is None else step["costs"]
        own = {"fp_cost": c, "fn_cost": 1 - c}
        if "prevalence" in here:
            own["prevalence"] = here["prevalence"]
        flags += _action(_rule_at(step["bands"], **own), score, []) == "flag"
    return ("pass", "review", "flag")[flags]


def _action(rule: dict[str, Any], score: float, queue: list[float]) -> str:
    if rule["by"] == "share":
        place = sum(other >= score for other in queue)
        stretch = sum(place > cut * len(queue) for cut in rule["cuts"])
    else:
        stretch = sum(score > cut for cut in rule["cuts"])
    return str(rule["actions"][stretch])


def _rule_at(
    bands: list[Any],
    *,
    fp_cost: float,
    fn_cost: float,
    tp_cost: float = 0.0,
    tn_cost: float = 0.0,
    prevalence: float | None = None,
) -> dict[str, Any]:
    """The rule at a condition."""
    p = bands[0]["prevalence"]["low"] if prevalence is None else prevalence
    band = [one for one in bands if one["prevalence"]["low"] <= p][-1]
    at_stake = (1 - p) * (fp_cost - tn_cost), p * (fn_cost - tp_cost)
    skew = at_stake[0] / sum(at_stake)
    cost = (fp_cost - tn_cost) / (fp_cost - tn_cost + fn_cost - tp_cost)
    at = cost if band["prevalence"]["low"] == band["prevalence"]["high"] else skew
    if "formula" in band:
        own = band["formula"]["calibrated_to"]
        moved = at if own is None else skew * own / (skew * own + (1 - skew) * (1 - own))
        return {"by": "score", "cuts": [moved], "actions": ["pass", "flag"]}
    breaks = band["breaks"]
    i = max(i for i in range(len(breaks) - 1) if breaks[i] <= at < breaks[i + 1])
    rule = _at_cut(band["cuts"][i])
    if "otherwise" not in band:
        return rule
    along = (at - breaks[i]) / (breaks[i + 1] - breaks[i])
    chance = (1 - along) * band["mix_start"][i] + along * band["mix_end"][i]
    return {**rule, "chance": chance, "otherwise": _at_cut(band["otherwise"][i])}


def _at_cut(cut: float | str) -> dict[str, Any]:
    if cut in {"inf", "-inf"}:
        return {"by": "score", "cuts": [], "actions": ["flag" if cut == "-inf" else "pass"]}
    return {"by": "score", "cuts": [cut], "actions": ["pass", "flag"]}

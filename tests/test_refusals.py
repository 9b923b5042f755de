"""What every public function refuses, by the names of its arguments.

The same thing has the same name in all of them (`test_signatures.py`), so it is refused alike.
"""

import inspect
from typing import Any

import pytest
from public_names import PUBLIC
from refusals import refused

import costspace as cs

NAN, INF = float("nan"), float("inf")
Y, S = [0, 0, 1, 1, 0, 1], [0.1, 0.6, 0.4, 0.9, 0.3, 0.7]
TABLE = cs.ScoreTable.from_predictions(Y, S)
BINNED = cs.ScoreCounts.from_predictions(Y, S, binning=cs.Binning.uniform(bins=4))
CURVE = cs.loss_curve(TABLE, choice=cs.Optimal())
# What functions need at least.
GIVEN: dict[str, Any] = (
    {"y_true": Y, "y_score": S, "binned": BINNED, "curves": {"a": CURVE}}
    | dict.fromkeys(("table", "before", "after", "a", "b"), TABLE)
    | dict.fromkeys(("curve", "first", "second"), CURVE)
    | dict.fromkeys(("metric", "metrics"), cs.auc)
    | dict.fromkeys(("c", "z", "condition", "prevalence", "flagged"), 0.3)
    | {"choice": cs.Optimal(), "fpr": 0.1, "fnr": 0.2, "precision": 0.4, "low": 0.1, "high": 0.8}
    | {
        "review": cs.Review(cost=0.5),
        "fp_cost": 1,
        "fn_cost": 5,
        "cost_ratio": 2,
        "points": ([0.1], [0.2]),
        "axis": "cost",
    }
    | {"counts": [[3, 1]], "values": [0.1, 0.8]}
    | {"model": cs.AnalyticScores(lambda x: 2 * (1 - x), lambda x: 2 * x, 0.5), "t": [0.5]}
)
# Arguments of functions that another function takes in another shape.
OWN: dict[str, dict[str, Any]] = {
    "compare": {"y_score": {"a": S, "b": S[::-1]}},
    "difference_band": {"y_score": {"a": S, "b": S[::-1]}, "choice": cs.ScoreFixed(0.5)},
    "lower_envelope": {"curves": [CURVE]},
    "weighted_sum": {"curves": [CURVE]},
    "average_scores": {"y_score": {"a": S}},
    "loss_isometric": {"fpr": 0.1, "fnr": 0.2},
    "evaluate": {"intervals": True},
    "bayes_thresholds": {"calibrated_to": 0.5},
    "begin_watch": {
        "decision": cs.decide(Y * 4, {"model": S * 4}, fp_cost=1, fn_cost=5, folds=2),
        "tolerance": 300,
    },
}
# What is another thing by that name, or has another range; their own tests have them.
LEAVE_OUT = {
    *(("cost_lines", "prevalence"), ("cost_lines", "axis"), ("skew_range", "prevalence")),
    *(("probability_cost", "prevalence"), ("normalised_cost", "prevalence")),
    *(("average_scores", "y_score"), ("average_scores", "weights")),
    *(("weighted_sum", "weights"), ("threshold_interval", "level")),
    *(("repair_concavity", "low"), ("repair_concavity", "high")),
    *(("mean_sequence", "low"), ("mean_sequence", "high")),
}
NO_DISTRIBUTION = "costs must be a distribution of conditions such as Uniform(), Beta(2, 2)"
NO_CHOICE = "choice must be a threshold choice method such as Optimal() or ScoreDriven(), got "
BAD: dict[str, list[tuple[Any, str]]] = {
    "axis": [
        (bad, f"axis must be 'cost' or 'skew', got {bad!r}.") for bad in ("roc", "Cost", None, 3)
    ],
    "prevalence": [
        (0, "prevalence must be in (0, 1), got 0."),
        (1, "prevalence must be in (0, 1), got 1."),
        (2, "prevalence must be in (0, 1), got 2: 2 % is 0.02."),
        (NAN, "prevalence must be in (0, 1), got nan."),
        (10**400, "prevalence must be"),
        *((bad, f"prevalence must be in (0, 1), got {bad:g}") for bad in (True, -0.1, INF)),
        *((bad, f"prevalence must be a number, got {bad!r}.") for bad in ("x", 1j, {})),
    ],
    "choice": [(bad, f"{NO_CHOICE}{bad!r}.") for bad in (cs.Optimal, "optimal", 0.5, cs.Uniform())],
    "costs": [(bad, NO_DISTRIBUTION) for bad in (cs.Uniform, "uniform(0,1)", 0.5, cs.Optimal())],
    "level": [
        (1.5, "level must be in (0, 1), got 1.5: 1.5 % is 0.015."),
        (0, "level must be in (0, 1), got 0."),
        ("x", "level must be a number, got 'x'."),
    ],
    "design": [("random", "design must be 'independent' or 'stratified', got 'random'.")],
    "weights": [("rows", "weights must be 'sampling' or 'counts', got 'rows'.")],
    "correction": [("fdr", "correction must be one of holm, bonferroni or None, got 'fdr'.")],
    "seed": [(bad, f"seed must be a whole number, at least 0, got {bad}.") for bad in (-1, 1.5)],
    "low": [
        (0.9, "low must be below high, got low=0.9 and high=0.8."),
        (0.8, "low must be below high, got low=0.8 and high=0.8."),
        (-0.1, "low must be in [0, 1], got -0.1."),
        (NAN, "low must be in [0, 1], got nan."),
        ("a", "low must be a number, got 'a'."),
    ],
    "high": [(1.1, "high must be in [0, 1], got 1.1: 1.1 % is 0.011.")],
    "curve": [
        (bad, "curve must be a loss curve, such as loss_curve(...)") for bad in (3, Y, TABLE)
    ],
    "first": [(3, "curve must be a loss curve, such as loss_curve(...)")],
    "second": [(cs.Optimal(), "curve must be a loss curve, such as loss_curve(...)")],
    "curves": [(bad, "curve") for bad in ({}, [], None, 3, CURVE, {"a": 3}, [CURVE, Y])],
    "table": [(bad, "needs the rows of a ScoreTable, got ") for bad in ([0.1, 0.2], None)],
    "model": [(TABLE, "only an AnalyticScores model has densities, got ")],
    "c": [(-0.1, "in [0, 1], got -0.1."), ("half", "must be a number, got 'half'.")],
    "condition": [
        (1.1, "condition must be in "),
        ("half", "condition must be a number, got 'half'."),
        ([0.1, 0.2], "condition must be a number, got [0.1, 0.2]."),
    ],
    "y_score": [(None, "y_score is missing")],
    "y_true": [([1] * 6, "there is only one class")],
    "flagged": [(1.5, "flagged must be in [0, 1], got 1.5: 1.5 % is 0.015."), ("much", "number")],
    "precision": [(1.5, "precision must be in [0, 1], got 1.5"), ("much", "number")],
    "relative_cost": [
        (0, "relative_cost must be above 0, got 0"),
        (1.5, "relative_cost must be in [0, 1], got 1.5: 1.5 % is 0.015."),
        ("half", "relative_cost must be a number, got 'half'."),
    ],
    "review": [
        (bad, "review must be a Review, such as Review(cost=15), got ") for bad in (None, 1)
    ],
    "z": [(1.2, "a skew must be in [0, 1], got 1.2."), ("half", "must be a number, got 'half'.")],
    "fpr": [(2, "fpr must be in [0, 1], got "), ("a", "fpr must be a number, got 'a'.")],
    "fnr": [(NAN, "fnr must be in [0, 1], got "), ("a", "fnr must be a number, got 'a'.")],
}
FUNCTIONS = {
    name: one
    for name, one in PUBLIC.items()
    if inspect.isfunction(one)
    and not one.__module__.startswith(("costspace.decision", "costspace.frames"))
}


def given(name: str) -> dict[str, Any]:
    """Arguments that a function takes."""
    known = GIVEN | OWN.get(name, {})
    found = {}
    for parameter in inspect.signature(FUNCTIONS[name]).parameters.values():
        if parameter.name in OWN.get(name, {}) or parameter.name in ("y_score", "low", "high"):
            found[parameter.name] = known.get(parameter.name)
        elif parameter.default is parameter.empty:
            found[parameter.name] = known[parameter.name]
    return found


def cases() -> list[Any]:
    return [
        pytest.param(name, argument, bad, text, id=f"{name} {argument}={bad!r:.30}")
        for name, one in FUNCTIONS.items()
        for argument, parameter in inspect.signature(one).parameters.items()
        if (name, argument) not in LEAVE_OUT
        for bad, text in BAD.get(argument, [])
        # What is left out by default can be left out by name.
        if bad is not None or parameter.default is not None
    ]


@pytest.mark.parametrize(("name", "argument", "bad", "text"), cases())
def test_a_bad_argument_is_refused(name: str, argument: str, bad: Any, text: str) -> None:
    with refused(cs.CostspaceError, text):
        FUNCTIONS[name](**given(name) | {argument: bad})

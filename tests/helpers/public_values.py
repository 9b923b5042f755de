"""What every public class makes, found by looking into a few results.

A class whose instances are in none of `ROOTS` gets a root of its own.
"""

import inspect
from collections.abc import Iterator
from functools import cache, cached_property, partial
from types import MethodType
from typing import Any

import numpy as np
import pandas as pd
from brute_force import Sample
from laws.conditions import CONDITIONS
from laws.registry import CHOICES, COSTS
from laws.sources import SOURCES
from public_names import PUBLIC
from scipy import stats
from sklearn.linear_model import LogisticRegression

import costspace as cs
import costspace.frames
import costspace.plots
import costspace.report
import costspace.sklearn as in_sklearn

GENERATOR = np.random.default_rng(0)
Y = (GENERATOR.random(120) < 0.4).astype(int)
A = np.round(np.clip(0.35 + 0.25 * Y + 0.2 * GENERATOR.standard_normal(120), 0.01, 0.99), 2)
B = np.round(np.clip(A + 0.15 * GENERATOR.standard_normal(120), 0.01, 0.99), 2)
SCORES = {"a": A, "b": B}
WEIGHT = 1.0 + np.arange(120) % 3
KNOWN = cs.Deployment(1, (4, 10), (0.1, 0.3))
MODULES = (
    costspace.frames,
    costspace.plots,
    costspace.report,
    in_sklearn,
)


def falling(scores: np.ndarray) -> np.ndarray:
    """A density on [0, 1], which pickle finds by its name."""
    return 2 * (1 - scores)


def public_classes() -> list[type]:
    """The concrete classes among the public names, exceptions aside."""
    outside = (getattr(module, name) for module in MODULES for name in module.__all__)
    found = [*PUBLIC.values(), *outside]
    return [
        value
        for value in dict.fromkeys(found)
        if inspect.isclass(value)
        and not inspect.isabstract(value)
        and not issubclass(value, Exception)
    ]


def _scores() -> dict[str, Any]:
    table = cs.ScoreTable.from_predictions(Y, A)
    rows = cs.ScoredRows.from_predictions(
        Y,
        SCORES,
        sample_weight=WEIGHT,
        groups=np.arange(120) % 40,
        case_costs=cs.CaseCosts(1.0, B + 1),
    )
    model = cs.AnalyticScores(stats.beta(2, 4), cs.scores.ScoreDensity(falling, kinks=[0.5]), 0.3)
    return {
        "table": table,
        "weighted table": cs.ScoreTable.from_predictions(Y, A, sample_weight=WEIGHT),
        "rows": rows,
        "mean costs": rows.mean_costs,
        "held out": cs.hold_out(cs.ScoredRows.from_predictions(Y, SCORES)),
        "held-out counts": cs.hold_out(
            cs.ScoredRows.from_predictions(np.tile(Y, 900), {"a": np.tile(A, 900)})
        ),
        "held-out scores": cs.hold_out(cs.ScoredRows.from_predictions(Y, SCORES)).of("a"),
        "counts": cs.ScoreCounts.from_predictions(Y, A),
        "weighted counts": cs.ScoreCounts.from_predictions(Y, A, sample_weight=WEIGHT),
        "binned": cs.ScoreCounts.from_predictions(Y, A, binning=cs.Binning.uniform()),
        "model": model,
        # Those with densities of the laws have functions that pickle does not find.
        "sources": [c.make() for c in SOURCES.values() if isinstance(c.oracle, Sample)],
        "convex model": model.convexified(),
        "switched path": cs.ScoreDriven().path(model),
        "path by rate": cs.RateDriven().path(model),
        "surface of a model": cs.roc_surface(model),
        "smooth curve": cs.loss_curve(model, choice=cs.Optimal()),
        "parts of a model": cs.metrics.class_parts(model, choice=cs.Optimal()),
        "noisy curve": cs.loss_curve(
            table, choice=cs.NoisyCondition(cs.ScoreDriven(), stats.norm(0, 0.1))
        ),
        "flagging": (
            *(cs.ScoreDriven().flagging(table, A), cs.RateDriven().flagging(table, A)),
            cs.RateFixed(0.3).flagging(table, A),
        ),
        "look-ups": (
            cs.scores.SteppedLookUp(np.array([0.4]), cs.OperatingPoints(np.ones(2), np.zeros(2))),
            *(model.by_score, cs.scores.Straight(1, 0)),
        ),
        "influence": cs.Optimal().influence(table, cs.Uniform()),
        "map": cs.pav(table),
        "concavities": cs.transform.concavities(table),
        "segments": costspace.frames.score_table(
            pd.DataFrame({"y": Y, "s": A, "site": np.arange(120) % 3}),
            label="y",
            score="s",
            by="site",
        ),
    }


def _choices_and_conditions() -> dict[str, Any]:
    table = cs.ScoreTable.from_predictions(Y, A)
    return {
        "choices": [case.choice for case in CHOICES.values()],
        "choices of choices": (
            cs.Fitted(cs.Optimal(), table),
            cs.NoisyCondition(cs.ScoreDriven(), stats.norm(0, 0.1)),
        ),
        "costs": [case.costs for case in COSTS.values()],
        "densities of log-odds": [
            cs.Uniform().log_odds_density(),
            cs.Beta(2, 3).log_odds_density(),
        ],
        "conditions": list(CONDITIONS.values()),
        "gain band": cs.bands.gain_band(Y, A, replicates=100),
        "band": cs.loss_band(Y, A, choice=cs.ScoreDriven(), simultaneous=False),
        "band of conditions": cs.deployment.Band(KNOWN, 0.5),
        "stakes": cs.deployment.Stakes(np.array([1.0, 2.0]), np.array([3.0, 5.0])),
        "range": cs.deployment.Range(0.1, 0.3),
        "table of actions": cs.CostTable([[0, 1, 2], [9, 1, 0]]),
        "steps": cs.CostTable([[0, 1, 2], [9, 1, 0]]).steps,
        "skews": cs.skew_range(cost_ratio=(0.1, 0.5), prevalence=(0.1, 0.2)),
        "guide": cs.reasonable_choices(condition_known="never"),
        "limits": cs.Constraints(capacity=0.2),
        "room": cs.Constraints(capacity=0.2).with_room(0.95, 80, 20).room,
    }


def _curves() -> dict[str, Any]:
    table, other = (cs.ScoreTable.from_predictions(Y, scores) for scores in (A, B))
    curves = {name: cs.loss_curve(Y, s, choice=cs.ScoreDriven()) for name, s in SCORES.items()}
    path = cs.Optimal().path(table)
    reached = cs.OperatingPoints(np.array([0.5, 0.2]), np.array([0.25, 0.4]))
    limits = cs.Constraints(capacity=0.2)
    return {
        "path": path,
        "thresholds": cs.threshold_path(table, choice=cs.Optimal()),
        "parts": cs.metrics.class_parts(Y, A, choice=cs.RateDriven()),
        "contingency": cs.curve.contingency_table(reached.fpr, reached.fnr, prevalence=0.3),
        "lines": cs.cost_lines(reached, axis="skew"),
        "envelope": cs.lower_envelope(list(curves.values())),
        "signs": cs.curve.sign_intervals(curves["a"] - curves["b"]),
        "dominance": cs.dominance(curves),
        "losses": cs.comparison.losses_at(curves, condition=0.3),
        "hybrid": cs.hybrid(curves),
        "equal costs": cs.metrics.equal_cost_points(table, other),
        "net benefit": cs.decision_curve(Y, A),
        "gains": cs.metrics.gain_curve(Y, A),
        "costs of reviews": cs.review_curve(Y, A, fp_cost=2, fn_cost=9, review=cs.Review(cost=1)),
        "economic value": cs.relative_economic_value(Y, A),
        "surface": cs.roc_surface(Y, A),
        "isometric": cs.roc.precision_isometric(precision=0.4, prevalence=0.3),
        "partition": cs.decomposition.partition_scores(table),
        "intervals of scores": cs.pointwise.score_intervals(
            cs.AnalyticScores(stats.beta(2, 4), stats.beta(4, 2), 0.5)
        ),
        "violations": cs.decision.violations(reached, constraints=limits, prevalence=0.5),
        "reached": limits.reached(reached, 0.5),
    }


def _inference() -> dict[str, Any]:
    table, fewer = (cs.ScoreTable.from_predictions(Y[:n], A[:n]) for n in (120, 60))
    rows = cs.ScoredRows.from_predictions(Y, SCORES, case_costs=cs.CaseCosts(1.0, B + 1))
    decision = cs.decide(rows.positive, SCORES, conditions=KNOWN)
    watch = cs.begin_watch(cs.decide(Y, {"a": A}, fp_cost=1, fn_cost=5), tolerance=700)
    watch = watch.add(Y, {"a": A}, day="2026-11-29")
    return {
        "estimate": cs.estimate(Y, A, metric="auc"),
        "comparison": cs.compare(Y, SCORES, metrics=["auc", "brier"]),
        "money comparison": cs.compare_money(Y, SCORES, conditions=KNOWN),
        "settling": decision.settling(more_rows=100),
        "gate": cs.check({"rows": 3, "auc": {"value": 0.8, "low": 0.7, "high": 0.9}}, "auc < 0.75"),
        "bootstrap": cs.bootstrap(Y, A, metrics={"auc": cs.auc}, replicates=100, seed=0),
        "drift": cs.drift(table, fewer, fp_cost=1, fn_cost=5),
        "unlabelled drift": (
            unlabelled := cs.watching.drift_unlabelled(table, A, fp_cost=1, fn_cost=5)
        ),
        "labels that came": unlabelled.labelled(table),
        "watch": watch,
        "look": watch.look(),
        "drift by segment": [
            cs.drift(rows, rows, segments=(np.arange(120) % 2,) * 2, **known)
            for rows in [cs.ScoredRows.from_predictions(Y, {"a": A})]
            for known in ({"fp_cost": 1, "fn_cost": 5}, {"quantities": "auc"})
        ],
        "calibration": cs.calibration_test(Y, A),
        "threshold": cs.threshold_interval(Y, A, condition=0.3),
        "crossings": cs.difference_band(
            Y, SCORES, choice=cs.ScoreDriven(), simultaneous=False
        ).crossings(),
        "evaluation": cs.evaluate(Y, SCORES, intervals=True),
        "bounded evaluation": cs.evaluate(
            {"a": cs.ScoreCounts.from_predictions(Y, A, binning=cs.Binning.uniform())}
        ),
        "decision": decision,
        "money by segment": decision.by(np.arange(120) % 2),
        "saved decision": decision.saved(),
        "actions": cs.decision.Actions(np.array(["pass", "flag"])),
        "outcomes": decision.outcomes(),
        "trivial costs": cs.metrics.trivial_costs(Y, fp_cost=1.0, fn_cost=B + 1),
        "report": costspace.report.contents(Y, SCORES, prevalence=(0.01, 0.1)),
    }


def _in_scikit_learn() -> dict[str, Any]:
    X = np.stack([A, B], axis=1)
    model = LogisticRegression()
    classifier = in_sklearn.ThresholdChoiceClassifier(model, choice=cs.ScoreDriven()).fit(X, Y)
    hybrid = in_sklearn.HybridClassifier([("a", model), ("b", LogisticRegression(C=0.1))])
    scorer = in_sklearn.expected_loss_scorer(choice=cs.ScoreDriven())
    return {"classifier": classifier, "hybrid": hybrid.fit(X, Y), "scorer": scorer}


# Live figures of matplotlib, which keeps canvases and callbacks in them.
EXEMPT = {
    *("Display", "CostSpaceDisplay", "DualSpaceDisplay", "LossCurveDisplay"),
    # The caller's own dataframe, with a column more.
    *("RocSpaceDisplay", "GainDisplay", "AppliedFrame"),
}

# Of each class so many instances are enough.
_MOST = 3


@cache
def roots() -> dict[str, Any]:
    """Results by name; between them they hold an instance of every public class."""
    parts = _scores, _choices_and_conditions, _curves, _inference, _in_scikit_learn
    return {name: value for part in parts for name, value in part().items()}


@cache
def instances() -> dict[str, list[Any]]:
    """Up to so many instances of each public class, by its name."""
    found: dict[str, list[Any]] = {}
    wanted = public_classes()
    for value in inside(roots()):
        if type(value) in wanted:
            found.setdefault(type(value).__name__, []).append(value)
    return {name: values[:_MOST] for name, values in found.items()}


def parts_of(value: Any) -> list[Any]:
    """What a value is made of; what it has computed and kept is no part of it."""
    if isinstance(value, dict):
        return [*value, *value.values()]
    if isinstance(value, (list, tuple)):
        return list(value)
    if isinstance(value, partial):
        return [value.func, *value.args]
    if isinstance(value, MethodType):
        return [value.__func__, value.__self__]
    if type(value).__module__.startswith("costspace"):
        return [part for name, part in sorted(vars(value).items()) if not _is_kept(value, name)]
    return []


def _is_kept(value: Any, name: str) -> bool:
    return isinstance(getattr(type(value), name, None), cached_property)


def inside(value: Any, seen: set[int] | None = None) -> Iterator[Any]:
    """A value, and all that it is made of, once each."""
    seen = set() if seen is None else seen
    if id(value) in seen:
        return
    seen.add(id(value))
    yield value
    for part in parts_of(value):
        yield from inside(part, seen)

"""Tables of Hernandez-Orallo, Flach, Ferri (2012), Threshold choice methods, JMLR 13.

Computed on two models of our own, A and B, where the paper has two of its own.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import TypeAlias

import numpy as np

import costspace as cs
from papers import samples
from papers.document import Columns
from papers.threshold_choice.two_models import two_models

_Measures: TypeAlias = Mapping[str, Callable[[cs.ScoreTable], float]]


def _losses(**choices: cs.ThresholdChoice) -> _Measures:
    """Expected losses under threshold choices."""
    return MappingProxyType(
        {name: partial(cs.expected_loss, choice=choice) for name, choice in choices.items()}
    )


METRICS: _Measures = MappingProxyType({"auc": cs.auc, "brier": cs.brier_score})
# The last is of Section 6.2.
LOSSES = _losses(
    fixed=cs.ScoreFixed(0.5),
    score_driven=cs.ScoreDriven(),
    rate_driven=cs.RateDriven(),
    optimal=cs.Optimal(),
)
_WRITTEN = ("fixed (T = 0.5)", "score-driven (T = c)", "rate-driven (T s.t. r = c)", "optimal")
# Where costs and skews are the same, at a prevalence of 1/2, Table 4 would say everything twice.
_PREVALENCE = 0.25
_FIXED_AT = 0.5
# How Table 6 puts when the operating condition is known.
_REQUIRED = {
    "at evaluation": "o.c. at evaluation time",
    "at deployment": "o.c. at deployment time",
    "never": "no information",
}


def by_model(measures: _Measures) -> dict[str, float]:
    """Measures of both models, by the names that they are stated under."""
    return {
        f"{name}_{model.lower()}": measure(table)
        for name, measure in measures.items()
        for model, table in two_models().items()
    }


def table_1() -> Columns:
    """Two metrics of both models."""
    return {"performance metric": np.array(["AUC", "Brier score"]), **_side_by_side(METRICS)}


def table_2() -> Columns:
    """Expected losses of both models, by threshold choice method."""
    return {"threshold choice method": np.array(_WRITTEN), **_side_by_side(LOSSES)}


def table_3() -> Columns:
    """The methods that are not optimal, by what they use and how they set it."""
    rows = [row for row in cs.reasonable_choices().choices if row.family != "optimal"]
    named = {(row.family, row.setting): row.name for row in rows}
    families = ("scores", "rates")
    return {
        "using": np.array(families),
        **{
            setting: np.array([named[family, setting] for family in families])
            for setting in ("fixed", "chosen uniformly", "driven by the condition")
        },
    }


def table_4() -> Columns:
    """All methods, the metric that goes with each, and expected losses by both, on both axes."""
    guide = cs.reasonable_choices()
    columns = guide.columns()
    table = {"method": columns["name"]}
    for name in ("cost_loss", "skew_loss", "cost_metric", "skew_metric"):
        table[name] = columns[name]
    table["p"] = np.full(len(guide.choices), _PREVALENCE)
    choices = [
        row.choice(_FIXED_AT) if row.condition_known == "at evaluation" else row.choice()
        for row in guide.choices
    ]
    for model, scores in two_models().items():
        for axis in ("cost", "skew"):
            table[f"{axis}_loss_of_{model}"] = np.array(
                [
                    cs.expected_loss(scores.with_prevalence(_PREVALENCE), choice=choice, axis=axis)
                    for choice in choices
                ]
            )
    return table


def table_5() -> Columns:
    """The transformations of scores, and what they make of model A."""
    original = two_models()["A"]
    maps = (cs.transform.evenly_spaced, cs.convexify, cs.pav)
    tables = [original, *(learn(original).apply(original) for learn in maps)]
    measures: dict[str, Callable[..., float]] = {
        "auc": cs.auc,
        "auc_hull": cs.auc_hull,
        "brier_score": cs.brier_score,
        "calibration_loss": partial(cs.calibration_loss, partition="roc"),
        "refinement_loss": partial(cs.refinement_loss, partition="roc"),
        "optimal_loss": LOSSES["optimal"],
    }
    return {
        "transformation": np.array(["none", "evenly-spaced", "convexification", "calibration"]),
        "of distributions": np.array(["", "Even", "Conv", "Cal"]),
        "of samples": np.array(["", "EST", "ROCCH", "PAV"]),
        "function": np.array(["", *(learn.__name__ for learn in maps)]),
        **_rows(measures, tables),
    }


def table_6() -> Columns:
    """What is to be known of the operating condition, and when, for each method."""
    columns = cs.reasonable_choices().columns()
    return {
        "method": columns["name"],
        "using": columns["family"],
        "thresholds": columns["setting"],
        "required information": np.array(
            [_REQUIRED[known] for known in columns["condition_known"]]
        ),
    }


def figure_4() -> Columns:
    """Losses of a model in general, and of models whose scores are special, each computed."""
    general = two_models()["A"]
    tables = {
        "general": general,
        "evenly-spaced scores": cs.transform.evenly_spaced(general).apply(general),
        "perfectly calibrated scores": cs.pav(general).apply(general),
        "perfect ranking": samples.PERFECT.table(),
        "random": samples.RANDOM.table(),
    }
    measures: dict[str, Callable[..., float]] = {
        **_losses(
            rate_uniform=cs.RateUniform(),
            rate_driven=cs.RateDriven(),
            score_uniform=cs.ScoreUniform(),
            score_driven=cs.ScoreDriven(),
            optimal=cs.Optimal(),
        ),
        "auc": cs.auc,
        "mean_absolute_error": cs.mean_absolute_error,
        "brier_score": cs.brier_score,
        "refinement_loss": cs.refinement_loss,
    }
    return {"model": np.array(list(tables)), **_rows(measures, list(tables.values()))}


def _side_by_side(measures: _Measures) -> Columns:
    """A row a measure and a column a model."""
    return {
        f"model {model}": np.array([measure(table) for measure in measures.values()])
        for model, table in two_models().items()
    }


def _rows(measures: _Measures, tables: Sequence[cs.ScoreTable]) -> Columns:
    """A row a table and a column a measure."""
    return {
        name: np.array([measure(table) for table in tables]) for name, measure in measures.items()
    }

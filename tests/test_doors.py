"""Every function that takes predictions takes them in every shape, or says why it cannot."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import stats

import costspace as cs

RNG = np.random.default_rng(3)
Y = (np.arange(120) % 3 == 0).astype(int)
A, B = (1 / (1 + np.exp(-RNG.normal(1.5 * Y - 1))) for _ in range(2))
BOTH = {"a": A, "b": B}
KNOWN = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.3)
Shape = tuple[Any, ...]
# The same scores of one model, with rows, and without.
ROWS_OF_ONE: dict[str, Shape] = {
    "arrays": (Y, A),
    "lists": (Y.tolist(), A.tolist()),
    "columns": (Y[:, None], A[:, None]),
    "mapping": (Y, {"a": A}),
    "pandas": (pd.Series(Y), pd.Series(A)),
    "pandas frame": (Y, pd.DataFrame({"a": A})),
    "two pandas frames": (pd.DataFrame({"y": Y}), pd.DataFrame({"a": A})),
    "Polars frame": (Y, pl.DataFrame({"a": A})),
    "Arrow table": (Y, pa.table({"a": A})),
    "rows": (cs.ScoredRows.from_predictions(Y, {"a": A}),),
}
SORTED: dict[str, Shape] = {
    "table": (cs.ScoreTable.from_predictions(Y, A),),
    "counts": (cs.ScoreCounts.from_predictions(Y, A),),
    "table by name": ({"a": cs.ScoreTable.from_predictions(Y, A)},),
}
ROWS_OF_BOTH: dict[str, Shape] = {
    "mapping": (Y, BOTH),
    "columns": (Y[:, None], {name: scores[:, None] for name, scores in BOTH.items()}),
    "pandas frame": (Y, pd.DataFrame(BOTH)),
    "Polars frame": (Y, pl.DataFrame(BOTH)),
    "Arrow table": (Y, pa.table(BOTH)),
    "rows": (cs.ScoredRows.from_predictions(Y, BOTH),),
}
POPULATION = cs.AnalyticScores(stats.beta(2, 4), stats.beta(4, 2), prevalence=0.3)


def column(found: Any, name: str) -> list[float]:
    """A column of a record, as a list."""
    values: list[float] = found.columns()[name].tolist()
    return values


# What says the same of one model, whether it has rows or is sorted.
OF_ONE: dict[str, Callable[..., Any]] = {
    "auc": cs.auc,
    "brier": cs.brier_score,
    "h": cs.h_measure,
    "voros": cs.voros,
    "expected_loss": lambda *given: cs.expected_loss(*given, choice=cs.Optimal()),
    "loss_curve": lambda *given: cs.loss_curve(*given, choice=cs.ScoreDriven())(0.3),
    "estimate": lambda *given: cs.estimate(*given, metric="brier").standard_error,
    "calibration_test": lambda *given: f"{cs.calibration_test(*given).p:.10g}",
    "expected_money": lambda *given: cs.expected_money(
        *given, choice=cs.Optimal(), conditions=KNOWN
    ),
    "decision_curve": lambda *given: (
        cs.decision_curve(*given).columns()["net_benefit_start"].tolist()
    ),
    "review_curve": lambda *given: cs.review_curve(
        *given, fp_cost=2, fn_cost=10, review=cs.Review(cost=1)
    )([0.5, 1.0]).tolist(),
    "gain_curve": lambda *given: column(cs.metrics.gain_curve(*given), "gain"),
    "roc_surface": lambda *given: column(cs.roc_surface(*given), "fpr_start"),
    "evaluate": lambda *given: next(iter(cs.evaluate(*given).models.values())).metrics,
}
WITH_ROWS: dict[str, Callable[..., Any]] = {
    "bootstrap": lambda *given: cs.bootstrap(*given, metrics=cs.auc, replicates=50).low.tolist(),
    "loss_band": lambda *given: (
        cs.loss_band(*given, choice=cs.ScoreDriven(), replicates=100)
        .columns()["low_start"]
        .tolist()
    ),
    "gain_band": lambda *given: column(cs.bands.gain_band(*given, replicates=100), "low"),
    "threshold_interval": lambda *given: cs.threshold_interval(*given, condition=0.3).low,
    "loss_shares": lambda *given: cs.loss_shares(*given, choice=cs.ScoreDriven()).tolist(),
    "expected_cost": lambda *given: cs.expected_cost(*given, fp_cost=1, fn_cost=5),
    "decide": lambda *given: cs.decide(*given, conditions=KNOWN).recommendation.money,
}
OF_BOTH: dict[str, Callable[..., Any]] = {
    "compare": lambda *given: [(one.metric, one.p) for one in cs.compare(*given).pairs],
    "compare_money": lambda *given: [
        one.money for one in cs.compare_money(*given, conditions=KNOWN).strategies
    ],
    "decide": lambda *given: cs.decide(*given, conditions=KNOWN).recommendation.money,
    "difference_band": lambda *given: column(
        cs.difference_band(*given, choice=cs.ScoreDriven(), replicates=100), "low_start"
    ),
    "evaluate": lambda *given: {
        name: one.metrics for name, one in cs.evaluate(*given).models.items()
    },
}


@pytest.mark.parametrize("shape", [*ROWS_OF_ONE, *SORTED])
@pytest.mark.parametrize("verb", OF_ONE)
def test_one_model(verb: str, shape: str) -> None:
    given = {**ROWS_OF_ONE, **SORTED}[shape]
    assert OF_ONE[verb](*given) == OF_ONE[verb](Y, A)


@pytest.mark.parametrize("shape", ROWS_OF_ONE)
@pytest.mark.parametrize("verb", WITH_ROWS)
def test_rows_of_one_model(verb: str, shape: str) -> None:
    assert WITH_ROWS[verb](*ROWS_OF_ONE[shape]) == WITH_ROWS[verb](Y, A)


@pytest.mark.parametrize("shape", ROWS_OF_BOTH)
@pytest.mark.parametrize("verb", OF_BOTH)
def test_rows_of_two_models(verb: str, shape: str) -> None:
    assert OF_BOTH[verb](*ROWS_OF_BOTH[shape]) == OF_BOTH[verb](Y, BOTH)


@pytest.mark.parametrize("shape", [*SORTED, "population"])
@pytest.mark.parametrize("verb", [*WITH_ROWS, "compare", "compare_money", "difference_band"])
def test_what_needs_rows_says_so(verb: str, shape: str) -> None:
    given = {**SORTED, "population": (POPULATION,)}[shape]
    with pytest.raises(cs.SourceError, match="the scores of each row are needed, got "):
        {**WITH_ROWS, **OF_BOTH}[verb](*given)


@pytest.mark.parametrize("shape", ["mapping", "pandas frame", "rows"])
@pytest.mark.parametrize("verb", [*OF_ONE, *WITH_ROWS])
def test_what_is_of_one_model_says_so(verb: str, shape: str) -> None:
    if verb in OF_BOTH:
        return
    with pytest.raises(
        cs.ScoreError, match="the scores of one model are needed, got those of a, b"
    ):
        {**OF_ONE, **WITH_ROWS}[verb](*ROWS_OF_BOTH[shape])


def test_what_is_one_column_beside_scores_is_taken_like_an_array() -> None:
    days, decided = np.arange(120) // 20, A > 0.5
    asked = {"constraints": cs.Constraints(capacity=0.2), "conditions": KNOWN}
    flat, tall = (
        cs.decide(
            *(Y, A),
            **asked,
            batch=days.reshape(shape),
            groups=np.arange(120).reshape(shape),
            sample_weight=(1 + Y).reshape(shape),
            baseline=decided.reshape(shape),
        )
        for shape in ((120,), (120, 1))
    )
    assert flat.to_dict() == tall.to_dict()
    assert cs.expected_cost(Y, A, fp_cost=1 + A[:, None], fn_cost=5) == (
        cs.expected_cost(Y, A, fp_cost=1 + A, fn_cost=5)
    )


@pytest.mark.parametrize("verb", [*OF_ONE, *WITH_ROWS])
@pytest.mark.parametrize("scores", [A, {"a": A}])
def test_labels_by_name_are_told_what_they_are(verb: str, scores: Any) -> None:
    with pytest.raises(
        cs.LabelError, match=r"y_true must have one dimension, .* got a mapping of 'a', 'b': give"
    ):
        {**OF_ONE, **WITH_ROWS}[verb]({"a": Y, "b": Y}, scores)


@pytest.mark.parametrize("verb", [cs.evaluate, cs.report.contents])
def test_labels_by_name_are_no_tables(verb: Callable[..., Any]) -> None:
    with pytest.raises(cs.LabelError, match="got a mapping of 'a', 'b': give one array"):
        verb({"a": Y, "b": Y}, BOTH)
    with pytest.raises(cs.SourceError, match="y_score is missing"):
        verb({"a": Y})


@pytest.mark.parametrize("verb", [*OF_ONE, *WITH_ROWS, *OF_BOTH])
def test_rows_have_everything(verb: str) -> None:
    rows = ROWS_OF_BOTH["rows"][0] if verb in OF_BOTH else ROWS_OF_ONE["rows"][0]
    with pytest.raises(cs.SourceError, match=r"leave out y_score|give it alone"):
        {**OF_ONE, **WITH_ROWS, **OF_BOTH}[verb](rows, A)


@pytest.mark.parametrize("shape", SORTED)
@pytest.mark.parametrize("verb", ["auc", "brier", "expected_money", "evaluate"])
def test_a_source_has_scores(verb: str, shape: str) -> None:
    told = "the scores of one model|give it alone|got a mapping"
    if shape != "table by name":
        told = "give it alone, and other arguments by name"
    with pytest.raises(cs.CostspaceError, match=told):
        OF_ONE[verb](*SORTED[shape], A)


@pytest.mark.parametrize("name", ["case_costs", "groups", "sample_weight"])
@pytest.mark.parametrize("form", ["rows", "held out"])
def test_what_rows_lack_is_given_where_they_are_made(name: str, form: str) -> None:
    values = {"case_costs": cs.CaseCosts(1 + A, 5), "groups": np.arange(120) // 4}
    value = values.get(name, 1 + Y)
    lacking = cs.ScoredRows.from_predictions(Y, BOTH)
    having = cs.ScoredRows.from_predictions(Y, BOTH, **{name: value})
    known = {} if name == "case_costs" else {"conditions": KNOWN}
    for rows, told in (
        (lacking, rf"have no {name}: give {name} where the rows are made"),
        (having, rf"have that already: leave out {name}\."),
    ):
        with pytest.raises(cs.SourceError, match=told):
            cs.decide(cs.hold_out(rows) if form == "held out" else rows, **known, **{name: value})
    expected = cs.decide(Y, BOTH, **known, **{name: value})
    assert cs.decide(having, **known).to_dict() == expected.to_dict()


@pytest.mark.parametrize("shape", ["rows", *SORTED])
@pytest.mark.parametrize("verb", ["auc", "h", "voros", "calibration_test", "evaluate"])
def test_weights_are_given_where_sources_are_made(verb: str, shape: str) -> None:
    given = {**ROWS_OF_ONE, **SORTED}[shape]
    with pytest.raises(cs.SourceError, match=r"give sample_weight where the .* made"):
        getattr(cs, {"h": "h_measure"}.get(verb, verb))(*given, sample_weight=1 + Y)


@pytest.mark.parametrize("verb", ["brier", "h", "evaluate", "estimate", "expected_cost"])
def test_weights_of_rows_count(verb: str) -> None:
    weight = 1 + np.arange(120) % 4
    rows = cs.ScoredRows.from_predictions(Y, {"a": A}, sample_weight=weight)
    table = cs.ScoreTable.from_predictions(Y, A, sample_weight=weight)
    every = {**OF_ONE, **WITH_ROWS}
    if verb in OF_ONE:
        assert every[verb](rows) == every[verb](table)
    repeated = cs.ScoredRows.from_predictions(*(np.repeat(one, weight) for one in (Y, A)))
    if verb != "estimate":
        assert every[verb](rows) == pytest.approx(every[verb](repeated), rel=1e-12)
    assert every[verb](rows) != every[verb](Y, A)


def test_clusters_of_rows_count() -> None:
    groups = np.arange(120) // 4
    rows = cs.ScoredRows.from_predictions(Y, {"a": A}, groups=groups)
    expected = cs.estimate(Y, A, metric="auc", groups=groups)
    assert cs.estimate(rows, metric="auc") == expected
    found = cs.evaluate(rows, intervals=True).models["a"].intervals
    assert found == cs.evaluate(Y, {"a": A}, intervals=True, groups=groups).models["a"].intervals


def test_scores_that_rounding_took_beyond_1() -> None:
    over = np.where(np.arange(120) == 7, 1.0000001, A)
    rows = cs.ScoredRows.from_predictions(Y, {"a": over})
    for verb in ("brier", "estimate", "evaluate"):
        assert OF_ONE[verb](rows) == OF_ONE[verb](Y, over)


def test_a_population_is_evaluated() -> None:
    found = cs.evaluate(POPULATION)
    model = found.models["y_score"]
    assert model.metrics["auc"] == cs.auc(POPULATION)
    for name, choice in (("optimal", cs.Optimal()), ("rate_driven", cs.RateDriven())):
        expected = cs.expected_loss(POPULATION, choice=choice)
        assert model.expected_loss["cost"][name] == expected
    assert found.summary() == "prevalence 0.3"
    assert found.to_dict()["source"]["rows"] is None
    assert "prevalence 0.3" in repr(found)
    # What has a meaning for samples alone is None, with the reason.
    assert {name for name, value in model.metrics.items() if value is None} <= set(model.notes)
    both = {"sample": SORTED["table"][0], "population": POPULATION}
    for names in (both, dict(reversed(both.items()))):
        beside = cs.evaluate(names, prevalence=0.3)
        assert beside.models["population"].metrics == model.metrics
        assert beside.source.rows == 120
    with pytest.raises(cs.SourceError, match="an interval needs the rows of a ScoreTable"):
        cs.evaluate(POPULATION, intervals=True)


def test_a_month_is_compared_with_the_next_by_its_rows() -> None:
    later = cs.ScoreTable.from_predictions(Y, B)
    assert cs.drift(ROWS_OF_ONE["rows"][0], later) == cs.drift(SORTED["table"][0], later)

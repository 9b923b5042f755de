"""The record of everything `evaluate` computes."""

import json
from typing import Any

import numpy as np
import pytest
from refusals import refused

import costspace as cs
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.metrics import METRICS

Y = [0, 0, 1, 1]
S = [0.1, 0.6, 0.4, 0.9]
DECISIONS = [-3, 0.6, 0.4, 2.5]
METRIC_NAMES = {
    *("auc", "auc_hull", "brier", "macro_brier", "mae", "macro_mae"),
    *("miscalibration", "refinement_loss", "h_measure", "voros"),
}
CHOICE_NAMES = {
    *("score_fixed", "score_uniform", "score_driven", "rate_uniform", "rate_driven", "optimal"),
}
NEED_PROBABILITIES = {"brier", "macro_brier", "mae", "macro_mae", "miscalibration"}


def strict_json(evaluation: cs.Evaluation) -> Any:
    return json.loads(json.dumps(evaluation.to_dict(), allow_nan=False))


def test_keys() -> None:
    found = strict_json(cs.evaluate(Y, {"a": S, "b": DECISIONS}))
    assert list(found) == ["source", "condition", "models"]
    assert set(found["source"]) == {"path", "rows", "negatives", "positives"}
    assert set(found["condition"]) == {"axis", "prevalence", "costs"}
    assert list(found["models"]) == ["a", "b"]
    for model in found["models"].values():
        assert set(model) == {"metrics", "expected_loss", "notes"}
        assert set(model["metrics"]) == METRIC_NAMES
        assert set(model["expected_loss"]) == {"cost", "skew"}
        for losses in model["expected_loss"].values():
            assert set(losses) == CHOICE_NAMES


def test_numbers_are_those_of_the_functions() -> None:
    costs, weight = cs.Beta(2, 3), [1, 2, 3, 1]
    arguments: dict[str, Any] = {"sample_weight": weight, "prevalence": 0.2}
    model = cs.evaluate(Y, S, costs=costs, **arguments).models["y_score"]
    table = cs.ScoreTable.from_predictions(Y, S, sample_weight=weight).with_prevalence(0.2)
    assert model.metrics == {name: metric(table) for name, metric in METRICS.items()}
    for axis, losses in model.expected_loss.items():
        for name, choice in PARAMETER_FREE.items():
            expected = cs.expected_loss(table, choice=choice, costs=costs, axis=axis)
            assert losses[name] == expected
    uniform = cs.evaluate(Y, S, **arguments).models["y_score"]
    assert uniform.metrics == model.metrics
    refinement = uniform.metrics["refinement_loss"]
    assert refinement == pytest.approx(uniform.expected_loss["cost"]["optimal"], abs=1e-15)
    gap = uniform.metrics["brier"] - refinement
    assert uniform.metrics["miscalibration"] == pytest.approx(gap, abs=1e-15)
    assert model.notes == {}


def test_source_and_condition() -> None:
    found = cs.evaluate(Y, S, costs=cs.Beta(2, 2), axis="skew", sample_weight=[1, 1, 2, 4])
    assert found.to_dict()["source"] == {"path": None, "rows": 4, "negatives": 2, "positives": 2}
    expected = {"axis": "skew", "prevalence": 0.75, "costs": "beta(2,2)"}
    assert found.to_dict()["condition"] == expected
    assert cs.evaluate(Y, S, prevalence=0.1).condition.prevalence == 0.1


@pytest.mark.parametrize("scores", [DECISIONS, [-np.inf, 0.6, 0.4, np.inf]])
def test_what_has_no_meaning_is_none_with_a_note(scores: list[float]) -> None:
    evaluation = cs.evaluate(Y, scores)
    model = strict_json(evaluation)["models"]["y_score"]
    assert {name for name, value in model["metrics"].items() if value is None} == NEED_PROBABILITIES
    for axis in ("cost", "skew"):
        losses = model["expected_loss"][axis]
        assert {name for name, value in losses.items() if value is None} == {"score_driven"}
    drivens = {f"expected_loss.{axis}.score_driven" for axis in ("cost", "skew")}
    assert "look like decision values, log-odds or points" in model["notes"].pop("thresholds")
    assert set(model["notes"]) == NEED_PROBABILITIES | drivens
    for note in model["notes"].values():
        assert "needs scores in [0, 1], got scores from -" in note
        assert "calibrate the scores first" in note
    columns = evaluation.columns()
    assert np.isnan(columns["brier"]).all()
    assert columns["auc"].tolist() == [0.75]


def test_one_bad_model_does_not_touch_the_others() -> None:
    models = cs.evaluate(Y, {"bad": DECISIONS, "good": S}).models
    assert models["good"] == cs.evaluate(Y, {"good": S}).models["good"]


def test_columns() -> None:
    evaluation = cs.evaluate(Y, {"a": S, "b": DECISIONS})
    columns = evaluation.columns()
    losses = [f"expected_loss_{axis}_{c}" for axis in ("cost", "skew") for c in PARAMETER_FREE]
    assert list(columns) == ["model", *METRICS, *losses]
    assert {len(column) for column in columns.values()} == {2}
    assert columns["model"].tolist() == ["a", "b"]
    assert columns["voros"][0] == evaluation.models["a"].metrics["voros"]
    skewed = evaluation.models["b"].expected_loss["skew"]["optimal"]
    assert columns["expected_loss_skew_optimal"][1] == skewed


def test_repr_shows_the_asked_axis() -> None:
    evaluation = cs.evaluate([0, 1, 1, 1], {"first": S, "second": DECISIONS}, axis="skew")
    text = repr(evaluation)
    assert text.startswith(evaluation.summary())
    assert "4 rows" in evaluation.summary()
    assert "prevalence 0.75" in evaluation.summary()
    assert "expected loss on the skew axis, uniform(0,1)" in text
    assert "first" in text
    assert "second" in text
    lines = [line for line in text.splitlines() if line.startswith("brier")]
    assert len(lines) == 1
    assert lines[0].endswith("–")


def test_html_escapes_names() -> None:
    html = cs.evaluate(Y, {"<script>alert(1)</script>": S, 'a&"b': S})._repr_html_()
    assert "<script>" not in html
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
    assert "a&amp;&quot;b" in html
    assert html.startswith("<table>")
    assert html.count("<th") - html.count("<thead") == html.count("</th>")


def test_frozen() -> None:
    evaluation = cs.evaluate(Y, S)
    copy = evaluation.to_dict()
    copy["models"]["y_score"]["metrics"]["auc"] = 0
    assert evaluation.models["y_score"].metrics["auc"] == 0.75


def test_a_mapping_or_one_array() -> None:
    one = cs.evaluate(Y, S)
    assert list(one.models) == ["y_score"]
    assert one.models["y_score"] == cs.evaluate(Y, {"m": np.array(S)}).models["m"]


def test_a_table_stands_for_predictions() -> None:
    table = cs.ScoreTable.from_predictions(Y, S)
    assert cs.evaluate(table, prevalence=0.2) == cs.evaluate(Y, S, prevalence=0.2)
    with refused(cs.SourceError, "a score table already has"):
        cs.evaluate(table, {"m": S})


@pytest.mark.parametrize("p", [1e-9, 1 - 1e-9])
def test_extreme_prevalence(p: float) -> None:
    model = strict_json(cs.evaluate(Y, S, prevalence=p))["models"]["y_score"]
    assert 0 <= model["metrics"]["h_measure"] <= 1
    assert model["metrics"]["voros"] == pytest.approx(cs.voros(Y, S))


def test_tables_of_several_models_are_evaluated_by_name():
    y, s = [0, 0, 1, 1, 0], {"a": [0.1, 0.6, 0.4, 0.9, 0.3], "b": [0.2, 0.3, 0.6, 0.7, 0.8]}
    tables = {name: cs.ScoreTable.from_predictions(y, x) for name, x in s.items()}
    found = cs.evaluate(tables, prevalence=0.2, intervals=True)
    assert found.to_dict() == cs.evaluate(y, s, prevalence=0.2, intervals=True).to_dict()
    binned = {
        name: cs.ScoreCounts.from_predictions(y, x, binning=cs.Binning.uniform())
        for name, x in s.items()
    }
    both = cs.evaluate({"exact": tables["a"], "bounds": binned["a"]})
    assert both.models["exact"].bounds is None
    assert both.models["bounds"].metrics["auc"] == both.models["exact"].metrics["auc"]
    other = cs.ScoreTable.from_predictions([0, 1, 1], [0.1, 0.2, 0.3])
    same = (
        "models must be of the same rows, and of negatives and positives 'a' has 3 and 2, 'b' has "
        "3 and 2, 'c' has 1 and 2: evaluate each alone."
    )
    with refused(cs.SourceError, same):
        cs.evaluate({**tables, "c": other})
    with refused(cs.SourceError, "give it alone"):
        cs.evaluate(tables, s)
    with refused(cs.SourceError, "there are no tables to evaluate."):
        cs.evaluate({})


@pytest.mark.parametrize("verb", [cs.evaluate, cs.report.contents])
def test_sources_of_other_prevalences_are_not_told_under_one(verb):
    y, s = [0, 0, 1, 1, 0], [0.1, 0.6, 0.4, 0.9, 0.3]
    table = cs.ScoreTable.from_predictions(y, s)
    others = {
        "at 0.1": table.with_prevalence(0.1),
        "weighted": cs.ScoreTable.from_predictions(y, s, sample_weight=[1, 1, 4, 4, 1]),
    }
    for name, other in others.items():
        own = f"'own' has 0.4, {name!r} has {other.prevalence:.6g}: give prevalence, or evaluate"
        with refused(cs.SourceError, f"models are compared at one prevalence, and {own}"):
            verb({"own": table, name: other})
        for p in (0.2, 0.4):
            found = verb({"own": table, name: other}, prevalence=p)
            evaluation = getattr(found, "evaluation", found)
            assert evaluation.condition.prevalence == p
            alone = cs.evaluate(other, prevalence=p).models["y_score"].metrics["brier"]
            assert evaluation.models[name].metrics["brier"] == alone


def test_the_same_weights_in_another_order_have_one_prevalence():
    rng = np.random.default_rng(0)
    y, s, w = np.arange(90) % 3 // 2, rng.random(90), rng.random(90)
    turned = cs.ScoreTable.from_predictions(y[::-1], s[::-1], sample_weight=w[::-1])
    both = {"a": cs.ScoreTable.from_predictions(y, s, sample_weight=w), "b": turned}
    assert cs.evaluate(both).models["a"].metrics["auc"] == cs.auc(turned)

"""The evaluator in MLflow itself, with a store of files."""

import mlflow
import numpy as np
import pandas as pd
import pytest
from mlflow.models import MetricThreshold
from mlflow.models.evaluation.validation import ModelValidationFailedException
from sklearn.linear_model import LogisticRegression

import costspace as cs

RNG = np.random.default_rng(3)
ROWS = 400
X = pd.DataFrame(RNG.normal(size=(ROWS, 2)), columns=["a", "b"])
Y = (X["a"] + RNG.normal(size=ROWS) > 0.7).astype(int)
COSTS = {"fp_cost": 1, "fn_cost": 5, "prevalence": 0.2}


@pytest.fixture(autouse=True)
def store(tmp_path, monkeypatch):
    """A store of this test's own."""
    monkeypatch.chdir(tmp_path)
    # It prefers databases, which its small package does not have.
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    mlflow.set_tracking_uri(f"file://{tmp_path}/runs")
    return tmp_path


@pytest.fixture(scope="module")
def model():
    return LogisticRegression().fit(X, Y)


def evaluated(scores, config=COSTS, **more):
    rows = pd.DataFrame({"y": Y, "score": scores})
    with mlflow.start_run() as run:
        found = mlflow.models.evaluate(
            data=rows,
            targets="y",
            predictions="score",
            model_type="classifier",
            evaluators="costspace",
            evaluator_config=config,
            **more,
        )
    return found, run.info.run_id


def test_the_run_has_the_costs_the_page_and_the_decision(model):
    scores = model.predict_proba(X)[:, 1]
    found, run_id = evaluated(scores)
    decision = cs.decide(Y, {"model": scores}, **COSTS)
    cost = decision.answer()["recommendation"]
    assert found.metrics["cost_per_1000"] == cost["cost_per_1000"]
    assert found.metrics["cost_per_1000_high"] == cost["high"]
    assert found.metrics["auc"] == cs.auc(Y, scores)
    saving = found.metrics["saving_per_1000"]
    # Flagging nobody costs 1,000, and everybody 800.
    assert saving == pytest.approx(800 - cost["cost_per_1000"])
    assert found.metrics["saving_per_1000_low"] < saving < found.metrics["saving_per_1000_high"]
    assert mlflow.get_run(run_id).data.metrics == found.metrics
    path = mlflow.artifacts.download_artifacts(run_id=run_id, artifact_path="decision.json")
    kept = cs.load_decision(path)
    assert kept.apply(scores).action.tolist() == decision.apply(scores).action.tolist()
    assert "<title" in found.artifacts["costspace.html"].content
    uri = found.artifacts["costspace.html"].uri
    assert mlflow.artifacts.load_text(uri) == found.artifacts["costspace.html"].content


def test_a_validation_holds_its_numbers_against_thresholds(model):
    good, _ = evaluated(model.predict_proba(X)[:, 1])
    bad, _ = evaluated(RNG.random(ROWS))
    most = good.metrics["cost_per_1000_high"]
    limits = {
        "cost_per_1000_high": MetricThreshold(threshold=most, greater_is_better=False),
        "saving_per_1000_low": MetricThreshold(threshold=0.0, greater_is_better=True),
    }
    mlflow.validate_evaluation_results(limits, good)
    with pytest.raises(ModelValidationFailedException, match="cost_per_1000_high"):
        mlflow.validate_evaluation_results(limits, bad)
    change = MetricThreshold(min_absolute_change=1.0, greater_is_better=False)
    mlflow.validate_evaluation_results({"cost_per_1000": change}, good, bad)
    with pytest.raises(ModelValidationFailedException, match="cost_per_1000"):
        mlflow.validate_evaluation_results({"cost_per_1000": change}, bad, good)


def test_a_logged_model_is_scored_by_its_probabilities(model):
    with mlflow.start_run():
        logged = mlflow.sklearn.log_model(model, name="model", serialization_format="cloudpickle")
        found = mlflow.models.evaluate(
            logged.model_uri,
            X.assign(y=Y),
            targets="y",
            model_type="classifier",
            evaluators="costspace",
            evaluator_config=COSTS,
        )
    assert found.metrics["auc"] == cs.auc(Y, model.predict_proba(X)[:, 1])


def test_predictions_of_labels_or_texts_are_told_of():
    with pytest.raises(cs.errors.ScoreError, match="pyfunc_predict_fn='predict_proba'"):
        evaluated(np.where(Y == 1, "bad", "good"))


def test_arguments_that_are_none_are_told_of():
    with pytest.raises(cs.errors.ConditionError, match=r"'prevalance', .*near: prevalence"):
        evaluated(RNG.random(ROWS), {"fp_cost": 1, "fn_cost": 5, "prevalance": 0.2})


def test_without_costs_it_leaves_the_model_to_others():
    with pytest.raises(mlflow.exceptions.MlflowException, match="could not be evaluated by any"):
        evaluated(RNG.random(ROWS), {"pos_label": 1})


def test_nothing_feasible_has_no_costs(model):
    config = {**COSTS, "constraints": cs.Constraints(capacity=0.01, min_recall=0.99)}
    found, _ = evaluated(RNG.random(ROWS), config)
    assert "cost_per_1000" not in found.metrics
    assert list(found.artifacts) == ["costspace.html"]

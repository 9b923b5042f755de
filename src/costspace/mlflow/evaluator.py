"""An evaluator of MLflow: what a classifier costs where it will be used, and its page."""

import inspect
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, final

import mlflow
import numpy as np
from mlflow.models.evaluation.artifacts import TextEvaluationArtifact
from mlflow.models.evaluation.base import EvaluationArtifact, EvaluationResult, ModelEvaluator

from costspace.arrays import FloatArray
from costspace.decision.deciding import decide
from costspace.decision.decision import Decision
from costspace.errors import ConditionError, ScoreError
from costspace.evaluation import evaluate
from costspace.names import near_names
from costspace.output import write_text
from costspace.report import contents, to_html

PAGE, DECISION = "costspace.html", "decision.json"
_NAME = "model"
# Those of `decide` that are not of its rows.
_ROWS = {"y_true", "y_score"}
# Those of them that any evaluation takes.
_OF_ROWS = {"pos_label", "sample_weight", "groups"}
# What says that this evaluator is meant, where a configuration is for all.
_COSTS = {"conditions", "fp_cost", "fn_cost", "case_costs"}


@final
class CostEvaluator(ModelEvaluator):  # type: ignore[misc]
    """What a classifier costs, for ``mlflow.models.evaluate(..., evaluators="costspace")``.

    The package has it at MLflow's entry point ``mlflow.model_evaluator``, by the name "costspace".
    It evaluates classifiers of two classes if its configuration has costs: arguments of `decide`,
    such as ``evaluator_config={"fp_cost": 1, "fn_cost": 10, "prevalence": 0.02}``.

    Scores are the predictions of a dataset without a model, and else those of the model: the second
    column of `predict_proba`, if it has that, or what it predicts.

    Its metrics are the reported ones of `evaluate`; `cost_per_1000` and `saving_per_1000` of what
    `decide` recommends, on held-out rows, against the better of flagging everybody and nobody; and
    the ends of their intervals, such as `cost_per_1000_high`. The run gets ``decision.json``, for
    `load_decision`, and the page ``costspace.html``.

    Raises
    ------
    ConditionError, LabelError, ScoreError
        As `decide`, or if the configuration has what that does not take.
    """

    @classmethod
    def can_evaluate(
        cls, *, model_type: str | None, evaluator_config: Mapping[str, Any] | None, **_: Any
    ) -> bool:
        """Whether it is a classifier, and costs are given."""
        return model_type == "classifier" and not _COSTS.isdisjoint(evaluator_config or {})

    def evaluate(
        self,
        *,
        model_type: str,
        dataset: Any,
        run_id: str,
        evaluator_config: Mapping[str, Any],
        model: Any = None,
        extra_metrics: Any = None,
        custom_artifacts: Any = None,
        predictions: str | None = None,
        model_id: str | None = None,
        **kwargs: Any,
    ) -> EvaluationResult:
        """The metrics and artifacts, which the run gets."""
        asked = _asked(evaluator_config)
        labels, scores = dataset.labels_data, _scores(dataset, model, predictions)
        decision = decide(labels, {_NAME: scores}, **asked)
        own: dict[str, Any] = {
            name: asked[name] for name in ("pos_label", "sample_weight") if name in asked
        }
        metrics = dict(_metrics(labels, scores, decision, own))
        mlflow.log_metrics(metrics, run_id=run_id, model_id=model_id)
        page = to_html(contents(labels, {_NAME: scores}, decision=decision, **own))
        return EvaluationResult(metrics, dict(_logged(page, decision, run_id)), run_id)


def _asked(config: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of `decide`, or `ConditionError` if there is another."""
    known = [name for name in inspect.signature(decide).parameters if name not in _ROWS]
    for name in config:
        if name not in known:
            near = ", ".join(near_names(name, known))
            meant = f" (near: {near})" if near else ""
            raise ConditionError(
                f"evaluator_config has {name!r}, which is no argument of decide{meant}: give each "
                "evaluator its own, as {'default': {...}, 'costspace': {...}}."
            )
    return dict(config)


def _scores(dataset: Any, model: Any, predictions: str | None) -> FloatArray:
    """One score for each row."""
    if model is None:
        found = dataset.predictions_data
    else:
        raw = model.get_raw_model() if hasattr(model, "get_raw_model") else model
        score = getattr(raw, "predict_proba", model.predict)
        found = score(dataset.features_data)
    if predictions is not None and getattr(found, "columns", None) is not None:
        found = found[predictions]
    scores = np.asarray(found)
    if scores.ndim == 2 and scores.shape[1] == 2:
        scores = scores[:, 1]
    if scores.ndim != 1 or scores.dtype.kind not in "fiub":
        raise ScoreError(
            f"the model predicts {scores.dtype} of shape {scores.shape}, and one score for each "
            "row is needed, or chances of two classes: log the model with "
            "pyfunc_predict_fn='predict_proba', or evaluate a dataset with a column of scores as "
            "predictions."
        )
    return scores.astype(float)


def _metrics(
    labels: Any, scores: FloatArray, decision: Decision, own: Mapping[str, Any]
) -> Iterator[tuple[str, float]]:
    """The numbers by their names; what has no meaning for the data is left out."""
    found = evaluate(labels, {_NAME: scores}, **own).to_dict()["models"][_NAME]["metrics"]
    yield from ((name, value) for name, value in found.items() if value is not None)
    answer = decision.answer()
    cost = answer["recommendation"]
    yield from _with_ends("cost_per_1000", cost, cost["cost_per_1000"])
    without = [one for one in answer["strategies"] if one["model"] is None]
    if without and cost["cost_per_1000"] is not None:
        saving = min(without, key=lambda one: one["cost_per_1000"])["more"]
        # Of itself, where no model is used.
        saving = {"difference": 0.0} if saving is None else saving
        yield from _with_ends("saving_per_1000", saving, saving["difference"])


def _with_ends(
    name: str, found: Mapping[str, Any], value: float | None
) -> Iterator[tuple[str, float]]:
    values = {name: value, f"{name}_low": found.get("low"), f"{name}_high": found.get("high")}
    yield from ((key, one) for key, one in values.items() if one is not None)


def _logged(page: str, decision: Decision, run_id: str) -> Iterator[tuple[str, EvaluationArtifact]]:
    """The page, and what `decide` recommends if anything, as artifacts of a run."""
    where = mlflow.get_run(run_id).info.artifact_uri
    with TemporaryDirectory() as folder:
        write_text(Path(folder) / PAGE, page)
        if decision.strategy is not None:
            decision.save(Path(folder) / DECISION)
        mlflow.log_artifacts(folder, run_id=run_id)
        for path in sorted(Path(folder).iterdir()):
            text = path.read_bytes().decode()
            yield path.name, TextEvaluationArtifact(uri=f"{where}/{path.name}", content=text)

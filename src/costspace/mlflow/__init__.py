"""Costs of a model among MLflow's evaluations."""

from costspace.mlflow.evaluator import CostEvaluator

__all__ = ["CostEvaluator"]

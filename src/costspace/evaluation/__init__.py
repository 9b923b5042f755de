"""Everything `evaluate` computes, in one frozen record that every report reads."""

from costspace.evaluation.computing import evaluate
from costspace.evaluation.records import Evaluation, ModelEvaluation

__all__ = ["Evaluation", "ModelEvaluation", "evaluate"]

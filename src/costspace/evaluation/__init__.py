"""Everything `evaluate` computes, in one frozen record that every report reads."""

from costspace.evaluation.computing import evaluate
from costspace.evaluation.records import Evaluation, ModelEvaluation
from costspace.evaluation.widths import widest_bounds

__all__ = ["Evaluation", "ModelEvaluation", "evaluate", "widest_bounds"]

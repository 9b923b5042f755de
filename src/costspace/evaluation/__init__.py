"""The results of `evaluate`, in one frozen record that every report reads."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.evaluation.computing import evaluate
    from costspace.evaluation.records import Evaluation, ModelEvaluation
    from costspace.evaluation.widths import widest_bounds

__all__ = ["Evaluation", "ModelEvaluation", "evaluate", "widest_bounds"]

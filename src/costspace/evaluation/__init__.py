"""Everything `evaluate` computes, in one frozen record that every report reads."""

from costspace.evaluation.computing import (
    DEFAULT_LEVEL,
    evaluate,
    evaluate_tables,
    named_tables,
    tables_of,
)
from costspace.evaluation.records import (
    ConditionSummary,
    Evaluation,
    ModelEvaluation,
    SourceSummary,
)
from costspace.evaluation.reports import shown

__all__ = [
    "DEFAULT_LEVEL",
    "ConditionSummary",
    "Evaluation",
    "ModelEvaluation",
    "SourceSummary",
    "evaluate",
    "evaluate_tables",
    "named_tables",
    "shown",
    "tables_of",
]

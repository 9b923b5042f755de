"""The rows behind an inference: of one model, shared by several, or separate for each."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

from numpy.typing import ArrayLike

from costspace.arrays import FrozenValue
from costspace.errors import LabelError, ScoreError, SourceError, brief
from costspace.estimates.effective_sizes import sizes_of_rows, sizes_of_table
from costspace.estimates.interval import Ends
from costspace.predictions import Labels, Ready, called, of_one_model, rows_of, source_of
from costspace.samples.rows import NamedScores, ScoredRows
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable

# The name of a single model.
MODEL = "y_score"


@final
@dataclass(frozen=True, eq=False)
class ModelSample(FrozenValue):
    """A model's scores on a sample, with the sampling assumptions."""

    table: ScoreTable  # perhaps at a prevalence of its own
    # The same rows, without those of weight 0, if known; groups are independent.
    rows: ScoredRows | None = None
    model: str = MODEL  # its name in the rows
    weights: str = "sampling"  # as in `standard_error`

    @property
    def clustered(self) -> bool:
        """Whether groups of rows are independent instead of rows."""
        return self.rows is not None and self.rows.groups is not None

    @cached_property
    def effective_sizes(self) -> Ends:
        """The effective size of each class."""
        if self.rows is not None and self.clustered:
            return sizes_of_rows(self.rows, self.weights)
        return sizes_of_table(self.table, self.weights)


def rows_of_one(
    y_true: ArrayLike | ScoredRows,
    y_score: NamedScores | None,
    *,
    pos_label: object,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
) -> ScoredRows:
    """The rows of one model, named `MODEL`, without those of weight 0."""
    if not isinstance(y_true, ScoredRows) and y_score is not None:
        y_score = {MODEL: of_one_model(y_score)}
    return called(_rows(y_true, y_score, pos_label, sample_weight, groups), MODEL)


def table_of(rows: ScoredRows, model: str, prevalence: float | None) -> ScoreTable:
    """The scores of a model, at a prevalence if one is given."""
    table = ScoreTable.from_rows(rows, model)
    return table if prevalence is None else table.with_prevalence(prevalence)


def rows_or_source(
    y_true: Labels,
    y_score: NamedScores | None,
    *,
    pos_label: object,
    sample_weight: ArrayLike | None,
    groups: ArrayLike | None,
) -> ScoredRows | ScoreSource:
    """The rows of one model, as in `rows_of_one`, or the source given instead.

    `SourceError` if scores are missing, or scores or groups are given with a ready source.
    """
    if isinstance(y_true, ScoredRows) or (y_score is not None and not isinstance(y_true, Ready)):
        return rows_of_one(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, groups=groups
        )
    if groups is not None:
        raise SourceError("groups need rows: give y_true and y_score, not a score table.")
    return source_of(y_true, y_score, pos_label=pos_label, sample_weight=sample_weight)


def samples_of(
    y_true: Any, y_score: Any, pos_label: object, sample_weight: Any, groups: Any
) -> list[ScoredRows]:
    """The rows that all models scored, or each model's own, without those of weight 0."""
    if not isinstance(y_true, Mapping) or y_score is None:
        for name, given in (("sample_weight", sample_weight), ("groups", groups)):
            if isinstance(given, Mapping):
                raise SourceError(
                    f"{name} is a mapping, y_true is not: models that scored the same rows share "
                    "both."
                )
        rows = _rows(y_true, y_score, pos_label, sample_weight, groups)
        _check_several(rows.scores)
        return [rows]
    _check_several(y_score)
    for what, given in (("y_true", y_true), ("sample_weight", sample_weight), ("groups", groups)):
        _check_models(what, given, y_score)
    return [
        _rows(
            _own("y_true", y_true, name),
            {name: scores},
            pos_label,
            _own("sample_weight", sample_weight, name),
            _own("groups", groups, name),
        )
        for name, scores in y_score.items()
    ]


def _rows(
    y_true: Any, y_score: Any, pos_label: object, sample_weight: Any, groups: Any
) -> ScoredRows:
    return rows_of(
        y_true, y_score, pos_label=pos_label, sample_weight=sample_weight, groups=groups
    ).counting


def _check_several(y_score: Any) -> None:
    if not isinstance(y_score, Mapping) or len(y_score) < 2:
        raise ScoreError(
            'a comparison needs the scores of two models at least, as in {"a": ..., "b": ...}.'
        )


def _check_models(what: str, given: Any, y_score: Mapping[str, Any]) -> None:
    """Raise `ScoreError` if a mapping has an entry for a model without scores."""
    others = [name for name in given if name not in y_score] if isinstance(given, Mapping) else []
    if others:
        raise ScoreError(
            f"{what} has an entry for {others[0]!r}, which has no scores: give its scores, or "
            "leave it out."
        )


def _own(what: str, given: Any, model: str) -> Any:
    """A model's own labels, weights or groups."""
    if given is None:
        return None
    if not isinstance(given, Mapping) or model not in given:
        raise LabelError(
            f"y_true is a mapping, one sample a model, so {what} must have an entry for {model!r} "
            f"too, got {brief(list(given) if isinstance(given, Mapping) else given)}."
        )
    return given[model]

"""The first step of what takes predictions: the rows of models, or the source of one model."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeAlias

from numpy.typing import ArrayLike

from costspace.arrays import FrozenDict
from costspace.checks import check_axis
from costspace.errors import ScoreError, SourceError, brief
from costspace.samples.case_costs import CaseCosts
from costspace.samples.rows import NamedScores, ScoredRows, scores_by_name
from costspace.scores.base import ScoreSource
from costspace.scores.table import ScoreTable
from costspace.summaries.counts import ScoreCounts

__all__ = ["source_of"]

# What is no rows: each has the scores of one model, sorted or counted.
Ready: TypeAlias = ScoreSource | ScoreCounts
# Labels, or what has them already.
Labels: TypeAlias = ArrayLike | ScoredRows | ScoreSource | ScoreCounts
# What rows may lack, by the name that it is given under.
_MAY_LACK = {"sample_weight": "weight", "groups": "groups", "case_costs": "costs"}


def source_of(
    y_true: Labels,
    y_score: NamedScores | None = None,
    *,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> ScoreSource:
    """Return the score source of the predictions of one model, or the given source.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreSource, ScoreCounts or ScoredRows alone
        Scores may have a name, as in ``{"model": scores}`` or a frame with one column.
    prevalence : float in (0, 1), optional
        Share of positives that overrides the source's.
    pos_label, sample_weight
        As in `ScoreTable.from_predictions`; not with what is given alone.

    Returns
    -------
    ScoreSource

    Raises
    ------
    SourceError
        If scores are missing, or given with what has its own; or are binned.
    ScoreError
        If they are those of several models.

    Examples
    --------
    >>> source = source_of([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], prevalence=0.1)
    >>> source.prevalence, source_of(source) is source
    (0.1, True)
    """
    alone: Any = y_true
    if isinstance(alone, Mapping) and y_score is None:
        alone = alone[_sole(alone)]
    if isinstance(alone, ScoredRows):
        check_left_out(alone, y_score=y_score, pos_label=pos_label, sample_weight=sample_weight)
        source: ScoreSource = ScoreTable.from_rows(alone, sole_model(alone))
    elif isinstance(alone, Ready):
        check_alone(y_score, pos_label, sample_weight)
        source = alone.table() if isinstance(alone, ScoreCounts) else alone
    elif y_score is None:
        raise SourceError("y_score is missing: give y_true and y_score, or a score table.")
    else:
        source = ScoreTable.from_predictions(
            alone, of_one_model(y_score), pos_label=pos_label, sample_weight=sample_weight
        )
    return source if prevalence is None else source.with_prevalence(prevalence)


def rows_of(
    y_true: ArrayLike | ScoredRows,
    y_score: NamedScores | None = None,
    *,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
    groups: ArrayLike | None = None,
    case_costs: CaseCosts | None = None,
) -> ScoredRows:
    """Return the rows of predictions, which are views of them, or those given alone.

    `SourceError` if scores are missing, given with rows that have their own, or are no rows.
    """
    given: dict[str, Any] = {
        "pos_label": pos_label,
        "sample_weight": sample_weight,
        "groups": groups,
        "case_costs": case_costs,
    }
    if isinstance(y_true, ScoredRows):
        check_left_out(y_true, y_score=y_score, **given)
        return y_true
    alone: Any = y_true
    if isinstance(alone, Ready) or (isinstance(alone, Mapping) and y_score is None):
        raise SourceError(
            f"the scores of each row are needed, got {brief(alone)}: give y_true and y_score, or "
            "ScoredRows."
        )
    if y_score is None:
        raise SourceError("y_score is missing: give y_true and y_score, or ScoredRows.")
    return ScoredRows.viewing(y_true, y_score, **given)


def check_left_out(given: object, **others: object) -> None:
    """Raise `SourceError` if anything is given beside rows that have it, or were made without."""
    rows = getattr(given, "rows", given)
    beside = [name for name, value in others.items() if value is not None]
    lacking = [name for name in beside if getattr(rows, _MAY_LACK.get(name, ""), rows) is None]
    had = [name for name in beside if name not in lacking]
    kind = type(given).__name__
    told = []
    if had:
        told.append(f"{kind} have that already: leave out {' and '.join(had)}.")
    if lacking:
        names = " and ".join(lacking)
        told.append(
            f"These {kind} have no {names}: give {names} where the rows are made, as to "
            "ScoredRows.from_predictions."
        )
    if told:
        raise SourceError(" ".join(told))


def check_alone(y_score: object, pos_label: object, sample_weight: object) -> None:
    """Raise `SourceError` if data of rows is given with a ready source."""
    if y_score is not None or pos_label is not None:
        raise SourceError(
            "a score table already has labels, scores and weights: give it alone, and other "
            "arguments by name."
        )
    if sample_weight is not None:
        raise SourceError(
            "weights are of rows: give sample_weight where the score table is made, as to "
            "ScoreTable.from_predictions."
        )


def sole_model(rows: ScoredRows) -> str:
    """The one model that rows have scores of, or `ScoreError` if there are several."""
    return _sole(rows.scores)


def called(rows: ScoredRows, name: str) -> ScoredRows:
    """The same rows of one model, by another name."""
    model = sole_model(rows)
    scores, given = (
        FrozenDict({name: of[model]} if model in of else {}) for of in (rows.scores, rows.given)
    )
    return replace(rows, scores=scores, given=given)


def of_one_model(y_score: Any) -> ArrayLike:
    """The scores of one model, which may have a name."""
    named = any(hasattr(type(y_score), name) for name in ("columns", "column_names"))
    if not named and not isinstance(y_score, Mapping):
        scores: ArrayLike = y_score
        return scores
    found = scores_by_name(y_score) or {}
    return found[_sole(found)]


def _sole(named: Mapping[str, Any]) -> str:
    if len(named) != 1:
        names = ", ".join(map(str, named)) or "none"
        raise ScoreError(f"the scores of one model are needed, got those of {names}.")
    return next(iter(named))


def on_axis(source: ScoreSource, axis: str) -> ScoreSource:
    """The source whose cost axis is the given axis: skew is cost with balanced classes."""
    return source.with_prevalence(0.5) if check_axis(axis) == "skew" else source

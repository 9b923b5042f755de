"""The first step of every metric and curve: a source from predictions or from a ready source."""

from __future__ import annotations

from numpy.typing import ArrayLike

from costspace.checks import check_axis
from costspace.errors import SourceError
from costspace.scores.base import ScoreSource
from costspace.scores.binned import BinnedScores
from costspace.scores.counts import ScoreCounts
from costspace.scores.table import ScoreTable


def source_of(
    y_true: ArrayLike | ScoreSource,
    y_score: ArrayLike | None = None,
    *,
    prevalence: float | None = None,
    pos_label: object = None,
    sample_weight: ArrayLike | None = None,
) -> ScoreSource:
    """Return the score source of predictions, or the given source.

    Parameters
    ----------
    y_true, y_score : arrays of shape (n,), or a ScoreSource alone
    prevalence : float in (0, 1), optional
        Share of positives that overrides the source's.
    pos_label, sample_weight
        As in `ScoreTable.from_predictions`; not with a ready source.

    Returns
    -------
    ScoreSource

    Raises
    ------
    SourceError
        If scores are missing, or given with a ready source.

    Examples
    --------
    >>> source = source_of([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], prevalence=0.1)
    >>> source.prevalence, source_of(source) is source
    (0.1, True)
    """
    if isinstance(y_true, ScoreSource | BinnedScores):
        check_alone(y_score, pos_label, sample_weight)
    if isinstance(y_true, BinnedScores):
        raise SourceError(
            "binned scores give only bounds on a number: use bounds(binned, metric=metric), or "
            "binned.best and binned.worst."
        )
    if isinstance(y_true, ScoreCounts):
        raise SourceError("counts must be a table here, once all are added: give counts.table().")
    if isinstance(y_true, ScoreSource):
        source: ScoreSource = y_true
    elif y_score is None:
        raise SourceError("y_score is missing: give y_true and y_score, or a score table.")
    else:
        source = ScoreTable.from_predictions(
            y_true, y_score, pos_label=pos_label, sample_weight=sample_weight
        )
    return source if prevalence is None else source.with_prevalence(prevalence)


def check_alone(*others: object) -> None:
    """Raise `SourceError` if data of rows is given with a ready source."""
    if any(other is not None for other in others):
        raise SourceError(
            "a score table already has labels, scores and weights: give it alone, and other "
            "arguments by name."
        )


def on_axis(source: ScoreSource, axis: str) -> ScoreSource:
    """The source whose cost axis is the given axis: skew is cost with balanced classes."""
    return source.with_prevalence(0.5) if check_axis(axis) == "skew" else source

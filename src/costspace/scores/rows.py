"""Labels, scores and weights, validated once: where every question about rows starts."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import BoolArray, FloatArray, ScoreArray, read_only
from costspace.errors import ScoreError, brief
from costspace.scores.validation import positive_rows, score_array, weight_array

# Rows copied together.
_BLOCK = 1 << 16


@final
@dataclass(frozen=True, eq=False)
class ScoredRows:
    """Rows of predictions of one or more models.

    Attributes
    ----------
    positive : boolean array of shape (n,)
        Whether a row belongs to the positive class; both classes occur.
    scores : mapping of str to array of shape (n,)
        Each model's scores, float32 or float64, without NaN. They are the caller's arrays where
        no conversion was due, not copies.
    weight : array of shape (n,) or None
        Non-negative, finite, not all zero in either class.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: a dataset and a scoring of
    it.
    """

    positive: BoolArray
    scores: Mapping[str, ScoreArray]
    weight: FloatArray | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "positive", read_only(self.positive))

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_scores: Mapping[str, ArrayLike],
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> "ScoredRows":
        """Validate predictions.

        Parameters
        ----------
        y_true : array of shape (n,)
            Labels of two classes: 0/1, -1/1, booleans, or any two with `pos_label`.
        y_scores : mapping of str to array of shape (n,)
            Each model's scores, higher meaning more positive.
        pos_label : label, optional
            The label of the positive class.
        sample_weight : array of shape (n,), optional
            Non-negative, finite, not all zero in a class.

        Raises
        ------
        LabelError, ScoreError, WeightError
            If the input is not so; the message says what came and what to do.

        Examples
        --------
        >>> rows = ScoredRows.from_predictions(["no", "yes"], {"m": [0.2, 0.7]}, pos_label="yes")
        >>> rows.positive
        array([False,  True])
        """
        if not y_scores:
            raise ScoreError("there are no scores: give at least one model's.")
        if len({str(name) for name in y_scores}) < len(y_scores):
            raise ScoreError(f"two models have the same name: {brief(list(y_scores))}.")
        positive = positive_rows(y_true, pos_label)
        scores = {
            str(name): score_array(values, f"the scores of {name!r}", len(positive))
            for name, values in y_scores.items()
        }
        weight = None if sample_weight is None else weight_array(sample_weight, positive)
        return cls(positive, scores, weight)

    def __len__(self) -> int:
        return len(self.positive)

    def class_weights(self) -> tuple[float, float]:
        """Weight of the negatives and of the positives; without weights, their numbers."""
        sides = (~self.positive, self.positive)
        if self.weight is None:
            negatives, positives = (float(np.count_nonzero(rows)) for rows in sides)
        else:
            negatives, positives = (float(np.sum(_of_rows(r, self.weight))) for r in sides)
        return negatives, positives

    def by_class(self, model: str) -> tuple[tuple[ScoreArray, FloatArray | None], ...]:
        """A model's scores and weights for the negatives and for the positives, as copies."""
        if model not in self.scores:
            names = ", ".join(map(repr, self.scores))
            raise ScoreError(f"there are no scores of {model!r}: there are those of {names}.")
        scores = self.scores[model]
        return tuple(
            (_of_rows(rows, scores), None if self.weight is None else _of_rows(rows, self.weight))
            for rows in (~self.positive, self.positive)
        )


def _of_rows(rows: BoolArray, values: NDArray[Any]) -> NDArray[Any]:
    """`values[rows]`, a block at a time: it saves an index as large as the values."""
    chosen = np.empty(np.count_nonzero(rows), dtype=values.dtype)
    filled = 0
    for start in range(0, len(values), _BLOCK):
        block = slice(start, start + _BLOCK)
        some = np.compress(rows[block], values[block])
        chosen[filled : filled + len(some)] = some
        filled += len(some)
    return chosen

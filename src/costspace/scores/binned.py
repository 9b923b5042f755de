"""Predictions of bounded size: rows counted by bin, and certain bounds on their metrics."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FloatArray, FrozenValue, ScoreArray, read_only
from costspace.checks import check_whole
from costspace.errors import ConditionError, LabelError, SourceError, brief
from costspace.scores.adapting import adapted_binning
from costspace.scores.binning import DEFAULT_BINS, Binning
from costspace.scores.bounding import BoundedMeans, BoundingMeans
from costspace.scores.class_bins import ClassBins
from costspace.scores.class_counts import CLASSES, check_both, columns_by_class
from costspace.scores.rounding import only_rounding
from costspace.scores.sample import ClassSample
from costspace.scores.table import ScoreTable
from costspace.scores.validation import part_of_rows

_UNIFORM = Binning.uniform()
_LEAST_BINS = 8


@final
@dataclass(frozen=True, eq=False, repr=False)
class BinnedScores(FrozenValue):
    """Predictions counted by bin of the score: any number of rows, with bounds of every metric.

    Binned scores of any parts of the data (files, days, partitions) add up, in any order, to
    those of the whole; a part may have rows of one class only. Their size is bounded by the
    number of bins. They represent all data that they may come from, between the `best` and the
    `worst`: `bounds` gives an interval that certainly contains a metric of the data.

    Attributes
    ----------
    binning : Binning
        Which bin a score falls into.
    keys : array of shape (k,)
        The keys of the bins that rows fall into: whole numbers, ascending.
    negatives : ClassBins
        The rows of the negative class by bin.
    positives : ClassBins
        The rows of the positive class; both have weights or neither has.

    Raises
    ------
    SourceError
        If the keys are not ascending whole numbers, or a class does not have one bin for each.

    Notes
    -----
    In `best` every negative has the lowest score of the negatives in its bin, and every positive
    the highest score of the positives. No negative is higher than in the data and no positive
    lower, so at each threshold neither error rate is larger. So any metric that cannot fall when
    scores get worse (the loss of a threshold choice method at any condition, or minus the AUC) is
    at most its value on the data. `worst` is the other way round.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> binned = cs.BinnedScores.from_predictions(y, s, binning=cs.Binning.uniform(bins=2))
    >>> binned
    BinnedScores(2 negatives, 2 positives, 2 bins)
    >>> binned.worst.auc, cs.auc(y, s), binned.best.auc
    (0.75, 0.75, 0.75)
    >>> more = cs.BinnedScores.from_predictions([0, 1], [0.3, 0.2], binning=binned.binning)
    >>> cs.bounds(binned + more, metric=cs.auc)
    Bounds(low=0.333333333333, high=0.777777777778)
    >>> cs.bounds(binned + more, metric=cs.brier_score).width < 1e-13
    True
    """

    binning: Binning
    keys: FloatArray
    negatives: ClassBins
    positives: ClassBins

    def __post_init__(self) -> None:
        _check_binning(self.binning)
        keys = np.asarray(self.keys, dtype=float)
        whole = keys.ndim == 1 and np.all((keys >= 0) & (keys < np.inf) & (keys == np.floor(keys)))
        if not whole or not np.all(keys[1:] > keys[:-1]):
            raise SourceError("keys of bins must be distinct, ascending whole numbers.")
        object.__setattr__(self, "keys", read_only(keys))
        if np.any(keys[-1:] >= self.binning.bins):
            raise SourceError(
                f"keys of bins go up to {keys[-1]:.0f}, and the binning has {self.binning.bins} "
                "bins: give the binning that made the keys."
            )
        if any(len(side) != len(keys) for side in (self.negatives, self.positives)):
            raise SourceError("both classes must have one bin for each key.")
        if self.negatives.counts.weighted != self.positives.counts.weighted:
            raise SourceError("either both classes have weights or none has.")

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        binning: Binning = _UNIFORM,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> "BinnedScores":
        """Count predictions by bin.

        Parameters
        ----------
        y_true : array of shape (n,)
            Labels of two classes: 0/1, -1/1, booleans, or any with `pos_label`. One class may be
            missing.
        y_score : array of shape (n,)
            Scores, higher meaning more positive.
        binning : Binning, default ``Binning.uniform()``
            Which bin a score falls into: by default one of 2^20 of equal width over [0, 1].
        pos_label : label, optional
            The label of the positive class. Rows of one other label are the negatives.
        sample_weight : array of shape (n,), optional
            Non-negative, not all zero. A weight of k stands for k equal rows.

        Returns
        -------
        BinnedScores

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError
            For labels not of two classes, unusable scores, negative weights or options out of
            range, in this order.

        Notes
        -----
        The scores of each class are sorted once, so that each bin is a run of neighbours.
        """
        _check_binning(binning)
        positive, scores, weight = part_of_rows(y_true, y_score, pos_label, sample_weight)
        groups = []
        for rows in (~positive, positive):
            own = None if weight is None else np.compress(rows, weight)
            groups.append(_binned(np.compress(rows, scores), own, binning))
        (keys0, negatives), (keys1, positives) = groups
        return cls.from_groups(
            binning,
            np.concatenate([keys0, keys1]),
            negatives.then(ClassBins.empty(len(keys1), weighted=weight is not None)),
            ClassBins.empty(len(keys0), weighted=weight is not None).then(positives),
        )

    @classmethod
    def from_groups(
        cls, binning: Binning, keys: ArrayLike, negatives: ClassBins, positives: ClassBins
    ) -> "BinnedScores":
        """Add up bins in any order; a key may occur more than once."""
        keys = np.asarray(keys, dtype=float)
        order = np.argsort(keys, kind="stable")
        ascending = np.take(keys, order)
        starts = np.flatnonzero(np.append(len(keys) > 0, ascending[1:] != ascending[:-1]))
        sides = (side.combined(order, starts) for side in (negatives, positives))
        return cls(binning, ascending[starts], *sides)

    def __repr__(self) -> str:
        return (
            f"BinnedScores({self.negatives.counts.total} negatives, "
            f"{self.positives.counts.total} positives, {len(self)} bins"
            f"{', weighted' if self.weighted else ''})"
        )

    def __len__(self) -> int:
        """How many bins have rows."""
        return len(self.keys)

    def __add__(self, other: "BinnedScores") -> "BinnedScores":
        """The binned scores of the rows of both."""
        if not isinstance(other, BinnedScores):
            return NotImplemented
        if self.binning != other.binning:
            raise SourceError(
                "binned scores with different binnings cannot be added: use the same for both."
            )
        sides = (getattr(self, name).then(getattr(other, name)) for name in CLASSES)
        return BinnedScores.from_groups(
            self.binning, np.concatenate([self.keys, other.keys]), *sides
        )

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        return self.negatives.counts.weighted

    @property
    def sizes(self) -> tuple[float, float]:
        """How many negatives and positives there are."""
        return self.negatives.counts.total, self.positives.counts.total

    @property
    def prevalence(self) -> float:
        """Share of positives, in [0, 1]; `LabelError` if no row has weight."""
        negatives, positives = (float(np.sum(s.weight)) for s in (self.negatives, self.positives))
        if not negatives + positives > 0:
            raise LabelError("there is no row with weight, so there is no prevalence.")
        return positives / (negatives + positives)

    @cached_property
    def best(self) -> ScoreTable:
        """A table whose scores are at least as good as those of the data.

        Negatives are at most as high as in the data, positives at least. It raises `LabelError` if
        a class has no rows, or none with weight, and `WeightError` if its share underflows to 0.
        """
        return self._table(best=True)

    @cached_property
    def worst(self) -> ScoreTable:
        """A table whose scores are at most as good as those of the data; the opposite of `best`."""
        return self._table(best=False)

    def _table(self, *, best: bool) -> ScoreTable:
        check_both(self.negatives.counts, self.positives.counts)
        means = BoundingMeans(*self._means, best)
        table = ScoreTable.from_ranking(means.ranking())
        if not only_rounding(*means.score_range):
            return table
        within = BoundingMeans(*self._means_in_unit, best)
        return replace(table, ranking=within.ranking(), given=table.ranking)

    @cached_property
    def _means(self) -> tuple[BoundedMeans, BoundedMeans]:
        return BoundedMeans(self.negatives), BoundedMeans(self.positives)

    @cached_property
    def _means_in_unit(self) -> tuple[BoundedMeans, BoundedMeans]:
        return BoundedMeans(self.negatives.in_unit), BoundedMeans(self.positives.in_unit)

    def adapted(self, bins: int = DEFAULT_BINS) -> Binning:
        """The binning for another pass over the same data, to narrow the bounds.

        Its bins have about equal weight, with equal weight of the classes: each holds at most
        2 / `bins` of a class, unless a single score has more, as far as these bins show the density
        of scores. On samples of many kinds the heaviest had up to 8 times that after a pass. At
        every condition the bounds of a loss under a monotone method are at most as far apart as the
        heaviest bin's share of a class (twice that on the cost axis). Close scores are separated by
        one or a few more passes, but in no more places than there are pieces.

        Parameters
        ----------
        bins : int, default 2^20
            The largest number of bins, at least 8.

        Returns
        -------
        Binning
            Of at most 64 pieces: linear ones, and logarithmic ones where scores approach 0 or 1 by
            orders of magnitude.

        Raises
        ------
        ConditionError
            If the number is invalid.

        Examples
        --------
        >>> import costspace as cs
        >>> y, s = [0, 1, 0, 1], [0.501, 0.502, 0.503, 0.504]
        >>> coarse = cs.BinnedScores.from_predictions(y, s, binning=cs.Binning.uniform(bins=2))
        >>> finer = cs.BinnedScores.from_predictions(y, s, binning=coarse.adapted(16))
        >>> cs.bounds(coarse, metric=cs.auc).width, cs.bounds(finer, metric=cs.auc).width
        (1.0, 0.0)
        """
        most = check_whole("bins", bins, least=_LEAST_BINS)
        if not any(np.any(side.filled) for side in (self.negatives, self.positives)):
            return self.binning
        return adapted_binning(self.negatives, self.positives, most)

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a bin, the input of `from_columns`.

        The names are "key" and, for each class, "negatives" (the number of rows),
        "negatives_weight" and "negatives_squares" (of weighted rows only), "negatives_score_sum",
        "negatives_score_squares", "negatives_low" and "negatives_high".
        """
        sides = columns_by_class(self.negatives.columns(), self.positives.columns())
        return {"key": self.keys, **sides}

    @classmethod
    def from_columns(cls, binning: Binning, columns: Mapping[str, ArrayLike]) -> "BinnedScores":
        """Add up results of `columns`, from any parts of the data, concatenated.

        Parameters
        ----------
        binning : Binning
            The binning of the keys.
        columns : mapping of str to array of shape (m,)
            Named as in `columns`, in any order; a key may occur more than once. In a bin without
            rows of a class with weight, `low` is inf and `high` -inf.

        Returns
        -------
        BinnedScores

        Raises
        ------
        SourceError
            If a column is missing, or no rows can have these sums.
        """
        weighted = "negatives_weight" in columns
        try:
            sides = [ClassBins.named(name, columns, weighted=weighted) for name in CLASSES]
            keys = columns["key"]
        except KeyError as error:
            raise SourceError(f"binned scores need a column {error.args[0]!r}.") from None
        return cls.from_groups(binning, keys, *sides)


def _check_binning(binning: object) -> None:
    if not isinstance(binning, Binning):
        raise ConditionError(
            f"binning must be one such as Binning.uniform(), got {brief(binning)}."
        )


def _binned(
    scores: ScoreArray, weight: FloatArray | None, binning: Binning
) -> tuple[FloatArray, ClassBins]:
    """The bins of the rows of one class; a key may occur more than once."""
    if weight is None:
        return ClassBins.of_sample(ClassSample.sort(scores), binning)
    counts = weight > 0
    weightless = binning.keys(np.compress(~counts, scores))
    rest = ClassBins.empty(len(weightless), weighted=True, rows=1)
    if not counts.any():
        return weightless, rest
    keys, bins = ClassBins.of_sample(
        ClassSample.sort(np.compress(counts, scores), np.compress(counts, weight)), binning
    )
    return np.concatenate([keys, weightless]), bins.then(rest)

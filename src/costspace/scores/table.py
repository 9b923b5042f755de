"""The empirical source: every score of both classes, counted."""

from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FloatArray, FrozenDict, ScoreFunction
from costspace.checks import check_prevalence
from costspace.condition import negative_share
from costspace.curve import OperatingPoints
from costspace.errors import SourceError, WeightError, brief
from costspace.samples.class_sample import ClassSample
from costspace.samples.plausibility import looks_of, looks_of_one
from costspace.samples.ranked import Hull, RankedScores
from costspace.samples.ranking import Ranking
from costspace.samples.rounding import only_rounding, rounding_told
from costspace.samples.rows import ScoredRows
from costspace.samples.sorting import sort_by_class
from costspace.samples.validation import check_model
from costspace.scores.base import ScoreSource, pairs_between
from costspace.scores.look_ups import LookUp, SteppedLookUp
from costspace.scores.ranked_look_ups import ByShare, ByThreshold
from costspace.single import doubles
from costspace.threads import mapped


@final
@dataclass(frozen=True, eq=False, repr=False)
class ScoreTable(ScoreSource):
    """The scores of both classes, sorted once; every metric and curve takes linear time.

    Make one with `from_predictions`; add two to merge them. A table can replace
    ``y_true, y_score`` everywhere.

    Parameters
    ----------
    ranking : costspace.samples.ranked.RankedScores
        The sorted scores of both classes.
    override : float in (0, 1), optional
        Share of positives that replaces the table's own.
    given : costspace.samples.ranked.RankedScores, optional
        The scores as they came, if rounding took some beyond [0, 1]; in `ranking` they are at its
        ends.

    Raises
    ------
    ConditionError
        If the override is not inside (0, 1).

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: the two score distributions.

    Examples
    --------
    >>> table = ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> table
    ScoreTable(2 negatives, 2 positives)
    >>> table.auc, table.prevalence, table.with_prevalence(0.01).prevalence
    (0.75, 0.5, 0.01)
    """

    ranking: RankedScores
    override: float | None = None
    given: RankedScores | None = None

    def __post_init__(self) -> None:
        if self.override is not None:
            object.__setattr__(self, "override", check_prevalence(self.override))

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: ArrayLike,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
    ) -> "ScoreTable":
        """Sort predictions into a table.

        Parameters
        ----------
        y_true : array of shape (n,)
            Labels of two classes: 0/1, -1/1, booleans, or any two with `pos_label`.
        y_score : array of shape (n,)
            Scores, higher meaning more positive. Infinite scores are ranks like others; one of
            single precision counts as the decimal that it prints as.
        pos_label : label, optional
            The label of the positive class.
        sample_weight : array of shape (n,), optional
            Non-negative, not all zero in a class. A weight of k stands for k equal rows.

        Returns
        -------
        ScoreTable

        Raises
        ------
        LabelError, ScoreError, WeightError
            For labels not of two classes, unusable scores or negative weights, in this order.

        Warns
        -----
        DataWarning
            If scores look like labels or predicted classes, or are all the same.
        """
        rows = ScoredRows.viewing(
            y_true, {"y_score": y_score}, pos_label=pos_label, sample_weight=sample_weight
        )
        return cls.from_rows(rows, "y_score")

    @classmethod
    def from_rows(cls, rows: ScoredRows, model: str, *, counts: bool = False) -> "ScoreTable":
        """Sort the scores of one model of validated rows into a table.

        With `counts`, a weight is how many rows a row stands for.

        Raises
        ------
        ScoreError
            If the rows have no scores of that model.
        WeightError
            If one class has no share that floats can tell from 0.
        """
        scores = rows.scores[check_model(model, rows.scores)]
        if model in rows.given:
            given = replace(rows, scores=rows.given, given=FrozenDict())
            return cls.from_rows(given, model).in_unit
        if rows.weight is None:
            # Sorted as they came: half the bytes take half the time.
            ascending = mapped(doubles, sort_by_class(scores, rows.positive), len(rows))
            negatives, positives = map(ClassSample, ascending)
        else:
            sides = rows.by_class(model)
            negatives, positives = mapped(lambda side: ClassSample.sort(*side), sides, len(rows))
            if counts:
                negatives, positives = negatives.as_counts, positives.as_counts
        return cls.from_classes(negatives, positives)

    @classmethod
    def from_classes(cls, negatives: ClassSample, positives: ClassSample) -> "ScoreTable":
        """Make a table of the sorted scores of both classes.

        Raises
        ------
        WeightError
            If one class has no share that floats can tell from 0.
        """
        return cls.from_ranking(Ranking(negatives, positives))

    @classmethod
    def from_ranking(cls, ranking: RankedScores) -> "ScoreTable":
        """Make a table of ranked scores.

        Raises
        ------
        WeightError
            If one class has no share that floats can tell from 0.
        """
        table = cls(ranking)
        if not 0 < table.prevalence < 1:
            raise WeightError(
                f"the weights of the classes differ too much: {table.negatives.total:g} for the "
                f"negatives, {table.positives.total:g} for the positives. Scale them."
            )
        return table

    def __repr__(self) -> str:
        weighted = ", weighted" if self.weighted else ""
        override = "" if self.override is None else f", prevalence {self.override:g}"
        return (
            f"ScoreTable({self.negatives.rows} negatives, {self.positives.rows} positives"
            f"{weighted}{override})"
        )

    def __add__(self, other: "ScoreTable") -> "ScoreTable":
        """The table of the rows of both."""
        if not isinstance(other, ScoreTable):
            return NotImplemented
        if self.override != other.override:
            raise SourceError(
                "tables with different prevalence overrides cannot be added "
                f"({self.override} and {other.override}): add first, then reweight."
            )
        # Only all scores together tell whether rounding took some beyond [0, 1].
        one, more = (table.given or table.ranking for table in (self, other))
        ranking = Ranking(one.negatives + more.negatives, one.positives + more.positives)
        return ScoreTable(ranking, self.override).as_read

    @property
    def as_read(self) -> "ScoreTable":
        """The same table, with the scores that only rounding took beyond [0, 1] at its ends."""
        return self.in_unit if only_rounding(*self.score_range) else self

    @property
    def in_unit(self) -> "ScoreTable":
        """The same table, with scores beyond [0, 1] at its ends."""
        ranking = Ranking(self.negatives.in_unit, self.positives.in_unit)
        return ScoreTable(ranking, self.override, self.ranking)

    @property
    def rounded(self) -> str:
        """A sentence on what scores count as, if rounding took some beyond [0, 1]; else empty."""
        return "" if self.given is None else rounding_told(*self.given.score_range)

    @property
    def negatives(self) -> ClassSample:
        """Sorted scores of the negative class."""
        return self.ranking.negatives

    @property
    def positives(self) -> ClassSample:
        """Sorted scores of the positive class."""
        return self.ranking.positives

    @property
    def weighted(self) -> bool:
        """Whether rows have weights."""
        return self.negatives.weighted or self.positives.weighted

    @property
    def sizes(self) -> tuple[float, float]:
        return self.negatives.rows, self.positives.rows

    @property
    def hull(self) -> Hull:
        """The ROC convex hull, the same at every prevalence."""
        return self.ranking.hull

    @property
    def prevalence(self) -> float:
        if self.override is not None:
            return self.override
        negatives, positives = self.ranking.totals
        return float(positives / (negatives + positives))

    def with_prevalence(self, prevalence: float) -> "ScoreTable":
        """The same scores with the classes reweighted to a share of positives.

        Parameters
        ----------
        prevalence : float in (0, 1)
            1/2 puts curves on the skew axis, any other value is a prior shift at deployment.

        Returns
        -------
        ScoreTable
            It shares the sorted scores with this one.

        Raises
        ------
        ConditionError
            If the prevalence is not inside (0, 1).
        """
        return ScoreTable(self.ranking, prevalence, self.given)

    def with_placements(self) -> "ScoreTable":
        """The same table, prepared for standard errors, which share a look-up with the AUC."""
        return ScoreTable(self.ranking.with_placements(), self.override, self.given)

    @property
    def looks(self) -> str:
        """A sentence on what the scores look like if not like a model's; else empty."""
        low, high = self.score_range
        if low == high:
            return looks_of_one(low)
        return looks_of(self.negatives, self.positives) if self.ranking.exact else ""

    @property
    def score_range(self) -> tuple[float, float]:
        return self.ranking.score_range

    @property
    def by_score(self) -> ByThreshold:
        return ByThreshold(self.ranking)

    def by_share(self, negatives: float, positives: float) -> ByShare:
        return ByShare(self.ranking, negatives, positives)

    def share_at(
        self, t: ArrayLike, negatives: float, positives: float, *, most: bool = False
    ) -> FloatArray:
        return self.by_share(negatives, positives).share(t, most=most)

    @property
    def by_skew(self) -> LookUp:
        hull = self.hull
        return SteppedLookUp(hull.breaks, OperatingPoints(hull.fpr, hull.fnr))

    @property
    def distinct_points(self) -> OperatingPoints:
        """The operating point that flags scores above each distinct one."""
        return self.by_score.at_distinct

    @property
    def not_flagged(self) -> FloatArray:
        """Share of rows not flagged at thresholds below all scores, and at each distinct one.

        It is the papers' rate R, ascending from 0 to 1.
        """
        points = self.distinct_points
        rates = np.asarray(negative_share(self.prevalence, points.fpr, points.fnr))
        return np.concatenate([[0.0], rates[:-1], [1.0]])

    @property
    def hull_thresholds(self) -> FloatArray:
        """A threshold for each corner of the hull, ascending from -inf to +inf.

        Inside a gap between scores it is the midpoint; -inf flags everybody, +inf nobody.
        """
        return self.ranking.hull_thresholds

    @property
    def cut_points(self) -> FloatArray:
        return self.ranking.cut_points

    def skew_at_score(self, s: ArrayLike) -> FloatArray:
        # A score is on the hull segment whose upper corner has the first threshold not below it.
        corner = np.searchsorted(self.hull_thresholds, s, side="left")
        return self.hull.breaks[np.maximum(corner, 1) - 1]

    def class_means(
        self, on_negatives: ScoreFunction, on_positives: ScoreFunction
    ) -> tuple[float, float]:
        return self.ranking.class_means(on_negatives, on_positives)

    @property
    def auc(self) -> float:
        return self.ranking.auc

    @property
    def untied_pairs(self) -> float:
        p, (negatives, positives) = self.prevalence, self.ranking.at_distinct
        blocks = (1 - p) * np.diff(negatives, prepend=0.0) / self.negatives.total
        blocks += p * np.diff(positives, prepend=0.0) / self.positives.total
        return pairs_between(blocks)


def check_table(
    asked: str, source: Any, *, needs: str = "the rows of a ScoreTable", own: bool = False
) -> ScoreTable:
    """Return a source that is a table, or raise `SourceError`, naming what was `asked`.

    With `own`, it must have the prevalence of its rows.
    """
    if not isinstance(source, ScoreTable) or (own and source.override is not None):
        raise SourceError(f"{asked} needs {needs}, got {brief(source)}.")
    return source

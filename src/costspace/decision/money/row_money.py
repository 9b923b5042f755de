"""Each row's part in the money that decisions cost, and how far that money is off by chance."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Self, final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue
from costspace.estimates.effective_sizes import sizes_of_rows
from costspace.estimates.interval import Ends
from costspace.estimates.row_errors import row_corrections, row_error, unit_errors
from costspace.samples.rows import ScoredRows

# Below so many rows, or groups, of the rarer class there are no intervals.
LEAST_UNITS = 5


def rates_of(rows: ScoredRows, flagged: FloatArray) -> tuple[float, float]:
    """The false positive rate and the recall of rows that are flagged so often."""
    return RowMoney.of_rates(rows, "sampling").class_means(flagged)


def relative_costs(rows: ScoredRows) -> FloatArray | None:
    """What a mistake on each row costs, over the mean of its class; None if all are alike."""
    if rows.costs is None:
        return None
    means = rows.mean_costs
    return np.where(
        rows.positive,
        rows.costs.net_fn_cost / means.net_fn_cost,
        rows.costs.net_fp_cost / means.net_fp_cost,
    )


@final
@dataclass(frozen=True, eq=False)
class RowMoney(FrozenValue):
    """Rows on which decisions cost money, with class shares that are those of deployment.

    A way of deciding has a part for each row: what it would cost in all, over all conditions, if
    it did on its whole class what it does on the row, and rows of the class cost the same. Money
    is linear in the rates of each class, so it is a constant, what being always right costs, and
    the mean of the parts over either class, a row counting by its weight and, if it has costs of
    its own, by what a mistake on it costs. If the share of positives is known nothing else varies
    than the rows of each class, and their number does not count; if it is estimated from these
    rows, its error counts too.
    """

    # None of weight 0. With groups those are independent, and their rows need not be.
    rows: ScoredRows
    weights: str  # {"sampling", "counts"}: as in `standard_error`
    # Shape (n,): what the right decision on a row costs, times the share of its class. With costs
    # of their own the amounts of rows vary from sample to sample, those of right decisions too.
    correct: FloatArray | float = 0.0
    estimated: bool = False  # whether the share of positives at deployment is that of the rows
    # Shape (n,): each row's influence on what either class adds by what it changes for other rows.
    moved: tuple[FloatArray | float, FloatArray | float] = (0.0, 0.0)
    # What takes the odds of these rows to those of the cases that they stand for.
    odds: float = 1.0

    @classmethod
    def of_rates(cls, rows: ScoredRows, weights: str, *, estimated: bool = False) -> Self:
        """Rows that count alike whatever they cost, so that means over classes are rates."""
        return cls(replace(rows, costs=None), weights, estimated=estimated)

    def mean(self, parts: FloatArray) -> float:
        """The sum of what either class adds."""
        return sum(self.class_means(parts))

    def influences(self, parts: FloatArray) -> FloatArray:
        """Each row's influence on that sum.

        Parameters
        ----------
        parts : array of shape (n,)

        Returns
        -------
        array of shape (n,)
            Of weighted mean 0, over either class if the share of positives is known; that of a
            difference of two ways is the difference of theirs.
        """
        negatives, positives = self._class_influences(parts, pooled=self.estimated)
        return negatives + positives

    def class_errors(self, parts: FloatArray, *, estimated: bool) -> tuple[FloatArray, FloatArray]:
        """What each independent row, or group, adds to the error of what either class adds.

        The share of positives is that of the rows if it is `estimated`, and known if not.
        """
        negatives, positives = self._class_influences(parts, pooled=estimated)
        return self.errors(negatives), self.errors(positives)

    def _class_influences(
        self, parts: FloatArray, *, pooled: bool
    ) -> tuple[FloatArray, FloatArray]:
        """Each row's influence on what either class adds, as a mean over all rows if `pooled`."""
        scaled = self._scaled(parts) + self.correct
        negative, positive = self.rows.class_weights
        weights = negative, positive * self.odds
        found = []
        for side, weight, moved in zip(self._sides, weights, self.moved, strict=True):
            mean = self._class_mean(side, scaled)
            own = (scaled if pooled else scaled - mean) * (sum(weights) / weight)
            found.append(np.where(side, own, 0.0) - (mean if pooled else 0.0) + moved)
        if self.odds != 1.0:
            # A row counts as many cases as it stands for.
            cases = np.where(self.rows.positive, self.odds, 1.0)
            cases *= (negative + positive) / sum(weights)
            return found[0] * cases, found[1] * cases
        return found[0], found[1]

    def error(self, influences: FloatArray) -> float:
        """The standard error of what has such influences.

        It raises `LabelError` if a class has one row, or occurs in one group only, and
        `ConditionError` if weights declared counts are not whole numbers.
        """
        return row_error(influences, self.rows, weights=self.weights)

    def errors(self, influences: FloatArray) -> FloatArray:
        """What each independent row, or group, adds to that error."""
        return unit_errors(influences * row_corrections(self.rows, self.weights), self.rows)

    def class_means(self, parts: FloatArray) -> tuple[float, float]:
        """What negatives add, and what positives do: means of the parts and right decisions."""
        negative, positive = self._sides
        scaled = self._scaled(parts) + self.correct
        return self._class_mean(negative, scaled), self._class_mean(positive, scaled)

    def class_variances(self, parts: FloatArray) -> tuple[float, float]:
        """How far rows of either class are off its mean, squared, of `effective_sizes` such rows.

        Divided by those sizes it is the variance of the class mean. What costs of their own add to
        it is in the influences already, and not once more in the sizes.
        """
        return self.class_variances_of(self.influences(parts))

    def class_variances_of(self, influences: FloatArray) -> tuple[float, float]:
        """The same of what has such influences."""
        weights = self.rows.class_weights
        squares = influences**2
        negatives, positives = (
            self._class_mean(side, squares) * (weight / sum(weights)) ** 2 * size / rows
            for side, weight, size, rows in zip(
                self._sides, weights, self.effective_sizes, self.sizes, strict=True
            )
        )
        return negatives, positives

    def group_variances(self, influences: FloatArray) -> tuple[float, float]:
        """What groups of either class add to the squared error, if its rows alone varied."""
        negatives, positives = (
            float(np.sum(unit_errors(np.where(side, influences, 0.0), self.rows) ** 2))
            for side in self._sides
        )
        return negatives, positives

    @cached_property
    def effective_sizes(self) -> Ends:
        """How many independent rows either class amounts to, by weights and by costs."""
        rows = self.rows
        counted = self.weights == "counts" and rows.groups is None
        weighed = rows if counted or rows.costs is None else rows.weighed_by_cost()
        return sizes_of_rows(weighed, self.weights)

    @property
    def effective_size(self) -> float:
        """How many independent rows the smaller class amounts to."""
        return min(self.effective_sizes)

    @property
    def units(self) -> int:
        """How many rows the rarer class has, or as many groups of equal size tell as much."""
        if self.clustered:
            return round(min(self.sizes))
        return min(self.class_units)

    @property
    def says_little(self) -> bool:
        """Whether those are too few for intervals."""
        return self.units < LEAST_UNITS

    @property
    def class_units(self) -> tuple[int, int]:
        """The same of either class; a weight that is a count is of so many rows."""
        rows, (negative, positive) = self.rows, self._sides
        if rows.groups is not None:
            return len(np.unique(rows.groups[negative])), len(np.unique(rows.groups[positive]))
        if self.weights == "counts" and rows.weight is not None:
            # `error` refuses parts of a row.
            counts = np.ceil(rows.weight)
            return int(np.sum(counts[negative])), int(np.sum(counts[positive]))
        return int(np.count_nonzero(negative)), int(np.count_nonzero(positive))

    @property
    def clusters(self) -> int:
        """How many groups there are."""
        return 0 if self.rows.groups is None else len(np.unique(self.rows.groups))

    @property
    def cases(self) -> float:
        """How many independent rows, or groups, there are in all."""
        return float(self.clusters) if self.clustered else sum(self.sizes)

    @cached_property
    def sizes(self) -> Ends:
        """How many independent rows either class amounts to, by weights alone."""
        return sizes_of_rows(self.rows, self.weights)

    def trials(self, parts: FloatArray, most: Ends) -> Ends:
        """How many independent rows either class amounts to, by how alike those of a group are.

        As many as there are rows if mistakes fall on groups by chance, and as there are groups if
        whole groups are mistaken. One mistake more is taken to be a whole group's, since without
        a mistake nothing is known of it. The size is that over the design effect, which is at
        least 1: Kish (1965), Survey Sampling, Section 8.2.

        Parameters
        ----------
        parts : array of shape (n,)
        most : tuple of two floats
            How much more a row of either class may cost than another one.
        """
        if not self.clustered:
            return self.sizes
        ungrouped = replace(self.rows, groups=None)
        rows = sizes_of_rows(ungrouped, self.weights)
        sides, found = self._class_influences(parts, pooled=False), []
        for influences, size, groups, stake in zip(sides, rows, self.sizes, most, strict=True):
            together, alone = (
                float(np.sum(unit_errors(influences, of) ** 2)) for of in (self.rows, ungrouped)
            )
            more = (stake / size) ** 2
            effect = (together + more * size / groups) / (alone + more)
            found.append(max(size / max(effect, 1.0), groups))
        return found[0], found[1]

    @property
    def class_shares(self) -> Ends:
        """The shares of the negatives and of the positives among the cases."""
        negative, positive = self.rows.class_weights
        share = positive * self.odds / (negative + positive * self.odds)
        return 1 - share, share

    @property
    def amounts_vary(self) -> tuple[bool, bool]:
        """Whether negatives cost different amounts, and whether positives do."""
        costs = self.rows.costs
        if costs is None:
            return False, False
        negatives, positives = (
            any(np.ndim(getattr(costs, name)) > 0 for name in names)
            for names in (("fp_cost", "tn_cost"), ("fn_cost", "tp_cost"))
        )
        return negatives, positives

    @property
    def varies_by_class(self) -> bool:
        """Whether what a class adds varies with its share or with amounts."""
        return self.estimated or any(self.amounts_vary)

    @property
    def clustered(self) -> bool:
        """Whether those are clusters of rows."""
        return self.rows.groups is not None

    @cached_property
    def _sides(self) -> tuple[BoolArray, BoolArray]:
        return ~self.rows.positive, self.rows.positive

    @cached_property
    def _relative(self) -> FloatArray | None:
        """What a mistake on each row costs, over the mean of its class; None if all are alike."""
        return relative_costs(self.rows)

    def _scaled(self, parts: FloatArray) -> FloatArray:
        return parts if self._relative is None else parts * self._relative

    def _class_mean(self, side: BoolArray, values: FloatArray) -> float:
        weight = self.rows.weight
        return float(np.average(values[side], weights=None if weight is None else weight[side]))

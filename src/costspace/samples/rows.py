"""Labels, scores, weights and costs of rows, validated once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, TypeAlias, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import (
    BoolArray,
    FloatArray,
    FrozenDict,
    FrozenValue,
    IndexArray,
    ScoreArray,
    owned,
    read_only,
)
from costspace.errors import ConditionError, ScoreError, WeightError, brief
from costspace.notebook import STRATEGIES, first_of, html_table, in_short
from costspace.samples.case_costs import CaseCosts, MeanCosts, check_case_costs
from costspace.samples.labels import positive_rows
from costspace.samples.order import check_order
from costspace.samples.plausibility import warn_of_scores
from costspace.samples.rounding import in_unit, only_rounding
from costspace.samples.selection import selected
from costspace.samples.validation import (
    WEIGHTS,
    check_classes,
    check_model,
    group_numbers,
    row_numbers,
    score_array,
    weight_array,
)
from costspace.samples.vectors import UNLIKE
from costspace.single import doubles
from costspace.threads import mapped

# Models that are named.
_FEW = 5
# Scores of one model or of several, by name or in columns.
NamedScores: TypeAlias = ArrayLike | Mapping[str, ArrayLike]


@final
@dataclass(frozen=True, eq=False, repr=False)
class ScoredRows(FrozenValue):
    """Rows of predictions of one or more models.

    Attributes
    ----------
    positive : boolean array of shape (n,)
        Whether a row belongs to the positive class; both classes occur.
    scores : mapping of str to array of shape (n,)
        Each model's scores, float32 or float64, without NaN.
    weight : array of shape (n,) or None
        Non-negative, finite, not all zero in either class.
    costs : CaseCosts or None
        What a decision on each row costs.
    groups : array of int of shape (n,) or None
        The cluster of each row, such as a patient, as a number from 0; rows of a cluster may
        depend on each other.
    given : mapping of str to array of shape (n,)
        The scores as they came, of models of which rounding took some beyond [0, 1]: those are at
        its ends in `scores`.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2012), arXiv:1112.2640, Section 2: a dataset and a scoring of
    it.
    """

    positive: BoolArray
    scores: Mapping[str, ScoreArray]
    weight: FloatArray | None = None
    costs: CaseCosts | None = None
    groups: IndexArray | None = None
    given: Mapping[str, ScoreArray] = field(default_factory=FrozenDict)

    @classmethod
    def from_predictions(
        cls,
        y_true: ArrayLike,
        y_score: NamedScores,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        case_costs: CaseCosts | None = None,
        groups: ArrayLike | None = None,
    ) -> ScoredRows:
        """Validate predictions.

        Parameters
        ----------
        y_true : array of shape (n,)
            Labels of two classes: 0/1, -1/1, booleans, or any two with `pos_label`.
        y_score : mapping of str to array of shape (n,), data frame, or array of shape (n, models)
            Each model's scores, higher meaning more positive. The columns of an array without
            names are "y_score_0" and so on.
        pos_label : label, optional
            The label of the positive class.
        sample_weight : array of shape (n,), optional
            Non-negative, finite, not all zero in a class.
        case_costs : CaseCosts, optional
            What a decision on each row costs.
        groups : array of shape (n,), optional
            The cluster of each row, such as a patient or a customer, by any name.

        Raises
        ------
        LabelError, ScoreError, WeightError, ConditionError, SourceError
            For labels not of two classes, unusable scores, negative weights, options out of range
            or a table that does not fit, in this order.

        Warns
        -----
        DataWarning
            If scores look like labels or predicted classes, or are all the same.

        Examples
        --------
        >>> rows = ScoredRows.from_predictions(["no", "yes"], {"m": [0.2, 0.7]}, pos_label="yes")
        >>> rows.positive
        array([False,  True])
        """
        return cls.viewing(
            y_true,
            y_score,
            pos_label=pos_label,
            sample_weight=sample_weight,
            case_costs=case_costs,
            groups=groups,
        ).own

    @classmethod
    def viewing(
        cls,
        y_true: ArrayLike,
        y_score: NamedScores,
        *,
        pos_label: object = None,
        sample_weight: ArrayLike | None = None,
        case_costs: CaseCosts | None = None,
        groups: ArrayLike | None = None,
    ) -> ScoredRows:
        """`from_predictions` without copies, for use before the caller can change the arrays."""
        named = named_scores(y_score)
        if not named:
            raise ScoreError("there are no scores: give at least one model's.")
        if len({str(name) for name in named}) < len(named):
            raise ScoreError(f"two models have the same name: {brief(list(named))}.")
        positive = positive_rows(y_true, pos_label)
        scores = {
            str(name): score_array(values, f"the scores of {name!r}", len(positive))
            for name, values in named.items()
        }
        weight = None if sample_weight is None else weight_array(sample_weight, positive)
        if case_costs is not None:
            check_case_costs(case_costs).check_rows(len(positive))
        beside: list[tuple[str, Any]] = [("sample_weight", sample_weight), ("groups", groups)]
        beside += [] if case_costs is None else [("case_costs", case_costs.order)]
        scored = [("y_score", y_score), *((str(name), given) for name, given in named.items())]
        check_order([("y_true", y_true), *scored, *beside])
        clusters = None if groups is None else group_numbers(groups, len(positive))
        for name, values in scores.items():
            warn_of_scores(positive, values, name)
        return cls(read_only(positive), scores, weight, case_costs, clusters).as_read

    @property
    def own(self) -> ScoredRows:
        """The same rows, with copies of the arrays that somebody else may change."""
        scores, given = (
            FrozenDict({name: owned(values) for name, values in of.items()})
            for of in (self.scores, self.given)
        )
        weight = None if self.weight is None else owned(self.weight)
        return replace(self, scores=scores, weight=weight, given=given)

    @property
    def as_read(self) -> ScoredRows:
        """The same rows, with the scores that only rounding took beyond [0, 1] at its ends."""
        given = {
            name: scores
            for name, scores in self.scores.items()
            if only_rounding(*doubles(np.array([scores.min(), scores.max()])).tolist())
        }
        if not given:
            return self
        scores = {name: read_only(in_unit(scores)) for name, scores in given.items()}
        return replace(self, scores={**self.scores, **scores}, given=FrozenDict(given))

    @property
    def as_given(self) -> Mapping[str, ScoreArray]:
        """The scores of each model, as they came."""
        return {**self.scores, **self.given}

    def __repr__(self) -> str:
        models = f"{len(self.scores)} models"
        if len(self.scores) <= _FEW:
            models = ", ".join(map(in_short, self.scores))
        return f"ScoredRows({len(self):,} rows of {models})"

    def _repr_html_(self) -> str:
        models, told = first_of(list(self.scores.items()), STRATEGIES, "models", "scores")
        cells = [
            [
                in_short(name),
                *(f"{end:.6g}" for end in (values.min(), np.median(values), values.max())),
            ]
            for name, values in models
        ]
        known = {"weights": self.weight, "costs of each": self.costs, "groups": self.groups}
        having = [name for name, values in known.items() if values is not None]
        positives = int(np.sum(self.positive))
        caption = f"{len(self):,} rows, {positives:,} of them positive"
        return html_table(
            ["model", "lowest score", "median", "highest score"],
            cells,
            caption=f"{caption}; with {', '.join(having)}" if having else caption,
            notes=told,
        )

    def __len__(self) -> int:
        return len(self.positive)

    @property
    def counts(self) -> BoolArray:
        """Which rows count: those of a weight above 0."""
        return np.ones(len(self), dtype=bool) if self.weight is None else self.weight > 0

    @property
    def counting(self) -> ScoredRows:
        """Those rows alone: others and their clusters must not be counted."""
        return self if self.counts.all() else self.take(self.counts)

    @cached_property
    def class_weights(self) -> tuple[float, float]:
        """Weight of the negatives and of the positives; without weights, their numbers."""
        sides = (~self.positive, self.positive)
        if self.weight is None:
            negatives, positives = (float(np.count_nonzero(rows)) for rows in sides)
        else:
            negatives, positives = (float(np.sum(selected(self.weight, r))) for r in sides)
        return negatives, positives

    @property
    def prevalence(self) -> float:
        """Share of positives, as weighted."""
        negatives, positives = self.class_weights
        return positives / (negatives + positives)

    def by_class(self, model: str) -> tuple[tuple[ScoreArray, FloatArray | None], ...]:
        """A model's scores and weights for the negatives and for the positives, as copies."""
        scores = self.scores[check_model(model, self.scores)]

        def of_class(rows: BoolArray) -> tuple[ScoreArray, FloatArray | None]:
            weight = None if self.weight is None else selected(self.weight, rows)
            return selected(scores, rows), weight

        return tuple(mapped(of_class, (~self.positive, self.positive), len(self)))

    def take(self, rows: ArrayLike) -> ScoredRows:
        """Some of the rows, with everything known about them.

        Parameters
        ----------
        rows : array of bool of shape (n,), or of int
            Which rows, counted from 0; a number may occur more than once.

        Returns
        -------
        ScoredRows

        Raises
        ------
        LabelError
            If a class does not occur among them.
        SourceError
            If there are no such rows.

        Examples
        --------
        >>> rows = ScoredRows.from_predictions([0, 1, 1], {"m": [0.2, 0.7, 0.4]})
        >>> rows.take([0, 2]).scores["m"]
        array([0.2, 0.4])
        """
        some = row_numbers(rows, len(self))
        positive = self.positive[some]
        weight = None if self.weight is None else read_only(self.weight[some])
        check_classes(positive, weight)
        scores = {name: read_only(values[some]) for name, values in self.scores.items()}
        costs = None if self.costs is None else self.costs.take(some)
        groups = None if self.groups is None else group_numbers(self.groups[some], len(some))
        given = {name: read_only(values[some]) for name, values in self.given.items()}
        return ScoredRows(positive, scores, weight, costs, groups, FrozenDict(given))

    @property
    def mean_costs(self) -> MeanCosts:
        """The mean cost of a decision on a row of each class."""
        return self.known_costs.means(self.positive, self.weight)

    def weighed_by_cost(self) -> ScoredRows:
        """The same rows, weighted by what a mistake on each costs.

        A negative of weight w gets weight w (fp_cost - tn_cost), a positive w (fn_cost - tp_cost),
        so that rates are shares of each class's cost. The rows keep no other costs.

        Raises
        ------
        ConditionError
            If the rows have no costs of their own.
        WeightError
            If products of weights and costs are out of the range that floats can sum.

        Notes
        -----
        Fawcett (2006), ROC graphs with instance-varying costs, Pattern Recognition Letters 27.

        Examples
        --------
        >>> import costspace as cs
        >>> costs = cs.CaseCosts(fp_cost=[1, 3, 2], fn_cost=10)
        >>> rows = ScoredRows.from_predictions([0, 0, 1], {"m": [0.2, 0.7, 0.4]}, case_costs=costs)
        >>> rows.weighed_by_cost().weight
        array([ 1.,  3., 10.])
        """
        costs = self.known_costs
        weight = np.where(self.positive, costs.net_fn_cost, costs.net_fp_cost)
        if self.weight is not None:
            weight *= self.weight
        largest = weight.max()
        if not WEIGHTS[0] <= largest <= WEIGHTS[1]:
            raise WeightError(
                f"the largest product of a weight and a cost must be from {WEIGHTS[0]:g} to "
                f"{WEIGHTS[1]:g}, got {largest:g}: scale them all."
            )
        return ScoredRows(self.positive, self.scores, read_only(weight), groups=self.groups)

    @property
    def known_costs(self) -> CaseCosts:
        """The costs, or `ConditionError` if a row has none that make a decision on it worth it."""
        if self.costs is None:
            raise ConditionError("the rows have no costs: give case_costs with them.")
        return self.costs.all_worth

    @property
    def worth_flagging(self) -> ScoredRows:
        """The rows that flagging may be worth it of, as their costs are; or `LabelError`."""
        worth = None if self.costs is None else self.costs.worth_flagging
        return self if worth is None else self.take(worth)


def named_scores(given: NamedScores) -> Mapping[str, ArrayLike]:
    """The scores of one model or of several by name; without a name it is "y_score"."""
    found = scores_by_name(given)
    return {"y_score": given} if found is None else found  # type: ignore[dict-item]


def scores_by_name(given: NamedScores) -> Mapping[str, ArrayLike] | None:
    """The scores of models by name; None if they are those of a single model.

    `ScoreError` if an array looks like the probabilities of both classes, or a frame is lazy or has
    two columns of the same name.
    """
    if isinstance(given, Mapping):
        return given
    # By the type, since access to the columns can cost a pass.
    lazy = any(hasattr(given, name) for name in ("collect", "compute", "fetchall"))
    if lazy and hasattr(type(given), "columns"):
        raise ScoreError(
            f"scores are in a lazy {type(given).__name__}: collect its columns first, or read rows "
            "with read_rows."
        )
    columns = getattr(given, "column_names", getattr(given, "columns", None))
    if columns is not None:
        frame: Any = given
        names = list(columns)
        if len({str(name) for name in names}) < len(names):
            raise ScoreError(f"two models have the same name: {brief(names)}.")
        return {str(name): frame[name] for name in names}
    try:
        # Masked values stay masked, and are refused like any missing score. Only what may be masked
        # has a mask: numpy.ma takes long to load.
        masked = hasattr(given, "mask") and isinstance(given, np.ma.MaskedArray)
        array: Any = given if masked else np.asarray(given)
    except UNLIKE:
        # `score_array` raises the error about the shape.
        return None
    if array.ndim != 2 or array.shape[1] < 2:
        return None
    two = array.shape[1] == 2 and array.dtype.kind == "f" and bool(np.all(np.abs(array) < 2))
    if two and np.allclose(array.sum(axis=1), 1):
        raise ScoreError(
            f"the columns of y_score sum to 1, like probabilities of both classes, got shape "
            f"{array.shape}: give only predict_proba's column of the positive class."
        )
    return {f"y_score_{i}": column for i, column in enumerate(array.T)}

"""Losses of thresholds that were chosen on some rows and are applied to others.

On the rows that it chose its thresholds on, the optimal choice beats every other. Which method
to use shows on other rows only.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias, final

import numpy as np

from costspace.arrays import BoolArray, FloatArray, FrozenValue, IndexArray, underflow_to_zero
from costspace.checks import check_whole
from costspace.choices import Fitted, ThresholdChoice
from costspace.curve import OperatingPath, SmoothPath
from costspace.curve.path import check_exact
from costspace.decision.costed import CostedScores
from costspace.decision.folds import check_folds, fold_of_each
from costspace.decision.pooling import pooled
from costspace.decision.rules_by_condition import RulesByCondition
from costspace.errors import ConditionError, ScoreError
from costspace.scores.rows import ScoredRows
from costspace.scores.table import ScoreTable

FOLDS = 5


@final
@dataclass(frozen=True, eq=False)
class Split:
    """One model's scores twice.

    Attributes
    ----------
    train : CostedScores
        What thresholds are chosen on.
    test : CostedScores
        What they are applied to.

    Notes
    -----
    Stone (1974), Journal of the Royal Statistical Society B 36: cross-validatory choice.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.6, 0.2, 0.7, 0.9]
    >>> held_out = cs.hold_out(cs.ScoredRows.from_predictions(y, {"model": s})).of("model")
    >>> held_out.splits[0].train.rows, held_out.splits[0].test.rows
    (ScoreTable(2 negatives, 2 positives), ScoreTable(1 negatives, 1 positives))
    """

    train: CostedScores
    test: CostedScores


# The path, on the second scores, of thresholds chosen on the first.
Chosen: TypeAlias = Callable[[CostedScores, CostedScores], OperatingPath | SmoothPath]


def fitted(choice: ThresholdChoice) -> Chosen:
    """A threshold choice fitted on other rows: it looks at costs where `CostedScores` says so."""

    def chosen(train: CostedScores, test: CostedScores) -> OperatingPath | SmoothPath:
        return Fitted(choice, train.looked_at(choice)).path(test.costs)

    return chosen


@final
@dataclass(frozen=True, eq=False)
class HeldOutScores:
    """One model's scores in splits, each with rows to choose thresholds on and rows held out.

    Attributes
    ----------
    splits : tuple of Split
        The `train` and the `test` part of each.

    Notes
    -----
    Stone (1974), Journal of the Royal Statistical Society B 36: cross-validatory choice.

    Examples
    --------
    Scores that are good probabilities, of too few rows to choose thresholds on:

    >>> import costspace as cs
    >>> y, s = [0, 1, 0, 0, 1, 1], [0.1, 0.2, 0.3, 0.6, 0.7, 0.9]
    >>> held_out = cs.hold_out(cs.ScoredRows.from_predictions(y, {"model": s})).of("model")
    >>> for choice in (cs.ScoreDriven(), cs.Optimal()):
    ...     loss = held_out.path(choice, prevalence=0.5).expected_loss(cs.Uniform())
    ...     print(round(loss, 4), round(cs.expected_loss(y, s, choice=choice), 4))
    0.2 0.2
    0.4167 0.1111
    """

    splits: tuple[Split, ...]

    def path(
        self, chosen: ThresholdChoice | Chosen, prevalence: float, *, counted: bool = False
    ) -> OperatingPath:
        """The path of all held-out decisions, on the cost axis at a prevalence.

        Parameters
        ----------
        chosen : ThresholdChoice or callable
            A choice whose thresholds are fitted on other rows; or what returns the path of the test
            part of a split, given its train and its test part, both reweighted to the prevalence.
        prevalence : float in (0, 1)
            The class mix; 1/2 makes the condition a skew.
        counted : bool, default False
            Whether `chosen` gives rates of rows and not of costs.

        Returns
        -------
        OperatingPath
            At each condition the rates of all test rows together, each decided on by the
            thresholds of its own split.
        """
        moved = fitted(chosen) if isinstance(chosen, ThresholdChoice) else chosen
        paths = [
            moved(split.train.with_prevalence(prevalence), split.test.with_prevalence(prevalence))
            for split in self.splits
        ]
        return self._pooled(paths, counted=counted)

    def path_of(
        self, rules: Sequence[RulesByCondition], prevalence: float, *, counted: bool = False
    ) -> OperatingPath:
        """The same of rules that were chosen on the train parts, one for each split."""
        paths = []
        for one, split in zip(rules, self.splits, strict=True):
            test = split.test.with_prevalence(prevalence)
            paths.append(one.path(test.rows if counted else test.costs))
        return self._pooled(paths, counted=counted)

    def _pooled(
        self, paths: Sequence[OperatingPath | SmoothPath], *, counted: bool
    ) -> OperatingPath:
        tests = [split.test for split in self.splits]
        tables = [test.rows if counted else test.costs for test in tests]
        return pooled(
            [check_exact("held-out decisions need", path) for path in paths],
            [table.negatives.total for table in tables],
            [table.positives.total for table in tables],
        )


@final
@dataclass(frozen=True, eq=False)
class HeldOut(FrozenValue):
    """Rows to choose thresholds on, and rows to apply them to.

    Attributes
    ----------
    rows : ScoredRows
        Every threshold is chosen on these, or on those outside one fold of them.
    validation : ScoredRows or None
        What thresholds chosen on all rows are applied to; None for cross-fitting.
    folds : tuple of arrays of int of shape (n,)
        Each time the rows are cut: the fold of each, to which thresholds chosen on the other folds
        are applied. One time, and all 0, where there are validation rows.

    Notes
    -----
    Stone (1974), Journal of the Royal Statistical Society B 36: cross-validatory choice.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 1, 1], [0.1, 0.3, 0.6, 0.2, 0.7, 0.9]
    >>> held_out = cs.hold_out(cs.ScoredRows.from_predictions(y, {"model": s}))
    >>> str(held_out)
    '3 cross-fitted folds'
    >>> path = held_out.of("model").path(cs.Optimal(), prevalence=0.5)
    >>> round(path.loss()(0.5), 4), round(cs.loss_curve(y, s, choice=cs.Optimal())(0.5), 4)
    (0.5, 0.1667)
    """

    rows: ScoredRows
    validation: ScoredRows | None
    folds: Sequence[IndexArray]

    def __str__(self) -> str:
        if self.validation is not None:
            return "validation rows"
        often = f", {len(self.folds)} times" if len(self.folds) > 1 else ""
        return f"{self.folds[0].max() + 1} cross-fitted folds{often}"

    @property
    def judged(self) -> ScoredRows:
        """The rows that thresholds are applied to."""
        return self.rows if self.validation is None else self.validation

    @property
    def once(self) -> "HeldOut":
        """The same with rows cut into folds one time."""
        return self if len(self.folds) == 1 else replace(self, folds=self.folds[:1])

    @cached_property
    def parts(self) -> list[IndexArray]:
        """Which of those rows are in the test part of each split."""
        if self.validation is not None:
            return [np.arange(len(self.validation))]
        return [np.flatnonzero(fold == k) for fold in self.folds for k in range(fold.max() + 1)]

    def training(self, part: int | None) -> ScoredRows:
        """The rows that thresholds are chosen on: all, or those outside a part."""
        if part is None or self.validation is not None:
            return self.rows
        return self.rows.take(_others(self.parts[part], len(self.rows)))

    def judged_part(self, part: int) -> ScoredRows:
        """The rows held out at a time."""
        return self.judged if self.validation is not None else self.judged.take(self.parts[part])

    def joined(self, of_part: Callable[[int], FloatArray]) -> FloatArray:
        """What is found of the rows of each part, in the mean over the parts that a row is in."""
        found = np.zeros(len(self.judged))
        for k, part in enumerate(self.parts):
            found[part] += of_part(k)
        return found / len(self.folds)

    def of(self, model: str) -> HeldOutScores:
        """The scores of one model in their splits.

        Parameters
        ----------
        model : str

        Returns
        -------
        HeldOutScores

        Raises
        ------
        ScoreError
            If there are no scores of that model.
        """
        known = self._known
        if model not in known:
            known[model] = self._split(model)
        return known[model]

    @cached_property
    def _known(self) -> dict[str, HeldOutScores]:
        return {}

    def judged_table(self, model: str) -> tuple[ScoreTable, IndexArray]:
        """All rows held out by the scores of a model, and the place of each among the distinct."""
        known = self._judged_tables
        if model not in known:
            table = ScoreTable.from_rows(self.judged, model)
            distinct, scores = table.by_score.breaks, self.judged.scores[model]
            place = np.searchsorted(distinct, np.asarray(scores, dtype=float))
            # Rows of weight 0 are not in the table, and may score above all that are.
            known[model] = table, np.minimum(place, len(distinct) - 1)
        return known[model]

    @cached_property
    def _judged_tables(self) -> dict[str, tuple[ScoreTable, IndexArray]]:
        return {}

    def _split(self, model: str) -> HeldOutScores:
        rows = _of_model(self.rows, model)
        if self.validation is not None:
            parts = [(rows, _of_model(self.validation, model))]
        else:
            n = len(rows)
            parts = [(rows.take(_others(part, n)), rows.take(part)) for part in self.parts]
        return HeldOutScores(
            tuple(
                Split(CostedScores.from_rows(train, model), CostedScores.from_rows(test, model))
                for train, test in parts
            )
        )


@underflow_to_zero
def hold_out(
    rows: ScoredRows,
    validation: ScoredRows | None = None,
    *,
    folds: int = FOLDS,
    repeats: int = 1,
) -> HeldOut:
    """Rows to apply thresholds to that were not chosen on them.

    Parameters
    ----------
    rows : ScoredRows
        What thresholds are chosen on.
    validation : ScoredRows, optional
        Rows that thresholds chosen on all of `rows` are applied to. Without them `rows` are cut
        into folds, and thresholds chosen outside a fold are applied to it.
    folds : int, default 5
        How many, at least 2. Both classes are spread evenly over them, in an order shuffled with
        a fixed seed; a class of fewer rows makes as many folds as it has. Rows of one group stay
        together, and it is groups that are spread.
    repeats : int, default 1
        How often the rows are cut anew into folds, at least 1: that takes out of the result the
        chance of which rows are cut together.

    Returns
    -------
    HeldOut

    Raises
    ------
    ConditionError
        If `folds` is no whole number from 2 on, or above 5 and more than there are rows (or
        groups), `repeats` none from 1 on, only one of `rows` and `validation` has costs for each
        case, or `rows` have groups and `validation` has none.
    LabelError
        If a class has fewer than 2 rows to cross-fit, or is in fewer than 2 groups.

    Notes
    -----
    Stone (1974), Journal of the Royal Statistical Society B 36: cross-validatory choice.

    Examples
    --------
    >>> import costspace as cs
    >>> rows = cs.ScoredRows.from_predictions([0, 0, 1, 1], {"model": [0.1, 0.6, 0.4, 0.9]})
    >>> str(hold_out(rows)), str(hold_out(rows, validation=rows))
    ('2 cross-fitted folds', 'validation rows')
    """
    if validation is not None:
        if (rows.costs is None) != (validation.costs is None):
            which = "validation rows" if validation.costs is None else "rows"
            raise ConditionError(
                f"the {which} have no costs of their own for each case and the others have: give "
                "both or neither."
            )
        if rows.groups is not None and validation.groups is None:
            raise ConditionError(
                "the rows have groups and the validation rows, whose intervals they are for, have "
                "none: give ScoredRows with groups."
            )
        return HeldOut(rows, validation, [np.zeros(len(rows), dtype=np.intp)])
    folds = check_folds(rows, folds, FOLDS)
    often = range(check_whole("repeats", repeats, least=1))
    return HeldOut(rows, None, [fold_of_each(rows, folds, seed) for seed in often])


def _others(part: IndexArray, rows: int) -> BoolArray:
    """Which rows are not in a part."""
    others = np.ones(rows, dtype=bool)
    others[part] = False
    return others


def _of_model(rows: ScoredRows, model: str) -> ScoredRows:
    """The rows with the scores of one model only, so that no others are copied."""
    if model not in rows.scores:
        names = ", ".join(map(repr, rows.scores))
        raise ScoreError(f"there are no scores of {model!r}: there are those of {names}.")
    return replace(rows, scores={model: rows.scores[model]})

"""One model's scores in splits: rows to choose thresholds on, and rows to apply those to."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias, final

import numpy as np

from costspace.arrays import FloatArray, IndexArray
from costspace.choices import Fitted, ThresholdChoice
from costspace.curve import OperatingPath, OperatingPoints, SmoothPath
from costspace.curve.loss import common_breaks
from costspace.curve.path import check_exact
from costspace.decision.money.costed import CostedScores
from costspace.decision.rules.rules_by_condition import RulesByCondition


@final
@dataclass(frozen=True, eq=False)
class Split:
    """One model's scores, for fitting and held-out.

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
@dataclass(frozen=True, eq=False, repr=False)
class HeldOutScores:
    """One model's scores in splits of fitted and held-out rows.

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

    def __repr__(self) -> str:
        return f"HeldOutScores({len(self.splits)} splits)"

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
            paths.append(one.on(test.rows if counted else test.costs))
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


def pooled(
    paths: Sequence[OperatingPath], negatives: Sequence[float], positives: Sequence[float]
) -> OperatingPath:
    """The path of several samples together: their mean rates, by what each class weighs in each."""
    curves = [path.loss() for path in paths]
    breaks = common_breaks(curves)
    pieces = [curve.pieces_of(breaks) for curve in curves]
    cut = [_cut(path, piece, breaks) for path, piece in zip(paths, pieces, strict=True)]
    start = _mean([path.start for path in cut], negatives, positives)
    if all(path.steps for path in cut):
        return OperatingPath(breaks, start, start, paths[0].prevalence, steps=True)
    end = _mean([path.end for path in cut], negatives, positives)
    return OperatingPath(breaks, start, end, paths[0].prevalence)


def _cut(path: OperatingPath, piece: IndexArray, breaks: FloatArray) -> OperatingPath:
    """The same path with its pieces cut at finer breaks."""
    start = path.along(piece, breaks[:-1])
    end = start if path.steps else path.along(piece, breaks[1:])
    return OperatingPath(breaks, start, end, path.prevalence, path.steps)


def _mean(
    points: Sequence[OperatingPoints], negatives: Sequence[float], positives: Sequence[float]
) -> OperatingPoints:
    return OperatingPoints(
        np.average([p.fpr for p in points], axis=0, weights=negatives),
        np.average([p.fnr for p in points], axis=0, weights=positives),
    )

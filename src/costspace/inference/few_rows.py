"""Whether enough rows of either class decide for intervals to hold what they promise."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from costspace.arrays import BoolArray, ScoreFunction
from costspace.inference.influences.influence import deviation_in, sum_over
from costspace.inference.influences.ranks import auc_influence
from costspace.inference.interval import Ends
from costspace.inference.samples import MODEL
from costspace.scores.rows import ScoredRows
from costspace.scores.sample import ClassSample
from costspace.scores.table import ScoreTable


class Band(NamedTuple):
    """What simulations found where about so many rows decide.

    Attributes
    ----------
    up_to : float
        Fewer rows than this.
    auc, voros : tuple of two int
        In how many percent of samples 95 % intervals held the population's value, the least and the
        most of all cells: of AUC, and of VOROS, which with the optimal loss on the skew axis needs
        the most rows.
    """

    up_to: float
    auc: tuple[int, int]
    voros: tuple[int, int]


# Of benchmarks/coverage/few.csv, which a test compares with these.
BANDS = (
    Band(3, (68, 86), (27, 74)),
    Band(6, (84, 92), (70, 86)),
    Band(15, (88, 94), (84, 92)),
    Band(30, (94, 95), (91, 95)),
)


class Sampled(NamedTuple):
    """A model's scores on a sample, with what an interval takes the rows for.

    Attributes
    ----------
    table : ScoreTable
    rows : ScoredRows, optional
        The same rows, without any of weight 0, where they are known; with groups these are
        independent.
    model : str
        What the rows call it.
    weights : {"sampling", "counts"}
        As in `standard_error`.
    """

    table: ScoreTable
    rows: ScoredRows | None = None
    model: str = MODEL
    weights: str = "sampling"

    @property
    def alike(self) -> bool:
        """Whether rows are independent and count alike."""
        if self.rows is not None and self.rows.groups is not None:
            return False
        sides = self.table.negatives, self.table.positives
        return self.weights == "counts" or not any(side.weighted for side in sides)

    def concerns(self, *, means: bool) -> bool:
        """Whether what few rows do to intervals is to be said of a number.

        Parameters
        ----------
        means : bool
            Whether its error is of class means at thresholds that do not follow the sample, as
            `means_in` finds. Intervals of those hold with two rows of a class on, if rows are
            alike.
        """
        return not (means and self.alike)


def few_rows(samples: Iterable[Sampled]) -> str | None:
    """A sentence on how intervals fare where few rows decide, None where enough do.

    Parameters
    ----------
    samples : iterable of Sampled
        One a model; what is said is of the one in which the fewest decide.

    Notes
    -----
    The rule, of `deciding_rows`, and its figures are those of the coverage study.
    """
    deciding, count, name, others = min(_of_classes(samples))
    band = next((band for band in BANDS if deciding < band.up_to), None)
    if band is None:
        return None
    return (
        f"Few rows decide: of {count:.10g} {name} the equivalent of {deciding:.2g} score among the "
        f"{others}. With so few, 95 % intervals of AUC held in {_shown(band.auc)} of simulated "
        f"samples, those of VOROS in {_shown(band.voros)}."
    )


def _of_classes(samples: Iterable[Sampled]) -> Iterator[tuple[float, float, str, str]]:
    for sample in samples:
        negatives, positives = deciding_rows(*sample)
        sides = sample.table.negatives, sample.table.positives
        sizes = [s.total if sample.weights == "counts" else s.counted for s in sides]
        yield negatives, sizes[0], "negatives", "positives"
        yield positives, sizes[1], "positives", "negatives"


def _shown(ends: tuple[int, int]) -> str:
    return f"{ends[0]} to {ends[1]} %"


def deciding_rows(
    table: ScoreTable,
    rows: ScoredRows | None = None,
    model: str = MODEL,
    weights: str = "sampling",
) -> Ends:
    """How many rows of equal weight decide, of the negatives and of the positives.

    Parameters
    ----------
    table, rows, model, weights
        As in `Sampled`.

    Returns
    -------
    tuple of two floats
        (sum w e)^2 / sum (w e)^2, e the share of the other class that a row is on the wrong side
        of, ties counting half; of rows in groups with the sums of w e over each. Not more than
        the rows of the class; 0 if it is separated from the other.

    Notes
    -----
    Kish's effective size (Kish (1965), Survey Sampling, Section 11.7) of what rows do to 1 - AUC.
    A row that is on the right side of the whole other class tells little of where curves go, and
    one of large weight in the midst of it tells most.
    """
    wrong, influence = 1 - table.auc, auc_influence(table)
    sides = ((table.negatives, influence.of_negatives), (table.positives, influence.of_positives))
    squares = [
        _squares_of_groups(rows, model, rows.positive == bool(i), wrong, function)
        if rows is not None and rows.groups is not None
        else _squares(side, wrong, function, counted=weights == "counts")
        for i, (side, function) in enumerate(sides)
    ]
    negatives, positives = (wrong**2 / square if square > 0 else 0.0 for square in squares)
    return negatives, positives


def _squares(side: ClassSample, wrong: float, function: ScoreFunction, *, counted: bool) -> float:
    """Sum over the class of (w e)^2, w being shares of its weight: e is wrong less the function."""
    known = deviation_in(function)
    if known is not None and (counted or not side.weighted):
        # The function's mean over the class is 0.
        return (known.moment(side, 2) + wrong**2) / side.total
    return sum_over(side, lambda scores: np.square(wrong - function(scores)), side.squared_shares)


def _squares_of_groups(
    rows: ScoredRows, model: str, of_class: BoolArray, wrong: float, function: ScoreFunction
) -> float:
    """Sum over the groups of the squared sums of w e."""
    scores = np.asarray(rows.scores[model], dtype=float)[of_class]
    weight = np.ones(len(scores)) if rows.weight is None else rows.weight[of_class]
    scaled = weight / weight.max()
    sums = np.bincount(
        np.asarray(rows.groups)[of_class], scaled / scaled.sum() * (wrong - function(scores))
    )
    return float(np.sum(np.square(sums)))

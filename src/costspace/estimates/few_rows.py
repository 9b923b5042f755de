"""Whether enough rows of either class decide for intervals to have their coverage."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from costspace.arrays import BoolArray, ScoreFunction
from costspace.costs import CostDistribution, Uniform
from costspace.errors import ConditionError
from costspace.estimates.interval import Ends
from costspace.estimates.model_samples import ModelSample
from costspace.estimates.named import LOSSES, MetricLike, statistic_from
from costspace.influences.influence import deviation_in, sum_over
from costspace.influences.ranks import auc_influence
from costspace.metrics.traits import with_parameters
from costspace.samples.class_sample import ClassSample
from costspace.samples.rows import ScoredRows
from costspace.single import doubles

# A sample is in the first band whose number exceeds that of its deciding rows.
BANDS = (3, 6, 15, 30)
# Coverage of 95 % intervals in percent, the least and the most of all cells of a band: from
# benchmarks/coverage/few.csv, which a test compares with these.
FIGURES: Mapping[str, tuple[Ends, ...]] = MappingProxyType(
    {
        "auc": ((68, 86), (84, 92), (88, 94), (94, 95)),
        "brier": ((92, 100), (93, 98), (94, 97), (95, 96)),
        "macro_brier": ((87, 100), (95, 99), (92, 98), (95, 98)),
        "macro_mae": ((89, 100), (95, 99), (93, 98), (95, 97)),
        "refinement_loss": ((87, 97), (92, 97), (93, 96), (94, 96)),
        "h_measure": ((59, 88), (89, 93), (92, 95), (95, 96)),
        "voros": ((27, 74), (70, 86), (84, 92), (91, 95)),
        "expected_loss.cost.rate_driven": ((95, 100), (94, 96), (94, 96), (94, 96)),
        "expected_loss.skew.rate_driven": ((55, 83), (82, 91), (86, 94), (92, 94)),
        "expected_loss.skew.optimal": ((26, 66), (70, 82), (84, 91), (91, 92)),
    }
)
# Metrics with the interval of one of these, on another scale or by another name.
SAME_INTERVAL = MappingProxyType(
    {
        "gini": "auc",
        "expected_loss.cost.optimal": "refinement_loss",
        "expected_loss.cost.score_driven": "brier",
        "expected_loss.skew.score_driven": "macro_brier",
        "expected_loss.skew.score_uniform": "macro_mae",
    }
)
# Intervals need at least this coverage, in percent, in the worst cell of a band.
_LEAST_COVERAGE = 93
# A metric that the study lacks is treated like the one that needs the most rows.
_UNKNOWN = "expected_loss.skew.optimal"
_OTHERS = "what needs the most rows"
_WORDS = MappingProxyType(
    {
        "auc": "AUC",
        "gini": "Gini",
        "brier": "the Brier score",
        "macro_brier": "the macro Brier score",
        "macro_mae": "the macro MAE",
        "refinement_loss": "the refinement loss",
        "h_measure": "H",
        "voros": "VOROS",
        **{
            name: f"the {choice.replace('_', '-')} loss on the {axis} axis"
            for name in LOSSES
            for _, axis, choice in [name.split(".")]
        },
    }
)


class Fewest(NamedTuple):
    """The class of a sample in which the fewest rows decide."""

    # How many rows decide, and of how many.
    deciding: float
    rows: float
    # The names of the class and of the other class.
    name: str
    others: str

    def note(self, names: Iterable[str]) -> str | None:
        """A sentence on the numbers of these names, of `studied`, whose intervals lack coverage."""
        band = next((i for i, up_to in enumerate(BANDS) if self.deciding < up_to), None)
        if band is None:
            return None
        found = {_words(name): _figures(name)[band] for name in names}
        short = {words: ends for words, ends in found.items() if ends[0] < _LEAST_COVERAGE}
        if not short:
            return None
        worst = min(short, key=lambda words: (words == _OTHERS, short[words]))
        # AUC, the best-known, and the worst.
        first, *more = [words for words in dict.fromkeys((_WORDS["auc"], worst)) if words in short]
        return (
            f"Intervals may be too narrow: they rest on the equivalent of {self.deciding:.2g} of "
            f"{self.rows:.10g} {self.name}, which score among the {self.others}. With so few, 95 % "
            f"intervals of {first} held in {_shown(short[first])} of simulated samples"
            + "".join(f", those of {words} in {_shown(short[words])}" for words in more)
            + "."
        )


def concerns(sample: ModelSample, *, means: bool) -> bool:
    """Whether the note on few rows applies to a number.

    `means` is whether its error is a sum of class means at thresholds that do not follow the
    sample, as in `means_in`. Such intervals have their coverage from two rows of a class on, if
    rows are independent and have equal weights.
    """
    sides = sample.table.negatives, sample.table.positives
    unlike = sample.weights != "counts" and any(side.weighted for side in sides)
    return not means or sample.clustered or unlike


def few_rows(samples: Iterable[tuple[ModelSample, Sequence[tuple[str, bool]]]]) -> str | None:
    """A sentence on the coverage of intervals if few rows decide, None if it is near the level.

    Samples are one a model, and the sentence is about the one in which the fewest decide. With each
    come its numbers that have intervals, named as by `studied`, and whether they are `means` as in
    `concerns`.

    Notes
    -----
    The rule, of `deciding_rows`, and its figures are those of the coverage study.
    """
    found: list[tuple[Fewest, list[str]]] = []
    for sample, numbers in samples:
        names = [name for name, means in numbers if concerns(sample, means=means)]
        if names:
            found.append((fewest(sample), names))
    notes = (few.note(names) for few, names in sorted(found))
    return next((note for note in notes if note is not None), None)


def fewest(sample: ModelSample) -> Fewest:
    """The class of a sample in which the fewest rows decide."""
    negatives, positives = deciding_rows(sample)
    sides = sample.table.negatives, sample.table.positives
    sizes = [s.total if sample.weights == "counts" else s.counted for s in sides]
    return min(
        Fewest(negatives, sizes[0], "negatives", "positives"),
        Fewest(positives, sizes[1], "positives", "negatives"),
    )


def studied(metric: MetricLike, *, costs: CostDistribution = Uniform()) -> str:
    """The name of a metric in the study, "" if it has other costs or parameters."""
    if isinstance(metric, str):
        return "" if metric in LOSSES and not costs.is_uniform else metric
    bare, bound = with_parameters(metric)
    if bound:
        return ""
    try:
        return statistic_from(bare).name
    except ConditionError:
        return ""


def _words(name: str) -> str:
    return _WORDS[name] if SAME_INTERVAL.get(name, name) in FIGURES else _OTHERS


def _figures(name: str) -> tuple[Ends, ...]:
    return FIGURES.get(SAME_INTERVAL.get(name, name), FIGURES[_UNKNOWN])


def _shown(ends: Ends) -> str:
    return f"{ends[0]:g} to {ends[1]:g} %"


def deciding_rows(sample: ModelSample) -> Ends:
    """How many rows of equal weight decide, of the negatives and of the positives.

    (sum w e)^2 / sum (w e)^2, e the share of the other class that a row is on the wrong side of,
    ties counting half; for rows in groups with the sums of w e over each group. At most the rows of
    the class; 0 if it is separated from the other.

    Notes
    -----
    Kish's effective size (Kish (1965), Survey Sampling, Section 11.7) of the rows' parts in 1 -
    AUC. A row on the right side of the whole other class has little effect on curves; one of large
    weight in the middle of it has the most.
    """
    table, rows, counted = sample.table, sample.rows, sample.weights == "counts"
    wrong, influence = 1 - table.auc, auc_influence(table)
    sides = ((table.negatives, influence.of_negatives), (table.positives, influence.of_positives))
    squares = [
        _squares_of_groups(rows, sample.model, rows.positive == bool(i), wrong, function)
        if rows is not None and rows.groups is not None
        else _squares(side, wrong, function, counted=counted)
        for i, (side, function) in enumerate(sides)
    ]
    negatives, positives = (wrong**2 / square if square > 0 else 0.0 for square in squares)
    return negatives, positives


def _squares(side: ClassSample, wrong: float, function: ScoreFunction, *, counted: bool) -> float:
    """Sum over the class of (w e)^2: w shares of its weight, e is wrong minus the function."""
    known = deviation_in(function)
    if known is not None and (counted or not side.weighted):
        # The function's mean over the class is 0.
        return (known.moment(side, 2) + wrong**2) / side.total
    return sum_over(side, lambda scores: np.square(wrong - function(scores)), side.squared_shares)


def _squares_of_groups(
    rows: ScoredRows, model: str, of_class: BoolArray, wrong: float, function: ScoreFunction
) -> float:
    """Sum over the groups of the squared sums of w e."""
    scores = doubles(rows.scores[model])[of_class]
    weight = np.ones(len(scores)) if rows.weight is None else rows.weight[of_class]
    scaled = weight / weight.max()
    sums = np.bincount(
        np.asarray(rows.groups)[of_class], scaled / scaled.sum() * (wrong - function(scores))
    )
    return float(np.sum(np.square(sums)))

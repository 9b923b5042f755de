"""The papers' worked samples, with the tokens restored that their texts lost on the way."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import final

import costspace as cs


@final
@dataclass(frozen=True)
class Sample:
    """Labels and scores of one model.

    Attributes
    ----------
    y_true : tuple of int
        Classes, 1 positive.
    y_score : tuple of float
        Scores in [0, 1], higher meaning more positive.

    Examples
    --------
    >>> SEVEN.table()
    ScoreTable(4 negatives, 3 positives)
    """

    y_true: tuple[int, ...]
    y_score: tuple[float, ...]

    def table(self) -> cs.ScoreTable:
        """The sample as a table."""
        return cs.ScoreTable.from_predictions(self.y_true, self.y_score)


def descending(y_true: Sequence[int]) -> Sample:
    """A sample whose scores fall from 1 to 0 in equal steps."""
    last = len(y_true) - 1
    return Sample(tuple(y_true), tuple((last - i) / last for i in range(last + 1)))


# Hernandez-Orallo, Flach, Ferri (2011), arXiv:1107.5930 and ICML, Figure 1. Both texts have 14
# classes for 15 scores; with one 0 more the numbers stated for them come out.
FIFTEEN = Sample(
    (1, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0),
    (0.95, 0.9, 0.9, 0.85, 0.7, 0.7, 0.7, 0.55, 0.45, 0.2, 0.2, 0.18, 0.16, 0.15, 0.05),
)

# arXiv:1107.5930, Figures 2 to 5.
SEVEN = Sample((1, 0, 1, 1, 0, 0, 0), (0.95, 0.9, 0.8, 0.3, 0.2, 0.1, 0.05))
PERFECT = descending([1] * 20 + [0] * 20)
WORST = descending([0] * 20 + [1] * 20)
ALTERNATING = descending([1, 0] * 20)

# Figure 6 has 24 scores and counts 9 and 15 classes, of which 21 are in the text: with 1 0 0 at
# the end its AUC and its Brier score come out.
TWENTY_FOUR = descending([1, 1, 1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 0, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0])

# Figure 7 has 11 classes for 10 scores: calibrated they are with 5/6 once more.
CALIBRATED = Sample((1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1), (1.0, *[5 / 6] * 6, *[1 / 4] * 4))

# Hernandez-Orallo, Flach, Ferri (2011), ICML, Example 3. D averages A and B; its printed scores
# are rounded to two digits.
_A = (0.70, 0.80, 0.80, 0.70, 0.80, 0.75, 0.10, 0.55, 0.80, 0.15)
_B = (0.60, 1.00, 0.95, 0.25, 0.68, 0.64, 0.37, 0.30, 0.72, 0.25)
_C = (0.00, 1.00, 0.93, 0.91, 0.78, 0.83, 0.78, 0.95, 1.00, 0.87)
_D = tuple((a + b) / 2 for a, b in zip(_A, _B, strict=True))
EXAMPLE_3: Mapping[str, Sample] = MappingProxyType(
    {
        name: Sample((1, 1, 1, 1, 0, 0, 0, 0, 0, 0), scores)
        for name, scores in zip("abcd", (_A, _B, _C, _D), strict=True)
    }
)

# A model that knows nothing: at every evenly spaced score one row of each class.
RANDOM = Sample((0, 1) * 1001, tuple(i // 2 / 1000 for i in range(2002)))
# The better of the two trivial rules, as a model: one score for everybody.
BASELINES = Sample((0, 1), (0.5, 0.5))

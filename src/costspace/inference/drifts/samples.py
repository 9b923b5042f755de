"""A sample of scores, known or binned, and what its numbers and their errors lie between."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

from costspace.arrays import FrozenValue
from costspace.errors import CostspaceError, SourceError, brief
from costspace.inference.calibration import CalibrationTest, calibration_test
from costspace.inference.class_means import means_in
from costspace.inference.interval import Ends
from costspace.inference.standard_error import standard_error
from costspace.inference.statistic import Statistic
from costspace.inference.trials import trials_of_table
from costspace.metrics.bounded import outward
from costspace.scores.binned import BinnedScores
from costspace.scores.counts import ScoreCounts
from costspace.scores.ranking import Ranking
from costspace.scores.sample import ClassSample
from costspace.scores.table import ScoreTable


@final
@dataclass(frozen=True)
class Measured:
    """What a statistic of a sample and its bias lie between, and its standard error.

    Attributes
    ----------
    values, biases : tuple of two floats
    error : float
    means : bool
        Whether it errs as a sum of class means.
    """

    values: Ends
    biases: Ends
    error: float
    means: bool

    @property
    def middle(self) -> float:
        return sum(self.values) / 2

    @property
    def bias(self) -> float:
        return sum(self.biases) / 2

    @property
    def corrected(self) -> Ends:
        """What the statistic less its bias lies between."""
        return self.values[0] - self.biases[1], self.values[1] - self.biases[0]


@final
@dataclass(frozen=True, eq=False)
class Sample(FrozenValue):
    """The scores of one sample.

    Attributes
    ----------
    which : str
        What messages call it.
    ends : tuple of ScoreTable
        The best and the worst that the scores can be; one table if they are known.
    """

    which: str
    ends: tuple[ScoreTable, ...]

    @property
    def rows(self) -> int:
        return self.ends[0].negatives.rows + self.ends[0].positives.rows

    @property
    def by_share(self) -> "Sample":
        """The sample with the prevalence of its rows."""
        return replace(self, ends=tuple(ScoreTable(table.ranking) for table in self.ends))

    def of_class(self, name: str) -> list[ClassSample]:
        """The scores of a class, as low and as high as they can be."""
        return [getattr(table, name) for table in self.ends]

    @property
    def trials(self) -> float:
        """How many independent rows of equal weight the smaller class amounts to."""
        return min(trials_of_table(self.ends[0]))

    def measured(self, statistic: Statistic, design: str) -> Measured:
        """The statistic, with what its error is made of."""
        values = [statistic.value(table) for table in self.ends]
        errors, biases, means = [], [], []
        for table in self._known:
            value, influence = statistic.value(table), statistic.influence(table)
            biases.append(statistic.bias_on(table, value, "sampling", 1.0))
            errors.append(standard_error(influence, table, design=design))
            means.append(means_in(influence) is not None)
        known = len(self.ends) == 1
        ends = (values[0], values[0]) if known else outward(min(values), max(values))
        return Measured(ends, (min(biases), max(biases)), max(errors), all(means))

    @cached_property
    def _known(self) -> list[ScoreTable]:
        """The ends as scores that are known, so that influences are of mean 0."""
        if len(self.ends) == 1:
            return list(self.ends)
        return [ScoreTable(Ranking(t.negatives, t.positives), t.override) for t in self.ends]

    def calibration(self, notes: dict[str, str]) -> CalibrationTest | None:
        """The test of calibration, or a note on why there is none."""
        try:
            if len(self.ends) > 1:
                raise SourceError("a test of calibration needs the scores, and these are binned.")
            return calibration_test(self.by_share.ends[0])
        except CostspaceError as error:
            notes[f"calibration_test.{self.which}"] = str(error)
            return None


def sample_of(source: object, which: str, prevalence: float | None = None) -> Sample:
    """A sample of scores that are counted or binned, or an error that says which it was."""
    try:
        if isinstance(source, BinnedScores):
            ends: tuple[ScoreTable, ...] = (source.best, source.worst)
        elif isinstance(source, ScoreCounts):
            ends = (source.table(),)
        elif isinstance(source, ScoreTable):
            ends = (source,)
        else:
            raise SourceError(
                f"drift needs a ScoreTable, ScoreCounts or BinnedScores, got {brief(source)}."
            )
    except CostspaceError as error:
        raise type(error)(f"{which}: {error}") from None
    if prevalence is not None:
        ends = tuple(table.with_prevalence(prevalence) for table in ends)
    return Sample(which, ends)

"""A model's scores, counted by row and weighed by what each row costs."""

from dataclasses import dataclass
from typing import final

from costspace.choices import Fitted, ThresholdChoice
from costspace.choices.base import check_choice
from costspace.curve import OperatingPath, SmoothPath
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable


@final
@dataclass(frozen=True, eq=False)
class CostedScores:
    """One model's scores, by rows and weighted by their costs.

    Without costs of their own for each case both are the same table.

    Attributes
    ----------
    rows : ScoreTable
        Every row counts by its weight: what shares flagged, precision and rates are shares of.
    costs : ScoreTable
        Every row weighs what a mistake on it costs: what losses are of. Its prevalence is that
        of the rows.

    Notes
    -----
    Fawcett (2006), ROC graphs with instance-varying costs, Pattern Recognition Letters 27.

    Examples
    --------
    >>> import costspace as cs
    >>> costs = cs.CaseCosts(fp_cost=[1, 3, 2], fn_cost=10)
    >>> y, s = [0, 0, 1], {"model": [0.2, 0.7, 0.4]}
    >>> rows = cs.ScoredRows.from_predictions(y, s, case_costs=costs)
    >>> scores = CostedScores.from_rows(rows, "model")
    >>> scores.rows.by_score.at(0.5).fpr, scores.costs.by_score.at(0.5).fpr
    (array(0.5), array(0.75))
    """

    rows: ScoreTable
    costs: ScoreTable

    @classmethod
    def same(cls, table: ScoreTable) -> "CostedScores":
        """Rows that all cost the same."""
        return cls(table, table)

    @classmethod
    def from_rows(cls, rows: ScoredRows, model: str, *, counts: bool = False) -> "CostedScores":
        """Sort the scores of one model of validated rows, by what each row costs if that is known.

        With `counts`, a weight is how many rows a row stands for.

        Raises
        ------
        ScoreError
            If the rows have no scores of that model.
        WeightError
            If one class has no share that floats can tell from 0.
        """
        table = ScoreTable.from_rows(rows, model, counts=counts)
        if rows.costs is None:
            return cls.same(table)
        costs = ScoreTable.from_rows(rows.weighed_by_cost(), model)
        return cls(table, costs.with_prevalence(table.prevalence))

    @property
    def prevalence(self) -> float:
        """Share of positives among the rows."""
        return self.rows.prevalence

    def with_prevalence(self, prevalence: float) -> "CostedScores":
        """The same scores with the classes reweighted."""
        rows = self.rows.with_prevalence(prevalence)
        if self.costs is self.rows:
            return CostedScores.same(rows)
        return CostedScores(rows, self.costs.with_prevalence(prevalence))

    def path(self, choice: ThresholdChoice) -> OperatingPath | SmoothPath:
        """The path of a choice in rates of cost: the optimal one looks at costs, others at rows."""
        on = self.looked_at(choice)
        return (choice if on is self.costs else Fitted(choice, on)).path(self.costs)

    def looked_at(self, choice: ThresholdChoice) -> ScoreTable:
        """The table that a choice sets its thresholds by."""
        return self.costs if check_choice(choice).least_loss else self.rows

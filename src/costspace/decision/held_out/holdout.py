"""Rows to choose thresholds on, and rows to apply them to.

On the rows that it chose its thresholds on, the optimal choice beats every other. Which method
to use shows on other rows only.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Mapping
from functools import cached_property
from typing import Any

from costspace.arrays import FloatArray
from costspace.decision.held_out.judged_rows import JudgedRows
from costspace.decision.held_out.scores import HeldOutScores
from costspace.decision.money.costed import CostedScores
from costspace.samples.rows import ScoredRows
from costspace.scores.table import ScoreTable

FOLDS = 5


class HeldOut(ABC):
    """Rows to choose thresholds on, and rows to apply them to.

    Attributes
    ----------
    rows : ScoredRows
        Every threshold is chosen on these, or on those outside one fold of them.
    validation : ScoredRows or None
        What thresholds chosen on all rows are applied to; None for cross-validation.
    weights : {"sampling", "counts"} or None
        What a weight of the rows is; None if that is for whoever decides on them to say.
    """

    rows: ScoredRows
    validation: ScoredRows | None
    weights: str | None = None

    @property
    @abstractmethod
    def models(self) -> Collection[str]:
        """The names of those that have scores."""

    @abstractmethod
    def __str__(self) -> str:
        """What thresholds are applied to."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.rows!r}, {self})"

    @property
    @abstractmethod
    def judged(self) -> JudgedRows:
        """The rows that thresholds are applied to, one by one."""

    @abstractmethod
    def counted(self, cuts: Mapping[str, FloatArray]) -> JudgedRows | None:
        """Those rows, counted by class, part and where their scores are between thresholds.

        Parameters
        ----------
        cuts : mapping of str to array
            Thresholds of each model, ascending.

        Returns
        -------
        JudgedRows or None
            None if there is nothing to gain.
        """

    @property
    @abstractmethod
    def once(self) -> "HeldOut":
        """The same with rows cut into folds one time."""

    @abstractmethod
    def forgone(self, negative_stake: float, positive_stake: float) -> float:
        """What thresholds between other scores may save beside those that there are to choose from.

        Parameters
        ----------
        negative_stake, positive_stake : float
            What it costs to flag all negatives, and to miss all positives.
        """

    def whole(self, model: str) -> CostedScores:
        """The scores of one model of all rows that thresholds are chosen on.

        Raises
        ------
        ScoreError
            If there are no scores of that model.
        """
        found: CostedScores = self._once("whole", model, self._whole)
        return found

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
        found: HeldOutScores = self._once("of", model, self._split)
        return found

    def judged_table(self, model: str) -> ScoreTable:
        """All held-out rows by the scores of a model."""
        found: ScoreTable = self._once("judged_table", model, self._judged_table)
        return found

    @abstractmethod
    def _whole(self, model: str) -> CostedScores: ...

    @abstractmethod
    def _split(self, model: str) -> HeldOutScores: ...

    @abstractmethod
    def _judged_table(self, model: str) -> ScoreTable: ...

    def _once(self, what: str, model: str, found: Callable[[str], Any]) -> Any:
        """What is found of a model, which is found one time."""
        known = self._known
        key = f"{what} {model}"
        if key not in known:
            known[key] = found(model)
        return known[key]

    @cached_property
    def _known(self) -> dict[str, Any]:
        return {}

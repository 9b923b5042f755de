"""The results of a comparison of two samples of a model's scores."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.estimates.calibration import CalibrationTest
from costspace.estimates.differences import Compared, plain
from costspace.estimates.multiplicity import adjustment
from costspace.estimates.quantities import LARGE, PREVALENCE
from costspace.metrics.reported import LARGER_IS_BETTER
from costspace.notebook import html_table
from costspace.watching.change import Change
from costspace.watching.score_shifts import ScoreShift

if TYPE_CHECKING:
    from costspace.watching.changes_by_segment import ChangesBySegment
    from costspace.watching.kept_by_segment import KeptBySegment
    from costspace.watching.money_drift import MoneyDrift

CHANGED = "changed"


@final
@dataclass(frozen=True, repr=False)
class Drift(FrozenValue, Compared):
    """The differences between two samples of a model's scores, with intervals and p-values.

    Attributes
    ----------
    changes : tuple of Change
        One a quantity, in the order of the request.
    shifts : tuple of ScoreShift
        Of the negatives and of the positives.
    calibration_before, calibration_after : CalibrationTest or None
        Test of whether the scores of each sample are calibrated probabilities; None where it has
        no meaning.
    level : float in (0, 1)
        Confidence level of each interval.
    correction : {"holm", "bonferroni"} or None
        How p-values were adjusted for the number of changes and shifts.
    n_before, n_after : int
        Number of rows of each sample.
    notes : mapping of str to str
        Why something is missing, by its name; what scores look like, by "scores.before" or
        "scores.after", and why probability thresholds do not suit them, by "thresholds.before" or
        "thresholds.after".
    note : str or None
        How such intervals do in simulations if few rows decide, by the sample in which the fewest
        do; None if coverage is near the level.
    money : MoneyDrift or None
        What keeping the rule costs, if costs or a decision are given.
    segments : KeptBySegment, ChangesBySegment or None
        What that costs in each segment, or without costs what has changed there, if there are any.

    Examples
    --------
    >>> import costspace as cs
    >>> before = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> after = cs.ScoreTable.from_predictions([0, 0, 0, 1, 1], [0.1, 0.6, 0.7, 0.4, 0.9])
    >>> found = cs.drift(before, after)
    >>> found.columns()["difference"][:2].round(4)
    array([-0.1 , 0.14])
    >>> found.reading()
    'No evidence of a change: not of the share of positives, nor of the scores of either class.'
    """

    changes: tuple[Change, ...]
    shifts: tuple[ScoreShift, ...]
    calibration_before: CalibrationTest | None
    calibration_after: CalibrationTest | None
    level: float
    correction: str | None
    n_before: int
    n_after: int
    notes: Mapping[str, str]
    note: str | None = None
    money: MoneyDrift | None = None
    segments: KeptBySegment | ChangesBySegment | None = None

    def became(self, one: Change) -> str | None:
        """Whether a change is "better", "worse" or neither, "changed"; None if it is not clear.

        A smaller loss is better, and a mean score that is nearer to the prevalence, if it is shown
        to be. The prevalence is neither.
        """
        if not self.is_clear(one):
            return None
        if one.quantity == PREVALENCE:
            return CHANGED
        rise = one.difference
        if one.quantity == LARGE:
            # What is further from 0 is told by the sum, which is as sure as the difference.
            total = one.before + one.after
            if abs(total) <= (one.high - one.low) / 2:
                return CHANGED
            rise *= total
        return "better" if (rise > 0) == (one.quantity in LARGER_IS_BETTER) else "worse"

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a change, every attribute by its name, the bounds as two."""
        columns: dict[str, NDArray[Any]] = {}
        for name in Change.__dataclass_fields__:
            values = np.array([getattr(one, name) for one in self.changes])
            if name == "bounds":
                columns["bound_low"], columns["bound_high"] = values.reshape(-1, 2).T
            else:
                columns[name] = values
        return columns

    def shift_columns(self) -> dict[str, NDArray[Any]]:
        """One row a class: how far its scores have moved."""
        low, high = np.array([one.bounds for one in self.shifts]).T
        names = ("rows", "distance", "p", "p_adjusted")
        columns = {name: np.array([getattr(one, name) for one in self.shifts]) for name in names}
        return {**columns, "bound_low": low, "bound_high": high}

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and numbers, ready for JSON."""
        tests = {"before": self.calibration_before, "after": self.calibration_after}
        return {
            "changes": [{**plain(one), "became": self.became(one)} for one in self.changes],
            "shifts": [plain(one) for one in self.shifts],
            "calibration_test": {
                name: None if test is None else _test(test) for name, test in tests.items()
            },
            "notes": self.all_notes(),
            **({} if self.money is None else {"money": self.money.to_dict()}),
            **({} if self.segments is None else self.segments.to_dict()),
        }

    def reading(self) -> str:
        """One line on what kind of change there is evidence of, at the confidence level."""
        share = any(one.quantity == PREVALENCE and self.is_clear(one) for one in self.changes)
        moved = [one.rows for one in self.shifts if self.is_clear(one)]
        if moved:
            of = f"The distribution of the scores of the {' and of the '.join(moved)} has changed:"
            more = " The share of positives has changed too." if share else ""
            return f"{of} the model sees other cases, or their outcomes have changed.{more}"
        if share:
            return (
                "The share of positives has changed, and there is no evidence that the scores of "
                "either class have: thresholds may need to move, the model need not."
            )
        known = any(one.quantity == PREVALENCE for one in self.changes)
        what = "not of the share of positives, nor" if known else "not"
        return f"No evidence of a change: {what} of the scores of either class."

    def summary(self) -> str:
        """One line on what is shown."""
        return (
            f"{100 * self.level:g} % intervals of after minus before, n {self.n_before} and "
            f"{self.n_after}, {adjustment(self.correction)}"
        )

    def __repr__(self) -> str:
        width = max([len(one.quantity) for one in self.changes] + [9])
        lines = [self.summary(), f"{'':{width}}      before      after difference  interval"]
        lines += [
            f"{one.quantity:{width}}  {one.before:10.6f} {one.after:10.6f} {one.difference:10.6f}  "
            f"{one.low:.6f} to {one.high:.6f}  p {one.p_adjusted:.3g}"
            for one in self.changes
        ]
        lines += [
            f"{one.rows:{width}}  scores apart by {one.distance:.6f}  p {one.p_adjusted:.3g}"
            for one in self.shifts
        ]
        return "\n".join([*lines, *self._told()])

    def _told(self) -> list[str]:
        """What there is to say, what money says first."""
        money = [] if self.money is None else [self.money.text]
        return [*money, self.reading(), *self.remarks()]

    def _repr_html_(self) -> str:
        rows = [
            [
                one.quantity,
                *(f"{x:.6f}" for x in (one.before, one.after, one.difference)),
                f"{one.low:.6f} to {one.high:.6f}",
                f"{one.p_adjusted:.3g}",
            ]
            for one in self.changes
        ]
        rows += [
            [
                f"scores of {one.rows} apart by",
                "",
                "",
                f"{one.distance:.6f}",
                "",
                f"{one.p_adjusted:.3g}",
            ]
            for one in self.shifts
        ]
        head = ["", "before", "after", "difference", "interval", "p"]
        return html_table(head, rows, caption=self.summary(), notes=self._told())


def _test(test: CalibrationTest) -> dict[str, Any]:
    """A test; an infinite statistic is null, since JSON has no infinity."""
    found = asdict(test)
    return {**found, "statistic": test.statistic if np.isfinite(test.statistic) else None}

"""What rows without labels say of prevalence and money, beside labelled ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.decision.words import estimate_shown, listed, p_shown
from costspace.deferral import deferred_calls
from costspace.notebook import html_table
from costspace.watching.mixture_test import MixtureTest
from costspace.watching.unlabelled_prevalence import (
    ASSUMED,
    CALIBRATION,
    LABEL_SHIFT,
    UnlabelledPrevalence,
)

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.watching.labels_came import LabelsCame, labels_came
    from costspace.watching.two_samples import Scores
    from costspace.watching.unlabelled_cells import UnlabelledCells
    from costspace.watching.unlabelled_money import UnlabelledMoney


@final
@dataclass(frozen=True)
class AssumptionGap:
    """How far apart the prevalences are that two assumptions give.

    Attributes
    ----------
    difference : float
        That of label shift minus that of calibration.
    standard_error, low, high : float
        Of the difference; the errors that both share are in it once.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> n = np.arange(400)
    >>> y = (n % 7 < 2).astype(int)
    >>> s = n % 80 / 80 + y / 2
    >>> before = cs.ScoreTable.from_predictions(y, s)
    >>> round(cs.watching.drift_unlabelled(before, s).gap.difference, 3)
    0.0
    """

    difference: float
    standard_error: float
    low: float
    high: float


@final
@dataclass(frozen=True, repr=False)
class UnlabelledDrift(FrozenValue):
    """Prevalence and money of rows without labels, each under two assumptions.

    Attributes
    ----------
    before : float in (0, 1)
        The prevalence of the labelled rows.
    label_shift : UnlabelledPrevalence
        If scores within a class are as they were: the one of largest likelihood.
    moments : UnlabelledPrevalence or None
        If so, the one at which the mean rank of the scores is right; None if both classes have the
        same mean rank.
    calibration : UnlabelledPrevalence
        If the probability at a score is as it was.
    gap : AssumptionGap
        How far those of label shift and of calibration are apart.
    test : MixtureTest
        Of whether the new scores can be a mixture of those of both classes.
    money : tuple of UnlabelledMoney
        What the rule in use costs under label shift and under calibration; empty unless costs or a
        decision are given.
    level : float in (0, 1)
        Confidence level of each interval.
    n_before, n_after : int
        Number of labelled and of new rows.
    notes : mapping of str to str
        What to know of the scores, by its name.
    cells : object
        The counts that all of it was found in.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> n = np.arange(400)
    >>> y = (n % 7 < 2).astype(int)
    >>> s = n % 80 / 80 + y / 2
    >>> before = cs.ScoreTable.from_predictions(y, s)
    >>> found = cs.watching.drift_unlabelled(before, s[s > 0.3])
    >>> round(found.before, 3), round(found.label_shift.estimate, 3)
    (0.287, 0.514)
    """

    before: float
    label_shift: UnlabelledPrevalence
    moments: UnlabelledPrevalence | None
    calibration: UnlabelledPrevalence
    gap: AssumptionGap
    test: MixtureTest
    money: tuple[UnlabelledMoney, ...]
    level: float
    n_before: int
    n_after: int
    notes: Mapping[str, str]
    cells: UnlabelledCells = field(compare=False)

    @property
    def prevalences(self) -> tuple[UnlabelledPrevalence, ...]:
        """All that there are, in the order of their names above."""
        every = (self.label_shift, self.moments, self.calibration)
        return tuple(one for one in every if one is not None)

    @property
    def shift_refused(self) -> bool:
        """Whether the new scores are shown to be no mixture, so that label shift does not hold."""
        return self.test.p < 1 - self.level

    def labelled(self, after: Scores) -> LabelsCame:
        """How far each estimate was off, now that there are labels of the new rows.

        Parameters
        ----------
        after : ScoreTable, ScoreCounts or ScoredRows
            The same rows with the same scores, and the labels of all of them: a row whose label is
            late is no negative.

        Returns
        -------
        LabelsCame

        Raises
        ------
        SourceError
            If these are others, or not all rows.
        """
        return labels_came(self.cells, self.level, after)

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a prevalence, every attribute by its name."""
        names = UnlabelledPrevalence.__dataclass_fields__
        return {name: np.array([getattr(one, name) for one in self.prevalences]) for name in names}

    def to_dict(self) -> dict[str, Any]:
        """Plain dictionaries and numbers, ready for JSON."""
        return {
            "text": self.reading(),
            "before": self.before,
            "prevalence": {one.method: _plain(one) for one in self.prevalences},
            "gap": asdict(self.gap),
            "test": {**asdict(self.test), "refused": self.shift_refused},
            "money": {one.assumption: one.to_dict() for one in self.money} or None,
            "level": self.level,
            "rows": {"before": self.n_before, "after": self.n_after},
            "notes": dict(self.notes),
        }

    def reading(self) -> str:
        """What to make of it, in a few sentences."""
        return " ".join(self.sentences())

    def sentences(self) -> Iterator[str]:
        """The same, sentence by sentence."""
        shift, calibration = (_shown(one) for one in (self.label_shift, self.calibration))
        level = f"{100 * self.level:g} % interval "
        if self.shift_refused:
            yield (
                "Scores within a class have changed: the new ones are no mixture of those of both "
                f"classes (p {p_shown(self.test.p)}). Prevalence was {self.before:.4g}, and is "
                f"{calibration[0]} ({level}{calibration[1]}) if {ASSUMED[CALIBRATION]}."
            )
        else:
            yield (
                f"Prevalence was {self.before:.4g}, and is {shift[0]} ({level}{shift[1]}) if "
                f"{ASSUMED[LABEL_SHIFT]}, which these scores do not speak against, or "
                f"{calibration[0]} ({calibration[1]}) if {ASSUMED[CALIBRATION]}."
            )
        if self.money:
            yield self._verdict()

    def _verdict(self) -> str:
        """What to do with the rule, under the assumptions that are not refused."""
        stand = [one for one in self.money if not self.shift_refused or one is self.money[-1]]
        needed = [one for one in stand if one.needed]
        rule = stand[0].rule
        if not needed:
            either = " under either assumption" if len(stand) > 1 else ""
            return f"Keep the rule ({rule}): no other is shown to cost less{either}."
        told = listed([one.told for one in needed])
        only = ""
        if len(needed) < len(stand):
            only = f" if {ASSUMED[needed[0].assumption]}, which labels will tell"
        return f"Set the rule ({rule}) anew{only}: {told}."

    def remarks(self) -> list[str]:
        """What else to know, a sentence each."""
        told = [*self.notes.values()]
        if self.test.degrees == 0:
            told.append(
                "Too few labelled rows of a class, or scores, for a test of whether scores within "
                "a class have changed."
            )
        return told

    def summary(self) -> str:
        """One line on what is shown."""
        return (
            f"prevalence of {self.n_after} rows without labels, beside {self.n_before} with, "
            f"{100 * self.level:g} % intervals"
        )

    def rows(self) -> list[list[str]]:
        """What tables have: a name, an estimate and its interval."""
        found = [[f"prevalence, {_words(one.method)}", *_shown(one)] for one in self.prevalences]
        found.append(["gap", *_ends(self.gap.difference, self.gap.low, self.gap.high)])
        for one in self.money:
            of = f", {_words(one.assumption)}"
            found.append([f"cost per 1,000{of}", *_ends(one.cost, one.low, one.high)])
            if one.best != one.rule:
                saved = (one.saving, one.saving_low, one.saving_high)
                found.append([f"saved by another rule{of}", *_ends(*saved)])
        return found

    def __repr__(self) -> str:
        rows = self.rows()
        width = max(len(one[0]) for one in rows)
        lines = [f"{name:{width}}  {value:>10}  {ends}" for name, value, ends in rows]
        tested = f"{'mixture of the classes':{width}}  p {p_shown(self.test.p)}"
        return "\n".join([self.summary(), *lines, tested, self.reading(), *self.remarks()])

    def _repr_html_(self) -> str:
        rows = [*self.rows(), ["mixture of the classes", f"p {p_shown(self.test.p)}", ""]]
        notes = [self.reading(), *self.remarks()]
        return html_table(["", "", "interval"], rows, caption=self.summary(), notes=notes)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _plain(one: UnlabelledPrevalence) -> dict[str, Any]:
    found = asdict(one)
    return {"value": found.pop("estimate"), **found, "assumed": ASSUMED[one.method]}


def _shown(one: UnlabelledPrevalence) -> tuple[str, str]:
    return _ends(one.estimate, one.low, one.high)


def _ends(value: float, low: float, high: float) -> tuple[str, str]:
    return estimate_shown(value, low, high)

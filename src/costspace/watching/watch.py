"""The state of a watch: what was fixed before the first look, and what has been counted since."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import FrozenValue, IndexArray
from costspace.decision.applying.acting import acted
from costspace.decision.applying.applied_how import Asked
from costspace.decision.applying.deployed import DeployedRules
from costspace.deployment.actions import FLAG
from costspace.deployment.conditions import COSTS
from costspace.errors import ConditionError, LabelError, SourceError, brief
from costspace.samples.case_costs import CaseCosts
from costspace.samples.labels import positive_rows
from costspace.samples.rows import NamedScores
from costspace.samples.vectors import missing_rows, vector
from costspace.watching.case_cells import in_cells
from costspace.watching.joint_counts import UNLABELLED, JointCounts, joined
from costspace.watching.look import Look
from costspace.watching.looking import looked
from costspace.watching.terms import WatchTerms
from costspace.watching.waiting import WaitingRows, digests_of

_ISO = re.compile(r"\d{4}-\d{2}-\d{2}")


@final
@dataclass(frozen=True, eq=False, repr=False)
class Watch(FrozenValue):
    """A watch of what a rule costs: rows are added day by day, and it can be looked at any time.

    It is made by `begin_watch`, and never changed: adding rows gives another one.

    Attributes
    ----------
    terms : record
        What was fixed when it began.
    counts : record
        The rows so far: by day, class, and what each rule does.
    waiting : record
        Rows with an id whose label is not there, and labels whose row is not.
    added : tuple of str
        Digests of what has been added, so that nothing is added twice.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 1, 1] * 50, [0.1, 0.2, 0.3, 0.35, 0.4, 0.6, 0.8, 0.9] * 50
    >>> decision = cs.decide(y, {"model": s}, fp_cost=1, fn_cost=2)
    >>> watch = cs.begin_watch(decision, tolerance=200)
    >>> for day in ("2026-11-02", "2026-11-03"):
    ...     watch = watch.add(y, {"model": s}, day=day)
    >>> watch.look().verdict
    'fine'
    """

    terms: WatchTerms
    counts: JointCounts
    waiting: WaitingRows
    added: tuple[str, ...] = ()

    def __repr__(self) -> str:
        rows = f"{self.labelled:,} labelled rows, {self.unlabelled:,} without a label"
        return f"Watch({rows}, tolerance {self.terms.tolerance:g})"

    @property
    def labelled(self) -> int:
        """How many rows have a label."""
        return int(self.counts.rows[self.counts.positive != UNLABELLED].sum()) // self.terms.parts

    @property
    def unlabelled(self) -> int:
        """How many rows have none yet."""
        rows = int(self.counts.rows.sum()) // self.terms.parts
        return rows - self.labelled + len(self.waiting.row)

    def add(
        self,
        y_true: ArrayLike | None,
        scores: NamedScores,
        *,
        day: ArrayLike,
        ids: ArrayLike | None = None,
        pos_label: Any = None,
        case_costs: CaseCosts | None = None,
    ) -> Watch:
        """The same with more rows.

        Parameters
        ----------
        y_true : array of shape (n,), or None
            Labels; missing, or None, where a label is not there yet.
        scores : array of shape (n,), or mapping of such arrays by model
        day : date, or array of n dates
            The day of each row, as a date or its ISO text.
        ids : array of shape (n,), optional
            What each row is called, if its label comes later by `label`; each row has another.
            Rows without a label and without an id never get one. What is added twice counts twice
            unless it has ids: only files are known again.
        pos_label : label, optional
            As in `ScoreTable.from_predictions`.
        case_costs : CaseCosts, optional
            The costs of each case, of a watch that has a most that one may cost: all rows have
            labels then.

        Raises
        ------
        LabelError, ScoreError
            If labels or scores are invalid.
        SourceError
            If an id comes twice, or a day is no date.
        ConditionError
            If costs are of each case, and not given or beyond the bound; or they are not, and
            given.
        """
        self.terms.check_costs(given=case_costs is not None)
        actions = [
            acted(rules, scores, _seen(rules, case_costs), Asked(seed=None)).action
            for rules in self.terms.rules.values()
        ]
        n = len(actions[0])
        days = days_of(day)
        if days.shape not in ((), (n,)):
            raise SourceError(f"day must be one, or one for each of {n:,} rows, got {days.size:,}.")
        days = np.broadcast_to(days, (n,))
        positive = _classes(y_true, n, pos_label)
        late = positive == UNLABELLED
        if self.terms.most is not None and case_costs is not None:
            if late.any():
                raise ConditionError(
                    "rows with costs of their own are added with their labels: leave out those "
                    "that have none yet."
                )
            case_costs.check_rows(n)
            costs = [case_costs.of_flags(one == FLAG, positive == 1) for one in actions]
            rows, cells, parts = in_cells(costs, self.terms.most)
            return self.with_counts(JointCounts.of(days[rows], positive[rows], cells, parts))
        done = joined(actions)
        names = None if ids is None else digests_of(ids)
        if names is not None and len(names) != n:
            raise SourceError(f"ids must have a value for each of {n:,} rows, got {len(names):,}.")
        if names is None or not late.any():
            return self.with_counts(JointCounts.of(days, positive, done, 1))
        counts = JointCounts.of(days[~late], positive[~late], done[~late], 1)
        waiting = WaitingRows.of(row=names[late], day=days[late], acted=done[late])
        return self.with_counts(counts, waiting)

    def label(self, y_true: ArrayLike, ids: ArrayLike, *, pos_label: Any = None) -> Watch:
        """The same with labels of rows that were added, or will be, by the ids of these.

        Parameters
        ----------
        y_true, ids : arrays of shape (n,)
        pos_label : label, optional

        Raises
        ------
        LabelError, SourceError
            As `add`.
        """
        if self.terms.most is not None:
            raise ConditionError("rows with costs of their own are added with their labels.")
        names = digests_of(ids)
        positive = _classes(y_true, len(names), pos_label)
        if np.any(positive == UNLABELLED):
            raise SourceError("y_true has missing labels: leave out rows that have none yet.")
        return self.with_counts(JointCounts.none(), WaitingRows.of(label=names, positive=positive))

    def __add__(self, other: Watch) -> Watch:
        """What both have counted: parts of one watch, in any order.

        `SourceError` unless both have begun alike, and neither has what the other has.
        """
        if not isinstance(other, Watch):
            return NotImplemented
        if self.terms.to_dict() != other.terms.to_dict():
            raise SourceError(
                "both watches must have begun alike, with the same rules, costs, tolerance and "
                "level: begin one, and add to copies of it."
            )
        twice = {*self.added} & {*other.added}
        if twice:
            raise SourceError(f"{len(twice)} files are in both watches: add each once.")
        return self.with_counts(other.counts, other.waiting, other.added)

    def with_counts(
        self, counts: JointCounts, waiting: WaitingRows | None = None, added: Iterable[str] = ()
    ) -> Watch:
        """The same with more counts; labels are matched with the rows that waited for them."""
        labelled, left = JointCounts.none(), self.waiting
        if waiting is not None:
            labelled, left = (self.waiting + waiting).settled()
        return replace(
            self,
            counts=self.counts + counts + labelled,
            waiting=left,
            added=tuple(sorted({*self.added, *added})),
        )

    def look(self, *, complete_to: ArrayLike | None = None) -> Look:
        """What the rows so far say; it may be looked at as often as one likes.

        That holds if days are added in their order: rows of days before others change past looks.

        Parameters
        ----------
        complete_to : date, optional
            The last day whose labels are all there: rows up to it that have none never get one,
            and are left out. By default all days before the first with a row that has none.

        Returns
        -------
        Look
        """
        last = None if complete_to is None else days_of(complete_to)
        if last is not None and last.ndim:
            raise SourceError(f"complete_to must be one day, got {brief(complete_to)}.")
        return looked(
            self.terms,
            self.counts + self.waiting.counts,
            None if last is None else int(last),
        )


def days_of(day: ArrayLike) -> IndexArray:
    """Days since 1970-01-01, or `SourceError` unless each is a date or its ISO text.

    A time with a zone is none: its day depends on where one is.
    """
    found = np.array("NaT", dtype="datetime64[D]")
    given = np.asarray(day)
    if given.dtype.kind == "M" and np.datetime_data(given.dtype)[0] in ("Y", "M", "W"):
        given = given.astype(str)
    # NumPy takes numbers and other words for dates, too.
    values = given.ravel().tolist() if given.dtype.kind in "UO" else []
    texts = {one for one in values if isinstance(one, str)}
    zoned = any(getattr(one, "tzinfo", None) is not None for one in values)
    if given.dtype.kind in "UOM" and all(map(_ISO.fullmatch, texts)) and not zoned:
        with suppress(TypeError, ValueError):
            found = given.astype("datetime64[D]")
    if np.isnat(found).any():
        raise SourceError(f"a day must be a date, such as 2026-11-29, got {brief(day)}.")
    return np.asarray(found.astype(np.int64))


def _seen(rules: DeployedRules, case_costs: CaseCosts | None) -> dict[str, ArrayLike]:
    """What rules look at beside scores."""
    if case_costs is None or not rules.follows_costs:
        return {}
    return {name: getattr(case_costs, name) for name in COSTS}


def _classes(y_true: ArrayLike | None, n: int, pos_label: Any) -> IndexArray:
    """The class of each of n rows, `UNLABELLED` where its label is missing."""
    found = np.full(n, UNLABELLED, dtype=np.int64)
    if y_true is None:
        return found
    labels = vector(y_true, "y_true", LabelError)
    if len(labels) != n:
        raise LabelError(f"y_true must have a label for each of {n:,} rows, got {len(labels):,}.")
    there = ~missing_rows(labels)
    if there.any():
        found[there] = positive_rows(labels[there].tolist(), pos_label, both=False)
    return found

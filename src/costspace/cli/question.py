"""What commands ask of a file of predictions: a decision, on rows in folds or beside others."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, final

from costspace.cli.console import Step
from costspace.cli.decide_options import (
    Known,
    LimitOptions,
    parse_actions,
    parse_baseline,
    read_besides,
    told_of_model,
)
from costspace.cli.engines import CountedBy
from costspace.cli.options import AskedColumns, read
from costspace.deferral import deferred_calls
from costspace.errors import ConditionError
from costspace.frames.columns import Columns

if TYPE_CHECKING:
    from costspace.decision.evidence.money_by_segment import MoneyBySegment
    from costspace.decision.evidence.segments import RowsOfSegments
    from costspace.frames.files import SegmentedRows

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.cli.choice_names import choices_named
    from costspace.decision.asking import task_of
    from costspace.decision.deciding import decide_task
    from costspace.decision.decision import Decision
    from costspace.decision.held_out.counts import HeldOutCounts
    from costspace.decision.strategy import check_known
    from costspace.deployment.review import check_actions
    from costspace.estimates.interval import check_level
    from costspace.frames.folded import open_folded
    from costspace.frames.paths import files_of, first_bytes
    from costspace.frames.sizes import is_large
    from costspace.frames.unchanged import stamps_of
    from costspace.samples.rows import ScoredRows


@final
@dataclass(frozen=True, kw_only=True)
class Question:
    """A decision that is asked for, in the terms of `costspace decide`."""

    file: Path
    columns: AskedColumns
    known: Known
    limits: LimitOptions
    counted: CountedBy
    level: float
    choice: list[str] | None = None
    baseline: str | None = None
    actions: str | None = None
    randomise: bool = False
    validate: Path | None = None
    folds: int | None = None
    by: Sequence[str] = ()  # columns whose values divide the rows into segments

    def check(self) -> None:
        """`CostspaceError` if what is asked cannot be so, before a long file is read."""
        given = self.known.given()
        limits = self.limits.constraints()
        check_level(self.level)
        check_known(self.known.known)
        check_actions(parse_actions(self.actions), given.review)
        choices_named(self.choice or (), 0.5, limits)
        if self.folds is not None and self.validate is not None:
            raise ConditionError(
                "--folds divides the file, and --validate names another: give one."
            )
        if self.validate is not None:
            # Before the first file is read, it should be known that there is a second one.
            first_bytes(self.validate)
        self.check_predictions()

    def check_predictions(self) -> None:
        """The same if it is the predictions that cannot be had so."""
        if self.saved is None:
            self.counted.check(
                {
                    "--weight": self.read_columns.weight,
                    "--groups": self.read_columns.groups,
                    "--validate": self.validate,
                    "a column of costs": self.by_case,
                }
            )
        if self.by and self.counted.engine not in (None, "duckdb"):
            raise ConditionError(
                f"--by is counted by duckdb, not by {self.counted.engine}: leave out --engine."
            )

    @property
    def files(self) -> list[Path]:
        """The files that are read."""
        return [path for path in (self.file, self.validate) if path is not None]

    @contextmanager
    def decided(self, step: Step, what: str = "deciding") -> Iterator[Decision]:
        """The decision, while a large file stays open that what it is asked is counted in.

        What it is found for is told as progress.
        """
        with self.divided(step, what) as (decision, _):
            yield decision

    @contextmanager
    def divided(
        self, step: Step, what: str = "deciding"
    ) -> Iterator[tuple[Decision, MoneyBySegment | None]]:
        """The same, with what is stated in each segment if columns divide the rows."""
        from costspace.decision.held_out.counts import HeldOutCounts
        from costspace.decision.held_out.holdout import FOLDS

        given = self.known.given()
        # Batches, and held-out rows, are read after the rows.
        stamps = stamps_of(file for path in self.files for file in files_of(path))
        with self._read(step) as (found, in_segments):
            # Of counts one row of each class, which weighs as many.
            rows = found.rows if isinstance(found, HeldOutCounts) else found.worth_flagging
            limits = self.limits.read_constraints(self.file)
            validation, segments = None, in_segments
            if self.validate is not None:
                held_out = self._rows_of(self.validate, step)
                validation, segments = held_out.rows, held_out.segments_worth_flagging
            stamps.check()
            own = self.known.calibrated_to or rows.prevalence
            choices = choices_named(self.choice, own, limits) if self.choice else None
            task = task_of(
                found,
                given.conditions(rows if validation is None else validation),
                constraints=limits,
                validation=validation,
                known=check_known(self.known.known),
                choices=choices,
                baseline=parse_baseline(self.baseline),
                calibrated_to=self.known.calibrated_to,
                folds=self.folds or FOLDS,
                randomise=self.randomise,
                level=self.level,
                actions=parse_actions(self.actions),
            )
            decision = decide_task(task, path=str(self.file), progress=step(what, 1))
            choosing, stated = decision.choosing, decision.recommendation.stated
            by_segment = None
            if self.by and choosing is not None and stated is not None:
                # What few ask for is loaded where they do.
                from costspace.decision.evidence.segments import money_by_segment

                by_segment = money_by_segment(choosing, stated, self.by, segments)
            yield decision, by_segment

    @contextmanager
    def opened(self, step: Step) -> Iterator[ScoredRows | HeldOutCounts]:
        """The rows of the file, or their counts for as long as it is open."""
        with self._read(step) as (found, _):
            yield found

    @contextmanager
    def _read(self, step: Step) -> Iterator[tuple[ScoredRows | HeldOutCounts, RowsOfSegments]]:
        """The same, and the rows of each segment by the values of columns."""
        from costspace.decision.held_out.holdout import FOLDS

        with told_of_model(self.baseline):
            if self.saved is not None:
                yield self.saved, {}
            elif self._in_memory:
                read = self._rows_of(self.file, step)
                yield read.rows, read.segments_worth_flagging
            else:
                with open_folded(
                    self.file,
                    self.read_columns,
                    folds=self.folds or FOLDS,
                    engine=self.counted.engine or "duckdb",
                    number=self.counted.number,
                    by=self.by,
                    progress=step(f"reading {self.file.name}", 1),
                    counting=step("counting", 2),
                ) as source:
                    yield HeldOutCounts(source), source.judged_in_segments

    def _rows_of(self, file: Path, step: Step) -> SegmentedRows:
        """The rows of a file in memory; of two those are in segments that strategies meet last."""
        by = self.by if file == (self.validate or self.file) else ()
        return read(file, self.read_columns, step, self.by_case, by)

    @property
    def _in_memory(self) -> bool:
        if self.validate is not None or self.by_case is not None:
            return True
        return self.counted.engine is None and not is_large(self.file, self.read_columns)

    @property
    def models(self) -> Sequence[str]:
        """All that have scores, the decisions of the rule in use among them."""
        return self.read_columns.scores if self.saved is None else list(self.saved.models)

    @cached_property
    def read_columns(self) -> Columns:
        """The columns of a file that has rows, those of decisions among them."""
        baseline = parse_baseline(self.baseline)
        decisions = baseline if isinstance(baseline, str) else None
        others = [*(self.by_case or {}).values(), self.limits.batch, self.counted.number, decisions]
        named = [other for other in (*others, *self.by) if isinstance(other, str)]
        columns = self.columns.of_rows(self.file, named)
        return read_besides(columns, baseline, parse_actions(self.actions))

    @property
    def by_case(self) -> dict[str, str | float] | None:
        """Where the costs of each case are read from, if they have any."""
        return self.known.given().by_case if self.known.asked else None

    @cached_property
    def saved(self) -> HeldOutCounts | None:
        """What a saved table has of the models asked for; None if the file has rows."""
        if self.columns.label is not None:
            return None
        # Only saved tables need what reads them.
        from costspace.cli.saved_folds import models_in_folds

        return models_in_folds(
            self.file,
            self.columns.score,
            parse_baseline(self.baseline),
            self.folds,
            {
                **self.columns.of_rows_only(),
                "--engine": self.counted.engine,
                "--id": self.counted.number,
                "--validate": self.validate,
                "--batch": self.limits.batch,
                "a column of costs": self.by_case,
                "--by": self.by or None,
            },
        )

"""What commands ask of a file of predictions: a decision, on rows in folds or beside others."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, final

from costspace.cli.console import Step
from costspace.cli.decide_options import Known, LimitOptions, parse_baseline
from costspace.cli.engines import CountedBy
from costspace.cli.options import AskedColumns, read
from costspace.deferral import deferred_calls
from costspace.errors import ConditionError

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.cli.choice_names import choices_named
    from costspace.cli.predictions import AskedPredictions, rows_of
    from costspace.decision.asking import task_of
    from costspace.decision.deciding import decide_task
    from costspace.decision.decision import Decision
    from costspace.decision.strategy import check_known
    from costspace.frames.paths import first_bytes
    from costspace.inference.interval import check_level


@final
@dataclass(frozen=True, kw_only=True)
class Question:
    """A decision that is asked for.

    Attributes
    ----------
    file
        CSV with a header, or Parquet; or a saved table with folds.
    columns, known, limits, counted
        As commands are given them.
    choice, baseline, randomise, validate, folds, level
        As `costspace decide` has them.
    """

    file: Path
    columns: AskedColumns
    known: Known
    limits: LimitOptions
    counted: CountedBy
    level: float
    choice: list[str] | None = None
    baseline: str | None = None
    randomise: bool = False
    validate: Path | None = None
    folds: int | None = None

    def check(self) -> None:
        """`CostspaceError` if what is asked cannot be so, before a long file is read."""
        self.known.given()
        limits = self.limits.constraints()
        check_level(self.level)
        check_known(self.known.known)
        choices_named(self.choice or (), 0.5, limits)
        if self.folds is not None and self.validate is not None:
            raise ConditionError(
                "--folds divides the file, and --validate names another: give one."
            )
        if self.validate is not None:
            # Before the first file is read, it should be known that there is a second one.
            first_bytes(self.validate)
        self.predictions.check()

    @property
    def files(self) -> list[Path]:
        """The files that are read."""
        return [path for path in (self.file, self.validate) if path is not None]

    @contextmanager
    def decided(self, step: Step, what: str = "deciding") -> Iterator[Decision]:
        """The decision, while a large file stays open that what it is asked is counted in.

        What it is found for is told as progress.
        """
        from costspace.decision.held_out.holdout import FOLDS

        given, asked = self.known.given(), self.predictions
        with asked.opened(step) as predictions:
            rows, limits = rows_of(predictions), self.limits.read_constraints(self.file)
            validation = None
            if self.validate is not None:
                validation = read(self.validate, asked.read_columns, step, given.by_case)
            own = self.known.calibrated_to or rows.prevalence
            choices = choices_named(self.choice, own, limits) if self.choice else None
            task = task_of(
                predictions,
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
            )
            yield decide_task(task, path=str(self.file), progress=step(what, 1))

    @cached_property
    def predictions(self) -> AskedPredictions:
        """What is decided on."""
        return AskedPredictions(
            file=self.file,
            columns=self.columns,
            counted=self.counted,
            baseline=self.baseline,
            validate=self.validate,
            folds=self.folds,
            batch=self.limits.batch,
            by_case=self.known.given().by_case if self.known.asked else None,
        )

"""Predictions to decide on: in memory, read in parts if they are many, or a saved table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import final

from costspace.cli.console import Step
from costspace.cli.decide_options import parse_baseline, read_besides, told_of_model
from costspace.cli.engines import CountedBy
from costspace.cli.options import AskedColumns, read
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.held_out.holdout import FOLDS
from costspace.frames.columns import Columns
from costspace.frames.folded import open_folded
from costspace.frames.sizes import is_large
from costspace.scores.rows import ScoredRows


@final
@dataclass(frozen=True, kw_only=True)
class AskedPredictions:
    """Predictions that a command is to decide on.

    Attributes
    ----------
    file, columns, counted, baseline, validate, folds, batch
        As commands are given them.
    by_case : mapping or None
        Where the costs of each case are read from, if they have any.
    """

    file: Path
    columns: AskedColumns
    counted: CountedBy
    baseline: str | None = None
    validate: Path | None = None
    folds: int | None = None
    batch: str | None = None
    by_case: Mapping[str, str | float] | None = None

    def check(self) -> None:
        """`CostspaceError` if they cannot be had so, before a long file is read."""
        if self._saved is None:
            by_case, validate = self.by_case is not None, self.validate is not None
            self.counted.check(self.read_columns, by_case=by_case, validate=validate)

    @property
    def models(self) -> Sequence[str]:
        """All that have scores, the decisions of the rule in use among them."""
        return self.read_columns.scores if self._saved is None else list(self._saved.models)

    @cached_property
    def read_columns(self) -> Columns:
        """The columns of a file that has rows, those of decisions among them."""
        return read_besides(self.columns.of_rows(self.file), parse_baseline(self.baseline))

    @contextmanager
    def opened(self, step: Step) -> Iterator[ScoredRows | HeldOutCounts]:
        """The rows of the file, or their counts for as long as it is open."""
        with told_of_model(self.baseline):
            yield from self._opened(step)

    def _opened(self, step: Step) -> Iterator[ScoredRows | HeldOutCounts]:
        if self._saved is not None:
            yield self._saved
        elif self._in_memory:
            yield read(self.file, self.read_columns, step, self.by_case)
        else:
            with open_folded(
                self.file,
                self.read_columns,
                folds=self.folds or FOLDS,
                engine=self.counted.engine or "duckdb",
                number=self.counted.number,
                progress=step(f"reading {self.file.name}", 1),
                counting=step("counting", 2),
            ) as source:
                yield HeldOutCounts(source)

    @property
    def _in_memory(self) -> bool:
        if self.validate is not None or self.by_case is not None:
            return True
        return self.counted.engine is None and not is_large(self.file, self.read_columns)

    @cached_property
    def _saved(self) -> HeldOutCounts | None:
        """What a saved table has of the models asked for; None if the file has rows."""
        if self.columns.label is not None:
            return None
        # Only saved tables need what reads them.
        from costspace.cli.saved_folds import models_in_folds

        rows = {
            **self.columns.of_rows_only(),
            "--engine": self.counted.engine,
            "--id": self.counted.number,
            "--validate": self.validate,
            "--batch": self.batch,
            "a column of costs": self.by_case,
        }
        return models_in_folds(
            self.file,
            self.columns.score,
            baseline=parse_baseline(self.baseline),
            folds=self.folds,
            rows=rows,
        )


def rows_of(predictions: ScoredRows | HeldOutCounts) -> ScoredRows:
    """The rows, or one of each class that weighs as many."""
    return predictions.rows if isinstance(predictions, HeldOutCounts) else predictions

"""Rows of files added to a watch: counted by day, class and what each rule does, by DuckDB."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import numpy as np

from costspace.arrays import FrozenDict, Progress
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.sql_actions import action_in_sql
from costspace.deployment.actions import ACTIONS
from costspace.errors import (
    ConditionError,
    CostspaceError,
    FileError,
    LabelError,
    ScoreError,
    SourceError,
)
from costspace.frames.cells import is_positive, refuse_cells, text
from costspace.frames.complaints import complaining_of_rows
from costspace.frames.fingerprint import fingerprint_of
from costspace.frames.layout import identifier, quoted
from costspace.frames.numbers import NUMBERS, double, is_single, number, with_clear_numbers
from costspace.frames.paths import files_of
from costspace.frames.relation import Relation, arrays, open_relation
from costspace.frames.widened import FLOATS
from costspace.samples.case_costs import CaseCosts
from costspace.watching.joint_counts import UNLABELLED, JointCounts
from costspace.watching.waiting import WaitingRows
from costspace.watching.watch import Watch, days_of

_ROWS = "costspace_watched"
_LABEL, _ID = "a label", "an id"


@final
@dataclass(frozen=True, kw_only=True)
class WatchedColumns:
    """Which columns of a file hold what, for a watch.

    Attributes
    ----------
    label : str or None
        Labels, empty where they are not there yet.
    positive : str or None
        The label of the positive class.
    score : str or None
        Scores, of the one model that the rules look at, if they have another name than it.
    day : str or None
        The day of each row.
    date : str or None
        The day of all rows, instead, as ISO text.
    id : str or None
        What each row is called.
    costs : mapping of str to str
        Costs of each case, by the names of the arguments of `CaseCosts`.
    """

    label: str | None = None
    positive: str | None = None
    score: str | None = None
    day: str | None = None
    date: str | None = None
    id: str | None = None
    costs: Mapping[str, str] = field(default_factory=FrozenDict)


def add_files(
    watch: Watch,
    path: str | Path,
    columns: WatchedColumns,
    *,
    only_labels: bool = False,
    progress: Progress = lambda _: None,
) -> Watch:
    """A watch with the rows of CSV or Parquet files, or with labels of rows by their ids.

    Parameters
    ----------
    watch : Watch
    path : path
        A file, a glob of files or a folder, as in `read_rows`.
    columns : WatchedColumns
    only_labels : bool, default False
        Whether the rows have but labels and ids, of rows that are added by another file.
    progress : callable, optional
        Called with the share read, from 0 to 1.

    Raises
    ------
    FileError
        If a file or a column is missing, a cell cannot be read, or the files were added before.
    ConditionError, LabelError, ScoreError, SourceError
        As `Watch.add`.
    """
    path = Path(path)
    _check(columns, only_labels=only_labels)
    if not only_labels:
        watch.terms.check_costs(given=bool(columns.costs))
    elif watch.terms.most is not None:
        raise ConditionError("rows with costs of their own are added with their labels.")
    scores = {} if only_labels else _scores(watch, columns)
    named = (columns.label, columns.day, columns.id)
    wanted = [*scores.values(), *columns.costs.values()]
    wanted += [name for name in named if name is not None]
    digests = _digests_of(path, watch, only_labels=only_labels)
    with open_relation(path, wanted) as opened:
        file = with_clear_numbers(opened, list(scores.values()), columns.costs.values())
        with _telling_cells(file, list(scores.values()), list(columns.costs.values())):
            rules = [] if only_labels else list(watch.terms.rules.values())
            parts = _WatchedSql.of(rules, file, columns, scores)
            if only_labels:
                counts, waiting = JointCounts.none(), parts.labels(progress)
            elif columns.costs:
                return parts.costed(watch, progress).with_counts(JointCounts.none(), None, digests)
            else:
                counts, waiting = parts.counted(progress)
    # A file without rows is like any other, and may come again.
    has_rows = len(counts.rows) or len(waiting.row) or len(waiting.label)
    return watch.with_counts(counts, waiting, digests if has_rows else [])


def _digests_of(path: Path, watch: Watch, *, only_labels: bool) -> list[str]:
    """Digests of the files, or `FileError` if one has been added before."""
    found = []
    for file in files_of(path):
        digest = fingerprint_of(file, saved=True).digest + (" labels" if only_labels else "")
        if digest in watch.added or digest in found:
            raise FileError(
                f"{file} has been added already, by its contents: its rows would count twice. Name "
                "those that are new."
            )
        found.append(digest)
    return found


def _check(columns: WatchedColumns, *, only_labels: bool) -> None:
    """`ConditionError` unless columns are named as is needed."""
    if only_labels:
        if columns.label is None or columns.id is None:
            raise ConditionError("labels alone need --label and --id: they are matched by the id.")
        more = {"--day": columns.day, "--date": columns.date, "--score": columns.score}
        more |= {f"--{name.replace('_', '-')}-column": one for name, one in columns.costs.items()}
        beside = [name for name, one in more.items() if one is not None]
        if beside:
            raise ConditionError(
                f"labels alone have rows elsewhere: leave out {', '.join(beside)}."
            )
        return
    lacking = [name for name in ("fp_cost", "fn_cost") if name not in columns.costs]
    if columns.costs and lacking:
        option = f"--{lacking[0].replace('_', '-')}-column"
        raise ConditionError(f"{option} is missing beside the other costs: give it, too.")
    if columns.costs and columns.id is not None:
        raise ConditionError("rows with costs of their own are added with labels: leave out --id.")
    if (columns.day is None) == (columns.date is None):
        given = "are both given" if columns.day is not None else "are missing"
        raise ConditionError(
            f"--day and --date {given}: name the column of days, or say which day all rows are of."
        )
    if columns.label is None and columns.id is None:
        raise ConditionError(
            "--label is missing: which column holds the labels? Rows whose labels come later need "
            "--id, a column of what each row is called."
        )


def _scores(watch: Watch, columns: WatchedColumns) -> dict[str, str]:
    """The column of the scores of each model that the rules look at."""
    named = (rule.model for rule in watch.terms.rules.values())
    models = list(dict.fromkeys(model for model in named if model is not None))
    if columns.score is None or not models:
        return {model: model for model in models}
    if len(models) != 1:
        raise ConditionError(
            f"--score names one column, and the rules look at {len(models)} models: let the "
            "columns have their names."
        )
    return dict.fromkeys(models, columns.score)


@contextmanager
def _telling_cells(file: Relation, scores: list[str], costs: list[str]) -> Iterator[None]:
    """A context in which errors of cells name the file and the row."""
    try:
        with complaining_of_rows():
            yield
    except (FileError, LabelError, SourceError):
        raise
    except CostspaceError as error:
        refuse_cells(file, scores, None, costs)
        raise type(error)(f"{file.path}: {error}{file.numbering}") from None


@final
@dataclass(frozen=True, eq=False)
class _WatchedSql:
    """SQL for what a watch needs of each row of files."""

    file: Relation
    columns: WatchedColumns
    values: Mapping[str, str]  # SQL by the names of columns of `_ROWS`
    acted: str  # SQL on these for the number of what all rules do
    models: Sequence[str]  # whose scores are score0, score1, ...

    @classmethod
    def of(
        cls,
        rules: Sequence[DeployedRules],
        file: Relation,
        columns: WatchedColumns,
        scores: Mapping[str, str],
    ) -> _WatchedSql:
        values = {"positive": str(UNLABELLED)}
        if columns.label is not None:
            values["positive"] = _class_of(file, columns)
        if columns.id is not None:
            file.column(columns.id)
            values["id"] = _digest_of(file, columns.id)
        if columns.date is not None:
            values["day"] = str(int(days_of(columns.date)))
        if columns.day is not None:
            values["day"] = _day_of(file, columns.day)
        for i, name in enumerate(scores.values()):
            own = number(file, name).value if is_single(file, name) else double(file, name)
            values[f"score{i}"] = own
        values |= {name: double(file, own) for name, own in columns.costs.items()}
        here = {model: f"score{i}" for i, model in enumerate(scores)}
        parts = ["0"]
        for i, rule in enumerate([] if columns.costs else rules):
            score = None if rule.model is None else here[rule.model]
            action = action_in_sql(
                rule, "duckdb", score=score, given={}, missing=None, actions=None
            )
            numbers = " ".join(f"WHEN {quoted(one)} THEN {k}" for k, one in enumerate(ACTIONS))
            parts.append(f"{len(ACTIONS) ** i} * (CASE ({action}) {numbers} END)")
        return cls(file, columns, values, " + ".join(parts), list(scores))

    def counted(self, progress: Progress) -> tuple[JointCounts, WaitingRows]:
        """The rows counted, and those that wait for a label."""
        late = f"positive = {UNLABELLED}" if "id" in self.values else "FALSE"
        kinds = "day, positive, acted"
        found = self._rows(
            f"SELECT {kinds}, count(*) AS rows FROM {_ROWS} WHERE NOT ({late}) GROUP BY {kinds}",
            progress,
        )
        self._check_days(found["day"])
        self._check_acted(found["acted"], found["rows"])
        counts = JointCounts.of(*(found[name] for name in ("day", "positive", "acted", "rows")))
        if "id" not in self.values:
            return counts, WaitingRows.of()
        rows = self._rows(f"SELECT id, day, acted FROM {_ROWS} WHERE {late}", lambda _: None)
        self._check_days(rows["day"])
        self._check_ids(rows["id"])
        self._check_acted(rows["acted"], np.ones(len(rows["acted"])))
        return counts, WaitingRows.of(row=rows["id"], day=rows["day"], acted=rows["acted"])

    def costed(self, watch: Watch, progress: Progress) -> Watch:
        """The watch with the rows, batch by batch, where each has costs of its own."""
        scores = [name for name in self.values if name.startswith("score")]
        names = ["day", "positive", *scores, *self.columns.costs]
        with self.file.watched(progress):
            cells = ", ".join(f"{self.values[name]} AS {identifier(name)}" for name in names)
            found = self.file.connection.sql(f"SELECT {cells} FROM {self.file.sql}")
            for batch in arrays(found):
                self._check_days(np.ma.masked_invalid(batch["day"].astype(float)))
                late = batch["positive"] == UNLABELLED
                watch = watch.add(
                    np.where(late, np.nan, batch["positive"]),
                    dict(zip(self.models, (batch[name] for name in scores), strict=True)),
                    day=batch["day"].astype("int64").astype("datetime64[D]"),
                    case_costs=CaseCosts(**{name: batch[name] for name in self.columns.costs}),
                )
        return watch

    def labels(self, progress: Progress) -> WaitingRows:
        """Labels alone, by the ids of their rows."""
        found = self._rows(f"SELECT id, positive FROM {_ROWS}", progress)
        self._check_ids(found["id"])
        if np.any(found["positive"] == UNLABELLED):
            self._refuse(f"{text(self.file, str(self.columns.label))} IS NULL", _LABEL)
        return WaitingRows.of(label=found["id"], positive=found["positive"])

    def _rows(self, query: str, progress: Progress) -> dict[str, Any]:
        file = self.file
        cells = ", ".join(f"{sql} AS {name}" for name, sql in self.values.items())
        read = f"SELECT {cells} FROM {file.sql}"
        acted = "day" in self.values
        rows = f"SELECT *, {self.acted} AS acted FROM ({read})" if acted else read
        with file.watched(progress):
            return dict(file.connection.execute(f"WITH {_ROWS} AS ({rows}) {query}").fetchnumpy())

    def _check_acted(self, acted: Any, rows: Any) -> None:
        """`ScoreError` if no rule says what to do with some rows."""
        none = np.ma.getmaskarray(np.ma.asarray(acted))
        if none.any():
            raise ScoreError(
                f"{int(rows[none].sum()):,} rows have scores that the decision has no rule for"
            )

    def _check_days(self, days: Any) -> None:
        """`FileError` at the first row that has no date."""
        name = self.columns.day
        if name is None or not _has_none(days):
            return
        found = self.file.first(f"{self.values['day']} IS NULL", text(self.file, name))
        value = None if found is None else found.cells[0]
        came = "is empty" if value is None else f"has {value!r}"
        raise FileError(
            f"{self.file.path if found is None else found.place}: column {name!r} {came} where a "
            f"date is needed, such as 2026-11-29.{self.file.numbering}"
        )

    def _check_ids(self, ids: Any) -> None:
        if _has_none(ids):
            self._refuse(f"{text(self.file, str(self.columns.id))} IS NULL", _ID)

    def _refuse(self, bad: str, needed: str) -> None:
        """`FileError` at the first row that lacks something."""
        found = self.file.first(bad)
        place = self.file.path if found is None else found.place
        rows = 1 if found is None else found.rows
        more = f", the first of {rows:,} such rows" if rows > 1 else ""
        raise FileError(
            f"{place}: where {needed} is needed there is none{more}: fill it in or leave the row "
            f"out.{self.file.numbering}"
        )


def _digest_of(file: Relation, name: str) -> str:
    """SQL for the digest of an id: numbers by their value."""
    cell = f"regexp_replace({text(file, name)}, '^(-?[0-9]+)\\.0+$', '\\1')"
    return f"md5_number_lower({cell})"


def _has_none(values: Any) -> bool:
    """Whether a column of a query has NULL."""
    return bool(np.ma.getmaskarray(np.ma.asarray(values)).any())


def _class_of(file: Relation, columns: WatchedColumns) -> str:
    """SQL for the class of a row, `UNLABELLED` where its label is empty."""
    label = str(columns.label)
    column, kind = file.column(label).sql, file.column(label).kind
    cell = column if kind in NUMBERS or kind == "BOOLEAN" else text(file, label)
    empty = f"{cell} IS NULL"
    if kind in FLOATS:
        empty += f" OR isnan({cell})"
    elif cell != column:
        empty += f" OR lower({cell}) = 'nan'"
    filled = f"(SELECT {column} FROM {file.sql} WHERE NOT ({empty}))"
    if not file.rows(f"SELECT 1 FROM {filled} LIMIT 1"):
        return str(UNLABELLED)
    positive = is_positive(file, label, columns.positive, lambda _: None, source=filled, both=False)
    return f"CASE WHEN {empty} THEN {UNLABELLED} WHEN {positive} THEN 1 ELSE 0 END"


def _day_of(file: Relation, name: str) -> str:
    """SQL for the day of a row, since 1970-01-01; NULL where it is no date.

    Of a time in text the day is that which is written.
    """
    column = file.column(name)
    if column.kind.startswith("TIMESTAMP WITH"):
        raise SourceError(
            f"column {name!r} of {file.path} has times with a zone, whose day depends on where one "
            "is: write dates."
        )
    cell = text(file, name)
    written = f"regexp_full_match({cell}, '[0-9]{{4}}-[0-9]{{2}}-[0-9]{{2}}([ T].*)?')"
    day = f"CASE WHEN {written} THEN TRY_CAST(left({cell}, 10) AS DATE) END"
    if column.kind.startswith(("DATE", "TIMESTAMP")):
        day = f"CAST({column.sql} AS DATE)"
    return f"({day} - DATE '1970-01-01')"

"""A decision applied to the rows of files, which are written anew with the action of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, final

from costspace.arrays import Progress
from costspace.decision.applying.applied_how import Asked
from costspace.decision.applying.decided_on import DecidedOn
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.decision.decision import Decision
from costspace.decision.rules.actions import counts_shown
from costspace.deployment.conditions import COSTS
from costspace.errors import CostspaceError, FileError, warn_of
from costspace.frames.acting import ACTION, counted, with_actions
from costspace.frames.applying import Amount, rules_in, score_of
from costspace.frames.cells import refuse_cells, text
from costspace.frames.complaints import complaining_of_rows
from costspace.frames.dataframes import as_narwhals, nw
from costspace.frames.decided_on import LABEL, TRUTH
from costspace.frames.labels import plain
from costspace.frames.layout import identifier, quoted
from costspace.frames.numbers import (
    as_stored,
    columns_of,
    double,
    is_single,
    number,
    with_clear_numbers,
)
from costspace.frames.paths import check_name
from costspace.frames.queues import BATCH, SCORE
from costspace.frames.relation import Relation, open_relation
from costspace.frames.seen import SeenColumns
from costspace.frames.set_aside import ODD
from costspace.frames.whole import PLACE
from costspace.output import whole_file

_CSV, _PARQUET = "FORMAT csv, HEADER true", "FORMAT parquet, COMPRESSION zstd"
_FORMS = {".csv": _CSV, ".parquet": _PARQUET, ".pq": _PARQUET}
_VIEW = "costspace_applied"
# What the positive one of labels is called that nobody named.
_POSITIVE = ("1", "1.0", "true", "True", "TRUE")
_OR_MISSING = ", or say what to do with such rows (--missing)"
_AMOUNTS = (*COSTS, "prevalence")


@final
@dataclass(frozen=True, eq=False, repr=False)
class AppliedFiles:
    """How many rows of files have each action, as `AppliedFrame` has it."""

    counts: Mapping[str, int]
    tied: int | None
    note: str
    doubt: str
    missing: int
    not_worth: int

    def __repr__(self) -> str:
        return f"AppliedFiles({counts_shown(self.counts, self.tied)})"


def apply_to_files(
    decision: Decision | SavedDecision,
    path: str | Path,
    output: str | Path | None = None,
    *,
    score: str | None = None,
    amounts: Mapping[str, Amount] | None = None,
    column: str = "action",
    seed: int | None = None,
    batch: str | None = None,
    missing: str = "refuse",
    actions: Sequence[str] | None = None,
    strict: bool = False,
    progress: Progress = lambda _: None,
) -> AppliedFiles:
    """Write the rows of CSV or Parquet files anew, with a decision's action for each.

    Parameters
    ----------
    decision : Decision or SavedDecision
        Its recommendation is applied.
    path : path
        A file on this machine, a glob of files, or a folder, as in `read_rows`.
    output : path, optional
        The file to write, CSV or Parquet by the ending of its name. It is written whole or not at
        all, with the rows in their order. By default nothing is written.
    amounts : mapping of str to float or str, optional
        Costs and prevalence by the names of the arguments of `apply_decision`.
    score, column, seed, batch, missing, actions
        As there. By default all rows of all files are one queue.
    strict : bool, default False
        Whether scores that are not like those of the decision are an error, and not a warning.
    progress : callable, optional
        Called with the share read, from 0 to 1.

    Raises
    ------
    FileError
        If a file or a column is missing (near names are given), `column` exists already, a cell
        cannot be read (its file and row are given), or the output cannot be written.
        With `strict`, if scores are not like those of the decision.
    ConditionError, ScoreError
        As `Decision.apply`.
    """
    rules = rules_in(decision)
    asked = Asked(seed=seed, batch=batch, missing=missing, actions=actions)
    rules.called(asked)
    costs: dict[str, Amount] = {**dict.fromkeys(_AMOUNTS), **(amounts or {})}
    rules.check_needs(costs)
    rules.check_batch(batch)
    given = rules.completed(costs)
    if output is not None:
        form_of(Path(output))
    if rules.model is not None:
        score = score_of(rules.model, score)
    named = {name: one for name, one in given.items() if isinstance(one, str)}
    wanted = {**named, **({} if score is None else {SCORE: score})}
    batches = [] if batch is None else [batch]
    columns = [*wanted.values(), *batches]
    with open_relation(Path(path), columns, every=output is not None) as opened:
        _check_columns(opened, column)
        scores = [] if score is None else [score]
        file = with_clear_numbers(opened, scores, named.values())
        with _telling_cells(file, scores, list(named.values()), asked):
            read = as_narwhals(_opened(file, wanted, asked, rules.decided_on))
            with file.watched(lambda done: progress(done / 2)):
                found = with_actions(read, rules, SeenColumns(given, wanted), asked)
            _tell_doubt(file, rules, found.doubt, strict=strict)
            with file.watched(lambda _: None):
                counts = counted(_actions(file, found.rows))
            if output is not None:
                found.rows.to_native().create_view(_VIEW, replace=True)
                rows = _with_actions(file, wanted, form_of(Path(output)), column)
                _write(file, rows, Path(output), lambda done: progress((1 + done) / 2))
    remarks = (found.tied, found.note, found.doubt, found.missing, found.not_worth)
    return AppliedFiles(counts, *remarks)


def _actions(file: Relation, rows: nw.LazyFrame[Any]) -> nw.LazyFrame[Any]:
    """The actions alone, found before they are counted.

    Else DuckDB writes the condition of a row anew at each of the many steps of a rule, where that
    is made of text: a plan of megabytes.
    """
    found = rows.select(ACTION).to_native().sql_query()
    query = f"WITH acted AS MATERIALIZED ({found}) SELECT * FROM acted"
    return as_narwhals(file.connection.sql(query))


def _tell_doubt(file: Relation, rules: DeployedRules, doubt: str, *, strict: bool) -> None:
    if doubt and strict:
        raise FileError(f"{file.path}: {doubt}")
    if doubt:
        warn_of(f"{rules.what}: {doubt}")


def form_of(output: Path) -> str:
    """DuckDB's options to write a file of this name, or `FileError` if its ending is unknown."""
    check_name(output)
    form = _FORMS.get(output.suffix.casefold())
    if form is None:
        raise FileError(f"{output} has no known ending: let it end in {', '.join(_FORMS)}.")
    return form


def _check_columns(file: Relation, added: str) -> None:
    """`FileError` if two columns have the same name, or one has that of the column to be added."""
    for one in file.layout.columns:
        file.column(one.name)
        if one.name == added:
            raise FileError(
                f"{file.path} has a column {added!r} already: name another for the actions."
            )


def _opened(file: Relation, wanted: Mapping[str, str], asked: Asked, own: DecidedOn | None) -> Any:
    """The rows under plain names, with their positions and the numbers that the rule reads.

    There are labels beside them, if they have the column of those that the decision was made on.
    """
    cells = [f"{one.sql} AS column{i}" for i, one in enumerate(file.layout.columns)]
    for here, name in wanted.items():
        single = here == SCORE and is_single(file, name)
        value = number(file, name).value if single else double(file, name)
        cells.append(f"{value} AS {here}")
        if not asked.refuses:
            cell = number(file, name)
            odd = f"(({cell.none}) OR ({cell.beyond})) AND NOT ({cell.empty})"
            cells.append(f"CAST(COALESCE({odd}, FALSE) AS INTEGER) AS {here}{ODD}")
    cells += [] if asked.batch is None else [f"{text(file, asked.batch)} AS {BATCH}"]
    if own is not None and own.label in [one.name for one in file.layout.columns]:
        cells += _labels(file.column(own.label).sql, own.positive)
    with file.watched(lambda _: None):
        return file.connection.sql(
            f"SELECT row_number() OVER () - 1 AS {PLACE}, {', '.join(cells)} FROM {file.sql}"
        )


def _labels(column: str, positive: str | None) -> list[str]:
    """SQL for the label of a row, and whether that is positive; null where it is empty."""
    label = f"NULLIF(CAST({column} AS VARCHAR), '')"
    positives = _POSITIVE if positive is None else (positive, plain(positive))
    one_of = f"{label} IN ({', '.join(map(quoted, positives))})"
    return [f"{label} AS {LABEL}", f"CAST({one_of} AS DOUBLE) AS {TRUTH}"]


@contextmanager
def _telling_cells(
    file: Relation, scores: Sequence[str], costs: Sequence[str], asked: Asked
) -> Iterator[None]:
    """A context in which errors of cells name the file and the row."""
    try:
        with complaining_of_rows():
            yield
    except FileError:
        raise
    except CostspaceError as error:
        refuse_cells(
            *(file, scores, None, costs, asked.batch),
            named="a batch",
            filled=asked.refuses,
            if_missing=_OR_MISSING,
        )
        raise type(error)(f"{file.path}: {error}{file.numbering}") from None


def _with_actions(file: Relation, wanted: Mapping[str, str], form: str, added: str) -> str:
    """SQL for the columns of the file and the added one, as they are written in a form."""
    # Columns of CSV that the rule reads become numbers in Parquet; the others stay text.
    typed = file.layout.kind == "CSV" and form == _PARQUET
    read = columns_of(file, wanted.values()) if typed else ()
    cells = []
    for i, one in enumerate(file.layout.columns):
        here = replace(one, sql=f"column{i}")
        value = as_stored(file, here).value if one.name in read else here.sql
        # R and pandas give the names of rows no name, which no engine can write.
        cells.append(f"{value} AS {identifier(one.name or f'column{i}')}")
    cells.append(f"{ACTION} AS {identifier(added)}")
    return f"SELECT {', '.join(cells)} FROM {_VIEW}"


def _write(file: Relation, rows: str, output: Path, progress: Progress) -> None:
    # Where the file changes meanwhile, nothing is to be written.
    form = form_of(output)
    if file.layout.kind == "CSV" and form == _CSV:
        form = f"{form}, DELIMITER {quoted(file.layout.delimiter)}"
    with whole_file(output) as part, file.watched(progress, output):
        target = f"{quoted(str(part.absolute()))} ({form}, USE_TMP_FILE false)"
        file.connection.execute(f"COPY ({rows}) TO {target}")

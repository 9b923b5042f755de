"""Predictions in a CSV or Parquet file, read with explicit types."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import numpy as np

from costspace.errors import ConditionError, CostspaceError, FileError, LabelError, brief
from costspace.frames.relation import Progress, Relation, listed, open_relation, quoted, short
from costspace.scores.case_costs import COSTS, CaseCosts
from costspace.scores.rows import ScoredRows

_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT")
_NUMBERS = frozenset((*_INTEGERS, *(f"U{name}" for name in _INTEGERS), "FLOAT", "DOUBLE"))
_CAST_TO_DOUBLE = ("BOOLEAN", "DECIMAL", "HUGEINT", "UHUGEINT")
_TEXT = ("VARCHAR", "ENUM")
# A whole number: its sign, and its digits without leading zeros.
_WHOLE = r"^\+?(-?)0*([0-9]+)(\.0*)?$"


def read_rows(
    path: str | Path,
    *,
    label: str,
    scores: Sequence[str],
    weight: str | None = None,
    positive: str | None = None,
    costs: Mapping[str, str | float] | None = None,
    groups: str | None = None,
    progress: Progress = lambda _: None,
) -> ScoredRows:
    """Read labels, scores, weights and costs from a CSV or Parquet file.

    Parameters
    ----------
    path : path
        A file on this machine; Parquet is told by its first bytes. CSV has a header.
    label : str
        Column of labels.
    scores : sequence of str
        Columns of scores, one a model.
    weight : str, optional
        Column of sample weights.
    positive : str, optional
        The label of the positive class, as text; needed unless labels are 0/1, -1/1 or
        true/false.
    costs : mapping of str to str or float, optional
        What decisions cost: for `fp_cost` and `fn_cost`, and where they are not 0 for `tp_cost`
        and `tn_cost`, the column of each row's cost, or one number for all rows.
    groups : str, optional
        Column that says which cluster a row belongs to (a patient, a customer), of any type.
    progress : callable, optional
        Called with the percentage read while reading goes on.

    Returns
    -------
    ScoredRows

    Raises
    ------
    FileError
        If the file or a column is missing (near names are given) or a cell cannot be read (its
        row is given, not counting the header).
    LabelError, ScoreError, WeightError, ConditionError
        If the values are not labels, scores, weights or costs.
    MissingExtraError
        If DuckDB is not installed.
    """
    doubled = [name for i, name in enumerate(scores) if name in scores[:i]]
    if doubled:
        raise FileError(f"the score column {doubled[0]!r} is asked for twice.")
    by_column = _cost_columns(costs) if costs else {}
    numbers = [*scores, *([] if weight is None else [weight]), *by_column.values()]
    clusters = [] if groups is None else [groups]
    with open_relation(Path(path), [label, *numbers, *clusters]) as file:
        is_positive = _is_positive(file, label, positive, lambda done: progress(done / 2))
        expressions = [is_positive, *(_number(file, name) for name in numbers)]
        expressions += [_text(file, name) for name in clusters]
        y_true, *columns = file.fetch(expressions, lambda done: progress(50 + done / 2))
        cluster = columns.pop() if clusters else None
        for name, column in zip(numbers, columns, strict=True):
            _check_filled(file, name, column)
        read = dict(zip(numbers, columns, strict=True))
        try:
            return ScoredRows.from_predictions(
                y_true,
                {name: read[name] for name in scores},
                sample_weight=None if weight is None else read[weight],
                case_costs=_case_costs(costs, by_column, read) if costs else None,
                groups=None if cluster is None else _filled_text(file, str(groups), cluster),
            )
        except CostspaceError as error:
            raise type(error)(f"{file.path}: {error}") from None


def _cost_columns(costs: Mapping[str, str | float]) -> dict[str, str]:
    """The costs that are columns, and which; an error unless the costs are those there are."""
    if not {"fp_cost", "fn_cost"} <= costs.keys() <= set(COSTS):
        raise ConditionError(
            "costs need fp_cost and fn_cost, and may have tp_cost and tn_cost: got "
            f"{', '.join(map(brief, costs))}."
        )
    return {cost: column for cost, column in costs.items() if isinstance(column, str)}


def _case_costs(
    costs: Mapping[str, str | float], by_column: Mapping[str, str], read: Mapping[str, Any]
) -> CaseCosts:
    return CaseCosts(**{**costs, **{cost: read[column] for cost, column in by_column.items()}})


def _text(file: Relation, name: str) -> str:
    """SQL for a column as text, NULL where a cell is empty."""
    return f"NULLIF(trim(CAST({file.column(name).sql} AS VARCHAR)), '')"


def _filled_text(file: Relation, name: str, values: Any) -> Any:
    """The cells of a column of text, or `FileError` at the first that is empty."""
    if np.ma.is_masked(values):
        row = int(np.argmax(np.ma.getmaskarray(values)))
        raise FileError(
            f"{file.path}, row {row + 1}: column {name!r} is empty where a group is needed: "
            "fill the cell or leave the row out."
        )
    return np.asarray(values, dtype=str)


def _number(file: Relation, name: str) -> str:
    """SQL for a column as numbers, NULL where a cell is none."""
    column = file.column(name)
    if column.kind in _NUMBERS:
        return column.sql
    if column.kind.startswith(_CAST_TO_DOUBLE):
        return f"CAST({column.sql} AS DOUBLE)"
    if column.kind.startswith(_TEXT):
        # Without trim() DuckDB casts inside the CSV reader, which stops at the first bad
        # cell without saying which row it is.
        return f"TRY_CAST(trim(CAST({column.sql} AS VARCHAR)) AS DOUBLE)"
    raise FileError(f"column {name!r} of {file.path} has type {column.kind}, not numbers.")


def _check_filled(file: Relation, name: str, values: Any) -> None:
    """Raise `FileError` at the first cell of a column of numbers that is none."""
    if not np.ma.is_masked(values):
        return
    row = int(np.argmax(np.ma.getmaskarray(values)))
    sql = file.column(name).sql
    query = f"SELECT CAST({sql} AS VARCHAR) FROM {file.sql} LIMIT 1 OFFSET {row}"
    cell = file.run(query).fetchone()[0]
    came = "is empty" if cell is None or not cell.strip() else f"has {short(cell)!r}"
    raise FileError(
        f"{file.path}, row {row + 1}: column {name!r} {came} where a number is needed: "
        "correct the cell or leave the row out."
    )


def _is_positive(file: Relation, label: str, positive: str | None, progress: Progress) -> str:
    """SQL for whether a row belongs to the positive class."""
    text = f"trim(CAST({file.column(label).sql} AS VARCHAR))"
    # Whole numbers are labels by value, 1 and 1.0 one of them; whatever else is by its text. A
    # missing label is the empty text.
    kind = f"regexp_replace(COALESCE({text}, ''), '{_WHOLE}', '\\1\\2')"
    kind = f"CASE WHEN lower({kind}) = 'nan' THEN '' ELSE {kind} END"
    # The rarest kinds, which tell enough, and how many there are in all.
    rarest = "GROUP BY v0 ORDER BY count(*), v0 LIMIT 3"
    found, total = file.fetch([kind, "count(*) OVER ()"], progress, rarest)
    kinds = list(found)
    if not kinds:
        raise FileError(f"{file.path} has no rows: nothing can be evaluated.")
    if "" in kinds or len(kinds) > 2:
        _refuse_label(file, label, kind, "" if "" in kinds else kinds[0], int(total[0]))
    chosen = _positive_kind(kinds, positive, f"column {label!r} of {file.path}")
    return f"{kind} = {quoted(chosen)}"


def _refuse_label(file: Relation, label: str, kind: str, rare: str, kinds: int) -> NoReturn:
    query = f"SELECT row_number() OVER () AS row, {kind} AS kind FROM {file.sql}"
    first = f"SELECT min(row) FROM ({query}) WHERE kind = {quoted(rare)}"
    row = file.run(first).fetchone()[0]
    came = f"has {short(rare)!r}" if rare else "has no label"
    raise LabelError(
        f"{file.path}, row {row}: column {label!r} {came}; it has {kinds} kinds of labels in "
        "all, and two classes are needed."
    )


def _positive_kind(kinds: list[str], positive: str | None, where: str) -> str:
    """Which of two kinds of labels is the positive class."""
    if positive is None:
        usual = {kind.casefold() for kind in kinds}
        if len(kinds) == 2 and usual not in ({"0", "1"}, {"-1", "1"}, {"false", "true"}):
            raise LabelError(
                f"{where} has labels {listed(kinds)}: say which is the positive class (--positive)."
            )
        positive = next((k for k in kinds if k.casefold() in ("1", "true")), kinds[0])
    if len(kinds) == 1:
        raise LabelError(f"{where} has only one class, {listed(kinds)}: both are needed.")
    chosen = re.sub(_WHOLE, r"\1\2", positive.strip())
    if chosen not in kinds:
        raise LabelError(f"{where} has labels {listed(kinds)}, and {positive!r} is not among them.")
    return chosen

"""SQL for the labels, numbers and texts in the cells of a file, and for the first invalid cell."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import NoReturn

from costspace.arrays import Progress
from costspace.deployment.actions import DECIDED, FLAG, PASS, REVIEW
from costspace.errors import (
    ConditionError,
    CostspaceError,
    FileError,
    LabelError,
    ScoreError,
    SourceError,
    WeightError,
    meant,
)
from costspace.frames.columns import Columns
from costspace.frames.labels import USUAL, WHOLE, plain
from costspace.frames.layout import quoted
from costspace.frames.numbers import NUMBERS, TEXT, columns_of, number
from costspace.frames.paths import listed, short
from costspace.frames.relation import Relation
from costspace.samples.vectors import ADVICE, BEYOND

_NESTED = ("BLOB", "STRUCT", "MAP", "UNION")
# Types whose values are compared directly, not as text.
_COMPARED = {*NUMBERS, "BOOLEAN", "VARCHAR"}
# What words of decisions mean: flagged, and not.
_DECIDED = {"yes": "no", "true": "false", FLAG: PASS, "decline": "approve"}
# A column with more distinct values is not one of labels.
_KINDS = 20


def text(file: Relation, name: str) -> str:
    """SQL for a column as text, NULL where a cell is empty."""
    return f"NULLIF(trim(CAST({file.column(name).sql} AS VARCHAR)), '')"


def segment(file: Relation, name: str) -> str:
    """SQL for a column that names segments: numbers and truth values, NULL for NaN; or text."""
    column = file.column(name)
    if column.kind.endswith("]") or column.kind.startswith(_NESTED):
        raise SourceError(
            f"column {name!r} of {file.path} has type {short(column.kind)}, which cannot name "
            "segments."
        )
    if column.kind in ("FLOAT", "DOUBLE"):
        return f"CASE WHEN NOT isnan({column.sql}) THEN {column.sql} + 0 END"  # -0.0 is 0.0
    if column.kind in NUMBERS or column.kind == "BOOLEAN":
        return column.sql
    return text(file, name)


def is_positive(
    file: Relation,
    label: str,
    positive: str | None,
    progress: Progress,
    *,
    source: str | None = None,
    value: str | None = None,
    both: bool = True,
) -> str:
    """SQL for whether a row belongs to the positive class.

    Labels are those of the column, or of SQL in a `source` that is faster to read than the file.
    """
    column = file.column(label)
    value = value or column.sql
    # The rarest labels, the spellings of each, and how many labels there are in all.
    query = (
        f"SELECT {_kind('v')} AS kind, list(CAST(v AS VARCHAR)), count(*) OVER () FROM "
        f"(SELECT {value} AS v, count(*) AS rows FROM {source or file.sql} GROUP BY v) "
        "GROUP BY kind ORDER BY sum(rows), kind LIMIT 3"
    )
    with file.watched(progress):
        found = file.connection.execute(query).fetchall()
    if not found:
        raise FileError(f"{file.path} has no rows to evaluate.")
    written = {kind: forms for kind, forms, _ in found}
    if "" in written or len(written) > 2:
        _refuse_label(file, label, list(written), found[0][2])
    where = f"column {label!r} of {file.path}"
    chosen = _positive(written, positive, where, both=both)
    forms = [quoted(form) for form in written.get(chosen, [])]
    if not forms:
        return "FALSE"
    if column.kind in _COMPARED:
        return f"{value} IN ({', '.join(f'CAST({form} AS {column.kind})' for form in forms)})"
    return f"CAST({value} AS VARCHAR) IN ({', '.join(forms)})"


def _kind(value: str) -> str:
    """SQL for a label, whatever its spelling.

    Whole numbers are compared by value: 1 and 1.0 are the same label. Anything else is compared as
    text. A missing label is the empty text.
    """
    trimmed = f"trim(CAST({value} AS VARCHAR))"
    kind = f"regexp_replace(COALESCE({trimmed}, ''), '^{WHOLE}$', '\\1\\2')"
    return (
        f"CASE lower({kind}) WHEN 'nan' THEN '' WHEN 'true' THEN 'true' WHEN 'false' THEN 'false' "
        f"ELSE {kind} END"
    )


def _refuse_label(file: Relation, label: str, rarest: Sequence[str], kinds: int) -> NoReturn:
    """Raise an error at the first missing label, or else at the first of the rarest label."""
    shown = listed(rarest) + (f" and {kinds - len(rarest)} more" if kinds > len(rarest) else "")
    if kinds > _KINDS and "" not in rarest:
        raise LabelError(
            f"column {label!r} of {file.path} does not look like labels: it has {kinds} different "
            f"values, {shown}, and two classes are needed."
        )
    rare = "" if "" in rarest else rarest[0]
    found = file.first(f"{_kind(file.column(label).sql)} = {quoted(rare)}")
    place, rows = (found.place, found.rows) if found else (file.path, 1)
    if not rare:
        more = f", the first of {rows} rows without" if rows > 1 else ""
        raise LabelError(
            f"{place}: column {label!r} has no label{more}: fill it in or leave the row out."
            f"{file.numbering}"
        )
    raise LabelError(
        f"{place}: column {label!r} has {short(rare)!r}. It has {kinds} different labels, {shown}, "
        f"and two classes are needed.{file.numbering}"
    )


def _positive(kinds: Collection[str], positive: str | None, where: str, *, both: bool) -> str:
    """Which of one or two labels is the positive class."""
    if positive is None:
        if not any(set(kinds) <= usual for usual in USUAL) and (len(kinds) == 2 or not both):
            raise LabelError(
                f"{where} has labels {listed(kinds)}: say which is the positive class (--positive, "
                "or `positive` in Python)."
            )
        positive = next((kind for kind in kinds if kind in ("1", "true")), "1")
    if len(kinds) == 1 and both:
        raise LabelError(f"{where} has only one class, {listed(kinds)}: both are needed.")
    chosen = plain(positive)
    if chosen not in kinds and len(kinds) == 2:
        raise LabelError(f"{where} has labels {listed(kinds)}, and {positive!r} is not among them.")
    return chosen


def with_decisions(file: Relation, columns: Columns) -> Relation:
    """The files with the words of decisions read as 1 and 0, those of the labels too."""
    name = columns.decisions
    if name is None:
        return file
    column = file.column(name)
    if not column.kind.startswith(TEXT):
        return file
    words = [word.lower() for word in columns.actions]
    pairs, own = dict(_DECIDED), _kind(file.column(columns.label).sql)
    chosen = None if columns.positive is None else plain(columns.positive)
    if chosen is not None and re.search(r"[^-+.\d]", chosen):
        query = f"SELECT {own} FROM {file.sql} WHERE {own} NOT IN ('', {quoted(chosen)}) LIMIT 1"
        flag, none = chosen.lower(), "".join(other for (other,) in file.rows(query)).lower()
        # What says otherwise than the labels is not meant.
        pairs = {yes: no for yes, no in pairs.items() if not {yes, no} & {flag, none}}
        pairs.update({} if flag == none else {flag: none})
    reviewed = [*words[1:-1], *({REVIEW} - {*words})]
    if words:
        pairs = {yes: no for yes, no in pairs.items() if not {yes, no} & {*words}}
        pairs[words[-1]] = words[0]
    cell = f"lower(trim(CAST({column.sql} AS VARCHAR)))"
    cases = " ".join(
        f"WHEN {quoted(flag)} THEN '1' WHEN {quoted(none)} THEN '0'" for flag, none in pairs.items()
    )
    cases += "".join(f" WHEN {quoted(one)} THEN '{DECIDED[1]}'" for one in reviewed)
    read = f"CASE {cell} {cases} ELSE CAST({column.sql} AS VARCHAR) END"
    return replace(file, read_as={name: read})


def parsed_labels(
    file: Relation,
    columns: Columns,
    values: Sequence[str],
    progress: Progress,
    *,
    both: bool = True,
) -> tuple[str, str]:
    """SQL that reads values, labels first; and SQL on it for whether a label is positive."""
    source = file.parsed(values, lambda done: progress(done / 2))
    found = is_positive(
        file,
        columns.label,
        columns.positive,
        lambda done: progress((1 + done) / 2),
        source=source,
        value="v0",
        both=both,
    )
    return source, found


def refuse_cells(
    file: Relation,
    scores: Sequence[str],
    weight: str | None = None,
    costs: Sequence[str] = (),
    groups: str | None = None,
    *,
    named: str = "a group",
    filled: bool = True,
    if_missing: str = "",
) -> None:
    """Raise an error at the first invalid cell, column by column.

    Cells must be `filled`, or may be empty or NaN. What else to do about such ones than to correct
    them is said by `if_missing`.
    """
    weights = [] if weight is None else [weight]
    kinds = ((scores, ScoreError), (weights, WeightError), (costs, ConditionError))
    for own in columns_of(file, (*scores, *weights, *costs)):
        cell = number(file, own)
        bad = cell.none if filled else f"({cell.none}) AND NOT ({cell.empty})"
        _refuse(file, own, bad, "a number", FileError, if_missing=if_missing)
    for names, error in kinds:
        for own in columns_of(file, names):
            _refuse_beyond(file, own, error)
    for name in scores if filled else ():
        value = f"CAST({number(file, name).value} AS DOUBLE)"
        _refuse(file, name, f"isnan({value})", "a score", ScoreError, if_missing=if_missing)
    for name in weights:
        value = number(file, name).value
        kind = "a finite weight from 0 up"
        _refuse(file, name, f"NOT ({value} >= 0 AND {value} < 'inf'::DOUBLE)", kind, WeightError)
    for name in costs:
        value = f"CAST({number(file, name).value} AS DOUBLE)"
        bad = f"NOT isfinite({value})" if filled else f"isinf({value})"
        _refuse(file, name, bad, "a finite cost", ConditionError)
    if groups is not None:
        _refuse(file, groups, f"{text(file, groups)} IS NULL", named, FileError)


def _refuse_beyond(file: Relation, name: str, error: type[CostspaceError]) -> None:
    """Raise an error at the first integer that a float may not tell from its neighbour."""
    found = file.first(number(file, name).beyond, f"CAST({file.numbers(name).sql} AS VARCHAR)")
    if found is None:
        return
    more = f", the first of {found.rows} such rows" if found.rows > 1 else ""
    raise error(
        f"{found.place}: column {name!r} has {BEYOND}: {short(found.cells[0].strip())}{more}: "
        f"{ADVICE[error]}.{file.numbering}"
    )


def _refuse(
    file: Relation,
    name: str,
    bad: str,
    needed: str,
    error: type[CostspaceError],
    *,
    if_missing: str = "",
) -> None:
    formula = file.formula(name)
    cell = file.numbers(name).sql if formula.plain else number(file, name).value
    found = file.first(bad, f"CAST({cell} AS VARCHAR)")
    if found is None:
        return
    (cell,) = found.cells
    came = "is empty" if cell is None or not cell.strip() else f"has {short(cell)!r}"
    hint = meant(cell) if cell is not None else ""
    hint = f" ({hint})" if hint else ""
    more = f", the first of {found.rows} such rows" if found.rows > 1 else ""
    fault = f"{found.place}: column {name!r} {came} where {needed} is needed{hint}{more}"
    advice = "correct the cell or leave the row out"
    if cell is None or cell.strip().casefold() in ("", "nan"):
        advice += if_missing
    refused = error(f"{fault}: {advice}.{file.numbering}")
    refused.column, refused.fault = name, fault
    raise refused

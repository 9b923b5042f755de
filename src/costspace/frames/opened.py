"""The requested columns of a caller's dataframe, under known names and types."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, final

from costspace.arrays import EXACT
from costspace.errors import (
    CostspaceError,
    FileError,
    LabelError,
    ScoreError,
    SourceError,
    WeightError,
    brief,
)
from costspace.frames.columns import Columns
from costspace.frames.dataframes import nw, opened_by_narwhals, plainly_named
from costspace.frames.formulas import joined
from costspace.frames.objects import DIGITS
from costspace.frames.operands import Operands, operands_in
from costspace.frames.same_rows import are_watched

T = TypeVar("T")
LABEL = "label"
WEIGHT = "weight"
POSITIVE = "positive"


@final
@dataclass(frozen=True, eq=False)
class OpenedFrame:
    """The requested columns of a dataframe of any engine."""

    # Columns `LABEL`; `WEIGHT`, if there are weights; the values of `scores` and `by`; and the
    # values of `integers` and `decimals`, which floats may not tell apart.
    rows: nw.LazyFrame[Any]
    # What the caller calls these columns.
    label: str
    weight: str | None
    # What the caller calls a column, and its name here.
    scores: Mapping[str, str]
    integers: Mapping[str, str]
    weighing: Sequence[str]  # the columns that weights are made of
    decimals: Mapping[str, str]
    by: Mapping[str, str]
    # Whether the engine reads the data anew for each question instead of holding them in memory.
    scans: bool
    # Whether it may then find other rows, of which nobody would tell.
    anew: bool

    @property
    def weights(self) -> list[str]:
        """The columns of weights here: one or none."""
        return [] if self.weight is None else [WEIGHT]


def open_frame(
    frame: Any,
    *,
    label: str,
    score: str | Sequence[str],
    weight: str | None,
    by: str | Sequence[str] | None,
) -> OpenedFrame:
    """Choose the requested columns, in types that every engine treats alike.

    Raises
    ------
    SourceError
        If it is not a dataframe, or a column of `by` cannot name segments.
    FileError
        If there is no such column, or it is asked for twice.
    LabelError, ScoreError, WeightError
        If a column has a type that labels, scores or weights cannot have.
    MissingExtraError
        If Narwhals is not installed.
    """
    by, weights = _several(by), [] if weight is None else [weight]
    given = opened_by_narwhals(frame)
    lazy, known = plainly_named(given.lazy())
    asked = _asked(Columns(label=label, scores=_several(score), weight=weight), by, known)
    errors = {**dict.fromkeys(asked.scores, ScoreError), **dict.fromkeys(weights, WeightError)}
    found = operands_in(lazy, known, errors, (label, *by))
    return _chosen(found, asked, by, scans=not isinstance(given, nw.DataFrame))


def scores_in(frame: Any, label: str, score: str | Sequence[str], by: Sequence[str]) -> list[str]:
    """The columns of scores that are asked for in a frame, with those that patterns stand for."""
    known = opened_by_narwhals(frame).collect_schema().names()
    return list(_asked(Columns(label=label, scores=_several(score)), by, known).scores)


def _asked(columns: Columns, by: Sequence[str], known: Collection[str]) -> Columns:
    """The columns that are asked for, with those that patterns of scores stand for."""
    for name in columns.names(by).values():
        if not isinstance(name, str):
            raise FileError(f"a column's name must be text, got {brief(name)}: rename the column.")
    if not columns.scores:
        raise ScoreError("no scores are asked for: name at least one column of scores.")
    columns = columns.chosen_among(known, by, "the frame")
    check_once(columns.scores, by)
    return columns


def _chosen(found: Operands, asked: Columns, by: Sequence[str], *, scans: bool) -> OpenedFrame:
    schema = found.rows.collect_schema()
    kinds = {name: (here, schema[here]) for name, here in found.here.items()}
    scores = {name: f"score{i}" for i, name in enumerate(asked.scores)}
    segments = {name: f"by{i}" for i, name in enumerate(by)}
    operands = dict.fromkeys(own for meant in found.formulas.values() for own in meant.columns)
    integers = {
        own: f"integer{i}" for i, own in enumerate(operands) if is_long_integer(kinds[own][1])
    }
    decimals = {
        own: f"decimal{i}"
        for i, own in enumerate(scores)
        if own in kinds and _is_long_decimal(kinds[own][1])
    }
    chosen = [_label(asked.label, *kinds[asked.label]).alias(LABEL)]
    chosen += [made(found, own, "scores", ScoreError).alias(to) for own, to in scores.items()]
    chosen += [nw.col(found.here[own]).alias(to) for own, to in (integers | decimals).items()]
    chosen += [segment_column(own, *kinds[own]).alias(to) for own, to in segments.items()]
    weighing: tuple[str, ...] = ()
    if asked.weight is not None:
        weighing = found.formulas[asked.weight].columns
        weight = made(found, asked.weight, "weights", WeightError)
        chosen.append(weight.cast(nw.Float64()).alias(WEIGHT))
    rows = found.rows.select(*chosen)
    names = (scores, integers, weighing, decimals, segments)
    anew = scans and not are_watched()
    return OpenedFrame(rows, asked.label, asked.weight, *names, scans, anew)


def answered(found: Mapping[str, T], score: str | Sequence[str]) -> T | Mapping[str, T]:
    """The result for one column of scores, or those of several, as a pattern stands for."""
    return found[score] if isinstance(score, str) and score in found else found


def check_once(scores: Sequence[str], by: Sequence[str] = ()) -> None:
    """`FileError` if a column of scores, or one that names segments, is asked for twice."""
    for kind, names in (("score", scores), ("segment", by)):
        doubled = [name for i, name in enumerate(names) if name in names[:i]]
        if doubled:
            raise FileError(f"the {kind} column {doubled[0]!r} is asked for twice.")


def made(
    found: Operands, name: str, what: str, error: type[CostspaceError], *, single: bool = True
) -> nw.Expr:
    """The numbers that a name speaks of, as doubles.

    A column of `single` precision that is taken as it is stays one, unless it must not.
    """
    meant, types = found.formulas[name], found.rows.collect_schema()

    def operand(own: str) -> nw.Expr:
        here = found.here[own]
        if types[here] != nw.Float32:
            return number_column(own, here, types[here], what, error)
        return nw.col(here) if single and meant.plain else as_decimals(nw.col(here))

    return meant.made(operand, float, joined)


def _several(names: Any) -> list[Any]:
    single = names is not None and (isinstance(names, str) or not isinstance(names, Iterable))
    return [names] if single else list(names or ())


def _label(name: str, here: str, dtype: Any) -> nw.Expr:
    column = nw.col(here)
    if _is_text(dtype):
        return column.cast(nw.String())
    if dtype.is_decimal():
        return column.cast(nw.Float64())
    if dtype == nw.Boolean or dtype.is_numeric():
        return column
    raise LabelError(
        f"column {name!r} has type {dtype}: labels must be numbers, truth values or text."
    )


def number_column(
    name: str, here: str, dtype: Any, what: str, error: type[CostspaceError]
) -> nw.Expr:
    """A column as doubles, null where a double cannot hold the number; or `error`."""
    if dtype == nw.Boolean:
        return as_float(nw.col(here))
    if dtype.is_numeric():
        column = nw.col(here)
        if is_long_integer(dtype):
            # Some engines refuse to cast integers that floats cannot tell apart.
            column = nw.when(~is_odd(here, dtype)).then(column)
        return column.cast(nw.Float64())
    raise error(f"column {name!r} has type {dtype}: {what} must be numbers.")


def is_odd(here: str, dtype: Any) -> nw.Expr:
    """Whether an integer is one that floats cannot tell apart from others."""
    column = nw.col(here)
    # To compare, pyarrow would cast unsigned integers to signed ones.
    odd = column > (nw.lit(EXACT, nw.UInt64()) if dtype == nw.UInt64 else EXACT)
    return odd | (column < -EXACT) if dtype.is_signed_integer() else odd


def as_decimals(column: nw.Expr) -> nw.Expr:
    """Numbers of single precision as `doubles` has them: what every engine prints."""
    return column.cast(nw.String()).cast(nw.Float64())


def as_float(truth: nw.Expr) -> nw.Expr:
    """A boolean as 0.0 or 1.0; not every engine can cast it directly."""
    return truth.cast(nw.Int32()).cast(nw.Float64())


def segment_column(name: str, here: str, dtype: Any, what: str = "segments") -> nw.Expr:
    """A column whose values name parts of the rows, null where missing; or `SourceError`."""
    column = nw.col(here)
    if _is_text(dtype):
        return column.cast(nw.String())
    if dtype.is_float():
        # Only some engines distinguish NaN from null.
        return nw.when(~column.is_nan()).then(column)
    if dtype == nw.Boolean or dtype.is_numeric() or dtype.is_temporal():
        return column
    raise SourceError(f"column {name!r} has type {dtype}, which cannot name {what}.")


def _is_text(dtype: Any) -> bool:
    return any(dtype == kind for kind in (nw.String, nw.Categorical, nw.Enum))


def is_long_integer(dtype: Any) -> bool:
    """Whether a type holds integers that floats cannot tell apart."""
    return any(dtype == kind for kind in (nw.Int64, nw.UInt64, nw.Int128, nw.UInt128))


def _is_long_decimal(dtype: Any) -> bool:
    """Whether a type holds decimals that floats cannot tell apart."""
    return bool(dtype.is_decimal()) and (getattr(dtype, "precision", None) or EXACT) > DIGITS

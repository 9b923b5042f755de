"""The requested columns of a caller's dataframe, under known names and types."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, final

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
from costspace.frames.dataframes import nw
from costspace.frames.layout import identifier
from costspace.frames.objects import DIGITS, plain_column
from costspace.frames.paths import no_column

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
    decimals: Mapping[str, str]
    by: Mapping[str, str]
    # Whether the engine reads the data anew for each question instead of holding them in memory.
    scans: bool

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
    scores, by = _several(score), _several(by)
    numbers = [*scores, *([] if weight is None else [weight])]
    asked = [label, *numbers, *by]
    for name in asked:
        if not isinstance(name, str):
            raise FileError(f"a column's name must be text, got {brief(name)}: rename the column.")
    if not scores:
        raise ScoreError("no scores are asked for: name at least one column of scores.")
    check_once(scores, by)
    given = opened_by_narwhals(frame)
    scans = not isinstance(given, nw.DataFrame)
    wanted = list(dict.fromkeys(asked))
    lazy, known = plainly_named(given.lazy())
    for name in wanted:
        if name not in known:
            raise no_column("the frame", name, list(map(str, known)))
    here = {name: known[name] for name in wanted}
    lazy = _typed(lazy, here, scores)
    types = lazy.collect_schema()
    kinds = {name: (here[name], types[here[name]]) for name in wanted}
    score_names = {name: f"score{i}" for i, name in enumerate(scores)}
    by_names = {name: f"by{i}" for i, name in enumerate(by)}
    integers = {
        name: f"integer{i}" for i, name in enumerate(numbers) if _is_long_integer(kinds[name][1])
    }
    decimals = {n: f"decimal{i}" for i, n in enumerate(scores) if _is_long_decimal(kinds[n][1])}
    chosen = [_label(label, *kinds[label]).alias(LABEL)]
    chosen += [_score(name, *kinds[name]).alias(score) for name, score in score_names.items()]
    exact = {**integers, **decimals}
    chosen += [nw.col(here[name]).alias(own) for name, own in exact.items()]
    chosen += [
        segment_column(name, *kinds[name]).alias(segment) for name, segment in by_names.items()
    ]
    if weight is not None:
        chosen.append(number_column(weight, *kinds[weight], "weights", WeightError).alias(WEIGHT))
    rows = lazy.select(*chosen)
    return OpenedFrame(rows, label, weight, score_names, integers, decimals, by_names, scans)


def check_once(scores: Sequence[str], by: Sequence[str] = ()) -> None:
    """`FileError` if a column of scores, or one that names segments, is asked for twice."""
    for kind, names in (("score", scores), ("segment", by)):
        doubled = [name for i, name in enumerate(names) if name in names[:i]]
        if doubled:
            raise FileError(f"the {kind} column {doubled[0]!r} is asked for twice.")


def as_narwhals(frame: Any) -> nw.LazyFrame[Any]:
    """Any engine's dataframe behind one lazy interface."""
    opened = opened_by_narwhals(frame)
    return opened.lazy() if isinstance(opened, nw.DataFrame) else opened


def opened_by_narwhals(frame: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    """Any engine's dataframe behind one interface, or an error if it is not a dataframe."""
    try:
        with without_warning():
            return nw.from_native(frame)
    except TypeError:
        raise SourceError(
            f"predictions must be in a dataframe, got {brief(frame)}: give one of pandas, "
            "Polars, pyarrow, DuckDB, Dask or PySpark."
        ) from None
    except nw.exceptions.DuplicateError:
        raise FileError("two columns of the frame have the same name: rename one.") from None


@contextmanager
def without_warning() -> Iterator[None]:
    """Without Narwhals' announcement that its support of Dask moves to a package of its own."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Dask support is moving", FutureWarning)
        yield


def plainly_named(lazy: nw.LazyFrame[Any]) -> tuple[nw.LazyFrame[Any], dict[str, str]]:
    """The columns under names that no engine can take for a pattern or a path, and these names."""
    here = {name: f"column{i}" for i, name in enumerate(lazy.collect_schema().names())}
    return renamed(lazy, here), here


def renamed(lazy: nw.LazyFrame[Any], names: dict[str, str]) -> nw.LazyFrame[Any]:
    """The columns, all of them, under other names."""
    engine, native = lazy.implementation, lazy.to_native()
    if engine.is_spark_like():
        # Spark can address a column of any name only by its position.
        return as_narwhals(native.toDF(*names.values()))
    if engine.is_duckdb():
        pairs = (f"{identifier(name)} AS {identifier(to)}" for name, to in names.items())
        return as_narwhals(native.project(", ".join(pairs)))
    return lazy.rename(names)


def _typed(
    lazy: nw.LazyFrame[Any], here: Mapping[str, str], scores: Sequence[str]
) -> nw.LazyFrame[Any]:
    """The frame, with these columns in plain types where pandas has objects."""
    schema = lazy.collect_schema()
    untyped = {own: name for name, own in here.items() if schema[own] == nw.Object}
    if not untyped or not lazy.implementation.is_pandas():
        return lazy
    native = lazy.collect().to_native()
    columns = {
        own: plain_column(native[own], name, scores=name in scores) for own, name in untyped.items()
    }
    return as_narwhals(native.assign(**columns))


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


def _score(name: str, here: str, dtype: Any) -> nw.Expr:
    if dtype == nw.Float32:
        return nw.col(here)
    return number_column(name, here, dtype, "scores", ScoreError)


def number_column(
    name: str, here: str, dtype: Any, what: str, error: type[CostspaceError]
) -> nw.Expr:
    """A column as doubles, null where a double cannot hold the number; or `error`."""
    if dtype == nw.Boolean:
        return as_float(nw.col(here))
    if dtype.is_numeric():
        column = nw.col(here)
        if _is_long_integer(dtype):
            # Some engines refuse to cast integers that floats cannot tell apart.
            # To compare, pyarrow would cast unsigned integers to signed ones.
            exact = column <= (nw.lit(EXACT, nw.UInt64()) if dtype == nw.UInt64 else EXACT)
            if dtype.is_signed_integer():
                exact &= column >= -EXACT
            column = nw.when(exact).then(column)
        return column.cast(nw.Float64())
    raise error(f"column {name!r} has type {dtype}: {what} must be numbers.")


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


def _is_long_integer(dtype: Any) -> bool:
    """Whether a type holds integers that floats cannot tell apart."""
    return any(dtype == kind for kind in (nw.Int64, nw.UInt64, nw.Int128, nw.UInt128))


def _is_long_decimal(dtype: Any) -> bool:
    """Whether a type holds decimals that floats cannot tell apart."""
    return bool(dtype.is_decimal()) and (getattr(dtype, "precision", None) or EXACT) > DIGITS

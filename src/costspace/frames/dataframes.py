"""Narwhals, behind which the dataframes of all engines are alike; imported when it is used."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from costspace.errors import FileError, MissingExtraError, SourceError, brief
from costspace.frames.layout import identifier

__all__ = [
    "as_narwhals",
    "nw",
    "opened_by_narwhals",
    "plainly_named",
    "renamed",
    "without_warning",
]
_SAME_NAME = "two columns of the frame have the same name: rename one."


class _Narwhals:
    """What the package has, each name found once."""

    def __getattr__(self, name: str) -> Any:
        try:
            import narwhals
        except ImportError:
            raise MissingExtraError(
                "dataframes need Narwhals: pip install 'costspace[frames]'."
            ) from None
        found = getattr(narwhals, name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    import narwhals as nw
else:
    nw = _Narwhals()


def as_narwhals(frame: Any) -> nw.LazyFrame[Any]:
    """Any engine's dataframe behind one lazy interface."""
    opened = opened_by_narwhals(frame)
    return opened.lazy() if isinstance(opened, nw.DataFrame) else opened


def opened_by_narwhals(frame: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    """Any engine's dataframe behind one interface, or an error if it is not a dataframe."""
    arrow: Any = sys.modules.get("pyarrow")
    if arrow is not None and isinstance(frame, arrow.RecordBatch):
        frame = arrow.Table.from_batches([frame])
    try:
        with without_warning():
            found = nw.from_native(frame)
    except TypeError:
        raise SourceError(
            f"predictions must be in a dataframe, got {brief(frame)}: give one of pandas, "
            "Polars, pyarrow, DuckDB, Dask or PySpark."
        ) from None
    except nw.exceptions.DuplicateError:
        raise FileError(_SAME_NAME) from None
    if found.implementation.is_dask() or found.implementation.is_spark_like():
        # Narwhals leaves this to them, and they fail later.
        names = list(found.to_native().columns)
        if len(set(names)) < len(names):
            raise FileError(_SAME_NAME)
    return found


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

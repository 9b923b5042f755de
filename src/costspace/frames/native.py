"""Results as the caller's kind of dataframe."""

from __future__ import annotations

from typing import Any

import numpy as np

from costspace.errors import SourceError, brief
from costspace.frames.dataframes import nw, opened_by_narwhals, without_warning


def to_frame(result: Any, *, like: Any) -> Any:
    """A result as a dataframe of the same kind as another.

    Parameters
    ----------
    result : object with `columns`
        Any result with `columns`: a loss curve, counts, bands, a decision, segments.
    like : dataframe
        Of pandas, Polars (eager or lazy), pyarrow, DuckDB, Dask or PySpark. Its contents do not
        matter.

    Returns
    -------
    dataframe
        Of the engine of `like`, with the columns that ``result.columns()`` has.

    Raises
    ------
    SourceError
        If the result has no columns, or `like` is not a dataframe.
    MissingExtraError
        If Narwhals is not installed.

    Examples
    --------
    >>> import pandas as pd
    >>> import costspace as cs
    >>> from costspace.frames import to_frame
    >>> counts = cs.ScoreCounts.from_predictions([0, 1, 0], [0.2, 0.7, 0.2])
    >>> to_frame(counts, like=pd.DataFrame())
       score  negatives  positives
    0    0.2          2          0
    1    0.7          0          1
    """
    if not callable(getattr(result, "columns", None)):
        raise SourceError(f"only results with columns become a dataframe, got {brief(result)}.")
    given = opened_by_narwhals(like)
    columns = {
        # A column of objects holds text, numbers or booleans here.
        name: values.tolist() if values.dtype == object else np.ascontiguousarray(values)
        for name, values in result.columns().items()
    }
    engine = given.implementation
    if isinstance(given, nw.DataFrame):
        return nw.from_dict(columns, backend=engine).to_native()
    if engine.is_polars():
        return nw.from_dict(columns, backend=engine).lazy().to_native()
    if engine.is_duckdb():
        return _related(columns, like)
    frame = nw.from_dict(columns, backend="pandas")
    if engine.is_dask():
        with without_warning():
            return frame.lazy("dask").to_native()
    return like.sparkSession.createDataFrame(frame.to_native())


def _related(columns: dict[str, Any], like: Any) -> Any:
    """A DuckDB relation on the connection of another, so that they can be joined."""
    import pyarrow as pa

    # DuckDB finds the variable by its name in the query.
    costspace_columns = pa.table(columns)  # noqa: F841
    return like.query("costspace_like", "SELECT * FROM costspace_columns")

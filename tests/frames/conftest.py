"""Every engine behind one fixture: the same columns as each engine's kind of dataframe."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

# Each query is asked once: compiling it well takes longer than it saves.
QUICK_JAVA = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# Partitions with rows, of the engines with partitions.
_PARTITIONS = 3

Maker = Callable[[pa.Table], Any]


@dataclass(frozen=True)
class Engine:
    """One kind of dataframe."""

    name: str
    make: Maker

    def frame(self, **columns: Any) -> Any:
        """A dataframe of columns, given as lists (None: missing), arrays or pyarrow arrays."""
        return self.make(pa.table({name: _array(values) for name, values in columns.items()}))


def _array(values: Any) -> Any:
    return values if isinstance(values, pa.Array) else pa.array(values, from_pandas=False)


def _pandas(table: pa.Table) -> Any:
    return table.to_pandas()


def _pandas_nullable(table: pa.Table) -> Any:
    import pandas as pd

    kinds = {
        pa.int64(): pd.Int64Dtype(),
        pa.int8(): pd.Int8Dtype(),
        pa.bool_(): pd.BooleanDtype(),
        pa.float64(): pd.Float64Dtype(),
        pa.float32(): pd.Float32Dtype(),
        pa.string(): pd.StringDtype(),
    }
    return table.to_pandas(types_mapper=kinds.get)


def _pandas_arrow(table: pa.Table) -> Any:
    import pandas as pd

    return table.to_pandas(types_mapper=pd.ArrowDtype)


def _polars(table: pa.Table) -> Any:
    import polars as pl

    return pl.from_arrow(table)


def _polars_lazy(table: pa.Table) -> Any:
    return _polars(table).lazy()


def _pyarrow(table: pa.Table) -> Any:
    return table


def _duckdb(table: pa.Table) -> Any:
    return _database().cursor().from_arrow(_without_dictionaries(table))


@cache
def _database() -> Any:
    """One DuckDB for all tests, of which each has a connection of its own."""
    import duckdb

    return duckdb.connect()


def _dask(table: pa.Table) -> Any:
    """Several partitions: an empty one, and of rows in the order given, runs.

    Each has an index of its own, as the files of a folder have.
    """
    import dask.dataframe as dd

    # Dask makes text of what pandas has no type of its own for.
    plain = not any(
        pa.types.is_decimal(field.type) or pa.types.is_boolean(field.type) for field in table.schema
    )
    rows = _pandas(table) if plain else _pandas_arrow(table)
    size = max(1, -(-len(rows) // _PARTITIONS))
    starts = range(0, max(len(rows), 1), size)
    runs = (rows.iloc[i : i + size].reset_index(drop=True) for i in starts)
    parts = [rows.iloc[:0], *runs]
    # All from one place: Dask plans each query anew for each that is put together.
    return dd.from_map(lambda i: parts[i], range(len(parts)), meta=parts[0])


def _spark(table: pa.Table) -> Any:
    return spark_session().createDataFrame(_without_dictionaries(table))


def _without_dictionaries(table: pa.Table) -> pa.Table:
    for i, field in enumerate(table.schema):
        if pa.types.is_dictionary(field.type):
            plain = table.column(i).cast(field.type.value_type)
            table = table.set_column(i, field.name, plain)
    return table


@cache
def spark_session() -> Any:
    """One Spark on this machine for all tests, or a reason why there is none."""
    if shutil.which("java") is None:
        reason = "Spark needs Java: apt-get install default-jre-headless"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
        "spark.default.parallelism": "2",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.driver.host": "127.0.0.1",
        "spark.sql.session.timeZone": "UTC",
        "spark.driver.extraJavaOptions": QUICK_JAVA,
    }
    builder = SparkSession.builder.master("local[2]").appName("costspace tests")
    for name, value in settings.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session


def _stop_spark() -> None:
    if spark_session.cache_info().currsize:
        spark_session().stop()
        spark_session.cache_clear()


@pytest.fixture
def spark(request: pytest.FixtureRequest) -> Any:
    """The Spark that all tests share, for those that say so, or whose engine it is."""
    assert request.node.get_closest_marker("cluster"), "mark this test: @pytest.mark.cluster"
    return spark_session()


@pytest.fixture
def stopped_spark(spark: Any) -> Any:
    """What builds a Spark of a test's own, in the warm Java of the shared one, which is stopped.

    A process has one Spark at a time, and Java takes long to start.
    """
    builder = spark.builder
    _stop_spark()
    return builder.config("spark.executor.extraJavaOptions", QUICK_JAVA)


@pytest.fixture(scope="session", autouse=True)
def _stopped_spark() -> Iterator[None]:
    yield
    _stop_spark()


@pytest.fixture
def csv(tmp_path: Path) -> Callable[..., Path]:
    """Writes a text to a file."""

    def write(text: str, name: str = "predictions.csv") -> Path:
        path = tmp_path / name
        path.write_text(text, encoding="utf-8")
        return path

    return write


ENGINES: dict[str, Maker] = {
    "pandas": _pandas,
    "pandas-nullable": _pandas_nullable,
    "pandas-arrow": _pandas_arrow,
    "polars": _polars,
    "polars-lazy": _polars_lazy,
    "pyarrow": _pyarrow,
    "duckdb": _duckdb,
    "dask": _dask,
    "spark": _spark,
}


@pytest.fixture(scope="session", params=ENGINES)
def engine(request: pytest.FixtureRequest) -> Engine:
    """Each engine in turn."""
    return Engine(request.param, ENGINES[request.param])

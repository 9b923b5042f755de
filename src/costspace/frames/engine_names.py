"""The names of the engines that count predictions."""

from typing import Literal, TypeAlias

Engine: TypeAlias = Literal["duckdb", "polars", "dask", "spark"]

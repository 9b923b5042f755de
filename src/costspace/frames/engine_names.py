"""The engines that count predictions, by the names that they are asked for."""

from typing import Literal, TypeAlias

Engine: TypeAlias = Literal["duckdb", "polars", "dask", "spark"]

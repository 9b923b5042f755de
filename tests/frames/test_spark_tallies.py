"""`costspace tally --engine spark`, which starts a Spark of its own."""

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import refused, run

from costspace.frames import load


def test_spark_tallies_by_numbers(
    stopped_spark: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rng = np.random.default_rng(3)
    y = (rng.random(2000) < 0.2).astype(int)
    scores = rng.normal(1.6 * y - 1).round(1)
    file = tmp_path / "few.parquet"
    pq.write_table(pa.table({"y": y, "score": scores, "number": np.arange(2000)}), file)
    asked = ["tally", file, "--label", "y", "--score", "score", "--folds", 5]
    numbered = ["--engine", "spark", "--id", "number"]
    for name, more in (("spark", numbered), ("duckdb", [])):
        run(capsys, *asked, *more, "-o", tmp_path / name)
    found, expected = (
        load(tmp_path / name).source.counted("score") for name in ("spark", "duckdb")
    )
    np.testing.assert_array_equal(found.sums.rows, expected.sums.rows)
    unordered = refused(capsys, *asked, "--engine", "spark", "-o", tmp_path / "none")
    assert "have no order: name a column" in unordered

"""Which files are read in parts, and which fit in memory."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from costspace.frames import sizes
from costspace.frames.columns import Columns
from costspace.frames.sizes import fits, is_large

ROWS = 3000
COLUMNS = Columns(label="y", scores=["a", "b"])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    columns = {name: np.arange(ROWS) % 7 for name in ("y", "a", "b")}
    pq.write_table(pa.table(columns), tmp_path / "rows.parquet")
    return tmp_path / "rows.parquet"


def test_what_is_large(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not is_large(path, COLUMNS)
    monkeypatch.setattr(sizes, "_LARGE_FILE", 1000)
    assert not is_large(path, COLUMNS)
    monkeypatch.setattr(sizes, "_LARGE", ROWS)
    assert is_large(path, COLUMNS)
    assert not is_large(path, Columns(label="y", scores=["a"], weight="b"))
    assert not is_large(path, Columns(label="y", scores=["a"], groups="b"))


def test_what_fits_in_memory(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    needed = ROWS * 3 * 16
    monkeypatch.setattr(sizes, "memory_for_rows", lambda: needed - 1)
    assert fits(path, COLUMNS)
    monkeypatch.setattr(sizes, "_LARGE_FILE", 1000)
    assert not fits(path, COLUMNS)
    assert fits(path, Columns(label="y", scores=["a"]))
    assert not fits(path, Columns(label="y", scores=["a"], weight="b"))
    monkeypatch.setattr(sizes, "memory_for_rows", lambda: needed)
    assert fits(path, COLUMNS)

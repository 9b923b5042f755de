"""The pages that benchmarks write agree with the stored figures."""

from pathlib import Path

from benchmarks.coverage import page as coverage
from benchmarks.coverage.registry import PARTS
from benchmarks.peers import page as peers
from benchmarks.tables import read

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / "benchmarks"


def test_the_page_of_coverage() -> None:
    tables = {name: read(BENCHMARKS / "coverage" / f"{name}.csv") for name in PARTS}
    stored = {name: (PARTS[name], rows) for name, rows in tables.items() if rows}
    assert (BENCHMARKS / "coverage.md").read_text() == coverage.page(stored)


def test_the_page_of_peers() -> None:
    stored = peers.read_all(BENCHMARKS / "peers")
    assert (ROOT / "docs" / "concepts" / "peers.md").read_text() == peers.page(stored)

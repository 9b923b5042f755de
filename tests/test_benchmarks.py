"""The pages that benchmarks write agree with the stored figures."""

from pathlib import Path

from benchmarks.coverage import page as coverage
from benchmarks.coverage.registry import PARTS
from benchmarks.peers import page as peers
from benchmarks.tables import read

ROOT = Path(__file__).parents[1]
BENCHMARKS = ROOT / "benchmarks"


def test_the_page_of_coverage() -> None:
    stored = {
        name: (part, read(BENCHMARKS / "coverage" / f"{name}.csv")) for name, part in PARTS.items()
    }
    assert (BENCHMARKS / "coverage.md").read_text() == coverage.page(stored)


def test_the_page_of_peers() -> None:
    stored = peers.read_all(BENCHMARKS / "peers")
    assert (ROOT / "docs" / "concepts" / "peers.md").read_text() == peers.page(stored)

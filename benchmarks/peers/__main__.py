"""The comparison with other packages, which `make bench-peers` runs in an environment with them.

    python -m benchmarks.peers                what build/peers has not yet, and the page there
    python -m benchmarks.peers --fresh        all of it again: some 25 minutes on two cores
    python -m benchmarks.peers --sizes 1e4    some sizes
    python -m benchmarks.peers --publish      and put tables and page into the repository

Tables are kept up row by row: a run that was stopped goes on where it was.
"""

import argparse
import shutil
from pathlib import Path

from rich.console import Console

from benchmarks.peers import machine, study
from benchmarks.peers.causes import CAUSES
from benchmarks.peers.page import TABLES, page, read_all
from benchmarks.tables import write

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "concepts" / "peers.md"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--folder", type=Path, default=ROOT / "build" / "peers", help="of tables")
    parser.add_argument("--sizes", type=float, nargs="+", default=study.SIZES)
    parser.add_argument("--fresh", action="store_true", help="measure anew what is there")
    parser.add_argument("--publish", action="store_true", help="into the repository as well")
    given = parser.parse_args()
    paths = {name: given.folder / f"{name}.csv" for name in TABLES}
    if given.fresh:
        shutil.rmtree(given.folder, ignore_errors=True)
    console = Console(width=120, highlight=False)
    write(paths["causes"], [cause.row() for cause in CAUSES])
    study.measure_all(paths["results"], {int(size) for size in given.sizes}, console)
    if not paths["tables"].exists():
        write(paths["tables"], study.tables())
    write(paths["machine"], machine.facts())
    made = given.folder / "peers.md"
    made.write_text(page(read_all(given.folder)))
    console.print(f"The page: {made}")
    if given.publish:
        for path in paths.values():
            shutil.copy(path, HERE)
        shutil.copy(made, PAGE)


if __name__ == "__main__":
    main()

"""The coverage study.

    python -m benchmarks.coverage                      what is not in the tables yet
    python -m benchmarks.coverage --fresh              all of it again: half an hour on two cores
    python -m benchmarks.coverage --part bands pairs   parts of it
    python -m benchmarks.coverage --share 0.1 --folder build/coverage
                                                       a tenth of the simulations, elsewhere

A table is kept up cell by cell: a run that was stopped goes on where it was. Simulation k of a
cell is the same in every run.
"""

import argparse
import os
from pathlib import Path

# One thread a process: the arrays are small, and cells run side by side.
os.environ.setdefault("OMP_NUM_THREADS", "1")

from benchmarks.coverage.page import page
from benchmarks.coverage.registry import PARTS
from benchmarks.coverage.study import SIZES
from benchmarks.tables import read

FOLDER = Path(__file__).parent


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--part", nargs="+", choices=list(PARTS), default=list(PARTS))
    parser.add_argument("--share", type=float, default=1.0, help="of the simulations")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="of the tables")
    parser.add_argument("--n", type=int, nargs="+", choices=SIZES, default=SIZES)
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--fresh", action="store_true", help="redo cells that are there")
    given = parser.parse_args()
    paths = {name: given.folder / f"{name}.csv" for name in PARTS}
    for name in given.part:
        PARTS[name].run(paths[name], given.share, given.n, fresh=given.fresh, jobs=given.jobs)
    tables = {name: read(path) for name, path in paths.items()}
    given.folder.with_suffix(".md").write_text(
        page({name: (PARTS[name], rows) for name, rows in tables.items() if rows})
    )


if __name__ == "__main__":
    main()

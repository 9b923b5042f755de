"""Reproduce the papers: ``python -m papers [-o FOLDER] [DOCUMENT ...]``, by default all of them."""

import sys
import warnings
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path

import costspace as cs
from papers import brier_curves, lecture, roc_cost_curves, threshold_choice, voros
from papers.comparison import Row, summary, table

DOCUMENTS = {
    document.name: document
    for document in (
        roc_cost_curves.DOCUMENT,
        lecture.DOCUMENT,
        threshold_choice.DOCUMENT,
        brier_curves.DOCUMENT,
        voros.DOCUMENT,
    )
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Print every stated number beside the computed one; 1 if one is not reproduced."""
    parser = ArgumentParser(prog="python -m papers", description=main.__doc__)
    parser.add_argument(
        "documents",
        metavar="DOCUMENT",
        nargs="*",
        help=f"{', '.join(DOCUMENTS)}; all, if none is named",
    )
    parser.add_argument(
        "-o",
        metavar="FOLDER",
        type=Path,
        help="where to write each document's pictures, tables and comparison, in a folder each",
    )
    asked = parser.parse_args(arguments)
    unknown = [name for name in asked.documents if name not in DOCUMENTS]
    if unknown:
        parser.error(f"there is no document {unknown[0]!r}: ask for {', '.join(DOCUMENTS)}.")
    rows: list[Row] = []
    for name in asked.documents or DOCUMENTS:
        document = DOCUMENTS[name]
        citation, _ = document.stated
        with warnings.catch_warnings():
            # A model that tells no two rows apart, as a trivial rule does, is meant.
            warnings.simplefilter("ignore", cs.DataWarning)
            found = document.compare()
            if asked.o is not None:
                document.write(found, asked.o / name)
        print(f"{name}: {citation}", table(found), "", sep="\n", flush=True)
        rows += found
    print(summary(rows))
    return 0 if all(row.outcome.explained for row in rows) else 1


if __name__ == "__main__":
    sys.exit(main())

"""`costspace merge`: saved tables of the same models added up."""

import os
from collections.abc import Sequence
from pathlib import Path

from costspace.cli.console import check_output, progress, told_written
from costspace.cli.options import Output
from costspace.errors import FileError
from costspace.frames.folders import place_of
from costspace.frames.merging import merged
from costspace.frames.storage import save


def merge(*files: Path, output: Output) -> None:
    """Add up saved tables of the same models, such as those of the days of a month.

    Example: costspace merge january.parquet february.parquet -o both.parquet

    Parameters
    ----------
    files
        Saved tables, in any order.
    output
        The file to save the sum to, not one of those that are added up.
    """
    if not files:
        raise FileError("there is nothing to merge: name saved tables.")
    _check_apart(files, output)
    check_output(output)
    with progress() as step:
        found = merged(files, step("merging", 1))
    save(output, found)
    told_written(output)


def _check_apart(files: Sequence[Path], output: Path) -> None:
    """`FileError` if rows would be counted twice, now or in the next run."""
    names: dict[object, Path] = {}
    for file in files:
        place = place_of(file)
        if place in names:
            also = f", as {names[place]} too" if names[place] != file else ""
            raise FileError(f"{file} is named twice{also}: its rows would count twice.")
        names[place] = file
        if os.path.realpath(file) == os.path.realpath(output):
            raise FileError(
                f"{output} is one of the files to merge: its rows would count again in the next "
                "run. Save to another file."
            )

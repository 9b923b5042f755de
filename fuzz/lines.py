"""Commands on a file of plain names, and what they leave behind."""

import json
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.case import Case
from fuzz.commands import run, run_apart, shown
from fuzz.samples import UNIT, Rng, Sample, sample
from fuzz.tables import Written

APART = 0.01


def rows_of(rng: Rng) -> tuple[Sample, np.ndarray]:
    """Rows enough for every command, and a second model's scores."""
    one = sample(rng, UNIT, rows=(10, 24), prevalence=False)
    return one, rng.random(len(one)).round(2)


def file_of(folder: Path, one: Sample, other: np.ndarray, name: str = "rows.csv") -> Written:
    """The rows as a CSV of plain names, with costs and groups beside them."""
    columns: dict[str, Any] = {"y": one.y, "s": one.s, "t": other}
    if one.w is not None:
        columns["w"] = one.w
    columns["g"] = np.arange(len(one)) // 2
    columns["cost"] = 1.0 + np.arange(len(one)) % 3
    lines = [",".join(columns)]
    lines += [
        ",".join(repr(value.item()) for value in row) for row in zip(*columns.values(), strict=True)
    ]
    path = folder / name
    path.write_text("\n".join(lines) + "\n")
    weight = None if one.w is None else "w"
    return Written(path, one, other, "y", ("s", "t"), weight, None)


def on_a_file(
    rng: Rng, name: str, one: Sample, other: np.ndarray, arguments: list[str], **terms: Any
) -> Case:
    """A case that runs a command on the rows, and sees to what it leaves behind."""
    apart = rng.random() < APART
    after = terms.pop("after", json.loads)

    def call(*_: Any) -> Any:
        folder = Path(tempfile.mkdtemp(prefix="rows", dir=Path.cwd()))
        try:
            found = file_of(folder, one, other)
            out = folder / "out"
            places = {
                "FILE": str(found.path),
                "OUT": str(out),
                "--output=FILE": f"--output={found.path}",
            }
            placed = [places.get(each, each) for each in arguments]
            try:
                printed = (run_apart if apart else run)(*placed)
            except ValueError:
                left = sorted(path.name for path in folder.iterdir())
                if left != [found.path.name]:
                    raise AssertionError(f"a refusal leaves {left}") from None
                raise
            if "OUT" in arguments:
                return after(out)
            return after(printed)
        finally:
            shutil.rmtree(folder)

    return Case(name, (one, shown(arguments)), {}, call=call, **terms)


def columns_of(one: Sample, *, second: bool) -> list[str]:
    """The options that name the columns."""
    found = ["--label", "y", "--score", "s"]
    if second:
        found += ["--score", "t"]
    if one.w is not None:
        found += ["--weight", "w"]
    return found

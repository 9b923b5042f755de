"""`costspace tally`: what is kept of a file of predictions."""

from pathlib import Path

from costspace.cli.console import check_output, progress, told_written
from costspace.cli.memory import Memory
from costspace.cli.numbers import OptionalCount
from costspace.cli.options import Output
from costspace.frames.columns import Columns
from costspace.frames.engine_names import Engine
from costspace.frames.storage import save
from costspace.frames.tallying import tally_files


def tally(
    file: Path,
    /,
    *,
    label: str,
    score: list[str],
    output: Output,
    weight: str | None = None,
    positive: str | None = None,
    bins: OptionalCount = None,
    engine: Engine = "duckdb",
    machine: Memory = Memory(),
) -> None:
    """Count the predictions in a file by score, and save the counts for later.

    Saved tables of several days add up by `costspace merge`, are compared by `costspace drift`,
    and are evaluated as files of predictions are. A day may have rows of one class only.

    Parameters
    ----------
    file
        CSV with a header, or Parquet; a glob, or a folder of files.
    label
        Column of labels.
    score
        Column of a model's scores, higher meaning more positive; once for each model.
    output
        The file to save to, in Parquet.
    weight
        Column of sample weights.
    positive
        Label of the positive class; needed unless labels are 0/1, -1/1 or true/false.
    bins
        Count by this many bins of equal width over [0, 1], so that what is kept is of bounded size
        and tells bounds; by distinct score unless given.
    engine
        What reads and counts.
    """
    machine.limit()
    check_output(output, file)
    with progress() as step:
        columns = Columns(label=label, scores=score, weight=weight, positive=positive)
        found = tally_files(
            file, columns, bins=bins, engine=engine, step=lambda name: step(name, 1)
        )
    save(output, found)
    told_written(output)

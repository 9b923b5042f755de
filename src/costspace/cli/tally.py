"""`costspace tally`: the predictions in a file, counted by score and saved."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from costspace.cli.console import check_output, progress, told_written
from costspace.cli.memory import Memory
from costspace.cli.numbers import OptionalCount, OptionalWhole
from costspace.cli.options import Output
from costspace.errors import ConditionError
from costspace.frames.columns import Columns
from costspace.frames.engine_names import Engine
from costspace.frames.relation import columns_among
from costspace.frames.saved import MOST_FOLDS
from costspace.frames.storage import Saved, save
from costspace.frames.tallying import tally_files, tally_folds


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
    folds: Annotated[OptionalWhole, Parameter(validator=Number(gte=2, lte=MOST_FOLDS))] = None,
    number: Annotated[str | None, Parameter(name="--id")] = None,
    engine: Engine = "duckdb",
    machine: Memory = Memory(),
) -> None:
    """Count the predictions in a file by score, and save the counts for later.

    `costspace merge` adds saved tables of several days up, `drift` compares them, and `evaluate`
    takes them like files of predictions. A day may have rows of one class only. Tables with folds
    are for `decide`, `report`, and `compare` by cost.

    Example: costspace tally FILE --label Y --score S -o counts.parquet

    Parameters
    ----------
    file
        CSV with a header, or Parquet; a glob, or a folder of files.
    label
        Column of labels.
    score
        Column of a model's scores, where higher means more positive; repeat it for each model.
        --score=-NAME changes the sign of a column where higher means less positive; 1-NAME is for
        the chance of the negative class; 'model_*' and all-but:A,B name several columns.
    output
        The file to save to, in Parquet.
    weight
        Column of sample weights.
    positive
        Label of the positive class; needed unless labels are 0/1, -1/1 or true/false.
    bins
        Count in this many bins of equal width over [0, 1]: the table stays small, and numbers have
        bounds. Default: by distinct score.
    folds
        Count in this many folds, so that `costspace decide` can use the table. For a file of rows
        it uses 5.
    number
        With --folds, column of a unique whole number in each row, which sets the row's fold.
        Default: the order of rows sets it, which spark does not keep.
    engine
        Engine that reads and counts.
    """
    machine.limit()
    if folds is None and number is not None:
        raise ConditionError("--id is for rows in folds: add --folds.")
    if folds is not None:
        _check_rows({"--bins": bins, "--weight": weight})
    check_output(output, file)
    found: Saved
    with progress() as step:
        asked = Columns(label=label, scores=score, weight=weight, positive=positive)
        columns = columns_among(file, asked, [] if number is None else [number])
        if folds is None:
            found = tally_files(
                file, columns, bins=bins, engine=engine, step=lambda name: step(name, 1)
            )
        else:
            found = tally_folds(file, columns, folds=folds, engine=engine, number=number, step=step)
    save(output, found)
    told_written(output)


def _check_rows(options: dict[str, object]) -> None:
    """`ConditionError` if rows in folds are to be counted otherwise than one by one."""
    for option, given in options.items():
        if given is not None:
            raise ConditionError(
                f"{option} and --folds are both given, and rows in folds count 1 each, in runs of "
                "neighbouring scores: give one."
            )

"""`costspace decide`: from bounds on costs and prevalence to a decision, in money."""

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from costspace.cli.console import check_output, page, progress, write_json
from costspace.cli.decide_options import Columns, Known, Limits, Terms
from costspace.cli.decision_page import print_decision
from costspace.decision.deciding import decide_rows
from costspace.decision.holdout import FOLDS
from costspace.errors import ConditionError
from costspace.frames.files import read_rows
from costspace.frames.paths import first_bytes
from costspace.inference.interval import check_level
from costspace.scores.rows import ScoredRows


def decide(
    file: Path,
    /,
    *,
    columns: Columns,
    known: Known = Known(),
    limits: Limits = Limits(),
    randomise: bool = True,
    validate: Path | None = None,
    folds: Annotated[int | None, Parameter(validator=Number(gte=2))] = None,
    level: float = 0.95,
    json: Annotated[bool, Parameter(negative="")] = False,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
) -> None:
    """Decide which model to use, how to set its threshold, and what that will cost.

    Parameters
    ----------
    file
        CSV with a header, or Parquet.
    randomise
        Let constraints be met exactly, by flagging a share of the cases at random between two
        thresholds.
    validate
        File of other rows, with the same columns, to rank methods on; folds of the first file
        unless given.
    folds
        Number of those folds; 5 unless given.
    level
        Confidence level of the intervals.
    json
        Write JSON, in full precision.
    output
        Write to this file instead of the terminal.
    """
    # What is asked is checked before a long file is read.
    terms = known.terms()
    constraints = limits.constraints()
    check_level(level)
    if folds is not None and validate is not None:
        raise ConditionError("--folds divide the file where there is no --validate: give one.")
    if validate is not None:
        # Before the first file is read, it should be known that there is a second one.
        first_bytes(validate)
    check_output(output, *(path for path in (file, validate) if path is not None))
    with progress() as step:
        rows = _read(file, columns, terms, step)
        others = None if validate is None else _read(validate, columns, terms, step)
        decision = decide_rows(
            rows,
            terms.conditions(rows),
            constraints=constraints,
            validation=others,
            calibrated_to=known.calibrated_to,
            folds=FOLDS if folds is None else folds,
            randomise=randomise,
            level=level,
            path=str(file),
            progress=step("deciding", 1),
        )
    if json:
        write_json(decision.to_dict(), output)
    else:
        with page(output) as console:
            print_decision(decision, console)


def _read(
    file: Path,
    columns: Columns,
    terms: Terms,
    step: Callable[[str, float], Callable[[float], None]],
) -> ScoredRows:
    return read_rows(
        file,
        label=columns.label,
        scores=columns.score,
        weight=columns.weight,
        positive=columns.positive,
        groups=columns.groups,
        costs=terms.by_case,
        progress=step(f"reading {file.name}", 100),
    )

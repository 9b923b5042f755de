"""`costspace decide`: from bounds on costs and prevalence to a decision, in money."""

from contextlib import ExitStack
from os.path import realpath
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from costspace.cli.console import check_output, page, progress, told_written, write_json
from costspace.cli.decide_options import Known, LimitOptions, parse_baseline, read_besides
from costspace.cli.engines import CountedBy
from costspace.cli.memory import Memory
from costspace.cli.numbers import OptionalWhole, Real
from costspace.cli.options import DEFAULT_LEVEL, AskedColumns, OptionalOutput, read
from costspace.deferral import deferred_calls
from costspace.errors import ConditionError, FileError

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.cli.choice_names import choices_named
    from costspace.cli.decision_page import print_decision
    from costspace.cli.predictions import predictions_of, rows_of
    from costspace.decision.deciding import decide_rows
    from costspace.decision.decision import Decision
    from costspace.decision.strategy import check_known
    from costspace.frames.paths import first_bytes
    from costspace.inference.interval import check_level


def decide(
    file: Path,
    /,
    *,
    columns: AskedColumns,
    known: Known = Known(),
    limits: LimitOptions = LimitOptions(),
    choice: list[str] | None = None,
    baseline: str | None = None,
    randomise: Annotated[bool, Parameter(negative="")] = False,
    validate: Path | None = None,
    folds: Annotated[OptionalWhole, Parameter(validator=Number(gte=2))] = None,
    level: Real = DEFAULT_LEVEL,
    details: bool = False,
    json: bool = False,
    output: OptionalOutput = None,
    save: Path | None = None,
    counted: CountedBy = CountedBy(),
    machine: Memory = Memory(),
) -> None:
    """Decide which model to use, how to set its threshold, and what that will cost.

    Parameters
    ----------
    file
        CSV with a header, or Parquet.
    choice
        How thresholds are set, once for each: such as smoothed, or queue with --capacity; those
        that suit what is known, unless given.
    baseline
        The rule in use, to compare with: MODEL:THRESHOLD, such as logistic:0.5, or a column of what
        it decided, 0 or 1.
    randomise
        Let rules meet constraints exactly by flagging a share of the cases at random between two
        thresholds.
    validate
        File of other rows, with the same columns, to compare strategies on; folds of the first file
        unless given.
    folds
        Number of those folds; 5 unless given.
    level
        Confidence level of the intervals.
    details
        Say too what each strategy costs where, where the money goes, and what would lower it.
    json
        Write JSON, in full precision.
    output
        Write to this file instead of the terminal.
    save
        Save the decision to this file, in JSON, for costspace apply.
    """
    machine.limit()
    from costspace.decision.holdout import FOLDS

    # What is asked is checked before a long file is read.
    given, in_use = known.given(), parse_baseline(baseline)
    constraints = limits.constraints()
    check_level(level)
    check_known(known.known)
    choices_named(choice or (), 0.5, constraints.capacity)
    if folds is not None and validate is not None:
        raise ConditionError("--folds divide the file where there is no --validate: give one.")
    if validate is not None:
        # Before the first file is read, it should be known that there is a second one.
        first_bytes(validate)
    read_too = [path for path in (file, validate) if path is not None]
    check_output(output, *read_too)
    check_output(save, *read_too)
    if output is not None and save is not None and realpath(output) == realpath(save):
        raise FileError(f"{save} is given to --output and --save: give two names.")
    columns = read_besides(columns, in_use)
    by_case = given.by_case is not None
    counted.check(columns, by_case=by_case, validate=validate is not None)
    folds = FOLDS if folds is None else folds
    plain = validate is None and not by_case
    # A large file stays open while what is asked of the decision is counted.
    with ExitStack() as opened:
        with progress() as step:
            if plain:
                predictions = opened.enter_context(
                    predictions_of(file, columns, step, counted, folds)
                )
            else:
                predictions = read(file, columns, step, given.by_case)
            rows = rows_of(predictions)
            others = None if validate is None else read(validate, columns, step, given.by_case)
            own = known.calibrated_to or rows.prevalence
            decision = decide_rows(
                predictions,
                given.conditions(rows),
                constraints=constraints,
                validation=others,
                known=check_known(known.known),
                choices=choices_named(choice, own, constraints.capacity) if choice else None,
                baseline=in_use,
                calibrated_to=known.calibrated_to,
                folds=folds,
                randomise=randomise,
                level=level,
                path=str(file),
                progress=step("deciding", 1),
            )
        _tell(decision, known, details=details, json=json, output=output, save=save)


def _tell(
    decision: Decision,
    known: Known,
    *,
    details: bool,
    json: bool,
    output: Path | None,
    save: Path | None,
) -> None:
    """Save and show a decision."""
    if save is not None:
        decision.save(save)
        told_written(save)
    if json:
        write_json(decision.to_dict(details=details), output)
    else:
        with page(output) as console:
            last = "" if details else None
            if save is not None:
                last = f"To apply it: {_applying(decision, known, save)}"
            print_decision(decision, console, last=last)
            if details:
                # What few ask for is loaded where they do.
                from costspace.cli.decision_details import print_details

                print_details(decision, console)


def _applying(decision: Decision, known: Known, path: Path) -> str:
    """The command that applies a decision, with what it has to be told of new cases."""
    rules, task = decision.rules, decision.task
    told = known.of_cases() if rules.follows_costs else {}
    if rules.follows_prevalence:
        told["--prevalence"] = "NUMBER"
    by_condition = task.randomise and bool(task.limits)
    if by_condition if rules.rule is None else rules.rule.randomised:
        told["--seed"] = "NUMBER"
    options = [f"{name} {quote(value)}" for name, value in told.items()]
    # A name that begins with a hyphen would be taken for an option.
    name = f"./{path}" if str(path).startswith("-") else str(path)
    return " ".join(("costspace apply", quote(name), "NEW_CASES.csv", *options))

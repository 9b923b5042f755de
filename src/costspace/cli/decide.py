"""`costspace decide`: which model to use, how to set its threshold, and the cost."""

from contextlib import ExitStack
from os.path import realpath
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter
from cyclopts.validators import Number
from rich.console import Console

from costspace.cli.answer import GateOptions, give
from costspace.cli.choice_names import HELP
from costspace.cli.console import check_output, progress, told_written
from costspace.cli.decide_options import Known, LimitOptions
from costspace.cli.engines import CountedBy
from costspace.cli.memory import Memory
from costspace.cli.numbers import OptionalWhole, Real
from costspace.cli.options import DEFAULT_LEVEL, AskedColumns, OptionalOutput, RowsOptions
from costspace.cli.question import Question
from costspace.deferral import deferred_calls
from costspace.errors import FileError

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.cli.decision_page import print_decision
    from costspace.cli.lines import command_lines, each_wrapped
    from costspace.decision.decision import Decision
    from costspace.decision.sentences.settled import settling_told
    from costspace.decision.sentences.terms import term

_CHOICE = f"The {HELP}. Default: those that suit what is known."


def decide(
    file: Path,
    /,
    *,
    columns: AskedColumns = AskedColumns(),
    known: Known = Known(),
    limits: LimitOptions = LimitOptions(),
    choice: Annotated[list[str] | None, Parameter(help=_CHOICE)] = None,
    baseline: str | None = None,
    by: list[str] | None = None,
    actions: str | None = None,
    randomise: Annotated[bool, Parameter(negative="")] = False,
    validate: Path | None = None,
    folds: Annotated[OptionalWhole, Parameter(validator=Number(gte=2))] = None,
    level: Real = DEFAULT_LEVEL,
    details: bool = False,
    wanted: RowsOptions = RowsOptions(),
    gate: GateOptions = GateOptions(),
    json: bool = False,
    output: OptionalOutput = None,
    save: Path | None = None,
    counted: CountedBy = CountedBy(),
    machine: Memory = Memory(),
) -> int:
    """Decide which model to use, how to set its threshold, and what that will cost.

    Example: costspace decide FILE --label Y --score S --fp-cost 1 --fn-cost 10:100

    Parameters
    ----------
    file
        CSV with a header, or Parquet; or a table that `costspace tally --folds` has saved.
    baseline
        The rule in use, to compare with: MODEL:THRESHOLD, such as logistic:0.5, or a column of what
        it decided, 0 or 1, yes or no. With a review MODEL:LOW:HIGH, which reviews scores above LOW,
        or a column of pass, review and flag.
    by
        Column whose values divide the rows into segments, such as a region: what the one rule costs
        and saves in each. Repeat it for several columns.
    actions
        What to call the actions, as approve,review,decline: passing and flagging, with a review
        passing, reviewing and flagging. costspace apply writes these words.
    randomise
        Meet limits exactly: flag a share of the cases between two thresholds at random.
    validate
        File of held-out rows with the same columns, to compare strategies on. Default: folds of the
        first file.
    folds
        Number of folds. Default: 5, or those of a saved table.
    level
        Confidence level of the intervals.
    details
        Print also what each strategy costs at which conditions, what the cost is made of, and what
        would lower it.
    json
        Write JSON, in full precision.
    output
        Write to this file instead of the terminal.
    save
        Save the decision to this file, in JSON, for costspace apply.
    """
    machine.limit()
    gate.check()
    wanted.check()
    question = Question(
        file=file,
        columns=columns,
        known=known,
        limits=limits,
        counted=counted,
        level=level,
        choice=choice,
        baseline=baseline,
        actions=actions,
        randomise=randomise,
        validate=validate,
        folds=folds,
        by=by or (),
    )
    question.check()
    check_output(output, *question.files)
    check_output(save, *question.files)
    if output is not None and save is not None and realpath(output) == realpath(save):
        raise FileError(f"{save} is given to --output and --save: give two names.")
    # A large file stays open while what is asked of the decision is counted.
    with ExitStack() as opened:
        with progress() as step:
            decision, divided = opened.enter_context(question.divided(step))
        if save is not None:
            labels = (columns.label, columns.positive)
            decision.saved().beside(*labels).save(save)
            told_written(save)
        applying = () if save is None else _applying(decision, known, limits.batch, save)

        def shown(console: Console) -> None:
            last = each_wrapped(settling_told(wanted.of(decision))) if wanted.asked else []
            last += command_lines(_told(decision), applying) if applying else []
            if divided is not None and not details:
                from costspace.cli.money_segments import print_by_segment

                print_by_segment(divided, [decision.recommendation.instruction], console, last)
                return
            print_decision(decision, console, last=last, details=details)
            if details:
                # What few ask for is loaded where they do.
                from costspace.cli.decision_details import print_details

                print_details(decision, console)
            if divided is not None:
                from costspace.cli.money_segments import print_every_segment

                print_every_segment(divided, console)

        def plain() -> dict[str, Any]:
            found = decision.to_dict(details=details)
            if divided is not None:
                found |= divided.to_dict()
            if wanted.asked:
                settling = wanted.of(decision)
                found["settling"] = None if settling is None else settling.to_dict()
            return found

        return give(plain, shown, gate, json=json, output=output)


def _told(decision: Decision) -> str:
    """What is saved to be applied: what costs least, where another rule is stated."""
    found = decision.strategy
    if found is None or decision.recommendation.stated == found:
        return "To apply it:"
    return f"To {term(found)}, which costs least:"


def _applying(decision: Decision, known: Known, batch: str | None, path: Path) -> list[str]:
    """The command that applies a decision, with what it has to be told of new cases, in words."""
    rules, task = decision.rules, decision.task
    told = known.of_cases() if rules.follows_costs else {}
    if rules.follows_prevalence:
        told["--prevalence"] = "NUMBER"
    by_condition = task.randomise and bool(task.limits)
    if by_condition if rules.conditional else (rules.rule is not None and rules.rule.randomised):
        told["--seed"] = "NUMBER"
    if batch is not None and rules.queued:
        told["--batch"] = batch
    options = [f"{name} {quote(value)}" for name, value in told.items()]
    # A name that begins with a hyphen would be taken for an option.
    name = f"./{path}" if str(path).startswith("-") else str(path)
    return ["costspace apply", quote(name), "NEW_CASES.csv", *options]

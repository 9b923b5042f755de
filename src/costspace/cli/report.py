"""`costspace report`: one page that says what to do, and answers when costs change."""

from contextlib import ExitStack
from pathlib import Path

from costspace.cli.console import check_output, progress, told_written
from costspace.cli.decide_options import Known, LimitOptions
from costspace.cli.engines import CountedBy
from costspace.cli.memory import Memory
from costspace.cli.numbers import OptionalReal, Real
from costspace.cli.options import (
    DEFAULT_LEVEL,
    AskedColumns,
    Axis,
    Output,
    parse_costs,
    parse_prevalence,
)
from costspace.cli.question import Question
from costspace.cli.sheet_options import SheetOptions
from costspace.estimates.interval import check_level
from costspace.frames.fingerprint import fingerprint_of
from costspace.output import write_text
from costspace.report.gathering import check_business, contents_of
from costspace.report.page import to_html
from costspace.report.sheet import to_sheet


def report(
    file: Path,
    /,
    *,
    columns: AskedColumns = AskedColumns(),
    known: Known = Known(),
    limits: LimitOptions = LimitOptions(),
    baseline: str | None = None,
    validate: Path | None = None,
    costs: str = "uniform(0,1)",
    axis: Axis = "cost",
    level: Real = DEFAULT_LEVEL,
    currency: str = "",
    cases_a_year: OptionalReal = None,
    sheet: SheetOptions = SheetOptions(),
    output: Output,
    counted: CountedBy = CountedBy(),
    machine: Memory = Memory(),
) -> None:
    """Write a page that says what to do, what it costs, and answers when costs change.

    The page is one file that loads nothing from elsewhere: mail it, open it in any browser. Without
    costs it asks for them.

    Example: costspace report FILE --label Y --score A --score B -o page.html

    Parameters
    ----------
    file
        CSV with a header, or Parquet; or a table that `costspace tally --folds` has saved.
    baseline
        The rule in use, to compare with: MODEL:THRESHOLD, such as logistic:0.5, or a column of what
        it decided, 0 or 1.
    validate
        File of held-out rows with the same columns, to compare strategies on. Default: folds of the
        first file.
    costs
        Distribution of operating conditions that weights expected losses: uniform(0,1) or 0:1,
        beta(2,2), point(0.2) or 0.2.
    axis
        Axis of the expected losses shown.
    level
        Confidence level of the intervals.
    currency
        The sign of amounts that the page opens with, such as EUR.
    cases_a_year
        Number of cases a year: the page says what they cost.
    output
        Write the page to this file.
    """
    machine.limit()
    # What is asked is checked before a long file is read.
    distribution, at = parse_costs(costs), parse_prevalence(known.prevalence)
    check_level(level)
    check_business(currency, cases_a_year)
    question = Question(
        file=file,
        columns=columns,
        known=known,
        limits=limits,
        counted=counted,
        level=level,
        baseline=baseline,
        validate=validate,
    )
    asked = sheet.sheet or known.asked or baseline is not None or bool(limits.constraints())
    if asked:
        question.check()
    else:
        question.check_predictions()
    check_output(output, *question.files)
    with progress() as step, ExitStack() as opened:
        decision = opened.enter_context(question.decided(step)) if asked else None
        rows = None
        if decision is None:
            rows = opened.enter_context(question.opened(step))
        found = contents_of(
            None,
            prevalence=at,
            costs=distribution,
            axis=axis,
            level=level,
            rows=rows,
            path=str(file),
            decision=decision,
            columns_used={
                "label": columns.label,
                "weight": columns.weight,
                "groups": columns.groups,
            },
            currency=currency,
            cases_a_year=cases_a_year,
        )
        data = fingerprint_of(file, saved=question.saved is not None, period=sheet.period)
        to = to_sheet if sheet.sheet else to_html
        write_text(output, to(found, owner=sheet.owner, purpose=sheet.purpose, data=data))
    told_written(output)

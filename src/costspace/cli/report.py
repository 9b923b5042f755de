"""`costspace report`: one page that shows everything and answers when costs change."""

from pathlib import Path

from costspace.cli.console import check_output, progress, told_written
from costspace.cli.decide_options import Given
from costspace.cli.memory import Memory
from costspace.cli.numbers import Real
from costspace.cli.options import (
    DEFAULT_LEVEL,
    AskedColumns,
    Axis,
    Output,
    parse_amount,
    parse_costs,
    parse_prevalence,
    read,
)
from costspace.decision.deciding import decide_rows
from costspace.deployment.parts import NumberOrBounds
from costspace.errors import ConditionError
from costspace.evaluation.computing import tables_of
from costspace.inference.interval import check_level
from costspace.output import write_text
from costspace.report.gathering import contents_of
from costspace.report.page import to_html


def report(
    file: Path,
    /,
    *,
    columns: AskedColumns,
    fp_cost: str | None = None,
    fn_cost: str | None = None,
    prevalence: str | None = None,
    costs: str = "uniform(0,1)",
    axis: Axis = "cost",
    level: Real = DEFAULT_LEVEL,
    output: Output,
    machine: Memory = Memory(),
) -> None:
    """Write a page that shows models in ROC and cost space, and answers when costs change.

    The page is one file that loads nothing from elsewhere: mail it, open it in any browser.

    Parameters
    ----------
    file
        CSV with a header, or Parquet.
    fp_cost
        Cost of a false positive that the page opens with, a number or LOW:HIGH.
    fn_cost
        Cost of a false negative, likewise. With both costs the page has the decision, too.
    prevalence
        Share of positives at deployment, a number or LOW:HIGH; the file's unless given.
    costs
        Distribution of operating conditions that weights expected losses: uniform(0,1) or 0:1,
        beta(2,2), point(0.2) or 0.2.
    axis
        Axis of the expected losses shown first.
    level
        Confidence level of the intervals.
    output
        Write the page to this file.
    """
    machine.limit()
    # What is asked is checked before a long file is read.
    distribution = parse_costs(costs)
    amounts, at = _amounts(fp_cost, fn_cost), parse_prevalence(prevalence)
    given = Given(amounts, {}, at) if amounts else None
    check_level(level)
    check_output(output, file)
    with progress() as step:
        rows = read(file, columns, step)
        decision = None
        if given is not None:
            decision = decide_rows(
                rows,
                given.conditions(rows),
                level=level,
                path=str(file),
                progress=step("deciding", 1),
            )
        found = contents_of(
            tables_of(rows),
            known={**amounts, "prevalence": at},
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
        )
        write_text(output, to_html(found))
    told_written(output)


def _amounts(fp_cost: str | None, fn_cost: str | None) -> dict[str, NumberOrBounds]:
    """Both costs by their names, or none of them."""
    if fp_cost is None and fn_cost is None:
        return {}
    if fp_cost is None or fn_cost is None:
        raise ConditionError(
            "--fp-cost and --fn-cost go together: give both, each a number or LOW:HIGH such as "
            "500:5000, or none."
        )
    return {
        "fp_cost": parse_amount("--fp-cost", fp_cost),
        "fn_cost": parse_amount("--fn-cost", fn_cost),
    }

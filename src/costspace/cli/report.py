"""`costspace report`: one page that shows everything and answers when costs change."""

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from costspace.cli.console import check_output, progress
from costspace.cli.decide_options import Amount, Columns, parse_amount, parse_prevalence
from costspace.cli.evaluate import parse_costs
from costspace.decision.deciding import decide_rows
from costspace.decision.decision import Decision
from costspace.deployment.deployment import Deployment
from costspace.errors import ConditionError
from costspace.evaluation import DEFAULT_LEVEL, tables_of
from costspace.frames.files import read_rows
from costspace.inference.interval import check_level
from costspace.output import write_text
from costspace.report.gathering import contents_of
from costspace.report.page import to_html


def report(
    file: Path,
    /,
    *,
    columns: Columns,
    fp_cost: str | None = None,
    fn_cost: str | None = None,
    prevalence: str | None = None,
    costs: str = "uniform(0,1)",
    axis: Literal["cost", "skew"] = "cost",
    level: float = DEFAULT_LEVEL,
    output: Annotated[Path, Parameter(name=["--output", "-o"])],
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
        Distribution of operating conditions that weights expected losses: uniform(0,1),
        beta(2,2), point(0.2).
    axis
        Axis of the expected losses shown first.
    level
        Confidence level of the intervals.
    output
        Write the page to this file.
    """
    # What is asked is checked before a long file is read.
    distribution = parse_costs(costs)
    known = _known(fp_cost, fn_cost, prevalence)
    check_level(level)
    check_output(output, file)
    with progress() as step:
        rows = read_rows(
            file,
            label=columns.label,
            scores=columns.score,
            weight=columns.weight,
            positive=columns.positive,
            groups=columns.groups,
            progress=step(f"reading {file.name}", 100),
        )
        decision: Decision | None = None
        if known["fp_cost"] is not None:
            at = rows.prevalence if known["prevalence"] is None else known["prevalence"]
            decision = decide_rows(
                rows,
                Deployment(known["fp_cost"], known["fn_cost"], at),
                level=level,
                path=str(file),
                progress=step("deciding", 1),
            )
        found = contents_of(
            tables_of(rows),
            known=known,
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


def _known(
    fp_cost: str | None, fn_cost: str | None, prevalence: str | None
) -> dict[str, Amount | None]:
    """What is known about deployment, or `ConditionError` unless it can be so."""
    if (fp_cost is None) != (fn_cost is None):
        raise ConditionError(
            "--fp-cost and --fn-cost go together: give both, each a number or LOW:HIGH such as "
            "500:5000, or none."
        )
    known: dict[str, Amount | None] = {"fp_cost": None, "fn_cost": None}
    known["prevalence"] = parse_prevalence(prevalence)
    if fp_cost is not None and fn_cost is not None:
        known["fp_cost"] = parse_amount("--fp-cost", fp_cost)
        known["fn_cost"] = parse_amount("--fn-cost", fn_cost)
        at = 0.5 if known["prevalence"] is None else known["prevalence"]
        # Costs that cannot be are so at any prevalence.
        Deployment(known["fp_cost"], known["fn_cost"], at)
    return known

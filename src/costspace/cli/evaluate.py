"""`costspace evaluate`: models by every metric and choice method."""

import re
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter
from rich.console import Console
from rich.table import Table
from rich.text import Text

from costspace.cli.console import page, printable, progress, say, write_json
from costspace.condition import check_prevalence
from costspace.costs import Beta, CostDistribution, Point, Uniform
from costspace.errors import ConditionError
from costspace.evaluation import (
    DEFAULT_LEVEL,
    Evaluation,
    ends_shown,
    evaluate_tables,
    shown,
    tables_of,
)
from costspace.frames.files import read_rows
from costspace.inference.interval import check_level
from costspace.metrics.by_name import LARGER_IS_BETTER

_COSTS = {"uniform": Uniform, "beta": Beta, "point": Point}


def evaluate(
    file: Path,
    /,
    *,
    label: str,
    score: Annotated[list[str], Parameter(negative="")],
    weight: str | None = None,
    positive: str | None = None,
    prevalence: float | None = None,
    costs: str = "uniform(0,1)",
    axis: Literal["cost", "skew"] = "cost",
    intervals: Annotated[bool, Parameter(negative="")] = False,
    level: float | None = None,
    groups: str | None = None,
    json: Annotated[bool, Parameter(negative="")] = False,
    output: Annotated[Path | None, Parameter(name=["--output", "-o"])] = None,
) -> None:
    """Evaluate the models in a file of predictions, by every metric and choice method.

    Parameters
    ----------
    file
        CSV with a header, or Parquet.
    label
        Column of labels.
    score
        Column of a model's scores, higher meaning more positive; once for each model.
    weight
        Column of sample weights.
    positive
        Label of the positive class; needed unless labels are 0/1, -1/1 or true/false.
    prevalence
        Share of positives at deployment; the file's unless given.
    costs
        Distribution of operating conditions that weights expected losses: uniform(0,1),
        beta(2,2), point(0.2).
    axis
        Axis of the expected losses printed; JSON has both.
    intervals
        Give every number a confidence interval.
    level
        Confidence level of the intervals; 0.95 unless given.
    groups
        Column that says which cluster a row belongs to, such as a patient or a customer: rows of
        one may depend on each other, and the intervals allow for it.
    json
        Write JSON, in full precision.
    output
        Write to this file instead of the terminal.
    """
    # What is asked is checked before a long file is read.
    distribution = parse_costs(costs)
    if prevalence is not None:
        check_prevalence(prevalence)
    if intervals:
        level = check_level(DEFAULT_LEVEL if level is None else level)
    else:
        for option, given in (("--level", level), ("--groups", groups)):
            if given is not None:
                raise ConditionError(f"{option} is for intervals: add --intervals.")
    with progress() as step:
        rows = read_rows(
            file,
            label=label,
            scores=score,
            weight=weight,
            positive=positive,
            groups=groups,
            progress=step(f"reading {file.name}", 100),
        )
        evaluation = evaluate_tables(
            tables_of(rows),
            costs=distribution,
            axis=axis,
            prevalence=prevalence,
            level=level,
            rows=rows,
            path=str(file),
            progress=step("evaluating", len(score)),
        )
    if json:
        write_json(evaluation.to_dict(), output)
    else:
        with page(output) as console:
            _print_evaluation(evaluation, console)


def parse_costs(text: str) -> CostDistribution:
    """The distribution that ``uniform(0,1)``, ``beta(2,2)`` or ``point(0.2)`` names."""
    call = re.fullmatch(r"\s*(\w+)\s*\(([^()]*)\)\s*", text)
    wanted = f"--costs must be like uniform(0,1), beta(2,2) or point(0.2), got {text!r}."
    if call is None or call[1] not in _COSTS:
        raise ConditionError(wanted)
    try:
        numbers = [float(number) for number in call[2].split(",")]
        return _COSTS[call[1]](*numbers)
    except ConditionError:
        raise
    except (TypeError, ValueError):
        raise ConditionError(wanted) from None


def _print_evaluation(evaluation: Evaluation, console: Console) -> None:
    say(console, f"{evaluation.source.path}: {evaluation.summary()}")
    intervals = evaluation.intervals()
    for section, quantities in evaluation.sections().items():
        table = Table(box=None, pad_edge=False)
        table.add_column()
        for name in evaluation.models:
            table.add_column(Text(printable(name)), justify="right", overflow="fold")
        for quantity, values in quantities.items():
            table.add_row(quantity, *_row(quantity, values))
            if intervals:
                ends = intervals[section][quantity]
                table.add_row("", *(Text(ends_shown(found), "dim") for found in ends))
        console.print()
        say(console, section, "bold")
        console.print(table)
    lines = [
        f"{name}: {next(iter(model.notes.values()))}"
        for name, model in evaluation.models.items()
        if model.notes
    ]
    lines += evaluation.remarks()
    if lines:
        console.print()
    for line in lines:
        say(console, line)
    if len(evaluation.models) > 1 and console.is_terminal:
        console.print()
        say(console, "The best of each row is bold.", "dim")


def _row(quantity: str, values: list[float | None]) -> list[Text]:
    """A row's cells, the best of several in bold."""
    numbers = [value for value in values if value is not None]
    pick = max if quantity in LARGER_IS_BETTER else min
    best = pick(numbers) if len(values) > 1 and numbers else None
    return [Text(shown(v), "bold" if v is not None and v == best else "") for v in values]

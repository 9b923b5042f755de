"""`costspace compare`: models two at a time, with intervals and p-values."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Literal

from cyclopts import Parameter

from costspace.cli.answer import GateOptions, give
from costspace.cli.bands import band_lines, band_rows
from costspace.cli.choice_names import HELP
from costspace.cli.comparison_page import print_comparison
from costspace.cli.console import check_output, progress
from costspace.cli.decide_options import Known, LimitOptions
from costspace.cli.engines import CountedBy
from costspace.cli.fitting_metric import BY_COST, of_probabilities
from costspace.cli.memory import Memory
from costspace.cli.money_page import compare_by_money
from costspace.cli.options import (
    EVERY_CONDITION,
    AskedColumns,
    Axis,
    Differences,
    OptionalOutput,
    check_metrics,
    parse_prevalence,
    read,
)
from costspace.cli.question import Question
from costspace.costs import CostDistribution
from costspace.errors import ConditionError
from costspace.estimates.comparing import compare_samples
from costspace.estimates.named import LOSSES, statistic_named
from costspace.frames.columns import Columns
from costspace.metrics import METRICS

_CHOICE = f"By cost, {HELP}, of which each model has its own best. Default: those of decide."


def compare(
    file: Path,
    /,
    *,
    columns: AskedColumns = AskedColumns(),
    metric: list[str] | None = None,
    known: Known = Known(),
    limits: LimitOptions = LimitOptions(),
    choice: Annotated[list[str] | None, Parameter(help=_CHOICE)] = None,
    baseline: str | None = None,
    by: list[str] | None = None,
    differences: Differences = Differences(),
    bands: Literal["score_fixed", "score_uniform", "score_driven", "optimal"] | None = None,
    axis: Axis | None = None,
    gate: GateOptions = GateOptions(),
    json: bool = False,
    output: OptionalOutput = None,
    counted: CountedBy = CountedBy(),
    machine: Memory = Memory(),
) -> int:
    """Compare the models in a file of predictions, two at a time, on the same rows.

    By metrics; or by cost, where --fp-cost and --fn-cost say what errors cost: what one model saves
    against another, each with a threshold of its own. `costspace decide` says which rule to use.

    Example: costspace compare FILE --label Y --score A --score B

    Parameters
    ----------
    file
        CSV with a header, or Parquet; by cost also a table that `costspace tally --folds` has
        saved.
    metric
        What to compare by; repeat it for several: a metric of `evaluate`, or an expected loss such
        as expected_loss.cost.optimal. Default: AUC, Brier score (with --costs the loss of
        probabilities over them), H, VOROS and optimal expected loss.
    baseline
        By cost, the rule in use: MODEL:THRESHOLD, such as logistic:0.5, or a column of what it
        decided, 0 or 1. Every model is compared with it.
    by
        By cost, column whose values divide the rows into segments: what the rule that decide states
        costs and saves in each. Repeat it for several columns.
    bands
        Say in which conditions one model has less loss than another under this threshold choice
        method, by simultaneous confidence bands.
    axis
        What the conditions of the bands are. Default: cost, for cost proportion.
    json
        Write JSON, in full precision.
    output
        Write to this file instead of the terminal.
    """
    machine.limit()
    gate.check()
    asked = limits, choice, baseline, by, counted
    in_money = asked != (LimitOptions(), None, None, None, CountedBy())
    if known.asked or in_money:
        _refuse({"--metric": metric, "--bands": bands, "--axis": axis}, differences)
        terms = differences.terms()
        question = Question(
            file=file,
            columns=columns,
            known=known,
            limits=limits,
            counted=counted,
            level=terms["level"],
            choice=choice,
            baseline=baseline,
            by=by or (),
        )
        return compare_by_money(question, terms["correction"], gate, json=json, output=output)
    # What is asked is checked before a long file is read.
    terms = differences.terms()
    terms["prevalence"] = _one_prevalence(known)
    if axis is not None and bands is None:
        raise ConditionError("--axis is for bands: add --bands.")
    metrics = _compared(terms["costs"]) if metric is None else tuple(metric)
    check_metrics(metrics, (*METRICS, *LOSSES))
    for name in metrics:
        statistic_named(name, terms["costs"])
    named = _columns_of_rows(file, columns)
    if len(named.scores) < 2:
        raise ConditionError("there is one model to compare: give --score twice.")
    check_output(output, file)
    with progress() as step:
        rows = read(file, named, step).rows
        comparison = compare_samples(
            [rows.counting], metrics=metrics, progress=step("comparing", 1), **terms
        )
        conditions = None
        if bands is not None:
            at = {name: terms[name] for name in ("level", "prevalence")}
            conditions = band_rows(rows, bands, axis or "cost", **at)

    def plain() -> dict[str, Any]:
        source = {"path": str(file), "rows": comparison.n}
        banded = {} if conditions is None else {"bands": conditions}
        return {"source": source, **comparison.to_dict(), **banded}

    told = band_lines(conditions, comparison.level) if conditions else []
    shown = partial(print_comparison, comparison, costs=str(terms["costs"]), bands=told)
    return give(plain, shown, gate, json=json, output=output)


def _compared(costs: CostDistribution) -> tuple[str, ...]:
    """What models are compared by unless it is said."""
    probabilities = of_probabilities(str(costs), prefix=BY_COST)
    return "auc", probabilities, "h_measure", "voros", f"{BY_COST}optimal"


def _refuse(options: Mapping[str, object], differences: Differences) -> None:
    """`ConditionError` if what is asked by money has options of metrics beside it."""
    given = [name for name, value in options.items() if value is not None]
    given += ["--costs"] if differences.costs != EVERY_CONDITION else []
    if given:
        raise ConditionError(
            f"{given[0]} is for metrics, and costs, limits, --choice and --baseline are for cost: "
            "compare by one at a time."
        )


def _columns_of_rows(file: Path, columns: AskedColumns) -> Columns:
    """The columns for metrics, which need rows."""
    if columns.label is None:
        # Only saved tables need what reads them.
        from costspace.frames.storage import load_if_saved

        if load_if_saved(file) is not None:
            raise ConditionError(
                f"metrics are compared row by row, and {file} is a saved table, which keeps none: "
                "give --fp-cost and --fn-cost to compare by cost, or name the file of predictions "
                "and its --label."
            )
    return columns.of_rows(file)


def _one_prevalence(known: Known) -> float | None:
    """The prevalence for metrics."""
    prevalence = parse_prevalence(known.prevalence)
    if isinstance(prevalence, tuple):
        raise ConditionError(
            "--prevalence is a range by cost only: give one number, or --fp-cost and --fn-cost."
        )
    return prevalence

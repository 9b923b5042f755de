"""`costspace evaluate`: models by every metric and choice method."""

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number
from rich.console import Console

from costspace.checks import check_prevalence
from costspace.cli.answer import GateOptions, give
from costspace.cli.console import Step, check_output, progress
from costspace.cli.evaluating import (
    Evaluated,
    Terms,
    evaluate_counted,
    evaluate_rows,
    evaluate_summaries,
)
from costspace.cli.evaluation_page import print_evaluation, print_evaluation_details
from costspace.cli.memory import Memory
from costspace.cli.numbers import OptionalCount, OptionalReal
from costspace.cli.options import (
    DEFAULT_LEVEL,
    AskedColumns,
    Axis,
    OptionalOutput,
    parse_costs,
    refuse_of_rows,
    unlabelled,
)
from costspace.cli.segments import print_segment_details, print_segments
from costspace.errors import ConditionError
from costspace.estimates.interval import check_level
from costspace.evaluation import Evaluation
from costspace.frames.engine_names import Engine
from costspace.frames.sizes import fits


def evaluate(
    file: Path,
    /,
    *,
    columns: AskedColumns = AskedColumns(),
    by: list[str] | None = None,
    prevalence: OptionalReal = None,
    costs: str = "uniform(0,1)",
    axis: Axis = "cost",
    intervals: bool = False,
    level: OptionalReal = None,
    bins: OptionalCount = None,
    width: Annotated[OptionalReal, Parameter(validator=Number(gt=0))] = None,
    engine: Engine | None = None,
    details: bool = False,
    gate: GateOptions = GateOptions(),
    json: bool = False,
    output: OptionalOutput = None,
    machine: Memory = Memory(),
) -> int:
    """Evaluate the models in a file by every metric and threshold choice method.

    Files that do not fit in memory are counted where they are: only distinct scores are in memory.
    A saved table of `costspace tally` is evaluated like its predictions.

    Example: costspace evaluate FILE --label Y --score S

    Parameters
    ----------
    file
        CSV with a header, or Parquet: a file, a glob in quotes, or a folder of files, of which
        folders such as day=2024-05-01 name a column. Or a saved table.
    by
        Column whose values divide the rows into segments, each of which is evaluated too; repeat it
        for several columns.
    prevalence
        Share of positives at deployment. Default: the file's.
    costs
        Distribution of operating conditions that weights expected losses: uniform(0,1) or 0:1,
        beta(2,2), point(0.2) or 0.2.
    axis
        Axis of the expected losses printed; JSON has both.
    intervals
        Give every number a confidence interval.
    level
        Confidence level of the intervals. Default: 0.95.
    bins
        Count scores in this many bins instead of by distinct score, so that memory is bounded.
        Numbers then have bounds, which hold for certain.
    width
        How wide bounds may be: bins are made finer where it matters, in up to three more passes.
    engine
        Engine that counts the scores, also of a file that fits in memory. Default for others:
        duckdb. dask and spark read Parquet; spark joins the running session, or starts a local one.
    details
        Print every number and every note, also where the page has no room for them.
    json
        Write JSON, in full precision.
    output
        Write to this file instead of the terminal.
    """
    machine.limit()
    gate.check()
    # What is asked is checked before a long file is read.
    distribution = parse_costs(costs)
    if prevalence is not None:
        check_prevalence(prevalence)
    # A condition is decided by the interval of its number.
    intervals = intervals or gate.asked
    if intervals:
        level = check_level(DEFAULT_LEVEL if level is None else level)
    _check_together(
        (intervals, "--intervals", {"--level": level, "--groups": columns.groups}),
        (bins is not None, "--bins", {"--width": width}),
    )
    _check_engine(engine, columns)
    check_output(output, file)
    terms = Terms(distribution, axis, prevalence, str(file), level)
    with progress() as step:
        if columns.label is None:
            refused = {**columns.of_rows_only(), "--by": by, "--bins": bins}
            evaluated = _evaluate_saved(file, columns, refused, terms, step)
        else:
            named = columns.of_rows(file, by or ())
            in_memory = engine is None and bins is None and fits(file, named)
            if columns.groups is not None or in_memory:
                evaluated = evaluate_rows(file, named, by or (), terms, step)
            else:
                counting = engine or "duckdb"
                evaluated = evaluate_counted(
                    file, named, by or (), terms, step, engine=counting, bins=bins, width=width
                )
    tested = columns.label is not None
    shown = partial(_print, evaluated, axis, details=details, tested=tested, width=width)
    return give(evaluated.to_dict, shown, gate, json=json, output=output)


def _check_together(*needs: tuple[bool, str, dict[str, object]]) -> None:
    """An error if options are given without the one that they belong to, or both of two kinds."""
    if all(there for there, *_ in needs):
        raise ConditionError(
            "--intervals needs exact scores, and --bins gives bounds: leave out one."
        )
    for there, needed, options in needs:
        for option, given in options.items():
            if given is not None and not there:
                what = "intervals" if needed == "--intervals" else "scores in bins"
                raise ConditionError(f"{option} is for {what}: add {needed}.")


def _check_engine(engine: str | None, columns: AskedColumns) -> None:
    """An error if an engine is named where none counts."""
    if engine is not None and columns.groups is not None:
        raise ConditionError("--groups needs rows in memory: leave out --engine.")
    if engine is not None and columns.label is None:
        raise ConditionError("--engine reads rows, which need --label: give both.")


def _evaluate_saved(
    file: Path, columns: AskedColumns, refused: Mapping[str, object], terms: Terms, step: Step
) -> Evaluated:
    # Only saved tables need what reads them.
    from costspace.frames.storage import chosen, counted_of, load_if_saved

    found = load_if_saved(file)
    if found is None:
        raise unlabelled(file)
    refuse_of_rows(refused)
    models = counted_of(found, file)
    names = columns.score or list(models)
    return evaluate_summaries(
        chosen(models, names, file).items(), (), terms, step("evaluating", len(names))
    )


def _print(
    evaluated: Evaluated,
    axis: str,
    console: Console,
    *,
    details: bool,
    tested: bool,
    width: float | None,
) -> None:
    """Print an evaluation: with segments these, and all else among the details."""
    overall, segments = evaluated.overall, evaluated.segments
    notes = _still_wide(overall, width)
    if details:
        print_evaluation_details(overall, console, notes)
        if segments is not None:
            print_segment_details(segments, axis, console)
    elif segments is not None:
        print_segments(segments, overall, axis, console)
    else:
        print_evaluation(overall, console, notes=notes, tested=tested)


def _still_wide(evaluation: Evaluation, width: float | None) -> list[str]:
    """What to do if bounds did not get as narrow as was asked."""
    if width is None:
        return []
    known = [model.bounds for model in evaluation.models.values() if model.bounds is not None]
    widest = max(found.width for bounds in known for found in bounds.named().values() if found)
    if widest <= width:
        return []
    return [f"Bounds are still up to {widest:.2g} wide, not {width:g}: more --bins narrow them."]

"""`costspace drift`: what has changed between two saved tables, with the evidence."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter
from rich.console import Console

from costspace.checks import check_prevalence
from costspace.cli.answer import GateOptions, give
from costspace.cli.console import Step, check_output, progress
from costspace.cli.drift_options import KeptOptions, model_kept
from costspace.cli.drift_page import print_drift, print_drift_details
from costspace.cli.drift_unlabelled import answer_unlabelled, refuse_with_unlabelled
from costspace.cli.numbers import OptionalReal
from costspace.cli.options import AskedColumns, Differences, OptionalOutput, check_metrics
from costspace.cli.periods import Periods, periods_of
from costspace.errors import ConditionError, CostspaceError, FileError
from costspace.estimates.quantities import QUANTITIES
from costspace.frames.folders import place_of
from costspace.watching.changes import Drift
from costspace.watching.drifting import drift as drift_of


def drift(
    before: Path,
    after: Path,
    /,
    *,
    columns: AskedColumns = AskedColumns(),
    metric: list[str] | None = None,
    prevalence: OptionalReal = None,
    by: list[str] | None = None,
    kept: KeptOptions = KeptOptions(),
    differences: Differences = Differences(),
    details: bool = False,
    unlabelled: Annotated[bool, Parameter(negative="")] = False,
    gate: GateOptions = GateOptions(),
    json: bool = False,
    output: OptionalOutput = None,
) -> int:
    """Say what has changed between two periods of the same models, and what to do.

    Example: costspace drift january.parquet february.parquet --fp-cost 1 --fn-cost 20

    Parameters
    ----------
    before
        A saved table, as `tally` and `merge` make them; or with --label a file of predictions.
    after
        A later one, of other rows.
    metric
        What to compare; repeat it for several: prevalence, calibration_in_the_large (mean score
        minus prevalence), a metric of `evaluate`, or an expected loss such as
        expected_loss.cost.optimal. Default: all.
    prevalence
        Share of positives at deployment, for metrics, losses and money. Default: that of the rows.
    by
        Column of both files whose values divide the rows into segments, such as a region: what
        keeping the rule costs in each, or without costs what has changed there. Repeat it for
        several columns.
    details
        Print everything that is compared of each model.
    unlabelled
        The second file has no labels yet: say what prevalence and money its scores speak for, under
        each of two assumptions, and whether the first can hold.
    json
        Write JSON, in full precision.
    output
        Write to this file instead of the terminal.
    """
    # What is asked is checked before large files are read.
    gate.check()
    terms = {**differences.terms(), "prevalence": prevalence}
    if prevalence is not None:
        check_prevalence(prevalence)
    check_metrics(metric or (), QUANTITIES)
    if place_of(before) == place_of(after):
        raise FileError(f"{after} is named twice: its rows would be compared with themselves.")
    check_output(output, before, after, *([] if kept.decision is None else [kept.decision]))
    known = kept.known()
    columns = replace(columns, score=model_kept(known, columns.score))
    if unlabelled:
        refuse_with_unlabelled(
            {"--metric": metric, "--prevalence": prevalence, "--by": by, "--details": details}
        )
        return answer_unlabelled(
            *(before, after, columns, known),
            level=terms["level"],
            gate=gate,
            json=json,
            output=output,
        )
    terms |= {"quantities": metric or QUANTITIES, **known}
    with progress() as step:
        found = _compared(periods_of(before, after, columns, by or (), step), terms, step)

    def shown(console: Console) -> None:
        if details:
            print_drift_details(before, after, found, console)
        if by:
            # What few ask for is loaded where they do.
            from costspace.cli.drift_segments import print_drift_by_segment

            print_drift_by_segment(next(iter(found.values())), console, whole=details)
        elif not details:
            print_drift(found, console)

    plain = partial(_plain, before, after, found)
    return give(plain, shown, gate, json=json, output=output)


def _compared(periods: Periods, terms: Mapping[str, Any], step: Step) -> dict[str, Drift]:
    """What has changed of each model."""
    if periods.segments is not None and len(periods.pairs) > 1:
        raise ConditionError(
            f"--by is of one model, and there are {len(periods.pairs)}: name one with --score."
        )
    done, found = step("comparing", 1), {}
    groups, segments = periods.groups, periods.segments
    for i, (name, (one, other)) in enumerate(periods.pairs.items(), 1):
        try:
            found[name] = drift_of(one, other, groups=groups, segments=segments, **terms)
        except CostspaceError as error:
            raise type(error)(f"{name}: {error}") from None
        done(i / len(periods.pairs))
    return found


def _plain(before: Path, after: Path, found: Mapping[str, Drift]) -> dict[str, Any]:
    drifts = list(found.values())
    return {
        "source": {
            "before": {"path": str(before), "rows": drifts[0].n_before},
            "after": {"path": str(after), "rows": drifts[0].n_after},
        },
        "level": drifts[0].level,
        "correction": drifts[0].correction,
        "models": {name: drifted.to_dict() for name, drifted in found.items()},
    }

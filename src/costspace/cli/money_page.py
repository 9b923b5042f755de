"""`costspace compare` in money: what a model saves against another, or against the rule in use."""

from contextlib import ExitStack
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import final

from rich.console import Console
from rich.text import Text

from costspace.cli.choice_names import choices_named
from costspace.cli.console import check_output, page, printable, progress, say, write_json
from costspace.cli.decide_options import Known, LimitOptions, parse_baseline
from costspace.cli.engines import CountedBy
from costspace.cli.lines import cut, wrapped
from costspace.cli.options import AskedColumns, Differences
from costspace.cli.predictions import AskedPredictions, rows_of
from costspace.cli.tables import NONE, interval_heading, table_of
from costspace.decision.asking import task_of
from costspace.decision.comparing_money import compare_on
from costspace.decision.evidence import StrategyMoney
from costspace.decision.held_out_counts import HeldOutCounts
from costspace.decision.money_comparison import MoneyComparison, MoneySaving
from costspace.decision.strategy import check_known
from costspace.decision.terms import rule_in_short, term
from costspace.decision.words import alone_shown, estimate_shown, known_beside, p_shown
from costspace.errors import ConditionError

_MOST_ANSWER = 3
_MORE = "In full precision: --json."


@final
@dataclass(frozen=True)
class AskedMoney:
    """What is asked of a comparison by money besides columns."""

    known: Known
    limits: LimitOptions
    choice: list[str] | None
    baseline: str | None
    differences: Differences
    counted: CountedBy


def compare_by_money(
    file: Path, columns: AskedColumns, asked: AskedMoney, *, json: bool, output: Path | None
) -> None:
    """Compare the models of a file by money, and print or write that."""
    # What is asked is checked before a long file is read.
    given, in_use = asked.known.given(), parse_baseline(asked.baseline)
    known, constraints = check_known(asked.known.known), asked.limits.constraints()
    choices_named(asked.choice or (), 0.5, constraints.capacity)
    terms = asked.differences.terms()
    asked_of = AskedPredictions(
        file=file,
        columns=columns,
        counted=asked.counted,
        baseline=asked.baseline,
        by_case=given.by_case,
    )
    asked_of.check()
    if len(asked_of.models) < 2 and in_use is None:
        raise ConditionError(
            "there is one model to compare: give --score twice, or the rule in use by --baseline."
        )
    check_output(output, file)
    with ExitStack() as opened:
        step = opened.enter_context(progress())
        predictions = opened.enter_context(asked_of.opened(step))
        rows = rows_of(predictions)
        own = asked.known.calibrated_to or rows.prevalence
        named = asked.choice and choices_named(asked.choice, own, constraints.capacity)
        task = task_of(
            predictions,
            given.conditions(rows),
            constraints=constraints,
            known=known,
            choices=named or None,
            baseline=in_use,
            calibrated_to=asked.known.calibrated_to,
            level=terms["level"],
        )
        found = compare_on(
            task,
            asked=bool(named),
            level=terms["level"],
            correction=terms["correction"],
            progress=step("comparing", 1),
        )
    if json:
        counted = isinstance(predictions, HeldOutCounts)
        size = int(sum(rows.class_weights())) if counted else len(rows)
        source = {"path": str(file), "rows": size}
        write_json({"source": source, **found.to_dict()}, output)
    else:
        with page(output) as console:
            _print(found, console)


def _print(found: MoneyComparison, console: Console) -> None:
    for line in cut(wrapped(" ".join(found.sentences)), _MOST_ANSWER):
        say(console, line, "bold")
    for remark in found.remarks():
        for line in wrapped(remark):
            say(console, line)
    if len(found.pairs) > 1:
        console.print()
        _print_pairs(found, console)
    console.print()
    _print_strategies(found, console)
    console.print()
    assumed = [one.replace(" known: ", " ") for one in found.assumptions]
    for text in (f"Assumed: {'; '.join(assumed)}.", f"{found.summary()}. {_MORE}"):
        for line in wrapped(text):
            say(console, line, "dim")


def _print_pairs(found: MoneyComparison, console: Console) -> None:
    adjusted = [f"p, {found.correction}"] if found.correction else []
    numbers = ("saves", interval_heading(found.level), "p", *adjusted)
    table = table_of(("model", "against"), numbers)
    for pair in found.pairs:
        style = "bold" if found.is_shown(pair) else ""
        table.add_row(*(Text(cell, style) for cell in _cells(pair, adjusted=bool(adjusted))))
    console.print(table)


def _cells(pair: MoneySaving, *, adjusted: bool) -> list[str]:
    names = [printable(pair.model), printable(pair.against)]
    told = _estimate(pair.saving, pair)
    tests = [pair.p, pair.p_adjusted] if adjusted else [pair.p]
    return [*names, *told, *(NONE if isnan(p) else p_shown(p) for p in tests)]


def _print_strategies(found: MoneyComparison, console: Console) -> None:
    columns = ("cost per 1,000", interval_heading(found.level))
    table = table_of(("model", "method", "threshold"), columns)
    for one in found.strategies:
        threshold = NONE if one.rule is None else rule_in_short(one.rule)
        estimate = _estimate(one.money, one)
        cells = (str(one.strategy.model), term(one.strategy), threshold, *estimate)
        table.add_row(*map(Text, map(printable, cells)))
    for name, money in found.trivial.items():
        first = found.strategies[0]
        known = first.method == "none"
        cost = alone_shown(money) if known else known_beside(money, first.low, first.high)
        table.add_row(NONE, name.replace("_", " "), NONE, cost, NONE)
    console.print(table)


def _estimate(value: float, one: MoneySaving | StrategyMoney) -> list[str]:
    """An amount and its interval, if there is one."""
    if one.method == "none":
        return [alone_shown(value), NONE]
    return list(estimate_shown(value, one.low, one.high))

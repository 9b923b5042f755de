"""`costspace compare` by cost: what a model saves against another, or against the rule in use."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import partial
from math import isnan
from pathlib import Path
from typing import final

from rich.console import Console

from costspace.cli.choice_names import choices_named
from costspace.cli.console import check_output, page, printable, progress, say, write_json
from costspace.cli.decide_options import Known, LimitOptions, parse_baseline
from costspace.cli.decision_table import BY_MODEL
from costspace.cli.engines import CountedBy
from costspace.cli.fitted_table import fitted_table
from costspace.cli.lines import LINES, WIDTH, each_wrapped, fitting, shortened, wrapped
from costspace.cli.options import AskedColumns, Differences
from costspace.cli.predictions import AskedPredictions, rows_of
from costspace.cli.tables import NONE, adjusted_heading, interval_heading
from costspace.decision.asking import task_of
from costspace.decision.comparing.comparing_money import compare_on
from costspace.decision.comparing.money_comparison import MoneyComparison
from costspace.decision.comparing.saving import MoneySaving
from costspace.decision.evidence.money_evidence import StrategyMoney
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.sentences.terms import rule_in_short, term
from costspace.decision.strategy import BASELINE, check_known
from costspace.decision.words import VARIES, alone_shown, estimate_shown, p_shown
from costspace.errors import ConditionError

_MOST_ANSWER, _MOST_REMARKS, _AROUND = 3, 3, 7
# How long names are in the answer, and where even one pair needs more room.
_NAME, _SHORT = 30, 12
_LEFT_OUT = "More warnings: --json."
_IN_USE = "rule in use"
_MORE = "In full precision: --json. Which rule to use: costspace decide."


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
    choices_named(asked.choice or (), 0.5, constraints)
    terms = asked.differences.terms()
    asked_of = AskedPredictions(
        file=file,
        columns=columns,
        counted=asked.counted,
        baseline=asked.baseline,
        batch=asked.limits.batch,
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
        rows, constraints = rows_of(predictions), asked.limits.read_constraints(file)
        own = asked.known.calibrated_to or rows.prevalence
        named = asked.choice and choices_named(asked.choice, own, constraints)
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
        size = int(sum(rows.class_weights)) if counted else len(rows)
        source = {"path": str(file), "rows": size}
        write_json({"source": source, **found.to_dict()}, output)
    else:
        with page(output) as console:
            _print(found, console)


def _print(found: MoneyComparison, console: Console) -> None:
    answer = _answer_lines(found)
    all_remarks = list(found.remarks())
    fit = fitting(all_remarks, _MOST_REMARKS)
    remarks = each_wrapped([*fit, *[_LEFT_OUT] * (len(fit) < len(all_remarks))])
    assumed = [one.replace(" known: ", " ") for one in found.assumptions]
    texts = (f"Assumed: {'; '.join(assumed)}.", f"{found.summary()}. {_MORE}")
    foot = each_wrapped([*filter(None, [found.margin_told]), *texts])
    for line in answer:
        say(console, line, "bold")
    for line in remarks:
        say(console, line)
    # Beside empty lines, headings, and what is said of rows left out.
    room = LINES - len([*answer, *remarks, *foot]) - _AROUND
    pairs = found.distinct if len(found.distinct) > 1 else ()
    strategies = len(found.strategies) + len(found.trivial)
    if pairs:
        console.print()
        _print_pairs(found, max(room - strategies, room // 2), console)
    console.print()
    _print_strategies(found, max(room - len(pairs), room - room // 2), console)
    console.print()
    for line in foot:
        say(console, line, "dim")


def _answer_lines(found: MoneyComparison) -> list[str]:
    """The answer, with shorter names or fewer pairs where it has no room for all."""
    shown = len(found.shown)
    fewer = [(_NAME, most) for most in range(shown, 1, -1)]
    among = [printable(one.strategy.whose_scores) for one in found.strategies]
    lines: list[str] = []
    for room, most in ((WIDTH, shown), *fewer, (_NAME, 1), (_SHORT, 1)):
        named = partial(_named, room=room, among=among)
        lines = wrapped(" ".join(found.sentences_of(most, named)))
        if len(lines) <= _MOST_ANSWER:
            break
    return lines


def _named(model: str, room: int, among: Sequence[str]) -> str:
    return shortened(printable(model), room, among)


def _print_pairs(found: MoneyComparison, room: int, console: Console) -> None:
    """The pairs that there is room for: those of the model that costs least come first."""
    pairs = found.distinct
    if len(pairs) > room:
        best = str(min(found.strategies, key=lambda one: one.money).strategy.model)
        pairs.sort(key=lambda pair: best not in (pair.model, pair.against))
    shown = pairs[:room]
    told = [_estimate(pair) for pair in shown]
    numbers = {
        "saves": [saving for saving, _ in told],
        interval_heading(found.level): [ends for _, ends in told],
        "p": [_p(pair.p) for pair in shown],
    }
    if found.correction:
        numbers[adjusted_heading(found.correction)] = [_p(pair.p_adjusted) for pair in shown]
    names = {
        "model": [pair.model for pair in shown],
        "against": [_IN_USE if pair.against == BASELINE else pair.against for pair in shown],
    }
    styles = ["bold" if found.is_shown(pair) else "" for pair in shown]
    console.print(fitted_table(names, numbers, styles))
    _say_more(len(pairs) - len(shown), "pair", console)


def _p(p: float) -> str:
    return NONE if isnan(p) else p_shown(p)


def _print_strategies(found: MoneyComparison, room: int, console: Console) -> None:
    """What models cost that there is room for, the cheapest of many first, and the rule in use.

    What needs no model makes room for them.
    """
    in_use = [one for one in found.strategies if one is found.in_use]
    models = [one for one in found.strategies if one not in in_use and one.same_as is None]
    names = {group[0]: group for group in map(sorted, found.alike)}
    plain = list(found.trivial)
    if len(models) + len(in_use) + len(plain) > room:
        plain = sorted(plain, key=lambda one: one.money)[: max(room - len(models) - len(in_use), 0)]
    most = max(room - len(plain) - len(in_use), 1)
    if len(models) > most:
        models.sort(key=lambda one: one.money)
    told = [*models[:most], *in_use]
    rules = [
        *(_rule_of(found, one) for one in told),
        *((term(one.strategy), NONE) for one in plain),
    ]
    costs = [one.shown_beside(found.stated) for one in (*told, *plain)]
    texts: dict[str, Sequence[str | Sequence[str]]] = {
        "model": [
            *(names.get(model, [model]) for one in told for model in [str(one.strategy.model)]),
            *(NONE for _ in plain),
        ],
        "method": [method for method, _ in rules],
        "threshold": [threshold for _, threshold in rules],
    }
    numbers = {
        "cost per 1,000": [cost for cost, _ in costs],
        interval_heading(found.level): [ends or NONE for _, ends in costs],
    }
    console.print(fitted_table(texts, numbers))
    _say_more(len(models[most:]), "model", console)


def _rule_of(found: MoneyComparison, one: StrategyMoney) -> tuple[str, str]:
    """The method and the threshold of a line, or those of all models that share it."""
    if one is found.in_use:
        return term(one.strategy), _threshold(one)
    group = next((group for group in found.alike if one.strategy.model in group), [])
    alike = [other for other in found.strategies if other.strategy.model in group]
    shared = [one, *(other for other in alike if other is not found.in_use)]
    methods = dict.fromkeys(term(other.strategy) for other in shared)
    thresholds = {_threshold(other) for other in shared}
    return ", ".join(methods), thresholds.pop() if len(thresholds) == 1 else BY_MODEL


def _threshold(one: StrategyMoney) -> str:
    if one.rule is not None:
        return rule_in_short(one.rule)
    # Of a rule in use without a threshold there are decisions alone.
    return NONE if one.strategy.name == BASELINE else VARIES


def _say_more(number: int, what: str, console: Console) -> None:
    if number:
        more = f"one more {what}" if number == 1 else f"{number} more {what}s"
        say(console, f"and {more}: --json", "dim")


def _estimate(pair: MoneySaving) -> tuple[str, str]:
    """What one of a pair saves, and its interval if there is one."""
    if pair.method == "none":
        return alone_shown(pair.saving), NONE
    return estimate_shown(pair.saving, pair.low, pair.high)

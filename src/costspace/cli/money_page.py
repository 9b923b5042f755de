"""`costspace compare` by cost: what a model saves against another, or against the rule in use."""

from collections.abc import Sequence
from contextlib import ExitStack
from functools import partial
from math import isnan
from pathlib import Path
from typing import Any

from rich.console import Console

from costspace.cli.answer import GateOptions, give
from costspace.cli.console import check_output, printable, progress, say
from costspace.cli.decision_table import BY_MODEL
from costspace.cli.fitted_table import fitted_table
from costspace.cli.lines import LINES, WIDTH, each_wrapped, first_fitting, fitting, shortened
from costspace.cli.money_segments import print_by_segment
from costspace.cli.question import Question
from costspace.cli.tables import NONE, adjusted_heading, interval_heading
from costspace.decision.comparing.comparing_money import compared
from costspace.decision.comparing.money_comparison import MoneyComparison
from costspace.decision.evidence.money_evidence import MoneyDifference, StrategyMoney
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.sentences.terms import places_in_short, rule_in_short, term
from costspace.decision.strategy import BASELINE
from costspace.decision.words import VARIES, alone_shown, estimate_shown, p_shown
from costspace.errors import ConditionError

_MOST_ANSWER, _MOST_REMARKS, _AROUND = 3, 3, 7
# How long names are in the answer, and where even one pair needs more room.
_NAME, _SHORT = 30, 12
# A pair takes at least so many letters of it.
_PAIR = 8
_LEFT_OUT = "More warnings: --json."
_IN_USE = "rule in use"
_MORE = "In full precision: --json. Which rule to use: costspace decide."


def compare_by_money(
    question: Question,
    correction: str | None,
    gate: GateOptions,
    *,
    json: bool,
    output: Path | None,
) -> int:
    """Compare the models of a file by money, and print or write that."""
    # What is asked is checked before a long file is read.
    question.check()
    if len(question.models) < 2 and question.baseline is None:
        raise ConditionError(
            "there is one model to compare: give --score twice, or the rule in use by --baseline."
        )
    check_output(output, question.file)
    with ExitStack() as opened:
        step = opened.enter_context(progress())
        decision, divided = opened.enter_context(question.divided(step, "comparing"))
        found = compared(decision, correction)

    def plain() -> dict[str, Any]:
        held_out, rows = decision.task.held_out, decision.task.rows
        counted = isinstance(held_out, HeldOutCounts)
        size = int(sum(rows.class_weights)) if counted else len(rows)
        source = {"path": str(question.file), "rows": size}
        return {"source": source, **found.to_dict(), **(divided.to_dict() if divided else {})}

    def shown(console: Console) -> None:
        if divided is None:
            print_money(found, console)
        else:
            print_by_segment(divided, _answer_lines(found), console)

    return give(plain, shown, gate, json=json, output=output)


def print_money(found: MoneyComparison, console: Console) -> None:
    """Print what one model saves against another, what each costs, and what was assumed."""
    answer = _answer_lines(found)
    all_remarks = list(found.remarks())
    fit = fitting(all_remarks, _MOST_REMARKS)
    remarks = each_wrapped([*fit, *[_LEFT_OUT] * (len(fit) < len(all_remarks))])
    assumed = [one.replace(" known: ", " ") for one in found.assumptions]
    texts = (f"Assumed: {'; '.join(assumed)}.", f"{found.summary()}. {_MORE}")
    foot = each_wrapped([*filter(None, [found.margin_told]), *texts])
    say(console, *answer, style="bold")
    say(console, *remarks)
    # Beside empty lines, headings, and what is said of rows left out.
    room = LINES - len([*answer, *remarks, *foot]) - _AROUND
    pairs = found.distinct if len(found.distinct) > 1 else {}
    strategies = len(found.strategies) + len(found.trivial)
    if pairs:
        console.print()
        _print_pairs(found, max(room - strategies, room // 2), console)
    console.print()
    _print_strategies(found, max(room - len(pairs), room - room // 2), console)
    console.print()
    say(console, *foot, style="dim")


def _answer_lines(found: MoneyComparison) -> list[str]:
    """The answer, with shorter names or fewer pairs where it has no room for all."""
    shown = len(found.shown)
    room = _MOST_ANSWER * WIDTH // _PAIR
    fewer = [(_NAME, most) for most in range(min(shown, room), 1, -1)]
    among = [printable(one.strategy.whose_scores) for one in found.strategies]
    texts = (
        " ".join(found.sentences_of(most, partial(_named, room=room, among=among)))
        for room, most in ((WIDTH, shown), *fewer, (_NAME, 1), (_SHORT, 1))
    )
    return first_fitting(texts, _MOST_ANSWER)


def _named(model: str, room: int, among: Sequence[str]) -> str:
    return shortened(printable(model), room, among)


def _print_pairs(found: MoneyComparison, room: int, console: Console) -> None:
    """The pairs that there is room for: those of the model that costs least come first."""
    pairs = list(found.distinct.items())
    if len(pairs) > room:
        best = str(min(found.strategies, key=lambda one: one.money).strategy.model)
        pairs.sort(key=lambda one: best not in one[0])
    # A line that says that one is left out takes as much room as that.
    shown = pairs if len(pairs) == room + 1 else pairs[:room]
    told = [_estimate(more) for _, more in shown]
    numbers = {
        "saves": [saving for saving, _ in told],
        interval_heading(found.evidence.level): [ends for _, ends in told],
        "p": [_p(more.p) for _, more in shown],
    }
    if found.correction:
        adjusted = [_p(more.p_adjusted) for _, more in shown]
        numbers[adjusted_heading(found.correction)] = adjusted
    names = {
        "model": [model for (model, _), _ in shown],
        "against": [_IN_USE if other == BASELINE else other for (_, other), _ in shown],
    }
    styles = ["bold" if found.is_shown(more) else "" for _, more in shown]
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
    most += len(models) == most + 1
    if len(models) > most:
        models.sort(key=lambda one: one.money)
    told = [*models[:most], *in_use]
    rules = [
        *(_rule_of(found, one) for one in told),
        *((term(one.strategy), NONE) for one in plain),
    ]
    costs = [one.shown for one in (*told, *plain)]
    texts: dict[str, Sequence[str | Sequence[str]]] = {
        "model": [
            *(names.get(model, [model]) for one in told for model in [str(one.strategy.model)]),
            *(NONE for _ in plain),
        ],
        "method": [method for method, _ in rules],
        "threshold": [threshold for _, threshold in rules],
    }
    shares = [found.reviewed_share(one) for one in (*told, *plain)]
    reviewed = [NONE if one is None else f"{alone_shown(100 * one)} %" for one in shares]
    numbers = {
        **({"reviewed": reviewed} if any(one is not None for one in shares) else {}),
        "cost per 1,000": [cost for cost, _ in costs],
        interval_heading(found.evidence.level): [ends or NONE for _, ends in costs],
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
        return rule_in_short(one.rule, one.strategy.choice.places)
    if one.strategy.places is not None:
        return places_in_short(one.strategy.places)
    # Of a rule in use without a threshold there are decisions alone.
    return NONE if one.strategy.name == BASELINE else VARIES


def _say_more(number: int, what: str, console: Console) -> None:
    if number:
        say(console, f"and {number} more {what}s: --json", style="dim")


def _estimate(more: MoneyDifference) -> tuple[str, str]:
    """What one of a pair saves, and its interval if there is one."""
    if more.method == "none":
        return alone_shown(more.difference), NONE
    return estimate_shown(more.difference, more.low, more.high)

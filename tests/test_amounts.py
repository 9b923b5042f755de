"""No amount is shown as 0 unless it is: random problems in every medium."""

import io
import re
from html import unescape

import numpy as np
import pytest
from amounts import ZERO
from rich.console import Console

import costspace as cs
from costspace.cli.decision_page import print_decision
from costspace.cli.money_page import print_money
from costspace.report import contents, to_sheet
from costspace.report.summary import summary

COUNTED = re.compile(r"(?:true|false|reviewed) (?:positive|negative)s")
A_BLOCK = 50


def problem(seed):
    """Labels, scores and what errors cost: from millionths to billions, known or in a range."""
    rng = np.random.default_rng(seed)
    rows = int(rng.integers(40, 120))
    y = (rng.random(rows) < rng.uniform(0.15, 0.6)).astype(int)
    y[:12] = [0, 1] * 6
    apart, models = rng.uniform(0.3, 2), "ab"[: int(rng.integers(1, 3))]
    scores = {name: 1 / (1 + np.exp(-rng.normal(apart * (2 * y - 1), 1.5))) for name in models}
    fp_cost = 10 ** rng.uniform(-6, 9)
    fn_cost = fp_cost * 10 ** rng.uniform(-1, 4)
    most = fn_cost * 10 ** rng.uniform(0, 2) if rng.random() < 0.4 else fn_cost
    baseline = ("a", float(rng.uniform(0.2, 0.8))) if rng.random() < 0.3 else None
    # Thresholds that are learned take ten times as long.
    choices = None if seed % 10 == 0 else [cs.Optimal()]
    costs = {"fp_cost": fp_cost, "fn_cost": (fn_cost, most)}
    return y, scores, {**costs, "baseline": baseline, "choices": choices, "folds": 2}


def printed(show, *told, width=80):
    console = Console(file=io.StringIO(), width=width)
    show(*told, console)
    return console.file.getvalue()


def media(y, scores, asked):
    """What is shown of a problem, by medium, and the decision."""
    decision = cs.decide(y, scores, **asked)
    page = contents(y, scores, decision=decision, intervals=False, currency="EUR", cases_a_year=70)
    parts = summary(page.to_dict())
    shown = {
        "text": decision.recommendation.text,
        "terminal": printed(lambda d, c: print_decision(d, c, details=True), decision),
        "narrow terminal": printed(print_decision, decision, width=60),
        "notebook": decision._repr_html_(),
        "page without scripts": "\n".join(parts.values()),
        "sheet": to_sheet(page),
    }
    compared = cs.compare_money(y, scores, **asked) if len(scores) > 1 else None
    if compared is not None:
        shown["comparison"] = printed(print_money, compared)
    return (decision, compared), shown


def lines_with_0(text):
    """Lines, and cells of tables, in which a 0 stands alone; without what was assumed."""
    cells = unescape(re.sub(r"<(?:br|/p|/td|/th|/h\d|/li|/div|/text)[^>]*>", "\n", text))
    lines = re.sub(r"<[^>]*>", "", cells).splitlines()
    return [line for line in lines if ZERO.search(line) and "ssumed" not in line]


_MONEY = {
    "cost_per_1000",
    "low",
    "high",
    "difference",
    "saving_per_1000",
    "in_sample",
    "selection",
    "margin",
}


def amounts_in(found):
    """All amounts of money in what a result says as JSON."""
    if isinstance(found, dict):
        for name, value in found.items():
            if name in _MONEY or isinstance(value, dict | list | tuple):
                yield from amounts_in(value)
    elif isinstance(found, list | tuple):
        for value in found:
            yield from amounts_in(value)
    elif isinstance(found, float | int):
        yield float(found)


@pytest.mark.parametrize(
    "block",
    [pytest.param(0, marks=pytest.mark.smoke), *range(1, 20)],
)
@pytest.mark.simulation
@pytest.mark.filterwarnings("ignore::costspace.errors.DataWarning")
def test_no_amount_is_shown_as_0_unless_it_is(block):
    for seed in range(A_BLOCK * block, A_BLOCK * (block + 1)):
        results, shown = media(*problem(seed))
        for medium, text in shown.items():
            found = results[medium == "comparison"]
            nothing = 0 in amounts_in(found.to_dict())
            said = [line for line in lines_with_0(text) if not COUNTED.search(line)]
            assert nothing or not said, (seed, medium, said)

"""One number a rule: text, table, JSON, page, its copy and `compare` say the same of each."""

import json
import re
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from opened_pages import Opened, Tabs, html_of, quiet
from rich.console import Console

import costspace as cs
from costspace.cli.decision_page import print_decision
from costspace.cli.decision_strategies import print_strategies
from costspace.decision.comparing.money_comparison import MoneyComparison
from costspace.decision.sentences.terms import joined
from costspace.decision.words import alone_shown, estimate_shown, exact_shown
from costspace.report.gathering import contents
from costspace.report.summary import _names

PROBLEMS = 30
AMOUNT = r"(-?\d+(?:,\d{3})*(?:\.\d+)?(?: (?:m|bn|tn))?)"


def problem(seed: int) -> tuple[cs.Decision, dict[str, Any], MoneyComparison | None]:
    """A decision, what its page stores, and the comparison of its models, if there is one."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(40, 260))
    y = rng.random(n) < rng.uniform(0.15, 0.5)
    y[:12] = np.arange(12) % 2
    models = "abc"[: int(rng.integers(1, 4))]
    quality = rng.choice([0.0, 0.6, 1.5], len(models))
    scores = {
        m: np.round(1 / (1 + np.exp(1 - rng.normal(d * y))), 3)
        for m, d in zip(models, quality, strict=True)
    }
    given: dict[str, Any] = {}
    if seed % 6 == 5:
        given["case_costs"] = cs.CaseCosts(1.0, rng.lognormal(1.5, 0.6, n))
    else:
        fn = float(rng.choice([1.5, 4, 25]))
        prevalence = float(rng.uniform(0.05, 0.4))
        given["conditions"] = cs.Deployment(
            fp_cost=1000.0 if seed % 7 == 3 else 1,
            fn_cost=(fn, 8 * fn) if seed % 3 == 1 else fn * (1000 if seed % 7 == 3 else 1),
            prevalence=(prevalence, prevalence + 0.2) if seed % 4 == 2 else prevalence,
            tp_cost=-0.5 if seed % 5 == 4 else 0,
        )
        if seed % 4 == 3:
            given["constraints"] = cs.Constraints(capacity=0.3)
    if seed % 3 == 0:
        given["baseline"] = ("a", 0.4)
    decision = cs.decide(y, scores, **given)
    record = json.loads(
        json.dumps(contents(y, scores, decision=decision, intervals=False).to_dict())
    )
    compared = len(models) > 1 or "baseline" in given
    return decision, record, cs.compare_money(y, scores, **given) if compared else None


def said_of(one: dict[str, Any]) -> tuple[str, str]:
    """The cost of a strategy and its interval in the digits of all places."""
    cost, low, high = (one[name] for name in ("cost_per_1000", "low", "high"))
    if low is None:
        return alone_shown(cost), ""
    if low < high:
        return estimate_shown(cost, low, high)
    return exact_shown(cost), ""


def plain(text: str) -> str:
    return text.replace("\u2212", "-").replace("\u00a0", " ")


def table_of(decision: cs.Decision) -> Iterator[tuple[tuple[str, str], str, str]]:
    """Names, cost and interval of each line of the tables on the terminal."""
    for print_, cost in ((print_decision, "cost"), (print_strategies, "cost")):
        out = StringIO()
        print_(decision, Console(file=out, width=200))
        blocks = re.split(r"\n\s*\n|\n(?=\S[^\n]*: cost per 1,000 cases\n)", out.getvalue())
        lines = [line for block in blocks for line in block.splitlines()]
        head = next((k for k, line in enumerate(lines) if re.match(r"model +method", line)), None)
        if head is None:
            continue
        names = re.split(r" {2,}", lines[head].strip())
        for line in lines[head + 1 :]:
            cells = re.split(r" {2,}", line.strip())
            if len(cells) != len(names):
                break
            row = dict(zip(names, cells, strict=True))
            ends = row.get("95 % interval", "")
            ends = ends.replace("exact", "")
            yield (row["model"].replace("–", ""), row["method"]), row[cost], ends


@pytest.fixture(scope="module")
def tab(tabs: Tabs) -> Iterator[Any]:
    found = tabs.take(permissions=["clipboard-read", "clipboard-write"])
    yield found
    tabs.give_back(found)


@pytest.mark.parametrize("seed", range(PROBLEMS))
def test_no_rule_has_two_numbers(seed: int, tab: Any, tmp_path: Path) -> None:
    decision, record, compared = problem(seed)
    found = decision.to_dict()
    use, text = found["recommendation"], found["recommendation"]["text"]
    if use["choice"] is None:
        return
    named = {(one["model"], one["choice"]): one for one in found["strategies"]}
    recommended = named[use["model"], use["choice"]]
    stated = named[use["stated"]["model"], use["stated"]["choice"]]
    for name in ("cost_per_1000", "low", "high"):
        assert use[name] == recommended[name]
    least = min(one["cost_per_1000"] for one in found["strategies"] if one["choice"] != "baseline")
    assert use["cost_per_1000"] <= least * (1 + 1e-12) + 1e-9 or use["cost_per_1000"] <= least
    cost, ends = said_of(stated)
    assert f"It costs {cost}" in text
    assert not ends or f"({100 * decision.level:g} % interval {ends})" in text
    # What rules without a model cost, in the sentence and in the record.
    for name, money in found["trivial"].items():
        told = re.search(
            rf"{name.replace('flag_', 'flagging ')} costs {AMOUNT}", text, re.IGNORECASE
        )
        if told is not None:
            one = {"cost_per_1000": money, "low": money, "high": money}
            assert told[1] == said_of(named.get((None, name), one))[0]
    # Differences are those of the costs, and in the words of the text.
    for one in found["strategies"]:
        if one["more"] is not None:
            extra = one["cost_per_1000"] - use["cost_per_1000"]
            assert one["more"]["difference"] == pytest.approx(extra, abs=1e-9 * abs(extra) + 1e-9)
    # The tables, on one screen and in detail.
    by_names = {joined(decision.alike(one.strategy)): one for one in decision.strategies}
    lines = list(table_of(decision))
    assert lines
    for names, cost, ends in lines:
        one = named[by_names[names].strategy.model, by_names[names].strategy.name]
        assert (cost, ends) == said_of(one), names
    # The page and its copy.
    path = tmp_path / "page.html"
    path.write_text(html_of(record))
    opened = Opened(tab, path)
    answer = record["decision"]
    page_names = {}
    for one in found["strategies"]:
        if one["same_as"] is None:
            models, label = _names(one, answer)
            page_names[f"{models} ({label.lower()})" if models else label] = one
    stats = opened.page.locator(".stats > div").all()
    first = plain(stats[0].locator("dd.amount").inner_text())
    assert first == said_of(recommended)[0]
    for stat in stats[1:]:
        label = stat.locator("dt").inner_text()
        key = {"Flagging nobody": "flag_nobody", "Flagging everybody": "flag_everybody"}.get(label)
        if key is not None and (None, key) in named:
            shown = plain(stat.locator("dd.amount").inner_text())
            assert shown == said_of(named[None, key])[0], label
    for row in opened.page.locator("#strategies-chart table tbody tr").all():
        # Below the name is the field's.
        row.locator("small").evaluate_all("(terms) => terms.forEach((one) => one.remove())")
        name, *cells = (plain(cell) for cell in row.locator("th, td").all_text_contents())
        one = page_names[name]
        assert (cells[1], cells[2].replace("–", "")) == said_of(one), name
    # The rule under the chart is the one of the sentence, in the digits that are applied.
    heads = opened.page.locator("#threshold-chart table.trying th", has_text="Recommended").all()
    for rule in [plain(head.inner_text()).split("\n")[-1] for head in heads]:
        assert rule in text or rule in ("flag nobody", "flag everybody")
    opened.page.get_by_role("button", name="Copy as text", exact=True).click()
    opened.page.get_by_role("button", name="Copied").wait_for()
    copied = plain(str(opened.page.evaluate("navigator.clipboard.readText()")))
    assert text in copied
    told = re.findall(rf"^- (.*): .*: {AMOUNT}(?: \((.*)\))?$", copied, re.MULTILINE)
    distinct = [one for one in found["strategies"] if one["same_as"] is None]
    assert len(told) == len(distinct)
    ordered = sorted(distinct, key=lambda one: (one is not recommended, one["cost_per_1000"]))
    for (_, cost, ends), one in zip(told, ordered, strict=True):
        assert (cost, ends.replace("exact", "")) == said_of(one)
    opened.leave()
    quiet(opened)
    # The comparison of the models.
    for one in () if compared is None else (*compared.strategies, *compared.trivial):
        other = named[one.strategy.model, one.strategy.name]
        same = one.money, one.low, one.high
        wanted = [other[name] for name in ("cost_per_1000", "low", "high")]
        assert same == pytest.approx(
            [np.nan if x is None else x for x in wanted], rel=1e-12, nan_ok=True
        )
        assert one.shown[0] == said_of(other)[0]

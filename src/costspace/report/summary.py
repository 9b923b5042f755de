"""What a page says where its script may not run: the answer and its tables, as HTML."""

import math
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from costspace.decision.limits.constraints import Constraints
from costspace.decision.rules.rule import Rule
from costspace.decision.strategy import BASELINE
from costspace.decision.words import (
    VARIES,
    alone_shown,
    estimate_shown,
    exact_shown,
    limit_shown,
    sides_shown,
)
from costspace.report.static_chart import static_chart

_NOT_ASKED = (
    "What does a false negative cost, in false positives? Once this page may run its script, it "
    "asks that, and says what to do."
)
_COLUMNS = (
    ("flag", "Flagged", ("true positives", "false positives")),
    ("review", "Reviewed", ("reviewed positives", "reviewed negatives")),
    ("pass", "Not flagged", ("false negatives", "true negatives")),
)
_PASSED = "Passed"


def summary(record: Mapping[str, Any]) -> dict[str, str]:
    """Parts of the page's template, by name, of what `ReportContents.to_dict` gives.

    Examples
    --------
    >>> from costspace.report import contents
    >>> found = summary(contents([0, 0, 1, 1], {"<m>": [0.1, 0.6, 0.4, 0.9]}).to_dict())
    >>> found["title"], found["summary"].split(" ·")[0]
    ('Models compared', '4 cases, 50 % positive')
    """
    source, models, decision = record["source"], record["models"], record["decision"]
    weighted = " (weighted)" if source["weighted"] else ""
    about = (
        f"{source['rows']:,} cases, {100 * record['prevalence']:.3g} % positive{weighted}",
        f"{len(models)} model{'' if len(models) == 1 else 's'}",
        f"costspace {record['version']}",
    )
    return {
        "title": escape(source.get("path") or "Models compared"),
        "summary": escape(" · ".join(about)),
        "answer": _asked() if decision is None else _answer(decision),
        "confusion": "" if decision is None else confusion(decision),
        "strategies": "" if decision is None else _drawn(decision) + strategies(decision),
    }


def _asked() -> str:
    return f'<h2 id="instruction" class="instruction">{escape(_NOT_ASKED)}</h2>'


def _answer(decision: Mapping[str, Any]) -> str:
    """What to do, what that saves and how sure that is; the rest, unfolded, below it."""
    use, sure = decision["recommendation"], decision["sure"]
    kind = "clear" if sure["clear"] else "unsure"
    parts = [f'<h2 id="instruction" class="instruction">{escape(decision["heading"])}</h2>']
    parts += [f'<p class="saving">{escape(decision["saving"])}</p>'] if decision["saving"] else []
    parts += [f'<p class="verdict {kind}">{escape(sure["text"])}</p>']
    why = use["instruction"], use["cost"], *decision["told"], *decision["beside"]
    kept = "; ".join(limits(decision))
    said = *why, decision["settling"], decision["choosing"], f"Limits: {kept}." if kept else ""
    seen = "", decision["heading"], decision["saving"]
    parts += [f'<p class="sure">{escape(one)}</p>' for one in said if one not in seen]
    parts += [f'<p class="caution">{escape(one)}</p>' for one in use["warnings"]]
    assumed = "; ".join(decision["assumptions"])
    return "".join([*parts, f'<p class="asked">Assumed: {escape(assumed)}.</p>'])


def limits(decision: Mapping[str, Any]) -> list[str]:
    """Each limit, and how it is kept."""
    asked = Constraints(**decision["limits"], batch=decision["batch"])
    kept = {one["name"]: _kept(one) for one in decision.get("limits_kept", [])}
    return [": ".join(filter(None, (asked.sentence(one), kept.get(one)))) for one in asked.names]


def _kept(one: Mapping[str, Any]) -> str:
    ends = None if one["reached_low"] is None else (one["reached_low"], one["reached_high"])
    at = one["prevalence"] if one["by_prevalence"] else None
    return limit_shown(one["name"], one["status"], one["reached"], ends, at)


def confusion(decision: Mapping[str, Any]) -> str:
    """Of 1,000 cases, how many are of each kind under the rule that is stated."""
    use = decision["recommendation"]["stated"]
    found = [one for one in decision["strategies"] if use and _is(one, use) and one["outcomes"]]
    if not found:
        return ""
    outcomes = found[0]["outcomes"]
    columns = [one for one in _COLUMNS if one[0] in outcomes]
    rows = [
        (
            kind.capitalize(),
            *(_count(outcomes[action][kind], names[k]) for action, _, names in columns),
        )
        for k, kind in enumerate(("positive", "negative"))
    ]
    head = [title for _, title, _ in columns]
    return _table("confusion", ("", *head[:-1], _PASSED if len(head) > 2 else head[-1]), rows)


def _is(one: Mapping[str, Any], use: Mapping[str, Any]) -> bool:
    return (one["model"], one["choice"]) == (use["model"], use["choice"])


def _count(one: Mapping[str, Any], name: str) -> str:
    value, low, high = one["value"], one["low"], one["high"]
    if low is None or low == high:
        return f"{alone_shown(value)} {name}"
    amount, ends = estimate_shown(value, low, high)
    return f"{amount} {name} ({ends})"


def strategies(decision: Mapping[str, Any], most: int | None = None) -> str:
    """Strategies, the recommended first, then by cost: at most so many of them."""
    rows = []
    for one in _ordered(decision)[:most]:
        models, label = _names(one, decision)
        varies = "as decided" if one["choice"] == BASELINE else VARIES
        rule = varies if one["rule"] is None else str(Rule.from_dict(one["rule"]))
        rows.append((models or label, label if models else "–", rule, *_money(one)))
    return _table(
        "strategies",
        ("Model", "Threshold set", "Rule", "Cost per 1,000", "Against the recommended"),
        rows,
    )


def _drawn(decision: Mapping[str, Any]) -> str:
    """What they cost, as a picture."""
    named = []
    for one in _ordered(decision):
        models, label = _names(one, decision)
        named.append((f"{models} ({label.lower()})" if models else label, one))
    return static_chart(named)


def _ordered(decision: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """One of those that do the same on all rows, the recommended first, then by cost."""
    known = [
        one
        for one in decision["strategies"]
        if one["cost_per_1000"] is not None and one["same_as"] is None
    ]
    by_cost = sorted(known, key=lambda one: float(one["cost_per_1000"]))
    return sorted(by_cost, key=lambda one: not _is(one, decision["recommendation"]))


def _names(one: Mapping[str, Any], decision: Mapping[str, Any]) -> tuple[str, str]:
    """The models and the choices of a strategy and of those that do the same on all rows."""
    alike = [other for other in decision["strategies"] if _is(other["same_as"] or other, one)]
    labels = decision["labels"]
    models = dict.fromkeys(other["model"] for other in alike if one["model"])
    choices = [other["choice"] for other in alike if one["model"] or other["model"] is None]
    used = [BASELINE for other in alike if other["choice"] == BASELINE]
    named = dict.fromkeys(labels.get(choice, choice) for choice in (*choices, *used))
    return ", ".join(models), ", ".join(named)


def _money(one: Mapping[str, Any]) -> tuple[str, str]:
    """What a strategy costs, and how much more than what is recommended, with their intervals."""
    low, high, more = one["low"], one["high"], one["more"]
    cost = one["cost_per_1000"]
    said = alone_shown(cost)
    if low is not None and low < high:
        said = "{} ({})".format(*estimate_shown(cost, low, high))
    elif low is not None:
        said = exact_shown(cost)
    if more is None:
        return said, "recommended"
    low, high = (math.nan if more[end] is None else more[end] for end in ("low", "high"))
    amount, ends = sides_shown(more["difference"], low, high, "more", "less")
    return said, f"{amount} ({ends})" if ends else amount


def _table(name: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    heads = "".join(
        f'<th scope="col">{escape(cell)}</th>' if cell else "<td></td>" for cell in head
    )
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>'
        f"{''.join(f'<td>{escape(cell)}</td>' for cell in rest)}</tr>"
        for first, *rest in rows
    )
    return (
        f'<div class="scroll"><table class="{name}"><thead><tr>{heads}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )

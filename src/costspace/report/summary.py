"""What a page says where its script may not run: the answer and its tables, as HTML."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

from costspace.decision.rule import Rule
from costspace.decision.words import amount_within, interval_shown, sides_shown

# What begins the sentence that says what to do.
_INSTRUCTION = re.compile(r"Use |Keep the rule in use|Flag (nobody|everybody)\.")
_NOT_ASKED = (
    "What does a missed positive cost, in false alarms? Once this page may run its script, it asks "
    "that, and says what to do."
)
_CELLS = (("flag", "positive"), ("pass", "positive"), ("flag", "negative"), ("pass", "negative"))


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
    path = source.get("path")
    weighted = " (weighted)" if source["weighted"] else ""
    about = (
        f"{source['rows']:,} cases, {100 * record['prevalence']:.3g} % positive{weighted}",
        f"{len(models)} model{'' if len(models) == 1 else 's'}",
        f"costspace {record['version']}",
    )
    return {
        "title": escape(re.split(r"[\\/]", path)[-1] if path else "Models compared"),
        "summary": escape(" · ".join(about)),
        "answer": _asked() if decision is None else _answer(decision),
        "confusion": "" if decision is None else _confusion(decision),
        "strategies": "" if decision is None else _strategies(decision),
    }


def _asked() -> str:
    return f'<h2 id="instruction" class="instruction">{escape(_NOT_ASKED)}</h2>'


def _answer(decision: Mapping[str, Any]) -> str:
    """The sentences: how far the data can tell, what to do, and what it costs."""
    parts = []
    for sentence in decision["sentences"]:
        if _INSTRUCTION.match(sentence):
            parts.append(f'<h2 id="instruction" class="instruction">{escape(sentence)}</h2>')
        else:
            parts.append(f'<p class="sure">{escape(sentence)}</p>')
    assumed = "; ".join(decision["assumptions"])
    return "".join([*parts, f'<p class="asked">Assumed: {escape(assumed)}.</p>'])


def _confusion(decision: Mapping[str, Any]) -> str:
    """Of 1,000 cases, how many are of each kind under what is recommended."""
    use = decision["recommendation"]
    found = [one for one in decision["strategies"] if _is(one, use) and one["outcomes"]]
    if not found:
        return ""
    outcomes = found[0]["outcomes"]
    caught, missed, alarms, passed = (outcomes[action][kind] for action, kind in _CELLS)
    rows = [
        ("Positive", _count(caught, "found"), _count(missed, "missed")),
        ("Negative", _count(alarms, "false alarms"), _count(passed, "rightly passed")),
    ]
    return _table("confusion", ("", "Flagged", "Not flagged"), rows)


def _is(one: Mapping[str, Any], use: Mapping[str, Any]) -> bool:
    return (one["model"], one["choice"]) == (use["model"], use["choice"])


def _count(one: Mapping[str, float], name: str) -> str:
    low, high = one["low"], one["high"]
    interval = f" ({_brief(low)} to {_brief(high)})" if low < high else ""
    return f"{_brief(one['value'])} {name}{interval}"


def _brief(value: float) -> str:
    return f"{float(f'{value:.3g}'):,.10g}"


def _strategies(decision: Mapping[str, Any]) -> str:
    """Strategies, the cheapest first."""
    known = [one for one in decision["strategies"] if one["cost_per_1000"] is not None]
    rows = []
    for one in sorted(known, key=lambda one: float(one["cost_per_1000"])):
        label = decision["labels"].get(one["choice"], one["choice"])
        rule = "follows what is known" if one["rule"] is None else str(Rule.from_dict(one["rule"]))
        rows.append((one["model"] or label, label if one["model"] else "–", rule, *_money(one)))
    return _table(
        "strategies",
        ("Model", "Threshold set", "Rule", "Cost per 1,000", "Against the recommended"),
        rows,
    )


def _money(one: Mapping[str, Any]) -> tuple[str, str]:
    """What a strategy costs, and how much more than what is recommended, with their intervals."""
    low, high, more = one["low"], one["high"], one["more"]
    width = 0.0 if low is None else high - low
    cost = amount_within(one["cost_per_1000"], width)
    said = f"{cost} ({interval_shown(low, high)})" if width > 0 else _brief(one["cost_per_1000"])
    if more is None:
        return said, "recommended"
    ends = [more["low"], more["high"]]
    if None in ends or ends[0] == ends[1]:
        return said, f"{_brief(more['difference'])} more"
    low, high = ends
    if high < 0:
        return said, f"{interval_shown(-high, -low)} less"
    return said, f"{sides_shown(low, high, 'more', 'less')}{' more' if low >= 0 else ''}"


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

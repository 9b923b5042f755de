"""A decision on one A4 page, for those who check it: the rule, its reasons, and the data."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from costspace.decision.words import listed
from costspace.errors import ConditionError
from costspace.frames.fingerprint import Fingerprint
from costspace.report.page import hashed
from costspace.report.paper import letters_that_fit
from costspace.report.provenance import facts, provenance
from costspace.report.record import ReportContents
from costspace.report.summary import confusion, limits, strategies

# What there is room for: rows of strategies, letters of cautions.
_STRATEGIES, _SENTENCES = 5, 500


def to_sheet(
    contents: ReportContents,
    *,
    owner: str = "",
    purpose: str = "",
    data: Fingerprint | None = None,
    dated: date | None = None,
) -> str:
    """One page of A4 that says what was decided, on what and why, to print or to keep.

    Parameters
    ----------
    contents : ReportContents
        With a decision, as of `contents(..., decision=...)`.
    owner, purpose : str
        Who answers for the rule, and what it is for; at most 200 letters each.
    data : Fingerprint, optional
        What tells the file of the data from others, as `fingerprint_of` gives it.
    dated : date, optional
        The date of the sheet; today by default.

    Returns
    -------
    str
        A whole HTML document, without scripts, that loads nothing.

    Raises
    ------
    ConditionError
        If there is no decision, or owner or purpose are too long for paper.

    Examples
    --------
    >>> import costspace as cs
    >>> from costspace.report import contents, to_sheet
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.2)
    >>> found = contents(y, {"model": s}, decision=cs.decide(y, {"model": s}, conditions=known))
    >>> to_sheet(found, owner="Credit risk").startswith("<!doctype html>")
    True
    """
    decision = contents.decision
    if decision is None:
        raise ConditionError("a rule sheet is of a decision: say what mistakes cost (--fp-cost).")
    record = contents.to_dict()
    about = provenance(record, owner=owner, purpose=purpose, data=data, dated=dated)
    found = record["decision"]
    static = files("costspace.report") / "static"
    template, style = (
        (static / name).read_text(encoding="utf-8") for name in ("sheet.html", "sheet.css")
    )
    use = found["recommendation"]
    parts = {
        "title": escape(purpose or "Rule sheet"),
        "facts": facts(about),
        "rule": escape(" ".join(filter(None, (found["not_shown"], use["instruction"])))),
        "cost": _paragraphs(
            [use["cost"], *found["beside"], found["settling"], use["without_model"]]
        ),
        "confusion": confusion(found),
        "assumed": _items(found["assumptions"]),
        "limits": _items(limits(found) or ["none were asked for"]),
        "strategies": strategies(found, _STRATEGIES),
        "why": _paragraphs(_why(found, decision.level, len(_distinct(found)))),
        "cautions": _items(
            _first([*use["warnings"], *found["told"], *found["notes"].values()]) or ["none"]
        ),
    }
    style += f"\nhtml {{ font-size: {letters_that_fit(parts):.2f}pt; }}\n"
    return Template(template).substitute(parts, style=style, style_hash=hashed(style))


def _distinct(decision: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """The strategies that are compared, but for those that do the same as another."""
    return [one for one in decision["strategies"] if one["same_as"] is None]


def _why(decision: Mapping[str, Any], level: float, compared: int) -> Iterator[str]:
    """What was compared, and why this is taken."""
    use = decision["recommendation"]
    models = list(dict.fromkeys(one["model"] for one in decision["strategies"] if one["model"]))
    named = listed([_short(name) for name in models[:3]])
    of = named if len(models) <= 3 else f"{len(models)} models"
    yield (
        f"{compared} ways to decide with {of}, and without, were compared on "
        f"{decision['condition']['compared_on']}, each row judged by rules that others chose: of "
        f"those within the limits the one that costs least is taken. Intervals are of "
        f"{100 * level:g} %."
    )
    shown = "" if use["clear"] else "not "
    yield (
        f"That every other one costs more is {shown}shown by the data; thresholds of one model are "
        "not tested against each other."
    )
    yield decision["choosing"]
    if compared > _STRATEGIES:
        yield f"The table has the {_STRATEGIES} that cost least."


def _short(text: str, length: int = 40) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _paragraphs(texts: Sequence[str] | Iterator[str]) -> str:
    return "".join(f"<p>{escape(text)}</p>" for text in texts if text)


def _items(texts: Sequence[str]) -> str:
    return "".join(f"<li>{escape(text)}</li>" for text in texts)


def _first(texts: Sequence[str]) -> list[str]:
    """What there is room for, with how many more there are."""
    found = [text for text in texts if text]
    room, kept = _SENTENCES, list[str]()
    for text in found:
        if len(text) > room:
            break
        room -= len(text)
        kept.append(text)
    more = len(found) - len(kept)
    return [*kept, *([f"and {more} more, which the page has"] if more else [])]

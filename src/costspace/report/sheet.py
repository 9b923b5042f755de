"""A decision on one A4 page, for those who check it: the rule, its reasons, and the data."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from html import escape
from importlib.resources import files
from string import Template
from typing import Any

from costspace.decision.record import kept_dict
from costspace.decision.words import alone_shown, estimate_shown, listed
from costspace.errors import ConditionError
from costspace.frames.fingerprint import Fingerprint
from costspace.report.page import hashed
from costspace.report.record import ReportContents
from costspace.report.summary import confusion, file_name, strategies

# What fits on a page: rows of strategies, letters of what is given, lines of sentences.
_STRATEGIES, _LETTERS, _SENTENCES = 5, 200, 500


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
        If there is no decision, or owner or purpose are too long for the page.

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
    for name, given in {"owner": owner, "purpose": purpose}.items():
        if len(given) > _LETTERS:
            raise ConditionError(
                f"{name} (--{name}) must fit on the sheet, in {_LETTERS} letters, and has "
                f"{len(given)}."
            )
    record = contents.to_dict()
    found = record["decision"]
    static = files("costspace.report") / "static"
    template, style = (
        (static / name).read_text(encoding="utf-8") for name in ("sheet.html", "sheet.css")
    )
    use = found["recommendation"]
    limits = [kept_dict(one) for one in decision.limits_kept()]
    return Template(template).substitute(
        style=style,
        style_hash=hashed(style),
        title=escape(purpose or "Rule sheet"),
        facts=_facts(_about(record, owner, data, dated or datetime.now().astimezone().date())),
        rule=escape(" ".join(filter(None, (found["not_shown"], use["instruction"])))),
        cost=_paragraphs([use["cost"], *found["beside"], found["settling"], use["without_model"]]),
        confusion=confusion(found),
        assumed=_items(found["assumptions"]),
        limits=_items(_limits(decision.constraints, limits)),
        strategies=strategies(found, _STRATEGIES),
        why=_paragraphs(_why(found, decision.level, len(_distinct(found)))),
        cautions=_items([*use["warnings"], *found["told"], *found["notes"].values()]),
    )


def _about(
    record: Mapping[str, Any], owner: str, data: Fingerprint | None, dated: date
) -> Iterator[tuple[str, str]]:
    """Who answers for the rule, and what it was decided on."""
    source, path = record["source"], record["source"].get("path")
    if owner:
        yield "Owner", owner
    yield "Date", f"{dated.isoformat()}, costspace {record['version']}"
    name = file_name(path) if data is None and path else (data.name if data else "")
    weighted = " (weighted)" if source["weighted"] else ""
    size = [
        f"{source['rows']:,} rows, {source['positives']:,} positive{weighted}",
        *([] if data is None or data.columns is None else [f"{data.columns} columns"]),
    ]
    yield "Data", ", ".join(filter(None, [name, *size]))
    if data is None:
        return
    if data.period is not None:
        yield "Period", data.period
    several = f" of {data.files} files, one after the other" if data.files > 1 else ""
    yield f"SHA-256{several}", data.digest


def _limits(asked: Any, kept: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Each limit, and what is reached of it."""
    reached = {one["name"]: one for one in kept}
    for name in asked.names:
        one = reached.get(name)
        if one is None or one["reached"] is None:
            yield asked.sentence(name)
            continue
        value, low, high = (one["reached"], one["reached_low"], one["reached_high"])
        if low is None or high is None:
            reached_now = f"{alone_shown(100 * value)} %"
        else:
            amount, ends = estimate_shown(100 * value, 100 * low, 100 * high)
            reached_now = f"{amount} % ({ends})"
        yield f"{asked.sentence(name)}: {reached_now}, {one['status']}"
    if not asked.names:
        yield "none were asked for"


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


def _facts(facts: Iterator[tuple[str, str]]) -> str:
    return "".join(f"<dt>{escape(name)}</dt><dd>{escape(value)}</dd>" for name, value in facts)


def _paragraphs(texts: Sequence[str] | Iterator[str]) -> str:
    return "".join(f"<p>{escape(text)}</p>" for text in texts if text)


def _items(texts: Sequence[str] | Iterator[str]) -> str:
    """A list of what there is room for, with how many more there are."""
    found = [text for text in texts if text]
    room, kept = _SENTENCES, list[str]()
    for text in found:
        if len(text) > room:
            break
        room -= len(text)
        kept.append(text)
    more = len(found) - len(kept)
    told = [*kept, *([f"and {more} more, which the page has"] if more else [])]
    return "".join(f"<li>{escape(text)}</li>" for text in told or ["none"])

"""Who answers for a rule, when it was made, and on which data: what paper says."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, datetime
from html import escape
from typing import Any

from costspace.errors import ConditionError
from costspace.frames.fingerprint import Fingerprint

# Letters of what is given, for which paper has room.
_LETTERS = 200


def provenance(
    record: Mapping[str, Any],
    *,
    owner: str,
    purpose: str,
    data: Fingerprint | None,
    dated: date | None,
) -> list[tuple[str, str]]:
    """By name, what is to be said of what `ReportContents.to_dict` gives; dated today by default.

    Raises
    ------
    ConditionError
        If owner or purpose are too long for paper.
    """
    for name, given in {"owner": owner, "purpose": purpose}.items():
        if len(given) > _LETTERS:
            raise ConditionError(
                f"{name} (--{name}) must fit on paper, in {_LETTERS} letters, and has {len(given)}."
            )
    day = dated or datetime.now().astimezone().date()
    made = ("Date", f"{day.isoformat()}, costspace {record['version']}")
    return [*([("Owner", owner)] if owner else []), made, *_of_data(record["source"], data)]


def _of_data(source: Mapping[str, Any], data: Fingerprint | None) -> Iterator[tuple[str, str]]:
    """What tells the data from others."""
    weighted = " (weighted)" if source["weighted"] else ""
    name = source.get("path") if data is None else data.name
    size = f"{source['rows']:,} rows, {source['positives']:,} positive{weighted}"
    columns = None if data is None or data.columns is None else f"{data.columns} columns"
    yield "Data", ", ".join(filter(None, [name or "arrays in memory", size, columns]))
    if data is None:
        return
    if data.period is not None:
        yield "Period", data.period
    several = f" of {data.files} files, one after the other" if data.files > 1 else ""
    yield f"SHA-256{several}", data.digest


def facts(found: Iterable[tuple[str, str]]) -> str:
    """Names and what they are, as the content of a list of HTML."""
    return "".join(
        f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in found
    )

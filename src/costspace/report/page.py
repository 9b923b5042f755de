"""One HTML file that shows everything, and loads nothing from elsewhere."""

import json
from base64 import b64encode
from datetime import date
from gzip import compress
from hashlib import sha256
from html import escape
from importlib.resources import files
from string import Template

from costspace.frames.fingerprint import Fingerprint
from costspace.report.provenance import facts, provenance
from costspace.report.record import ReportContents
from costspace.report.summary import summary

# What would end a script element, or begin a comment in one, and what ends lines in JavaScript.
_ESCAPED = {ord(sign): f"\\u{ord(sign):04x}" for sign in "<>&\u2028\u2029"}


def to_html(
    contents: ReportContents,
    *,
    owner: str = "",
    purpose: str = "",
    data: Fingerprint | None = None,
    dated: date | None = None,
) -> str:
    """One HTML page that shows what models cost, and answers again for other costs or prevalence.

    Parameters
    ----------
    contents : ReportContents
        What the page shows; `contents` makes it of labels and scores.
    owner, purpose, data, dated
        As in `to_sheet`: on paper they stand above the answer. The purpose is the page's title.

    Returns
    -------
    str
        A whole HTML document. It keeps everything that it needs and loads nothing; its own
        Content-Security-Policy forbids that, and any script but the page's.

    Raises
    ------
    ConditionError
        If owner or purpose are too long for paper.

    Examples
    --------
    >>> from costspace.report import contents, to_html
    >>> page = to_html(contents([0, 0, 1, 1], {"model": [0.1, 0.6, 0.4, 0.9]}))
    >>> page.startswith("<!doctype html>")
    True
    """
    static = files("costspace.report") / "static"
    template, style, charts, script, engine = (
        (static / name).read_text(encoding="utf-8")
        for name in ("page.html", "page.css", "charts.css", "page.js", "engine.js")
    )
    # Indentation is for those who write styles.
    style = "\n".join(line.strip() for line in f"{style}{charts}".splitlines())
    record = contents.to_dict()
    about = provenance(record, owner=owner, purpose=purpose, data=data, dated=dated)
    parts = summary(record) | {"facts": facts(about)}
    if purpose:
        parts["title"] = escape(purpose)
    # What only the engine looks at is packed: it unpacks that beside the page.
    rows = record.pop("rows")
    return Template(template).substitute(
        parts,
        style=style,
        script=script,
        style_hash=hashed(style),
        script_hash=hashed(script),
        engine="" if rows is None else _packed(engine),
        rows="" if rows is None else _packed(_json(rows)),
        contents=_json(record | {"facts": about}),
    )


def _json(value: object) -> str:
    """JSON that no parser of HTML takes for markup."""
    text = json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":"))
    return text.translate(_ESCAPED)


def _packed(text: str) -> str:
    """Text compressed by gzip, in base64."""
    # Without the time, so that equal pages are equal bytes.
    return b64encode(compress(text.encode(), mtime=0)).decode()


def hashed(text: str) -> str:
    """The source that a Content-Security-Policy names an inline block by."""
    return f"sha256-{b64encode(sha256(text.encode()).digest()).decode()}"

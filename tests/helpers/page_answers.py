"""What a page's engine answers, what the package answers, and how they differ."""

import json
import math
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from costspace.decision.held_out.holdout import HeldOut
from costspace.errors import CostspaceError
from costspace.report.answering import asked
from costspace.report.decided import answer_dict, details_dict
from costspace.report.stored_rows import stored_rows
from translate.__main__ import PROGRAMS
from translate.writer import Writer

ROOT = Path(__file__).parents[2]
# Of numbers; and of zeros, which rounding moves, relative to the largest of an answer.
RELATIVE, TRACE = 1e-9, 1e-14


def written_engine(folder: Path) -> Path:
    """A folder with the engine, translated anew, and all that it and its driver need."""
    for part in ("python", "engine"):
        shutil.copytree(ROOT / "src_js" / part, folder / part, dirs_exist_ok=True)
    shutil.copy(ROOT / "src_js" / "package.json", folder)
    shutil.copy(ROOT / "tests" / "report" / "drive_answers.mjs", folder)
    for name, starts in PROGRAMS.items():
        (folder / name).write_text(Writer(*starts).text(), encoding="utf-8")
    return folder


def opened(browser: Any, folder: Path) -> Callable[[str], str]:
    """What answers with the engine in a folder, on a page of a browser."""
    page = browser.new_page()
    address = "http://answers.test"

    def serve(route: Any) -> None:
        path = folder / route.request.url.removeprefix(f"{address}/")
        if path.is_file():
            kind = "text/javascript; charset=utf-8"
            route.fulfill(body=path.read_bytes(), content_type=kind)
        else:
            route.fulfill(body="<!doctype html>", content_type="text/html")

    page.route("**/*", serve)
    page.goto(f"{address}/")
    page.evaluate("import('/drive_answers.mjs').then(m => window.answer = m.answer)")
    return lambda text: page.evaluate("text => window.answer(text)", text)


def put(held_out: HeldOut, question: dict[str, Any], level: float) -> str:
    """What the driver is asked."""
    return json.dumps([stored_rows(held_out), encoded(question), level])


def python_answer(held_out: HeldOut, question: dict[str, Any], level: float) -> dict[str, Any]:
    """The same of the package: an answer, or an error by its class and message."""
    try:
        decision = asked(held_out, question, level)
        return {"answer": {**answer_dict(decision), **details_dict(decision)}}
    except CostspaceError as error:
        return {"error": [type(error).__name__, str(error)]}


def encoded(value: Any) -> Any:
    """A value as the driver reads it: JSON has no infinities, and JavaScript sorts some names."""
    if isinstance(value, dict):
        return {"dict": [[name, encoded(part)] for name, part in value.items()]}
    if isinstance(value, list | tuple):
        return [encoded(part) for part in value]
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": str(value)}
    return value


def decoded(value: Any) -> Any:
    """What the driver wrote."""
    if isinstance(value, list):
        return [decoded(part) for part in value]
    if isinstance(value, dict):
        if "dict" in value:
            return {name: decoded(part) for name, part in value["dict"]}
        return float(value["float"])
    return value


def differences(own: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """Where the page's answer differs from the package's; empty if it does not."""
    if list(own) != list(found) or "error" in own:
        return [] if own == found else [f"{own} and not {found}"]
    least = TRACE * _largest(own["answer"])
    wrong: list[str] = []
    _compare("", own["answer"], found["answer"], least, wrong)
    return wrong


def _compare(where: str, own: Any, found: Any, least: float, wrong: list[str]) -> None:
    if isinstance(own, dict) and isinstance(found, dict) and list(own) == list(found):
        for name, part in own.items():
            _compare(f"{where}.{name}", part, found[name], least, wrong)
    elif isinstance(own, list | tuple) and isinstance(found, list) and len(own) == len(found):
        for k, (one, other) in enumerate(zip(own, found, strict=True)):
            _compare(f"{where}[{k}]", one, other, least, wrong)
    elif not _is_same(own, found, least):
        wrong.append(f"{where}: {_brief(own)} and not {_brief(found)}")


def _is_same(own: Any, found: Any, least: float) -> bool:
    if not _is_number(own):
        return type(own) is type(found) and own == found
    if not _is_number(found):
        return False
    if own == found or (math.isnan(own) and math.isnan(found)):
        return True
    return abs(own - found) <= max(RELATIVE * abs(own), least)


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool) and hasattr(value, "__float__")


def _brief(value: Any) -> str:
    text = repr(list(value) if isinstance(value, dict) else value)
    return text if len(text) < 200 else f"{text[:200]}..."


def _largest(value: Any) -> float:
    """The largest number of an answer."""
    if isinstance(value, dict):
        return max(map(_largest, value.values()), default=0.0)
    if isinstance(value, list | tuple):
        return max(map(_largest, value), default=0.0)
    size = abs(float(value)) if _is_number(value) else 0.0
    return size if math.isfinite(size) else 0.0

"""Pages of the report as tests open them, and what those are asked."""

import json
import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import costspace as cs
from costspace.report.gathering import contents
from costspace.report.page import to_html

if TYPE_CHECKING:
    from playwright.sync_api import ConsoleMessage, Error, Page, Request

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
# What pages of the tests open with, unless they say otherwise.
QUESTION = {
    "fp_cost": [1.0, 1.0],
    "fn_cost": [5.0, 20.0],
    "tp_cost": [0.0, 0.0],
    "tn_cost": [0.0, 0.0],
    "prevalence": [0.05, 0.2],
    "known": [],
    "limits": {},
    "baseline": None,
}
_AMOUNTS = ("fp_cost", "fn_cost", "tp_cost", "tn_cost", "prevalence")


def sample(seed: int = 7, n: int = 400) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.3).astype(int)
    mean = {"first": 1.6, "second": 1.1, "third": 0.8}
    scores = {name: rng.normal(d * y - 1.0, 1.0) for name, d in mean.items()}
    # Ties, and scores that are not probabilities.
    return y, {name: np.round(1 / (1 + np.exp(-s)), 2) for name, s in scores.items()}


Y, SCORES = sample()


_MADE: dict[bytes, Any] = {}


def _once(make: Callable[..., Any], *given: Any) -> Any:
    """What a function makes of dictionaries and arrays, which many tests give it."""
    key = pickle.dumps((make, given))
    if key not in _MADE:
        _MADE[key] = make(*given)
    return _MADE[key]


def decided(
    question: Mapping[str, Any], scores: Mapping[str, np.ndarray] = SCORES, y: np.ndarray = Y
) -> cs.Decision:
    """What the library decides, asked as a page is."""
    decision: cs.Decision = _once(_decided, question, scores, y)
    return decision


def _decided(
    question: Mapping[str, Any], scores: Mapping[str, np.ndarray], y: np.ndarray
) -> cs.Decision:
    ends = {name: tuple(question[name]) for name in _AMOUNTS}
    amounts = {name: low if low == high else (low, high) for name, (low, high) in ends.items()}
    use = question["baseline"]
    return cs.decide(
        y,
        scores,
        conditions=cs.Deployment(**amounts),
        known=question["known"],
        constraints=cs.Constraints(**question["limits"]),
        baseline=None if use is None else (use["model"], use["threshold"]),
    )


class Stored:
    """What a page stores, as a dictionary that may be changed first."""

    def __init__(self, record: dict[str, Any]) -> None:
        self.record = record

    def to_dict(self) -> dict[str, Any]:
        return self.record


def record_of(
    changes: Mapping[str, Any] | None = None,
    scores: Mapping[str, np.ndarray] = SCORES,
    y: np.ndarray = Y,
    **others: Any,
) -> dict[str, Any]:
    """What a page stores that opens with a question, changed by `changes`; None for no question."""
    return {**json.loads(_once(_recorded, changes, scores, y)), **others}


def _recorded(
    changes: Mapping[str, Any] | None, scores: Mapping[str, np.ndarray], y: np.ndarray
) -> str:
    decision = None if changes is None else decided({**QUESTION, **changes}, scores, y)
    return json.dumps(contents(y, scores, decision=decision, intervals=False).to_dict())


def html_of(record: dict[str, Any]) -> str:
    return to_html(Stored(record))


class Opened:
    """A page, what it asked for from elsewhere, and what it complained of."""

    def __init__(self, page: "Page", path: Path, after: str = "", *, script: bool = True) -> None:
        self.page, self.path = page, path
        self.complaints: list[str] = []
        self.requests: list[str] = []
        page.on("console", self._heard)
        page.on("pageerror", self._failed)
        page.on("request", self._asked)
        page.mouse.move(0, 0)
        page.goto("about:blank")
        page.goto(path.as_uri() + after)
        if script:
            page.wait_for_selector("html.ready")

    def _heard(self, message: "ConsoleMessage") -> None:
        self.complaints.append(message.text)

    def _failed(self, error: "Error") -> None:
        self.complaints.append(str(error))

    def _asked(self, request: "Request") -> None:
        self.requests.append(request.url.split("#")[0])

    def leave(self) -> None:
        """Let another page be opened in its place."""
        # What was asked for last may still be told.
        self.page.evaluate("0")
        self.page.remove_listener("console", self._heard)
        self.page.remove_listener("pageerror", self._failed)
        self.page.remove_listener("request", self._asked)

    def text(self, selector: str) -> str:
        """What stands there, with plain spaces."""
        return self.page.locator(selector).inner_text().replace("\u00a0", " ")

    def settle(self) -> None:
        """Wait until what was put last is answered."""
        self.page.wait_for_selector("#answer[aria-busy=false]")

    def question(self) -> dict[str, Any]:
        """The question that was put last, once it is answered."""
        self.settle()
        return dict(json.loads(str(self.page.get_attribute("#answer", "data-question"))))

    def changed(self) -> dict[str, Any]:
        """What of that differs from the question that pages open with."""
        return {name: given for name, given in self.question().items() if given != QUESTION[name]}

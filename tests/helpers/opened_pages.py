"""Pages of the report as tests open them, and what those are asked."""

import json
import pickle
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import costspace as cs
from costspace.report.answering import AMOUNTS, deployment_of
from costspace.report.gathering import contents
from costspace.report.page import to_html

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Error, Page, Request

WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 390, "height": 844}
# What pages of the tests open with, unless they say otherwise.
QUESTION = {
    "fp_cost": [1.0, 1.0],
    "fn_cost": [5.0, 20.0],
    "tp_cost": [0.0, 0.0],
    "tn_cost": [0.0, 0.0],
    "prevalence": [0.05, 0.2],
    "review": None,
    "estimated": False,
    "known": [],
    "limits": {},
    "batch": None,
    "baseline": None,
}
# The short names that questions have in addresses.
_SHORT = {"fp_cost": "fp", "fn_cost": "fn", "tp_cost": "tp", "tn_cost": "tn"}


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


def least_money(scores: np.ndarray, conditions: cs.Deployment) -> float:
    """What the best single threshold costs per 1,000 cases, on the rows themselves."""
    flagged = scores > np.append(-np.inf, np.unique(scores))[:, None]
    fpr, fnr = flagged[:, Y == 0].mean(axis=1), 1 - flagged[:, Y == 1].mean(axis=1)
    return float(np.min(conditions.money_at(fpr, fnr)))


def _decided(
    question: Mapping[str, Any], scores: Mapping[str, np.ndarray], y: np.ndarray
) -> cs.Decision:
    use = question["baseline"]
    return cs.decide(
        y,
        scores,
        conditions=deployment_of({name: question[name] for name in AMOUNTS}, question["review"]),
        known=question["known"],
        constraints=cs.Constraints(**question["limits"], batch=question.get("batch")),
        baseline=None if use is None else (use["model"], use["threshold"]),
    )


def address_of(changes: Mapping[str, Any]) -> str:
    """What stands in the address of a page after the #, for a question that differs so."""
    parts: dict[str, str] = {}
    for name, given in changes.items():
        if name == "known":
            parts["known"] = ",".join(given)
        elif name == "limits":
            parts |= {limit.replace("_", "-"): repr(value) for limit, value in given.items()}
        elif name == "review":
            parts |= {f"review-{part}": ":".join(map(repr, ends)) for part, ends in given.items()}
        elif name == "baseline":
            parts["in-use"] = f"{given['threshold']}:{given['model']}"
        else:
            parts[_SHORT.get(name, name)] = ":".join(map(repr, given))
    return "&".join("=".join(part) for part in parts.items())


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


_UNFOLDED = """(one) => {
    const folded = [...one.querySelectorAll("details.grounds:not([open])")];
    for (const details of folded) details.open = true;
    const text = one.innerText;
    for (const details of folded) details.open = false;
    return text;
}"""

# What of a page can be seen or asked for, kept in the page itself, since it is long. What was
# read out last is no state, but of the past.
_SEEN = """() => {
    const all = (node) => node.nodeType === 1 ? [
        node.tagName,
        [...node.attributes].map(({ name, value }) => `${name}=${value}`).sort(),
        // What points to the answer says what it said last where that is in sight.
        node.matches(".peek[hidden]") ? [] : [...node.childNodes].map(all),
    ] : node.data;
    return JSON.stringify([
        [...document.querySelectorAll("body > :not(script, #said)")].map(all),
        [...document.querySelectorAll("input, select, textarea")]
            .map((one) => [one.value, one.checked]),
        [document.title, document.documentElement.className, location.hash],
        [scrollX, scrollY, document.activeElement.tagName, String(getSelection())],
    ]);
}"""
_PUT_BACK = """() => {
    for (const one of document.querySelectorAll("#threshold-chart button:not(:disabled)")) {
        if (one.textContent === "Back to the recommended") one.click();
    }
    for (const one of document.querySelectorAll("details[open]")) one.open = false;
    document.activeElement.blur();
    getSelection().removeAllRanges();
    scrollTo(0, 0);
    document.querySelector("#reset").click();
}"""
# Of charts, which the page does not reset.
_FIELDS_PUT_BACK = """() => {
    const [, before] = JSON.parse(window.asOpened);
    [...document.querySelectorAll("input, select, textarea")].forEach((one, i) => {
        if (!one.closest("#why") || !before[i] || one.value === before[i][0]) return;
        one.value = before[i][0];
        one.dispatchEvent(new Event("input", { bubbles: true }));
        one.dispatchEvent(new Event("change", { bubbles: true }));
    });
}"""
# What follows the view is told after the next frame.
_DRAWN = """() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
})"""


class Opened:
    """A page, what it asked for from elsewhere, and what it complained of."""

    def __init__(
        self,
        page: "Page",
        path: Path,
        after: str = "",
        *,
        script: bool = True,
        prepare: "Callable[[Opened], Any] | None" = None,
    ) -> None:
        self.page, self.path = page, path
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self._prepare = prepare
        page.on("console", self._heard)
        page.on("pageerror", self._failed)
        page.on("request", self._asked)
        self._open(after, script=script)

    def _open(self, after: str = "", *, script: bool = True) -> None:
        self.page.mouse.move(0, 0)
        self.page.goto("about:blank")
        self.page.goto(self.path.as_uri() + after)
        if script:
            self.page.wait_for_selector("html.ready")
        if self._prepare is not None:
            self._prepare(self)
        if script:
            self.page.evaluate(f"window.asOpened = ({_SEEN})()")

    def put_back(self) -> None:
        """Make the page what it was when it was opened, by its own means where these do."""
        self.page.mouse.move(0, 0)
        if self._is_as_opened():
            return
        self.page.evaluate(_PUT_BACK)
        self.settle()
        if self._prepare is not None:
            self._prepare(self)
        self.page.evaluate(_FIELDS_PUT_BACK)
        self.page.evaluate(_DRAWN)
        if not self._is_as_opened():
            self._open()

    def _is_as_opened(self) -> bool:
        return bool(self.page.evaluate(f"window.asOpened === ({_SEEN})()"))

    def ask(self, changes: Mapping[str, Any]) -> "Opened":
        """Put the question that pages open with, changed, by the address of a page as opened."""
        changes = {name: given for name, given in changes.items() if given != QUESTION[name]}
        if changes:
            self.page.evaluate(
                """(asked) => new Promise((done) => {
                    addEventListener("hashchange", () => done(), { once: true });
                    location.hash = asked;
                })""",
                address_of(changes),
            )
            assert self.changed() == changes
        return self

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
        """What stands there, also folded under "Why", with plain spaces."""
        found: str = self.page.locator(selector).evaluate(_UNFOLDED)
        return found.replace("\u00a0", " ").strip()

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


def quiet(opened: Opened) -> None:
    """A page has not complained, and asked for nothing but itself."""
    assert opened.complaints == []
    own = {opened.path.as_uri(), "about:blank"}
    assert {url for url in opened.requests if not url.startswith(("data:", "blob:"))} <= own


class Tabs:
    """Pages of the browser that tests have one after the other, since it takes long to make one."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self._free: dict[str, list[Page]] = {}
        self._kinds: dict[Page, str] = {}

    def take(self, viewport: Any = WIDE, color_scheme: Any = "light", **options: Any) -> "Page":
        free = self._free.setdefault(repr(options), [])
        page = free.pop() if free else self._browser.new_page(**options)
        self._kinds[page] = repr(options)
        page.set_viewport_size(viewport)
        page.emulate_media(media="null", color_scheme=color_scheme)
        return page

    def give_back(self, page: "Page") -> None:
        # No engine of its works on.
        page.goto("about:blank")
        self._free[self._kinds[page]].append(page)

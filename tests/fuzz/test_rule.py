"""The fuzzer finds nothing in a short run, calls everything public, and finds what is planted."""

import inspect
import os
import tempfile
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from laws.conditions import CONDITIONS
from laws.registry import CHOICES, COSTS
from laws.sources import SOURCES
from public_names import PUBLIC

import costspace as cs
from fuzz import answers, calls
from fuzz.calls.registry import ENTRIES
from fuzz.case import ANSWER, REFUSE, Case
from fuzz.commands import told
from fuzz.rule import Verdict, judge
from fuzz.run import at_work, case_of, parts_here, run_for
from fuzz.sound import records

assert calls
SEED = 2
# Variants of the open axes, which the laws have.
VARIANTS = {
    type(one).__name__
    for one in (
        *(case.choice for case in CHOICES.values()),
        *(case.costs for case in COSTS.values()),
        *(case.make() for case in SOURCES.values()),
        *CONDITIONS.values(),
    )
}
ABSTRACT = {"CostDistribution", "JointConditions", "LossCurve", "ScoreSource", "ThresholdChoice"}
Y, S = np.array([0, 0, 1, 1]), np.array([0.1, 0.6, 0.4, 0.9])


@pytest.fixture(autouse=True)
def _at_work() -> Iterator[None]:
    with at_work():
        yield


def right(answer: float) -> str | None:
    return None if abs(answer - 0.75) < 1e-12 else f"{answer} where it is 0.75"


def judged(call: Callable[..., Any], must: str = ANSWER, *args: Any) -> Verdict:
    return judge(Case("auc", args or (Y, S), must=must, right=right, call=call), seconds=1.0)


def kind(verdict: Verdict) -> str:
    assert verdict.finding is not None
    return verdict.finding.kind


def test_a_call_that_keeps_the_rule() -> None:
    assert judged(cs.auc) == Verdict("compared")
    assert judged(cs.auc, REFUSE, Y, S[:-1]) == Verdict("refused")


def test_a_short_run_finds_nothing() -> None:
    tally = run_for(60, SEED, ("calls",), most=120)
    tally.merge(run_for(60, 9, ("files", "options"), most=4))
    assert not {kind: one.replay for kind, one in tally.found.items()}
    assert tally.outcomes["calls", "compared"] > 60


@pytest.mark.browser
def test_a_page_answers_as_the_package_does() -> None:
    if "answers" not in parts_here():
        pytest.skip("nothing here runs JavaScript")
    tally = run_for(60, SEED, ("answers",), most=2)
    assert tally.outcomes == {("answers", "compared"): 2}
    assert not {kind: one.replay for kind, one in tally.found.items()}


def test_another_answer_of_a_page_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    case = case_of("answers", SEED, 1)
    own = case.run()
    monkeypatch.setattr(answers, "page_answer", lambda scenario: {**own, "answer": {}})
    found = kind(judge(case, seconds=60.0))
    assert found == "decide: wrong number"


def test_a_case_is_made_from_its_number() -> None:
    for part in ("calls", "files", "options", "answers"):
        assert str(case_of(part, 3, 5)) == str(case_of(part, 3, 5))
        assert str(case_of(part, 3, 5)) != str(case_of(part, 3, 6))


def test_every_public_name_is_called_or_comes_in_an_answer() -> None:
    called = {name for entry in ENTRIES for name in entry.names}
    public = {name for name, value in PUBLIC.items() if callable(value)}
    assert called <= public
    missing = public - called - ABSTRACT - VARIANTS
    functions = {name for name in missing if inspect.isfunction(PUBLIC[name])}
    assert not functions
    # What is left are records: each is in some answer.
    met = _met(missing)
    assert missing <= met, sorted(missing - met)


def _met(wanted: set[str]) -> set[str]:
    """The records in answers of each entry, until all are met."""
    met: Counter[str] = Counter()
    rng = np.random.default_rng(5)
    for _ in range(16):
        for entry in ENTRIES:
            for name in entry.names:
                if wanted <= set(met):
                    return set(met)
                case = entry.maker(rng, name)
                if case.must == REFUSE:
                    continue
                try:
                    with warnings.catch_warnings():
                        warnings.simplefilter("ignore")
                        answer = case.run()
                except Exception:  # noqa: BLE001
                    continue
                met.update(type(one).__name__ for one in records(answer, depth=8))
    return set(met)


# --- What is planted --------------------------------------------------------------------------


def test_a_number_that_is_off(monkeypatch: pytest.MonkeyPatch) -> None:
    exact = cs.auc
    monkeypatch.setattr(cs, "auc", lambda *args, **options: exact(*args, **options) + 1e-6)
    tally = run_for(60, SEED, ("calls",), most=120)
    assert "calls: auc: wrong number" in tally.found


def raising(error: BaseException) -> Callable[..., Any]:
    def call(*args: Any) -> Any:
        raise error

    return call


def warning(*args: Any) -> float:
    warnings.warn("old", DeprecationWarning, stacklevel=1)
    return 0.75


def overflowing(*args: Any) -> float:
    return 0.75 if np.float64(1e308) * 10 else 0.0


def printing(*args: Any) -> float:
    print("done")
    return 0.75


def changing(y: np.ndarray, s: np.ndarray) -> float:
    s[0] = 0.2
    return 0.75


def leaving(*args: Any) -> float:
    Path(tempfile.gettempdir(), "rows.parquet").write_text("half")
    return 0.75


def calling_home(*args: Any) -> float:
    import socket

    socket.create_connection(("192.0.2.1", 80), timeout=1)
    return 0.75


def hanging(*args: Any) -> float:
    time.sleep(30)
    return 0.75


PLANTED = {
    "another exception": (raising(KeyError("x")), "KeyError"),
    "a bare ValueError": (raising(ValueError("Bad.")), "ValueError"),
    "words on two lines": (raising(cs.ScoreError("a\nb.")), "words"),
    "words without an end": (raising(cs.ScoreError("no end")), "words"),
    "words that go on": (raising(cs.ScoreError("a" * 300 + ".")), "words"),
    "a refusal": (raising(cs.ScoreError("No.")), "auc: refuses good input"),
    "a warning": (warning, "DeprecationWarning"),
    "an overflow": (overflowing, "RuntimeWarning"),
    "a word printed": (printing, "auc: prints"),
    "a changed input": (changing, "auc: changes its input"),
    "a file left": (leaving, "auc: leaves temporary files"),
    "the network": (calling_home, "NetworkError"),
    "a hang": (hanging, "hang"),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_fault_is_found(planted: str) -> None:
    call, found = PLANTED[planted]
    assert kind(judged(call, ANSWER, Y.copy(), S.copy())).startswith(found)
    assert not os.listdir(tempfile.gettempdir())  # noqa: PTH208


def test_an_answer_to_bad_input() -> None:
    assert kind(judged(lambda *args: 0.75, REFUSE)).startswith("auc: answers bad input")


def test_an_answer_that_does_not_pickle() -> None:
    class Local(cs.estimates.Estimate):
        pass

    Local.__module__ = "costspace.local"
    found = Local("auc", 0.75, 0.1, 0.5, 0.9, 0.95, "linear", 4, "independent")
    verdict = judge(Case("estimate", call=lambda: found))
    assert kind(verdict).startswith("value: Local does not pickle")


@pytest.mark.parametrize(
    ("status", "out", "err"),
    [
        (1, "", "Traceback"),
        (2, "half", "costspace: No.\n"),
        (2, "", "No.\n"),
        (2, "", "costspace: No.\nNo.\n"),
        (0, "{}", "UserWarning: old\n"),
    ],
)
def test_ends_of_a_run_that_break_the_rule(status: int, out: str, err: str) -> None:
    verdict = judge(Case("evaluate", call=lambda: told(status, out, err)))
    assert kind(verdict).startswith("status")


def test_ends_of_a_run_that_keep_it() -> None:
    assert told(0, "{}", "") == "{}"
    with pytest.raises(cs.CostspaceError, match=r"^No\.$"):
        told(2, "", "costspace: No.\n")

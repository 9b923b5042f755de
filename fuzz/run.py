"""Runs of many cases, in one process or several, and what is told of them."""

import faulthandler
import multiprocessing
import os
import sys
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.case import Case
from fuzz.rule import Finding, Verdict, guarded, judge, unmade

PARTS = ("calls", "files", "options", "answers")
# Of the time of a whole run.
SHARES = {"calls": 0.4, "files": 0.2, "options": 0.2, "answers": 0.2}
HANG = 120.0


@dataclass(frozen=True)
class Found:
    """A finding and the case that it was met in."""

    part: str
    seed: int
    number: int
    finding: Finding

    @property
    def replay(self) -> str:
        """What makes it again."""
        return f"python -m fuzz --part {self.part} --seed {self.seed} --replay {self.number}"


@dataclass
class Tally:
    """How many cases came to what, by part, and the first finding of each kind."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    found: dict[str, Found] = field(default_factory=dict)
    kinds: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)

    def add(self, part: str, seed: int, number: int, name: str, verdict: Verdict) -> bool:
        """Count a case; whether it is the first with a finding of its kind."""
        self.outcomes[part, verdict.outcome] += 1
        if verdict.outcome != "refused":
            self.answered[name] += 1
        if verdict.finding is None:
            return False
        kind = f"{part}: {verdict.finding.kind}"
        self.kinds[kind] += 1
        new = kind not in self.found
        self.found.setdefault(kind, Found(part, seed, number, verdict.finding))
        return new

    def merge(self, other: "Tally") -> None:
        """Add another process's."""
        self.outcomes += other.outcomes
        self.kinds += other.kinds
        self.answered += other.answered
        for kind, one in other.found.items():
            self.found.setdefault(kind, one)

    def summary(self) -> Iterator[str]:
        """A line for each part."""
        for part in PARTS:
            counts = [self.outcomes[part, each] for each in ("refused", "answered", "compared")]
            if sum(counts):
                refused, answered, compared = counts
                yield (
                    f"{part}: {sum(counts)} cases, {refused} refused, {answered + compared} "
                    f"answered, {compared} of them compared with the oracle"
                )


def parts_here() -> tuple[str, ...]:
    """All parts; answers of the page only where something runs JavaScript."""
    from fuzz import answers

    return PARTS if answers.is_there() else PARTS[:-1]


@cache
def _maker(part: str) -> Callable[[np.random.Generator], Case]:
    """What makes the cases of a part; a part that is not asked for need not be there."""
    if part == "calls":
        from fuzz import calls  # noqa: F401
        from fuzz.calls.registry import entry

        def make(rng: np.random.Generator) -> Case:
            found, name = entry(rng)
            return found.maker(rng, name)

        return make
    if part == "files":
        from fuzz import files

        return files.case
    if part == "answers":
        from fuzz import answers

        return answers.case
    from fuzz import options

    return options.case


def case_of(part: str, seed: int, number: int) -> Case:
    """The case of a number: made from seed and number alone."""
    return _maker(part)(np.random.default_rng([seed, number, PARTS.index(part)]))


def tried(part: str, seed: int, number: int, seconds: float = HANG) -> tuple[str, Verdict]:
    """One case, made and judged."""
    with np.errstate(all="ignore"), warnings.catch_warnings():
        # What makes a case may say what its scores look like.
        warnings.simplefilter("ignore")
        try:
            case = case_of(part, seed, number)
        except Exception as error:  # noqa: BLE001
            return "a case", Verdict("answered", unmade(error))
    return case.name, judge(case, seconds)


@contextmanager
def at_work() -> Iterator[Path]:
    """A folder of its own to work in, in which nothing may be left."""
    here = Path.cwd()
    with guarded() as folder:
        os.chdir(folder)
        try:
            yield folder
        finally:
            os.chdir(here)


def numbers(start: int, step: int) -> Iterator[int]:
    """Every `step`-th number, so that processes share none."""
    while True:
        yield start
        start += step


def run_for(
    seconds: float,
    seed: int,
    parts: tuple[str, ...] = PARTS,
    *,
    first: int = 0,
    step: int = 1,
    most: int | None = None,
    tell: Callable[[Found], None] = lambda found: None,
) -> Tally:
    """Cases of each part for its share of the time, or at most so many of each."""
    tally = Tally()
    whole = sum(SHARES[part] for part in parts)
    with at_work():
        for part in parts:
            end = time.monotonic() + seconds * SHARES[part] / whole
            for number in numbers(first, step):
                if time.monotonic() > end or (most is not None and number >= most):
                    break
                # What holds the interpreter itself cannot be ended otherwise.
                faulthandler.dump_traceback_later(4 * HANG, exit=True, file=sys.__stderr__)
                name, verdict = tried(part, seed, number)
                if tally.add(part, seed, number, name, verdict):
                    tell(list(tally.found.values())[-1])
            faulthandler.cancel_dump_traceback_later()
    return tally


def tell(found: Found) -> None:
    """Print a finding as it is met."""
    kind = f"{found.part}: {found.finding.kind}"
    text = f"FOUND {kind}\n  {found.replay}\n  {found.finding.seen.rstrip()}\n"
    sys.__stdout__.write(text)
    sys.__stdout__.flush()


def _process(queue: Any, seconds: float, seed: int, parts: tuple[str, ...], i: int, n: int) -> None:
    queue.put(run_for(seconds, seed, parts, first=i, step=n, tell=tell))


def run_in_processes(
    processes: int, seconds: float, seed: int, parts: tuple[str, ...] = PARTS
) -> Tally:
    """The same in several processes; one that dies is itself a finding."""
    context = multiprocessing.get_context("spawn")
    queue = context.Queue()
    made = [
        context.Process(target=_process, args=(queue, seconds, seed, parts, i, processes))
        for i in range(processes)
    ]
    for one in made:
        one.start()
    tally, told = Tally(), 0
    while told < processes:
        try:
            tally.merge(queue.get(timeout=1))
            told += 1
        except Exception:  # noqa: BLE001  (queue.Empty of the context)
            if not any(one.is_alive() for one in made) and queue.empty():
                break
    for one in made:
        one.join()
    for i, one in enumerate(made):
        if one.exitcode:
            died = Finding(f"process {i} died", f"exit status {one.exitcode}: see above")
            tally.add(parts[0], seed, i, "process", Verdict("answered", died))
    return tally

"""Questions to a page: its translated engine is to answer as the package does."""

import atexit
import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from page_answers import decoded, differences, put, python_answer, written_engine

from fuzz.case import EITHER, Case
from fuzz.questions import Scenario, random_scenario

ROOT = Path(__file__).parents[1]
_LOOP = """import { createInterface } from "node:readline";
import { answer } from "./drive_answers.mjs";
for await (const line of createInterface({ input: process.stdin })) console.log(answer(line));
"""


def is_there() -> bool:
    """Whether anything here runs JavaScript."""
    return shutil.which("node") is not None or shutil.which("chromium") is not None


@cache
def engine() -> "subprocess.Popen[str]":
    """What answers line after line, until this process ends."""
    # Not in the folder in which nothing may be left.
    folder = ROOT / "build" / f"engine-{os.getpid()}"
    folder.mkdir(parents=True, exist_ok=True)
    written_engine(folder)
    (folder / "loop.mjs").write_text(_LOOP)
    command = ["node", str(folder / "loop.mjs")]
    if shutil.which("node") is None:
        command = [sys.executable, "-m", "fuzz.in_chromium", str(folder)]
    surroundings = {**os.environ, "TMPDIR": str(folder)}
    found = subprocess.Popen(
        command, cwd=ROOT, env=surroundings, stdin=-1, stdout=-1, text=True, encoding="utf-8"
    )

    def end() -> None:
        found.kill()
        found.wait()
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    return found


def page_answer(scenario: Scenario) -> dict[str, Any]:
    """What the page answers."""
    process = engine()
    assert process.stdin is not None
    assert process.stdout is not None
    text = put(scenario.held_out, scenario.question, scenario.level)
    process.stdin.write(text + "\n")
    process.stdin.flush()
    return decoded(json.loads(process.stdout.readline())["found"])


def case(rng: np.random.Generator) -> Case:
    """A question that the package answers, or refuses, and the page alike."""
    scenario = random_scenario(rng)

    def ask(one: Scenario) -> dict[str, Any]:
        return python_answer(one.held_out, one.question, one.level)

    def right(answer: dict[str, Any]) -> str | None:
        wrong = differences(answer, page_answer(scenario))
        return f"{len(wrong)} differences: " + "\n".join(wrong[:5]) if wrong else None

    return Case("decide", (scenario,), must=EITHER, right=right, call=ask)

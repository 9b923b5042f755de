"""Conditions at the command line: exit statuses of every command, lines, JSON, refusals."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import yaml
from command_line import refused
from prediction_files import write_csv

from costspace.cli import main

ROOT = Path(__file__).parents[2]
BIN = Path(sys.executable).parent


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A file of predictions, two tables of halves of it, and a decision."""
    folder = tmp_path_factory.mktemp("gate")
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 600)
    columns = {
        "y_true": y,
        "good": (0.25 + 0.5 * y + 0.2 * rng.normal(size=600)).clip(0, 1).round(3),
        "bad": (0.4 + 0.15 * y + 0.2 * rng.normal(size=600)).clip(0, 1).round(3),
        "twin": np.zeros(600),
    }
    columns["twin"] = (columns["good"] + 0.02 * rng.normal(size=600)).clip(0, 1).round(3)
    file = write_csv(folder / "file.csv", columns)
    asked = ["--label", "y_true", "--score", "good"]
    for name, part in {"old": slice(300), "new": slice(300, None)}.items():
        half = write_csv(folder / f"{name}.csv", {k: v[part] for k, v in columns.items()})
        main(["tally", str(half), *asked, "-o", str(folder / f"{name}.parquet")])
    save = ["--fp-cost", "1", "--fn-cost", "5", "--save", str(folder / "decision.json")]
    main(["decide", str(file), *asked, *save, "-o", str(folder / "page.txt")])
    return folder


COLUMNS = ["file.csv", "--label", "y_true", "--score", "good", "--score", "bad"]
COSTS = ["--fp-cost", "1", "--fn-cost", "5", "--baseline", "bad:0.5"]
ASKED = {
    "evaluate": (COLUMNS, "models.bad.metrics.auc"),
    "compare": ([*COLUMNS, *COSTS], "savings.good.baseline"),
    "compare metrics": (COLUMNS, "pairs.good.bad.auc"),
    "decide": ([*COLUMNS, *COSTS], "recommendation.cost_per_1000"),
    "drift": (["old.parquet", "new.parquet"], "models.good.changes.auc"),
    "apply": (["decision.json", "file.csv"], "shares.flag"),
}


def ended(capsys, *arguments):
    """The exit status of a run, and what it prints on both streams."""
    status = 0
    try:
        main([str(argument) for argument in arguments])
    except SystemExit as end:
        status = end.code
    printed = capsys.readouterr()
    return status, printed.out, printed.err


def numbers(capsys, command, words, key):
    """The number at a key, and the ends of its interval, as the JSON of its verdict has them."""
    condition = ["--fail-if", f"{key} > 1e9", "--json"]
    status, out, _ = ended(capsys, command, *words, *condition)
    (found,) = json.loads(out)["verdicts"]
    assert status == 0
    return found


@pytest.mark.parametrize("case", ASKED)
def test_statuses_of_each_command(case, folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    words, key = ASKED[case]
    command = case.split()[0]
    found = numbers(capsys, command, words, key)
    low, value, high = found["low"], found["value"], found["high"]
    assert low <= value <= high
    assert (low < high) == (command != "apply")
    above, below = repr(high + 1e-6), repr(low - 1e-6)
    for condition, status, verdict in (
        (f"{key} > {above}", 0, "pass"),
        (f"{key} > {below}", 3, "fail"),
        (f"{key} > {value!r}", 4 if low < high else 0, "undecided" if low < high else "pass"),
    ):
        ends, out, err = ended(capsys, command, *words, "--fail-if", condition)
        assert ends == status
        assert err.startswith(f"costspace: {verdict}: {condition}: ")
        assert err.count("\n") == 1
        assert out
    assert refused(capsys, command, *words, "--fail-if", f"{key}_x > 1")
    several = [f"{key} > {above}", f"{key} > {value!r}", f"{key} > {below}"]
    worst = [word for one in several for word in ("--fail-if", one)]
    ends, out, err = ended(capsys, command, *words, *worst, "--json")
    assert (ends, err.count("\n")) == (3, 3)
    assert json.loads(out)["verdict"] == "fail"
    assert [one["fail_if"] for one in json.loads(out)["verdicts"]] == several


def test_who_must_have_two_answers_says_which(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    words, key = ASKED["compare"]
    value = numbers(capsys, "compare", words, key)["value"]
    asked = ["compare", *words, "--fail-if", f"{key} < {value!r}"]
    for option, status in ((), 4), (("pass",), 0), (("fail",), 3):
        given = ["--undecided", *option] if option else []
        ends, _, err = ended(capsys, *asked, *given)
        assert ends == status
        assert err.startswith("costspace: undecided: ")
    # What fails or passes is no matter of that.
    asked[-1] = f"{key} > -1e9"
    assert ended(capsys, *asked, "--undecided", "pass")[0] == 3


def test_what_is_wrong_is_told_before_anything_is_read(capsys, tmp_path):
    gone = ["evaluate", tmp_path / "gone.csv", "--label", "y", "--score", "s"]
    assert "KEY OP NUMBER" in refused(capsys, *gone, "--fail-if", "auc is low")
    assert "add --fail-if" in refused(capsys, *gone, "--undecided", "pass")


def test_an_unknown_key_leaves_no_page(folder, capsys, monkeypatch, tmp_path):
    monkeypatch.chdir(folder)
    page = tmp_path / "page.txt"
    words = ["evaluate", *COLUMNS, "-o", page, "--fail-if", "models.god.metrics.auc < 0.5"]
    assert "did you mean 'models.good'?" in refused(capsys, *words)
    assert not page.exists()


def test_bins_have_no_intervals_to_decide_by(folder, capsys, monkeypatch):
    monkeypatch.chdir(folder)
    words = ["evaluate", *COLUMNS, "--bins", "50", "--fail-if", "models.good.metrics.auc < 0.5"]
    assert "--bins gives bounds" in refused(capsys, *words)


def test_a_reader_that_goes_away_changes_no_verdict(folder):
    asked = ["evaluate", "file.csv", "--label", "y_true", "--score", "good", "--json"]
    for limit, status in ("0.5", 0), ("1", 3):
        command = [BIN / "costspace", *asked, "--fail-if", f"models.good.metrics.auc < {limit}"]
        process = subprocess.Popen(
            command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        process.stdout.close()
        assert "models.good.metrics.auc" in process.stderr.read()
        assert process.wait() == status
        process.stderr.close()


def piped(folder, *words, **environment):
    """What the pipeline of the examples says, and its exit status."""
    done = subprocess.run(
        ["/bin/sh", ROOT / "examples/gate.sh", *words],
        cwd=folder,
        env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout.strip()


def test_a_pipeline_stops_on_each_status(folder, tmp_path):
    assert piped(folder, "file.csv", "good", "bad:0.5") == (0, "deploy good")
    assert piped(folder, "file.csv", "bad", "good:0.3") == (3, "keep good:0.3")
    assert piped(folder, "file.csv", "twin", "good:0.4") == (4, "ask for more labelled cases")
    assert piped(folder, "gone.csv", "good", "bad:0.5") == (2, "mend the call or the file")
    broken = f"{tmp_path}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    (tmp_path / "duckdb.py").write_text("raise RuntimeError('broken')\n")
    crashed = piped(folder, "file.csv", "good", "bad:0.5", PYTHONPATH=broken)
    assert crashed == (1, "it crashed: no verdict")


def jobs():
    """The command of each job file of the guide."""
    text = (ROOT / "docs/guides/pipelines.md").read_text()
    files = [yaml.safe_load(one) for one in re.findall(r"```yaml\n(.*?)```", text, re.DOTALL)]
    for file in files:
        steps = file.get("steps") or next(iter(file.get("jobs", {}).values()), {}).get("steps")
        words = [step.get("run") or step.get("script") or "" for step in steps or ()]
        words = words or file["gate"]["script"]
        yield next(one for one in words if one.startswith("costspace "))


@pytest.mark.parametrize("command", list(jobs()))
def test_job_files_run(command, tmp_path):
    (tmp_path / "predictions.csv").symlink_to(ROOT / "examples/breast_cancer.csv")
    done = subprocess.run(
        ["/bin/bash", "-ec", command],
        cwd=tmp_path,
        env={**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0
    assert done.stderr.startswith("costspace: pass: ")
    assert (tmp_path / "decision.txt").exists()

"""`costspace evaluate` as a user and as a program see it."""

import contextlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from command_line import refused, run

import costspace as cs
from costspace.cli.evaluate import parse_costs

METRICS = [
    *("auc", "auc_hull", "brier", "macro_brier", "mae", "macro_mae"),
    *("miscalibration", "refinement_loss", "h_measure", "voros"),
]
CHOICES = [
    *("score_fixed", "score_uniform", "score_driven"),
    *("rate_uniform", "rate_driven", "optimal"),
]


@pytest.fixture
def data():
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, 500)
    good = np.clip(rng.normal(0.35 + 0.3 * labels, 0.2), 0, 1)
    return {
        "y_true": labels,
        "logistic": good,
        "forest": good.round(1),
        "margin": 4 * good - 2,
        "w": rng.integers(0, 4, 500),
    }


@pytest.fixture
def file(data, tmp_path):
    path = tmp_path / "predictions.csv"
    rows = zip(*(column.tolist() for column in data.values()), strict=True)
    lines = [",".join(data), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return path


def test_json_has_the_agreed_keys_and_the_library_s_numbers(file, data, capsys):
    out = run(
        capsys, "evaluate", file, "--label", "y_true", "--score", "logistic", "--score", "forest",
        "--weight", "w", "--prevalence", "0.2", "--costs", "beta(2,3.5)", "--json",
    )  # fmt: skip
    result = json.loads(out)
    weight = {"sample_weight": data["w"]}
    assert list(result) == ["source", "condition", "models"]
    positives = int(data["y_true"].sum())
    assert result["source"] == {
        "path": str(file), "rows": 500, "negatives": 500 - positives, "positives": positives,
    }  # fmt: skip
    assert result["condition"] == {"axis": "cost", "prevalence": 0.2, "costs": "beta(2,3.5)"}
    assert list(result["models"]) == ["logistic", "forest"]
    for name, model in result["models"].items():
        assert list(model["metrics"]) == METRICS
        assert list(model["expected_loss"]) == ["cost", "skew"]
        assert all(list(by_choice) == CHOICES for by_choice in model["expected_loss"].values())
        table = cs.ScoreTable.from_predictions(data["y_true"], data[name], **weight)
        shifted = table.with_prevalence(0.2)
        assert model["metrics"]["h_measure"] == cs.h_measure(shifted)
        assert model["metrics"]["brier"] == cs.brier_score(shifted)
        for axis in ("cost", "skew"):
            loss = cs.expected_loss(shifted, choice=cs.Optimal(), costs=cs.Beta(2, 3.5), axis=axis)
            assert model["expected_loss"][axis]["optimal"] == loss


def test_json_identities(file, capsys):
    out = run(capsys, "evaluate", file, "--label", "y_true", "--score", "logistic", "--json")
    model = json.loads(out)["models"]["logistic"]
    metrics, losses = model["metrics"], model["expected_loss"]
    assert losses["cost"]["score_driven"] == metrics["brier"]
    assert losses["skew"]["score_uniform"] == metrics["macro_mae"]
    assert losses["cost"]["optimal"] == metrics["refinement_loss"]
    assert metrics["miscalibration"] == metrics["brier"] - metrics["refinement_loss"]


def test_a_number_without_meaning_is_null_with_its_reason(file, capsys):
    out = run(capsys, "evaluate", file, "--label", "y_true", "--score", "margin", "--json")
    model = json.loads(out)["models"]["margin"]
    assert model["metrics"]["brier"] is None
    assert "calibrate" in model["notes"]["brier"]
    assert model["expected_loss"]["skew"]["score_driven"] is None
    assert "expected_loss.skew.score_driven" in model["notes"]
    assert model["expected_loss"]["cost"]["score_fixed"] is not None


def test_the_table_is_for_people(file, capsys):
    out = run(capsys, "evaluate", file, "--label", "y_true", "--score", "logistic",
              "--score", "margin", "--axis", "skew")  # fmt: skip
    assert f"{file}: 500 rows" in out
    assert "expected loss on the skew axis, uniform(0,1)" in out
    assert all(name in out for name in [*METRICS, *CHOICES, "logistic", "margin"])
    assert "margin: the Brier score needs scores in [0, 1]" in out


def test_output_goes_to_a_file_whole(file, tmp_path, capsys):
    target = tmp_path / "result.json"
    arguments = ["evaluate", file, "--label", "y_true", "--score", "logistic", "--json"]
    printed = run(capsys, *arguments)
    assert run(capsys, *arguments, "-o", target) == ""
    assert target.read_text() == printed
    run(capsys, *arguments[:-1], "-o", target)
    assert "auc_hull" in target.read_text()
    assert [path.name for path in tmp_path.iterdir()] == ["predictions.csv", "result.json"]


def test_a_refused_run_writes_nothing(file, tmp_path, capsys):
    target = tmp_path / "result.json"
    target.write_text("old")
    refused(capsys, "evaluate", file, "--label", "y_true", "--score", "none", "-o", target)
    assert target.read_text() == "old"
    message = refused(capsys, "evaluate", file, "--label", "y_true", "--score", "logistic",
                      "-o", tmp_path / "no" / "result.json")  # fmt: skip
    assert message.startswith("cannot write ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--score", "logistc"], "has no column 'logistc': did you mean 'logistic'?"),
        (["--score", "logistic", "--prevalence", "1"], "prevalence must be in (0, 1), got 1."),
        (["--score", "logistic", "--prevalence", "few"], "--prevalence"),
        (["--score", "logistic", "--axis", "roc"], "--axis"),
        (["--score", "logistic", "--costs", "gamma(2,2)"], "got 'gamma(2,2)'"),
        (["--score", "logistic", "--costs", "uniform(0.5,0.1)"], "low must be below high"),
        (["--score", "logistic", "--positive", "2"], "'2' is not among them"),
        (["--score", "logistic", "--frobnicate", "2"], "--frobnicate"),
        (["--weight", "w"], "score"),
    ],
)
def test_bad_input_is_one_line_and_status_2(file, capsys, arguments, message):
    assert message in refused(capsys, "evaluate", file, "--label", "y_true", *arguments)


def test_names_from_the_file_cannot_steer_the_terminal(tmp_path, capsys):
    path = tmp_path / "evil.csv"
    path.write_text('y,"\x1b[31m[red]x[/red]"\n0,0.1\n1,0.2\n')
    out = run(capsys, "evaluate", path, "--label", "y", "--score", "\x1b[31m[red]x[/red]")
    assert "\x1b[31m" not in out
    assert "[red]x[/red]" in out
    assert "\x1b" not in refused(capsys, "evaluate", path, "--label", "y", "--score", "\x1b[31m")


@pytest.mark.parametrize(
    ("text", "costs"),
    [
        ("uniform(0,1)", cs.Uniform()),
        (" uniform( 0.1 , 0.4 ) ", cs.Uniform(0.1, 0.4)),
        ("beta(2,2)", cs.Beta(2, 2)),
        ("point(0.2)", cs.Point(0.2)),
    ],
)
def test_costs_are_written_as_they_are_read(text, costs):
    assert parse_costs(text) == costs
    assert parse_costs(str(costs)) == costs


@pytest.mark.parametrize("text", ["", "beta", "beta(2)", "beta(2,2,2)", "uniform(a,b)", "beta(2,2"])
def test_costs_that_cannot_be_read(text):
    with pytest.raises(cs.ConditionError, match="--costs must be like"):
        parse_costs(text)


def test_the_command_is_installed(file):
    command = [sys.executable, "-m", "costspace.cli", "evaluate", str(file), "--label", "y_true"]
    done = subprocess.run(
        [*command, "--score", "forest"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert "forest" in done.stdout
    failed = subprocess.run(
        [*command, "--score", "none"], check=False, capture_output=True, text=True
    )
    assert failed.returncode == 2
    assert failed.stdout == ""


def start(file, *arguments, **options):
    command = [sys.executable, "-m", "costspace.cli", "evaluate", str(file), "--label", "y_true"]
    return subprocess.Popen(
        [*command, "--score", "logistic", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def test_a_reader_that_goes_away_is_no_error(file):
    with start(file, "--json", stdout=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_a_full_disk_is_one_line(file):
    with Path("/dev/full").open("w") as full, start(file, stdout=full) as process:
        message = process.stderr.read()
    assert message == "costspace: standard output: No space left on device.\n"
    assert process.returncode == 2


def test_a_terminal_without_the_characters_still_gets_the_table(file):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    with start(file, "--score", "margin", stdout=subprocess.PIPE, env=environment) as process:
        out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    assert "brier" in out


def test_interrupting_ends_quietly(file, tmp_path):
    long = tmp_path / "long.csv"
    long.write_text("y_true,logistic\n" + "0,0.123456\n1,0.654321\n" * 4_000_000)
    with start(long, stdout=subprocess.PIPE) as process:
        # Interrupt once the query runs, a moment after the command has first opened the file.
        descriptors = Path(f"/proc/{process.pid}/fd")
        while process.poll() is None:
            with contextlib.suppress(OSError):
                if any(link.resolve() == long for link in descriptors.iterdir()):
                    time.sleep(0.2)
                    process.send_signal(signal.SIGINT)
                    break
            time.sleep(0.01)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (130, "", "")

"""What holds for every command: the libraries that it needs, and its options."""

import errno
import io
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command_line import refused, run

import costspace_command
from costspace.cli import main
from costspace.cli.console import told_written

EXAMPLE = Path(__file__).parents[2] / "examples" / "breast_cancer.csv"
ROWS = ["x.csv", "--label", "y", "--score", "s"]


@pytest.mark.parametrize("library", ["cyclopts", "rich"])
def test_a_missing_library_is_one_line(library):
    code = f"import sys; sys.modules[{library!r}] = None; from costspace.cli import main; main([])"
    run = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr == (
        "costspace: the command line needs its libraries: pip install 'costspace[cli]'.\n"
    )


def test_another_failing_import_is_not_hidden():
    code = "import sys; sys.modules['numpy'] = None; from costspace.cli import main; main({ROWS})"
    code = code.replace("{ROWS}", repr(["evaluate", *ROWS]))
    run = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert "numpy" in run.stderr
    assert "pip install" not in run.stderr


def test_help_of_decide_does_not_import_numpy():
    code = "import sys; sys.modules['numpy'] = None; from costspace.cli import main; main({})"
    asked = code.format(["decide", "--help"])
    run = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert "--capacity" in run.stdout


@pytest.mark.parametrize("option", ["--no-json", "--empty-score", "--empty-by"])
def test_flags_have_no_negative_form(capsys, option):
    arguments = ["evaluate", "x.csv", "--label", "y", "--score", "s", option]
    assert option in refused(capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["tally", "x.csv", "--label", "y", "-o", "z"],
            (
                "--score is missing: Column of a model's scores, where higher means more positive; "
                "repeat it for each model. --score=-NAME changes the sign of a column where higher "
                "means less positive; 1-NAME is for the chance of the negative class; 'model_*' "
                "and all-but:A,B name several columns."
            ),
        ),
        (
            ["drift"],
            (
                "BEFORE is missing: A saved table, as `tally` and `merge` make them; or with "
                "--label a file of predictions."
            ),
        ),
        (["tally", *ROWS], "--output is missing: The file to save to, in Parquet."),
        (["tally", *ROWS, "-o"], "-o needs a value: The file to save to, in Parquet."),
        (
            ["tally", "x.csv", "--lable", "y", "--score", "s", "-o", "z"],
            "--label is missing: Column of labels. Did you mean --label instead of --lable?",
        ),
        (
            ["compare", *ROWS, "logit"],
            (
                "'logit' belongs to no option: repeat an option for each of its values, as in "
                "--score A --score B, and put a pattern of files in quotes."
            ),
        ),
        (
            ["decide", *ROWS, "--capacity", "10%"],
            "--capacity must be a number, got '10%': 10 % is 0.1.",
        ),
        (["decide", *ROWS, "--folds", "many"], "--folds must be a whole number, got 'many'."),
        (
            ["evaluate", *ROWS, "--capacity", "0.1"],
            "evaluate has no --capacity: it belongs to compare, decide and report.",
        ),
        (
            ["evaluate", *ROWS, "--fp-cost=1"],
            (
                "evaluate has no --fp-cost: it belongs to apply, compare, decide, drift, report "
                "and watch begin."
            ),
        ),
        (
            ["evaluate", *ROWS, "--intervalz"],
            "Unknown option: --intervalz. Did you mean --intervals?",
        ),
        (
            ["evaluate", *ROWS, "--nothing"],
            "Unknown option: --nothing. costspace evaluate --help lists those that there are.",
        ),
        (
            ["evaluate", "--", *ROWS],
            "--label comes after --, where nothing is an option: leave out the --.",
        ),
        (
            ["evaluate", *ROWS, "--level", "0.9", "--level", "0.8"],
            "--level is given more than once, and takes one value: give it once.",
        ),
        (
            ["drift", "a", "b", "--correction", "x" * 5000],
            (
                f'Invalid value "{"x" * 99}...{"x" * 39}" for --correction. Choose from: "holm", '
                '"bonferroni", "none".'
            ),
        ),
    ],
)
def test_a_command_line_that_cannot_be_understood(capsys, arguments, message):
    assert refused(capsys, *arguments) == message


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        np._core._exceptions._ArrayMemoryError((10**12,), np.dtype(float)),
        ImportError("libarrow.so: failed to map segment from shared object"),
        OSError(errno.ENOMEM, "Cannot allocate memory"),
    ],
)
def test_memory_that_runs_out_is_one_line(monkeypatch, capsys, error):
    def no_room(*_, **__):
        raise error

    monkeypatch.setattr("costspace.cli.evaluate.fits", no_room)
    monkeypatch.setattr(
        "costspace.cli.main", lambda loaded: main(["evaluate", *ROWS], loaded=loaded)
    )
    on_interrupt = signal.getsignal(signal.SIGINT)
    try:
        with pytest.raises(SystemExit) as ended:
            costspace_command.main()
    finally:
        signal.signal(signal.SIGINT, on_interrupt)
    assert ended.value.code == 2
    message = capsys.readouterr().err
    assert message.startswith("costspace: there is not enough memory for this: ")
    assert message.count("\n") == 1
    assert "--bins" in message
    assert len(message) < 300


def test_another_failing_import_of_a_command_is_not_hidden(monkeypatch):
    def broken(*_, **__):
        raise ImportError("cannot import name 'x'")

    monkeypatch.setattr("costspace.cli.evaluate.fits", broken)
    with pytest.raises(ImportError, match="cannot import name 'x'"):
        main(["evaluate", *ROWS])


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_an_error_is_folded_on_a_terminal_only(monkeypatch, tmp_path, capsys):
    path = tmp_path / "rows.csv"
    path.write_text("y,m\n0,0.1\n1,0.9\n")
    words = ["decide", str(path), "--label", "y", "--score", "m", "--fp-cost", "1"]
    words += ["--fn-cost", "5", "--capacity", "200"]
    with pytest.raises(SystemExit):
        main(words)
    (line,) = capsys.readouterr().err.splitlines()
    assert len(line) > 80
    monkeypatch.setattr(sys, "stderr", Terminal())
    with pytest.raises(SystemExit):
        main(words)
    lines = sys.stderr.getvalue().splitlines()
    assert " ".join(lines) == line
    assert max(map(len, lines)) <= 80


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate",),
        ("decide", "--fp-cost", "1", "--fn-cost", "5:50"),
        ("compare", "--score", "naive_bayes"),
    ],
)
def test_output_goes_to_a_file_whole(arguments, tmp_path, capsys):
    command, *more = arguments
    ask, target = (
        (command, EXAMPLE, "--label", "y_true", "--score", "logistic", *more),
        tmp_path / "x",
    )
    for form in ([], ["--json"]):
        printed = run(capsys, *ask, *form)
        assert run(capsys, *ask, *form, "-o", target) == ""
        lines = [line.rstrip() for line in printed.splitlines()]
        assert target.read_text() == "\n".join([*lines, ""])
    assert list(tmp_path.iterdir()) == [target]
    target.write_text("old")
    refused(capsys, *ask, "--score", "none", "-o", target)
    assert target.read_text() == "old"
    message = refused(capsys, *ask, "-o", tmp_path / "no" / "x")
    assert message.startswith("cannot write ")


def test_what_was_written_is_told_on_a_terminal_only(monkeypatch, capsys):
    told_written(Path("x.html"))
    assert capsys.readouterr() == ("", "")
    monkeypatch.setattr(sys, "stderr", Terminal())
    told_written(Path("x\n.html"))
    assert sys.stderr.getvalue() == "wrote x\N{REPLACEMENT CHARACTER}.html\n"
    monkeypatch.setattr(sys, "stderr", None)
    told_written(Path("x.html"))

"""What holds for every command: the libraries that it needs, and its options."""

import subprocess
import sys

import pytest
from command_line import refused


@pytest.mark.parametrize("library", ["cyclopts", "rich"])
def test_a_missing_library_is_one_line(library):
    code = f"import sys; sys.modules[{library!r}] = None; import costspace.cli"
    run = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert run.returncode == 1
    assert run.stderr == (
        "costspace: the command line needs its libraries: pip install 'costspace[cli]'.\n"
    )


def test_another_failing_import_is_not_hidden():
    code = "import sys; sys.modules['numpy'] = None; import costspace.cli.application"
    run = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert "numpy" in run.stderr
    assert "pip install" not in run.stderr


@pytest.mark.parametrize("option", ["--no-json", "--empty-score", "--empty-by"])
def test_an_option_that_is_left_out_needs_no_opposite(capsys, option):
    arguments = ["evaluate", "x.csv", "--label", "y", "--score", "s", option]
    assert option in refused(capsys, *arguments)

"""The command as the shell starts it: pipes, closed streams, signals and memory."""

import os
import resource
import signal
import subprocess
import sys
import tomllib
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
MODULE, FUNCTION = PROJECT["project"]["scripts"]["costspace"].split(":")
# What an installed script does.
SCRIPT = f"import sys; from {MODULE} import {FUNCTION}; sys.exit({FUNCTION}())"
# Where a module is looked for, before it is loaded.
AT_IMPORT = """
import signal, sys
class Finder:
    def find_spec(self, name, *_):
        if name == {module!r}:
            signal.raise_signal(signal.{name})
sys.meta_path.insert(0, Finder())
"""
AT_THE_END = "import atexit, signal; atexit.register(signal.raise_signal, signal.SIGINT)\n"
# Room for no library, though Python runs.
WITHOUT_MEMORY = """
import resource
pages = int(open("/proc/self/statm").read().split()[0])
resource.setrlimit(resource.RLIMIT_AS, (pages * resource.getpagesize() + 2**22,) * 2)
"""

NO_MEMORY_AT_IMPORT = """
import sys
class Finder:
    def find_spec(self, name, *_):
        if name == "numpy":
            raise MemoryError
sys.meta_path.insert(0, Finder())
"""

# What loads all that a command does.
COMMAND = ("evaluate", "x.csv", "--label", "y", "--score", "s")


def start(*arguments, before="", **options):
    command = [sys.executable, "-c", before + SCRIPT, *map(str, arguments)]
    return subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True, **options)


def start_in_shell(line, *arguments):
    """A run whose streams a shell sets up; the command is "$@"."""
    command = ["sh", "-c", line, "sh", sys.executable, "-c", SCRIPT, *arguments]
    return subprocess.run(command, check=False, capture_output=True, text=True)


def test_help_for_a_reader_that_has_gone_ends_well():
    reading, writing = os.pipe()
    os.close(reading)
    ended = start("evaluate", "--help", stdout=writing)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "argument", "message"),
    [
        ('"$@" >&-', "--help", "costspace: standard output: Bad file descriptor.\n"),
        ('"$@" >/dev/full', "--help", "costspace: standard output: No space left on device.\n"),
        ('"$@" 2>/dev/full', "--nothing", ""),
    ],
)
def test_a_stream_that_takes_nothing_is_an_error(line, argument, message):
    ended = start_in_shell(line, argument)
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", message)


@pytest.mark.parametrize(
    "module", ["costspace", "numpy", "rich.console", "costspace.frames.relation"]
)
def test_an_interrupt_while_it_loads_is_quiet(module):
    ended = start(*COMMAND, before=AT_IMPORT.format(module=module, name="SIGINT"))
    assert (ended.returncode, ended.stderr) == (130, "")


def test_an_interrupt_at_the_very_end_is_quiet():
    ended = start("--version", before=AT_THE_END, stdout=subprocess.PIPE)
    assert (ended.returncode, ended.stderr) == (130, "")
    assert ended.stdout.strip()


def test_a_signal_to_end_while_it_loads_is_quiet():
    ended = start(*COMMAND, before=AT_IMPORT.format(module="numpy", name="SIGTERM"))
    assert (ended.returncode, ended.stderr) == (-signal.SIGTERM, "")


def test_too_little_memory_to_load_is_one_line():
    for before in (WITHOUT_MEMORY, NO_MEMORY_AT_IMPORT):
        ended = start(*COMMAND, before=before)
        one_line_of_too_little(ended)


def one_line_of_too_little(ended):
    assert ended.stderr.startswith("costspace: there is too little memory to start: ")
    assert ended.stderr.count("\n") == 1
    assert ended.returncode == 2


def test_a_library_that_is_broken_keeps_its_traceback():
    ended = start(*COMMAND, before="import sys; sys.modules['numpy'] = None\n")
    assert "Traceback" in ended.stderr
    assert "numpy" in ended.stderr


@pytest.mark.parametrize("command", ["evaluate", "tally"])
def test_a_file_that_may_not_grow_is_not_left_half_written(tmp_path, command):
    data, target = tmp_path / "data.parquet", tmp_path / "target"
    pq.write_table(pa.table({"y": [0, 1], "s": [0.25, 0.75]}), data)
    ended = start(
        *(command, data, "--label", "y", "--score", "s", "-o", target),
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
    )
    assert ended.stderr.startswith(f"costspace: cannot write {target}: ")
    assert ended.stderr.count("\n") == 1
    assert ended.returncode == 2
    assert list(tmp_path.iterdir()) == [data]


@pytest.mark.parametrize("mebibytes", [300, 600, 1000])
def test_too_few_addresses_to_read_files_are_said_at_the_start(mebibytes):
    most = mebibytes * 2**20

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (most, most))

    for command in (COMMAND, ("drift", "missing.csv", "missing.csv")):
        ended = start(*command, preexec_fn=limit)
        assert ended.returncode == 2
        assert ended.stderr == (
            "costspace: reading files takes 1024 MiB of addresses, and this process may have "
            f"{mebibytes} MiB: raise the limit that is set (--memory, ulimit, or that of a "
            "container or a batch job).\n"
        )
    help_told = start("--help", preexec_fn=limit, stdout=subprocess.PIPE)
    assert (help_told.returncode, help_told.stderr) == (0, "")
    assert "evaluate" in help_told.stdout

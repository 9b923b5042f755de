"""A limit on memory, set by an option: what it says, and that it holds."""

import resource
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import refused

from costspace.cli import memory
from costspace.cli.memory import Memory
from costspace.errors import ConditionError
from costspace.frames.memory import memory_for_rows

START = "import sys; from costspace_command import main; sys.exit(main())"
ROWS = 4_000_000


def test_a_size_is_a_number_with_a_unit(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for text in ("lots", "4", "2 parsecs", "GB"):
        said = refused(capsys, "report", tmp_path, "--label", "y", "--score", "s", "--output",
                       tmp_path / "page.html", "--memory", text)  # fmt: skip
        assert said == f"--memory must be a size such as 2GB or 500MB, got {text!r}."
    said = refused(capsys, "tally", "x", "--label", "y", "--score", "s", "-o", "z", "--memory=9MB")
    assert said == "--memory must be at least 400MB, got '9MB'."


@pytest.mark.parametrize(
    ("text", "size"), [("2GB", 2 * 10**9), ("500mb", 5 * 10**8), (" 1.5 GiB ", 3 * 2**29)]
)
def test_units_are_of_either_kind(text: str, size: int) -> None:
    assert memory._bytes(text) == size


def test_a_system_that_limits_nothing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory.sys, "platform", "darwin")
    with pytest.raises(ConditionError, match="--memory works on Linux only"):
        Memory(memory="2GB").limit()


@pytest.mark.skipif(sys.platform != "linux", reason="limits are held on Linux")
def test_rows_are_kept_within_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    unlimited = memory_for_rows()
    never = resource.RLIM_INFINITY
    monkeypatch.setattr(resource, "getrlimit", lambda _: (10**9, never))
    assert memory_for_rows() == min(unlimited, 7 * 10**8)


@pytest.mark.skipif(sys.platform != "linux", reason="limits are held on Linux")
def test_a_run_takes_no_more(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    scores = {f"s{i}": rng.random(ROWS) for i in range(3)}
    file = tmp_path / "rows.parquet"
    pq.write_table(pa.table({"y": rng.integers(0, 2, ROWS), **scores}), file)
    asked = [sys.executable, "-c", START, "evaluate", file, "--label", "y", "--json"]
    asked += [f"--score={name}" for name in scores]

    def ended(*options: str) -> tuple[int, str, str]:
        run = subprocess.run([*asked, *options], check=False, capture_output=True, text=True)
        return run.returncode, run.stdout, run.stderr

    status, printed, said = ended("--memory", "400MB")
    assert (status, printed) == (2, "")
    assert "there is not enough memory" in said
    assert "raise the memory limit" in said
    assert said.count("\n") == 1
    status, _, said = ended("--memory", "400MB", "--bins", "100")
    assert (status, said) == (0, "")
    assert ended("--memory", "2GB") == ended()


@pytest.mark.skipif(sys.platform != "linux", reason="limits are held on Linux")
@pytest.mark.parametrize("kind", ["zstd", "checksums"])
def test_checks_of_a_small_file_fit_in_the_least_limit(kind: str, tmp_path: Path) -> None:
    file = tmp_path / "rows"
    if kind == "zstd":
        file.write_bytes(pa.compress(b"y,s\n0,0.1\n1,0.9\n", codec="zstd", asbytes=True))
    else:
        pq.write_table(pa.table({"y": [0, 1], "s": [0.1, 0.9]}), file, write_page_checksum=True)
    asked = [sys.executable, "-c", START, "evaluate", file, "--label=y", "--score=s"]
    ended = subprocess.run([*asked, "--memory=400MB"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")

"""Nothing stays on disk of a run that ends, or of one that was killed once another has begun."""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from refusals import refused

from costspace import FileError
from costspace.frames import scratch
from costspace.frames.files import read_rows
from costspace.frames.relation import open_relation

pytest.importorskip("fcntl")

# Parses CSV into a folder for temporary files, and waits.
_READING = """
import sys
from costspace.frames import tallying
from costspace.frames.columns import Columns

def wait(*_, **__):
    print("counting", flush=True)
    sys.stdin.read()

tallying.score_counts = wait
tallying.tally_files(sys.argv[1], Columns(label="y", scores=["s"]))
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """An empty folder for temporary files."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    monkeypatch.setenv("TMPDIR", str(folder))
    return folder


def reading(path: Path) -> subprocess.Popen:
    """A run that has parsed the file."""
    run = subprocess.Popen(
        [sys.executable, "-c", _READING, str(path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert run.stdout is not None
    assert run.stdout.readline() == "counting\n"
    return run


def test_a_killed_run_leaves_nothing_for_long(place, csv):
    path = csv("y,s\n" + "0,0.25\n1,0.75\n" * 1000)
    killed, living = reading(path), reading(path)
    both = set(place.iterdir())
    assert len(both) == 2
    killed.send_signal(signal.SIGKILL)
    killed.communicate(timeout=60)
    assert set(place.iterdir()) == both
    read_rows(path, label="y", scores=["s"])
    (kept,) = place.iterdir()
    assert kept in both
    assert (kept / "parsed").exists()
    living.communicate("", timeout=60)
    assert not list(place.iterdir())


def test_only_our_own_folders_are_removed(place, csv, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "kept").write_text("")
    (place / "costspace-rows-abcdefgh").symlink_to(elsewhere)
    (place / "costspace-rows-notes").mkdir()
    (place / "costspace-rows-file_123").write_text("")
    for name in ("costspace-rows-left_123", "costspace-rows-jan_2024"):
        (place / name).mkdir()
        (place / name / "link").symlink_to(elsewhere)
    (place / "costspace-rows-left_123" / ".costspace-scratch").touch()
    read_rows(csv("y,s\n0,0.5\n1,0.7\n"), label="y", scores=["s"])
    assert sorted(path.name for path in place.iterdir()) == [
        "costspace-rows-abcdefgh",
        "costspace-rows-file_123",
        "costspace-rows-jan_2024",
        "costspace-rows-notes",
    ]
    assert (elsewhere / "kept").exists()


def test_runs_side_by_side_keep_their_folders(place, csv):
    path = csv("y,s\n0,0.5\n1,0.7\n")
    with open_relation(path, ["y"]) as one, open_relation(path, ["y"]) as other:
        assert one.folder != other.folder
        read_rows(path, label="y", scores=["s"])
        assert one.folder.is_dir()
        assert other.folder.is_dir()
    assert not list(place.iterdir())


def test_a_folder_that_is_not_locked_yet_is_nobodys(place, monkeypatch):
    made, mkdtemp = [], tempfile.mkdtemp

    def swept(**options):
        made.append(mkdtemp(**options))
        scratch._sweep(place)
        return made[-1]

    monkeypatch.setattr(tempfile, "mkdtemp", swept)
    with scratch.scratch() as folder:
        assert [str(folder)] == made
        scratch._sweep(place)
        assert folder.is_dir()


def test_another_users_folder_stays(place, csv, monkeypatch):
    left = place / "costspace-rows-left_123"
    left.mkdir()
    (left / ".costspace-scratch").touch()
    monkeypatch.setattr(os, "geteuid", lambda: left.stat().st_uid + 1)
    read_rows(csv("y,s\n0,0.5\n1,0.7\n"), label="y", scores=["s"])
    assert left.is_dir()


def test_a_place_for_temporary_files_that_is_not_there(csv, monkeypatch, tmp_path):
    path = csv("y,s\n0,0.5\n1,0.7\n")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "missing"))
    with refused(FileError, "cannot make a temporary folder: No such file or directory"):
        read_rows(path, label="y", scores=["s"])

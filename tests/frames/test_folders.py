"""Files are known by what they are: each counts once, by whatever names it is found."""

import os
import shutil
from pathlib import Path

import pytest
from command_line import as_json, run
from command_line import refused as refused_by_command
from hostile_writers import PLAIN, TABLE, parquet
from refusals import refused

from costspace import FileError
from costspace.frames.files import read_rows
from costspace.frames.paths import files_of

SMALL = b"y,s\n1,0.3\n"
GLOBS = ("*/*.csv", "**/*.csv", "**/*", "**")


@pytest.fixture
def folder(tmp_path):
    """A folder with files in two folders, and a file elsewhere."""
    for name, content in {"d/a/x.csv": PLAIN, "d/b/y.csv": SMALL, "out/z.csv": SMALL}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    return tmp_path / "d"


def same_from(folder, *names):
    """Whether the folder and all globs over it have these files."""
    expected = [folder / name for name in names]
    return all(files_of(path) == expected for path in (folder, *(folder / g for g in GLOBS)))


def test_a_link_to_a_folder_within_leads_to_files_that_are_there_already(folder):
    (folder / "aa").symlink_to("a")
    assert same_from(folder, "a/x.csv", "b/y.csv")
    assert len(read_rows(folder / "*" / "*.csv", label="y", scores=["s"])) == 5


def test_a_link_to_a_folder_elsewhere_leads_to_its_files(folder):
    (folder / "out").symlink_to("../out")
    assert same_from(folder, "a/x.csv", "b/y.csv", "out/z.csv")


def test_links_in_a_circle_end(folder):
    (folder / "self").symlink_to(".")
    (folder / "a" / "to b").symlink_to("../b")
    (folder / "b" / "to a").symlink_to("../a")
    assert same_from(folder, "a/x.csv", "b/y.csv")
    assert files_of(folder / "*" / "*" / "*.csv") == [
        folder / "a/to b/y.csv",
        folder / "b/to a/x.csv",
    ]


def test_a_link_to_a_file_is_that_file(folder):
    (folder / "a" / "latest.csv").symlink_to("x.csv")
    (folder / "b" / "of out.csv").symlink_to("../../out/z.csv")
    assert same_from(folder, "a/x.csv", "b/of out.csv", "b/y.csv")


def test_a_file_of_two_names_without_links_is_refused(folder):
    os.link(folder / "a" / "x.csv", folder / "b" / "x.csv")
    for path in (folder, folder / "**" / "*.csv"):
        with refused(FileError, "are one file (hard links): its rows would count twice"):
            read_rows(path, label="y", scores=["s"])
    read_rows(folder / "a", label="y", scores=["s"])


@pytest.mark.parametrize("name", ["gone", "gone.csv"])
def test_a_link_to_nothing_is_told(folder, name):
    (folder / "a" / name).symlink_to("nothing")
    for path in (folder, folder / "**" / "*.csv", folder / "a" / "g*" / "*"):
        with refused(FileError, f"{folder / 'a' / name} is a link to nothing, which is not there"):
            files_of(path)
    assert files_of(folder / "a" / "x*.csv") == [folder / "a" / "x.csv"]
    (folder / "a" / name).rename(folder / "a" / f".{name}")
    assert same_from(folder, "a/x.csv", "b/y.csv")


def test_a_link_to_itself_is_told(folder):
    (folder / "loop").symlink_to("loop")
    for path in (folder, folder / "*" / "*.csv"):
        with refused(FileError, str(folder / "loop")):
            files_of(path)


def test_a_folder_that_cannot_be_read_is_told(folder, monkeypatch):
    scan = os.scandir

    def scanned(path):
        if Path(path) == folder / "b":
            raise PermissionError(13, "Permission denied", str(path))
        return scan(path)

    monkeypatch.setattr(os, "scandir", scanned)
    for path in (folder, *(folder / g for g in GLOBS)):
        with refused(FileError, f"cannot read {folder / 'b'}: Permission denied"):
            files_of(path)
    assert files_of(folder / "a*" / "*.csv") == [folder / "a" / "x.csv"]


def test_what_is_named_as_data_and_is_no_file(folder):
    os.mkfifo(folder / "a" / "pipe.csv")
    for path in (folder, folder / "*" / "*.csv"):
        with refused(FileError, f"{folder / 'a' / 'pipe.csv'} is not a file"):
            files_of(path)


def test_a_folder_named_as_data_is_read_or_told(folder):
    """Spark writes such folders."""
    shutil.copytree(folder / "b", folder / "a" / "b.csv")
    inside = [folder / "a/b.csv/y.csv", folder / "a/x.csv", folder / "b/y.csv"]
    assert files_of(folder) == files_of(folder / "**" / "*.csv") == inside
    assert files_of(folder / "a" / "*.csv" / "*") == inside[:1]
    with refused(FileError, f"{folder / 'a' / 'b.csv'} is a folder: name the files in it, as by"):
        files_of(folder / "a" / "*.csv")


def test_globs_mean_what_a_shell_takes_them_for(folder, monkeypatch):
    for name in (".x.csv", "_x.csv", "[x].csv", "X.csv"):
        (folder / "a" / name).write_bytes(SMALL)
    monkeypatch.chdir(folder)

    def found(pattern):
        return [str(file) for file in files_of(Path(pattern))]

    assert found("a/*.csv") == ["a/X.csv", "a/[x].csv", "a/_x.csv", "a/x.csv"]
    assert found("a/.*") == ["a/.x.csv"]
    assert found("a/[[]x].csv") == ["a/[x].csv"]
    assert found("?/x.csv") == ["a/x.csv"]
    assert found("**/y.csv") == ["b/y.csv"]
    assert found("*/../b/[!x]*") == ["a/../b/y.csv"]
    assert found(f"{folder}/b/*") == [f"{folder}/b/y.csv"]
    for none in ("c/*", "a/x.csv/*", "z*/**"):
        with refused(FileError, f"no file matches {none}"):
            files_of(Path(none))


def test_an_output_that_a_linked_folder_would_hold_is_refused(folder, capsys):
    (folder / "out").symlink_to("../out")
    command = ["evaluate", folder, "--label", "y", "--score", "s"]
    for place in (folder / "out" / "found.csv", folder.parent / "out" / "found.csv"):
        text = refused_by_command(capsys, *command, "-o", place)
        assert "would be read with" in text
    run(capsys, *command, "-o", folder / "out" / "found.txt")


def test_a_saved_table_of_two_names_counts_once(tmp_path, capsys):
    one, other = tmp_path / "one.parquet", tmp_path / "other.parquet"
    rows = parquet(TABLE, tmp_path / "rows.parquet")
    run(capsys, "tally", rows, "--label", "y", "--score", "s", "-o", one)
    os.link(one, other)
    text = refused_by_command(capsys, "merge", one, other, "-o", tmp_path / "sum.parquet")
    assert text == f"{other} is named twice, as {one} too: its rows would count twice."
    assert "is named twice" in refused_by_command(capsys, "drift", one, other)
    shutil.copy(one, tmp_path / "copy.parquet")
    run(capsys, "merge", one, tmp_path / "copy.parquet", "-o", tmp_path / "sum.parquet")
    assert as_json(capsys, "evaluate", tmp_path / "sum.parquet")["source"]["rows"] == 8

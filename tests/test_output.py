"""Files are written whole or not at all."""

import os
from pathlib import Path

import pytest

from costspace import FileError
from costspace.output import check_writable, write_text


def test_a_new_file_has_the_usual_permissions(tmp_path):
    (tmp_path / "usual").write_text("")
    write_text(tmp_path / "new", "näive\n")
    assert (tmp_path / "new").read_text(encoding="utf-8") == "näive\n"
    assert (tmp_path / "new").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_an_old_file_keeps_its_permissions_and_a_link_its_target(tmp_path):
    old, link = tmp_path / "old", tmp_path / "link"
    old.write_text("before")
    old.chmod(0o640)
    link.symlink_to(old)
    write_text(link, "after")
    assert old.read_text() == "after"
    assert old.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path, monkeypatch):
    target = tmp_path / "old"
    target.write_text("before")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(FileError, match="No space left on device"):
        write_text(target, "after")
    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_what_is_no_regular_file_stays_what_it_is(tmp_path):
    write_text(Path(os.devnull), "gone")
    assert Path(os.devnull).is_char_device()
    with pytest.raises(FileError, match="it is a directory"):
        write_text(tmp_path, "text")
    with pytest.raises(FileError, match="No such file or directory"):
        write_text(tmp_path / "missing" / "file", "text")


def test_whether_a_file_can_be_written_is_known_before(tmp_path):
    check_writable(tmp_path / "new.csv")
    assert not list(tmp_path.iterdir())
    with pytest.raises(FileError, match=r"cannot write .*: No such file or directory"):
        check_writable(tmp_path / "no" / "new.csv")
    with pytest.raises(FileError, match="it is a directory"):
        check_writable(tmp_path)

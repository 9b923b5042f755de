"""Damaged files are refused as far as they say that they are damaged; whole ones are read."""

import gzip
from pathlib import Path

import pytest
from hostile_writers import PLAIN, checked_parquet, zstd_with_checksum
from refusals import refused

from costspace import FileError, Rule
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.frames import intact
from costspace.frames.files import read_rows
from costspace.frames.flagging import apply_to_files
from costspace.frames.intact import check_intact, unpacked

ZSTD = zstd_with_checksum(b"\x5d\xe7\x90\x32")


def is_refused(path, kind):
    try:
        check_intact([path], kind, None)
    except FileError:
        return True
    return False


@pytest.mark.parametrize(
    ("kind", "content"), [("gzip", gzip.compress(PLAIN)), ("zstd", ZSTD)], ids=["gzip", "zstd"]
)
def test_wherever_a_packed_file_is_cut_or_changed(kind, content, tmp_path):
    """Bits that are not of the contents, such as the time in gzip, may be others."""
    for end in range(4, len(content)):
        path = tmp_path / f"cut {end}"
        path.write_bytes(content[:end])
        assert is_refused(path, kind)
    for place in range(8 * 4, 8 * len(content)):
        changed = bytearray(content)
        changed[place // 8] ^= 1 << place % 8
        path = tmp_path / f"changed {place}"
        path.write_bytes(changed)
        if not is_refused(path, kind):
            with unpacked(path, kind) as whole:
                assert whole.read() == PLAIN


def test_a_column_that_is_not_read_may_be_damaged(tmp_path):
    """A file with the action of each row has all columns."""
    path = checked_parquet(0.7)(tmp_path)
    decision = SavedDecision({"version": "1.0"}, DeployedRules("y", "own", Rule(0.5)))
    assert apply_to_files(decision, path).counts == {"flag": 2, "pass": 2}
    with refused(FileError, f"cannot read {path}: could not verify page integrity, CRC"):
        apply_to_files(decision, path, tmp_path / "out.csv")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("ends", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("packed", [False, True])
def test_lines_up_to_the_longest_are_read(ends, packed, tmp_path, monkeypatch):
    """The blocks that are looked at are smaller here, and lines lie across them in many ways."""
    monkeypatch.setattr(intact, "_LONGEST", 200)
    monkeypatch.setattr(intact, "_BLOCK", 100)
    for before in (0, 1, 50, 97, 98, 99, 100, 101, 190):
        for length in (150, 199, 200, 201, 250, 500):
            lines = ["y,s", "0" * before, "1" * length, "0,0.5", "1,0.6"]
            for several in (lines, lines[:3]):
                path = tmp_path / f"{before} {length} {len(several)}"
                content = ends.join(several).encode()
                path.write_bytes(gzip.compress(content) if packed else content)
                assert is_refused(path, "gzip" if packed else "CSV") == (length > 200)


def test_a_file_is_looked_at_once(tmp_path, monkeypatch):
    path = tmp_path / "predictions.csv.gz"
    path.write_bytes(gzip.compress(PLAIN))
    read_rows(path, label="y", scores=["s"])
    monkeypatch.setattr(intact, "_blocks_to_the_end", lambda *_: 1 / 0)
    read_rows(path, label="y", scores=["s"])
    path.write_bytes(gzip.compress(PLAIN + PLAIN.removeprefix(b"y,s\n")))
    with pytest.raises(ZeroDivisionError):
        read_rows(path, label="y", scores=["s"])


def test_of_several_files_the_damaged_one_is_told(tmp_path: Path) -> None:
    for day in range(9):
        content = gzip.compress(PLAIN)
        (tmp_path / f"{day}.csv.gz").write_bytes(content[:-1] if day == 5 else content)
    with refused(FileError, f"cannot read {tmp_path / '5.csv.gz'} to its end"):
        read_rows(tmp_path, label="y", scores=["s"])

"""How hostile files are written: each function gives one that does so in an empty folder."""

import os
import sqlite3
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

TEXT = "y,s\n0,0.1\n0,0.6\n1,0.4\n1,0.9\n"
PLAIN = TEXT.encode()
TABLE = pa.table({"y": [0, 0, 1, 1], "s": [0.1, 0.6, 0.4, 0.9]})

Writer = Callable[[Path], Path]


def file(content: bytes, name: str = "predictions.csv") -> Writer:
    def write(folder: Path) -> Path:
        path = folder / name
        path.write_bytes(content)
        return path

    return write


def parquet(table: pa.Table, path: Path, **options: object) -> Path:
    pq.write_table(table, path, **options)
    return path


def packed_by_zstd(folder: Path) -> Path:
    path = folder / "predictions.csv.zst"
    with pa.CompressedOutputStream(str(path), "zstd") as file:
        file.write(b"\xef\xbb\xbf" + PLAIN.replace(b"s\n", b'"a, ""s""\nb"\n'))
    return path


def zstd(text: str) -> bytes:
    """A frame of zstd."""
    packed: bytes = pa.compress(text.encode(), codec="zstd", asbytes=True)
    return packed


def zstd_with_checksum(checksum: bytes) -> bytes:
    """`PLAIN` as one block that is not packed, with the checksum of another or its own."""
    size = len(PLAIN)
    start = b"\x28\xb5\x2f\xfd\x24" + bytes([size])
    return start + (size << 3 | 1).to_bytes(3, "little") + PLAIN + checksum


def checked_parquet(score: float) -> Writer:
    """Parquet whose pages have checksums, in which the third score has become another."""

    def write(folder: Path) -> Path:
        options = {"compression": "none", "use_dictionary": False, "write_page_checksum": True}
        path = parquet(TABLE, folder / "predictions.parquet", **options)
        path.write_bytes(
            path.read_bytes().replace(struct.pack("<d", 0.4), struct.pack("<d", score))
        )
        return path

    return write


def workbook(folder: Path) -> Path:
    path = folder / "predictions.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("predictions.csv", TEXT)
    return path


def sqlite(folder: Path) -> Path:
    path = folder / "predictions.db"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE predictions (y INTEGER, s REAL)")
    connection.commit()
    connection.close()
    return path


def feather(folder: Path) -> Path:
    path = folder / "predictions.feather"
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_file(file, TABLE.schema) as writer:
        writer.write_table(TABLE)
    return path


def numpy(folder: Path) -> Path:
    np.save(folder / "predictions.npy", np.zeros(4))
    return folder / "predictions.npy"


def changed_parquet(change: Callable[[bytearray], bytes]) -> Writer:
    def write(folder: Path) -> Path:
        path = parquet(TABLE, folder / "predictions.parquet", compression="none")
        path.write_bytes(change(bytearray(path.read_bytes())))
        return path

    return write


def with_bytes(content: bytearray, place: int, new: bytes) -> bytes:
    content[place : place + len(new)] = new
    return bytes(content)


def folder(**files: bytes) -> Writer:
    def write(folder: Path) -> Path:
        for name, content in files.items():
            path = folder / name.replace("__", "/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        return folder

    return write


def named(name: str) -> Writer:
    return lambda folder: folder / name


def not_utf8(folder: Path) -> Path:
    path = Path(os.fsdecode(os.fsencode(folder) + b"/predicti\xf6ns.csv"))
    path.write_bytes(PLAIN)
    return path


def link(target: str) -> Writer:
    def write(folder: Path) -> Path:
        (folder / "link.csv").symlink_to(target)
        return folder / "link.csv"

    return write


def pipe(folder: Path) -> Path:
    os.mkfifo(folder / "pipe.csv")
    return folder / "pipe.csv"


def two_columns(folder: Path) -> Path:
    table = pa.table([[0, 1], [0.1, 0.2], [0.3, 0.4]], names=["y", "s", "s"])
    return parquet(table, folder / "twice.parquet")


def no_columns(folder: Path) -> Path:
    return parquet(TABLE.select([]), folder / "none.parquet")


def days(folder: Path) -> Path:
    for day in ("01", "02"):
        (folder / f"s={day}").mkdir()
        parquet(TABLE, folder / f"s={day}" / "a.parquet")
    return folder


def types_differ(folder: Path) -> Path:
    parquet(TABLE, folder / "a.parquet")
    parquet(TABLE.set_column(1, "s", pa.array([True, False] * 2)), folder / "b.parquet")
    return folder

"""Files that look like predictions and are none, or look like none and are some.

Each has the words in which it is refused, or the AUC that comes out. To try them by hand:

    python tests/helpers/hostile_files.py FOLDER
"""

import bz2
import gzip
import lzma
import sys
from dataclasses import dataclass
from pathlib import Path

import hostile_writers as writers
from hostile_cells import AUC, CELLS
from hostile_writers import PLAIN, TABLE, TEXT, Writer


@dataclass(frozen=True)
class Hostile:
    """A file, and what is to be said of it."""

    write: Writer  # writes what is needed into an empty folder, and gives the path to read
    says: str | float  # words in what is said, or the AUC that comes out
    score: str = "s"
    weight: str | None = None


def _csv(content: bytes | str, says: str | float, name: str = "predictions.csv") -> Hostile:
    return Hostile(
        writers.file(content.encode() if isinstance(content, str) else content, name), says
    )


def _cell(cell: str, says: str | float = "") -> Hostile:
    """CSV with one odd cell in the column of scores."""
    words = says or f"row 2: column 's' has {cell!r} where a number is needed"
    return _csv(TEXT.replace("0.6", cell), words)


def _tied(low: str, high: str) -> Hostile:
    """CSV in which two numbers that differ are the same float."""
    return _csv(f"y,s\n0,{low}\n1,{high}\n0,1\n1,2\n", _TIED.format(low, high))


_NUMBER = "9007199254740993"
_BEYOND = f"row 2: column 's' has integers beyond 2^53, which floats cannot tell apart: {_NUMBER}"
_INTEGERS = f"y,s\n0,1\n1,{_NUMBER}\n".encode()
_TIED = (
    "row 1: column 's' has decimals that floats cannot tell apart, such as {} and {}: give fewer"
)
_LINE_ENDS = "its lines end in different ways"
_ADDRESS = "is an address, and only files on this machine are read"
_CUT = "cannot read "
_TO_ITS_END = "to its end: "
_ROWS = TEXT.removeprefix("y,s\n")
_SKIPPED = b"\x50\x2a\x4d\x18\3\0\0\0abc"
# DuckDB leaves out a row that is so long, or starts in such a place, and all rows after it.
_MANY = "y,s,n\n" + "0,0.5,a\n1,0.5,b\n" * 500_000
_LONG = f"1,0.1,{'x' * 2_100_000}\n"
_TOO_LONG = "has more than 2,000,000 bytes: leave out its long cell"

FILES: dict[str, Hostile] = {
    # Bytes that are no CSV.
    "nothing": _csv("", "is empty: it needs a header and rows"),
    "one line end": _csv("\n", "has an empty first row: it needs a header"),
    "a header only": _csv("y,s\n", "has no rows"),
    "no header": _csv("0,0.1\n1,0.2\n", "has no column 'y'"),
    "UTF-16": _csv(TEXT.encode("utf-16"), "is text in UTF-16"),
    "UTF-16, the other way round": _csv(b"\xfe\xff" + TEXT.encode("utf-16-be"), "text in UTF-16"),
    "UTF-16 without a mark": _csv(TEXT.encode("utf-16-le"), "is text in UTF-16, or not text"),
    "UTF-32": _csv(TEXT.encode("utf-32"), "is text in UTF-32"),
    "zero bytes": _csv(bytes(1000), "is text in UTF-16, or not text"),
    "Latin-1": _csv(TEXT.replace("0,0.6", "ü,0.6").encode("latin-1"), "is not utf-8 encoded"),
    "bzip2": _csv(bz2.compress(PLAIN), "is packed by bzip2", "predictions.csv.bz2"),
    "xz": _csv(lzma.compress(PLAIN), "is packed by xz", "predictions.csv.xz"),
    "lz4": _csv(b"\x04\x22\x4d\x18" + PLAIN, "is packed by lz4"),
    "7-Zip": _csv(b"7z\xbc\xaf\x27\x1c" + PLAIN, "is a 7-Zip archive"),
    "tar": _csv(PLAIN.ljust(257, b"\0") + b"ustar\0" + bytes(300), "is a tar archive"),
    "tar in gzip": _csv(gzip.compress(PLAIN.ljust(257, b"\0") + b"ustar\0"), "is gzip of a tar"),
    "an Excel workbook": Hostile(writers.workbook, "is a ZIP archive or an Excel workbook"),
    "an old Excel workbook": _csv(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "is an old Office document"),
    "SQLite": Hostile(writers.sqlite, "is an SQLite database"),
    "Feather": Hostile(writers.feather, "is an Arrow or Feather file"),
    "a NumPy array": Hostile(writers.numpy, "is a NumPy array"),
    "a pickle": _csv(b"\x80\x04\x95\x0b\0\0\0", "is a pickle"),
    "PDF": _csv(b"%PDF-1.7\n", "is a PDF"),
    "JSON": _csv('[{"y": 0, "s": 0.1}]', "looks like JSON, not CSV"),
    "lines of JSON": _csv('{"y": 0, "s": 0.1}\n', "looks like JSON, not CSV"),
    "HTML": _csv("<!DOCTYPE html>\n<p>404", "looks like a page of HTML or XML"),
    # Packed CSV.
    "zstd": Hostile(writers.packed_by_zstd, AUC, 'a, "s"\nb'),
    "gzip by another name": _csv(gzip.compress(PLAIN), AUC, "predictions.txt"),
    "no gzip, by its name": _csv(PLAIN, AUC, "predictions.csv.gz"),
    "gzip cut short": _csv(gzip.compress(TEXT.encode() * 9)[:-12], _CUT),
    "gzip of nothing": _csv(gzip.compress(b""), "has an empty first row"),
    "gzip with broken bytes": _csv(gzip.compress(PLAIN)[:10] + b"\xff" * 40, _CUT),
    "gzip of Parquet": _csv(gzip.compress(b"PAR1" + bytes(99)), "is gzip of Parquet"),
    "gzip of gzip": _csv(gzip.compress(gzip.compress(PLAIN)), "has no column 'y'"),
    "gzip of much": _csv(gzip.compress(b"y,s\n" + b" " * 20_000_000), "line 2"),
    "zstd and no more": _csv(b"\x28\xb5\x2f\xfd", _TO_ITS_END),
    "zstd of several frames": _csv(
        _SKIPPED + writers.zstd(TEXT) + _SKIPPED + writers.zstd(_ROWS), AUC
    ),
    "zstd cut short": _csv(writers.zstd(TEXT) + writers.zstd(_ROWS * 99)[:-3], _TO_ITS_END),
    "zstd and more": _csv(writers.zstd(TEXT) + b"\0", _TO_ITS_END),
    "zstd with a checksum": _csv(writers.zstd_with_checksum(b"\x5d\xe7\x90\x32"), AUC),
    "zstd with a wrong checksum": _csv(
        writers.zstd_with_checksum(b"\x5d\xe7\x90\x33"), _TO_ITS_END
    ),
    "gzip of several parts": _csv(gzip.compress(PLAIN) + gzip.compress(_ROWS.encode()), AUC),
    "gzip with a wrong checksum": _csv(
        gzip.compress(PLAIN)[:-8] + b"\0" + gzip.compress(PLAIN)[-7:], _TO_ITS_END
    ),
    "zstd with broken bytes": _csv(b"\x28\xb5\x2f\xfd" + b"\xff" * 40, _CUT),
    # Cells.
    "an integer beyond 2^53": _csv(_INTEGERS, _BEYOND),
    "such an integer in gzip": _csv(gzip.compress(_INTEGERS), _BEYOND, "predictions.csv.gz"),
    "such an integer below zero": _cell(f"-{_NUMBER}", "integers beyond 2^53"),
    "such an integer with zeros and spaces": _cell(f" +00{_NUMBER} ", "integers beyond 2^53"),
    "integers up to 2^53": _csv(TEXT.replace("0.9", "9007199254740992"), AUC),
    "large numbers that are no integers": _csv(TEXT.replace("0.9", "9007199254740994.0"), AUC),
    "a number that no float can be": _cell("1e400"),
    "a number that a float makes 0": _cell("-0.002e-400"),
    "zeros of many kinds": _csv("y,s\n0,-0.000\n1,0e5\n0,+.0\n1,0E-400\n", 0.5),
    "numbers of a point that tie": _tied("9007199254740992.0", "9007199254740993.0"),
    "numbers of an exponent that tie": _tied("9007199254740992e0", "9007199254740993e0"),
    "numbers of 17 digits that tie": _tied("0.98765432109876541", "0.98765432109876542"),
    "numbers of 20 digits that tie": _tied("-0.10000000000000000001", "-0.10000000000000000002"),
    "tiny numbers that tie": _tied("3e-324", "5e-324"),
    "a number of other digits than the same float's": _tied("0.7", "0.70000000000000000001"),
    "numbers of one float as programs write it": _csv(
        "y,s\n0,0.3333333333333333\n1,0.33333333333333331\n0,.33333333333333331483\n"
        "1,3.333333333333333e-1\n0,5e-324\n1,4.94065645841246544e-324\n0,9e99\n1,90e98\n",
        0.5,
    ),
    "a number with an underscore": _cell("1_0"),
    "Arabic digits": _cell("٠٫٦"),
    "wide digits": _cell("１２"),
    "a hexadecimal number": _cell("0x1p-1"),
    "a number with its unit": _cell("0.6f"),
    "a percentage": _cell("60%", "column 's' has '60%' where a number is needed"),
    "a decimal comma": _cell('"0,6"', "column 's' has '0,6' where a number is needed"),
    "thousands": _cell('"1,000"', "column 's' has '1,000' where a number is needed"),
    "a zero byte": _cell("0.6\0", "column 's' has '0.6\\x00' where a number is needed"),
    "a formula": _cell("=1+1"),
    "two words": _cell("n/a n/a"),
    "an empty cell": _cell("", "row 2: column 's' is empty where a number is needed"),
    "an empty cell in quotes": _cell('""', "row 2: column 's' is empty"),
    "a cell of 3 million digits": _cell("0." + "6" * 3_000_000, "line 3 (the header is line 1)"),
    "a long last row": _csv(_MANY + _LONG, _TOO_LONG),
    "a long row before others": _csv(_MANY + _LONG + "1,0.1,a\n" * 9, _TOO_LONG),
    "a long last row in gzip": _csv(gzip.compress((_MANY + _LONG).encode(), 1), _TOO_LONG),
    "a header of 3 million letters": _csv("x" * 3_000_000 + ",y,s\n", _TOO_LONG),
    "infinity": _csv(TEXT.replace("0.9", "+Infinity"), AUC),
    # Rows and columns.
    "too many cells": _csv("y,s\n0,0.1\n1,0.2,3\n", "it has 3 cells, not 2"),
    "too few cells": _csv("y,s\n0,0.1\n1\n", "it has 1 cells, not 2"),
    "an empty line": _csv("y,s\n0,0.1\n\n1,0.2\n", 1.0),
    "a quote that does not close": _csv('y,s\n0,"0.1\n1,0.2\n', "none closes it"),
    "a quote that closes early": _csv('y,s\n0,"0.1"x\n1,0.2\n', "none closes it"),
    "one column twice": _csv("y,s,s\n0,0.1,0.2\n1,0.2,0.1\n", "has 2 columns 's'"),
    "semicolons and decimal commas": _csv(TEXT.replace(",", ";").replace(".", ","), AUC),
    "decimal commas where a comma divides": _csv('y,s\n0,"0,1"\n1,"0,6"\n', "(with a decimal"),
    "semicolons": _csv(TEXT.replace(",", ";"), AUC),
    "tabs": _csv(TEXT.replace(",", "\t"), AUC),
    "a mark of the order of bytes": _csv(b"\xef\xbb\xbf" + PLAIN, AUC),
    "lines as in Windows": _csv(TEXT.replace("\n", "\r\n"), AUC),
    "lines as in old Macs": _csv(TEXT.replace("\n", "\r"), AUC),
    "no last line end": _csv(TEXT.rstrip(), AUC),
    "lines that end in two ways": _csv("y,s\r\n0,0.1\n1,0.2\r\n", _LINE_ENDS),
    "lines that end in two other ways": _csv("y,s\n0,0.1\r\n1,0.2\n", _LINE_ENDS),
    "lines that end in three ways": _csv("y,s\n0,0.1\r1,0.2\r\n1,0.3\n", _LINE_ENDS),
    "a comment": _csv("# made today\n" + TEXT, "in line 2: leave out the lines above"),
    "a name much like it": _csv(TEXT.replace("y,s", "Y,S"), "did you mean 'Y'?"),
    "5,000 columns": _csv("y,s," + ",".join(f"c{i}" for i in range(5000)) + "\n", "has no rows"),
    "a header of 300,000 letters": _csv("x" * 300_000 + ",y,s\n", "cannot read the header of"),
    # Parquet.
    "Parquet cut short": Hostile(writers.changed_parquet(lambda b: bytes(b[:-9])), _CUT),
    "Parquet without its end": Hostile(
        writers.changed_parquet(lambda b: bytes(b[: len(b) // 2])), _CUT
    ),
    "Parquet and more": Hostile(writers.changed_parquet(lambda b: bytes(b) + b"\0"), _CUT),
    "Parquet with an endless footer": Hostile(
        writers.changed_parquet(lambda b: writers.with_bytes(b, len(b) - 8, b"\xff\xff\xff\x7f")),
        _CUT,
    ),
    "Parquet with a broken footer": Hostile(
        writers.changed_parquet(lambda b: writers.with_bytes(b, len(b) - 200, b"\xff" * 150)), _CUT
    ),
    "Parquet with broken pages": Hostile(
        writers.changed_parquet(lambda b: writers.with_bytes(b, 4, b"\xff" * 40)), _CUT
    ),
    "Parquet with checksums": Hostile(writers.checked_parquet(0.4), AUC),
    "Parquet with a wrong checksum": Hostile(writers.checked_parquet(0.7), "It is damaged"),
    "the first letters of Parquet": _csv(b"PAR1", _CUT),
    "encrypted Parquet": _csv(b"PARE" + bytes(50), "is encrypted Parquet"),
    "Parquet named as CSV": Hostile(lambda f: writers.parquet(TABLE, f / "predictions.csv"), AUC),
    "CSV named as Parquet": _csv(PLAIN, AUC, "predictions.parquet"),
    "Parquet with a column twice": Hostile(writers.two_columns, "has 2 columns 's'"),
    "Parquet without columns": Hostile(writers.no_columns, "none.parquet"),
    # Names and folders.
    "no file": Hostile(writers.named("predictions.csv"), "there is no file"),
    "a name of 300 letters": Hostile(writers.named("x" * 300), "File name too long"),
    "a pattern that fits none": Hostile(writers.named("*.csv"), "no file matches"),
    "a name with brackets and quotes": _csv(TEXT, AUC, "odd [1] 'name'; --?.csv"),
    "a name in two lines": _csv(TEXT, AUC, "two\nlines.csv"),
    "a name that is not UTF-8": Hostile(
        writers.not_utf8, "predicti\\xf6ns.csv is not UTF-8: rename it"
    ),
    "a name with a tilde": _csv(TEXT, AUC, "~root"),
    "a file by its address": Hostile(
        lambda _: Path("file:///tmp/a.csv"),
        "file:///tmp/a.csv is an address: name the file by its path, as in /tmp/a.csv.",
    ),
    "a page of the web": Hostile(lambda _: Path("http://example.org/a.csv"), _ADDRESS),
    "a bucket": Hostile(lambda _: Path("s3://bucket/a*.parquet"), _ADDRESS),
    "a link to nothing": Hostile(
        writers.link("nothing.csv"), "is a link to nothing.csv, which is not"
    ),
    "a link to itself": Hostile(writers.link("link.csv"), "link.csv"),
    "a link to zeros without end": Hostile(writers.link("/dev/zero"), "is not a file"),
    "nothing's device": Hostile(lambda _: Path("/dev/null"), "is not a file"),
    "a pipe": Hostile(writers.pipe, "is not a file: write its data to a file"),
    "an empty folder": Hostile(writers.folder(), "has no files that end in"),
    "a folder named as a file": Hostile(
        writers.folder(**{"a.csv__b.txt": PLAIN}), "has no files that"
    ),
    "a folder of two kinds": Hostile(
        writers.folder(**{"a.csv": PLAIN, "b.parquet": b"PAR1"}), "has Parquet and CSV files"
    ),
    "a folder of two headers": Hostile(
        writers.folder(**{"a.csv": PLAIN, "b.csv": b"s,y\n0.1,1\n"}), "CSV files read together need"
    ),
    "a folder with an empty file": Hostile(
        writers.folder(**{"a.csv": PLAIN, "b.csv": b""}), "b.csv is empty"
    ),
    "a folder with a hidden file": Hostile(
        writers.folder(**{"a.csv": PLAIN, "._b.csv": b"\0"}), AUC
    ),
    "a folder of plain and packed": Hostile(
        writers.folder(**{"a.csv": PLAIN, "b.csv": gzip.compress(PLAIN)}), "b.csv is gzip and"
    ),
    "folders named as a column": Hostile(writers.days, AUC),
    "Parquet of two types": Hostile(writers.types_differ, "column 's' has type BOOLEAN in"),
    # Columns.
    **{
        f"Parquet: {name}": Hostile(
            lambda folder, one=one: writers.parquet(one.table(), folder / "predictions.parquet"),
            one.says,
            one.score,
            one.weight,
        )
        for name, one in CELLS.items()
    },
}


def main(folder: Path) -> None:
    """Write each into a folder of its own, and tell what is to be said of it."""
    for i, (name, hostile) in enumerate(FILES.items(), start=1):
        own = folder / f"{i:03d}"
        own.mkdir(parents=True)
        path = str(hostile.write(own))
        options = f"--label y --score {hostile.score[:40]!r}"
        options += f" --weight {hostile.weight}" if hostile.weight else ""
        print(f"{i:03d} {name}: {path!r} {options}\n    {hostile.says}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

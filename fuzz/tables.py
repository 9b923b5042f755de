"""Files of known predictions: CSV and Parquet in many layouts, with hostile names."""

import csv
import gzip
import io
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.samples import UNIT, WIDE, Rng, Sample, sample

_THOUSANDS = re.compile(r"[-+]?[1-9]\d{0,2},\d{3}")
NAMES = (
    *("y", "label", "a b", "a,b", "a;b", 'a"b', "a'b", "naïve", "ΑΒΓ", "select", "x" * 80, "0"),
    *(
        "'; DROP TABLE t; --",
        "a\\b",
        "[x]",
        "*",
        "a=b",
        "%s",
        "{0}",
        "__index_level_0__",
        "日本",
        "-x",
    ),
    *("true", "null", "NaN", "rowid", "filename", "#", "$1", "COLUMNS(*)", "a.b", "value", "count"),
)
FILES = (
    *(
        "a.csv",
        "a b.csv",
        "it's.csv",
        'q"uote.csv',
        "sémi;colon.csv",
        "percent%20.csv",
        "-dash.csv",
    ),
    *(
        "brackets[0].csv",
        "UPPER.CSV",
        "no_ending",
        "日本.csv",
        "dollar$1.csv",
        "hash#.csv",
        "a=b.csv",
    ),
)


@dataclass
class Written:
    """A file of predictions, and what is known of it."""

    path: Path = field(repr=False)
    one: Sample
    other: np.ndarray
    label: str
    scores: tuple[str, str]
    weight: str | None
    positive: str | None

    @property
    def arguments(self) -> list[str]:
        """The options that name its columns."""
        found = [f"--label={self.label}", *(f"--score={name}" for name in self.scores)]
        if self.weight is not None:
            found.append(f"--weight={self.weight}")
        if self.positive is not None:
            found.append(f"--positive={self.positive}")
        return found

    @property
    def samples(self) -> tuple[Sample, Sample]:
        """The rows under each model's scores."""
        second = Sample(self.one.y, self.other, self.one.w, self.one.prevalence, "plain")
        return self.one, second


def _labels(rng: Rng, y: np.ndarray) -> tuple[list[str], str | None]:
    no, yes, positive = [
        ("0", "1", None),
        ("-1", "1", None),
        ("false", "true", None),
        ("False", "True", None),
        ("0.0", "1.0", None),
        ("good", "bad", "bad"),
        ("no, never", 'ye"s', 'ye"s'),
        ("2", "1", "1"),
        ("ß", "é", "é"),
    ][int(rng.integers(9))]
    return [yes if one else no for one in y], positive


def written(rng: Rng, folder: Path, rows: tuple[int, int] = (2, 30)) -> Written:
    """A file in `folder`, well-formed."""
    one = sample(rng, {**UNIT, **WIDE}, rows=rows, prevalence=False)
    if one.kind == "beyond 2^53":
        one = Sample(one.y, one.s / 2.0**54, one.w, None, "plain")
    other = rng.random(len(one)).round(2)
    if rng.random() < 0.6:
        names = ["y", "first", "second", "w", "note"]
    else:
        names = [str(name) for name in rng.choice(NAMES, 5, replace=False)]
    texts, positive = _labels(rng, one.y)
    columns: dict[str, list[str]] = {
        names[0]: texts,
        names[1]: [repr(float(value)) for value in one.s],
        names[2]: [repr(float(value)) for value in other],
    }
    if one.w is not None:
        columns[names[3]] = [repr(float(value)) for value in one.w]
    if rng.random() < 0.3:
        columns[names[4]] = [
            str(rng.choice(["", "a", 'b,"c', "d\ne", "é", "1e400"])) for _ in texts
        ]
    name = str(rng.choice(FILES)) if rng.random() < 0.5 else "rows.csv"
    weight = None if one.w is None else names[3]
    found = Written(folder / name, one, other, names[0], (names[1], names[2]), weight, positive)
    order = [list(columns)[i] for i in rng.permutation(len(columns))]
    columns = {name: columns[name] for name in order}
    if rng.random() < 0.4:
        found.path = found.path.with_suffix(".parquet")
        _parquet(rng, found, columns)
    else:
        _csv(rng, found, columns)
    return found


def _csv(rng: Rng, to: Written, columns: dict[str, list[str]]) -> None:
    text = io.StringIO()
    divided = str(rng.choice([",", ",", ",", ";", "\t", "|", " "]))
    kinds = {"delimiter": divided}
    if divided != "," and rng.random() < 0.5:
        for name in {*to.scores, *([to.weight] if to.weight else [])}:
            commas = [cell.replace(".", ",") for cell in columns[name]]
            # Not all may be taken for thousands.
            if any("," in cell and not _THOUSANDS.fullmatch(cell) for cell in commas):
                columns[name] = commas
    quoting = csv.QUOTE_ALL if rng.random() < 0.2 else csv.QUOTE_MINIMAL
    ending = "\r\n" if rng.random() < 0.2 else "\n"
    writer = csv.writer(text, quoting=quoting, lineterminator=ending, **kinds)
    if rng.random() < 0.1:
        text.write(f"sep={divided}{ending}")
    padded = divided == "," and rng.random() < 0.1
    writer.writerow([f" {name} " if padded and name.isidentifier() else name for name in columns])
    rows = list(zip(*columns.values(), strict=True))
    if divided != "," and rows[0][-1].strip() and rng.random() < 0.2:
        # As R's write.table has the names of rows.
        rows = [(str(i), *row) for i, row in enumerate(rows, 1)]
    writer.writerows(rows)
    plain = text.getvalue()
    if rng.random() < 0.1:
        plain = plain.rstrip("\r\n")
    content = plain.encode("utf-8-sig" if rng.random() < 0.1 else "utf-8")
    if rng.random() < 0.1:
        to.path = to.path.with_suffix(".csv.gz")
        content = gzip.compress(content)
    to.path.write_bytes(content)


def _parquet(rng: Rng, to: Written, columns: dict[str, list[str]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    arrays: dict[str, Any] = {name: pa.array(values) for name, values in columns.items()}
    arrays[to.scores[0]] = pa.array(to.one.s)
    arrays[to.scores[1]] = pa.array(to.other)
    if to.weight is not None:
        arrays[to.weight] = pa.array(to.one.w)
    texts = set(columns[to.label])
    if texts == {"0", "1"}:
        kind = [pa.int64(), pa.int8(), pa.uint8(), pa.bool_(), pa.float64(), pa.float32()]
        arrays[to.label] = pa.array(to.one.y).cast(kind[int(rng.integers(6))])
    elif rng.random() < 0.3:
        arrays[to.label] = arrays[to.label].dictionary_encode()
    pq.write_table(
        pa.table(arrays),
        to.path,
        compression=str(rng.choice(["snappy", "none", "gzip", "zstd"])),
        row_group_size=int(rng.choice([1, 3, 1000])),
    )

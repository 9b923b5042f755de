"""Files, well-formed or spoilt: the numbers of the rows, or a refusal."""

import csv
import io
import json
import math
import shutil
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.case import ANSWER, EITHER, REFUSE, Case
from fuzz.commands import run, run_apart
from fuzz.oracle import CLOSE, differ
from fuzz.samples import Rng, Sample
from fuzz.tables import Written, written

APART = 0.01


def case(rng: Rng) -> Case:
    """A file and a command that reads it."""
    if rng.random() < 0.35:
        return _good(rng)
    if rng.random() < 0.03:
        return _too_large(rng)
    if rng.random() < 0.5:
        from fuzz import named, stored

        return (stored if rng.random() < 0.6 else named).case(rng)
    return _spoilt(rng)


def in_a_folder(work: Any) -> Any:
    """A call that works in a folder of its own, which is gone at its end."""

    def call(*_: Any) -> Any:
        folder = Path(tempfile.mkdtemp(prefix="rows", dir=Path.cwd()))
        try:
            return work(folder)
        finally:
            shutil.rmtree(folder)

    return call


def evaluated(rng: Rng, found: Written, arguments: list[str] | None = None) -> dict[str, Any]:
    """The models of an evaluation of a file, by its JSON."""
    given = ["evaluate", "--json", *(found.arguments if arguments is None else arguments)]
    given += ["--", str(found.path)] if found.path.name.startswith("-") else [str(found.path)]
    engine = run_apart if rng.random() < APART else run
    return json.loads(engine(*given))["models"]


def numbers(found: Written) -> Any:
    """The check of an evaluation's AUC and Brier scores by the rows that were written."""

    def check(models: dict[str, Any]) -> str | None:
        if list(models) != list(found.scores):
            return f"models {list(models)} of {found.scores}"
        return _of_samples(models, dict(zip(found.scores, found.samples, strict=True)))

    return check


def _of_samples(models: dict[str, Any], samples: dict[str, Sample]) -> str | None:
    for name, one in samples.items():
        metrics = models[name]["metrics"]
        wrong = differ(metrics["auc"], one.ranked.auc(), CLOSE)
        if wrong:
            return f"AUC of {name}: {wrong}"
        if one.unit:
            wrong = differ(metrics["brier"], one.oracle.brier(), CLOSE)
        elif metrics["brier"] is not None:
            wrong = "a Brier score of scores outside [0, 1]"
        if wrong:
            return f"Brier of {name}: {wrong}"
    return None


def _good(rng: Rng) -> Case:
    seed = int(rng.integers(2**62))
    by_table = rng.random() < 0.4
    # What is known is written here once for the check, and again in the call's own folder.
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        known = written(np.random.default_rng(seed), Path(folder))

    def work(folder: Path) -> Any:
        found = written(np.random.default_rng(seed), folder)
        if not by_table:
            return evaluated(rng, found)
        saved = folder / "saved.parquet"
        paths = ["--", str(found.path)] if found.path.name.startswith("-") else [str(found.path)]
        run("tally", *found.arguments, "-o", saved, *paths)
        return evaluated(rng, _at(found, saved), [])

    # Rows in which a class has no share that floats can tell are refused.
    shares = [known.one.weights[known.one.y == label].sum() for label in (0, 1)]
    must = ANSWER if min(shares) > 1e-12 * max(shares) else EITHER
    return Case("a file", (known,), {}, must, numbers(known), call=in_a_folder(work))


def _at(found: Written, path: Path) -> Written:
    return Written(
        path, found.one, found.other, found.label, found.scores, found.weight, found.positive
    )


# --- Spoilt files -------------------------------------------------------------------------------


def mutated(rng: Rng, content: bytes) -> bytes:
    """Bytes with some of them changed."""
    data = bytearray(content)
    at = int(rng.integers(max(1, len(data))))
    match rng.integers(16):
        case 0:
            data = data[:at]
        case 1:
            for i in rng.integers(0, len(data), 3):
                data[int(i)] ^= 1 << int(rng.integers(8))
        case 2:
            data[at:at] = b"\x00"
        case 3:
            data[at:at] = b'"'
        case 4:
            data[at:at] = b"\n"
        case 5:
            data[at:at] = b"\r"
        case 6:
            data[at:at] = b"\xff\xfe\x80"
        case 7:
            data[at:at] = b","
        case 8:
            data = bytearray(content.decode("utf-8", "replace").encode("utf-16"))
        case 9:
            data = data + data[at:]
        case 10:
            data = data[at:]
        case 11:
            words = [b"nan", b"NULL", b"inf", b"1_0", b"1,5", b"50%", b"0x1F", b"1e999", b" 0.5 "]
            lines = bytes(data).split(b"\n")
            row = int(rng.integers(len(lines)))
            cells = lines[row].split(b",")
            cells[int(rng.integers(len(cells)))] = words[int(rng.integers(len(words)))]
            lines[row] = b",".join(cells)
            data = bytearray(b"\n".join(lines))
        case 12:
            data[at:at] = bytes(rng.integers(0, 256, 20, dtype=np.uint8))
        case 13:
            data = bytearray(bytes(data).replace(b"\n", b"\r\n", 1 + at % 3))
        case 14:
            data = bytearray(rng.integers(0, 256, 200, dtype=np.uint8).tobytes())
        case _:
            data[at:at] = "\u0661\u00a0\u202e\u2028".encode()
    return bytes(data)


def _too_large(rng: Rng) -> Case:
    """Whole numbers beyond 2^53, which doubles cannot tell apart, are refused in any file."""
    lines = ["y,s", *(f"{i % 2},{2**53 + i + 1}" for i in range(int(rng.integers(2, 9))))]
    arguments = ["--label=y", "--score=s"]

    def work(folder: Path) -> Any:
        path = folder / "rows.csv"
        path.write_text("\n".join(lines))
        return json.loads(run("evaluate", path, *arguments, "--json"))

    return Case("a spoilt file", (lines,), {}, REFUSE, call=in_a_folder(work), note="beyond 2^53")


def _spoilt(rng: Rng) -> Case:
    seed = int(rng.integers(2**62))
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        known = written(np.random.default_rng(seed), Path(folder))
        content = mutated(rng, known.path.read_bytes())
    must, samples = what_it_says(known, content)

    def work(folder: Path) -> Any:
        path = folder / known.path.name
        path.write_bytes(content)
        return evaluated(rng, _at(known, path))

    def right(models: dict[str, Any]) -> str | None:
        return None if samples is None else _of_samples(models, samples)

    return Case(
        "a spoilt file",
        (content, known.arguments),
        {},
        must,
        right,
        call=in_a_folder(work),
    )


def what_it_says(known: Written, content: bytes) -> tuple[str, dict[str, Sample] | None]:
    """What plain CSV of commas says by Python's own reader, or that it must be refused."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError:
        return EITHER, None
    if known.path.suffix == ".parquet" or any(c in text for c in '"\r\x00;\t|\u2028\x85\x0b\x0c'):
        return EITHER, None
    lines = [line for line in text.split("\n") if line]
    rows = list(csv.reader(io.StringIO("\n".join(lines))))
    names = [known.label, *known.scores, *([known.weight] if known.weight else [])]
    if not rows or rows[0][:1] == [""] or text.startswith(("\ufeff", "\n")) or "\n\n" in text:
        return EITHER, None
    header = rows[0]
    if any(header.count(name) != 1 for name in names) or len(rows) < 3:
        return EITHER, None
    if any(len(row) != len(header) for row in rows):
        # Nothing is lost where all that is beyond the header is empty.
        empty = all(len(row) >= len(header) and not any(row[len(header) :]) for row in rows)
        return EITHER if empty or len(header) == 1 else REFUSE, None
    columns = {name: [row[header.index(name)] for row in rows[1:]] for name in names}
    try:
        values = {name: np.array([_number(cell) for cell in columns[name]]) for name in names[1:]}
    except ValueError:
        return REFUSE, None
    labels = columns[known.label]
    if set(labels) != {"0", "1"} or known.positive is not None:
        return EITHER, None
    y = np.array([int(label) for label in labels])
    w = values[known.weight] if known.weight else None
    if w is not None and (np.any(w < 0) or not np.all(np.isfinite(w))):
        return REFUSE, None
    if w is not None and any(not np.any(w[y == label] > 0) for label in (0, 1)):
        return REFUSE, None
    return EITHER, {name: Sample(y, values[name], w, None, "plain") for name in known.scores}


def _number(cell: str) -> float:
    """A number as any program writes one."""
    if "_" in cell or not cell.isascii():
        raise ValueError(cell)
    value = float(cell)
    if math.isnan(value):
        raise ValueError(cell)
    return value

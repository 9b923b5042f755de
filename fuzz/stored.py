"""How files are stored: packed, with checksums, by links, and written to while they are read."""

import gzip
import json
import os
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from fuzz.case import EITHER, REFUSE, Case
from fuzz.commands import run
from fuzz.files import evaluated, in_a_folder, numbers
from fuzz.samples import Rng
from fuzz.tables import Written, written


def case(rng: Rng) -> Case:
    """A file that is stored oddly."""
    return [_damaged, _cut, _linked, _changing][int(rng.integers(4))](rng)


def _known(seed: int) -> Written:
    with tempfile.TemporaryDirectory(dir=Path.cwd()) as folder:
        return written(np.random.default_rng(seed), Path(folder))


def _stored(seed: int, folder: Path, kind: str) -> Written:
    """The same file anew, stored otherwise: in a saved table, packed, or with checksums."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    found = written(np.random.default_rng(seed), folder)
    to = folder / "stored"
    if kind == "table":
        run("tally", *found.arguments, "-o", to, *_named(found.path))
    elif found.path.suffix == ".parquet":
        # Small enough for one page of each column.
        options: dict[str, Any] = {"compression": "none", "use_dictionary": False}
        pq.write_table(pq.read_table(found.path), to, write_page_checksum=True, **options)
    else:
        plain = found.path.read_bytes()
        plain = gzip.decompress(plain) if found.path.suffix == ".gz" else plain
        packed = pa.compress(plain, codec="zstd", asbytes=True) if kind == "zstd" else b""
        to.write_bytes(packed or gzip.compress(plain))
    return replace(found, path=to)


def _named(path: Path) -> list[object]:
    return ["--", path] if path.name.startswith("-") else [path]


def _changed(
    rng: Rng, kind: str, change: Callable[[bytearray], bytes], must: str, note: str
) -> Case:
    """A stored file of which the bytes are changed."""
    seed = int(rng.integers(2**62))
    known = _known(seed)

    def work(folder: Path) -> Any:
        found = _stored(seed, folder, kind)
        found.path.write_bytes(change(bytearray(found.path.read_bytes())))
        return evaluated(rng, found, [] if kind == "table" else None)

    made = in_a_folder(work)
    return Case(f"{note} {kind}", (known,), {}, must, numbers(known), call=made, note=note)


def _damaged(rng: Rng) -> Case:
    """What has checksums, with a bit changed: the same numbers or refused."""
    place, bit = float(rng.random()), 1 << int(rng.integers(8))
    kind = str(rng.choice(["table", "gzip"]))

    def change(content: bytearray) -> bytes:
        end = len(content)
        if content.startswith(b"PAR1") and kind != "table":
            # Nothing says whether the footer is as it was.
            end -= 8 + int.from_bytes(content[-8:-4], "little")
        content[int(place * end)] ^= bit
        return bytes(content)

    return _changed(rng, kind, change, EITHER, "damaged")


def _cut(rng: Rng) -> Case:
    """A packed file without its end, or a table: refused."""
    share = float(rng.random())
    kind = str(rng.choice(["table", "gzip", "zstd"]))
    return _changed(rng, kind, lambda data: bytes(data[: int(share * len(data))]), REFUSE, "cut")


def _linked(rng: Rng) -> Case:
    """A folder of links: the file counts once, by the folder and by a glob."""
    seed = int(rng.integers(2**62))
    known = _known(seed)
    links = [int(rng.integers(6)) for _ in range(int(rng.integers(1, 6)))]

    def work(folder: Path) -> Any:
        found = written(np.random.default_rng(seed), _made(folder / "d" / "a"))
        path = found.path.rename(found.path.with_name("x.csv" if _is_text(found) else "x.parquet"))
        for i, kind in enumerate(links):
            _link(kind, folder / "d", path, f"link{i}{path.suffix}")
        asked = [folder / "d", *(folder / "d" / g for g in ("**", "*/*" + path.suffix))]
        return [evaluated(rng, replace(found, path=one)) for one in asked]

    def right(answers: Any) -> str | None:
        check = numbers(known)
        return next((wrong for wrong in map(check, answers) if wrong), None)

    must = REFUSE if 5 in links else EITHER
    return Case("linked", (known, links), {}, must, right, call=in_a_folder(work))


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


def _is_text(found: Written) -> bool:
    return found.path.suffix != ".parquet"


def _link(kind: int, folder: Path, path: Path, name: str) -> None:
    match kind:
        case 0:
            (folder / f"to-{name}").mkdir()
            (folder / f"to-{name}" / name).symlink_to(path)
        case 1:
            path.with_name(name).symlink_to(path.name)
        case 2:
            (folder / f"folder-{name}").symlink_to("a")
        case 3:
            (folder / f"all-{name}").symlink_to(".")
        case 4:
            (path.parent / f"up-{name}").symlink_to("..")
        case _:
            os.link(path, path.with_name(name))


def _changing(rng: Rng) -> Case:
    """A file that is written to while it is read: refused."""
    from costspace.frames.columns import Columns
    from costspace.frames.tallying import tally_files

    seed = int(rng.integers(2**62))
    known = _known(seed)

    def work(folder: Path) -> Any:
        found = written(np.random.default_rng(seed), folder)
        columns = Columns(
            label=found.label,
            scores=list(found.scores),
            weight=found.weight,
            positive=found.positive,
        )
        at = found.path.stat()

        def change(_: float) -> None:
            os.utime(found.path, ns=(at.st_atime_ns, at.st_mtime_ns + 1))

        return json.dumps(str(tally_files(found.path, columns, step=lambda _: change)))

    return Case("changing", (known,), {}, REFUSE, call=in_a_folder(work))

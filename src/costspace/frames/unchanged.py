"""Files that must stay as they are while they are read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias, final

from costspace.errors import FileError

# Device, number there, bytes, and when it was last written.
Stamp: TypeAlias = tuple[int, int, int, int]


def stamp_of(file: Path) -> Stamp:
    """What tells a file from others, and from itself before it was written to."""
    try:
        found = file.stat()
    except OSError as error:
        raise FileError(f"cannot read {file}: {error.strerror}.") from None
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns


@final
@dataclass(frozen=True, eq=False)
class Stamps:
    """Files as they were when their reading began."""

    of_files: tuple[tuple[Path, Stamp], ...]

    def check(self) -> None:
        """`FileError` if a file is not as it was."""
        for file, stamp in self.of_files:
            now = stamp_of(file)
            if now != stamp:
                sizes = f", from {stamp[2]:,} to {now[2]:,} bytes" if now[2] != stamp[2] else ""
                raise FileError(
                    f"{file} changed while it was read{sizes}: wait until nothing writes to it, or "
                    "read a copy."
                ) from None

    @contextmanager
    def blaming(self) -> Iterator[None]:
        """A context whose errors are those of the change, if a file has changed."""
        try:
            yield
        except Exception:
            self.check()
            raise


def stamps_of(files: Iterable[Path]) -> Stamps:
    """Files as they are now."""
    return Stamps(tuple((file, stamp_of(file)) for file in files))

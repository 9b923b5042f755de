"""A file that one run at a time may read and replace."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from costspace.errors import FileError

try:
    import fcntl
except ImportError:  # Windows has no locks of this kind: there runs must come one by one.
    fcntl = None  # type: ignore[assignment]


@contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """A context in which no other run is in it with the same file; it waits for that.

    The file itself is locked. Who replaces it leaves others a file that is no longer there, so
    that they begin again with the one that is.
    """
    if fcntl is None:
        yield
        return
    try:
        lock = _locked(path)
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}.") from None
    try:
        yield
    finally:
        os.close(lock)


def _locked(path: Path) -> int:
    while True:
        lock = os.open(path, os.O_RDONLY)
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.samestat(os.fstat(lock), path.stat()):
            return lock
        os.close(lock)

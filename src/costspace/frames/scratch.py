"""Temporary folders for data too large for memory; those that a killed run left are removed."""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from costspace.errors import FileError

try:
    import fcntl
except ImportError:  # Windows has no locks of this kind: a killed run's folder stays there.
    fcntl = None  # type: ignore[assignment]

_PREFIX = "costspace-rows-"
# As `mkdtemp` names them; and a file by which they are told from folders of the same name.
_NAME = re.compile(re.escape(_PREFIX) + "[a-z0-9_]{8}")
_MARK = ".costspace-scratch"


@contextmanager
def scratch() -> Iterator[Path]:
    """A new folder, removed in the end; those of runs that are dead are removed first.

    A folder is locked while its run lives. The system frees the lock however the run ends.
    """
    try:
        _sweep(Path(tempfile.gettempdir()))
        folder, lock = _locked()
    except OSError as error:
        raise FileError(
            f"cannot make a temporary folder: {error.strerror}. Set TMPDIR to another place."
        ) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _locked() -> tuple[Path, int | None]:
    """A new folder and its lock, None where there are no locks."""
    folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
    lock = _lock(folder, wait=True)
    # Once it is locked: from here on another run may find it, and take it for one left behind.
    (folder / _MARK).touch()
    return folder, lock


def _sweep(place: Path) -> None:
    """Remove this user's folders that no living run has locked."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(place) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False):
                with suppress(OSError):
                    _remove(Path(entry.path))


def _remove(folder: Path) -> None:
    lock = _lock(folder, wait=False)
    if lock is None:
        return
    try:
        own = os.fstat(lock).st_uid == os.geteuid() and (folder / _MARK).is_file()
        if own and _is_at(lock, folder):
            shutil.rmtree(folder)
    finally:
        os.close(lock)


def _lock(folder: Path, *, wait: bool) -> int | None:
    """The lock of a folder, never one that a link leads to; None where there are no locks.

    `OSError` if the folder is not there or, without waiting, another run has locked it.
    """
    if fcntl is None:
        return None
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except OSError:
        os.close(descriptor)
        if not wait:
            raise
        return None
    return descriptor


def _is_at(descriptor: int, folder: Path) -> bool:
    """Whether an open folder is still the one of this name."""
    try:
        there = folder.lstat()
    except FileNotFoundError:
        return False
    here = os.fstat(descriptor)
    return (here.st_dev, here.st_ino) == (there.st_dev, there.st_ino)


def is_scratch(path: str) -> bool:
    """Whether a file is in such a folder."""
    return any((folder / _MARK).is_file() for folder in Path(path).parents)

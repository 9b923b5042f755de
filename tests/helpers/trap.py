"""A trap in which a worker of a cluster, having done a part of its work, waits to be killed."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any

_PATIENCE = 120.0  # seconds; far more than a worker takes to start


class Trap:
    """Catches one process, in the second part of the data that it takes up after `after` parts.

    What it made of the first is lost with it, unless another process has fetched that already.
    Marks are files, which every process sees.
    """

    def __init__(self, folder: Path, after: int = 0) -> None:
        folder.mkdir()
        self.folder, self.after = folder, after

    def take_up(self, part: int, process: int) -> None:
        """A process takes up a part of the data, and is held if it is the one to be caught."""
        again = process in [one for _, one in self.taken_up()]
        (self.folder / f"{time.time_ns():020} {part} {process}").touch()
        if again and self._is_caught(part, process):
            time.sleep(_PATIENCE)
            raise TimeoutError

    def _is_caught(self, part: int, process: int) -> bool:
        """Whether this process is the first in the trap."""
        try:
            (self.folder / "caught").symlink_to(f"{part} {process}")
        except FileExistsError:
            return False
        return True

    def _caught(self) -> tuple[int, int]:
        """The part in which a process is held, and that process."""
        part, process = (self.folder / "caught").readlink().name.split()
        return int(part), int(process)

    def taken_up(self) -> list[tuple[int, int]]:
        """Each part and the process that took it up, in order, leaving out the first `after`."""
        names = sorted(path.name for path in self.folder.glob("* * *"))[self.after :]
        return [(int(part), int(process)) for _, part, process in map(str.split, names)]

    @contextmanager
    def killing(self) -> Iterator[None]:
        """While the body runs, kill the process that is caught; another must do its part again."""

        def kill() -> None:
            _wait_for((self.folder / "caught").is_symlink)
            os.kill(self._caught()[1], signal.SIGKILL)

        killer = Thread(target=kill, daemon=True)
        killer.start()
        yield
        killer.join()
        lost, killed = self._caught()
        taken_up = self.taken_up()
        later = taken_up[taken_up.index((lost, killed)) :]
        assert lost in {part for part, process in later if process != killed}


def _wait_for(happened: Callable[[], Any]) -> None:
    end = time.monotonic() + _PATIENCE
    while not happened():
        if time.monotonic() > end:
            raise TimeoutError
        time.sleep(0.02)

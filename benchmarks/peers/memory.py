"""Peak memory of one call: ``python -m benchmarks.peers.memory KEY SIDE KIND N`` prints bytes.

A fresh process imports what the call needs, makes the rows in their form, and calls once on few
rows; the peak is the most memory that it then holds, minus what it held before. Linux only.
"""

import gc
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

from benchmarks.peers.predictions import Predictions
from benchmarks.peers.registry import BY_KEY

_PROCESS = Path("/proc/self")


def peak_bytes(key: str, side: str, given: Predictions) -> int:
    """Peak of one side, "ours" or "theirs", in a process of its own."""
    command = (sys.executable, "-m", __spec__.name, key, side, given.kind, str(given.n))
    # Else the allocator keeps what was freed before, and takes from it unseen.
    steady = {"MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
    run = subprocess.run(
        command, env={**os.environ, **steady}, check=True, capture_output=True, text=True
    )
    return int(run.stdout)


def available_bytes() -> int:
    """The memory that is available now."""
    return _kilobytes(Path("/proc/meminfo"), "MemAvailable") * 1024


def _peak(task: Callable[[], object]) -> int:
    gc.collect()
    before = _kilobytes(_PROCESS / "status", "VmRSS")
    (_PROCESS / "clear_refs").write_text("5")  # the peak starts anew
    kept = task()
    peak = _kilobytes(_PROCESS / "status", "VmHWM")
    del kept
    return (peak - before) * 1024


def _kilobytes(path: Path, name: str) -> int:
    line = next(line for line in path.read_text().splitlines() if line.startswith(name + ":"))
    return int(line.split()[1])


def main(key: str, side: str, kind: str, n: str) -> None:
    warnings.simplefilter("ignore")  # of peers, about few rows
    way = BY_KEY[key].sides[side]
    way.compute(*way.form(Predictions(kind, 1000)))
    rows = way.form(Predictions(kind, int(n)))
    print(_peak(lambda: way.compute(*rows)))


if __name__ == "__main__":
    main(*sys.argv[1:])

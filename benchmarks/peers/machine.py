"""When, on what machine and with which versions it was measured."""

import os
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from benchmarks.peers.registry import COMPARISONS

# What the packages compute with.
BELOW = ("numpy", "scipy", "torch", "pandas", "polars", "xarray")


def facts() -> list[dict[str, str]]:
    """Date, machine and versions, a row each."""
    size = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    packages = (*dict.fromkeys(one.peer for one in COMPARISONS), *BELOW)
    found = {
        "date": datetime.now(UTC).date().isoformat(),
        "processor": _processor(),
        "cores": str(os.cpu_count()),
        "memory": f"{size / 2**30:.0f} GiB",
        "Python": platform.python_version(),
        **{package: version(package) for package in packages},
    }
    return [{"what": what, "is": value} for what, value in found.items()]


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))

"""The limit on memory that a command is given."""

import re
import sys
from dataclasses import dataclass
from typing import final

from cyclopts import Parameter

from costspace.cli.numbers import number_in
from costspace.errors import ConditionError, brief

_UNITS = {"MB": 10**6, "GB": 10**9, "TB": 10**12, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}
# Loading the libraries and reading a small file take so many.
_LEAST = 400 * 10**6


def _bytes(text: str) -> int:
    """How many bytes a size such as 2GB is, or `ConditionError`."""
    written = re.fullmatch(r"(.*?)\s*([MGT]i?B)\s*", text, re.IGNORECASE)
    number = number_in(written[1]) if written else None
    if written is None or number is None:
        raise ConditionError(f"--memory must be a size such as 2GB or 500MB, got {brief(text)}.")
    size = number * _UNITS[written[2].upper()]
    if size < _LEAST:
        raise ConditionError(f"--memory must be at least {_LEAST // 10**6}MB, got {brief(text)}.")
    return int(size)


@Parameter(name="*")
@final
@dataclass(frozen=True, kw_only=True)
class Memory:
    """How much memory a command may take.

    Attributes
    ----------
    memory
        Memory that the command may take, such as 2GB. Where that is not enough, it ends with an
        error. Default: what the machine has.
    """

    memory: str | None = None

    def limit(self) -> None:
        """Let this process take no more, or `ConditionError` where the system does not see to it.

        What reads files sizes what it keeps in memory by the limit, too.
        """
        if self.memory is None:
            return
        size = _bytes(self.memory)
        if sys.platform != "linux":
            raise ConditionError("--memory works on Linux only: leave it out.")
        import resource

        _, most = resource.getrlimit(resource.RLIMIT_DATA)
        allowed = size if most == resource.RLIM_INFINITY else min(size, most)
        resource.setrlimit(resource.RLIMIT_DATA, (allowed, most))

"""How much memory there is for what is read."""

import os

# Other programs use some of a machine's memory; loaded libraries use some of a limit.
_OF_MACHINE, _OF_LIMIT = 0.4, 0.7
# Assumed where the machine does not report its memory.
_UNKNOWN = 2**32


def memory_for_rows() -> int:
    """Bytes that rows may take, with the memory that work on them needs."""
    machine = _UNKNOWN
    if hasattr(os, "sysconf"):
        machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return int(min([_OF_MACHINE * machine, *(_OF_LIMIT * limit for limit in _limits())]))


def _limits() -> list[int]:
    """The limits that are set on this process's memory."""
    try:
        import resource
    except ImportError:
        # Windows sets no such limit.
        return []
    limits = (resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA))
    return [limit for limit in limits if limit != resource.RLIM_INFINITY]

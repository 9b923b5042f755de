"""Where the command `costspace` begins: it loads and runs the package, and says if memory runs out.

A module of its own, because what runs first must know of memory that runs out in loading the rest.
"""

import errno
import os
import re
import signal
import sys

_BAD_INPUT = 2
_INTERRUPTED = 130
# Bytes of addresses that loading takes, and those that reading files takes: with less DuckDB may
# crash, and OpenBLAS wait for its threads' memory without end.
_LEAST, _READING = 200 * 2**20, 2**30
# What reads no files.
_TELLING = {"-h", "--help", "--version"}
_NO_MEMORY = re.compile(
    # glibc and musl, macOS, Windows; a library's static storage is another matter.
    "failed to map|cannot allocate memory(?! in static)|out of memory|paging file",
    re.IGNORECASE,
)
# What to do when there is no memory, but for what limits are called.
_TOO_LITTLE = (
    "there is too little memory to start: close other programs, or raise the limit that is set"
)
_NOT_ENOUGH = (
    "there is not enough memory for this: evaluate and tally need less with --bins, every command "
    "with fewer models or rows at a time; or raise the limit that is set"
)


def main() -> None:
    """Load the command line and run it; an interrupt is quiet at any moment."""
    _open_streams()
    _check_limit()
    interrupts = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interrupts:
        signal.signal(signal.SIGINT, _leave)
    lacking = _TOO_LITTLE

    def loaded() -> None:
        nonlocal lacking
        lacking = _NOT_ENOUGH
        if interrupts:
            # From here on there may be files to remove.
            signal.signal(signal.SIGINT, signal.default_int_handler)

    try:
        from costspace.cli import main as run

        run(loaded=loaded)
    except KeyboardInterrupt:
        _leave()
    except (MemoryError, ImportError, OSError) as error:
        if not _lacks_memory(error):
            raise
        raise _ended(lacking) from None
    finally:
        if interrupts:
            signal.signal(signal.SIGINT, _leave)


def _check_limit() -> None:
    """End at once where the memory that is allowed is too little to load NumPy and SciPy."""
    try:
        import resource
    except ImportError:
        # Windows sets no such limit.
        return
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return
    if limit < _LEAST:
        raise _ended(_TOO_LITTLE)
    if limit >= _READING:
        return
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    if not _TELLING & set(sys.argv[1:]):
        raise _ended(
            f"reading files takes {_READING // 2**20} MiB of addresses, and this process may have "
            f"{limit // 2**20} MiB: raise the limit that is set"
        )


def _ended(said: str) -> SystemExit:
    """The end of a run for which there is not enough memory, once that is said."""
    sys.stderr.write(
        f"costspace: {said} (--memory, ulimit, or that of a container or a batch job).\n"
    )
    return SystemExit(_BAD_INPUT)


def _open_streams() -> None:
    """Let no file get the number of a standard stream that is closed, and what others print."""
    if sys.stdout is None:
        # Not for writing: output that nobody gets is an error.
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def _lacks_memory(error: BaseException) -> bool:
    """Whether an error says that there is no memory left, for data or to load a library."""
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    # What loads a command says which one, of another error.
    said = f"{error} {error.__cause__}"
    loading = isinstance(error, ImportError) and _NO_MEMORY.search(said) is not None
    return loading or isinstance(error, MemoryError)


def _leave(*_: object) -> None:
    """End at once, as what an exception would come through here may not let it pass quietly."""
    os._exit(_INTERRUPTED)

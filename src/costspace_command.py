"""Where the command `costspace` begins: it loads the package, which may be interrupted or fail.

A module of its own, because nothing inside the package runs before all of it is loaded.
"""

import errno
import os
import re
import signal
import sys

_BAD_INPUT = 2
_INTERRUPTED = 130
# Bytes that loading takes, and below which OpenBLAS may wait for its threads' memory without end.
_LEAST, _AMPLE = 200 * 2**20, 2**30
_NO_MEMORY = re.compile(
    # glibc and musl, macOS, Windows; a library's static storage is another matter.
    "failed to map|cannot allocate memory(?! in static)|out of memory|paging file",
    re.IGNORECASE,
)


def main() -> None:
    """Load the command line and run it; an interrupt is quiet at any moment."""
    _open_streams()
    _check_limit()
    interrupts = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if interrupts:
        signal.signal(signal.SIGINT, _leave)
    try:
        from costspace.cli import main as run
    except (MemoryError, ImportError, OSError) as error:
        if not lacks_memory(error):
            raise
        raise _too_little() from None
    try:
        if interrupts:
            # From here on there may be files to remove.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        run()
    except KeyboardInterrupt:
        _leave()
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
        raise _too_little()
    if limit < _AMPLE:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def _too_little() -> SystemExit:
    """The end of a run that there is not enough memory to begin, once that is said."""
    sys.stderr.write(
        "costspace: there is too little memory to start: close other programs, or raise the "
        "limit that is set (ulimit -v, or that of a container or a batch job).\n"
    )
    return SystemExit(_BAD_INPUT)


def _open_streams() -> None:
    """Let no file get the number of a standard stream that is closed, and what others print."""
    if sys.stdout is None:
        # Not for writing: output that nobody gets is an error.
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_RDONLY), "w", encoding="utf-8")
    if sys.stderr is None:
        sys.stderr = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def lacks_memory(error: BaseException) -> bool:
    """Whether an error says that there is no memory left, for data or to load a library."""
    if isinstance(error, OSError) and error.errno == errno.ENOMEM:
        return True
    loading = isinstance(error, ImportError) and _NO_MEMORY.search(str(error)) is not None
    return loading or isinstance(error, MemoryError)


def _leave(*_: object) -> None:
    """End at once, as what an exception would come through here may not let it pass quietly."""
    os._exit(_INTERRUPTED)

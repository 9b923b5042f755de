"""Which of the processor's instructions NumPy is to sort with, said before it is loaded.

NumPy sorts with AVX-512 wherever a processor has it. On Zen 4 (AMD, family 25) what that sort does
most, storing some elements of a register, is microcoded: the sort with AVX2 is 6 to 9 times faster.
OpenJDK leaves AVX-512 out on the same processors: https://github.com/openjdk/jdk/pull/24053.
"""

import re
import sys
from collections.abc import MutableMapping
from importlib.util import find_spec
from pathlib import Path

_DISABLED = "NPY_DISABLE_CPU_FEATURES"
_PROCESSOR = Path("/proc/cpuinfo")
# Before 2.0 NumPy has no sort with AVX2; in 2.4 it has other names for what it chooses among.
_NAMES = {
    (2, 4): "X86_V4 AVX512_ICL AVX512_SPR",
    (2, 0): "AVX512F AVX512CD AVX512_SKX AVX512_CLX AVX512_CNL AVX512_ICL AVX512_SPR",
}


def sort_without_avx512(environment: MutableMapping[str, str]) -> None:
    """Let NumPy, once it is loaded, sort with AVX2 where that is faster.

    It does nothing if NumPy is loaded already, or the environment says which features it is to use.
    """
    told = any(name.startswith("NPY_") and "CPU_FEATURES" in name for name in environment)
    if told or "numpy" in sys.modules or not _is_slow(_read(_PROCESSOR)):
        return
    spec = find_spec("numpy")
    if spec is not None and spec.origin is not None:
        names = _names(_read(Path(spec.origin).with_name("version.py")))
        if names:
            environment[_DISABLED] = names


def _is_slow(processor: str) -> bool:
    """Whether a processor, as Linux describes it, has AVX-512 and stores by it in microcode."""
    amd = re.search(r"^vendor_id\s*:\s*AuthenticAMD$", processor, re.MULTILINE)
    family = re.search(r"^cpu family\s*:\s*25$", processor, re.MULTILINE)
    flags = re.search(r"^flags\s*:.*\bavx512f\b", processor, re.MULTILINE)
    return bool(amd and family and flags)


def _names(version: str) -> str:
    """What NumPy calls the features, given the source that says its version; "" if it has none."""
    found = re.search(r"^\s*version\s*=\s*[\"'](\d+)\.(\d+)", version, re.MULTILINE)
    if found is None:
        return ""
    numbers = int(found[1]), int(found[2])
    return next((names for first, names in _NAMES.items() if numbers >= first), "")


def _read(path: Path) -> str:
    """The text of a file, "" if there is none."""
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""

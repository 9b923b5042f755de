"""Where NumPy is told to sort without AVX-512."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy._core._multiarray_umath import __cpu_dispatch__

from costspace.cli import processor
from costspace.cli.processor import sort_without_avx512

ZEN_4 = "vendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\nflags\t\t: fpu avx2 avx512f\n"
OTHERS = {
    "Zen 3": ZEN_4.replace(" avx512f", ""),
    "Zen 5": ZEN_4.replace("25", "26"),
    "Intel": ZEN_4.replace("AuthenticAMD", "GenuineIntel"),
    "no Linux": "",
}


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    """What is set on some processor, where NumPy is not loaded yet."""
    monkeypatch.delitem(sys.modules, "numpy")

    def environment(described: str, **given: str) -> dict[str, str]:
        (tmp_path / "cpuinfo").write_text(described)
        monkeypatch.setattr(processor, "_PROCESSOR", tmp_path / "cpuinfo")
        sort_without_avx512(given)
        return given

    return environment


def test_on_zen_4_numpy_is_told_names_that_it_knows(told) -> None:
    names = told(ZEN_4)["NPY_DISABLE_CPU_FEATURES"].split()
    assert names
    ended = subprocess.run(
        [sys.executable, "-W", "error", "-c", "import numpy"],
        env={**os.environ, "NPY_DISABLE_CPU_FEATURES": " ".join(names)},
        check=False,
    )
    assert ended.returncode == 0
    assert {name for name in __cpu_dispatch__ if "AVX512" in name or name == "X86_V4"} <= {*names}


@pytest.mark.parametrize("name", OTHERS)
def test_elsewhere_it_is_told_nothing(told, name: str) -> None:
    assert told(OTHERS[name]) == {}


@pytest.mark.parametrize("name", ["NPY_DISABLE_CPU_FEATURES", "NPY_ENABLE_CPU_FEATURES"])
def test_what_a_user_has_set_stays(told, name: str) -> None:
    assert told(ZEN_4, **{name: "AVX2"}) == {name: "AVX2"}


def test_once_numpy_is_loaded_nothing_is_set(told, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numpy", np)
    assert told(ZEN_4) == {}


@pytest.mark.parametrize(
    ("version", "first"),
    [
        ('version = "2.4.6"', (2, 4)),
        ("version='3.0.0'", (2, 4)),
        ("    version = '2.10.0rc1'", (2, 4)),
        ('version = "2.3.5"', (2, 0)),
        ('version = "1.26.4"', None),
        ("nothing", None),
    ],
)
def test_names_go_by_the_version_of_numpy(version: str, first: tuple[int, int] | None) -> None:
    assert processor._names(version) == ("" if first is None else processor._NAMES[first])

"""All deferred names are there, and imported only when used."""

import compileall
import pickle
import subprocess
import sys
from pathlib import Path
from typing import get_type_hints

import numpy as np
import pytest
from public_names import ROOMS
from scipy import special as of_scipy

import costspace as cs
from costspace import special
from costspace.deferral import Deferred

DEFERRED = [room for room in ROOMS.values() if hasattr(room, "__path__")]
PACKAGE = '''"""A package."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from {name}.inner import found
    from {name} import other

__all__ = ["found"]
'''


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The folder of a package that defers a name, and its name."""
    folder = tmp_path / f"package_of_{tmp_path.name}"
    folder.mkdir()
    (folder / "__init__.py").write_text(PACKAGE.format(name=folder.name))
    (folder / "inner.py").write_text("found = 1\nhidden = 2\n")
    (folder / "other.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", f"{Path(cs.__file__).parents[1]}:{tmp_path}")
    return folder


def said(code):
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return run.stdout.splitlines()


def test_a_name_is_imported_when_it_is_asked_for(package):
    name = package.name
    inner = f"print('{name}.inner' in sys.modules)"
    code = f"import sys, {name} as p; {inner}; print(p.found); {inner}; print('found' in vars(p))"
    assert said(code) == ["False", "1", "True", "True"]


def test_modules_are_names_of_their_package(package):
    code = f"import {package.name} as p; print(p.inner.hidden, p.other.__name__)"
    assert said(code) == [f"2 {package.name}.other"]


def test_a_missing_name_is_an_attribute_error(package):
    code = f"import {package.name} as p; print(hasattr(p, 'hidden')); p.hidden"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert run.stdout == "False\n"
    said_last = run.stderr.splitlines()[-1]
    assert said_last == f"AttributeError: module '{package.name}' has no attribute 'hidden'"


def test_what_is_deferred_is_listed(package):
    names = said(f"import {package.name} as p; print(*dir(p), sep='\\n')")
    assert {"found", "inner", "other", "__all__"} <= set(names)
    assert "TYPE_CHECKING" not in names


def test_without_source_files_a_package_imports_everything_at_once(package):
    compileall.compile_dir(package, quiet=1, legacy=True)
    for source in package.glob("*.py"):
        source.unlink()
    code = f"import sys, {package.name} as p; print('{package.name}.inner' in sys.modules, p.found)"
    assert said(code) == ["True 1"]


def test_all_of_the_top_level_is_seen_before_any_of_it_is_used():
    code = "import costspace as cs; print(*dir(cs)); from costspace import *; print(*globals())"
    listed, star = (line.split() for line in said(code))
    assert sorted(listed) == sorted(cs.__all__)
    assert set(cs.__all__) <= set(star)


@pytest.mark.parametrize("room", DEFERRED, ids=lambda room: room.__name__)
def test_all_of_a_subpackage_is_seen_before_any_of_it_is_used(room):
    (listed,) = said(f"import {room.__name__} as room; print(*dir(room))")
    modules = {path.stem for path in Path(room.__file__).parent.glob("[a-z]*.py")}
    assert {*room.__all__, *modules} <= set(listed.split())


OF_SCIPY = [name for name in special.__all__ if isinstance(getattr(special, name), Deferred)]


@pytest.mark.parametrize("name", OF_SCIPY)
def test_deferred_functions_are_those_of_scipy(name):
    function = getattr(special, name)
    shapes = {"betainc": 2, "betaincc": 2, "betaincinv": 2, "betaln": 1, "xlogy": 1, "xlog1py": 1}
    shapes |= {"pdtr": 1, "gammaincc": 1}
    given = (*[3.0] * shapes.get(name, 0), np.array([0.25, 0.5]))
    expected = getattr(of_scipy, name)(*given)
    np.testing.assert_array_equal(function(*given), expected)
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(function))(*given), expected)


def test_types_of_what_is_deferred_are_found():
    members = ("dominance", "losses", "limits_kept", "saved", "apply")
    for name in members:
        assert "return" in get_type_hints(getattr(cs.decision.Decision, name))
    found = get_type_hints(cs.decision.Decision.dominance)["return"]
    assert set(found.__args__) == {cs.comparison.Dominance, type(None)}

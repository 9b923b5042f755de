"""What `make dist` builds holds what it must, and the README's commands run from it as shown.

Wheel and sdist are in `dist`. An environment of its own, `build/dist`, has the wheel with the extra
of the command line, and nothing else.
"""

import subprocess
import tarfile
import zipfile
from pathlib import Path

import pytest
from sybil import Example, Sybil
from sybil.parsers.myst import CodeBlockParser, SkipParser

import costspace as cs
from conftest import compare, shell

ROOT = Path(__file__).parents[1]
WHEEL = ROOT / "dist" / f"costspace-{cs.__version__}-py3-none-any.whl"
SDIST = ROOT / "dist" / f"costspace-{cs.__version__}.tar.gz"
PROGRAMS = ROOT / "build" / "dist" / "bin"


def test_the_wheel_is_the_package_and_its_licences() -> None:
    source = ROOT / "src"
    package = {
        path.relative_to(source).as_posix(): path.read_bytes()
        for path in source.rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    with zipfile.ZipFile(WHEEL) as wheel:
        held = {name: wheel.read(name) for name in wheel.namelist()}
    info = f"costspace-{cs.__version__}.dist-info/"
    assert {name: text for name, text in held.items() if not name.startswith(info)} == package
    assert held[f"{info}licenses/LICENSE"] == (ROOT / "LICENSE").read_bytes()
    assert {"costspace/py.typed", "costspace/report/static/page.js"} <= set(held)


def test_the_sdist_is_the_repository() -> None:
    # Whatever git does not ignore; the wheel is built from the sdist.
    kept = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    with tarfile.open(SDIST) as sdist:
        held = {name.partition("/")[2] for name in sdist.getnames()}
    assert held == {*kept.stdout.splitlines(), "PKG-INFO"} - {".ci/run"}


def test_the_readme_runs_from_the_wheel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    _, place = shell("python -c 'import costspace; print(costspace.__file__)'", PROGRAMS)
    assert Path(place).is_relative_to(PROGRAMS.parent)

    def run(example: Example) -> str | None:
        status, example.namespace["_printed"] = shell(example.parsed, PROGRAMS)
        return example.namespace["_printed"] if status else None

    commands = CodeBlockParser(language="sh", evaluator=run)
    printed = CodeBlockParser(language="text", evaluator=compare)
    page = Sybil([commands, printed, SkipParser()]).parse(ROOT / "README.md")
    examples = list(page.examples())
    assert len(examples) > 2
    for example in examples:
        example.evaluate()

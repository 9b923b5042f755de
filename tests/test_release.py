"""The files that others publish and cite costspace by say what the package says."""

import re
import tomllib
from pathlib import Path

import yaml

import costspace as cs

ROOT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
EXTRAS = PROJECT["optional-dependencies"]
CITATION = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
RECIPE = yaml.safe_load((ROOT / "release" / "recipe.yaml").read_text(encoding="utf-8"))
# What conda calls these packages, which have other names or more parts there.
CONDA = {"duckdb": "python-duckdb", "matplotlib": "matplotlib-base"}
# Brought by another package of the same extra.
BROUGHT = {"distributed"}


def requirements(*extras: str) -> set[str]:
    """What extras add to the package's dependencies, as conda writes it."""
    found = set()
    for line in [line for extra in extras for line in EXTRAS[extra]]:
        name, parts, bound = re.fullmatch(r"([\w-]+)(?:\[(.*)\])?(.*)", line).groups()
        if name == PROJECT["name"]:
            found |= requirements(*parts.split(","))
        elif name not in BROUGHT:
            found.add(f"{CONDA.get(name, name)} {bound}")
    return found


def test_the_citation_is_of_this_version() -> None:
    assert CITATION["title"] == PROJECT["name"]
    assert CITATION["version"] == cs.__version__
    assert CITATION["license"] == PROJECT["license"]
    assert CITATION["abstract"] == PROJECT["description"]
    assert CITATION["authors"] == PROJECT["authors"]
    assert CITATION["keywords"] == PROJECT["keywords"]


def test_the_conda_package_is_of_this_version() -> None:
    assert RECIPE["context"]["version"] == cs.__version__
    assert RECIPE["package"] == {"name": PROJECT["name"], "version": "${{ version }}"}
    assert RECIPE["about"]["license"] == PROJECT["license"]
    assert RECIPE["about"]["summary"] == PROJECT["description"]


def test_the_conda_package_needs_what_the_command_needs() -> None:
    python = f"python {PROJECT['requires-python']}"
    core = {line.replace(">=", " >=") for line in PROJECT["dependencies"]}
    needed = RECIPE["requirements"]
    assert set(needed["run"]) == {python, *core, *requirements("cli")}
    build = {line.replace(">=", " >=") for line in PYPROJECT["build-system"]["requires"]}
    assert set(needed["host"]) == {python, "pip", *build}


def test_what_other_extras_need_is_optional_in_the_conda_package() -> None:
    optional = requirements("all", "dask", "spark") - requirements("cli")
    assert set(RECIPE["requirements"]["run_constraints"]) == optional


def test_the_conda_package_has_the_same_command() -> None:
    commands = [f"{name} = {place}" for name, place in PROJECT["scripts"].items()]
    assert RECIPE["build"]["python"]["entry_points"] == commands

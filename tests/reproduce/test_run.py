"""Which figures are reproduced, and what is written for each."""

import csv
from pathlib import Path

import pytest
from refusals import refused

from costspace import ConditionError, FileError
from costspace.reproduce.registry import FIGURES
from costspace.reproduce.run import choose_figures, reproduce_figures


def test_all_without_ids() -> None:
    assert choose_figures([]) == list(FIGURES)


def test_documents_and_figures_in_their_order() -> None:
    chosen = [figure.id for figure in choose_figures(["004-ex25", "001", "000-fig2"])]
    assert chosen[0] == "000-fig2"
    assert chosen[-1] == "004-ex25"
    assert {name[:3] for name in chosen[1:-1]} == {"001"}


@pytest.mark.parametrize("name", ["000-fi2", "999", "", "000-fig2 "])
def test_an_unknown_figure(name: str) -> None:
    with refused(ConditionError, f"there is no figure {name!r}"):
        choose_figures([name])


def test_near_names() -> None:
    with refused(ConditionError, "(near: 000-fig2"):
        choose_figures(["000-figure2"])


def test_files(tmp_path: Path) -> None:
    shares: list[float] = []
    comparison = reproduce_figures(
        ["000-fig2", "002-table6"], tmp_path / "new" / "folder", progress=shares.append
    )
    names = {path.name for path in (tmp_path / "new" / "folder").iterdir()}
    assert names == {"000-fig2.png", "002-table6.csv", "comparison.csv"}
    with (tmp_path / "new" / "folder" / "comparison.csv").open(newline="") as file:
        assert len(list(csv.DictReader(file))) == len(comparison.rows)
    assert shares == [0, 50, 100]


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with refused(FileError, "cannot make"):
        reproduce_figures(["000-fig2"], tmp_path / "file")

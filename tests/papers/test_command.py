"""`python -m papers`: what it prints and writes, and how it ends."""

from pathlib import Path

import pytest
from matplotlib.figure import Figure as Picture

from papers.__main__ import DOCUMENTS, main
from papers.document import Document, Figure


def test_prints_the_comparison(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["lecture"]) == 0
    first, heading, *rows, empty, last = capsys.readouterr().out.splitlines()
    assert first.startswith("lecture: I2ML, Evaluation: cost curves (lecture), after Drummond")
    assert heading.split() == ["figure", "quantity", "stated", "computed", "outcome", "note"]
    assert rows[0].split() == [
        *("lines", "error", "rate", "of", "1R", "without", "positives", "0.2", "0.2", "matches")
    ]
    assert empty == ""
    assert last == "12 stated values: 7 matches; 3 differs: slip; 2 stand-in: data."
    assert len(rows) == 12


def test_writes_a_folder_for_each_document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    figures = DOCUMENTS["lecture"].figures
    numbers = {name: Figure(figure.numbers) for name, figure in figures.items()}
    numbers["envelope"] = Figure(draw=Picture)
    monkeypatch.setitem(DOCUMENTS, "lecture", Document("lecture", numbers))
    assert main(["-o", str(tmp_path / "new"), "lecture"]) == 0
    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.*")}
    assert names == {"new/lecture/comparison.csv", "new/lecture/envelope.png"}


def test_ends_with_1_if_a_number_is_not_reproduced(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    nothing = dict.fromkeys(DOCUMENTS["lecture"].figures, Figure())
    monkeypatch.setitem(DOCUMENTS, "lecture", Document("lecture", nothing))
    assert main(["lecture"]) == 1
    assert capsys.readouterr().out.endswith("12 stated values: 12 not computed.\n")


def test_all_documents_without_names(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, document in DOCUMENTS.items():
        monkeypatch.setitem(
            DOCUMENTS, name, Document(name, dict.fromkeys(document.figures, Figure()))
        )
    assert main([]) == 1
    printed = capsys.readouterr().out
    assert printed.endswith("264 stated values: 264 not computed.\n")
    assert all(f"{name}: {document.stated[0]}\n" in printed for name, document in DOCUMENTS.items())


def test_takes_names_of_documents_only(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["lectures"])
    assert ended.value.code == 2
    assert "there is no document 'lectures': ask for roc_cost_curves," in capsys.readouterr().err

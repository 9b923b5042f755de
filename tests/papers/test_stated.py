"""How printed numbers are read, and the file of them."""

import math
from pathlib import Path

import pytest

from papers.stated import FORMS, StatedValue, read_stated


def value(stated: str, kind: str = "rounded", within: float = 0) -> StatedValue:
    return StatedValue("fig1", "auc", "AUC", "Section 1", stated, kind=kind, within=within)


@pytest.mark.parametrize(
    ("printed", "kind", "within", "accepted", "refused"),
    [
        ("0.1695", "rounded", 0, [0.16945, 0.1695, 0.16955], [0.16944, 0.16956]),
        (".807", "rounded", 0, [0.8068528], [0.8064, 0.8076]),
        ("0.450", "rounded", 0, [0.4504], [0.4506]),
        ("7", "rounded", 0, [7.5], [7.6]),
        ("99.8 %", "rounded", 0, [0.9975, 0.9985], [0.9974, 0.9986, 99.8]),
        ("50 %", "exact", 0, [0.5], [0.501]),
        ("0.15", "exact", 0, [0.15], [0.1501]),
        ("7", "exact", 0, [7], [6, 7.01]),
        ("105/135", "exact", 0, [7 / 9], [0.7777]),
        ("1/3", "about", 0.02, [0.32, 0.35], [0.31, 0.36]),
        ("92 %", "above", 0, [0.921], [0.92, 0.919]),
        ("1/2", "below", 0, [0.4], [0.5, 0.6]),
        ("3/2 - ln 2", "form", 0, [1.5 - math.log(2)], [0.807]),
    ],
)
def test_a_print_is_read_by_its_kind(
    printed: str, kind: str, within: float, accepted: list[float], refused: list[float]
) -> None:
    stated = value(printed, kind, within)
    assert [stated.accepts(computed) for computed in accepted] == [True] * len(accepted)
    assert [stated.accepts(computed) for computed in refused] == [False] * len(refused)
    assert not stated.accepts(math.nan)


def test_closed_forms() -> None:
    assert FORMS["3/2 - ln 2"] == pytest.approx(0.80685281944)


@pytest.mark.parametrize(
    ("printed", "kind"),
    [("half", "rounded"), ("1/8", "rounded"), ("nan", "rounded"), ("0.5", "roughly")],
)
def test_prints_that_do_not_go_with_their_kind(printed: str, kind: str) -> None:
    with pytest.raises((ValueError, ArithmeticError)):
        value(printed, kind).accepts(0.5)


def test_names_become_sentences(tmp_path: Path) -> None:
    path = tmp_path / "stated.toml"
    path.write_text(
        'document = "a paper"\nslips.odd = "It slips."\ndata.lost = "It is lost."\n[values.fig1]\n'
        'auc = { quantity = "AUC", place = "Section 1", stated = "0.5", slip = "odd" }\n'
        'area = { quantity = "area", place = "Section 2", stated = "1", data = "lost" }\n'
    )
    citation, (auc, area) = read_stated(path)
    assert citation == "a paper"
    assert (auc.figure, auc.name, auc.stated, auc.place) == ("fig1", "auc", "0.5", "Section 1")
    assert (auc.slip, auc.data, auc.note) == ("It slips.", "", "")
    assert (area.slip, area.data, area.note) == ("", "It is lost.", "")


@pytest.mark.parametrize(
    ("kind", "within", "words"),
    [
        ("rounded", 0.0, "0.5"),
        ("exact", 0.0, "0.5"),
        ("about", 0.05, "about 0.5 (within 0.05)"),
        ("above", 0.0, "above 0.5"),
        ("below", 0.0, "below 0.5"),
    ],
)
def test_words(kind: str, within: float, words: str) -> None:
    assert value("0.5", kind, within).words() == words

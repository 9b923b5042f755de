"""How printed numbers are read, and what is refused in the file of them."""

import math

import pytest
from refusals import refused

from costspace.errors import FileError
from costspace.reproduce.registry import FIGURES
from costspace.reproduce.stated import FORMS, StatedValue, read_stated

HEAD = 'documents.000 = "a paper"\n[values.000-fig1]\n'
ENTRY = 'quantity = "AUC", place = "Section 1"'


def value(stated: str, **words: object) -> StatedValue:
    return StatedValue("000-fig1/auc", "AUC", stated, "Section 1", "a paper", **words)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("printed", "kind", "within", "accepted", "refused_values"),
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
    printed: str,
    kind: str,
    within: float,
    accepted: list[float],
    refused_values: list[float],
) -> None:
    stated = value(printed, kind=kind, within=within)
    assert [stated.accepts(computed) for computed in accepted] == [True] * len(accepted)
    assert [stated.accepts(x) for x in refused_values] == [False] * len(refused_values)
    assert not stated.accepts(math.nan)


def test_the_figure_is_part_of_the_id() -> None:
    assert value("0.5").figure == "000-fig1"


def test_closed_forms() -> None:
    assert FORMS["3/2 - ln 2"] == pytest.approx(0.80685281944)


@pytest.mark.parametrize(
    ("printed", "kind"),
    [
        ("half", "rounded"),
        ("1/8", "rounded"),
        ("nan", "rounded"),
        ("1/0", "exact"),
        ("2 - ln 2", "form"),
    ],
)
def test_prints_that_do_not_go_with_their_kind(printed: str, kind: str) -> None:
    with refused(FileError, f"000-fig1/auc: '{printed}' is not {kind}."):
        value(printed, kind=kind)


def test_kinds_are_known() -> None:
    with refused(FileError, "kind must be one of rounded, exact, about, above, below, form, got"):
        value("0.5", kind="roughly")


@pytest.mark.parametrize(("kind", "within"), [("about", 0.0), ("rounded", 0.1)])
def test_within_belongs_to_about(kind: str, within: float) -> None:
    with refused(FileError, "'within' belongs to kind 'about'"):
        value("0.5", kind=kind, within=within)


def test_names_become_sentences() -> None:
    (stated,) = read_stated(
        ["000-fig1"],
        'slips.odd = "It slips."\ndata.lost = "It is lost."\n'
        f'{HEAD}auc = {{ {ENTRY}, stated = "0.5", slip = "odd", data = "lost", note = "So." }}',
    )
    assert (stated.id, stated.citation) == ("000-fig1/auc", "a paper")
    assert (stated.slip, stated.data, stated.note) == ("It slips.", "It is lost.", "So.")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("values", "the stated values are not TOML"),
        (
            f'{HEAD}auc = {{ {ENTRY}, stated = "1" }}\nauc = {{ {ENTRY}, stated = "2" }}',
            "the stated values are not TOML",
        ),
        (
            f'documents.000 = "a"\n[values.000-fig9]\nauc = {{ {ENTRY}, stated = "1" }}',
            "values are stated for no known figure: 000-fig9.",
        ),
        (
            f'documents.001 = "a"\n[values.000-fig1]\nauc = {{ {ENTRY}, stated = "1" }}',
            "000-fig1/auc: '000' is not among the documents.",
        ),
        (
            f'{HEAD}auc = {{ {ENTRY}, stated = "1", slip = "odd" }}',
            "000-fig1/auc: 'odd' is not among the slips.",
        ),
        (
            f'slips.odd = "It slips."\n{HEAD}auc = {{ {ENTRY}, stated = "1" }}',
            "no value names these slips: odd.",
        ),
        (f"{HEAD}auc = {{ {ENTRY} }}", "000-fig1/auc needs quantity, stated and place"),
        (
            f'{HEAD}auc = {{ {ENTRY}, stated = "1", colour = "red" }}',
            "000-fig1/auc needs quantity, stated and place",
        ),
        (f"{HEAD}auc = {{ {ENTRY}, stated = 1 }}", "000-fig1/auc: 1 is not rounded."),
    ],
)
def test_bad_files_are_refused(text: str, message: str) -> None:
    with refused(FileError, message):
        read_stated(["000-fig1"], text)


def test_the_file_that_ships() -> None:
    stated = read_stated([figure.id for figure in FIGURES])
    assert len({one.id for one in stated}) == len(stated) > 250
    assert {one.figure.partition("-")[0] for one in stated} == {"000", "001", "002", "003", "004"}
    for one in stated:
        for sentence in filter(None, (one.slip, one.data, one.note)):
            assert sentence.endswith("."), one.id
        assert one.place, one.id
        assert one.quantity, one.id


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
    value = StatedValue("000-fig2/auc", "AUC", "0.5", "here", "a paper", kind=kind, within=within)
    assert value.words() == words

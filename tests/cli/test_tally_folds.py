"""`costspace tally --folds`: a table that is decided on as the file that it was made of is."""

import base64
import gzip
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import as_json, leaves, refused, run, scored

import costspace as cs
from costspace.cli import main
from costspace.frames import load, save, saved_folds

EXAMPLE = Path(__file__).parents[2] / "examples" / "breast_cancer.csv"
NAMES = ["logistic", "naive_bayes", "random_forest"]
KNOWN = ["--fp-cost", "1", "--fn-cost", "10"]
RANGES = ["--fp-cost", "1", "--fn-cost", "5:50", "--prevalence", "0.05:0.2"]
ASKED = {
    "known": KNOWN,
    "ranges": RANGES,
    "costs known": [*RANGES, "--known", "costs", "--details"],
    "limit": [*RANGES, "--capacity", "0.3"],
    "at random": [*RANGES, "--capacity", "0.3", "--randomise"],
    "in use": [*KNOWN, "--baseline", "logistic:0.3"],
    "chosen": [*KNOWN, "--choice", "optimal", "--score", "logistic", "--score", "random_forest"],
}
COMPARED = ["known", "limit", "in use", "chosen"]
MANY = 100_000

Capture = pytest.CaptureFixture[str]


def of_file(file: Path, label: str, names: list[str], asked: list[str]) -> list[object]:
    """The words that ask a file with rows."""
    columns = ["--label", label, *([] if "--score" in asked else scored(names))]
    return [file, *columns, *asked]


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("example") / "example.parquet"
    return tallied(path, EXAMPLE, "y_true", NAMES)


def tallied(path: Path, file: Path, label: str, names: list[str], *more: str) -> Path:
    words = ["tally", file, "--label", label, *scored(names), "--folds", 5, *more, "-o", path]
    main([str(word) for word in words])
    return path


def predictions() -> dict[str, np.ndarray]:
    rng = np.random.default_rng(3)
    y = (rng.random(MANY) < 0.2).astype(int)
    own = rng.normal(1.6 * y - 1)
    noise = rng.normal(size=MANY)
    one, other = (1 / (1 + np.exp(-x)) for x in (own, own + noise))
    decided = (one + 0.1 * noise > 0.5).astype(int)
    return {"y": y, "fine": one, "rough": one.round(3), "other": other.round(3), "decided": decided}


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("many") / "many.parquet"
    pq.write_table(pa.table(predictions()), path)
    return path


@pytest.fixture(scope="module")
def table(many: Path) -> Iterator[Path]:
    """A table of the many rows, some of which it looks at."""
    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(saved_folds, "_OF_EACH_CLASS", 5000)
        yield tallied(many.with_name("table.parquet"), many, "y", ["rough", "other", "decided"])


def differing(one: Any, other: Any) -> dict[str, tuple[Any, Any]]:
    """The leaves of two records that are not the same, numbers to a relative 1e-9."""
    first, second = dict(leaves(one)), dict(leaves(other))
    assert first.keys() == second.keys()

    def apart(x: Any, y: Any) -> bool:
        numbers = isinstance(x, float) and isinstance(y, float)
        return x != y and not (numbers and np.isclose(x, y, rtol=1e-9, atol=1e-9, equal_nan=True))

    return {key: (first[key], second[key]) for key in first if apart(first[key], second[key])}


@pytest.mark.parametrize(
    ("command", "name"),
    [*(("decide", name) for name in ASKED), *(("compare", name) for name in COMPARED)],
)
def test_an_example_is_decided_on_as_its_file_is(
    example: Path, command: str, name: str, capsys: Capture
) -> None:
    asked = ASKED[name]
    file = [*of_file(EXAMPLE, "y_true", NAMES, asked), "--engine", "duckdb", "--json"]
    expected = json.loads(run(capsys, command, *file))
    found = as_json(capsys, command, example, *asked)
    assert all(key.endswith("path") for key in differing(found, expected))


@pytest.mark.parametrize("name", ["known", "ranges", "limit"])
def test_many_rows_are_decided_on_as_in_their_file(
    many: Path, table: Path, name: str, capsys: Capture
) -> None:
    """Except the errors of differences, which are estimated."""
    names = ["rough", "other"]
    file = of_file(many, "y", names, ASKED[name])
    expected = as_json(capsys, "decide", *file)
    found = as_json(capsys, "decide", table, *scored(names), *ASKED[name])
    assert found["strategies"]
    apart = differing(found, expected)
    for key, (one, other) in apart.items():
        if key.endswith(".se"):
            assert one == pytest.approx(other, rel=0.05), key
    told = re.compile(r".*(path|more\.(se|low|high|p|p_adjusted)|text|sentences\.\d+)")
    assert all(told.fullmatch(key) for key in apart), apart
    assert any(key.endswith(".se") for key in apart)


def test_models_are_compared_by_money(many: Path, table: Path, capsys: Capture) -> None:
    names = ["rough", "other"]
    file = of_file(many, "y", names, RANGES)
    expected = as_json(capsys, "compare", *file)
    found = as_json(capsys, "compare", table, *scored(names), *RANGES)
    assert found["source"]["rows"] == MANY
    one, other = found["savings"][0], expected["savings"][0]
    assert one["saving_per_1000"] == pytest.approx(other["saving_per_1000"], rel=1e-9)
    widths = [pair["high"] - pair["low"] for pair in (one, other)]
    assert widths[0] == pytest.approx(widths[1], rel=0.05)


def test_decisions_of_a_rule_in_use_are_a_column_that_was_tallied(
    many: Path, table: Path, capsys: Capture
) -> None:
    asked = [*KNOWN, "--baseline", "decided"]
    expected = as_json(capsys, "decide", *of_file(many, "y", ["rough"], asked))
    found = as_json(capsys, "decide", table, "--score", "rough", *asked)
    costs = [one["baseline"]["cost_per_1000"] for one in (found, expected)]
    assert costs[0] == pytest.approx(costs[1], rel=1e-9)


def test_scores_of_a_cell_are_within_what_is_stated(
    many: Path, tmp_path: Path, capsys: Capture
) -> None:
    path = tallied(tmp_path / "fine.parquet", many, "y", ["fine"])
    file = as_json(capsys, "decide", *of_file(many, "y", ["fine"], RANGES))
    found = as_json(capsys, "decide", path, *RANGES)
    (stated,) = (one for one in found["assumptions"] if "neighbouring scores" in one)
    most = float(re.search(r"at most ([\d.e-]+) per", stated)[1])  # type: ignore[index]
    assert found["recommendation"]["rule"] == file["recommendation"]["rule"]
    for one, other in zip(found["strategies"], file["strategies"], strict=True):
        assert (one["model"], one["choice"]) == (other["model"], other["choice"])
        # Thresholds that are learned are between cells.
        within = {"rel": 1e-9} if one["choice"] == "smoothed" else {"abs": most}
        assert one["cost_per_1000"] == pytest.approx(other["cost_per_1000"], **within)


def test_engines_tally_alike(
    many: Path, table: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(saved_folds, "_OF_EACH_CLASS", 5000)
    names = ["rough", "other", "decided"]
    for engine in ("polars", "dask"):
        path = tallied(tmp_path / engine, many, "y", names, "--engine", engine)
        assert path.read_bytes() == table.read_bytes()


def test_folds_go_by_the_row_number_in_any_order(many: Path, tmp_path: Path) -> None:
    """In any order of the rows, those of one number are in one fold."""
    names = ["rough", "other"]
    order = np.random.default_rng(0).permutation(MANY)
    columns = {**predictions(), "number": np.arange(MANY)}
    shuffled = tmp_path / "shuffled.parquet"
    pq.write_table(pa.table({name: column[order] for name, column in columns.items()}), shuffled)
    one = load(tallied(tmp_path / "a.parquet", shuffled, "y", names, "--id", "number"))
    other = load(tallied(tmp_path / "b.parquet", many, "y", names))
    for name in names:
        found, expected = (held.source.counted(name) for held in (one, other))
        np.testing.assert_array_equal(found.sums.rows, expected.sums.rows)


def test_a_table_is_evaluated_where_each_score_has_a_cell(
    example: Path, many: Path, tmp_path: Path, capsys: Capture
) -> None:
    file = ["--label", "y_true", *scored(NAMES)]
    expected = as_json(capsys, "evaluate", EXAMPLE, *file)
    found = as_json(capsys, "evaluate", example)
    assert all(key.endswith("path") for key in differing(found, expected))
    drifted = run(capsys, "drift", example, tallied(tmp_path / "same", EXAMPLE, "y_true", NAMES))
    assert "No evidence of a change" in drifted
    fine = tallied(tmp_path / "fine", many, "y", ["fine"])
    for command in (["evaluate", fine], ["drift", fine, example]):
        said = refused(capsys, *command)
        assert "scores of 'fine' are counted in cells of neighbouring scores" in said
        assert said.endswith("tally its predictions without --folds.")


def test_a_page_is_made_of_a_table(many: Path, tmp_path: Path, capsys: Capture) -> None:
    table = tallied(tmp_path / "fine.parquet", many, "y", ["fine", "other"])
    out = tmp_path / "page.html"
    for asked in ([], RANGES):
        assert run(capsys, "report", table, "--score", "fine", *asked, "-o", out) == ""
        page = out.read_text()
        found = re.search(
            r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL
        )
        assert found is not None
        record = json.loads(found[1])
        assert record["fixed"] is None
        assert record["source"]["rows"] == MANY
        assert [model["name"] for model in record["models"]] == ["fine"]
        assert (record["decision"] is None) == (asked == [])
        rows = re.search(r'id="rows">([^<]+)</script>', page)
        assert rows is not None
        packed = json.loads(gzip.decompress(base64.b64decode(rows[1])))
        # As many as a page holds of a file of rows.
        cells = base64.b64decode(packed["counts"]["fine"]["highest"]["base64"])
        assert len(cells) <= 8 * 6001
        assert len(base64.b64decode(packed["positive"]["base64"])) < 20_000


Refusing = Callable[[Path, Path], list[object]]
REFUSED: dict[str, tuple[Refusing, str]] = {
    "other folds": (
        lambda t, _: ["decide", t, *KNOWN, "--folds", "4"],
        "--folds 4 is asked for, and .*table.parquet has 5: leave out --folds, or tally",
    ),
    "validation": (
        lambda t, f: ["decide", t, *KNOWN, "--validate", f],
        "--validate needs rows, and a saved table keeps none",
    ),
    "validation of a page": (
        lambda t, f: ["report", t, *KNOWN, "--validate", f, "-o", t.with_name("x.html")],
        "--validate needs rows, and a saved table keeps none",
    ),
    "costs of cases": (
        lambda t, _: ["decide", t, "--fp-cost", "1", "--fn-cost-column", "c"],
        "a column of costs needs rows",
    ),
    "groups": (lambda t, _: ["decide", t, *KNOWN, "--groups", "g"], "--groups needs rows"),
    "weights": (lambda t, _: ["compare", t, *KNOWN, "--weight", "w"], "--weight needs rows"),
    "a label": (lambda t, _: ["report", t, "--positive", "1", "-o", t], "--positive needs rows"),
    "an engine": (lambda t, _: ["decide", t, *KNOWN, "--engine", "polars"], "--engine needs rows"),
    "numbers": (lambda t, _: ["decide", t, *KNOWN, "--id", "n"], "--id needs rows"),
    **{
        f"batches in {command}": (
            lambda t, _, command=command: [
                *(command, t, *KNOWN, "--capacity", "0.1", "--batch", "day"),
                *(["-o", t.with_name("x.html")] if command == "report" else []),
            ],
            "--batch needs rows, and a saved table keeps none: give --batch-size, or name the file",
        )
        for command in ("decide", "compare", "report")
    },
    "decisions": (
        lambda t, _: ["decide", t, *KNOWN, "--baseline", "used"],
        "--baseline 'used' is not a model of .*: give MODEL:THRESHOLD, or tally that column",
    ),
    "scores as decisions": (
        lambda t, _: ["decide", t, *KNOWN, "--baseline", "rough"],
        "'rough' must be decisions, 0 or 1",
    ),
    "another model": (
        lambda t, _: ["decide", t, *KNOWN, "--score", "roug"],
        "has no model 'roug': did you mean 'rough'?",
    ),
    "one model": (
        lambda t, _: ["compare", t, *KNOWN, "--score", "rough"],
        "there is one model to compare",
    ),
    "metrics": (
        lambda t, _: ["compare", t],
        "metrics are compared row by row, and .* is a saved table, which keeps none: give",
    ),
    "a file of rows": (
        lambda _, f: ["decide", f, *KNOWN],
        "--label is missing: which column of .*many.parquet holds the labels",
    ),
    "a file of rows by metrics": (lambda _, f: ["compare", f], "--label is missing: which column"),
    "a file without scores": (
        lambda _, f: ["decide", f, "--label", "y", *KNOWN],
        "--score is missing: name a column of scores for each model.",
    ),
    "merging": (
        lambda t, _: ["merge", t, "-o", t.with_name("sum.parquet")],
        "has rows in folds, which cannot be merged",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_questions_that_a_table_cannot_answer_are_refused(
    name: str, many: Path, table: Path, capsys: Capture
) -> None:
    asked, told = REFUSED[name]
    assert re.search(told, refused(capsys, *asked(table, many)))


def test_a_table_without_folds(tmp_path: Path, capsys: Capture) -> None:
    path = tmp_path / "counts.parquet"
    save(path, {"a": cs.ScoreCounts.from_predictions([0, 1], [0.2, 0.7])})
    for command in (["decide", path, *KNOWN], ["report", path, "-o", tmp_path / "x.html"]):
        said = refused(capsys, *command)
        assert "counts.parquet is a saved table without folds" in said
        assert said.endswith("tally its predictions with --folds.")


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (["--id", "n"], "--id is for rows in folds: add --folds."),
        (["--folds", "3", "--bins", "9"], "--bins and --folds are both given"),
        (["--folds", "3", "--weight", "w"], "--weight and --folds are both given"),
        (["--folds", "1"], "--folds"),
        (["--folds", "101"], "--folds"),
        (["--folds", "100"], "fold .* of 100 has no .* row, since there are so few"),
    ],
)
def test_options_that_tally_does_not_take_are_refused(
    options: list[str], told: str, tmp_path: Path, capsys: Capture
) -> None:
    out = tmp_path / "x.parquet"
    asked = ["tally", EXAMPLE, "--label", "y_true", "--score", "logistic", "-o", out]
    assert re.search(told, refused(capsys, *asked, *options))
    assert not out.exists()

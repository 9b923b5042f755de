"""Rows in folds in saved tables: they come back bit for bit, and decide as they did."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from forged_tables import cells, described, forge
from refusals import refused
from summaries import same as same_counts

import costspace as cs
from costspace import FileError, SourceError
from costspace.decision import HeldOutCounts
from costspace.frames import held_out_counts, load, save, saved_folds
from costspace.frames.merging import merged
from costspace.frames.saved_folds import MOST_FOLDS, kept, some_models
from costspace.frames.storage import counted_of
from costspace.summaries.folded_rows import FoldedRows
from costspace.summaries.joint import fold_by_number
from costspace.summaries.raked import RakedRows
from costspace.summaries.runs import cell_of

ROWS, FOLDS = 3000, 3
KNOWN = cs.Deployment(fp_cost=1, fn_cost=(2, 20), prevalence=0.1)


def frame(rows: int = ROWS, seed: int = 5) -> pd.DataFrame:
    rng = np.random.default_rng(seed)
    y = (rng.random(rows) < 0.3).astype(int)
    own = rng.normal(y)
    own[:3] = -np.inf, np.inf, -0.0
    other = (own + rng.normal(size=rows)).round(1)
    return pd.DataFrame({"y": y, "a": own, "b": np.where(np.isnan(other), 0, other)})


def held_out(rows: int = ROWS, folds: int = FOLDS, seed: int = 5) -> HeldOutCounts:
    return held_out_counts(frame(rows, seed), label="y", score=["a", "b"], folds=folds)


def loaded(path: Path) -> HeldOutCounts:
    found = load(path)
    assert isinstance(found, HeldOutCounts)
    return found


def raked_in(found: HeldOutCounts) -> RakedRows:
    assert isinstance(found.source, RakedRows)
    return found.source


def same(one: RakedRows, other: RakedRows) -> None:
    """Assert that two are equal to the bit, whatever integer type counts have."""
    assert list(one.models) == list(other.models)
    pairs = [
        (getattr(one.sampled, name), getattr(other.sampled, name)) for name in ("positive", "fold")
    ]
    for model in one.models:
        pairs.append((one.sampled.by_model[model], other.sampled.by_model[model]))
        same_counts(one.counts[model], other.counts[model])
    for first, second in pairs:
        assert first.dtype == second.dtype
        assert first.shape == second.shape
        assert first.tobytes() == second.tobytes()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "folds.parquet"


@pytest.fixture
def few_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is kept is less than the rows say."""
    monkeypatch.setattr(saved_folds, "CELLS", 40)
    monkeypatch.setattr(saved_folds, "_OF_EACH_CLASS", 300)


@pytest.mark.usefixtures("few_cells")
def test_fewer_cells_and_rows_come_back_bit_for_bit(path: Path) -> None:
    rows = kept(held_out().source)
    assert {name: len(counts) for name, counts in rows.counts.items()} == pytest.approx(
        {"a": 40, "b": 40}, abs=8
    )
    assert np.count_nonzero(rows.sampled.positive) < 600
    save(path, held_out())
    same(rows, raked_in(loaded(path)))


def test_of_many_rows_that_were_looked_at_some_are_saved(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    every = kept(held_out().source)
    assert len(every.sampled.fold) == ROWS
    monkeypatch.setattr(saved_folds, "_OF_EACH_CLASS", 100)
    save(path, HeldOutCounts(every))
    some = raked_in(loaded(path)).sampled
    for positive in (False, True):
        assert 50 < np.count_nonzero(some.positive == positive) < 200


def test_cells_of_single_scores_come_back_bit_for_bit(path: Path) -> None:
    save(path, held_out())
    found = raked_in(loaded(path))
    same(kept(held_out().source), found)
    a = found.counts["a"]
    assert len(a) == len(np.unique(frame()["a"]))
    assert a.lowest is None
    assert len(found.sampled.positive) == ROWS


def test_what_was_loaded_is_saved_as_the_same_bytes(path: Path) -> None:
    save(path, held_out())
    again = path.with_name("again.parquet")
    save(again, loaded(path))
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("name", ["", "it's", 'a "b"', "zwölf\n\t€", "fold", "model", "x" * 5000])
def test_models_have_any_name(path: Path, name: str) -> None:
    save(path, held_out_counts(frame().rename(columns={"a": name}), label="y", score=[name, "b"]))
    assert list(loaded(path).models) == [name, "b"]


def test_rows_in_memory_are_saved_too(path: Path) -> None:
    rows = cs.ScoredRows.from_predictions(frame()["y"], {"a": frame()["a"]})
    in_folds = HeldOutCounts(FoldedRows(rows, fold_by_number(ROWS, 4), 4))
    save(path, in_folds)
    found = loaded(path)
    assert str(found) == "4 cross-validation folds"
    same(kept(in_folds.source), raked_in(found))


def test_decisions_are_those_of_the_rows(path: Path) -> None:
    """All rows are looked at, and each score has a cell: the same in every number."""
    save(path, held_out())
    asked: list[dict[str, Any]] = [
        {},
        {"known": "costs"},
        {"constraints": cs.Constraints(capacity=0.2)},
        {"baseline": ("b", 0.5)},
    ]
    for more in asked:
        one, other = (
            cs.decide(rows, conditions=KNOWN, **more).to_dict(details=True)
            for rows in (loaded(path), held_out())
        )
        assert json.loads(json.dumps(one)) == json.loads(json.dumps(other))
    one, other = (
        cs.compare_money(rows, conditions=KNOWN).to_dict() for rows in (loaded(path), held_out())
    )
    assert one == other


@pytest.mark.usefixtures("few_cells")
def test_errors_of_differences_are_estimated_of_some_rows(path: Path) -> None:
    rows = held_out(20_000)
    save(path, rows)
    found, expected = (
        cs.compare_money(one, conditions=KNOWN, choices=[cs.Optimal()])
        for one in (loaded(path), HeldOutCounts(RakedRows(*_every(rows))))
    )
    (one,), (other,) = found.pairs.values(), expected.pairs.values()
    assert one.difference == pytest.approx(other.difference, rel=1e-9)
    assert one.high - one.low == pytest.approx(other.high - other.low, rel=0.1)
    assert one.high != other.high


def _every(rows: HeldOutCounts) -> tuple[Any, Any]:
    """The same few cells, and all rows."""
    some = kept(rows.source)
    counted = rows.source.some((1, 1))
    cells = {name: cell_of(one, counted.by_model[name]) for name, one in some.counts.items()}
    sampled = type(some.sampled)(counted.fold.astype(np.intp), counted.positive, cells)
    return some.counts, sampled


@pytest.mark.usefixtures("few_cells")
def test_what_a_threshold_inside_a_cell_may_cost_is_stated(path: Path) -> None:
    save(path, held_out())
    assert loaded(path).forgone(1.0, 1.0) > held_out().forgone(1.0, 1.0)
    decided, compared = (
        ask(loaded(path), conditions=KNOWN) for ask in (cs.decide, cs.compare_money)
    )
    for found in (decided, compared):
        assert any("neighbouring scores are taken together" in one for one in found.assumptions)


def test_other_programs_read_the_columns(path: Path) -> None:
    save(path, held_out())
    table = pq.read_table(path).to_pandas()
    of_model = table[table["model"] == "b"]
    scores = frame()["b"].to_numpy()
    assert of_model["score"].tolist() == np.unique(scores).tolist()
    counted = sum(of_model[f"fold{fold + 1}_positives"] for fold in range(FOLDS))
    expected = frame().groupby("b")["y"].sum()
    assert counted.tolist() == expected.tolist()
    rows = table[table["model"].isna()]
    assert len(rows) == ROWS
    assert rows["positive"].sum() == frame()["y"].sum()
    about = json.loads(pq.read_metadata(path).metadata[b"costspace"])
    assert (about["schema"], about["folds"]) == (2, FOLDS)
    assert {one["cells"] for one in about["models"]} == {"float64"}


def test_some_models_of_a_table(path: Path) -> None:
    save(path, held_out())
    some = some_models(loaded(path), ["b"])
    assert list(some.models) == ["b"]
    one, other = (
        cs.decide(rows, conditions=KNOWN).to_dict()
        for rows in (some, held_out_counts(frame(), label="y", score="b", folds=FOLDS))
    )
    assert one == other


def test_cells_of_single_scores_are_counts_by_score(path: Path) -> None:
    save(path, held_out())
    for name, one in counted_of(load(path), path).items():
        other = cs.ScoreCounts.from_predictions(frame()["y"], frame()[name])
        for column, values in one.columns().items():
            np.testing.assert_array_equal(values, other.columns()[column])


@pytest.mark.usefixtures("few_cells")
def test_cells_of_several_scores_are_none(path: Path) -> None:
    save(path, held_out())
    with refused(FileError, f"{path}: scores of 'a' are counted in cells of neighbouring scores"):
        counted_of(load(path), path)


def test_tables_with_folds_do_not_add_up(path: Path) -> None:
    save(path, held_out())
    with refused(
        FileError, f"{path} has rows in folds, which cannot be merged: tally all their files"
    ):
        merged([path])


def test_what_is_not_saved(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    few = cs.hold_out(cs.ScoredRows.from_predictions(frame()["y"], {"a": frame()["a"]}))
    with refused(SourceError, "HeldOutRows cannot be saved, since they are not counted"):
        save(path, few)  # type: ignore[arg-type]
    with refused(SourceError, f"rows can be saved in 2 to {MOST_FOLDS} folds, got 101."):
        save(path, held_out(60_000, folds=101))
    rows = cs.ScoredRows.from_predictions(frame()["y"], {"\ud800": frame()["a"]})
    with refused(SourceError, "the name of a model must be text"):
        save(path, HeldOutCounts(FoldedRows(rows, fold_by_number(ROWS, 2), 2)))
    monkeypatch.setattr(saved_folds, "_MOST_NUMBERS", 1000)
    with refused(SourceError, "2 models in 3 folds are too many for one table"):
        save(path, held_out())
    assert not path.exists()


def rows_of_none(table: pa.Table) -> list[int]:
    return [i for i, name in enumerate(table.column("model").to_pylist()) if name is None]


def without(keep: Any) -> Any:
    """The columns without the rows of which a function of the model's name says no."""
    return lambda table: table.filter(
        pa.array([keep(name) for name in table.column("model").to_pylist()])
    )


def folds_of(number: Any) -> Any:
    return lambda about: about | {"folds": number}


def swapped(table: pa.Table) -> pa.Table:
    """The columns with counts of a fold under the names of another."""
    names = table.column_names
    i, j = (names.index(f"fold{fold}_positives") for fold in (1, 2))
    names[i], names[j] = names[j], names[i]
    return table.rename_columns(names)


def of_one(column: str, change: Any) -> Any:
    """The columns with another first count of the first model."""
    return lambda table: cells(column, change(table.column(column)[0].as_py()), 0)(table)


def in_rows(column: str, value: Any) -> Any:
    """The columns with another value in the first of the rows that were looked at."""
    return lambda table: cells(column, value, rows_of_none(table)[0])(table)


def shorter(about: Any) -> Any:
    """The description without the last fold."""
    for one in about["models"]:
        one["columns"] = one["columns"][:-2]
    return about | {"folds": FOLDS - 1}


FORGED: dict[str, dict[str, Any]] = {
    "no folds": {"about": folds_of(None)},
    "one fold": {"about": folds_of(1)},
    "folds that are text": {"about": folds_of("3")},
    "folds that are true": {"about": folds_of(True)},
    "more folds": {"about": folds_of(FOLDS + 1)},
    "folds beyond any": {"about": folds_of(10**400)},
    "fewer folds": {"about": shorter},
    "other cells beside it": {"about": described(1, cells="runs")},
    "no columns": {"about": described(0, columns=[])},
    "one name twice": {"about": described(0, name="b")},
    "a name of no rows": {"about": described(0, name="z")},
    "counts below zero": {"columns": of_one("fold1_negatives", lambda _: -1)},
    "counts that are missing": {"columns": of_one("fold1_negatives", lambda _: None)},
    "counts beyond any": {"columns": of_one("fold2_negatives", lambda _: 2**62)},
    "more counts in one model": {"columns": of_one("fold1_negatives", lambda n: n + 1)},
    "counts of another type": {"columns": cells("fold1_negatives", 0.5, 0, kind=pa.float64())},
    "folds swapped": {"columns": swapped},
    "cells in disorder": {"columns": of_one("score", lambda _: 99.0)},
    "cells that are NaN": {"columns": of_one("score", lambda _: np.nan)},
    "cells that are missing": {"columns": of_one("score", lambda _: None)},
    "no rows of a model": {"columns": without(lambda name: name != "a")},
    "no rows that were looked at": {"columns": without(lambda name: name is not None)},
    "rows of another model": {"columns": of_one("model", lambda _: "z")},
    "a row in a fold too far": {"columns": in_rows("fold", FOLDS)},
    "a row in a cell too far": {"columns": in_rows("cell1", 60_000)},
    "a row in no cell": {"columns": in_rows("cell2", None)},
    "a row of no class": {"columns": in_rows("positive", None)},
    "a row of another class": {"columns": in_rows("positive", True)},
    "a column missing": {"columns": lambda table: table.drop_columns(["cell2"])},
    "a column more": {"columns": lambda table: table.append_column("cell3", table.column("cell2"))},
    "rows twice": {"columns": lambda table: pa.concat_tables([table, table])},
}


TOLD = {
    "counts below zero": "the counts of a class must be finite and not negative",
    "counts beyond any": "there are more than 2^53 rows",
    "counts of another type": "column 'fold1_negatives' has type DOUBLE",
    "counts that are missing": "column 'fold1_negatives' has missing cells",
    "a row in a fold too far": "a row is in a fold or a cell that does not exist",
    "a row in a cell too far": "a row is in a fold or a cell that does not exist",
    "cells that are NaN": "counted scores must be distinct, ascending and not NaN",
    "more folds": "the columns of 'a' are not those of its cells and 4 folds",
    "no folds": "it has None folds, not 0 or 2 to 100",
    "no rows that were looked at": "it has 0 rows of no model",
    "a name of no rows": "the models that it lists are not those in its rows",
}


@pytest.mark.parametrize("name", TOLD)
def test_what_is_wrong_with_a_table_is_told(name: str, path: Path) -> None:
    save(path, held_out(600))
    forge(path, **FORGED[name])
    with refused(FileError, f"{path} is not a valid saved table: {TOLD[name]}"):
        load(path)


@pytest.mark.parametrize("name", FORGED)
def test_a_table_that_is_forged_is_refused(name: str, path: Path) -> None:
    save(path, held_out(600))
    forge(path, **FORGED[name])
    with refused(FileError, str(path)):
        load(path)


@pytest.mark.usefixtures("few_cells")
@pytest.mark.parametrize(
    ("column", "value"),
    [("highest", 99.0), ("highest", None), ("lowest", 99.0), ("lowest", np.nan)],
)
def test_runs_that_are_forged_are_refused(path: Path, column: str, value: float | None) -> None:
    save(path, held_out())
    assert pq.read_table(path).column(column)[0].as_py() is not None
    forge(path, columns=of_one(column, lambda _: value))
    with refused(FileError, f"{path} is not a valid saved table"):
        load(path)


def test_a_table_of_more_than_memory_is_for_is_refused_before_it_is_read(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(path, held_out(600))
    monkeypatch.setattr(saved_folds.TableFile, "columns", None)
    for name, value, told in (
        ("_MOST_CELLS", 100, "a model has 600 cells, above 100"),
        ("_MOST_SAMPLED", 100, "it has 600 rows of no model, not up to 100"),
        ("_MOST_NUMBERS", 100, "too many for one table"),
    ):
        with monkeypatch.context() as changed:
            changed.setattr(saved_folds, name, value)
            with refused(FileError, told):
                load(path)


def test_a_table_that_is_only_sealed_anew_is_read(path: Path) -> None:
    save(path, held_out(600))
    before = raked_in(loaded(path))
    forge(path)
    same(before, raked_in(loaded(path)))


def test_a_table_with_any_byte_changed_is_refused(path: Path) -> None:
    save(path, held_out(600))
    content = path.read_bytes()
    for place in np.random.default_rng(0).integers(0, len(content), 60):
        changed = bytearray(content)
        changed[place] ^= 8
        path.write_bytes(changed)
        with refused(FileError, str(path)):
            load(path)

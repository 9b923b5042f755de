"""What names of scores and costs speak of: columns, and what is made of columns."""

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import costspace as cs
from costspace.frames import apply_decision
from costspace.frames.flagging import apply_to_files
from costspace.frames.formulas import formula_of
from tests.helpers.refusals import refused

COLUMNS = {
    "y": [0, 0, 1, 1] * 10,
    "p": [0.9, 0.4, 0.7, 0.2] * 10,
    "amount": [10.0, 20.0, 30.0, 40.5] * 10,
    "loan fee": [1, 2, 3, 4] * 10,
    "x.y": [0.5] * 40,
}
AMOUNT, FEE = np.array(COLUMNS["amount"]), np.array(COLUMNS["loan fee"])
FORMULAS = {
    "0.6*amount": 0.6 * AMOUNT,
    ' 0.6 * amount+"loan fee" ': 0.6 * AMOUNT + FEE,
    'amount - 2*("loan fee" - x.y)': AMOUNT - 2 * (FEE - 0.5),
    "-(amount - 1e2)*.5": 0 - (AMOUNT - 100) * 0.5,
    "1-amount": 1 - AMOUNT,
    "-loan fee": 0.0 - FEE,
    "amount*amount - amount - 1": AMOUNT * AMOUNT - AMOUNT - 1,
}
HOSTILE = [
    "amount/2",
    "amount**2",
    "amount*(SELECT 1)",
    "amount); DROP TABLE x; --",
    "exp(amount)*2",
    "amount*'1'",
    "amount::VARCHAR",
    "0.6 amount",
    "0.6*",
    "(amount",
    "amount)",
    "2*3",
    "1e999*amount",
    "0x10*amount",
    "1_0*amount",
    "amount*-amount",
    "((((((" * 5_000,
    '"amount" "loan fee"',
    '"amount" || "loan fee"',
    "amount\x00*2",
]


def as_file(kind, folder, **columns):
    table, path = pa.table(columns), folder / f"rows.{kind}"
    if kind == "parquet":
        pq.write_table(table, path)
    else:
        table.to_pandas().to_csv(path, index=False)
    return path


@pytest.fixture(params=["csv", "parquet"])
def file(request, tmp_path):
    return as_file(request.param, tmp_path, **COLUMNS)


def costs_of(data, formula):
    costs = {"fp_cost": -1e6, "fn_cost": formula, "tp_cost": -1e6, "tn_cost": -2e6}
    return cs.read_rows(data, label="y", scores=["p"], costs=costs).costs.fn_cost


@pytest.mark.parametrize("formula", FORMULAS)
def test_costs_are_sums_and_products_of_columns(file, formula):
    np.testing.assert_array_equal(costs_of(file, formula), FORMULAS[formula])


def test_frames_mean_the_same_by_a_formula(engine):
    frame = engine.frame(**COLUMNS)
    for formula, expected in FORMULAS.items():
        np.testing.assert_array_equal(costs_of(frame, formula), expected)


@pytest.mark.parametrize("formula", HOSTILE)
def test_nothing_but_sums_and_products_is_a_formula(file, formula):
    with refused(cs.errors.FileError, "has no column"):
        costs_of(file, formula)


def test_names_are_quoted_in_what_the_engine_reads(tmp_path):
    evil = 'a"; DROP TABLE x; --'
    path = as_file("parquet", tmp_path, y=[0, 1], p=[0.2, 0.7], **{evil: [1.0, 2.0]})
    quoted = evil.replace('"', '""')
    assert costs_of(path, f'2*"{quoted}"').tolist() == [2, 4]


def test_cells_and_columns_of_a_formula_are_told_by_their_own_names(tmp_path):
    (tmp_path / "a.csv").write_text("y,p,amount\n0,0.1,5\n1,0.7,x\n")
    with refused(cs.errors.FileError, "a.csv, row 2: column 'amount' has 'x' where a number"):
        costs_of(tmp_path / "a.csv", "0.6*amount")
    with refused(cs.errors.FileError, "no column 'amont': did you mean 'amount'"):
        costs_of(tmp_path / "a.csv", "0.6*amont")
    with refused(cs.errors.FileError, "'amount'? A formula has sums and products alone."):
        costs_of(tmp_path / "a.csv", "amount/3")
    (tmp_path / "b.csv").write_text("y,p,amount\n0,0.1,5\n1,0.7,9\n")
    with refused(cs.errors.ConditionError, "row 1: column '1e308*amount' has 'inf' where a finite"):
        costs_of(tmp_path / "b.csv", "1e308*amount")


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_the_chance_of_the_other_class(tmp_path, kind):
    path = as_file(kind, tmp_path, y=[0, 1, 1], p=[0.9, 0.3, 0.25])
    rows = cs.read_rows(path, label="y", scores=["1-p", "1 - p", "-p"])
    for name in ("1-p", "1 - p"):
        np.testing.assert_array_equal(rows.scores[name], 1 - np.array([0.9, 0.3, 0.25]))
    own = as_file(kind, tmp_path, **{"y": [0, 1, 1], "p": [0.9, 0.3, 0.2], "1-p": [0.0, 0.5, 1.0]})
    assert cs.read_rows(own, label="y", scores=["1-p"]).scores["1-p"].tolist() == [0, 0.5, 1]
    with refused(cs.errors.FileError, "no column 'q'"):
        cs.read_rows(path, label="y", scores=["1-q"])


def test_single_precision_is_taken_from_one_as_the_decimals_that_it_prints(engine, tmp_path):
    p = np.array([0.1, 0.7, 0.3], "f4")
    expected = [1 - 0.1, 1 - 0.7, 1 - 0.3]
    for data in (engine.frame(y=[0, 1, 1], p=p), as_file("parquet", tmp_path, y=[0, 1, 1], p=p)):
        assert cs.read_rows(data, label="y", scores=["1-p"]).scores["1-p"].tolist() == expected


def test_single_precision_is_printed_in_as_few_digits_in_files_as_in_frames(engine, tmp_path):
    # DuckDB prints 393.921875 and 15125440512.0.
    p = np.array([393.92188, 1.512544e10, 1.06371757e9, 0.1, -428.51562, 1e-45, 3.4028235e38], "f4")
    y = [0, 1, 1, 0, 0, 0, 1]
    expected = p.astype(str).astype(float) + 0.5
    for data in (engine.frame(y=y, p=p), as_file("parquet", tmp_path, y=y, p=p)):
        assert cs.read_rows(data, label="y", scores=["p+.5"]).scores["p+.5"].tolist() == [*expected]


def test_a_saved_decision_keeps_the_formula(engine, tmp_path):
    path = as_file("csv", tmp_path, **COLUMNS)
    costs = {"fp_cost": 1, "fn_cost": "0.6*amount"}
    rows = cs.read_rows(path, label="y", scores=["1-p"], costs=costs)
    cs.decide(rows, folds=2).save(tmp_path / "decision.json")
    kept = cs.load_decision(tmp_path / "decision.json")
    assert kept.model == "1-p"
    expected = kept.apply(1 - np.array(COLUMNS["p"]), fp_cost=1, fn_cost=0.6 * AMOUNT)
    found = apply_decision(kept, engine.frame(**COLUMNS), **costs)
    counts = expected.counts
    assert found.counts == counts
    assert apply_to_files(kept, path, amounts=costs).counts == counts
    with refused(cs.errors.ConditionError, "score must be '1-p', got 'p': the decision reads 1 mi"):
        apply_to_files(kept, path, score="p", amounts=costs)


LISTS = {
    "y": [0, 1, 1],
    "proba": [[0.9, 0.1], [0.3, 0.7], [0.5, 0.5]],
    "one": [[0.1], [0.7], [0.5]],
}


@pytest.mark.parametrize("width", [None, 2])
def test_lists_of_probabilities(tmp_path, width):
    proba = pa.array(LISTS["proba"], pa.list_(pa.float64(), width or -1))
    path = as_file("parquet", tmp_path, **{**LISTS, "proba": proba})
    names = ["one", "proba[1]", "1-proba[0]"]
    rows = cs.read_rows(path, label="y", scores=names)
    for name in names:
        np.testing.assert_allclose(rows.scores[name], [0.1, 0.7, 0.5])
    with refused(cs.errors.FileError, "holds lists of 2, as predict_proba gives: name one element"):
        cs.read_rows(path, label="y", scores=["proba"])
    with refused(cs.errors.FileError, "holds lists of 2, which have no element 2: count from 0."):
        cs.read_rows(path, label="y", scores=["proba[2]"])
    with refused(cs.errors.FileError, "holds no lists: 'y[0]' is no element of it."):
        cs.read_rows(path, label="y", scores=["y[0]"])
    ragged = as_file("parquet", tmp_path, y=[0, 1, 1], one=[[0.1], [0.7], [0.5, 0.5]])
    with refused(cs.errors.FileError, "row 3: column 'one' is empty where a number is needed"):
        cs.read_rows(ragged, label="y", scores=["one"])


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_lists_of_probabilities_in_frames(library):
    frame = pa.table(LISTS).to_pandas()
    data = frame if library == "pandas" else pytest.importorskip("polars").from_pandas(frame)
    for name in ("one", "proba[1]", "1-proba[0]"):
        rows = cs.read_rows(data, label="y", scores=[name])
        np.testing.assert_allclose(rows.scores[name], [0.1, 0.7, 0.5])
    with refused(cs.errors.FileError, "column 'proba' holds lists of 2, as predict_proba gives"):
        cs.read_rows(data, label="y", scores=["proba"])
    with refused(cs.errors.FileError, "holds no lists"):
        cs.read_rows(data, label="y", scores=["y[0]"])


@pytest.mark.parametrize("kind", [pa.list_(pa.float32()), pa.list_(pa.float32(), 2)])
def test_lists_of_single_precision_are_the_decimals_that_they_print_as(tmp_path, kind):
    table = pa.table({**LISTS, "proba": pa.array(LISTS["proba"], kind)})
    frames = [table, table.to_pandas(), pytest.importorskip("polars").from_arrow(table)]
    path = as_file("parquet", tmp_path, **{**LISTS, "proba": table["proba"].combine_chunks()})
    for data in (path, *frames):
        rows = cs.read_rows(data, label="y", scores=["proba[1]", "1-proba[0]"])
        assert rows.scores["proba[1]"].tolist() == np.float32([0.1, 0.7, 0.5]).tolist()
        assert rows.scores["1-proba[0]"].tolist() == [1 - 0.9, 1 - 0.3, 1 - 0.5]
        assert rows.scores["proba[1]"].dtype == np.float32


def test_a_misspelt_name_with_a_hyphen_is_told_whole():
    assert formula_of("model-c", {"model-a", "model_b"}.__contains__).columns == ("model-c",)
    assert formula_of("a-c", {"a", "b"}.__contains__).columns == ("a", "c")

"""Reading predictions from CSV and Parquet, and refusing what cannot be read."""

import gzip
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from prediction_files import days, parquet

from costspace import ConditionError, FileError, LabelError, ScoreCounts, ScoreError, WeightError
from costspace.frames import save
from costspace.frames.columns import Columns
from costspace.frames.files import read_rows, read_segments
from costspace.frames.tallying import tally_files

BEYOND_ANY_SAMPLE = 300_000
Y_AND_S = Columns(label="y", scores=["s"])


def refused(error, path, **arguments):
    arguments = {"label": "y", "scores": ["s"]} | arguments
    with pytest.raises(error) as caught:
        read_rows(path, **arguments)
    message = str(caught.value)
    assert "\n" not in message
    return message.replace(str(path), "FILE")


def long_csv(row, text):
    lines = [f"{i % 2},0.{i % 997:03d}\n" for i in range(BEYOND_ANY_SAMPLE + 100)]
    lines[row - 1] = text + "\n"
    return "y,s\n" + "".join(lines)


def test_values_and_their_order_come_through_exactly(csv):
    rng = np.random.default_rng(1)
    labels, scores = rng.integers(0, 2, 20_000), rng.random(20_000)
    weights = rng.random(20_000)
    text = "".join(
        f"{y},{s!r},{w!r}\n"
        for y, s, w in zip(labels.tolist(), scores.tolist(), weights.tolist(), strict=True)
    )
    rows = read_rows(csv("y,s,w\n" + text), label="y", scores=["s"], weight="w")
    np.testing.assert_array_equal(rows.positive, labels == 1)
    np.testing.assert_array_equal(rows.scores["s"], scores)
    np.testing.assert_array_equal(rows.weight, weights)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_the_one_that_shows_the_columns(csv, delimiter):
    text = delimiter.join(["y", '"s, x"']) + "\n"
    text += "".join(delimiter.join([str(i % 2), f"0.{i}"]) + "\n" for i in range(1, 5))
    rows = read_rows(csv(text), label="y", scores=["s, x"])
    np.testing.assert_array_equal(rows.scores["s, x"], [0.1, 0.2, 0.3, 0.4])


def test_names_with_quotes_and_brackets_are_only_names(csv):
    text = 'y,"a""b\'; DROP",[*]?\n0,0.25,1\n1,0.75,2\n'
    path = csv(text, name="odd [1] 'name'?.csv")
    rows = read_rows(path, label="y", scores=["a\"b'; DROP", "[*]?"])
    assert rows.scores["a\"b'; DROP"].tolist() == [0.25, 0.75]
    assert rows.scores["[*]?"].tolist() == [1, 2]


def test_byte_order_mark_carriage_returns_and_spaces_are_no_obstacle(tmp_path):
    path = tmp_path / "from_windows.csv"
    path.write_bytes(b"\xef\xbb\xbfy,s\r\n0, 0.5 \r\n 1 ,0.7\r\n")
    rows = read_rows(path, label="y", scores=["s"])
    assert rows.scores["s"].tolist() == [0.5, 0.7]
    assert rows.positive.tolist() == [False, True]


def negated_column(tmp_path, kind):
    """A file of scores of a kind, and the scores."""
    scores = np.array([0, 3, 7, 250]).astype("u1" if kind == "bytes" else "f4")
    if kind == "csv":
        path = tmp_path / "scores.csv"
        path.write_text("y,s\n" + "".join(f"{i % 2}, {x:g} \n" for i, x in enumerate(scores)))
    else:
        path = tmp_path / "scores.parquet"
        pq.write_table(pa.table({"y": [0, 1, 0, 1], "s": scores}), path)
    return path, scores.astype(float)


@pytest.mark.parametrize("kind", ["csv", "bytes", "floats"])
def test_a_minus_before_a_name_changes_the_sign_of_its_numbers(tmp_path, kind):
    path, scores = negated_column(tmp_path, kind)
    rows = read_rows(path, label="y", scores=["-s", "s"])
    np.testing.assert_array_equal(rows.scores["s"], scores)
    np.testing.assert_array_equal(rows.scores["-s"], -scores)
    assert not np.signbit(rows.scores["-s"][0])
    columns = Columns(label="y", scores=["-s"])
    expected = ScoreCounts.from_predictions([0, 1, 0, 1], -scores)
    np.testing.assert_array_equal(tally_files(path, columns)["-s"].cells, expected.cells)


@pytest.mark.parametrize("engine", ["polars", "dask", "spark"])
def test_other_engines_than_duckdb_change_a_sign(tmp_path, engine):
    path, scores = negated_column(tmp_path, "floats")
    found = tally_files(path, Columns(label="y", scores=["-s"]), engine=engine)["-s"]
    expected = ScoreCounts.from_predictions([0, 1, 0, 1], -scores)
    np.testing.assert_array_equal(found.cells, expected.cells)


def test_a_column_whose_own_name_has_a_minus_is_read_as_it_is(csv):
    path = csv("y,-s,s\n0,1,2\n1,3,4\n")
    assert read_rows(path, label="y", scores=["-s"]).scores["-s"].tolist() == [1, 3]


def test_only_numbers_have_a_sign(csv):
    path = csv("y,s,g\n0,1,a\n1,x,b\n")
    assert refused(FileError, path, label="-y") == "FILE has no column '-y': did you mean 'y'?"
    assert "no column '-g'" in refused(FileError, path, groups="-g")
    assert refused(FileError, path, scores=["-r"]).startswith("FILE has no column 'r'")
    assert "row 2: column 's' has 'x' where a number" in refused(FileError, path, scores=["-s"])


def test_gzip_is_read(tmp_path):
    path = tmp_path / "packed.csv.gz"
    with gzip.open(path, "wt") as file:
        file.write("y,s\n0,0.5\n1,0.7\n")
    assert read_rows(path, label="y", scores=["s"]).scores["s"].tolist() == [0.5, 0.7]


def test_infinite_scores_are_scores(csv):
    rows = read_rows(csv("y,s\n0,-inf\n1,0.5\n1,inf\n"), label="y", scores=["s"])
    assert rows.scores["s"].tolist() == [-np.inf, 0.5, np.inf]


@pytest.mark.parametrize(
    ("labels", "positive", "expected"),
    [
        (["0", "1", "1.0"], None, [0, 1, 1]),
        (["-1", "1", "-1"], None, [0, 1, 0]),
        (["True", "False", "True"], None, [1, 0, 1]),
        (["0", "1", "1"], "0", [1, 0, 0]),
        (["1", "2", "1"], "2.0", [0, 1, 0]),
        (["good", "bad", "good"], "bad", [0, 1, 0]),
        (["it's", "not", "it's"], "it's", [1, 0, 1]),
    ],
)
def test_labels(csv, labels, positive, expected):
    text = "y,s\n" + "".join(f"{label},0.5\n" for label in labels)
    rows = read_rows(csv(text), label="y", scores=["s"], positive=positive)
    assert rows.positive.tolist() == [bool(x) for x in expected]


def test_parquet_types_are_kept_or_cast(tmp_path):
    path = parquet(
        tmp_path,
        y=pa.array([False, True, True]),
        double=pa.array([0.1, 0.2, 0.3]),
        single=pa.array([0.1, 0.2, 0.3], pa.float32()),
        integer=pa.array([1, 2, 3], pa.int16()),
        decimal=pa.array([1, 2, 3], pa.decimal128(5, 2)),
        text=pa.array(["0.5", " 0.25", "1e-3"]),
    )
    scores = ["double", "single", "integer", "decimal", "text"]
    rows = read_rows(path, label="y", scores=scores)
    assert rows.positive.tolist() == [False, True, True]
    assert rows.scores["single"].dtype == np.float32
    assert rows.scores["double"].tolist() == [0.1, 0.2, 0.3]
    assert rows.scores["integer"].tolist() == rows.scores["decimal"].tolist() == [1, 2, 3]
    assert rows.scores["text"].tolist() == [0.5, 0.25, 0.001]


def test_parquet_with_a_type_that_holds_no_numbers_is_refused(tmp_path):
    path = parquet(tmp_path, y=[0, 1], s=pa.array([{"p": 0.1}, {"p": 0.2}]))
    told = "column 's' of FILE has type STRUCT(p DOUBLE), not numbers."
    assert refused(FileError, path) == told


def test_parquet_nulls_are_refused_with_their_row(tmp_path):
    path = parquet(tmp_path, y=[0, 1, 1], s=[0.1, None, 0.2])
    message = refused(FileError, path)
    assert message.startswith("FILE, row 2: column 's' is empty where a number is needed")
    path = parquet(tmp_path, y=[0, 1, None], s=[0.1, 0.2, 0.2])
    assert refused(LabelError, path).startswith("FILE, row 3: column 'y' has no label")


def test_a_bad_cell_is_named_however_far_down_it_stands(csv):
    row = BEYOND_ANY_SAMPLE
    message = refused(FileError, csv(long_csv(row, "1,high")))
    assert message == (
        f"FILE, row {row}: column 's' has 'high' where a number is needed: "
        "correct the cell or leave the row out. Row 1 follows the header."
    )
    message = refused(FileError, csv(long_csv(row, "1,")))
    assert message.startswith(f"FILE, row {row}: column 's' is empty")
    message = refused(LabelError, csv(long_csv(row, "yes,0.5")))
    assert message.startswith(f"FILE, row {row}: column 'y' has 'yes'. It has 3 different labels")
    message = refused(ScoreError, csv(long_csv(row, "1,nan")))
    assert message.startswith(f"FILE, row {row}: column 's' has 'nan' where a score is needed")
    # DuckDB counts lines, of which the header is the first.
    message = refused(FileError, csv(long_csv(row, "1,0.5,0.5")))
    assert f"line {row + 1} (the header is line 1)" in message
    assert "it has 3 cells, not 2" in message


def test_bad_cells_are_counted_in_all_files(tmp_path):
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.csv").write_text("y,s,t\n0,0.5,1\n" + "1,,1\n,0.5,0\n" * (name != "a"))
    with pytest.raises(FileError) as caught:
        read_rows(tmp_path, label="t", scores=["s"])
    assert str(caught.value) == (
        f"{tmp_path / 'b.csv'}, row 2: column 's' is empty where a number is needed, the first of "
        "2 such rows: correct the cell or leave the row out. Row 1 follows the header."
    )
    with pytest.raises(LabelError) as caught:
        read_rows(tmp_path, label="y", scores=["s"])
    assert str(caught.value) == (
        f"{tmp_path / 'b.csv'}, row 3: column 'y' has no label, the first of 2 rows without: fill "
        "it in or leave the row out. Row 1 follows the header."
    )


@pytest.mark.parametrize(
    ("cell", "hint"),
    [('"0,0047"', "with a decimal point it is 0.0047"), ("12%", "12 % is 0.12")],
)
def test_a_cell_that_is_nearly_a_number_comes_with_a_hint(csv, cell, hint):
    message = refused(FileError, csv(f"y,s\n0,0.5\n1,{cell}\n"))
    assert f"where a number is needed ({hint}): correct the cell" in message


def test_what_is_no_column_of_labels(csv):
    path = csv("y,s\n" + "".join(f"{label},0.5\n" for label in "aabbccc"))
    assert refused(LabelError, path) == (
        "FILE, row 1: column 'y' has 'a'. It has 3 different labels, 'a', 'b', 'c', and two "
        "classes are needed. Row 1 follows the header."
    )
    path = csv("y,s\n" + "".join(f"c{i},0.5\n" for i in range(10, 40)))
    assert refused(LabelError, path) == (
        "column 'y' of FILE does not look like labels: it has 30 different values, "
        "'c10', 'c11', 'c12' and 27 more, and two classes are needed."
    )


def test_a_saved_table_has_no_rows(tmp_path):
    path = tmp_path / "saved.parquet"
    save(path, {"m": ScoreCounts.from_predictions([0, 1], [0.1, 0.2])})
    assert refused(FileError, path) == (
        "FILE is a saved table, which has counts and no column 'y': name the file of "
        "predictions that it was made from, or leave out --label to evaluate or decide on the "
        "table."
    )
    assert refused(FileError, parquet(tmp_path, z=[0, 1])) == "FILE has no column 'y': it has 'z'."


def test_missing_files_and_columns_come_with_near_names(csv, tmp_path):
    path = csv("y_true,logistic,forest\n0,0.1,0.2\n1,0.3,0.4\n")
    near = path.with_name("prediction.csv")
    with pytest.raises(FileError, match=r"there is no file .*Did you mean 'predictions.csv'\?"):
        read_rows(near, label="y", scores=["s"])
    message = refused(FileError, path, label="y_tru", scores=["logistic"])
    assert message == "FILE has no column 'y_tru': did you mean 'y_true'?"
    message = refused(FileError, path, label="Y_TRUE", scores=["logistic"])
    assert message == "FILE has no column 'Y_TRUE': did you mean 'y_true'?"
    message = refused(FileError, path, label="y_true", scores=["zzz"])
    assert message == "FILE has no column 'zzz': it has 'y_true', 'logistic', 'forest'."
    with pytest.raises(FileError, match="is not a file"):
        read_rows(Path("/dev/null"), label="y", scores=["s"])


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        ("", FileError, "FILE is empty: it needs a header and rows."),
        ("\n", FileError, "FILE has an empty first row: it needs a header."),
        ("y,s\n", FileError, "FILE has no rows to evaluate."),
        ("y,y,s\n0,1,0.5\n", FileError, "FILE has 2 columns 'y': rename all but one."),
        (
            "y,s\n1,0.5\n",
            LabelError,
            "column 'y' of FILE has only one class, '1': both are needed.",
        ),
        (
            "y,s\na,0.5\nb,0.5\n",
            LabelError,
            (
                "column 'y' of FILE has labels 'a', 'b': say which is the positive class "
                "(--positive, or `positive` in Python)."
            ),
        ),
    ],
)
def test_files_that_hold_no_predictions(csv, text, error, message):
    assert refused(error, csv(text)) == message


def test_columns_labels_and_weights_asked_for_must_fit_the_file(csv):
    path = csv("y,s,w\n0,0.5,1\n1,0.7,-1\n")
    assert refused(FileError, path, scores=["s", "s"]) == "the score column 's' is asked for twice."
    message = refused(LabelError, path, positive="yes")
    assert message == "column 'y' of FILE has labels '0', '1', and 'yes' is not among them."
    message = refused(WeightError, path, weight="w")
    assert message == (
        "FILE, row 2: column 'w' has '-1' where a finite weight from 0 up is needed: correct the "
        "cell or leave the row out. Row 1 follows the header."
    )


COSTED = "y,s,w,fp,fn,tp\n0,0.5,1,2,30,-1\n1,0.7,2,4.5,60,5\n"


def test_costs_are_columns_or_numbers(csv):
    costs = {"fp_cost": "fp", "fn_cost": "fn", "tp_cost": "tp", "tn_cost": -3}
    read = {"label": "y", "scores": ["s"]}
    rows = read_rows(csv(COSTED), **read, weight="w", costs=costs)
    columns = {name: column.tolist() for name, column in rows.known_costs.columns().items()}
    assert columns == {
        "fp_cost": [2, 4.5],
        "fn_cost": [30, 60],
        "tp_cost": [-1, 5],
        "tn_cost": [-3, -3],
    }
    assert rows.weight.tolist() == [1, 2]
    rows = read_rows(csv(COSTED), **read, costs={"fp_cost": 1, "fn_cost": "fn"})
    assert rows.known_costs.columns()["fn_cost"].tolist() == [30, 60]
    assert rows.known_costs.columns()["fp_cost"].tolist() == [1, 1]
    # A column may serve twice.
    rows = read_rows(csv(COSTED), **read, weight="fn", costs={"fp_cost": "fp", "fn_cost": "fn"})
    assert rows.weight.tolist() == rows.known_costs.columns()["fn_cost"].tolist() == [30, 60]
    for none in (None, {}):
        assert read_rows(csv(COSTED), **read, costs=none).costs is None


def test_costs_come_from_parquet_too(tmp_path):
    money = pa.array([1, 2], pa.decimal128(5, 2))
    path = parquet(tmp_path, y=[0, 1], s=[0.1, 0.2], fp=money, fn=[30, 60])
    rows = read_rows(path, label="y", scores=["s"], costs={"fp_cost": "fp", "fn_cost": "fn"})
    assert rows.known_costs.net_fp_cost.tolist() == [1, 2]


def test_costs_that_are_refused(csv):
    path = csv(COSTED)
    message = refused(FileError, path, costs={"fp_cost": "fq", "fn_cost": "fn"})
    assert message == "FILE has no column 'fq': did you mean 'fp', 'fn'?"
    message = refused(ConditionError, path, costs={"fp_cost": "fp"})
    assert message == (
        "costs need fp_cost and fn_cost, and may have tp_cost and tn_cost: got 'fp_cost'."
    )
    message = refused(ConditionError, path, costs={"fp_cost": 1, "fn_cost": 2, "cost": 3})
    assert message.endswith("got 'fp_cost', 'fn_cost', 'cost'.")
    message = refused(ConditionError, path, costs={"fp_cost": 1, "fn_cost": 9, "tn_cost": "tp"})
    assert message.startswith("FILE: fp_cost must be above tn_cost, got 1 and 5 in row 2:")
    message = refused(
        ConditionError, csv("y,s,fp\n0,0.5,1\n1,0.7,inf\n"), costs={"fp_cost": "fp", "fn_cost": 1}
    )
    assert message.startswith("FILE, row 2: column 'fp' has 'inf' where a finite cost is needed")


def test_a_bad_cost_is_named_however_far_down_it_stands(csv):
    message = refused(
        FileError,
        csv(long_csv(BEYOND_ANY_SAMPLE, "1,dear")),
        scores=["y"],
        costs={"fp_cost": "s", "fn_cost": 1000},
    )
    assert message.startswith(
        f"FILE, row {BEYOND_ANY_SAMPLE}: column 's' has 'dear' where a number"
    )


def test_one_cost_above_another_is_named_by_its_row_in_all_files(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f"{name}.csv").write_text(COSTED)
    with pytest.raises(ConditionError, match="got 1 and 5 in row 2"):
        read_rows(
            tmp_path,
            label="y",
            scores=["s"],
            costs={"fp_cost": 1, "fn_cost": 9, "tn_cost": "tp"},
        )


def test_rows_that_are_never_worth_flagging_are_read(csv):
    costs = {"fp_cost": "fp", "fn_cost": 1, "tp_cost": "tp"}
    rows = read_rows(csv(COSTED), label="y", scores=["s"], costs=costs)
    assert rows.costs.worth_flagging.tolist() == (np.asarray(rows.costs.tp_cost) < 1).tolist()
    assert not rows.costs.worth_flagging.all()


@pytest.mark.parametrize("content", [b"PAR1 and no more", b"\x1f\x8b broken", bytes(range(256))])
def test_foreign_bytes_are_refused(tmp_path, content):
    path = tmp_path / "foreign.csv"
    path.write_bytes(content)
    refused(FileError, path)


def test_progress_moves_while_a_long_file_is_read(csv):
    text = "y,s\n" + "0,0.123456\n1,0.654321\n" * 2_000_000
    seen = []
    read_rows(csv(text), label="y", scores=["s"], progress=seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == 1
    assert len({share for share in seen if 0 < share < 1}) > 1


def test_columns_that_differ_only_in_case_are_different(tmp_path):
    path = parquet(tmp_path, y=[0, 1], S=[0.1, 0.2], s=[0.3, 0.4], n=[{"s": 1}, {"s": 2}])
    assert read_rows(path, label="y", scores=["s"]).scores["s"].tolist() == [0.3, 0.4]
    assert read_rows(path, label="y", scores=["S"]).scores["S"].tolist() == [0.1, 0.2]


def test_repeated_parquet_columns_are_refused(tmp_path):
    table = pa.table([[0, 1], [0.1, 0.2], [0.3, 0.4]], names=["y", "s", "s"])
    pq.write_table(table, tmp_path / "twice.parquet")
    message = refused(FileError, tmp_path / "twice.parquet")
    assert message == "FILE has 2 columns 's': rename all but one."


@pytest.mark.parametrize("missing", ["nan", "NaN", "", " "])
def test_a_missing_label_is_no_class(csv, missing):
    path = csv(f"y,s\n1,0.1\n{missing},0.2\n0,0.3\n")
    assert refused(LabelError, path, positive="1").startswith(
        "FILE, row 2: column 'y' has no label"
    )


def test_labels_that_differ_beyond_float_precision_stay_different(csv):
    path = csv("y,s\n9007199254740993,0.1\n9007199254740992,0.2\n1,0.3\n")
    assert "3 different labels" in refused(LabelError, path, positive="1")
    path = csv("y,s\n1_0,0.1\n10,0.2\n1_0,0.3\n")
    assert read_rows(path, label="y", scores=["s"], positive="10").positive.sum() == 1


def test_compression_is_told_by_the_bytes_not_the_name(tmp_path):
    (tmp_path / "plain.csv.gz").write_text("y,s\n0,0.5\n1,0.7\n")
    with gzip.open(tmp_path / "packed.csv", "wt") as file:
        file.write("y,s\n0,0.5\n1,0.7\n")
    for name in ("plain.csv.gz", "packed.csv"):
        rows = read_rows(tmp_path / name, label="y", scores=["s"])
        assert rows.scores["s"].tolist() == [0.5, 0.7]


def test_messages_stay_short_whatever_the_file_holds(csv):
    path = csv('y,s\n0,0.5\n1,"0.7\n' + "0,0.5\n" * 200_000)
    message = refused(FileError, path)
    assert "line 3 (the header is line 1): a quote opens a cell" in message
    assert len(message) < 400
    assert len(refused(FileError, path.with_name("x" * 300))) < 400


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_folders_and_globs_are_read_as_one_table(tmp_path, kind):
    folder = days(tmp_path / "all days", kind)
    (folder / "_SUCCESS").write_text("")
    (folder / "day=01" / f".hidden.{kind}").write_text("no data")
    asked = {"label": "y", "scores": ["s"]}
    rows = read_rows(folder, **asked)
    assert len(rows) == 150
    inside = [read_rows(path, **asked) for path in sorted(folder.glob("day=*"))]
    np.testing.assert_array_equal(
        rows.scores["s"], np.concatenate([one.scores["s"] for one in inside])
    )
    some = read_rows(folder / "day=0*" / f"*.{kind}", **asked)
    np.testing.assert_array_equal(some.scores["s"], rows.scores["s"][:100])
    every = read_rows(folder / "**" / f"*.{kind}", **asked)
    np.testing.assert_array_equal(every.positive, rows.positive)


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_folders_name_columns(tmp_path, kind):
    folder = days(tmp_path, kind)
    read = read_segments(folder, Y_AND_S, by=["day", "site"])
    assert sorted(read.segments) == [(d, s) for d in ("01", "02", "10") for s in "ab"]
    chosen = read.segments["02", "b"]
    assert np.all(read.rows.scores["s"][chosen] >= 0.5)
    assert np.all((chosen >= 50) & (chosen < 100))
    assert sum(map(len, read.segments.values())) == 150
    # What the files say themselves goes before the names of folders.
    other = days(tmp_path / "own", kind, **{d: {"day": [7] * 50} for d in ("01", "02", "10")})
    (segment,) = read_segments(other, Y_AND_S, by=["day"]).segments
    assert segment == ((7,) if kind == "parquet" else ("7",))


def test_a_segment_without_a_name_is_none(tmp_path):
    path = parquet(tmp_path, y=[0, 1, 1], s=[0.1, 0.2, 0.3], by=["a", None, " "])
    segments = read_segments(path, Y_AND_S, by=["by"]).segments
    assert {key: rows.tolist() for key, rows in segments.items()} == {("a",): [0], (None,): [1, 2]}


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"s": ["0.5"] * 50},
            (
                "column 's' has type VARCHAR in FOLDER/day=02/part [0]'.parquet and DOUBLE in "
                "FOLDER/day=01/part [0]'.parquet: files read together need the same."
            ),
        ),
        (
            {"y": np.arange(50) % 2 == 0},
            (
                "column 'y' has type BOOLEAN in FOLDER/day=02/part [0]'.parquet and BIGINT in "
                "FOLDER/day=01/part [0]'.parquet: files read together need the same."
            ),
        ),
    ],
)
def test_columns_asked_for_must_be_of_one_type_in_all_files(tmp_path, changed, message):
    folder = days(tmp_path, **{"02": changed})
    assert refused(FileError, folder).replace("FILE", "FOLDER") == message


MIXED = {
    "single and double": ("f4", "f8", [0.1, 0.7], [0.1, 0.70000001]),
    "double and single": ("f8", "f4", [0.1, 0.70000001], [0.1, 0.7]),
    "integers and double": ("i8", "f8", [1, 0], [0.25, 0.5]),
    "short integers and single": ("u1", "f4", [1, 0], [0.25, 0.1]),
    "integers of two lengths": ("i4", "i8", [1, 0], [2, 3]),
    "unsigned integers": ("i1", "u8", [1, 0], [2, 3]),
}


@pytest.mark.parametrize("name", MIXED)
def test_numbers_of_several_types_are_read_as_each_file_has_them(tmp_path, name):
    *kinds, one, other = MIXED[name]
    for i, (kind, values) in enumerate(zip(kinds, (one, other), strict=True)):
        columns = {"s": np.array(values, kind), "w": np.array([1, 2], kind), "other": [i, i]}
        labels = pa.array([0, 1], "i8" if i else "f8")
        pq.write_table(pa.table({"y": labels, **columns}), tmp_path / f"{i}.parquet")
    pq.write_table(
        pa.table({"other": ["x"], "w": [1.0], "y": [1], "s": [0.5]}), tmp_path / "2.parquet"
    )
    rows = read_rows(tmp_path, label="y", scores=["s"], weight="w", groups="w")
    assert rows.scores["s"].tolist() == [*one, *other, 0.5]
    assert rows.positive.tolist() == [False, True, False, True, True]
    assert rows.weight.tolist() == [1, 2, 1, 2, 1]
    assert len(set(rows.groups.tolist())) == 2
    counts = tally_files(tmp_path, Columns(label="y", scores=["s"]))["s"]
    assert counts.cells.tolist() == sorted({*one, *other, 0.5})
    with pytest.raises(FileError, match="numbers have other types in some files"):
        tally_files(tmp_path, Columns(label="y", scores=["s"]), engine="dask")


def test_cells_of_several_types_are_named_by_their_file(tmp_path):
    for i, s in enumerate(([0.1, 0.2], np.array([0.3, np.nan], "f4"))):
        pq.write_table(pa.table({"y": [0, 1], "s": s}), tmp_path / f"{i}.parquet")
    message = refused(ScoreError, tmp_path)
    assert "1.parquet, row 2: column 's' has 'nan' where a score is needed" in message
    pq.write_table(pa.table({"y": [0, 1], "s": [2**53 + 1, 1]}), tmp_path / "1.parquet")
    assert "integers beyond 2^53, which the floats of other files cannot" in refused(
        FileError, tmp_path
    )


def test_columns_asked_for_must_be_in_all_files(tmp_path):
    folder = days(tmp_path)
    table = pa.table({"y": [0, 1], "other": [0.1, 0.2]})
    pq.write_table(table, folder / "day=02" / "part [0]'.parquet")
    message = refused(FileError, folder).replace("FILE", "FOLDER")
    assert message == (
        "FOLDER/day=02/part [0]'.parquet has no column 's', which FOLDER/day=01/part [0]'.parquet "
        "has: files read together need the same columns."
    )


def test_columns_not_asked_for_may_differ(tmp_path):
    folder = days(tmp_path, **{"10": {"site": np.arange(50), "more": np.arange(50)}})
    assert len(read_rows(folder, label="y", scores=["s"])) == 150


def test_csv_files_need_the_same_header(tmp_path):
    (tmp_path / "a.csv").write_text("y,s\n0,0.5\n")
    (tmp_path / "b.csv").write_text("s,y\n0.5,1\n")
    message = refused(FileError, tmp_path).replace("FILE", "FOLDER")
    assert message.startswith("FOLDER/b.csv has the header 's', 'y' and FOLDER/a.csv has 'y', 's'")


def test_what_holds_no_files_is_refused(tmp_path):
    with pytest.raises(FileError, match=r"has no files that end in '\.parquet', '\.pq', '\.csv'"):
        read_rows(tmp_path, label="y", scores=["s"])
    with pytest.raises(FileError, match=r"no file matches .*\*\.parquet\."):
        read_rows(tmp_path / "*.parquet", label="y", scores=["s"])
    (tmp_path / "a.csv").write_text("y,s\n0,0.5\n1,0.7\n")
    pq.write_table(pa.table({"y": [0, 1], "s": [0.1, 0.2]}), tmp_path / "b.parquet")
    with pytest.raises(FileError, match="has Parquet and CSV files: say which by a glob"):
        read_rows(tmp_path, label="y", scores=["s"])
    with pytest.raises(FileError, match=r"b\.parquet is Parquet and .*a\.csv is CSV"):
        read_rows(tmp_path / "*", label="y", scores=["s"])
    (tmp_path / "c").mkdir()
    pq.write_table(pa.table({"y": [0, 1], "s": [0.1, 0.2]}), tmp_path / "c" / "b.parquet")
    (tmp_path / "c" / "x=1").mkdir()
    pq.write_table(pa.table({"y": [0, 1], "s": [0.1, 0.2]}), tmp_path / "c" / "x=1" / "b.parquet")
    with pytest.raises(FileError, match=r"folders name columns 'x' for .* and none for"):
        read_rows(tmp_path / "c", label="y", scores=["s"])


@pytest.mark.parametrize("kind", ["parquet", "csv"])
@pytest.mark.parametrize("row", [0, 37])
def test_a_bad_cell_is_named_by_its_file(tmp_path, kind, row):
    scores = np.linspace(0, 1, 50)
    scores[row] = np.nan
    path = days(tmp_path, kind, **{"02": {"s": scores}})
    name = "part.csv" if kind == "csv" else "part [0]'.parquet"
    expected = f"FILE/day=02/{name}, row {row + 1}: column 's' has 'nan' where a score is needed"
    assert refused(ScoreError, path).startswith(expected)
    with pytest.raises(ScoreError) as caught:
        tally_files(path, Y_AND_S)
    assert str(caught.value).replace(str(path), "FILE").startswith(expected)


def test_a_number_has_no_underscores(csv):
    message = refused(FileError, csv("y,s\n0,1_0\n1,0.2\n"))
    assert message.startswith("FILE, row 1: column 's' has '1_0' where a number is needed")


def test_truth_values_are_labels_however_they_are_written(csv):
    path = csv("y,s\nFALSE,0.1\nTrue,0.2\nfalse,0.3\nTRUE,0.4\n")
    assert read_rows(path, label="y", scores=["s"]).positive.tolist() == [False, True] * 2
    rows = read_rows(path, label="y", scores=["s"], positive="FALSE")
    assert rows.positive.tolist() == [True, False] * 2


def test_a_complaint_names_the_file_once(tmp_path):
    path = tmp_path / "cut.parquet"
    parquet(tmp_path, y=[0, 1], s=[0.1, 0.2]).replace(path)
    path.write_bytes(path.read_bytes()[:-4])
    message = refused(FileError, path)
    assert message.startswith("cannot read FILE: ")
    assert str(tmp_path) not in message
    assert message.count("FILE") == 1

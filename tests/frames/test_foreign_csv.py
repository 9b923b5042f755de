"""CSV as R, Excel and other programs write it."""

import numpy as np
import pyarrow as pa
import pytest

import costspace as cs
from costspace.frames.columns import Columns
from costspace.frames.flagging import apply_to_files
from costspace.frames.tallying import tally_files
from tests.helpers.refusals import refused

Y, S, COST = [0, 1, 0, 1], [0.1845, 1e-3, 0.5, 0.999], [1413.75, 2.5, 12.0, 1000.0]
ROWS = list(zip(Y, S, COST, strict=True))


def comma(number):
    return f"{number:.4f}".replace(".", ",")


def lines(header, row, end="\n"):
    return "".join(
        f"{line}{end}" for line in [*header, *(row(i, *one) for i, one in enumerate(ROWS, 1))]
    )


FILES = {
    "R's write.csv2": lines(
        ['"";"y";"s";"cost"'], lambda i, y, s, c: f'"{i}";{y};{comma(s)};{comma(c)}'
    ),
    "R's write.table": lines(['"y" "s" "cost"'], lambda i, y, s, c: f'"{i}" {y} {s} {c}'),
    "R's write.table without names of rows": lines(
        ['"y" "s" "cost"'], lambda _, y, s, c: f"{y} {s} {c}"
    ),
    "R's write.table with tabs and decimal commas": lines(
        ["y\ts\tcost"], lambda i, y, s, c: f"{i}\t{y}\t{comma(s)}\t{comma(c)}"
    ),
    "Excel where a semicolon divides": lines(
        ["\ufeffy;s;cost"], lambda _, y, s, c: f"{y};{comma(s)};{comma(c)}", "\r\n"
    ),
    "Excel with sep=;": lines(
        ["\ufeffsep=;", "y;s;cost"], lambda _, y, s, c: f"{y};{comma(s)};{comma(c)}", "\r\n"
    ),
    "Excel with sep=,": lines(["sep=,", "y,s,cost"], lambda _, y, s, c: f"{y},{s},{c}", "\r\n"),
    "sep=^ in quotes": lines(['"sep=^"', "y^s^cost"], lambda _, y, s, c: f"{y}^{s}^{c}"),
    "blanks around names and cells": lines(
        [" y , s, cost "], lambda _, y, s, c: f" {y} , {s} , {c}"
    ),
    "quoted names after blanks": lines(['"y", "s", "cost"'], lambda _, y, s, c: f"{y}, {s}, {c}"),
}


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("packed", [False, True])
def test_it_is_read_as_it_is_meant(csv, tmp_path, name, packed):
    path = csv(FILES[name])
    if packed:
        path = tmp_path / "packed.csv.zst"
        path.write_bytes(pa.Codec("zstd").compress(FILES[name].encode(), asbytes=True))
    costs = {"fp_cost": 0.1, "fn_cost": "cost"}
    rows = cs.read_rows(path, label="y", scores=["s"], costs=costs)
    assert rows.positive.tolist() == [False, True, False, True]
    assert rows.scores["s"].tolist() == S
    assert rows.costs.fn_cost.tolist() == COST


@pytest.mark.parametrize("name", FILES)
def test_polars_reads_the_same(csv, name):
    columns = Columns(label="y", scores=["s"], weight="cost")
    counts = tally_files(csv(FILES[name]), columns, engine="polars")["s"]
    assert counts.cells.tolist() == sorted(S)
    assert counts.table().positives.values.tolist() == [1e-3, 0.999]
    assert counts.table().positives.weights.tolist() == [2.5, 1000]


@pytest.mark.parametrize("name", [name for name in FILES if "sep=" not in name])
def test_what_apply_writes_is_read_again(csv, tmp_path, name):
    known = cs.Deployment(fp_cost=1, fn_cost=1, prevalence=0.5)
    decision = cs.decide([0, 0, 1, 1] * 9, {"s": [0.1, 0.2, 0.3, 0.9] * 9}, conditions=known)
    path = csv(FILES[name])
    for end in ("csv", "parquet"):
        written = tmp_path / f"written.{end}"
        found = apply_to_files(decision, path, written)
        costs = {"fp_cost": 0.1, "fn_cost": "cost"}
        rows = cs.read_rows(written, label="y", scores=["s"], costs=costs)
        assert rows.costs.fn_cost.tolist() == COST
        assert rows.scores["s"].tolist() == S
        assert apply_to_files(decision, written, column="again").counts == found.counts


def test_commas_are_never_guessed(csv):
    def read(cells, between=";"):
        body = "".join(f"{i % 2}{between}{cell}\n" for i, cell in enumerate(cells))
        return cs.read_rows(csv(f"y{between}s\n{body}"), label="y", scores=["s"]).scores["s"]

    assert read(["0,125", "0,250"]).tolist() == [0.125, 0.25]
    assert read(["1,234", "5,5", "-2,25e1", "7"]).tolist() == [1.234, 5.5, -22.5, 7]
    for cells, says in (
        (["1,234", "12,500", "3"], "may stand for decimals or for thousands, such as '1,234'"),
        (["0,5", "0.5"], "may stand for decimals, and points too, such as '0,5'"),
        (["1.234,5", "0,5"], "may stand for decimals, and points too, such as '0,5'"),
    ):
        with refused(cs.errors.FileError, says):
            read(cells)
    with refused(cs.errors.FileError, "has '1,234,567' where a number is needed"):
        read(["1,234,567", "0,5"])
    with refused(cs.errors.FileError, "has '0,5' where a number is needed (with a decimal point"):
        read(['"0,5"', '"0,7"'], ",")
    path = csv("y;s;w\n0;0,5;1,000\n1;0,7;2,000\n")
    with refused(cs.errors.FileError, "column 'w' of"):
        cs.read_rows(path, label="y", scores=["s"], weight="w")


def test_a_cell_too_many_is_no_name_of_a_row(csv):
    with refused(cs.errors.FileError, "line 2 (the header is line 1): it has 3 cells, not 2"):
        cs.read_rows(csv("y,s\n0,0,1\n1,0,2\n"), label="y", scores=["s"])
    rows = cs.read_rows(csv("y;s\n0;0.1;\n1;0.2;\n"), label="y", scores=["s"])
    assert rows.scores["s"].tolist() == [0.1, 0.2]
    # A label of more words is no reason to divide by blanks.
    path = csv("the label,the score\n0,0.1\n1,0.2\n")
    with refused(cs.errors.FileError, "has no column 'label': did you mean 'the label'?"):
        cs.read_rows(path, label="label", scores=["the score"])


ROW_LIKE = "1,0.5,x\n" * 150


@pytest.mark.parametrize("first", [0, 200_000])
def test_cells_that_look_like_rows(csv, tmp_path, first):
    # Of large files, each thread begins somewhere, in a cell too.
    plain = "".join(f"{i % 2},0.{i % 977:03d},ok\n" for i in range(first))
    long = "".join(f'{i % 2},0.{i % 977:03d},"{ROW_LIKE}{"z" * (i % 991)}"\n' for i in range(9000))
    path = csv(f"y,s,note\n{plain}{long}")
    rows = cs.read_rows(path, label="y", scores=["s"])
    expected = [i % 977 / 1000 for count in (first, 9000) for i in range(count)]
    np.testing.assert_array_equal(rows.scores["s"], expected)
    counts = tally_files(path, Columns(label="y", scores=["s"]))["s"]
    assert counts.sums.rows.sum() == first + 9000
    known = cs.Deployment(fp_cost=1, fn_cost=1, prevalence=0.5)
    decision = cs.decide([0, 0, 1, 1] * 9, {"s": [0.1, 0.2, 0.3, 0.9] * 9}, conditions=known)
    counts = apply_to_files(decision, path, tmp_path / "out.parquet").counts
    assert sum(counts.values()) == first + 9000
    # A quote that is not closed is no such cell: no row goes missing. Which line is told of depends
    # on where threads begin.
    path = csv(f'y,s,note\n{plain}{long}0,0.5,5" pipe\n1,0.5,"x\n')
    told = r"^cannot read .*(\(the header is line 1\)|: cells with line breaks look like rows: )"
    with pytest.raises(cs.errors.FileError, match=told) as error:
        cs.read_rows(path, label="y", scores=["s"])
    assert "\n" not in str(error.value)

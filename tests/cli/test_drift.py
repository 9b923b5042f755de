"""`costspace drift` in money, of saved tables, of files of rows, and with a saved decision."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import as_json, refused, run

import costspace as cs
from costspace.cli import main
from costspace.frames import load

COSTS = ("--fp-cost", "1", "--fn-cost", "10")
MODELS = ("one", "two")


def write(path, seed, moved=0.0, n=900):
    """Rows of customers, each with two models' scores."""
    random = np.random.default_rng(seed)
    y = (random.random(n) < 0.3).astype(int)
    who = random.integers(0, 300, n)
    scores = [
        np.round(1 / (1 + np.exp(-(a * y + random.normal(size=n) - 1.2 + moved))), 3)
        for a in (2.0, 1.0)
    ]
    lines = [f"{a},{b},{c},c{d}" for a, b, c, d in zip(y, *scores, who, strict=True)]
    path.write_text("y,one,two,who\n" + "\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """June, a July that is like it, and an August with higher scores: rows, and saved tables."""
    folder = tmp_path_factory.mktemp("drift")
    found = {}
    for seed, (name, moved) in enumerate({"june": 0.0, "july": 0.0, "august": 2.0}.items()):
        found[name] = write(folder / f"{name}.csv", seed, moved)
    return found


@pytest.fixture
def tables(files, tmp_path, capsys):
    found = {}
    for name, file in files.items():
        found[name] = tmp_path / f"{name}.parquet"
        scores = [word for model in MODELS for word in ("--score", model)]
        assert run(capsys, "tally", file, "--label", "y", *scores, "-o", found[name]) == ""
    return found


def answer(page):
    return " ".join(page.partition("\n\n")[0].split())


def test_the_page_begins_with_what_there_is_to_do(tables, capsys):
    asked = ("drift", tables["june"], tables["august"], "--score", "one", *COSTS)
    page = run(capsys, *asked)
    money = as_json(capsys, *asked)["models"]["one"]["money"]
    assert answer(page).startswith(money["text"])
    assert money["text"].startswith("Set the rule anew (flag scores above ")
    assert "set thresholds anew" not in page
    assert "calibrate anew" not in page
    assert "Calibration got worse." in answer(page)
    assert f"Best: judged on {money['basis']}." in " ".join(page.split())
    assert len(page.splitlines()) <= 25
    page = run(capsys, "drift", tables["june"], tables["july"], "--score", "one", *COSTS)
    assert page.startswith("Keep the rule (flag scores above ")
    details = run(capsys, *asked, "--details")
    assert money["text"] in " ".join(details.split())


def test_json_has_what_python_finds(tables, capsys):
    before, after = (load(tables[name]) for name in ("june", "august"))
    found = as_json(capsys, "drift", tables["june"], tables["august"], *COSTS)["models"]
    for name in MODELS:
        expected = cs.drift(before[name], after[name], fp_cost=1, fn_cost=10).to_dict()
        assert found[name] == json.loads(json.dumps(expected))


def test_of_several_models_each_has_its_line(tables, capsys):
    page = run(capsys, "drift", tables["june"], tables["august"], *COSTS)
    assert page.startswith("Set the rule of one and two anew.")
    lines = [line.split() for line in page.splitlines()]
    assert ["one", "set", "anew"] in [[line[0], *line[-2:]] for line in lines if line]
    assert len(page.splitlines()) <= 25


def test_of_rules_that_do_the_same_it_is_said(tmp_path, capsys):
    noise = np.random.default_rng(0).random((2, 400)).round(2)
    files = [tmp_path / f"{name}.csv" for name in ("before", "after")]
    for file in files:
        rows = (f"{k % 4 == 0:d},{a},{b}" for k, (a, b) in enumerate(noise.T))
        file.write_text("y,one,two\n" + "\n".join(rows) + "\n")
    asked = ("--label", "y", "--score", "one", "--score", "two", "--fp-cost", "1", "--fn-cost", "1")
    page = run(capsys, "drift", *files, *asked)
    lines = [line.split() for line in page.splitlines()]
    assert ["one", "250", "250", "0", "the", "same", "keep"] in lines


def test_a_saved_decision_is_the_rule_that_is_kept(files, tables, tmp_path, capsys):
    saved, june = tmp_path / "decision.json", files["june"]
    run(capsys, "decide", june, "--label", "y", "--score", "one", *COSTS, "--save", saved)
    asked = ("drift", tables["june"], tables["august"], "--decision", saved)
    found = as_json(capsys, *asked)["models"]
    # Only its model is compared.
    assert [*found] == ["one"]
    rule = found["one"]["money"]["kept"]["rule"]
    assert rule == json.loads(saved.read_text())["recommendation"]["rule"]
    renamed = as_json(capsys, *asked, "--score", "two")["models"]["two"]["money"]
    assert renamed["kept"]["rule"] == rule
    text = refused(capsys, *asked, "--score", "one", "--score", "two")
    assert "--decision is of one model, 'one', and --score names 2" in text


def test_files_of_rows_are_compared_as_their_tables_are(files, tables, capsys):
    rows = ("--label", "y", "--score", "one", "--score", "two")
    of_rows = as_json(capsys, "drift", files["june"], files["august"], *rows)["models"]
    of_tables = as_json(capsys, "drift", tables["june"], tables["august"])["models"]
    for name in MODELS:
        for one, other in zip(of_rows[name]["changes"], of_tables[name]["changes"], strict=True):
            assert one["difference"] == pytest.approx(other["difference"], abs=1e-12)
            assert one["se"] == pytest.approx(other["se"], rel=1e-6)


def test_groups_that_are_in_both_files_are_the_same_groups(files, capsys):
    rows = ("--label", "y", "--score", "one", "--groups", "who", "--metric", "auc")
    found = as_json(capsys, "drift", files["june"], files["august"], *rows, *COSTS)["models"]["one"]
    who = [
        [line.split(",")[3] for line in files[name].read_text().splitlines()[1:]]
        for name in ("june", "august")
    ]
    samples = [cs.read_rows(files[name], label="y", scores=["one"]) for name in ("june", "august")]
    expected = cs.drift(*samples, quantities="auc", fp_cost=1, fn_cost=10, groups=tuple(who))
    assert found["changes"][0]["se"] == pytest.approx(expected.changes[0].standard_error)
    assert found["money"]["saving"]["low"] == pytest.approx(expected.money.saving.low)
    same = as_json(capsys, "drift", files["june"], _copy(files["june"]), *rows)["models"]["one"]
    assert same["changes"][0]["se"] < 1e-12


def test_groups_are_the_same_in_a_csv_and_in_parquet(files, tmp_path, capsys):
    lines = [line.split(",") for line in files["june"].read_text().splitlines()[1:]]
    y, one, _, who = zip(*lines, strict=True)
    columns = {"y": [int(x) for x in y], "one": [float(x) for x in one]}
    numbers = [int(name[1:]) for name in who]
    rows = ("--label", "y", "--score", "one", "--groups", "who", "--metric", "auc")
    csv = tmp_path / "numbers.csv"
    csv.write_text(
        "y,one,who\n" + "".join(f"{a},{b},{c}\n" for a, b, c in zip(y, one, numbers, strict=True))
    )
    for kind in (int, float):
        parquet = tmp_path / f"{kind.__name__}.parquet"
        pq.write_table(pa.table({**columns, "who": [kind(n) for n in numbers]}), parquet)
        found = as_json(capsys, "drift", csv, parquet, *rows)["models"]["one"]
        assert found["changes"][0]["se"] < 1e-12


def _copy(file):
    other = file.with_name("copy.csv")
    other.write_text(file.read_text())
    return other


def test_a_gate_stops_where_a_new_rule_saves(tables, capsys):
    condition = "models.one.money.saving > 0"
    statuses = []
    for later in ("july", "august"):
        asked = ["drift", str(tables["june"]), str(tables[later]), *COSTS, "--fail-if", condition]
        with pytest.raises(SystemExit) as ended:
            main(asked)
        statuses.append(ended.value.code)
    assert statuses == [4, 3]
    assert f"costspace: fail: {condition}: " in capsys.readouterr().err


def test_what_cannot_be_asked_is_refused(files, tables, tmp_path, capsys):
    asked = ("drift", tables["june"], tables["july"])
    assert "--fn-cost is missing" in refused(capsys, *asked, "--fp-cost", "1")
    assert "--fp-cost is missing" in refused(capsys, *asked, "--tp-cost", "-1")
    text = refused(capsys, *asked, "--fp-cost", "1", "--fn-cost", "1,000")
    assert "--fn-cost" in text
    assert "cannot read" in refused(capsys, *asked, "--decision", tmp_path / "none.json")
    assert "--groups needs rows" in refused(capsys, *asked, "--groups", "who")
    rows = ("drift", files["june"], files["july"], "--label", "y")
    assert "--score is missing" in refused(capsys, *rows)
    words = ("--label", "y", "--score", "one", "--groups", "who")
    gap = tmp_path / "gap.csv"
    gap.write_text(files["july"].read_text() + "1,0.5,0.5,\n")
    text = refused(capsys, "drift", files["june"], gap, *words)
    assert "who has rows in no group" in text

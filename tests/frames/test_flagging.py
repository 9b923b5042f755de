"""A decision applied to files: rows written again, in their order, with the action of each."""

import gzip
import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest
from applied_by_hand import actions
from refusals import refused

import costspace as cs
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.frames.flagging import apply_to_files

RNG = np.random.default_rng(3)
SCORES = np.round(RNG.random(500), 2)
COLUMNS = {"id": [f"{i:04d}" for i in range(500)], "m": SCORES, "note": ["x,y", None] * 250}
DRAWS = cs.Rule(0.3, otherwise=cs.Rule(0.7), chance=0.4)
QUEUE = cs.Rule((0.1, 0.25), ("block", "review", "pass"), by="share")


def by_rule(rule: cs.Rule, model: str | None = "m") -> SavedDecision:
    return SavedDecision({"version": "1.0"}, DeployedRules(model, "own", rule))


def write(path: Path, columns: Any) -> Path:
    table = pa.table(columns)
    if path.suffix == ".csv":
        lines = [",".join(columns)]
        cells = [table.column(name).to_pylist() for name in columns]
        lines += [
            ",".join("" if c is None else f'"{c}"' for c in row) for row in zip(*cells, strict=True)
        ]
        path.write_text("\n".join(lines) + "\n")
    else:
        pq.write_table(table, path)
    return path


@pytest.mark.parametrize("rule", [cs.Rule(0.4), DRAWS, QUEUE])
@pytest.mark.parametrize("kinds", [("csv", "parquet"), ("parquet", "csv"), ("parquet", "parquet")])
def test_rows_stay_in_their_order(rule: cs.Rule, kinds: tuple[str, str], tmp_path: Path) -> None:
    file, output = write(tmp_path / f"new.{kinds[0]}", COLUMNS), tmp_path / f"out.{kinds[1]}"
    decision = by_rule(rule)
    saved = tmp_path / "decision.json"
    decision.save(saved)
    counts = apply_to_files(decision, file, output, seed=4).counts
    hand = actions(saved, SCORES, seed=4)
    assert counts == {name: hand.count(name) for name in sorted(set(hand))}
    if kinds[1] == "csv":
        import csv

        with output.open(newline="") as lines:
            rows = list(csv.DictReader(lines))
        found = {name: [row[name] for row in rows] for name in rows[0]}
        assert found["note"] == [x or "" for x in COLUMNS["note"]]
        assert [float(x) for x in found["m"]] == SCORES.tolist()
    else:
        found = pq.read_table(output).to_pydict()
        assert found["note"] == COLUMNS["note"]
        # Numbers that were looked at are numbers, in CSV too.
        assert found["m"] == SCORES.tolist()
    assert list(found) == [*COLUMNS, "action"]
    assert found["id"] == COLUMNS["id"]
    assert found["action"] == hand
    assert {one.name for one in tmp_path.iterdir()} == {file.name, output.name, saved.name}


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_scores_of_files_are_compared_with_those_of_the_decision(form: str, tmp_path: Path) -> None:
    y = np.arange(500) % 3 == 0
    kept = cs.decide(y, {"m": SCORES + 0.4 * y}, conditions=cs.Deployment(1, 3, 0.3)).saved()
    folder = tmp_path / "new"
    folder.mkdir()
    for i, rows in enumerate(np.array_split(np.arange(500), 2)):
        write(folder / f"{i}.{form}", {"m": (SCORES + 0.4 * y)[rows]})
    assert apply_to_files(kept, folder, strict=True).doubt == ""
    other = write(tmp_path / f"other.{form}", {"m": 2 * SCORES})
    wanted = kept.apply(2 * SCORES).doubt
    with pytest.warns(cs.DataWarning) as given:
        assert apply_to_files(kept, other).doubt == wanted != ""
    assert str(given[0].message).endswith(f": {wanted}")
    output = tmp_path / "out.csv"
    with refused(cs.FileError, f"{other}: {wanted}"):
        apply_to_files(kept, other, output, strict=True)
    assert not output.exists()


@pytest.mark.parametrize("missing", ["pass", "flag"])
@pytest.mark.parametrize("kinds", [("csv", "parquet"), ("parquet", "csv"), ("csv", "csv")])
def test_a_row_stays_a_row_whatever_is_missing(
    missing: str, kinds: tuple[str, str], tmp_path: Path
) -> None:
    known = {"case_costs": cs.CaseCosts(4, 5 + np.arange(500) % 50, 4), "folds": 2}
    kept = cs.decide(np.arange(500) % 3 == 0, {"m": SCORES}, **known).saved()
    losses = np.where(np.arange(500) % 25 == 2, 3.5, 10.0 + np.arange(500) % 40)
    columns: dict[str, Any] = {
        "id": COLUMNS["id"],
        "m": [None if i % 10 == 1 else float(s) for i, s in enumerate(SCORES)],
        "loss": [None if i % 10 == 3 else float(x) for i, x in enumerate(losses)],
    }
    file, output = write(tmp_path / f"new.{kinds[0]}", columns), tmp_path / f"out.{kinds[1]}"
    amounts = {"fp_cost": 4, "fn_cost": "loss"}
    wanted = kept.apply(columns["m"], fp_cost=4, fn_cost=columns["loss"], missing=missing)
    found = apply_to_files(kept, file, output, amounts=amounts, missing=missing)
    assert (found.missing, found.not_worth) == (wanted.missing, wanted.not_worth) == (100, 20)
    assert found.counts == wanted.counts
    if kinds[1] == "csv":
        table = pa.csv.read_csv(output, convert_options=pa.csv.ConvertOptions(null_values=[""]))
    else:
        table = pq.read_table(output)
    rows = table.to_pydict()
    assert rows["action"] == wanted.action.tolist()
    assert [int(one) for one in rows["id"]] == list(range(500))
    # What was there is there still, beside what was missing.
    assert (rows["m"], rows["loss"]) == (columns["m"], columns["loss"])


@pytest.mark.parametrize("form", ["csv", "csv.gz", "parquet"])
def test_what_is_missing_is_refused_with_its_row_and_what_to_do(form: str, tmp_path: Path) -> None:
    kept, file = by_rule(cs.Rule(0.4)), tmp_path / f"new.{form}"
    cells = [0.2, None, float("nan"), 0.9]
    if form == "parquet":
        pq.write_table(pa.table({"m": pa.array(cells, from_pandas=False)}), file)
    else:
        text = b"m,x\n0.2,\n,\nNaN,\n0.9,\n"
        file.write_bytes(gzip.compress(text) if form == "csv.gz" else text)
    told = f"{file}, row 2: column 'm' is empty where a number is needed"
    with refused(cs.FileError, told):
        apply_to_files(kept, file)
    with refused(cs.FileError, "or say what to do with such rows (--missing)."):
        apply_to_files(kept, file)
    found = apply_to_files(kept, file, missing="flag")
    assert (found.counts, found.missing) == ({"flag": 3, "pass": 1}, 2)


def test_what_is_there_and_no_number_is_refused_however_missing_cells_are_taken(
    tmp_path: Path,
) -> None:
    kept, file = by_rule(cs.Rule(0.4)), tmp_path / "new.csv"
    for cell, error, told in (
        ("abc", cs.FileError, "row 3: column 'm' has 'abc' where a number is needed: correct"),
        ("NA", cs.FileError, "row 3: column 'm' has 'NA' where a number is needed: correct"),
        ("1_0", cs.FileError, "row 3: column 'm' has '1_0' where a number is needed"),
        ("9007199254740999", cs.ScoreError, "row 3: column 'm' has integers beyond 2^53"),
    ):
        file.write_text(f'm,x\n0.2,\n"",\n{cell},\n')
        with refused(error, told):
            apply_to_files(kept, file, missing="pass")
    file.write_text("m,loss\n0.2,9\n0.3,\n0.4,inf\n")
    known = {"case_costs": cs.CaseCosts(4, 5 + np.arange(500) % 50, 4), "folds": 2}
    follows = cs.decide(np.arange(500) % 3 == 0, {"m": SCORES}, **known).saved()
    with refused(cs.ConditionError, "row 3: column 'loss' has 'inf' where a finite cost"):
        amounts = {"fp_cost": 4, "fn_cost": "loss"}
        apply_to_files(follows, file, amounts=amounts, missing="pass")


@pytest.mark.parametrize("form", ["csv", "parquet"])
def test_a_rule_on_scores_whose_sign_was_changed(form: str, tmp_path: Path) -> None:
    file, output = write(tmp_path / f"new.{form}", COLUMNS), tmp_path / "out.parquet"
    assert apply_to_files(by_rule(cs.Rule(-0.4), "-m"), file, output).counts["flag"] == np.sum(
        SCORES < 0.4
    )
    found = pq.read_table(output).to_pydict()
    assert found["m"] == SCORES.tolist()
    assert not np.signbit(found["m"]).any()
    assert found["action"] == ["flag" if x < 0.4 else "pass" for x in SCORES]
    same = apply_to_files(by_rule(cs.Rule(-0.4)), file, score="-m").counts
    assert same["flag"] == np.sum(SCORES < 0.4)


def test_a_folder_is_one_queue(tmp_path: Path) -> None:
    folder = tmp_path / "days"
    for day, part in (("1", slice(0, 200)), ("2", slice(200, 500))):
        (folder / f"day={day}").mkdir(parents=True)
        write(folder / f"day={day}" / "part.parquet", {"m": SCORES[part]})
    output = tmp_path / "out.parquet"
    counts = apply_to_files(by_rule(QUEUE), folder, output).counts
    found = pq.read_table(output).to_pydict()
    assert list(found) == ["m", "day", "action"]
    assert found["day"] == ["1"] * 200 + ["2"] * 300
    assert found["action"] == QUEUE.applied(SCORES).tolist()
    assert sum(counts.values()) == 500


def test_a_rule_for_everybody_needs_no_scores(tmp_path: Path) -> None:
    file = write(tmp_path / "new.csv", {"id": ["a", "b"]})
    assert apply_to_files(by_rule(cs.Rule(-np.inf), None), file).counts == {"flag": 2}


def test_costs_of_each_row(tmp_path: Path) -> None:
    y = (RNG.random(300) < 0.3).astype(int)
    s = np.round(1 / (1 + np.exp(1 - 2 * y - RNG.normal(size=300))), 2)
    known = cs.Deployment(fp_cost=(1, 2), fn_cost=(4, 12), prevalence=0.2)
    choices = [cs.ScoreDriven(0.4)]
    decision = cs.decide(y, {"m": s}, conditions=known, choices=choices, known="costs")
    saved = tmp_path / "decision.json"
    (own,) = (
        one.strategy for one in decision.strategies if one.strategy.choice == cs.ScoreDriven(0.4)
    )
    kept = decision.saved(own)
    kept.save(saved)
    costs = RNG.uniform(4, 12, 500)
    file = write(tmp_path / "new.csv", {"m": SCORES, "missed": costs})
    amounts = {"fp_cost": 1.5, "fn_cost": "missed"}
    counts = apply_to_files(kept, file, amounts=amounts).counts
    hand = actions(saved, SCORES, fp_cost=1.5, fn_cost=costs)
    assert counts == {name: hand.count(name) for name in sorted(set(hand))}
    assert "formula" in json.loads(saved.read_text())["apply"]["bands"][0]
    file = write(tmp_path / "new.csv", {"m": [0.1, 0.2], "missed": ["5", "five"]})
    with refused(cs.FileError, "row 2: column 'missed' has 'five' where a number is needed"):
        apply_to_files(kept, file, amounts=amounts)
    file = write(tmp_path / "new.csv", {"m": [0.1, 0.2], "missed": [5.0, 1.0]})
    with refused(cs.ConditionError, "in row 2"):
        apply_to_files(kept, file, amounts=amounts)


def test_what_cannot_be_applied(tmp_path: Path) -> None:
    decision = by_rule(cs.Rule(0.4))
    file = write(tmp_path / "new.csv", {"m": ["0.1", "high", ""], "action": ["a", "b", "c"]})
    output = tmp_path / "out.parquet"
    with refused(cs.FileError, "has a column 'action' already"):
        apply_to_files(decision, file, output)
    with refused(cs.FileError, "new.csv, row 2: column 'm' has 'high' where a number is needed"):
        apply_to_files(decision, file, output, column="do")
    with refused(cs.FileError, "has no column"):
        apply_to_files(decision, file, output, column="do", score="n")
    with refused(cs.FileError, "let it end in .csv, .parquet, .pq"):
        apply_to_files(decision, file, tmp_path / "out.txt")
    with refused(cs.FileError, "there is no file"):
        apply_to_files(decision, tmp_path / "none.csv", output)
    with refused(cs.ConditionError, "looks at no costs"):
        apply_to_files(decision, file, output, amounts={"fp_cost": 1})
    with refused(cs.FileError, "cannot write"):
        good = write(tmp_path / "good.csv", {"m": [0.1]})
        apply_to_files(decision, good, tmp_path / "no" / "out.csv")
    assert {one.name for one in tmp_path.iterdir()} == {"new.csv", "good.csv"}


def test_each_batch_is_a_queue_of_its_own(tmp_path: Path) -> None:
    days = RNG.permutation(np.repeat(["mon", " tue", "wed", "x,y"], [250, 180, 69, 1]))
    columns = {"day": days.tolist(), "m": np.round(SCORES + 0.3 * (days == "wed"), 1)}
    wanted = by_rule(QUEUE).apply(columns["m"], batch=days)
    folder = tmp_path / "parts"
    folder.mkdir()
    for i, part in enumerate((slice(0, 200), slice(200, 500))):
        write(folder / f"{i}.csv", {name: list(values[part]) for name, values in columns.items()})
    for file in (write(tmp_path / "new.parquet", columns), folder):
        for output in (tmp_path / "out.parquet", tmp_path / "out.csv"):
            found = apply_to_files(by_rule(QUEUE), file, output, batch="day")
            rows = (
                pq.read_table(output).to_pydict()
                if output.suffix == ".parquet"
                else pa.csv.read_csv(output).to_pydict()
            )
            assert list(rows) == ["day", "m", "action"]
            assert rows["day"] == days.tolist()
            assert rows["action"] == wanted.action.tolist()
            assert (found.counts, found.tied, found.note) == (
                *(wanted.counts, wanted.tied, wanted.note),
            )
            assert repr(found).endswith(f"; {found.tied} tied at the edge are left out)")
    assert wanted.tied > 0
    assert wanted.note.startswith("batches too small for anybody to be flagged: 1 of 4, ")


def test_folders_that_are_batches_keep_the_order_of_rows(tmp_path: Path) -> None:
    """Many enough that DuckDB reads and joins them side by side."""
    rows, folder = 300_000, tmp_path / "days"
    scores, rule = RNG.random(3 * rows), cs.Rule(0.01, by="share")
    for day in range(3):
        (folder / f"day={day}").mkdir(parents=True)
        here = slice(day * rows, (day + 1) * rows)
        table = pa.table({"id": np.arange(3 * rows)[here], "m": scores[here] + day})
        pq.write_table(table, folder / f"day={day}" / "part.parquet", row_group_size=20_000)
    output = tmp_path / "out.parquet"
    found = apply_to_files(by_rule(rule), folder, output, batch="day")
    assert found.counts == {"flag": 3 * rows // 100, "pass": 3 * rows - 3 * rows // 100}
    written = pq.read_table(output)
    assert (written["id"].to_numpy() == np.arange(3 * rows)).all()
    top = np.concatenate([rule.applied(part) for part in np.split(scores, 3)])
    assert (written["action"].to_numpy() == top).all()


def test_batches_that_are_none(tmp_path: Path) -> None:
    file = write(tmp_path / "new.csv", {"m": [0.1, 0.2, 0.3], "day": ["mon", None, "tue"]})
    with refused(cs.FileError, "new.csv, row 2: column 'day' is empty where a batch is needed"):
        apply_to_files(by_rule(QUEUE), file, batch="day")
    with refused(cs.FileError, "has no column 'dya': did you mean 'day'?"):
        apply_to_files(by_rule(QUEUE), file, batch="dya")
    with refused(cs.ConditionError, "leave out batch (--batch)"):
        apply_to_files(by_rule(cs.Rule(0.5)), file, batch="day")
    found = apply_to_files(by_rule(cs.Rule(0.5)), file)
    assert (found.tied, found.note) == (None, "")

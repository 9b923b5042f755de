"""A decision applied to files: rows written again, in their order, with the action of each."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from applied_by_hand import actions
from refusals import refused

import costspace as cs
from costspace.decision.deployed import DeployedRules
from costspace.decision.saved import SavedDecision
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
    counts = apply_to_files(decision, file, output, seed=4)
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


def test_a_folder_is_one_queue(tmp_path: Path) -> None:
    folder = tmp_path / "days"
    for day, part in (("1", slice(0, 200)), ("2", slice(200, 500))):
        (folder / f"day={day}").mkdir(parents=True)
        write(folder / f"day={day}" / "part.parquet", {"m": SCORES[part]})
    output = tmp_path / "out.parquet"
    counts = apply_to_files(by_rule(QUEUE), folder, output)
    found = pq.read_table(output).to_pydict()
    assert list(found) == ["m", "day", "action"]
    assert found["day"] == ["1"] * 200 + ["2"] * 300
    assert found["action"] == QUEUE.applied(SCORES).tolist()
    assert sum(counts.values()) == 500


def test_a_rule_for_everybody_needs_no_scores(tmp_path: Path) -> None:
    file = write(tmp_path / "new.csv", {"id": ["a", "b"]})
    assert apply_to_files(by_rule(cs.Rule(-np.inf), None), file) == {"flag": 2}


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
    counts = apply_to_files(kept, file, amounts=amounts)
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
    with refused(cs.FileError, "let its name end in .csv, .parquet, .pq"):
        apply_to_files(decision, file, tmp_path / "out.txt")
    with refused(cs.FileError, "there is no file"):
        apply_to_files(decision, tmp_path / "none.csv", output)
    with refused(cs.ConditionError, "looks at no costs"):
        apply_to_files(decision, file, output, amounts={"fp_cost": 1})
    with refused(cs.FileError, "cannot write"):
        good = write(tmp_path / "good.csv", {"m": [0.1]})
        apply_to_files(decision, good, tmp_path / "no" / "out.csv")
    assert {one.name for one in tmp_path.iterdir()} == {"new.csv", "good.csv"}

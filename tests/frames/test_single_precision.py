"""Scores of two decimals in single precision, against the same in double precision and in text."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import costspace as cs
from costspace.cli import main
from costspace.decision.applying.deployed import DeployedRules
from costspace.decision.applying.saved import SavedDecision
from costspace.frames import apply_decision, binned_scores, score_table
from costspace.frames.flagging import apply_to_files

RNG = np.random.default_rng(1)
ROWS = 400
Y = (RNG.random(ROWS) < 0.3).astype(int)
S = (1 / (1 + np.exp(1 - Y - RNG.normal(size=ROWS)))).round(2)
S[:20], S[20:40] = 0.2, 0.4
COLUMNS = {"y": Y, "m": S, "fp": np.full(ROWS, 0.4), "fn": np.full(ROWS, 0.6)}
SINGLE = {name: (x.astype(np.float32) if name != "y" else x) for name, x in COLUMNS.items()}
KNOWN = cs.Deployment(fp_cost=1, fn_cost=4)
ABOVE = int(np.sum(S > 0.2))


@cache
def kept(costs: Any = 4) -> SavedDecision:
    """The decision to use probabilities as they are."""
    known = cs.Deployment(fp_cost=1, fn_cost=costs)
    decision = cs.decide(
        Y, {"m": S}, conditions=known, choices=[cs.ScoreDriven()], folds=2, known="costs"
    )
    (own,) = (one.strategy for one in decision.strategies if one.strategy.model)
    return decision.saved(own)


def by_rule(rule: cs.Rule) -> SavedDecision:
    return SavedDecision({}, DeployedRules("m", "own", rule))


def queue(**more: Any) -> tuple[SavedDecision, dict[str, Any]]:
    return by_rule(cs.Rule(0.3, by="share")), more


CASES: dict[str, Callable[[], tuple[SavedDecision, dict[str, Any]]]] = {
    "a rule": lambda: (kept(), {}),
    "costs of each case": lambda: (kept((1, 20)), {"fp_cost": "fp", "fn_cost": "fn"}),
    "a queue": queue,
    "queues": lambda: queue(batch="y"),
    "two cuts": lambda: (by_rule(cs.Rule((0.2, 0.57), ("pass", "review", "flag"))), {}),
}


@pytest.mark.parametrize("name", CASES)
def test_engines_apply_what_is_printed(name: str, engine: Any) -> None:
    decision, more = CASES[name]()
    counts = [
        dict(apply_decision(decision, engine.frame(**columns), **more).counts)
        for columns in (SINGLE, COLUMNS)
    ]
    assert counts[0] == counts[1]
    if name == "a rule":
        assert str(decision.rules.rule) == "flag scores above 0.2"
        assert counts[0]["flag"] == ABOVE
    if name == "costs of each case":
        # Costs of 0.4 and 0.6 flag what scores above 0.4, not what scores 0.4.
        assert counts[0]["flag"] == np.sum(S > 0.4)


def test_files_apply_what_is_printed(tmp_path: Path) -> None:
    names = {}
    for kind, columns in {"single": SINGLE, "double": COLUMNS}.items():
        pq.write_table(pa.table({**columns, "-": -columns["m"]}), tmp_path / f"{kind}.parquet")
        names[kind] = tmp_path / f"{kind}.parquet"
    lines = [f"{y},{s!s}" for y, s in zip(Y, SINGLE["m"], strict=True)]
    (tmp_path / "text.csv").write_text("\n".join(["y,m", *lines]), encoding="utf-8")
    for path in (*names.values(), tmp_path / "text.csv"):
        assert apply_to_files(kept(), path).counts["flag"] == ABOVE
        rows = cs.read_rows(path, label="y", scores=["m"])
        assert cs.decide(rows, conditions=KNOWN).to_dict() == decided().to_dict()
    for path in names.values():
        assert apply_to_files(kept(), path, score="--").counts["flag"] == ABOVE
        for name, more in (CASES["costs of each case"](), queue()):
            amounts = {"amounts": more} if more else {}
            assert apply_to_files(name, path, **amounts).counts == (
                apply_to_files(name, names["double"], **amounts).counts
            )


@cache
def decided() -> cs.Decision:
    return cs.decide(Y, {"m": S}, conditions=KNOWN)


@pytest.mark.parametrize("cut", [0.2, 0.57])
def test_engines_count_what_is_printed(engine: Any, cut: float) -> None:
    table = score_table(engine.frame(**SINGLE), label="y", score="m")
    known = cs.ScoreTable.from_predictions(Y, S)
    assert np.array_equal(table.by_score.breaks, known.by_score.breaks)
    assert table.by_score.at(cut).fpr == np.mean(S[Y == 0] > cut)
    assert cs.brier_score(table) == pytest.approx(np.mean((S - Y) ** 2), rel=1e-12)
    binned = binned_scores(engine.frame(**SINGLE), label="y", score="m", bins=100)
    double = binned_scores(engine.frame(**COLUMNS), label="y", score="m", bins=100)
    assert np.array_equal(binned.cells, double.cells)
    assert np.array_equal(binned.positives.low, double.positives.low)


def test_by_hand(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The printed rule, as each library applies it to its own columns."""
    import duckdb
    import pandas as pd
    import polars as pl

    path = tmp_path / "single.parquet"
    pq.write_table(pa.table(SINGLE), path)
    known = ["--label", "y", "--score", "m", "--fp-cost", "1", "--fn-cost", "4"]
    main(["decide", str(path), *known, "--save", str(tmp_path / "d.json")])
    assert "flag scores above 0.2." in capsys.readouterr().out
    main(["apply", str(tmp_path / "d.json"), str(path), "--json"])
    found = json.loads(capsys.readouterr().out)
    frame = pd.read_parquet(path)
    frame.to_csv(tmp_path / "single.csv")
    (sql,) = duckdb.sql(f"SELECT count(*) FROM '{path}' WHERE m > 0.2::FLOAT").fetchall()
    by_hand = [
        int((frame.m > 0.2).sum()),
        pl.read_parquet(path).filter(pl.col("m") > 0.2).height,
        int((pd.read_csv(tmp_path / "single.csv").m > 0.2).sum()),
        *sql,
    ]
    assert by_hand == [ABOVE] * 4
    assert found["actions"]["flag"] == ABOVE

"""`decide --by` and `compare --by`: the page, JSON by names, and what has no segments."""

import json

import numpy as np
import pytest
from command_line import as_json, refused, run
from prediction_files import parquet, write_csv

import costspace as cs
from costspace.cli import main, question
from costspace.decision.evidence import own_thresholds
from costspace.decision.held_out.counts import HeldOutCounts
from costspace.decision.held_out.rows import HeldOutRows
from costspace.frames import folded
from costspace.summaries.folded_rows import FoldedRows
from costspace.summaries.joint import fold_by_number

N = 1200


@pytest.fixture(scope="module")
def data():
    rng = np.random.default_rng(3)
    site = np.where(np.arange(N) % 3 == 0, "south", "north").astype("U5")
    site[:6] = ["a", "b", "c", "d", "e", "f"]
    y = (rng.random(N) < 0.2).astype(int)
    score = {"good": rng.normal(1.8 * y), "bad": rng.normal(0.8 * y)}
    scores = {name: (1 / (1 + np.exp(1.2 - s))).round(4) for name, s in score.items()}
    return {"y": y, **scores, "site": site, "missed": rng.integers(-1, 9, N).round(2)}


@pytest.fixture(scope="module")
def file(data, tmp_path_factory):
    return write_csv(tmp_path_factory.mktemp("by") / "cases.csv", data)


COLUMNS = ["--label", "y", "--score", "good", "--score", "bad"]
COSTS = ["--fp-cost", "1", "--fn-cost", "6"]
BY = ["--by", "site"]


@pytest.mark.parametrize("command", ["decide", "compare"])
@pytest.mark.parametrize("more", [[], ["--prevalence", "0.05"], ["--baseline", "bad:0.5"]])
def test_json_has_a_row_a_segment(file, data, command, more, capsys):
    found = as_json(capsys, command, file, *COLUMNS, *COSTS, *more, *BY)
    assert sum(row["contribution"] for row in found["segments"]) == pytest.approx(
        found["by_segment"]["cost_per_1000"], abs=1e-9
    )
    assert [row["by"]["site"] for row in found["segments"]] == ["north", "south", "others"]
    assert [row["number"] for row in found["segments"]] == [1, 1, 6]
    scores = {name: data[name] for name in ("good", "bad")}
    baseline = {"baseline": ("bad", 0.5)} if "--baseline" in more else {}
    p = {"prevalence": 0.05} if "--prevalence" in more else {}
    decision = cs.decide(data["y"], scores, fp_cost=1, fn_cost=6, **p, **baseline)
    expected = json.loads(json.dumps(decision.by({"site": data["site"]}).to_dict()))
    assert found["segments"] == expected["segments"]
    assert found["by_segment"] == expected["by_segment"]
    assert (found["by_segment"]["against"] == "baseline") == bool(baseline)


def test_a_condition_names_a_segment(file, capsys):
    asked = ["decide", file, *COLUMNS, *COSTS, *BY, "--fail-if"]
    for condition, status in (
        ("segments.south.cost_per_1000 > 1e6", 0),
        ("segments.south.saving.saving_per_1000 < 1e6", 3),
        ("segments.others.cost_per_1000 > 0", 4),
    ):
        try:
            ended = main([*map(str, asked), condition]) or 0
        except SystemExit as end:
            ended = end.code
        capsys.readouterr()
        assert ended == status


def test_a_page_says_where_most_is_lost_and_that_thresholds_of_their_own_save_nothing(file, capsys):
    page = run(capsys, "decide", file, *COLUMNS, *COSTS, *BY)
    assert page.startswith("Use good: flag scores above ")
    text = " ".join(page.split())
    assert "\nnorth loses most: " in page
    assert "No segment is shown to cost more or less than the rest per case." in text
    assert "Thresholds of their own are not shown to save money: they cost" in text
    assert "a saving is shown in none of 2 segments." in text
    assert "intervals of a column hold all at once: 2 of 97.5 % each (Bonferroni)." in text
    assert "Too small for an interval: 6 segments, joined as others." in text
    details = run(capsys, "decide", file, *COLUMNS, *COSTS, *BY, "--details")
    assert "By segment, per 1,000 cases of each (site)" in details
    assert "What this rests on" in details
    assert "own threshold saves" in details


def test_what_to_do_with_a_column_of_very_many_values_is_said(file, capsys):
    page = run(capsys, "decide", file, *COLUMNS, *COSTS, "--by", "bad")
    assert "segments, joined as others: name a column of fewer values, such as bins." in " ".join(
        page.split()
    )
    page = run(capsys, "decide", file, *COLUMNS, *COSTS, *BY)
    assert "bins" not in page


def test_without_segments_nothing_is_said_of_them(file, capsys):
    found = as_json(capsys, "decide", file, *COLUMNS, *COSTS)
    assert not {"segments", "by_segment"} & found.keys()


def test_rows_that_are_never_worth_flagging_are_in_no_segment(file, data, capsys):
    costs = ["--fp-cost", "1", "--fn-cost-column", "missed"]
    found = as_json(capsys, "decide", file, *COLUMNS, *costs, *BY)
    worth = data["missed"] > 0
    rows = {row["by"]["site"]: row["rows"] for row in found["segments"]}
    assert rows["south"] == np.sum(worth & (data["site"] == "south"))
    assert sum(rows.values()) == worth.sum()


def test_segments_are_of_the_rows_that_strategies_are_compared_on(file, data, tmp_path, capsys):
    other = write_csv(tmp_path / "other.csv", {k: v[600:] for k, v in data.items()})
    found = as_json(capsys, "decide", file, *COLUMNS, *COSTS, *BY, "--validate", other)
    assert sum(row["rows"] for row in found["segments"]) == 600


@pytest.mark.parametrize("more", [[], ["--prevalence", "0.05"], ["--baseline", "bad:0.5"]])
@pytest.mark.parametrize("command", ["decide", "compare"])
def test_rows_that_are_counted_have_the_segments_of_rows_in_memory(
    data, command, more, tmp_path, monkeypatch, capsys
):
    site = [None if name == "south" else name for name in data["site"].tolist()]
    # Parts of single precision, NaN, and 0 with either sign.
    part = np.array([0.5, 0.0, -0.0, np.nan], np.float32)[np.arange(N) % 4]
    # A score of its own tells where a row is.
    scores = {name: data[name] + np.arange(N) * 1e-9 for name in ("good", "bad")}
    file = parquet(tmp_path, y=data["y"], **scores, site=site, part=part)
    monkeypatch.setattr(question, "is_large", lambda *_: True)
    monkeypatch.setattr(folded, "_RUNS", N)
    by = [*BY, "--by", "part"]
    found = as_json(capsys, command, file, *COLUMNS, *COSTS, *more, *by)

    fold = fold_by_number(N, 5)
    rows = cs.ScoredRows.from_predictions(data["y"], scores)
    baseline = {"baseline": ("bad", 0.5)} if "--baseline" in more else {}
    p = {"prevalence": 0.05} if "--prevalence" in more else {}
    held_out = HeldOutCounts(FoldedRows(rows, fold, 5))
    decision = cs.decide(held_out, fp_cost=1, fn_cost=6, **p, **baseline)

    def in_the_same_folds(some, **_):
        own = np.isin(scores["good"], some.scores["good"])
        return HeldOutRows(some, None, [fold[own]])

    monkeypatch.setattr(own_thresholds, "held_out_for", in_the_same_folds)
    expected = decision.by({"site": np.array(site, dtype=object), "part": part}).to_dict()
    expected = json.loads(json.dumps(expected))
    for name in ("segments", "by_segment"):
        assert list(_flat(found[name])) == [
            (key, pytest.approx(value, rel=1e-9) if isinstance(value, float) else value)
            for key, value in _flat(expected[name])
        ]
    assert found["by_segment"]["own_thresholds"] is not None
    assert sum(row["contribution"] for row in found["segments"]) == pytest.approx(
        found["by_segment"]["cost_per_1000"], abs=1e-9
    )
    assert {str(row["by"]["part"]) for row in found["segments"]} == {"0.0", "0.5", "None", "others"}


def _flat(value, key=()):
    """The numbers and texts of plain values, by how they are reached."""
    if not isinstance(value, dict | list):
        yield key, value
        return
    for name, one in value.items() if isinstance(value, dict) else enumerate(value):
        yield from _flat(one, (*key, name))


def test_too_many_segments_are_not_counted(file, capsys):
    by = ["--by", "site", "--by", "good", "--engine", "duckdb"]
    told = refused(capsys, "decide", file, *COLUMNS, *COSTS, *by)
    assert "site, good of" in told
    assert "make more than 1,000 segments" in told
    assert "bins of good" in told


def test_what_has_no_rows_has_no_segments(file, tmp_path, capsys):
    saved = tmp_path / "saved.parquet"
    run(capsys, "tally", file, *COLUMNS, "--folds", "5", "-o", saved)
    assert "--by needs rows, and a saved table keeps none" in refused(
        capsys, "decide", saved, *COSTS, *BY
    )
    told = refused(capsys, "decide", file, *COLUMNS, *COSTS, *BY, "--engine", "polars")
    assert told == "--by is counted by duckdb, not by polars: leave out --engine."


def test_columns_of_segments_are_no_scores(file, capsys):
    asked = ["decide", file, "--label", "y", "--score", "all-but:missed", *COSTS, *BY]
    found = as_json(capsys, *asked)
    assert {row["model"] for row in found["strategies"]} == {None, "good", "bad"}


def test_nothing_is_divided_where_nothing_keeps_to_the_limits(file, capsys):
    limits = ["--max-fpr", "0.001", "--min-recall", "0.999"]
    page = run(capsys, "decide", file, *COLUMNS, *COSTS, *limits, *BY)
    assert page.startswith("Loosen a limit")

"""What is said of intervals where few rows decide, and that it is what simulations found."""

import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from command_line import run
from prediction_files import write_csv

import costspace as cs
from benchmarks.coverage.few import PART, column, deciding, drawn, simulate
from benchmarks.coverage.models import QUALITIES
from benchmarks.coverage.study import Cell, cell_of
from benchmarks.tables import read
from costspace.inference.few_rows import BANDS, Sampled, deciding_rows, few_rows
from costspace.scores.rows import ScoredRows

TABLE = Path(__file__).parents[2] / "benchmarks" / "coverage" / "few.csv"
TOLD = "Few rows decide: "


def sample(positives: int, n: int = 400, seed: int = 0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) < positives
    evidence = rng.normal(np.where(y, 1.0, -1.0), np.sqrt(2))
    return y, 1 / (1 + np.exp(-evidence + 1)), rng


def by_definition(y, s, weight, groups):
    """Of negatives and positives (sum w e)^2 / sum (w e)^2, groups being the units."""
    found = []
    for own in (~y, y):
        wrong = np.array(
            [
                np.average((s[~own] > x) if own is y else (s[~own] < x), weights=weight[~own])
                + np.average(s[~own] == x, weights=weight[~own]) / 2
                for x in s[own]
            ]
        )
        units = [np.sum((weight[own] * wrong)[groups[own] == g]) for g in np.unique(groups[own])]
        found.append(np.sum(units) ** 2 / np.sum(np.square(units)))
    return found


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("grouped", [False, True])
def test_rows_that_decide_are_those_of_the_definition(weighted: bool, grouped: bool) -> None:
    y, s, rng = sample(12, 60)
    s = s.round(1)
    weight = rng.uniform(0.1, 5, 60) if weighted else np.ones(60)
    groups = np.arange(60) // 4 if grouped else np.arange(60)
    given = {"sample_weight": weight if weighted else None}
    table = cs.ScoreTable.from_predictions(y, s, **given)
    rows = ScoredRows.from_predictions(
        y, {"y_score": s}, groups=groups if grouped else None, **given
    )
    found = deciding_rows(table, rows)
    np.testing.assert_allclose(found, by_definition(y, s, weight, groups))


def test_counts_are_so_many_rows_and_separated_classes_have_none_that_decide() -> None:
    y, s, _ = sample(12, 60)
    times = np.arange(60) % 3 + 1
    counted = cs.ScoreTable.from_predictions(y, s, sample_weight=times.astype(float))
    repeated = cs.ScoreTable.from_predictions(np.repeat(y, times), np.repeat(s, times))
    found = deciding_rows(counted, weights="counts")
    np.testing.assert_allclose(found, deciding_rows(repeated))
    assert deciding_rows(cs.ScoreTable.from_predictions([0, 0, 1, 1], [1, 2, 3, 4])) == (0, 0)


def figures(quantity: str) -> list[tuple[int, int]]:
    """By column of the study, the least and the most that intervals of a number cover."""
    found: dict[str, list[float]] = {name: [] for name in PART.columns}
    for row in read(TABLE):
        if row["quantity"] == quantity:
            found[column(cell_of(row))].append(100 * float(row["coverage"]))
    return [(round(min(some)), round(max(some))) for some in found.values()]


def test_what_is_said_is_what_the_study_found() -> None:
    assert [band.auc for band in BANDS] == figures("auc")[:-1]
    assert [band.voros for band in BANDS] == figures("voros")[:-1]


def test_where_nothing_is_said_the_study_holds_intervals_up() -> None:
    """In at least 92 of 100 samples; those under 93 have weights."""
    enough = [row for row in read(TABLE) if column(cell_of(row)) == PART.columns[-1]]
    assert all(float(row["coverage"]) >= 0.92 for row in enough)
    under = {row["design"] for row in enough if row["outside"] == "under"}
    assert under <= {"low rare", "high rare"}
    alike = [row for row in read(TABLE) if row["design"] == "independent"]
    for name in ("brier", "macro_brier", "macro_mae"):
        assert all(float(row["coverage"]) >= 0.94 for row in alike if row["quantity"] == name)


def test_a_small_piece_of_the_study_finds_the_same() -> None:
    for cell, least, most in (
        (Cell("calibrated", "independent", 0.025, 200), *BANDS[0].auc),
        (Cell("weak", "independent", 0.3, 200), 93, 97),
    ):
        truth = QUALITIES[cell.scores].population(cell.prevalence).auc
        held = []
        for k in range(200):
            positive, noise, _ = drawn(cell, cell.generator(k))
            scores = QUALITIES[cell.scores].scores(noise, positive, cell.prevalence)
            one = cs.estimate(cs.auc, positive, scores)
            held.append(one.low <= truth <= one.high)
        assert least - 4 <= 100 * np.mean(held) <= most + 4
        assert (deciding(cell) < BANDS[-1].up_to) == (least < 93)
    assert len(simulate(cell, 0)) == len(PART.quantities(cell))


def test_an_estimate_says_it_where_the_study_does_not_hold_it_up() -> None:
    y, s, _ = sample(5)
    found = cs.estimate(cs.auc, y, s)
    assert found.note.startswith(f"{TOLD}of 5 positives the equivalent of ")
    assert found.note in repr(found)
    assert TOLD in found._repr_html_()
    y, s, _ = sample(200)
    assert cs.estimate(cs.auc, y, s).note is None
    assert "decide" not in repr(cs.estimate(cs.auc, y, s))


def test_means_are_held_up_unless_rows_differ() -> None:
    y, s, rng = sample(5)
    assert cs.estimate(cs.brier_score, y, s).note is None
    weight, groups = rng.uniform(0.1, 1, 400), np.arange(400) // 2
    assert cs.estimate(cs.brier_score, y, s, sample_weight=weight).note.startswith(TOLD)
    assert cs.estimate(cs.brier_score, y, s, groups=groups).note.startswith(TOLD)


def test_weights_are_why_few_rows_decide() -> None:
    y, s, _ = sample(200)
    heavy = np.where(y & (s < 0.15), 30.0, 1.0)
    assert cs.estimate(cs.auc, y, s).note is None
    assert cs.estimate(cs.auc, y, s, sample_weight=heavy).note.startswith(TOLD)


def test_so_are_classes_that_are_nearly_separated() -> None:
    y, s, _ = sample(200)
    found = cs.estimate(cs.auc, y, np.where(y, s + 2, s))
    assert found.note.startswith(f"{TOLD}of 200 ")
    assert few_rows([Sampled(cs.ScoreTable.from_predictions(y, s))]) is None


def test_an_evaluation_says_it_once_of_a_model() -> None:
    y, s, _ = sample(5)
    evaluation = cs.evaluate(y, {"one": s, "other": s}, intervals=True)
    model = evaluation.models["one"]
    note = model.intervals.note
    assert note == cs.estimate(cs.auc, y, s).note
    assert model.intervals.metrics["auc"].note == note
    assert model.intervals.metrics["brier"].note is None
    assert repr(evaluation).count(TOLD) == 1
    assert f"one, other: {note}" in evaluation.remarks()
    assert evaluation.to_dict()["models"]["one"]["notes"]["intervals"] == note
    y, s, _ = sample(200)
    enough = cs.evaluate(y, {"one": s}, intervals=True)
    assert enough.models["one"].intervals.note is None
    assert "intervals" not in enough.to_dict()["models"]["one"]["notes"]
    assert TOLD not in repr(enough)


def test_a_comparison_says_it_of_the_model_with_the_fewest() -> None:
    y, s, rng = sample(5)
    scores = {"one": s, "other": rng.random(400)}
    found = cs.compare(y, scores)
    tables = [cs.ScoreTable.from_predictions(y, one) for one in scores.values()]
    fewest = min(tables, key=lambda table: min(deciding_rows(table)))
    assert found.note == cs.estimate(cs.auc, fewest).note
    assert repr(found).count(TOLD) == found._repr_html_().count(TOLD) == 1
    assert cs.compare(y, scores, "brier").note is None
    y, s, rng = sample(200)
    assert cs.compare(y, {"one": s, "other": rng.random(400)}).note is None


def test_drift_says_it_of_either_sample() -> None:
    few, enough = (cs.ScoreTable.from_predictions(*sample(count)[:2]) for count in (5, 200))
    for before, after in ((few, enough), (enough, few)):
        found = cs.drift(before, after, ["auc"])
        assert found.note.startswith(f"{TOLD}of 5 positives")
        assert found.note in repr(found)
        assert found.to_dict()["notes"]["intervals"] == found.note
    quiet = cs.drift(enough, enough, ["auc"])
    assert quiet.note is None
    assert "intervals" not in quiet.to_dict()["notes"]


def test_the_bootstrap_says_it() -> None:
    y, s, _ = sample(5)
    found = cs.bootstrap(cs.auc, y, s, replicates=50, method="percentile")
    assert found.note in repr(found)
    assert found.interval("auc").note == found.note == cs.estimate(cs.auc, y, s).note
    y, s, _ = sample(200)
    assert cs.bootstrap(cs.auc, y, s, replicates=50, method="percentile").note is None


def test_bands_and_thresholds_need_no_word() -> None:
    """With 5 and 20 expected positives; of 300 samples a right one can be covered in 91 %."""
    for part in ("few_bands", "few_thresholds"):
        rows = read(TABLE.with_name(f"{part}.csv"))
        assert {float(row["prevalence"]) for row in rows} == {0.005, 0.02}
        assert all(float(row["coverage"]) >= 0.91 for row in rows)


def test_a_decision_says_it() -> None:
    decide = partial(cs.decide, conditions=cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.1))
    decision = decide(*sample(5)[:2])
    note = decision.evidence.note
    assert note.startswith(f"{TOLD}of 5 positives")
    assert decision.recommendation.text.endswith(note)
    assert decision.to_dict()["notes"] == {"intervals": note}
    quiet = decide(*sample(200)[:2])
    assert quiet.evidence.note is None
    assert quiet.to_dict()["notes"] == {}
    assert TOLD not in quiet.recommendation.text


COMMANDS = {
    "evaluate": ("--score", "one", "--intervals"),
    "compare": ("--score", "one", "--score", "other"),
    "decide": ("--score", "one", "--fp-cost", "1", "--fn-cost", "5", "--prevalence", "0.1"),
}


@pytest.mark.parametrize("command", list(COMMANDS))
@pytest.mark.parametrize("positives", [5, 200])
def test_commands_say_it_once(command: str, positives: int, tmp_path, capsys) -> None:
    y, s, rng = sample(positives)
    file = write_csv(tmp_path / "scores.csv", {"y": y * 1, "one": s, "other": rng.random(400)})
    asked = (command, file, "--label", "y", *COMMANDS[command])
    told = int(positives == 5)
    assert " ".join(run(capsys, *asked).split()).count(TOLD) == told
    found = json.loads(run(capsys, *asked, "--json"))
    notes = found["models"]["one"]["notes"] if command == "evaluate" else found["notes"]
    assert notes.get("intervals", "").count(TOLD) == told


def test_the_command_drift_says_it_once(tmp_path, capsys) -> None:
    for name, positives in (("few", 5), ("enough", 200)):
        y, s, _ = sample(positives)
        file = write_csv(tmp_path / f"{name}.csv", {"y": y * 1, "one": s})
        run(capsys, "tally", file, "--label", "y", "--score", "one", "-o", tmp_path / name)
    asked = ("drift", tmp_path / "few", tmp_path / "enough", "--metric", "auc")
    assert " ".join(run(capsys, *asked).split()).count(TOLD) == 1
    found = json.loads(run(capsys, *asked, "--json"))
    assert found["models"]["one"]["notes"]["intervals"].startswith(TOLD)

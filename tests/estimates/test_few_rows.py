"""Notes on intervals where few rows decide."""

import json
import re
from functools import partial

import numpy as np
import pytest
from command_line import run
from prediction_files import write_csv

import costspace as cs
from costspace.estimates.few_rows import (
    Fewest,
    deciding_rows,
    few_rows,
)
from costspace.estimates.model_samples import ModelSample
from costspace.samples.rows import ScoredRows

SHORT = "may be too narrow"
TOLD = f"Intervals {SHORT}: they rest on the equivalent of "


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
    found = deciding_rows(ModelSample(table, rows))
    np.testing.assert_allclose(found, by_definition(y, s, weight, groups))


def test_counts_are_so_many_rows_and_separated_classes_have_none_that_decide() -> None:
    y, s, _ = sample(12, 60)
    times = np.arange(60) % 3 + 1
    counted = cs.ScoreTable.from_predictions(y, s, sample_weight=times.astype(float))
    repeated = cs.ScoreTable.from_predictions(np.repeat(y, times), np.repeat(s, times))
    found = deciding_rows(ModelSample(counted, weights="counts"))
    np.testing.assert_allclose(found, deciding_rows(ModelSample(repeated)))
    assert deciding_rows(
        ModelSample(cs.ScoreTable.from_predictions([0, 0, 1, 1], [1, 2, 3, 4]))
    ) == (0, 0)


def test_a_note_gives_the_figures_of_what_is_asked_about() -> None:
    few = Fewest(13, 40, "positives", "negatives")
    assert few.note(["refinement_loss"]) is None
    assert few.note(["h_measure"]) == (
        f"{TOLD}13 of 40 positives, which score among the negatives. With so few, 95 % "
        "intervals of H held in 92 to 95 % of simulated samples."
    )
    assert few.note(["refinement_loss", "voros", "auc", "h_measure"]).endswith(
        "intervals of AUC held in 88 to 94 % of simulated samples, those of VOROS in 84 to 92 %."
    )
    enough = few._replace(deciding=20)
    assert enough.note(["auc", "h_measure"]) is None
    assert enough.note(["auc", "voros"]).endswith(
        "of VOROS held in 91 to 95 % of simulated samples."
    )
    assert few._replace(deciding=30).note(["voros"]) is None


def test_only_numbers_with_too_narrow_intervals_have_a_note() -> None:
    y, s, _ = sample(40)
    assert 15 < min(deciding_rows(ModelSample(cs.ScoreTable.from_predictions(y, s)))) < 30
    assert cs.estimate(y, s, metric=cs.auc).note is None
    assert "of VOROS held" in cs.estimate(y, s, metric=cs.voros).note
    assert "most rows" in cs.estimate(y, s, metric=partial(cs.voros, low=0.1)).note
    intervals = cs.evaluate(y, {"one": s}, intervals=True).models["one"].intervals
    for name in ("auc", "refinement_loss", "h_measure"):
        assert intervals.metrics[name].note is None
    assert intervals.metrics["voros"].note == cs.estimate(y, s, metric=cs.voros).note
    assert "of the optimal loss on the skew axis held" in intervals.note
    both = cs.bootstrap(y, s, metrics=[cs.auc, cs.voros], replicates=50, method="percentile")
    assert both.interval("auc").note is None
    assert both.interval("voros").note == both.note == cs.estimate(y, s, metric=cs.voros).note
    assert cs.compare(y, {"one": s, "other": s + 0.01 * (s > 0.5)}, metrics=["auc"]).note is None
    table = cs.ScoreTable.from_predictions(y, s)
    assert cs.drift(table, table, quantities=["auc", "h_measure"]).note is None
    assert "VOROS" in cs.drift(table, table, quantities=["auc", "voros"]).note


def test_an_estimate_from_too_few_rows_has_a_note() -> None:
    y, s, _ = sample(5)
    found = cs.estimate(y, s, metric=cs.auc)
    assert re.match(TOLD + r"[\d.]+ of 5 positives, which", found.note)
    assert found.note in repr(found)
    assert TOLD in found._repr_html_()
    y, s, _ = sample(200)
    assert cs.estimate(y, s, metric=cs.auc).note is None
    assert "decide" not in repr(cs.estimate(y, s, metric=cs.auc))


def test_means_have_a_note_only_with_weights_or_groups() -> None:
    y, s, rng = sample(5)
    assert cs.estimate(y, s, metric=cs.brier_score).note is None
    weight, groups = rng.uniform(0.1, 1, 400), np.arange(400) // 2
    assert cs.estimate(y, s, metric=cs.brier_score, sample_weight=weight).note.startswith(TOLD)
    assert cs.estimate(y, s, metric=cs.brier_score, groups=groups).note.startswith(TOLD)


def test_uneven_weights_make_few_rows_decide() -> None:
    y, s, _ = sample(200)
    heavy = np.where(y & (s < 0.1), 30.0, 1.0)
    assert cs.estimate(y, s, metric=cs.auc).note is None
    assert cs.estimate(y, s, metric=cs.auc, sample_weight=heavy).note.startswith(TOLD)


def test_nearly_separated_classes_have_a_note() -> None:
    y, s, _ = sample(200)
    found = cs.estimate(y, np.where(y, s + 2, s), metric=cs.auc)
    assert re.match(TOLD + r"[\d.]+ of 200 ", found.note)
    sample_of = ModelSample(cs.ScoreTable.from_predictions(y, s))
    assert few_rows([(sample_of, [("voros", False)])]) is None


def test_a_note_is_not_of_a_model_that_lacks_the_metric() -> None:
    (y, one, _), (_, other, _) = sample(12), sample(12, seed=1)
    both = {"one": one, "other": other}
    # They rank better, so fewer rows decide.
    scores = {**both, "points": 10 * (one + 0.5 * y)}
    groups = np.arange(len(y)) // 2
    of_points = cs.compare(y, scores, metrics="auc", groups=groups).note
    assert of_points.startswith(f"{TOLD}1.9 of 12 ")
    note = cs.compare(y, scores, metrics="brier", groups=groups).note
    assert note == cs.compare(y, both, metrics="brier", groups=groups).note
    assert note.startswith(f"{TOLD}2.8 of 12 ")


def test_an_evaluation_has_one_note_a_model() -> None:
    y, s, _ = sample(5)
    evaluation = cs.evaluate(y, {"one": s, "other": s}, intervals=True)
    model = evaluation.models["one"]
    note = model.intervals.note
    own = cs.estimate(y, s, metric=cs.auc).note
    assert note.startswith(own[:-1])
    assert note.endswith(", those of the optimal loss on the skew axis in 70 to 82 %.")
    assert model.intervals.metrics["auc"].note == own
    assert model.intervals.metrics["brier"].note is None
    assert repr(evaluation).count(TOLD) == 1
    assert f"one, other: {note}" in evaluation.remarks()
    assert evaluation.to_dict()["models"]["one"]["notes"]["intervals"] == note
    y, s, _ = sample(200)
    enough = cs.evaluate(y, {"one": s}, intervals=True)
    assert enough.models["one"].intervals.note is None
    assert "intervals" not in enough.to_dict()["models"]["one"]["notes"]
    assert TOLD not in repr(enough)


def test_a_comparison_has_the_note_of_the_model_with_the_fewest_rows() -> None:
    y, s, rng = sample(5)
    scores = {"one": s, "other": rng.random(400)}
    found = cs.compare(y, scores)
    tables = [cs.ScoreTable.from_predictions(y, one) for one in scores.values()]
    fewest = min(tables, key=lambda table: min(deciding_rows(ModelSample(table))))
    assert found.note.startswith(cs.estimate(fewest, metric=cs.auc).note[:-1])
    assert found.note.endswith(", those of VOROS in 27 to 74 %.")
    assert cs.compare(y, scores, metrics="auc").note == cs.estimate(fewest, metric=cs.auc).note
    assert repr(found).count(TOLD) == found._repr_html_().count(TOLD) == 1
    assert cs.compare(y, scores, metrics="brier").note is None
    y, s, rng = sample(200)
    assert cs.compare(y, {"one": s, "other": rng.random(400)}).note is None


def test_drift_has_a_note_for_each_sample() -> None:
    few, enough = (cs.ScoreTable.from_predictions(*sample(count)[:2]) for count in (5, 200))
    for before, after in ((few, enough), (enough, few)):
        found = cs.drift(before, after, quantities=["auc"])
        assert re.match(TOLD + r"[\d.]+ of 5 positives", found.note)
        assert found.note in repr(found)
        assert found.to_dict()["notes"]["intervals"] == found.note
    quiet = cs.drift(enough, enough, quantities=["auc"])
    assert quiet.note is None
    assert "intervals" not in quiet.to_dict()["notes"]


def test_the_bootstrap_has_the_note() -> None:
    y, s, _ = sample(5)
    found = cs.bootstrap(y, s, metrics=cs.auc, replicates=50, method="percentile")
    assert found.note in repr(found)
    assert found.interval("auc").note == found.note == cs.estimate(y, s, metric=cs.auc).note
    y, s, _ = sample(200)
    assert cs.bootstrap(y, s, metrics=cs.auc, replicates=50, method="percentile").note is None


def test_a_decision_mentions_few_rows_first() -> None:
    decide = partial(cs.decide, conditions=cs.Deployment(fp_cost=1, fn_cost=5, prevalence=0.1))
    few = decide(*sample(5)[:2]).recommendation
    assert few.told[0].startswith("The rarer class has 5 rows: they cannot tell well what anything")
    enough = decide(*sample(200)[:2]).recommendation
    assert "rarer class" not in enough.text


COMMANDS = {
    "evaluate": ("--score", "one", "--intervals"),
    "compare": ("--score", "one", "--score", "other"),
}


@pytest.mark.parametrize("command", list(COMMANDS))
@pytest.mark.parametrize("positives", [5, 200])
def test_commands_print_the_note_once(command: str, positives: int, tmp_path, capsys) -> None:
    y, s, rng = sample(positives)
    file = write_csv(tmp_path / "scores.csv", {"y": y * 1, "one": s, "other": rng.random(400)})
    asked = (command, file, "--label", "y", *COMMANDS[command])
    told = int(positives == 5)
    assert " ".join(run(capsys, *asked).split()).count(SHORT) == told
    found = json.loads(run(capsys, *asked, "--json"))
    notes = found["models"]["one"]["notes"] if command == "evaluate" else found["notes"]
    assert notes.get("intervals", "").count(TOLD) == told


def test_the_command_drift_prints_the_note_once(tmp_path, capsys) -> None:
    for name, positives in (("few", 5), ("enough", 200)):
        y, s, _ = sample(positives)
        file = write_csv(tmp_path / f"{name}.csv", {"y": y * 1, "one": s})
        run(capsys, "tally", file, "--label", "y", "--score", "one", "-o", tmp_path / name)
    asked = ("drift", tmp_path / "few", tmp_path / "enough", "--metric", "auc")
    assert " ".join(run(capsys, *asked).split()).count(SHORT) == 1
    assert " ".join(run(capsys, *asked, "--details").split()).count(TOLD) == 1
    found = json.loads(run(capsys, *asked, "--json"))
    assert found["models"]["one"]["notes"]["intervals"].startswith(TOLD)

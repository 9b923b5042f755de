"""`costspace evaluate` as a user and as a program see it."""

import contextlib
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command_line import as_json, refused, run, scored
from prediction_files import write_csv

import costspace as cs
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.cli.evaluation_answer import answers_of
from costspace.cli.lines import wrapped
from costspace.cli.options import parse_costs

METRICS, CHOICES = list(cs.metrics.METRICS), list(PARAMETER_FREE)


@pytest.fixture
def data():
    rng = np.random.default_rng(3)
    labels = rng.integers(0, 2, 500)
    good = np.clip(rng.normal(0.35 + 0.3 * labels, 0.2), 0, 1)
    return {
        "y_true": labels,
        "logistic": good,
        "forest": good.round(1),
        "margin": 4 * good - 2,
        "w": rng.integers(0, 4, 500),
    }


@pytest.fixture
def file(data, tmp_path):
    return write_csv(tmp_path / "predictions.csv", data)


def test_json_has_the_agreed_keys_and_the_library_s_numbers(file, data, capsys):
    out = run(
        capsys, "evaluate", file, "--label", "y_true", "--score", "logistic", "--score", "forest",
        "--weight", "w", "--prevalence", "0.2", "--costs", "beta(2,3.5)", "--json",
    )  # fmt: skip
    result = json.loads(out)
    weight = {"sample_weight": data["w"]}
    assert list(result) == ["source", "condition", "models"]
    positives = int(data["y_true"].sum())
    assert result["source"] == {
        "path": str(file), "rows": 500, "negatives": 500 - positives, "positives": positives,
    }  # fmt: skip
    assert result["condition"] == {"axis": "cost", "prevalence": 0.2, "costs": "beta(2,3.5)"}
    assert list(result["models"]) == ["logistic", "forest"]
    for name, model in result["models"].items():
        assert list(model["metrics"]) == METRICS
        assert list(model["expected_loss"]) == ["cost", "skew"]
        assert all(list(by_choice) == CHOICES for by_choice in model["expected_loss"].values())
        table = cs.ScoreTable.from_predictions(data["y_true"], data[name], **weight)
        shifted = table.with_prevalence(0.2)
        # Sums over distinct scores round otherwise than sums over rows.
        assert model["metrics"]["h_measure"] == pytest.approx(cs.h_measure(shifted), rel=1e-12)
        assert model["metrics"]["brier"] == pytest.approx(cs.brier_score(shifted), rel=1e-12)
        for axis in ("cost", "skew"):
            loss = cs.expected_loss(shifted, choice=cs.Optimal(), costs=cs.Beta(2, 3.5), axis=axis)
            assert model["expected_loss"][axis]["optimal"] == pytest.approx(loss, rel=1e-12)


def test_json_identities(file, capsys):
    out = run(capsys, "evaluate", file, "--label", "y_true", "--score", "logistic", "--json")
    model = json.loads(out)["models"]["logistic"]
    metrics, losses = model["metrics"], model["expected_loss"]
    assert losses["cost"]["score_driven"] == metrics["brier"]
    assert losses["skew"]["score_uniform"] == metrics["macro_mae"]
    assert losses["cost"]["optimal"] == metrics["refinement_loss"]
    assert metrics["miscalibration"] == metrics["brier"] - metrics["refinement_loss"]


def test_a_number_without_meaning_is_null_with_its_reason(file, capsys):
    out = run(capsys, "evaluate", file, "--label", "y_true", "--score", "margin", "--json")
    model = json.loads(out)["models"]["margin"]
    assert model["metrics"]["brier"] is None
    assert "calibrate" in model["notes"]["brier"]
    assert model["expected_loss"]["skew"]["score_driven"] is None
    assert "expected_loss.skew.score_driven" in model["notes"]
    assert model["expected_loss"]["cost"]["score_fixed"] is not None


def test_the_table_is_for_people(file, capsys):
    asked = ("evaluate", file, "--label", "y_true", "--score", "logistic", "--score", "margin")
    asked += ("--axis", "skew")
    out = run(capsys, *asked)
    assert "500 rows (" in out
    assert "expected loss on the skew axis, uniform(0,1)" in out
    assert "margin: the Brier score needs scores in [0, 1]" in out
    details = run(capsys, *asked, "--details")
    assert all(name in details for name in [*METRICS, *CHOICES, "logistic", "margin"])


def sentence(page):
    """The first lines of a page as one."""
    return " ".join(page.partition("\n\n")[0].split())


PROBABILITIES, LEARNED = "probabilities", "thresholds learned from labels"


@pytest.mark.parametrize(
    ("more", "lead", "known"),
    [
        ((), "brier", "unknown costs"),
        (("--axis", "skew"), "score_driven", "unknown skews"),
        (("--costs", "0.1:0.3"), "score_driven", "costs uniform(0.1,0.3)"),
        (("--costs", "0.5", "--axis", "skew"), "score_driven", "skews point(0.5)"),
    ],
)
def test_the_number_that_fits_what_is_known_says_who_is_best(file, capsys, more, lead, known):
    names = ("logistic", "forest")
    asked = ("evaluate", file, "--label", "y_true", *scored(names), *more)
    told, found = sentence(run(capsys, *asked)), as_json(capsys, *asked)
    axis = found["condition"]["axis"]
    numbers = {
        name: model["metrics"] | model["expected_loss"][axis]
        for name, model in found["models"].items()
    }
    who = {
        quantity: min(names, key=lambda name: sign * numbers[name][quantity])
        for quantity, sign in ((lead, 1), ("optimal", 1), ("auc", -1))
    }
    first, *others = told.removesuffix(".").split("; ")
    assert first == f"{who[lead]} is best by {lead}, which fits {PROBABILITIES} at {known}"
    said = {}
    for part in others:
        subject, _, by = part.partition(" by ")
        for one in by.split(" and "):
            said[one.partition(" ")[0]] = who[lead] if subject == "also" else subject
    assert said == {name: best for name, best in who.items() if name != lead}


def test_of_one_model_the_numbers_of_each_use_are_said(file, capsys):
    asked = ("evaluate", file, "--label", "y_true", "--score", "logistic")
    found = as_json(capsys, *asked)["models"]["logistic"]
    brier, auc = found["metrics"]["brier"], found["metrics"]["auc"]
    least = found["expected_loss"]["cost"]["optimal"]
    assert sentence(run(capsys, *asked)) == (
        f"logistic: brier {brier:.4f}, which fits {PROBABILITIES} at unknown costs; optimal "
        f"{least:.4f} for {LEARNED}; auc {auc:.4f} for ranks alone."
    )


def test_scores_that_are_no_probabilities_are_judged_by_learned_thresholds(file, capsys):
    names = ("logistic", "forest", "margin")
    asked = ("evaluate", file, "--label", "y_true", *scored(names))
    assert sentence(run(capsys, *asked)) == (
        f"logistic and margin are equally best by optimal, which fits {LEARNED} at unknown costs; "
        "also by auc for ranks alone."
    )


def test_columns_that_are_equal_are_equally_good(tmp_path, capsys):
    generator = np.random.default_rng(2)
    y = (generator.random(300) < 0.4).astype(int)
    s = 1 / (1 + np.exp(-generator.normal(2 * y - 1)))
    poor = np.clip(s + generator.normal(0, 0.4, 300), 0, 1)
    columns = {
        "y": y,
        "a": s,
        "copy": s,
        "single": s.astype(np.float32).astype(float),
        "poor": poor,
    }
    path = write_csv(tmp_path / "same.csv", columns)

    def answer(*names):
        return sentence(run(capsys, "evaluate", path, "--label", "y", *scored(names)))

    every = (
        f" by brier, which fits {PROBABILITIES} at unknown costs; also by optimal for {LEARNED} "
        "and auc for ranks alone."
    )
    assert answer("a", "copy") == f"a and copy are equally good{every}"
    assert answer("a", "single") == f"a and single are equally good{every}"
    assert answer("single", "copy", "a") == f"single, copy and a are equally good{every}"
    assert answer("poor", "single", "a") == f"single and a are equally best{every}"
    assert answer("a", "poor") == f"a is best{every}"


def told(best):
    """What answers say where these models are best by the Brier score, the least loss and AUC."""
    names = list(dict.fromkeys(name for models in best for name in models))
    evaluation = cs.evaluate([0, 1, 0, 1], {name: [0.1, 0.4, 0.3, 0.8] for name in names})
    brier, least, auc = best
    models = {
        name: replace(
            model,
            metrics=model.metrics | {"brier": float(name not in brier), "auc": float(name in auc)},
            expected_loss={
                axis: losses | {"optimal": float(name not in least)}
                for axis, losses in model.expected_loss.items()
            },
        )
        for name, model in evaluation.models.items()
    }
    return [one.text for one in answers_of(replace(evaluation, models=models))]


def test_an_answer_gets_shorter_down_to_who_leads():
    first = "a is best by brier, which fits probabilities at unknown costs"
    assert told([("a",), ("b", "c"), ("d",)]) == [
        f"{first}; b and c equally by optimal for {LEARNED}; d by auc for ranks alone.",
        f"{first}; b and c equally by optimal; d by auc.",
        f"{first}.",
        "a is best by brier.",
    ]
    many = ("b", "c", "d", "e")
    assert told([("a",), many, many])[1] == f"{first}; 4 models equally by optimal and auc."
    assert told([many, ("a",), many])[1] == (
        "4 models are equally best by brier, which fits probabilities at unknown costs; also by "
        "auc; a by optimal."
    )


def test_the_last_answer_fits_three_lines_whatever_models_are_called():
    names = tuple("m" * 70 + end for end in "abc")
    *_, last = told([names, names, ("d",)])
    assert last.startswith("mmm")
    assert len(wrapped(last)) <= 3


def test_of_bounds_one_that_is_not_known_is_best(file, capsys):
    asked = ("evaluate", file, "--label", "y_true", *scored(("logistic", "margin")), "--bins", "9")
    assert sentence(run(capsys, *asked)).startswith("logistic or margin is best by optimal, ")


def test_a_loss_at_thresholds_off_the_scale_of_the_scores_is_never_the_best(tmp_path, capsys):
    path = tmp_path / "points.csv"
    # Thresholds from 0 to 1 flag every row by its points, which costs least at this prevalence.
    scores = [(1, 0.1), (0, 0.9)] * 40
    rows = [f"{y},{p},{y * 100 + 600 + i % 50}" for i, (y, p) in enumerate(scores)]
    path.write_text("\n".join(["y,p,points", *rows]) + "\n")
    asked = ("evaluate", str(path), "--label", "y", "--score", "p", "--score", "points")
    found = as_json(capsys, *asked)["models"]
    losses = {name: model["expected_loss"]["cost"] for name, model in found.items()}
    for method in ("score_fixed", "score_uniform"):
        assert losses["points"][method] < losses["p"][method]
    page = run(capsys, *asked)
    assert re.search(r"^score_fixed +[\d.]+ +–$", page, re.MULTILINE)
    # What only one model has a number of has no best, as brier and score_driven here.
    assert sentence(page) == (
        f"points is best by optimal, which fits {LEARNED} at unknown costs; also by auc for ranks "
        "alone."
    )


def test_numbers_have_four_decimals_or_three_digits(file, capsys):
    asked = ("evaluate", file, "--label", "y_true", "--score", "logistic")
    found = as_json(capsys, *asked)["models"]["logistic"]["metrics"]
    pairs = (line.split() for line in run(capsys, *asked).splitlines())
    rows = dict(pair for pair in pairs if len(pair) == 2)
    for name in ("auc", "brier", "miscalibration"):
        decimals = max(4, 3 - math.ceil(math.log10(found[name])))
        assert rows[name] == f"{found[name]:.{decimals}f}"


def test_digits_follow_the_interval(file, capsys):
    asked = ("evaluate", file, "--label", "y_true", "--score", "logistic", "--intervals")
    found = as_json(capsys, *asked)["models"]["logistic"]
    out = run(capsys, *asked)
    for name in ("auc", "brier", "h_measure"):
        ends = found["intervals"][name]
        shown = re.search(rf"^{name} +([\d.]+) \(([\d.]+) to ([\d.]+)\)$", out, re.MULTILINE)
        width = ends["high"] - ends["low"]
        for text, value in zip(
            shown.groups(), (found["metrics"][name], ends["low"], ends["high"]), strict=True
        ):
            assert float(text) == pytest.approx(value, abs=width / 20)
            assert 10.0 ** -len(text.partition(".")[2]) > width / 1000


def test_bounds_are_rounded_outward(file, capsys):
    asked = ("evaluate", file, "--label", "y_true", "--score", "logistic", "--bins", "30")
    found = as_json(capsys, *asked)["models"]["logistic"]["bounds"]
    out = run(capsys, *asked, "--details")
    told = 0
    for name in METRICS:
        shown = re.search(rf"^{name} +[\d.]+\n +([\d.]+) to ([\d.]+)$", out, re.MULTILINE)
        if shown:
            told += 1
            low, high = found[name]
            assert float(shown[1]) <= low + 1e-12
            assert high - 1e-12 <= float(shown[2])
    assert told >= 4


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--score", "logistc"], "has no column 'logistc': did you mean 'logistic'?"),
        (["--score", "logistic", "--prevalence", "1"], "prevalence must be in (0, 1), got 1."),
        (["--score", "logistic", "--prevalence", "few"], "--prevalence"),
        (["--score", "logistic", "--axis", "roc"], "--axis"),
        (["--score", "logistic", "--costs", "gamma(2,2)"], "got 'gamma(2,2)'"),
        (["--score", "logistic", "--costs", "uniform(0.5,0.1)"], "low must be below high"),
        (["--score", "logistic", "--positive", "2"], "'2' is not among them"),
        (["--score", "logistic", "--frobnicate", "2"], "--frobnicate"),
        (["--score", "logistic", "--costs", "5:20"], "times a false positive, give 0.0476:0.167."),
        (["--weight", "w"], "score"),
    ],
)
def test_bad_input_is_one_line_and_status_2(file, capsys, arguments, message):
    assert message in refused(capsys, "evaluate", file, "--label", "y_true", *arguments)


@pytest.fixture
def folder(data, tmp_path):
    """The file's rows in Parquet, in folders of two days; in one site there is one class."""
    site = np.where(data["logistic"] < 0.4, "north", "south")
    site[data["y_true"] * data["logistic"] > 0.9] = "top"
    for day, rows in (("1", slice(0, 200)), ("2", slice(200, None))):
        path = tmp_path / "days" / f"day={day}" / "part.parquet"
        path.parent.mkdir(parents=True)
        columns = {name: values[rows] for name, values in (data | {"site": site}).items()}
        pq.write_table(pa.table(columns), path)
    return tmp_path / "days"


MODELS = ("--label", "y_true", "--score", "logistic", "--score", "forest")


def approximately(found):
    """Nested numbers, which sums in another order may have moved in the last digits."""
    if isinstance(found, dict):
        return {name: approximately(value) for name, value in found.items()}
    if isinstance(found, list):
        return [approximately(value) for value in found]
    return pytest.approx(found, rel=1e-12, abs=1e-15) if isinstance(found, float) else found


@pytest.mark.parametrize("weighted", [(), ("--weight", "w")])
@pytest.mark.parametrize("what", ["folder", "glob", "intervals"])
def test_a_folder_is_evaluated_as_one_file(file, folder, what, weighted, capsys):
    more = ("--intervals",) if what == "intervals" else ()
    path = folder / "*" / "*.parquet" if what == "glob" else folder
    one = as_json(capsys, "evaluate", file, *MODELS, *weighted, *more)
    found = as_json(capsys, "evaluate", path, *MODELS, *weighted, *more)
    assert found["source"].pop("path") == str(path)
    assert one["source"].pop("path") == str(file)
    assert found == approximately(one)


@pytest.mark.parametrize("more", [(), ("--intervals",), ("--weight", "w"), ("--bins", "64")])
def test_segments_are_evaluated_beside_the_whole(file, folder, more, capsys):
    whole = as_json(capsys, "evaluate", folder, *MODELS, *more)
    found = as_json(capsys, "evaluate", folder, *MODELS, *more, "--by", "site")
    segments = found.pop("segments")
    assert found == approximately(whole)
    assert [segment["by"] for segment in segments] == [
        {"site": "north"},
        {"site": "south"},
        {"site": "top"},
    ]
    *evaluated, refused_one = segments
    assert refused_one["reason"].startswith("there is no negative row")
    assert refused_one["source"]["negatives"] == 0
    assert sum(s["source"]["rows"] for s in segments) == 500
    for segment in evaluated:
        assert list(segment["models"]) == ["logistic", "forest"]
        assert all(list(model["metrics"]) == METRICS for model in segment["models"].values())


def test_a_segment_s_numbers_are_those_of_its_rows(data, folder, capsys):
    out = run(capsys, "evaluate", folder, *MODELS, "--by", "day", "--by", "site", "--json")
    segments = json.loads(out)["segments"]
    chosen = (np.arange(500) >= 200) & (data["logistic"] < 0.4)
    table = cs.ScoreTable.from_predictions(data["y_true"][chosen], data["forest"][chosen])
    (segment,) = (s for s in segments if s["by"] == {"day": "2", "site": "north"})
    assert segment["source"]["rows"] == chosen.sum()
    assert segment["models"]["forest"]["metrics"]["auc"] == pytest.approx(table.auc, rel=1e-12)


def test_segments_are_a_table_with_reasons(folder, capsys):
    asked = ("evaluate", folder, *MODELS, "--by", "site", "--axis", "skew")
    out = run(capsys, *asked)
    assert out.startswith("Best by AUC, in 2 segments by site: ")
    table = out.split("\n\n")[1].splitlines()
    assert table[0].split() == [
        *("site", "model", "rows", "prevalence", "auc", "brier", "h_measure", "optimal", "loss"),
    ]
    assert [line.split()[:2] for line in table[1:]] == [
        *(["all", "logistic"], ["all", "forest"]),
        *(["south", "logistic"], ["south", "forest"]),
        *(["north", "logistic"], ["north", "forest"]),
        ["top", "–"],
    ]
    assert "\nsite top: there is no negative row" in out
    details = run(capsys, *asked, "--details")
    assert "segments by site\n" in details
    assert all(name in details for name in [*METRICS, *CHOICES, "north", "south", "top"])


def test_the_segments_of_one_model_are_led_by_those_with_most_rows(tmp_path, capsys):
    sizes = {"large": 120, "middling": 80, "mild": 60, "tiny": 4}
    site = np.repeat(list(sizes), list(sizes.values()))
    rng = np.random.default_rng(0)
    scored = zip(rng.permutation(264) % 2, rng.random(264), site, strict=True)
    rows = [f"{y},{s:.3f},{at}" for y, s, at in scored]
    file = tmp_path / "sites.csv"
    file.write_text("\n".join(["y,m,site", *rows]) + "\n")
    asked = ("evaluate", file, "--label", "y", "--score", "m", "--by", "site")
    found = {one["by"]["site"]: one for one in as_json(capsys, *asked)["segments"]}
    aucs = [found[name]["models"]["m"]["metrics"]["auc"] for name in list(sizes)[:3]]
    lost = {
        name: one["source"]["rows"] * one["models"]["m"]["expected_loss"]["cost"]["optimal"]
        for name, one in found.items()
    }
    out = run(capsys, *asked)
    first = " ".join(out.partition("\n\n")[0].split())
    percent = 100 * (1 - lost["tiny"] / sum(lost.values()))
    assert first.startswith(
        f"By site, large, middling and mild have 98.5 % of the rows and {percent:.3g} % of the "
        f"optimal loss: the AUC of m is {aucs[0]:.4f}, {aucs[1]:.4f} and {aucs[2]:.4f} there, and "
    )
    assert [line.split()[0] for line in out.split("\n\n")[1].splitlines()[2:]] == list(sizes)
    told = " ".join(run(capsys, *asked, "--intervals").partition("\n\n")[0].split())
    assert f"the AUC of m is {aucs[0]:.2f}" in told
    assert told.count(" to ") == 4


@pytest.mark.parametrize("engine", ["duckdb", "polars", "dask"])
def test_engines_give_the_same_numbers(folder, engine, capsys):
    pytest.importorskip({"dask": "dask.dataframe"}.get(engine, engine))
    asked = ("evaluate", folder, *MODELS, "--weight", "w", "--by", "day", "--json")
    expected = json.loads(run(capsys, *asked))
    assert json.loads(run(capsys, *asked, "--engine", engine)) == approximately(expected)


def test_files_that_do_not_fit_in_memory_are_counted(folder, capsys, monkeypatch):
    asked = ("evaluate", folder, *MODELS, "--intervals", "--by", "site", "--json")
    expected = json.loads(run(capsys, *asked))
    monkeypatch.setattr("costspace.cli.evaluate.evaluate_rows", None)
    monkeypatch.setattr("costspace.cli.evaluate.fits", lambda *_: False)
    assert json.loads(run(capsys, *asked)) == approximately(expected)


def test_bins_give_bounds_around_the_exact_numbers(file, capsys):
    exact = as_json(capsys, "evaluate", file, *MODELS)
    found = as_json(capsys, "evaluate", file, *MODELS, "--bins", "16")
    for name, model in found["models"].items():
        expected = exact["models"][name]
        for metric, value in expected["metrics"].items():
            low, high = model["bounds"][metric]
            assert low - 1e-12 <= value <= high + 1e-12
            assert model["metrics"][metric] == pytest.approx((low + high) / 2)
        for axis, losses in expected["expected_loss"].items():
            for choice, value in losses.items():
                low, high = model["bounds"]["expected_loss"][axis][choice]
                assert low - 1e-12 <= value <= high + 1e-12
    assert (
        found["models"]["logistic"]["bounds"]["auc"][0]
        < exact["models"]["logistic"]["metrics"]["auc"]
    )
    page = run(capsys, "evaluate", file, *MODELS, "--bins", "16")
    assert "within the bounds, for certain" in " ".join(page.split())


def test_bins_are_refined_until_bounds_are_as_narrow_as_asked(tmp_path, capsys):
    rng = np.random.default_rng(5)
    s = rng.random(20_000)
    # Most scores are close to 0 or 1.
    columns = {"y_true": s > rng.random(20_000), "model": 1 / (1 + np.exp(-30 * (s - 0.5)))}
    path = tmp_path / "saturated.parquet"
    pq.write_table(pa.table(columns), path)
    asked = ("evaluate", path, "--label", "y_true", "--score", "model", "--bins", "512")
    wide = as_json(capsys, *asked)
    narrow = as_json(capsys, *asked, "--width", "0.05")
    width = [np.ptp(found["models"]["model"]["bounds"]["auc"]) for found in (wide, narrow)]
    assert width[1] <= 0.05 < width[0]
    assert "more --bins narrow them" not in run(capsys, *asked, "--width", "0.05")
    assert "more --bins narrow them" in run(capsys, *asked, "--width", "1e-12")


@pytest.mark.parametrize("bins", [(), ("--bins", "16")])
def test_a_saved_table_is_evaluated_as_its_rows(file, tmp_path, bins, capsys):
    saved = tmp_path / "saved.parquet"
    run(capsys, "tally", file, *MODELS, *bins, "-o", saved)
    expected = as_json(capsys, "evaluate", file, *MODELS, *bins)
    expected["source"]["path"] = str(saved)
    assert as_json(capsys, "evaluate", saved) == approximately(expected)
    one = as_json(capsys, "evaluate", saved, "--score", "forest")
    assert list(one["models"]) == ["forest"]
    message = refused(capsys, "evaluate", saved, "--by", "site")
    assert message == (
        "--by needs rows, and a saved table keeps none: leave it out, or name the file of "
        "predictions and its --label."
    )
    message = refused(capsys, "evaluate", saved, "--score", "forst")
    assert "'forest'" in message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--width", "0.1"], "--width is for scores in bins: add --bins."),
        (["--level", "0.9"], "--level is for intervals: add --intervals."),
        (["--intervals", "--bins", "9"], "--bins gives bounds: leave out one."),
        (
            ["--intervals", "--groups", "y_true", "--engine", "polars"],
            "--groups needs rows in memory: leave out --engine.",
        ),
        (["--by", "sit"], "has no column 'sit'"),
        (["--bins", "0"], "--bins"),
        (["--width", "0", "--bins", "9"], "--width"),
        (["--engine", "pandas"], "--engine"),
    ],
)
def test_options_that_do_not_go_together(file, capsys, arguments, message):
    assert message in refused(capsys, "evaluate", file, *MODELS, *arguments)


def test_a_label_is_needed_unless_the_table_is_saved(file, capsys):
    message = refused(capsys, "evaluate", file, "--score", "forest")
    assert message.startswith(f"--label is missing: which column of {file} holds the labels?")


def test_names_from_the_file_cannot_steer_the_terminal(tmp_path, capsys):
    path = tmp_path / "evil.csv"
    path.write_text('y,"\x1b[31m[red]x[/red]"\n0,0.1\n1,0.2\n')
    out = run(capsys, "evaluate", path, "--label", "y", "--score", "\x1b[31m[red]x[/red]")
    assert "\x1b[31m" not in out
    assert "[red]x[/red]" in out
    assert "\x1b" not in refused(capsys, "evaluate", path, "--label", "y", "--score", "\x1b[31m")


@pytest.mark.parametrize(
    ("text", "costs"),
    [
        ("uniform(0,1)", cs.Uniform()),
        (" uniform( 0.1 , 0.4 ) ", cs.Uniform(0.1, 0.4)),
        ("beta(2,2)", cs.Beta(2, 2)),
        ("point(0.2)", cs.Point(0.2)),
        ("0.1:0.4", cs.Uniform(0.1, 0.4)),
        (" 0 : 1 ", cs.Uniform()),
        ("0.2", cs.Point(0.2)),
        ("0.2:0.2", cs.Point(0.2)),
    ],
)
def test_costs_are_written_as_they_are_read(text, costs):
    assert parse_costs(text) == costs
    assert parse_costs(str(costs)) == costs


@pytest.mark.parametrize(
    "text",
    [
        *("", "beta", "beta(2)", "beta(2,2,2)", "uniform(a,b)", "beta(2,2"),
        *("0.1:0.2:0.3", "0.2:0.2:0.2", "0:", ":", "0.1:nan", "uniform(0,1_0)", "point(\u0660.2)"),
    ],
)
def test_costs_that_cannot_be_read(text):
    with pytest.raises(cs.ConditionError, match="--costs must be like"):
        parse_costs(text)


def test_what_the_error_offers_can_be_read():
    with pytest.raises(cs.ConditionError) as told:
        parse_costs("normal")
    (offered,) = re.findall("like (.*), got", str(told.value))
    read = [parse_costs(text) for text in re.split(", | or ", offered)]
    assert {type(costs) for costs in read} >= {cs.Uniform, cs.Beta, cs.Point}
    assert [parse_costs(str(costs)) for costs in read] == read


@pytest.mark.parametrize("text", ["0.4:0.1", "10:100", "5", "-0.1", "point(2)", "beta(0,1)"])
def test_impossible_costs_are_refused(text):
    with pytest.raises(cs.ConditionError, match=re.escape(f"--costs {text}: ")):
        parse_costs(text)


def test_the_command_is_installed(file):
    command = [sys.executable, "-m", "costspace.cli", "evaluate", str(file), "--label", "y_true"]
    done = subprocess.run(
        [*command, "--score", "forest"], check=False, capture_output=True, text=True
    )
    assert done.returncode == 0
    assert done.stderr == ""
    assert "forest" in done.stdout
    failed = subprocess.run(
        [*command, "--score", "none"], check=False, capture_output=True, text=True
    )
    assert failed.returncode == 2
    assert failed.stdout == ""


def start(file, *arguments, **options):
    # What runs the tests in the background may have them ignore interrupts.
    command = ["env", "--default-signal=INT", sys.executable, "-m", "costspace.cli", "evaluate"]
    return subprocess.Popen(
        [*command, str(file), "--label", "y_true", "--score", "logistic", *arguments],
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )


def test_a_closed_pipe_is_no_error(file):
    with start(file, "--json", stdout=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 0


def test_a_full_disk_is_one_line(file):
    with Path("/dev/full").open("w") as full, start(file, stdout=full) as process:
        message = process.stderr.read()
    assert message == "costspace: standard output: No space left on device.\n"
    assert process.returncode == 2


def test_a_terminal_without_the_characters_still_gets_the_table(file):
    environment = {**os.environ, "PYTHONIOENCODING": "ascii"}
    with start(file, "--score", "margin", stdout=subprocess.PIPE, env=environment) as process:
        out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    assert "brier" in out


def test_interrupting_ends_quietly(file, tmp_path):
    long = tmp_path / "long.csv"
    long.write_text("y_true,logistic\n" + "0,0.123456\n1,0.654321\n" * 4_000_000)
    with start(long, stdout=subprocess.PIPE) as process:
        # Interrupt once the query runs, a moment after the command has first opened the file.
        descriptors = Path(f"/proc/{process.pid}/fd")
        while process.poll() is None:
            with contextlib.suppress(OSError):
                if any(link.resolve() == long for link in descriptors.iterdir()):
                    time.sleep(0.2)
                    process.send_signal(signal.SIGINT)
                    break
            time.sleep(0.01)
        out, err = process.communicate()
    assert (process.returncode, out, err) == (130, "", "")


def test_an_input_is_never_written_over(file, capsys):
    before = file.read_bytes()
    what = ["--label", "y_true", "--score", "logistic", "-o", file]
    for command in ("evaluate", "tally"):
        message = refused(capsys, command, file.parent / "*.csv", *what)
        assert message == f"{file} is read too: write to another file."
    pair = ["--score", "random_forest", "--prevalence", "0.2"]
    for command in (["compare"], ["decide", "--fp-cost", "1", "--fn-cost", "5"]):
        message = refused(capsys, *command, file, *what, *pair)
        assert message == f"{file} is read too: write to another file."
    assert file.read_bytes() == before


@pytest.mark.parametrize("engine", [None, "duckdb", "polars"])
def test_segments_of_any_type_are_named_in_json(tmp_path, capsys, engine):
    zone = pa.timestamp("us", "Europe/Berlin")
    times = pa.array([0, 1_500_000] * 2, pa.timestamp("us")).cast(pa.timestamp("us", "UTC"))
    columns = {
        "day": times.cast(zone),
        "level": [-math.inf, 0.5, -math.inf, math.nan],
        "y": [0, 1, 1, 0],
        "s": [0.1, 0.2, 0.3, 0.4],
    }
    path = tmp_path / "typed.parquet"
    pq.write_table(pa.table(columns), path)
    what = ["--label", "y", "--score", "s", "--json"]
    what += ["--by"] if engine is None else ["--engine", engine, "--by"]
    for by, names in (
        ("day", ["1970-01-01 00:00:00+00", "1970-01-01 00:00:01.5+00"]),
        ("level", ["-inf", 0.5, None]),
    ):
        found = json.loads(run(capsys, "evaluate", path, *what, by))
        assert [segment["by"][by] for segment in found["segments"]] == names


def test_engines_say_alike_that_a_class_is_missing(tmp_path, capsys):
    path = tmp_path / "one.csv"
    path.write_text("y,s\n0,0.1\n0,0.2\n")
    for engine in ([], ["--engine", "duckdb"], ["--engine", "polars"]):
        message = refused(capsys, "evaluate", path, "--label", "y", "--score", "s", *engine)
        assert message == f"column 'y' of {path} has only one class, '0': both are needed."

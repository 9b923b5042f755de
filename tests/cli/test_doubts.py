"""Every command says what scores look like in its answer, and prints no raw warning."""

import csv
from pathlib import Path

import numpy as np
import pytest
from command_line import as_json, in_a_line, run, scored

Y = np.tile([0, 0, 1], 30)
P = np.linspace(0.05, 0.6, 90) + 0.3 * Y
OVER = np.where(np.arange(90) == 89, 1.0000001, P)
COLUMNS = {
    "label": Y,
    "percent": 100 * P,
    "one": np.full(90, 0.5),
    "p": P,
    "over": OVER,
    "minus": 1 - P,
}
DECIDE = ("--fp-cost", "1", "--fn-cost", "5:20")
TEXTS = [
    ("label", "scores", "they look like the labels, not like a model's scores."),
    ("one", "scores", "every score is 0.5: the model does not distinguish rows."),
    ("percent", "thresholds", "may be percentages: if so, divide them by 100."),
    ("over", "rounded", "rounding took scores beyond [0, 1]: 1.0000001 counts as 1."),
]
each = pytest.mark.parametrize(("score", "name", "text"), TEXTS)


@pytest.fixture
def file(tmp_path: Path) -> str:
    path = tmp_path / "scores.csv"
    rows = zip(Y, *COLUMNS.values(), strict=True)
    lines = [",".join(["y", *COLUMNS]), *(",".join(map(str, row)) for row in rows)]
    path.write_text("\n".join(lines) + "\n")
    return str(path)


@each
def test_evaluate_and_decide(
    file: str, capsys: pytest.CaptureFixture[str], score: str, name: str, text: str
) -> None:
    for command in (("evaluate",), ("decide", *DECIDE)):
        asked = (*command, file, "--label", "y", "--score", score)
        out = in_a_line(capsys, *asked)
        assert out.count(text) == 1
        assert f"{score}: " in out
        found = as_json(capsys, *asked)
        if command == ("evaluate",):
            assert text in found["models"][score]["notes"][name]
        else:
            assert text in found["notes"][f"{name}.{score}"]
            assert any(text in warning for warning in found["recommendation"]["warnings"])


@each
def test_compare_drift_and_report(
    file: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    score: str,
    name: str,
    text: str,
) -> None:
    asked = ("compare", file, "--label", "y", "--score", score, "--score", "p", "--metric", "auc")
    asked += ("--metric", "expected_loss.cost.score_fixed")
    assert in_a_line(capsys, *asked).count(text) == 1
    assert text in as_json(capsys, *asked)["notes"][f"{name}.{score}"]
    saved = [str(tmp_path / f"{day}.parquet") for day in ("monday", "sunday")]
    for path in saved:
        tally = ("tally", file, "--label", "y", "--score", score, "--output", path)
        assert run(capsys, *tally) == ""
    out = in_a_line(capsys, "drift", *saved)
    assert out.count(text) == 1
    assert f"{score}: " in out
    found = as_json(capsys, "drift", *saved)["models"][score]["notes"]
    assert text in found[f"{name}.before"]
    page = tmp_path / "report.html"
    run(capsys, "report", file, "--label", "y", "--score", score, "--output", str(page))
    assert text in page.read_text()


TURNED = (
    "minus (AUC 0.1011) ranks positives below negatives: is the right class positive? If higher "
    "scores mean fewer positives, change their sign (--score=-NAME, or 1-NAME of probabilities)."
)


def test_scores_the_wrong_way_round_are_told_in_one_sentence(
    file: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rows = (file, "--label", "y", "--score", "minus")
    costs = ("--fp-cost", "1", "--fn-cost", "5")
    two = (*rows, "--score", "p")
    asked = [
        ("evaluate", *rows),
        ("evaluate", *rows, "--details"),
        ("evaluate", *rows, "--intervals"),
    ]
    asked += [("compare", *two), ("compare", *two, *costs)]
    asked += [("decide", *rows, *costs), ("decide", *two, *costs)]
    for one in asked:
        assert in_a_line(capsys, *one).count(TURNED) == 1
    found = as_json(capsys, "evaluate", *rows)
    assert found["models"]["minus"]["notes"] == {"reversed": TURNED}
    found = as_json(capsys, "compare", *two)
    assert found["notes"]["reversed.minus"] == TURNED
    saved = []
    for score in ("p", "minus"):
        saved.append(str(tmp_path / f"{score}.parquet"))
        given = str(tmp_path / f"{score}.csv")
        lines = (f"{y},{s}" for y, s in zip(Y, COLUMNS[score], strict=True))
        Path(given).write_text("\n".join(["y,m", *lines]) + "\n")
        run(capsys, "tally", given, "--label", "y", "--score", "m", "--output", saved[-1])
    out = in_a_line(capsys, "drift", *saved)
    assert out.count(TURNED.replace("minus", "after")) == 1
    page = tmp_path / "report.html"
    run(capsys, "report", *rows, "--output", str(page))
    assert page.read_text().count(TURNED) == 1


def test_a_model_that_ranks_by_chance_is_not_said_to_be_the_wrong_way_round(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rng = np.random.default_rng(2)
    y, s = np.arange(200) % 2, rng.random(200)
    s = s if np.mean(s[y == 1]) < np.mean(s[y == 0]) else 1 - s
    file = tmp_path / "chance.csv"
    lines = (f"{a},{b}" for a, b in zip(y, s, strict=True))
    file.write_text("\n".join(["y,m", *lines]) + "\n")
    assert "below negatives" not in run(capsys, "evaluate", file, "--label", "y", "--score", "m")


EXAMPLE = Path(__file__).parents[2] / "examples" / "breast_cancer.csv"
MODELS = ("logistic", "random_forest", "naive_bayes")


def altered(path: Path, first: str) -> str:
    """The example with another first score of the first model, and a blend of all."""
    with EXAMPLE.open(newline="") as file:
        rows = list(csv.DictReader(file))
    rows[0]["logistic"] = first
    for row in rows:
        a, b, c = (float(row[name]) for name in MODELS)
        row["blend"] = repr(0.33 * a + 0.56 * b + 0.11 * c)
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return str(path)


SCORES = scored(MODELS)
ASKED = ("--label", "y_true", *SCORES, "--fp-cost", "1", "--fn-cost", "20", "--prevalence", "0.02")


def test_a_score_above_1_by_rounding_changes_no_answer(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    over = altered(tmp_path / "over.csv", "1.0000001")
    at_end = altered(tmp_path / "end.csv", "1.0")
    found, expected = (as_json(capsys, "decide", file, *ASKED) for file in (over, at_end))
    assert found["strategies"] == expected["strategies"]
    assert found["recommendation"]["model"] == "logistic"
    assert found["recommendation"]["choice"] == "score_driven"
    told = "logistic: rounding took scores beyond [0, 1]: 1.0000001 counts as 1."
    assert told in run(capsys, "decide", over, *ASKED)
    compared = [as_json(capsys, "compare", file, *ASKED) for file in (over, at_end)]
    assert compared[0]["savings"] == compared[1]["savings"]
    assert told in run(capsys, "compare", over, *ASKED)
    folds = []
    for file in (over, at_end):
        saved = f"{file}.parquet"
        run(capsys, "tally", file, "--label", "y_true", *SCORES, "--folds", "5", "--output", saved)
        folds.append(as_json(capsys, "decide", saved, *ASKED[8:]))
        if file == over:
            assert told in run(capsys, "decide", saved, *ASKED[8:])
    assert folds[0]["strategies"] == folds[1]["strategies"]
    page = tmp_path / "report.html"
    run(capsys, "report", over, *ASKED, "--output", str(page))
    assert told in page.read_text()


def test_a_blend_above_1_by_itself_is_score_driven_too(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = altered(tmp_path / "blend.csv", "0.9999999891577597")
    found = as_json(capsys, "decide", file, *ASKED, "--score", "blend")
    assert ("blend", "score_driven") in {(s["model"], s["choice"]) for s in found["strategies"]}
    out = run(capsys, "decide", file, *ASKED, "--score", "blend")
    told = "blend: rounding took scores beyond [0, 1]: 1.0000000000000002 counts as 1."
    assert told in " ".join(out.split())


def test_scores_further_beyond_are_told_in_full(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = altered(tmp_path / "far.csv", "1.0000123456")
    told = (
        "logistic has no score-driven strategy: 1 of 569 scores is outside [0, 1], the furthest "
        "1.0000123456: calibrate them."
    )
    for command in ("decide", "compare"):
        assert told in in_a_line(capsys, command, file, *ASKED)
    page = tmp_path / "report.html"
    run(capsys, "report", file, *ASKED, "--output", str(page))
    assert told in page.read_text()
    out = in_a_line(capsys, "evaluate", file, *ASKED[:8])
    assert "got scores from 9.079839413247337e-10 to 1.0000123456: " in out

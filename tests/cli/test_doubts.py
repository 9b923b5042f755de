"""Every command says what scores look like in its answer, and prints no raw warning."""

import json
from pathlib import Path

import numpy as np
import pytest
from command_line import run

Y = np.tile([0, 0, 1], 30)
P = np.linspace(0.05, 0.6, 90) + 0.3 * Y
COLUMNS = {"label": Y, "percent": 100 * P, "one": np.full(90, 0.5), "p": P}
DECIDE = ("--fp-cost", "1", "--fn-cost", "5:20")
TEXTS = [
    ("label", "scores", "they look like the labels, not like a model's scores."),
    ("one", "scores", "every score is 0.5: the model does not distinguish rows."),
    ("percent", "thresholds", "may be percentages: if so, divide them by 100."),
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
        out = " ".join(run(capsys, *asked).split())
        assert out.count(text) == 1
        assert f"{score}: " in out
        found = json.loads(run(capsys, *asked, "--json"))
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
    assert " ".join(run(capsys, *asked).split()).count(text) == 1
    assert text in json.loads(run(capsys, *asked, "--json"))["notes"][f"{name}.{score}"]
    saved = [str(tmp_path / f"{day}.parquet") for day in ("monday", "sunday")]
    for path in saved:
        tally = ("tally", file, "--label", "y", "--score", score, "--output", path)
        assert run(capsys, *tally) == ""
    out = " ".join(run(capsys, "drift", *saved).split())
    assert out.count(text) == 1
    assert f"{score}: " in out
    found = json.loads(run(capsys, "drift", *saved, "--json"))["models"][score]["notes"]
    assert text in found[f"{name}.before"]
    page = tmp_path / "report.html"
    run(capsys, "report", file, "--label", "y", "--score", score, "--output", str(page))
    assert text in page.read_text()

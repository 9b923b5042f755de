"""`costspace report` as a user sees it."""

import json
import re

import numpy as np
import pytest
from command_line import refused, run

import costspace as cs


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    good = np.clip(rng.normal(0.35 + 0.3 * y, 0.2), 0, 1)
    weight = rng.integers(1, 4, 200)
    path = tmp_path / "predictions.csv"
    rows = zip(y, good, good.round(1), weight, np.arange(200) // 2, strict=True)
    text = "y,good,</script><script>alert(1)</script>,w,patient\n"
    path.write_text(text + "\n".join(",".join(map(str, row)) for row in rows) + "\n")
    return path


def stored(page):
    found = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])


def test_a_page_with_a_decision(file, tmp_path, capsys):
    out = tmp_path / "report.html"
    evil = "</script><script>alert(1)</script>"
    printed = run(
        capsys, "report", file, "--label", "y", "--score", "good", "--score", evil,
        "--weight", "w", "--groups", "patient", "--fp-cost", 1, "--fn-cost", "5:50",
        "--prevalence", "0.05:0.2", "-o", out,
    )  # fmt: skip
    assert printed == ""
    page = out.read_text()
    assert evil not in page
    found = stored(page)
    assert [model["name"] for model in found["models"]] == ["good", evil]
    assert found["source"] == {
        "path": str(file), "rows": 200, "weighted": True,
        "negatives": found["source"]["negatives"], "positives": found["source"]["positives"],
    }  # fmt: skip
    assert (found["label"], found["weight"], found["groups"]) == ("y", "w", "patient")
    assert found["initial"]["prevalence"] == [0.05, 0.2]
    assert found["initial"]["fn_cost"] == [5, 50]
    assert found["models"][0]["intervals"]["level"] == 0.95
    assert found["decision"]["recommendation"]["text"]


def test_a_page_without_costs(file, tmp_path, capsys):
    out = tmp_path / "report.html"
    run(capsys, "report", file, "--label", "y", "--score", "good", "-o", out)
    found = stored(out.read_text())
    assert found["decision"] is None
    assert found["initial"]["fp_cost"] == [1, 1]
    assert found["version"] == cs.__version__


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--fp-cost", "1"], "--fp-cost and --fn-cost go together"),
        (["--fp-cost", "1", "--fn-cost", "5:2"], "--fn-cost must be LOW:HIGH"),
        (["--fp-cost", "0", "--fn-cost", "5"], "fp_cost must be"),
        (["--prevalence", "1"], "prevalence must be in (0, 1)"),
        (["--costs", "normal"], "--costs must be like"),
        (["--weight", "v"], "v"),
    ],
)
def test_a_failing_input_leaves_no_file(file, tmp_path, capsys, options, text):
    out = tmp_path / "report.html"
    said = refused(capsys, "report", file, "--label", "y", "--score", "good", *options, "-o", out)
    assert text in said
    assert sorted(path.name for path in tmp_path.iterdir()) == [file.name]


def test_the_file_that_is_read_is_not_written_to(file, capsys):
    before = file.read_bytes()
    said = refused(capsys, "report", file, "--label", "y", "--score", "good", "-o", file)
    assert "is read too" in said
    assert file.read_bytes() == before

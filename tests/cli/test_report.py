"""`costspace report` as a user sees it."""

import json
import re

import numpy as np
import pytest
from command_line import refused, run
from prediction_files import write_csv

import costspace as cs

EVIL = "</script><script>alert(1)</script>"


@pytest.fixture
def file(tmp_path):
    rng = np.random.default_rng(3)
    y = rng.integers(0, 2, 200)
    good = np.clip(rng.normal(0.35 + 0.3 * y, 0.2), 0, 1)
    columns = {
        "y": y,
        "good": good,
        EVIL: good.round(1),
        "w": rng.integers(1, 4, 200),
        "patient": np.arange(200) // 2,
    }
    return write_csv(tmp_path / "predictions.csv", columns)


def stored(page):
    found = re.search(r'<script[^>]*type="application/json"[^>]*>(.*?)</script>', page, re.DOTALL)
    return json.loads(found[1])


def test_a_page_with_a_decision(file, tmp_path, capsys):
    out = tmp_path / "report.html"
    printed = run(
        capsys, "report", file, "--label", "y", "--score", "good", "--score", EVIL,
        "--weight", "w", "--groups", "patient", "--fp-cost", 1, "--fn-cost", "5:50",
        "--prevalence", "0.05:0.2", "-o", out,
    )  # fmt: skip
    assert printed == ""
    page = out.read_text()
    assert EVIL not in page
    found = stored(page)
    assert [model["name"] for model in found["models"]] == ["good", EVIL]
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

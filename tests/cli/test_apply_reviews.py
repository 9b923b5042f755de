"""`costspace apply` of decisions with a review."""

import json

import numpy as np
import pytest
from command_line import run
from prediction_files import write_csv

RNG = np.random.default_rng(1)
Y = (RNG.random(400) < 0.3).astype(int)
S = np.round(1 / (1 + np.exp(1 - 2 * Y - RNG.normal(size=400))), 3)


def decide(capsys, path, *more):
    """The path of a saved decision of a file of labels and scores."""
    old, saved = write_csv(path / "old.csv", {"y": Y, "m": S}), path / "decision.json"
    asked = ("--label", "y", "--score", "m", "--fp-cost", 20, "--fn-cost", 100, "--save", saved)
    run(capsys, "decide", old, *asked, *more)
    return saved


@pytest.mark.parametrize("words", [(), ("--actions", "approve,check,decline")])
def test_more_reviews_than_the_decision_allows_are_told(words, tmp_path, capsys):
    limits = ("--review-cost", 3, "--review-capacity", "0.2", "--choice", "smoothed")
    saved = decide(capsys, tmp_path, *limits, *words)
    low, high = json.loads(saved.read_text())["apply"]["rule"]["cuts"]
    told = "More are reviewed than the 20 % that the decision allows: have scores"
    # By chance 11 of 50 are reviewed where a fifth is, and 16 are not.
    for reviewed, asked in ((10, False), (11, False), (16, True)):
        scores = np.concatenate([np.full(50 - reviewed, low / 2), np.full(reviewed, high)])
        out = run(capsys, "apply", saved, write_csv(tmp_path / "part.csv", {"m": scores}), warns=1)
        out = " ".join(out.split())
        assert (told in out) is asked
        assert "More are flagged" not in out

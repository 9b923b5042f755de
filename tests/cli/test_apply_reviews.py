"""`costspace apply` of decisions with a review."""

import json

import numpy as np
import pytest
from command_line import run
from prediction_files import write_csv
from refusals import refused

import costspace as cs

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


def test_the_places_of_each_day_are_filled(tmp_path, capsys):
    asked = ("--review-cost", 3, "--review-capacity", 10, "--batch-size", 50)
    saved = decide(capsys, tmp_path, *asked, "--actions", "approve,check,decline")
    kept = json.loads(saved.read_text())
    said = kept["recommendation"]["instruction"]
    assert said.startswith("Use m: check the 10 of each 50 where that saves most, decline others")
    assert said.endswith("approve the rest.")
    assert kept["recommendation"]["rule"] is None
    assert kept["apply"]["queue"]["share"] == 0.2
    day = np.repeat(["mon", "tue", "wed"], [50, 40, 60])
    scores = np.sort(RNG.random(150))[RNG.permutation(150)]
    new = write_csv(tmp_path / "new.csv", {"m": scores, "day": day})
    out = tmp_path / "out.csv"
    told = run(capsys, "apply", saved, new, "--batch", "day", "-o", out)
    assert "and check the 20 % of the queue where that saves most" in " ".join(told.split())
    assert "Each day is a queue of its own" in told
    action = np.array([line.rsplit(",", 1)[1] for line in out.read_text().split()[1:]])
    used = [np.count_nonzero(action[day == one] == "check") for one in ("mon", "tue", "wed")]
    assert used == [10, 8, 12]
    wanted = cs.load_decision(saved).apply(scores, batch=day)
    assert action.tolist() == wanted.action.tolist()


def test_a_changed_queue_is_refused(tmp_path, capsys):
    saved = decide(
        capsys, tmp_path, *("--review-cost", 3, "--review-capacity", 10, "--batch-size", 50)
    )
    values = json.loads(saved.read_text())
    values["apply"]["queue"]["share"] = "much"
    saved.write_text(json.dumps(values))
    with refused(cs.errors.FileError, "is damaged: share must be a number"):
        cs.load_decision(saved)

"""Binned scores of every engine are those of the same predictions, pass after pass."""

from typing import Any

import numpy as np
import pytest
from refusals import refused
from summaries import same

import costspace as cs
from costspace import Binning, ConditionError, ScoreCounts
from costspace.frames import binned_scores
from costspace.frames.dataframes import as_narwhals
from costspace.frames.passes import _key
from costspace.summaries.binning import Piece

GENERATOR = np.random.default_rng(16)
ROWS = 60
Y = np.sort(GENERATOR.integers(0, 2, ROWS))
S = GENERATOR.beta(0.3, 0.4, ROWS)
R = GENERATOR.normal(size=ROWS)
WHOLE = GENERATOR.integers(0, 3, ROWS)
REAL = GENERATOR.random(ROWS)
SITE = GENERATOR.choice(["north", "south", None], ROWS)
PIECES = Binning(
    (
        Piece(-4.0, -0.5, 3, "log"),
        Piece(-0.5, 1e-9, 4),
        Piece(1e-9, 0.25, 9, "log"),
        Piece(0.25, 0.5, 7),
        Piece(0.5, 1 - 1e-9, 9, "log from one"),
    )
)


@pytest.mark.parametrize("weight", [None, "whole", "real"])
def test_binned_scores_of_several_models(engine: Any, weight: str | None) -> None:
    weights = {"whole": WHOLE, "real": REAL}.get(str(weight))
    single = R.astype(np.float32)
    frame = engine.frame(y=Y, s=S, single=single, whole=WHOLE, real=REAL)
    found = binned_scores(
        frame,
        label="y",
        score=["s", "single"],
        weight=weight,
        binning={"s": Binning.uniform(bins=16), "single": PIECES},
    )
    for name, scores, binning in (("s", S, Binning.uniform(bins=16)), ("single", single, PIECES)):
        expected = ScoreCounts.from_predictions(Y, scores, binning=binning, sample_weight=weights)
        same(found[name], expected, 1e-12)


def test_binned_segments(engine: Any) -> None:
    frame = engine.frame(y=Y, s=S, r=R, w=REAL, site=list(SITE))
    found = binned_scores(frame, label="y", score=["s", "r"], weight="w", by="site", bins=8)
    for name, scores in (("s", S), ("r", R)):
        assert set(found[name]) == {"north", "south", None}
        for site, part in found[name].items():
            rows = site == SITE
            expected = ScoreCounts.from_predictions(
                Y[rows], scores[rows], binning=Binning.uniform(bins=8), sample_weight=REAL[rows]
            )
            same(part, expected, 1e-12)


def test_extreme_scores(engine: Any) -> None:
    scores = [np.inf, -np.inf, 0.0, -0.0, 1.0, 0.5, 5e-324, 1e308]
    labels = [1, 0, 1, 0, 1, 0, 0, 1]
    found = binned_scores(engine.frame(y=labels, s=scores), label="y", score="s", bins=4)
    with np.errstate(over="ignore"):
        expected = ScoreCounts.from_predictions(labels, scores, binning=Binning.uniform(bins=4))
        same(found, expected, 1e-12)


def test_passes_narrow_the_bounds(engine: Any) -> None:
    frame = engine.frame(y=Y, s=S, r=R)
    wide = binned_scores(frame, label="y", score=["s", "r"], bins=64)
    narrow = binned_scores(frame, label="y", score=["s", "r"], bins=64, width=0.02)
    for name, scores in (("s", S), ("r", R)):
        assert cs.evaluation.widest_bounds(narrow[name]) < cs.evaluation.widest_bounds(wide[name])
        expected = ScoreCounts.from_predictions(Y, scores, binning=narrow[name].binning)
        same(narrow[name], expected, 1e-12)
        assert cs.auc(Y, scores) in cs.bounds(narrow[name], metric=cs.auc)


def test_no_pass_is_made_that_narrows_nothing() -> None:
    import polars as pl

    frame = pl.DataFrame({"y": Y, "s": S})
    once = binned_scores(frame, label="y", score="s", bins=2**20, width=1e-3)
    assert once.binning == Binning.uniform()
    single = binned_scores(frame, label="y", score="s", bins=4, width=1e-9, passes=1)
    assert single.binning == Binning.uniform(bins=4)
    one_class = binned_scores(frame.filter(pl.col("y") == 0), label="y", score="s", width=0.1)
    assert one_class.positives.total == 0


def test_keys_are_those_of_the_binning(engine: Any) -> None:
    edges = np.array([piece.low for piece in PIECES.pieces] + [1 - 1e-9])
    near = np.concatenate([edges, np.nextafter(edges, -np.inf), np.nextafter(edges, np.inf)])
    scores = np.concatenate([near, [-9.0, 9.0, 0.0, 0.3, 0.75, 1.0, 0.1, 1e-5, 1 - 1e-5]])
    import narwhals as nw

    rows = as_narwhals(engine.frame(s=scores)).select(
        nw.col("s"), _key(nw.col("s"), PIECES).alias("key")
    )
    found = rows.collect().sort("s")
    # What rounds a logarithm may move a score by one bin.
    far = np.abs(np.array(found["key"].to_list()) - PIECES.keys(np.sort(scores)))
    assert far.max() <= 1
    linear = (np.sort(scores) <= -4) | (np.abs(np.sort(scores)) < 1e-9) | (np.sort(scores) >= 1)
    assert not far[linear | (np.sort(scores) == 0.3)].any()


def test_what_is_refused(engine: Any) -> None:
    frame = engine.frame(y=[0, 1], s=[0.1, 0.2])
    for width in (0, -1):
        with refused(ConditionError, f"width must be above 0, got {width}."):
            binned_scores(frame, label="y", score="s", width=width)
    for passes in (0, 1.5):
        with refused(ConditionError, "passes must be a whole number, at least 1"):
            binned_scores(frame, label="y", score="s", passes=passes)
    with refused(ConditionError, "a mapping with one for each of ['s']"):
        binned_scores(frame, label="y", score="s", binning={"t": Binning.uniform()})
    with refused(ConditionError, "bins must be a whole number"):
        binned_scores(frame, label="y", score="s", bins=0)


def test_an_infinite_score_of_no_weight_moves_nothing(engine):
    columns = {"y": [0, 0, 1, 1], "s": [0.1, 0.6, 0.9, np.inf], "w": [1.0, 2.0, 3.0, 0.0]}
    asked = {"label": "y", "score": "s", "weight": "w", "binning": Binning.uniform(0, 0.5, 4)}
    found = binned_scores(engine.frame(**columns), **asked)
    np.testing.assert_allclose(found.positives.score_sum, [0, 2.7])
    np.testing.assert_allclose(found.positives.score_squares, [0, 2.43])

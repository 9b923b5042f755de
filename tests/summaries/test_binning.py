"""Which bin a score falls into."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import refused

import costspace as cs

PIECES = (
    cs.summaries.Piece(-8.0, -0.5, 7, "log"),
    cs.summaries.Piece(-0.25, 0.0, 3),
    cs.summaries.Piece(1e-30, 0.125, 50, "log"),
    cs.summaries.Piece(0.125, 0.75, 9),
    cs.summaries.Piece(0.75, np.nextafter(1, 0), 40, "log from one"),
    cs.summaries.Piece(2.0, 3.0, 1),
)
SCORES = st.lists(
    st.floats(-10, 10) | st.floats(0, 1) | st.sampled_from([-np.inf, np.inf, 0.125, 0.75, 1.0]),
    min_size=1,
    max_size=30,
)


@given(SCORES, st.lists(st.sampled_from(PIECES), min_size=1, unique=True))
def test_keys_are_whole_and_ascend_with_the_score(scores, pieces):
    binning = cs.Binning(tuple(sorted(pieces, key=lambda piece: piece.low)))
    keys = binning.keys(np.sort(scores))
    assert np.all(np.diff(keys) >= 0)
    assert np.array_equal(keys, np.floor(keys))
    assert keys.min() >= 0
    assert keys.max() < binning.bins
    # In any order, and one by one.
    assert np.array_equal(binning.keys(scores), [binning.keys([s])[0] for s in scores])


@given(st.floats(-1, 2), st.integers(0, 20))
def test_linear_bins_hold_their_upper_edges(score, power):
    binning = cs.Binning.uniform(bins=2**power)
    key = binning.keys([score])[0]
    if 0 < score <= 1:
        assert (key - 1) / 2**power < score <= key / 2**power
    else:
        assert key == (0 if score <= 0 else 2**power + 1)


@given(st.floats(1e-30, 0.125, exclude_min=True))
def test_logarithmic_bins_are_of_equal_ratio(score):
    piece = PIECES[2]
    share = (np.log(score) - np.log(1e-30)) / (np.log(0.125) - np.log(1e-30))
    assert abs(piece.steps([score])[0] - 50 * share) <= 1 + 1e-9


@given(st.integers(1, 2**53))
def test_scores_close_to_one_are_told_apart_by_their_distance_from_it(ulps):
    score = 1 - ulps * 2.0**-53
    if score <= 0.75:
        return
    piece = PIECES[4]
    share = np.log2(0.25 / (1 - score)) / 51
    assert abs(piece.steps([score])[0] - 40 * share) <= 1 + 1e-9


def test_scores_that_no_piece_holds():
    binning = cs.Binning((cs.summaries.Piece(0.0, 0.25, 2), cs.summaries.Piece(0.5, 1.0, 2)))
    scores = [-np.inf, -1, -0.0, 0.0, 0.01, 0.25, 0.26, 0.5, 0.51, 1.0, 1.01, np.inf]
    assert binning.keys(scores).tolist() == [0, 0, 0, 0, 1, 2, 3, 3, 4, 5, 6, 6]
    assert binning.starts.tolist() == [0, 3]
    assert binning.bins == 7
    assert len(binning.keys([])) == 0


def test_a_binning_is_a_value_and_goes_through_json():
    binning = cs.Binning(PIECES)
    assert cs.Binning.from_dict(json.loads(json.dumps(binning.to_dict()))) == binning
    assert hash(cs.Binning(list(PIECES))) == hash(binning)
    assert cs.Binning.uniform() == cs.Binning((cs.summaries.Piece(0, 1, 2**20),))
    assert cs.Binning.uniform(bins=8) != cs.Binning.uniform(bins=16)
    assert str(cs.summaries.Piece(-0.0, 1, 2).low) == "0.0"


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: cs.summaries.Piece(1, 0, 3), "low must be below high"),
        (lambda: cs.summaries.Piece(0, np.inf, 3), "high must be in [-8e+307, 8e+307]"),
        (lambda: cs.summaries.Piece(0, 1, 0), "bins must be a whole number, at least 1, got 0"),
        (lambda: cs.summaries.Piece(0, 1, 2.5), "bins must be a whole number, at least 1, got 2.5"),
        (
            lambda: cs.summaries.Piece(0, 1, True),
            "bins must be a whole number, at least 1, got True",
        ),
        (
            lambda: cs.summaries.Piece(0, 1, 2**53),
            "there are too many bins for exact keys",
        ),
        (
            lambda: cs.summaries.Piece(0, 1, 2, "root"),
            "scale must be one of 'linear', 'log', 'log from one'",
        ),
        (
            lambda: cs.summaries.Piece(0, 1, 2, "log"),
            "scale 'log' needs scores all above 0 or all below",
        ),
        (lambda: cs.summaries.Piece(0, 1, 2, "log from one"), "needs scores below 1, got 1"),
        (lambda: cs.summaries.Piece(0, 5e-324, 2), "is too narrow for bins"),
        (
            lambda: cs.summaries.Piece(1e300, np.nextafter(1e300, 2e300), 2, "log"),
            "is too narrow for bins",
        ),
        (lambda: cs.Binning(()), "Binning needs a list of pieces, got ()"),
        (lambda: cs.Binning(3), "Binning needs a list of pieces, got 3"),
        (lambda: cs.Binning([0.5]), "Binning needs a list of pieces, got [0.5]"),
        (
            lambda: cs.Binning((cs.summaries.Piece(0, 1, 2), cs.summaries.Piece(0.5, 2, 2))),
            "pieces must ascend without overlap, got 0 to 1 before 0.5 to 2",
        ),
        (
            lambda: cs.Binning((cs.summaries.Piece(0, 1, 2**52), cs.summaries.Piece(1, 2, 2**52))),
            "too many bins for exact keys",
        ),
        (lambda: cs.Binning.from_dict({}), "this is not a binning: {}"),
        (lambda: cs.Binning.from_dict({"pieces": [[0, 1]]}), "this is not a binning"),
        (lambda: cs.Binning.from_dict({"pieces": [[1, 0, 2, "log"]]}), "low must be below high"),
    ],
)
def test_an_argument_that_is_not_a_binning_is_refused(make, text):
    with refused(cs.ConditionError, text):
        make()


def test_scores_without_a_value_have_no_key():
    with refused(cs.ScoreError, "a score is missing (NaN)"):
        cs.Binning.uniform().keys([0.5, np.nan])

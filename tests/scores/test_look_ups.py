"""Look-ups: how their points move, and the paths along them."""

from typing import Any

import numpy as np
import pytest
from foreign import Known, RecallReached
from laws.sources import MODELS, TABLES
from refusals import refused
from scipy import stats
from scipy.integrate import quad

import costspace as cs
from costspace.scores.look_ups import LinearLookUp, SmoothLookUp, Straight, Switch

MODEL = cs.AnalyticScores(stats.beta(2, 4), stats.beta(4, 2), 0.3)
TABLE = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
C = np.linspace(0, 1, 41)
BY = ("by_score", "by_flagged", "by_fpr", "by_tpr", "by_skew")


class Squared(Switch):
    """The quantity looked up is the square of the condition."""

    def __call__(self, x: Any) -> Any:
        return np.sqrt(x)

    def inverse(self, c: Any) -> Any:
        return c**2


def same_points(found: cs.OperatingPoints, expected: cs.OperatingPoints, atol: float = 0) -> None:
    np.testing.assert_allclose(found.fpr, expected.fpr, rtol=0, atol=atol)
    np.testing.assert_allclose(found.fnr, expected.fnr, rtol=0, atol=atol)


# --- A recall to reach, as a user writes it ------------------------------------------------------


def test_the_recall_that_is_reached_on_densities() -> None:
    f0, f1 = stats.beta(2, 4), stats.beta(4, 2)
    # The mean over the positives' scores t, with the false negative rate c = F1(t).
    false_positives, _ = quad(lambda t: f1.cdf(t) * f0.sf(t) * f1.pdf(t), 0, 1)
    found = cs.expected_loss(MODEL, choice=RecallReached())
    # The corners of the look-up, joined, would make it 1/3.
    assert found == pytest.approx(1.4 * false_positives + 0.6 / 6, abs=1e-12)
    assert round(found, 6) == 0.123543
    np.testing.assert_allclose(RecallReached().path(MODEL).at(C).fnr, C, atol=1e-14)


def test_a_table_of_the_same_scores_comes_close() -> None:
    quantiles = (np.arange(3000) + 0.5) / 3000
    s = np.concatenate([stats.beta(2, 4).ppf(quantiles), stats.beta(4, 2).ppf(quantiles)])
    table = cs.ScoreTable.from_predictions(np.repeat([0, 1], 3000), s).with_prevalence(0.3)
    found = cs.expected_loss(table, choice=RecallReached())
    assert found == pytest.approx(cs.expected_loss(MODEL, choice=RecallReached()), abs=1e-3)
    # At a cost proportion of 0.4 the false negative rate is at most 0.4, with the fewest flagged.
    point = RecallReached().path(TABLE).at(np.array([0.4, 0.5]))
    assert point.fnr.tolist() == [0.4, 0.5]
    assert point.fpr.tolist() == [0.5, 0]


def test_corners_are_not_taken_for_a_smooth_curve() -> None:
    for name in BY:
        look_up = getattr(MODEL, name)
        assert look_up.between == "smooth"
        for asked in ("breaks", "corners"):
            with refused(cs.SourceError, f"a smooth look-up has no {asked}"):
                getattr(look_up, asked)
        assert len(look_up.kinks) >= 0


# --- Points and paths ----------------------------------------------------------------------------


@pytest.mark.parametrize("falling", [True, False])
def test_a_path_passes_jumps_at_their_condition(falling: bool) -> None:
    # A negative's score lies between those of the two positives.
    at, before = (np.array([c]) for c in (0.5, np.nextafter(0.5, 0)))
    switch = Straight(1, 0) if falling else Straight(0, 1)
    path = TABLE.by_tpr.path(0.5, switch)
    assert [float(path.at(c).fpr[0]) for c in (at, before)] == ([0, 0.5] if falling else [0.5, 0])
    assert path.left(at).fpr[0] == path.at(before).fpr[0]
    ends = path.at(np.array([0.0, 1.0])).fpr.tolist()
    assert ends == ([0.5, 0] if falling else [0, 1])
    assert path.expected_loss(cs.Point(1)) == (0 if falling else 1)


@pytest.mark.parametrize("name", BY)
@pytest.mark.parametrize("source", [TABLE, MODEL], ids=["table", "model"])
@pytest.mark.parametrize(
    "switch", [Straight(0, 1), Straight(1, 0), Straight(0.8, 0.1), Straight(-0.2, 1.4), Squared()]
)
def test_a_path_is_the_look_up_along_the_condition(name: str, source: Any, switch: Switch) -> None:
    look_up = getattr(source, name)
    path = look_up.path(source.prevalence, switch)
    jumps = switch(look_up.kinks)
    c = C[np.min(np.abs(C[:, None] - jumps), axis=1, initial=1) > 1e-9]
    assert len(c) > 30
    same_points(path.at(c), look_up.at(switch.inverse(c)), 1e-12)
    same_points(path.left(c[c > 0]), look_up.at(switch.inverse(c[c > 0])), 1e-12)
    exact = look_up.between == "constant" or (look_up.between == "linear" and switch.straight)
    assert isinstance(path, cs.OperatingPath) == exact


@pytest.mark.parametrize("name", TABLES)
def test_points_beside_a_jump_are_its_ends(name: str) -> None:
    source = TABLES[name].make()
    for by in BY:
        look_up = getattr(source, by)
        fewest, most = look_up.at(look_up.breaks), look_up.at(look_up.breaks, most=True)
        assert np.all(fewest.fpr <= most.fpr)
        assert np.all(fewest.fnr >= most.fnr)
        corners = set(zip(look_up.corners.fpr, look_up.corners.fnr, strict=True))
        for points in (fewest, most):
            assert set(zip(points.fpr, points.fnr, strict=True)) <= corners


@pytest.mark.parametrize("name", [n for n, case in MODELS.items() if case.convex])
def test_shares_of_a_class_are_met(name: str) -> None:
    source, share = MODELS[name].make(), np.linspace(0.01, 0.99, 37)
    np.testing.assert_allclose(source.by_fpr.at(share).fpr, share, atol=1e-13)
    np.testing.assert_allclose(1 - source.by_tpr.at(share).fnr, share, atol=1e-13)
    found = source.by_tpr.at(share)
    at = source.with_prevalence(0.01).by_tpr.at(share)
    same_points(at, found)


def test_a_smooth_look_up_that_never_jumps() -> None:
    look_up = SmoothLookUp(
        lambda x: cs.OperatingPoints((1 - x) ** 2, x**2), np.zeros(0), flags_more=False
    )
    same_points(look_up.at(C, most=True), look_up.at(C))
    assert round(look_up.path(0.5).expected_loss(cs.Uniform()), 12) == 0.166666666667


# --- A source that says no more than it has to ---------------------------------------------------


@pytest.mark.parametrize("name", TABLES)
def test_all_follows_from_the_look_up_by_score(name: str) -> None:
    table = TABLES[name].make()
    scores, corners = table.by_score.breaks, table.by_score.corners
    source = Known(scores, -np.diff(corners.fpr), np.diff(corners.fnr), table.prevalence)
    s = np.linspace(*table.score_range, 23)
    assert source.score_range == table.score_range
    np.testing.assert_array_equal(source.block_of(s), table.block_of(s))
    np.testing.assert_allclose(source.skew_at_score(s), table.skew_at_score(s), atol=1e-9)
    for number in ("auc", "auc_hull", "untied_pairs"):
        assert getattr(source, number) == pytest.approx(getattr(table, number), abs=1e-12)
    choices = [cs.RateDriven(), cs.RateFixed(0.2), cs.RateUniform(), cs.Optimal(), RecallReached()]
    if TABLES[name].probabilities:
        choices += [cs.ScoreDriven(), cs.ScoreDriven(0.2), cs.ScoreUniform()]
    for choice in choices:
        for axis in ("cost", "skew"):
            found, expected = (
                cs.expected_loss(known, choice=choice, axis=axis, costs=cs.Beta(2, 3))
                for known in (source, table)
            )
            assert found == pytest.approx(expected, abs=1e-10)
        exposures = (choice.exposure(known, s, cs.Uniform()) for known in (source, table))
        found, expected = ((e.as_negative, e.as_positive) for e in exposures)
        np.testing.assert_allclose(found, expected, atol=1e-6)


def test_a_source_with_densities_says_what_is_missing() -> None:
    class Half(cs.ScoreSource):
        prevalence = 0.5
        by_score = MODEL.by_score

        def with_prevalence(self, prevalence: float) -> "Half":
            return self

    source: Any = Half()  # type: ignore[abstract]
    assert source.block_of(0.3) == 0.3
    for asked in ("by_tpr", "by_skew", "score_range", "auc", "untied_pairs"):
        with refused(cs.SourceError, "Half must implement "):
            getattr(source, asked)
    with refused(cs.SourceError, "Half must implement skew_at_score: it follows from by_score"):
        source.skew_at_score(0.2)


def test_a_share_that_falls_as_the_condition_grows_where_a_curve_is_steep() -> None:
    # At c = 1e-16 a share of 1 - c is 1 or the float before, where FNR has risen to 1e-6.
    model = cs.AnalyticScores(stats.norm(0, 1), stats.norm(1, 2), 0.4)
    path = model.by_fpr.path(model.prevalence, Straight(1, 0))
    nodes, weights = np.polynomial.legendre.leggauss(400)
    t = 9 * nodes
    fpr, fnr, density = stats.norm.sf(t), stats.norm.cdf(t, 1, 2), stats.norm.pdf(t)
    losses = 2 * ((1 - fpr) * 0.6 * fpr + fpr * 0.4 * fnr)
    assert path.expected_loss(cs.Uniform()) == pytest.approx(9 * weights @ (losses * density))


# --- A few shares of many rows -------------------------------------------------------------------


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("steps", [5, 900, 10**6])
def test_few_shares_are_where_they_are_in_all_merged_scores(steps: int, weighted: bool) -> None:
    rng = np.random.default_rng(steps)
    y, s = np.append(rng.random(6000) < 0.3, [True, False]), rng.integers(0, steps, 6002) / steps
    weight = rng.choice([0.0, 0.1, 1.0, 2.5], 6002) if weighted else None
    table = cs.ScoreTable.from_predictions(y, s, sample_weight=weight)
    for negatives in (1 - table.prevalence, 1.0, 0.25, 0.0):
        few = table.by_share(negatives, 1 - negatives)
        merged = LinearLookUp(few.kinks, few.corners)
        some = rng.choice(few.kinks, 12)
        shares = [some, np.nextafter(some, 2), np.nextafter(some, -1), rng.random(12)]
        for x in (*shares, np.array([-0.1, 0.0, 1.0, 1.1]), np.array(0.4)):
            for most in (False, True):
                same_points(few.at(x, most=most), merged.at(x, most=most))

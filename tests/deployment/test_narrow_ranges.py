"""Ranges of any width: as wide as a rounding error, and as what they narrow down to."""

import numpy as np
import pytest
from scipy import stats

import costspace as cs

WIDTHS = [1e-16, 1e-13, 1e-10, 1e-6]
CHOICES = (
    cs.Optimal(),
    cs.ScoreDriven(),
    cs.ScoreFixed(0.4),
    cs.RateFixed(0.2),
    cs.RateDriven(),
)
AT = {"fp_cost": 1.0, "fn_cost": 7.0, "prevalence": 0.3, "tp_cost": -0.7, "tn_cost": 0.2}
OTHERS = {
    "known": {},
    "fn_cost": {"fn_cost": (5, 50)},
    "prevalence": {"prevalence": (0.02, 0.4)},
    "both": {"fn_cost": (5, 50), "prevalence": (0.02, 0.4)},
    "drawn": {"fn_cost": cs.Drawn([5, 9, 70]), "prevalence": cs.Drawn([0.1, 0.3])},
    "a spread and an atom": {"prevalence": cs.Mixture([cs.Point(0.5), cs.Uniform(0.1, 0.2)])},
}


def sample() -> cs.ScoreTable:
    rng = np.random.default_rng(4)
    y = rng.random(40) < 0.4
    return cs.ScoreTable.from_predictions(y, np.clip(0.3 * y + 0.7 * rng.random(40), 0, 1))


def just_above(value: float, width: float) -> float:
    return max(value + width * abs(value), float(np.nextafter(value, np.inf)))


@pytest.mark.parametrize("others", OTHERS)
@pytest.mark.parametrize("part", ["fn_cost", "fp_cost", "prevalence", "tp_cost", "all"])
def test_a_narrow_range_is_its_point(part: str, others: str) -> None:
    table, parts = sample(), [part] if part != "all" else ["fp_cost", "fn_cost", "prevalence"]
    given = AT | {name: value for name, value in OTHERS[others].items() if name not in parts}
    point = cs.Deployment(**given | {name: AT[name] for name in parts})
    expected = {
        choice: cs.expected_money(table, choice=choice, conditions=point) for choice in CHOICES
    }
    for width in WIDTHS:
        ranges = {name: (AT[name], just_above(AT[name], width)) for name in parts}
        known = cs.Deployment(**given | ranges)
        assert known.skews().mean() == pytest.approx(point.skews().mean(), rel=3 * width + 1e-12)
        for choice in CHOICES:
            found = cs.expected_money(table, choice=choice, conditions=known)
            # What rounding leaves of the money, and what the range itself moves it by.
            assert found == pytest.approx(expected[choice], rel=20 * width + 1e-11), (width, choice)


@pytest.mark.parametrize("width", WIDTHS)
def test_what_a_range_reaches_to(width: float) -> None:
    high = just_above(0.3, width)
    known = cs.Deployment(1, 7, (0.3, high))
    assert known.prevalence_range == cs.deployment.Range(0.3, high)
    bands = known.bands(8)
    assert sum(band.share for band in bands) == pytest.approx(1)
    assert [bands[0].ends[0], bands[-1].ends[1]] == [0.3, high]
    assert np.all(known.draw(100).prevalence <= high)
    costs = cs.Deployment(1, (7, just_above(7, width)), 0.3)
    assert costs.skew_range.low <= costs.skew_range.high
    mean = known.over_prevalence(lambda p, costs, size: p * size)
    assert mean == pytest.approx(0.3 * 8, rel=2 * width + 1e-12)


def test_a_jump_inside_a_narrow_range_is_passed_half_the_way() -> None:
    # The one score is the threshold at c = 0.3, where the cost of a false negative is 7.
    table = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0.3, 0.9, 0.1, 0.8])
    b, width = 7 / 3, 1e-9
    low, high = b * (1 - width), b * (1 + width)
    sides = [
        cs.expected_money(table, choice=cs.ScoreDriven(), conditions=cs.Deployment(1, x, 0.4))
        for x in (low, high)
    ]
    known = cs.Deployment(1, (low, high), 0.4)
    found = cs.expected_money(table, choice=cs.ScoreDriven(), conditions=known)
    assert abs(sides[1] - sides[0]) > 100
    assert found == pytest.approx(np.mean(sides), rel=1e-5)


@pytest.mark.parametrize("width", [1e-12, 1e-9, 1e-6])
def test_a_narrow_scipy_distribution(width: float) -> None:
    found, expected = (
        cs.expected_money(
            sample(), choice=cs.Optimal(), conditions=cs.Deployment(1, fn, (0.1, 0.2))
        )
        for fn in (stats.uniform(7, 7 * width), 7)
    )
    assert found == pytest.approx(expected, rel=3 * width + 1e-11)


@pytest.mark.parametrize("ranges", [{"fn_cost": (7, 7)}, {"prevalence": (0.3, 0.3)}])
def test_a_range_of_equal_ends_is_the_point(ranges) -> None:
    given = {"fp_cost": 1, "fn_cost": 7, "prevalence": 0.3}
    assert cs.Deployment(**given | ranges).skews() == cs.Deployment(**given).skews()
    assert repr(cs.Deployment(**given | ranges)) == repr(cs.Deployment(**given))

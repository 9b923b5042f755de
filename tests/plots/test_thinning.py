"""Thinned curves against the curves themselves, in pixels."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.testing import assert_allclose, assert_array_equal

import costspace as cs
from costspace.arrays import FloatArray
from costspace.plots.thinning import (
    Screen,
    ThinLine,
    from_screen,
    loss_range,
    thin_chain,
    thin_curve,
    to_screen,
)

WIDTH, HEIGHT = 60, 40


def random_curve(
    generator: np.random.Generator, pieces: int, kind: str
) -> cs.curve.PiecewiseQuadratic:
    inner = {
        "even": lambda: generator.random(pieces - 1),
        "crowded": lambda: generator.beta(0.2, 0.2, pieces - 1),
        "few places": lambda: (
            generator.choice([0.25, 0.5, 0.9], pieces - 1) + generator.random(pieces - 1) * 1e-3
        ),
    }[kind]()
    ends = ([0.0, 0.0], [1.0, 1.0]) if generator.random() < 0.5 else ([0.0], [1.0])
    breaks = np.concatenate([ends[0], np.sort(inner), ends[1]])
    jumps = generator.choice([0.0, 0.001, 1.0])
    bend = generator.choice([0.0, 1.0, 30.0])
    size = len(breaks) - 1
    coefficients = np.stack(
        [
            generator.normal(size=size) * jumps,
            generator.normal(size=size),
            generator.normal(size=size) * bend,
        ]
    )
    return cs.curve.PiecewiseQuadratic(breaks, coefficients)


def screen_of(curve: cs.curve.PiecewiseQuadratic, low: float, high: float, scale: str) -> Screen:
    bottom, top = loss_range(curve, low, high)
    return Screen(low, high, WIDTH, (top - bottom) / HEIGHT or 1.0, scale)


def exact(curve: cs.curve.PiecewiseQuadratic, screen: Screen) -> tuple[FloatArray, FloatArray]:
    """The curve as a line of very many points, jumps included."""
    edges = to_screen(np.array([screen.low, screen.high]), screen.scale)
    dense = from_screen(np.linspace(*edges, 30 * WIDTH + 1)[1:-1], screen.scale)
    inside = curve.breaks[(curve.breaks >= screen.low) & (curve.breaks <= screen.high)]
    x = np.sort(np.concatenate([inside, dense, [screen.low, screen.high]]))
    both = np.stack([curve.left(x), curve(x)], axis=1).ravel()
    # The left limit at the left edge is drawn only if there is a break.
    keep = np.append(screen.low in inside, np.ones(len(both) - 1, dtype=bool))
    return np.repeat(x, 2)[keep], both[keep]


def distances(
    screen: Screen, x: FloatArray, y: FloatArray, line: tuple[FloatArray, FloatArray]
) -> FloatArray:
    """How far points are from a line, in pixels."""
    px, py = screen.across(x), y / screen.pixel
    ends = np.stack([screen.across(line[0]), line[1] / screen.pixel])
    ends = np.concatenate([ends, ends[:, -1:]], axis=1)
    nearest = np.full(len(px), np.inf)
    for block in np.array_split(np.arange(ends.shape[1] - 1), 1 + ends.shape[1] // 500):
        (ax, ay), (bx, by) = ends[:, block], ends[:, block + 1]
        dx, dy = bx - ax, by - ay
        length = dx**2 + dy**2
        along = (px[:, None] - ax) * dx + (py[:, None] - ay) * dy
        t = np.clip(np.divide(along, length, out=np.zeros_like(along), where=length > 0), 0, 1)
        gap = np.hypot(ax + t * dx - px[:, None], ay + t * dy - py[:, None])
        nearest = np.minimum(nearest, gap.min(axis=1))
    return nearest


views = st.sampled_from(
    [
        (0.0, 1.0, "linear"),
        (0.2, 0.3, "linear"),
        (0.0, 0.01, "linear"),
        (1e-4, 1 - 1e-4, "logit"),
        (1 / 5000, 1 / 500, "logit"),
        (0.4, 0.999, "logit"),
    ]
)
curves = st.builds(
    random_curve,
    st.integers(0, 2**32).map(np.random.default_rng),
    st.sampled_from([1, 2, 3, 20, 300, 3000]),
    st.sampled_from(["even", "crowded", "few places"]),
)


@settings(max_examples=80)
@given(curves, views)
def test_within_half_a_pixel(
    curve: cs.curve.PiecewiseQuadratic, view: tuple[float, float, str]
) -> None:
    screen = screen_of(curve, *view)
    thin = thin_curve(curve, screen)
    x, y = exact(curve, screen)
    assert distances(screen, x, y, (thin.x, thin.y)).max() < 0.5
    middle = [(values[1:] + values[:-1]) / 2 for values in (thin.x, thin.y)]
    if screen.scale == "logit":
        u = to_screen(thin.x, "logit")
        middle[0] = from_screen((u[1:] + u[:-1]) / 2, "logit")
    assert distances(screen, *middle, (x, y)).max(initial=0) < 0.5


@settings(max_examples=80)
@given(curves, views)
def test_no_jump_is_missing(
    curve: cs.curve.PiecewiseQuadratic, view: tuple[float, float, str]
) -> None:
    screen = screen_of(curve, *view)
    thin = thin_curve(curve, screen)
    at = np.unique(curve.breaks)
    at = at[(at >= screen.low) & (at <= screen.high)]
    before, after = np.asarray(curve.left(at)), np.asarray(curve(at))
    seen = np.abs(after - before) > 0.5 * screen.pixel
    share = np.linspace(0, 1, 9)
    along = before[seen, None] + share * (after - before)[seen, None]
    x = np.repeat(at[seen], len(share))
    assert distances(screen, x, along.ravel(), (thin.x, thin.y)).max(initial=0) < 0.5
    assert_array_equal(thin.x[thin.cuts], thin.x[thin.cuts - 1])
    assert np.all(np.abs(thin.y[thin.cuts] - thin.y[thin.cuts - 1]) > 0.5 * screen.pixel)
    # A jump alone in its surroundings is a cut.
    across = screen.across(at)
    alone = seen & (np.diff(across, prepend=-9) > 1) & (np.diff(across, append=WIDTH + 9) > 1)
    assert set(at[alone]) <= set(thin.x[thin.cuts])


@given(curves, views)
def test_vertices_are_on_the_curve(
    curve: cs.curve.PiecewiseQuadratic, view: tuple[float, float, str]
) -> None:
    screen = screen_of(curve, *view)
    thin = thin_curve(curve, screen)
    assert np.all(np.diff(thin.x) >= 0)
    assert thin.x[0] == screen.low
    assert thin.x[-1] == screen.high
    gap = np.minimum(np.abs(thin.y - curve(thin.x)), np.abs(thin.y - curve.left(thin.x)))
    assert gap.max() <= 1e-9 * max(1, np.abs(thin.y).max())
    assert len(thin.x) <= 20 * WIDTH


def test_a_million_pieces_are_few_vertices() -> None:
    generator = np.random.default_rng(0)
    pieces = 10**6
    breaks = np.concatenate([[0.0], np.sort(generator.random(pieces - 1)), [1.0]])
    start = np.cumsum(generator.normal(size=pieces)) / 1000
    rest = generator.normal(size=(2, pieces)) / 100
    curve = cs.curve.PiecewiseQuadratic(breaks, np.concatenate([start[None], rest]))
    bottom, top = loss_range(curve, 0, 1)
    screen = Screen(0, 1, 600, (top - bottom) / 400)
    thin = thin_curve(curve, screen)
    assert len(thin.x) <= 10 * 600
    at = generator.choice(breaks, 1000)
    assert distances(screen, at, np.asarray(curve(at)), (thin.x, thin.y)).max() < 0.5
    assert distances(screen, at, np.asarray(curve.left(at)), (thin.x, thin.y)).max() < 0.5


def test_a_spike_narrower_than_a_pixel_is_drawn() -> None:
    a, b = 0.5, 0.5001
    bump = np.array([-a * b, a + b, -1.0]) * 4 / (b - a) ** 2
    flat = np.zeros(3)
    curve = cs.curve.PiecewiseQuadratic(
        np.array([0, a, b, 1]), np.stack([flat, bump, flat], axis=1)
    )
    screen = Screen(0, 1, 100, 0.01)
    assert thin_curve(curve, screen).y.max() == pytest.approx(1, abs=0.005)
    assert loss_range(curve, 0, 1)[1] == pytest.approx(1, abs=1e-6)


def test_straight_pieces_are_their_ends() -> None:
    curve = cs.loss_curve([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9], choice=cs.ScoreDriven())
    thin = thin_curve(curve, Screen(0, 1, 1000, 1e-4))
    assert_array_equal(thin.x, np.repeat([0, 0.1, 0.4, 0.6, 0.9, 1], [1, 2, 2, 2, 2, 1]))
    assert_allclose(thin.y, [0, 0.1, 0.05, 0.2, 0.5, 0.5, 0.2, 0.05, 0.1, 0], atol=1e-15)
    assert_array_equal(thin.cuts, [2, 4, 6, 8])


def test_the_value_at_one_stands_alone() -> None:
    curve = cs.loss_curve([0, 1, 1], [0.2, 0.7, 1.0], choice=cs.ScoreDriven())
    thin = thin_curve(curve, Screen(0, 1, 1000, 1e-4))
    assert curve(1.0) == 0
    assert len(thin.points()) == 0
    later = cs.curve.PiecewiseQuadratic(
        np.array([0.0, 1.0, 1.0]), np.array([[0.0, 0.5], [0, 0], [0, 0]])
    )
    thin = thin_curve(later, Screen(0, 1, 1000, 1e-4))
    assert_array_equal(thin.points(), [2])
    assert (thin.x[2], thin.y[2]) == (1.0, 0.5)


def test_the_pen_is_lifted_at_jumps() -> None:
    line = ThinLine(np.array([0.0, 1, 1, 2]), np.array([0.0, 1, 5, 6]), np.array([2]))
    assert_array_equal(line.lifted(), [[0, 1, np.nan, 1, 2], [0, 1, np.nan, 5, 6]])
    assert_array_equal(line.points(), [])


@given(st.integers(0, 2**32), st.sampled_from([0, 1, 2, 50, 5000]))
@example(0, 0)
def test_chains(seed: int, size: int) -> None:
    generator = np.random.default_rng(seed)
    x = np.append(np.sort(generator.random(size))[::-1], 0.0)
    y = np.append(np.sort(generator.random(size))[::-1] ** 3, 0.0)
    line = thin_chain(x, y, 1 / WIDTH)
    screen = Screen(0, 1, WIDTH, 1 / WIDTH)
    assert distances(screen, x, y, (line.x, line.y)).max() < 0.5
    assert len(line.x) <= 10 * WIDTH + 4
    vertices = set(zip(x, y, strict=True))
    assert set(zip(line.x, line.y, strict=True)) <= vertices


def test_chains_are_cut_where_asked() -> None:
    x = np.linspace(0, 1, 10_001)
    line = thin_chain(x, x, 0.01, np.array([5000, 7001]))
    assert_array_equal(line.x[line.cuts], x[[5000, 7001]])
    assert_array_equal(line.x[line.cuts - 1], x[[4999, 7000]])


@pytest.mark.parametrize("view", [(0.0, 0.3), (0.3, 0.35), (0.35, 1.0)])
def test_loss_range(view: tuple[float, float]) -> None:
    curve = random_curve(np.random.default_rng(1), 20, "even")
    values = exact(curve, Screen(*view, 1000, 1.0))[1]
    assert_allclose(loss_range(curve, *view), [values.min(), values.max()], rtol=1e-3)

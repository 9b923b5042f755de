"""Where names are put: near their line, off lines and other names, and in the window."""

import numpy as np
import pytest

from costspace.plots.placement import Named, Place, place_names

WIDTH, HEIGHT = 240.0, 160.0
ACROSS = np.linspace(0, WIDTH, 200)


def line(height: float) -> np.ndarray:
    return np.column_stack([ACROSS, np.full(len(ACROSS), height)])


def named(*paths: np.ndarray) -> list[Named]:
    return [Named(40, 10, path) for path in paths]


def placed(names: list[Named], ink: np.ndarray | None = None) -> list[Place]:
    found = place_names(names, WIDTH, HEIGHT, ink)
    assert None not in found
    return [place for place in found if place is not None]


def overlap(a: Place, b: Place) -> bool:
    return abs(a.left - b.left) < 40 and abs(a.bottom - b.bottom) < 10


def hides(place: Place, path: np.ndarray) -> bool:
    x, y = path.T
    inside = (place.left < x) & (x < place.left + 40) & (place.bottom < y) & (y < place.bottom + 10)
    return bool(inside.any())


def test_names_hide_no_line_and_no_name() -> None:
    paths = [line(height) for height in (30, 45, 60, 75, 120)]
    places = placed(named(*paths))
    for i, place in enumerate(places):
        assert not any(hides(place, path) for path in paths)
        assert not any(overlap(place, other) for other in places[:i])
        assert 0 <= place.left <= WIDTH - 40
        assert 0 <= place.bottom <= HEIGHT - 10


def test_a_name_touches_its_line_where_there_is_room() -> None:
    for place, height in zip(placed(named(line(40), line(110))), (40, 110), strict=True):
        assert place.leader is None
        assert abs(place.bottom + 5 - height) < 12


def test_a_name_among_many_lines_has_a_leader_to_its_own() -> None:
    heights = np.arange(40, 64, 4)
    places = placed(named(*map(line, heights)))
    assert any(place.leader for place in places)
    for place, height in zip(places, heights, strict=True):
        if place.leader is not None:
            (_, start), (x, y) = place.leader
            assert start == pytest.approx(height)
            assert place.left <= x <= place.left + 40
            assert place.bottom <= y <= place.bottom + 10


def test_where_lines_part_is_where_they_are_named() -> None:
    apart = np.maximum(0, 80 - ACROSS)
    both = [np.column_stack([ACROSS, 80 + sign * apart]) for sign in (-1, 1)]
    for place in placed(named(*both)):
        assert place.left < 80


def test_other_ink_is_left_free() -> None:
    (before,) = placed(named(line(80)))
    x, y = np.meshgrid(np.arange(120, WIDTH), np.arange(HEIGHT))
    ink = np.column_stack([x.ravel(), y.ravel(), np.full(x.size, 20.0)])
    (after,) = placed(named(line(80)), ink)
    assert before.left > 120
    assert after.left + 40 <= 121


def test_an_area_has_its_name_inside() -> None:
    inside = np.array([[100.0, 20.0], [104.0, 20.0]])
    (place,) = placed([Named(40, 10, inside, inside)])
    assert (place.left, place.bottom, place.leader) == (104, 20, None)


def test_what_has_no_room_has_no_place_but_may_overlap() -> None:
    many = named(*[line(80)] * 80)
    assert None in place_names(many, WIDTH, HEIGHT)
    assert None not in place_names(many, WIDTH, HEIGHT, overlap=True)
    assert place_names([Named(300, 10, line(80))], WIDTH, HEIGHT, overlap=True) == [None]

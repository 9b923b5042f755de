"""Colours of models: the same everywhere, seen by the colour-blind and in grey."""

import re
from importlib.resources import files
from itertools import combinations

import numpy as np
import pytest
from matplotlib.colors import to_hex, to_rgb

import costspace as cs
from costspace.plots import (
    colours,
    plot_calibration,
    plot_cost_space,
    plot_net_benefit,
    plot_roc_space,
)
from costspace.plots.style import COLOURS, MARKERS, OTHERS, pale, style, styles_by_name, text_colour

GENERATOR = np.random.default_rng(3)
Y = GENERATOR.random(120) < 0.4
SCORES = {
    name: 1 / (1 + np.exp(-(size * (Y - 0.5) + GENERATOR.standard_normal(120))))
    for name, size in (("first", 2.0), ("second", 0.5), ("third", 3.0))
}
TABLES = {name: cs.ScoreTable.from_predictions(Y, s) for name, s in SCORES.items()}
# Machado, Oliveira, Fernandes (2009): what those see who lack red, green or blue cones.
SIGHT = {
    "normal": np.eye(3),
    "protanopia": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deuteranopia": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritanopia": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


def lab(colour: str, sight: np.ndarray) -> np.ndarray:
    """Lightness, and two axes of hue, in CIELAB."""
    part = np.array(to_rgb(colour))
    linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
    seen = np.clip(sight @ linear, 0, 1)
    xyz = TO_XYZ @ seen / [0.9505, 1, 1.089]
    x, y, z = np.where(xyz > 0.008856, np.cbrt(xyz), 7.787 * xyz + 16 / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


@pytest.mark.parametrize("sight", SIGHT)
def test_the_first_four_can_be_told_apart(sight: str) -> None:
    seen = [lab(colour, np.array(SIGHT[sight])) for colour in COLOURS[:4]]
    assert min(np.linalg.norm(a - b) for a, b in combinations(seen, 2)) > 20


def test_the_first_four_differ_in_grey() -> None:
    lightness = [lab(colour, np.eye(3))[0] for colour in COLOURS[:4]]
    assert min(abs(a - b) for a, b in combinations(lightness, 2)) > 12
    assert max(lightness) < 70


def test_names_are_dark_enough_to_read() -> None:
    for colour in (*COLOURS, OTHERS):
        part = np.array(text_colour(colour))
        linear = np.where(part <= 0.04045, part / 12.92, ((part + 0.055) / 1.055) ** 2.4)
        assert 1.05 / (linear @ [0.2126, 0.7152, 0.0722] + 0.05) >= 4.5


def test_pages_have_the_colours_of_plots() -> None:
    style_sheet = files("costspace.report") / "static" / "charts.css"
    light = style_sheet.read_text(encoding="utf-8").split("@media")[0]
    for letter, expected in (("m", COLOURS), ("t", map(text_colour, COLOURS))):
        found = re.findall(rf"--{letter}\d: (#\w+);", light)
        assert found == [to_hex(colour) for colour in expected]


def test_a_model_has_one_colour_in_every_plot() -> None:
    curves = {name: cs.loss_curve(table, choice=cs.Optimal()) for name, table in TABLES.items()}
    displays = [
        plot_cost_space(curves),
        plot_roc_space(TABLES, hull=False),
        plot_net_benefit({name: cs.decision_curve(table) for name, table in TABLES.items()}),
    ]
    for display in displays:
        assert {name: display.artists[name].get_color() for name in TABLES} == colours(TABLES)


def test_a_model_keeps_its_colour_among_fewer() -> None:
    bins = {"third": cs.decomposition.partition_scores(TABLES["third"], partition=5)}
    display = plot_calibration(bins, colours=colours(TABLES))
    assert display.artists["third"].get_color() == colours(TABLES)["third"] == COLOURS[2]


def test_of_many_models_the_best_four_have_colours() -> None:
    names = [f"model {i}" for i in range(12)]
    losses = {name: abs(i - 8.6) for i, name in enumerate(names)}
    found = styles_by_name(names, losses=losses)
    coloured = {name: look.colour for name, look in found.items() if look.colour != OTHERS}
    assert coloured == dict(zip(names[7:11], COLOURS, strict=False))
    assert not any(look.marker for look in found.values() if look.colour == OTHERS)


def test_colours_that_are_used_or_given_are_not_given_again() -> None:
    found = styles_by_name(["a", "b"], given={"b": COLOURS[0]}, used=[COLOURS[1]])
    assert {name: look.colour for name, look in found.items()} == {"a": COLOURS[2], "b": COLOURS[0]}


def test_lines_differ_by_dashes() -> None:
    assert len({style(i).line()["linestyle"] for i in range(6)}) == 6
    assert {style(i).line()["linestyle"] for i in range(6, 8)} == {"-"}
    assert [style(i).marker for i in range(7)] == [*MARKERS, ""]


def test_pale_is_nearer_to_white() -> None:
    assert pale("#000000", 0.25) == (0.25, 0.25, 0.25)

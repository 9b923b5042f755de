"""Names next to lines: which there are, where they are, and how they are shortened."""

from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.path import Path
from matplotlib.text import Text

from costspace.plots.labels import LineLabels, label_lines


def drawn(ax: Axes, monkeypatch: pytest.MonkeyPatch) -> list[Text]:
    """The names that are written when the axes are drawn."""
    texts: list[Text] = []
    draw = Text.draw
    canvas = FigureCanvasAgg(ax.figure)  # type: ignore[arg-type]
    with monkeypatch.context() as patched:
        patched.setattr(Text, "draw", lambda text, renderer: texts.append(text))
        labels = [artist for artist in ax.get_children() if isinstance(artist, LineLabels)]
        ax.autoscale_view()
        for label in labels:
            label.draw(canvas.get_renderer())
    assert Text.draw is draw
    return texts


def axes(*labels: str, size: tuple[float, float] = (5, 3.6)) -> Axes:
    _, ax = plt.subplots(figsize=size)
    for i, label in enumerate(labels):
        ax.plot([0, 1], [i, i + 0.5], label=label)
    label_lines(ax)
    return ax


def said(ax: Axes, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    return [text.get_text() for text in drawn(ax, monkeypatch)]


def test_each_line_has_its_name_in_its_colour(monkeypatch: pytest.MonkeyPatch) -> None:
    ax = axes("a", "b")
    ax.plot([0, 1], [1, 0], color="black", label="_hidden")
    texts = drawn(ax, monkeypatch)
    assert [text.get_text() for text in texts] == ["a", "b"]
    for text, line in zip(texts, ax.get_lines(), strict=False):
        hue = np.array(plt.matplotlib.colors.to_rgb(line.get_color()))
        colour = np.array(text.get_color())
        assert np.allclose(colour / colour.max(), hue / hue.max())


@pytest.mark.parametrize("name", ["b$$c", "$\\frac$", "$x", "a_b$", "100 %"])
def test_a_name_is_no_formula(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    ax = axes(name, "other")
    assert said(ax, monkeypatch) == [name, "other"]
    FigureCanvasAgg(ax.figure).draw()  # type: ignore[arg-type]


def test_a_later_line_and_a_new_name_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    ax = axes("a")
    ax.get_lines()[0].set_label("renamed")
    ax.plot([0, 1], [3, 3], label="later")
    label_lines(ax)
    assert said(ax, monkeypatch) == ["renamed", "later"]


def test_what_a_legend_names_is_not_written_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    ax = axes("a", "b")
    ax.legend(handles=ax.get_lines()[:1])
    assert said(ax, monkeypatch) == ["b"]


def test_an_area_is_named_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    _, ax = plt.subplots()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    ax.fill([0, 0.5, 0.5, 0], [0, 0, 0.5, 0.5], label="area")
    label_lines(ax)
    (text,) = drawn(ax, monkeypatch)
    corners = ax.transAxes.inverted().transform(text.get_window_extent())
    assert ((corners > 0) & (corners < 0.5)).all()


def test_an_area_of_many_vertices_is_looked_at_as_one_of_few(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _, ax = plt.subplots()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    x = np.linspace(0, 1, 20_000)
    ax.fill_between(x, 0.3 + 1e-3 * np.sin(1e4 * x), 0.7, label="band")
    label_lines(ax)
    looked_at = []

    class Counted(Path):
        def contains_points(self, *args: Any, **options: Any) -> Any:
            looked_at.append(len(self.vertices))
            return super().contains_points(*args, **options)

    monkeypatch.setattr("costspace.plots.labels.Path", Counted)
    (text,) = drawn(ax, monkeypatch)
    assert max(looked_at) < 2500
    low, high = ax.transData.inverted().transform(text.get_window_extent())[:, 1]
    assert 0.29 < low < high < 0.71


def test_many_names_are_smaller(monkeypatch: pytest.MonkeyPatch) -> None:
    few = drawn(axes(*"abc"), monkeypatch)
    many = drawn(axes(*"abcdefghij"), monkeypatch)
    assert len(many) == 10
    assert many[0].get_fontsize() < few[0].get_fontsize()


def test_long_names_lose_what_they_have_in_common(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"gradient boosting of depth {i} on all of the columns" for i in range(9)]
    found = said(axes(*names, "other", size=(3.4, 2.6)), monkeypatch)
    assert found == [*(f"… depth {i} …" for i in range(9)), "other"]


def test_axes_that_are_not_drawn_have_no_names(monkeypatch: pytest.MonkeyPatch) -> None:
    ax = axes("a")
    for artist in ax.get_children():
        if isinstance(artist, LineLabels):
            artist.set_visible(False)
    assert said(ax, monkeypatch) == []


def test_what_is_outside_the_axes_has_no_name_and_takes_no_room(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ax = axes("a", "b", "c")
    sizes = {text.get_fontsize() for text in drawn(ax, monkeypatch)}
    ax.plot([0, 1], [90, 91], label="far")
    ax.set_ylim(0, 3)
    texts = drawn(ax, monkeypatch)
    assert [text.get_text() for text in texts] == ["a", "b", "c"]
    assert {text.get_fontsize() for text in texts} == sizes


def test_long_names_are_broken_before_what_else_is_said_goes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = ["forest of many trees on all columns\n  loss 0.1", "nets of layers\n  loss 0.1"]
    found = said(axes(*names, size=(1.8, 3.6)), monkeypatch)
    assert [len(text.splitlines()) > 2 for text in found] == [True, False]
    assert all("loss 0.1" in text for text in found)
    few = said(axes(*names, size=(1.8, 0.8)), monkeypatch)
    assert not any("loss 0.1" in text for text in few)


def test_what_is_said_of_names_stays_when_they_are_shortened(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    names = [f"{name} of many trees on all columns\n  loss 0.1" for name in ("forest", "set")]
    found = said(axes(*names, size=(2.2, 3.6)), monkeypatch)
    assert found == ["forest …\n  loss 0.1", "set …\n  loss 0.1"]

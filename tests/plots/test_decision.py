"""What is drawn of a decision: losses, ranges, thresholds, and where nothing is feasible."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from foreign import RecallReached
from matplotlib.collections import PolyCollection
from matplotlib.colors import to_rgb
from numpy.testing import assert_allclose, assert_array_equal
from pictures import rows, vertices, written
from refusals import refused

import costspace as cs
from costspace.decision.sentences.terms import term
from costspace.decision.strategy import Strategy
from costspace.plots import Display, colours, plot_cost_space, plot_decision

GENERATOR = np.random.default_rng(0)
Y = GENERATOR.random(400) < 0.25
SCORES = {
    "good": np.clip(0.2 + 0.35 * Y + 0.15 * GENERATOR.standard_normal(400), 0, 1),
    "poor": np.clip(0.2 + 0.1 * Y + 0.1 * GENERATOR.standard_normal(400), 0, 1),
}
RANGE = cs.Deployment(fp_cost=1, fn_cost=(1, 20), prevalence=(0.1, 0.3))
DECISION = cs.decide(Y, SCORES, conditions=RANGE)
KNOWN = cs.decide(Y, SCORES, conditions=cs.Deployment(1, (1, 20), 0.2))
SINGLE = cs.decide(Y, SCORES, conditions=cs.Deployment(1, 4, 0.2))
BANDS = cs.decide(Y, SCORES, conditions=RANGE, constraints=cs.Constraints(capacity=0.2))


def name(strategy: Strategy) -> str:
    """The name of a strategy in a picture."""
    model = "" if strategy.model is None else f"{strategy.model}, "
    return f"{model}{term(strategy)}"


def ranges(display: Display) -> np.ndarray:
    names = [name for name in display.artists if name.startswith("range")]
    return np.array([rows(display, name)[0] for name in names])


def test_the_losses_are_those_on_rows_held_out() -> None:
    losses = DECISION.losses()
    assert losses is not None
    display = plot_decision(DECISION)
    used = {row.strategy for row in DECISION.short_table().rows if row.strategy.model}
    assert {name(strategy) for strategy in used} <= set(display.artists)
    for strategy, curve in losses.items():
        if strategy in used:
            x, y = vertices(display, name(strategy))
            assert np.minimum(abs(y - curve(x)), abs(y - curve.left(x))).max() < 1e-12


def test_losses_of_a_decision_are_the_table() -> None:
    losses = DECISION.losses()
    assert losses is not None
    for row in DECISION.table().rows:
        middle = (row.skew_low + row.skew_high) / 2
        least = min(float(curve(middle)) for curve in losses.values())
        assert_allclose(row.loss, least, atol=1e-12)
        assert_allclose(losses[row.strategy](middle), least, atol=1e-12)


@pytest.mark.parametrize("short", [True, False])
def test_the_ranges_are_those_of_the_table(short: bool) -> None:
    table = DECISION.short_table() if short else DECISION.table()
    expected = [(one.skew_low, one.skew_high) for one in table.condensed()]
    assert_array_equal(ranges(plot_decision(DECISION, short=short)), expected)


def test_at_a_known_prevalence_it_is_over_the_cost_proportion() -> None:
    display = plot_decision(KNOWN)
    assert display.ax.get_xlabel().startswith("Cost proportion")
    assert display.ax.get_ylabel() == "Expected loss on held-out rows"
    assert_allclose(display.ax.get_xlim(), (1 / 21, 1 / 2))
    expected = [
        cs.cost_from_skew([one.skew_low, one.skew_high], prevalence=0.2)
        for one in KNOWN.short_table().condensed()
    ]
    assert_allclose(ranges(display), expected)


def test_the_strip_says_what_to_use_with_which_thresholds() -> None:
    known = cs.decide(Y, {"good": SCORES["good"]}, conditions=RANGE, choices=[cs.Smoothed()])
    table = known.short_table()
    assert table is not None
    used = [one for one in table.condensed() if one.strategy.model]
    low, high = (
        f(getattr(one, name) for one in used)
        for f, name in ((min, "threshold_low"), (max, "threshold_high"))
    )
    said = [text.get_text() for text in plot_decision(known).ax.texts]
    assert said == ["good", f"threshold {low:.3g} to {high:.3g}"]


def test_a_model_has_one_colour_and_a_second_choice_is_paler() -> None:
    choices = [cs.Optimal(), cs.Smoothed()]
    decision = cs.decide(Y, SCORES, conditions=RANGE, choices=choices)
    display = plot_decision(decision, short=False)
    assert len(ranges(display)) == len(decision.table().condensed()) > 8
    colour = to_rgb(colours(SCORES)["good"])
    drawn = [to_rgb(display.artists[f"good, {c}"].get_color()) for c in ("smoothed", "optimal")]
    assert colour in drawn
    other = next(one for one in drawn if one != colour)
    assert (np.array(other) > colour).all()


def test_a_single_condition_is_marked_on_all_of_the_axis() -> None:
    display = plot_decision(SINGLE)
    assert display.ax.get_xlim() == (0, 1)
    assert_allclose(ranges(display), [[0.2, 0.2]])
    assert any(list(line.get_xdata()) == [0.2, 0.2] for line in display.ax.get_lines())


def test_the_trivial_rules_have_the_names_that_cost_space_gives_them() -> None:
    display = plot_decision(DECISION)
    others = plot_cost_space({}, trivial=0.5, axis="skew").artists
    assert set(others) <= set(display.artists)


def test_where_constraints_bind_prevalence_is_an_axis() -> None:
    assert BANDS.losses() is None
    display = plot_decision(BANDS, short=False)
    assert display.ax.get_ylabel() == "Prevalence (logit scale)"
    assert_allclose(display.ax.get_ylim(), (0.1, 0.3))
    for drawn, artist in display.artists.items():
        assert isinstance(artist, PolyCollection)
        x, p = (corners.reshape(-1, 4) for corners in rows(display, drawn))
        for skews, prevalences in zip(x, p, strict=True):
            at = skews.mean(), np.sqrt(prevalences.min() * prevalences.max())
            assert drawn == name(BANDS.table().rule_at(*at).strategy)
    assert any("threshold" in text.get_text() for text in display.ax.texts)


def test_a_foreign_choice_has_its_own_name() -> None:
    choices = [RecallReached(), cs.RateFixed(0.1)]
    known = cs.Deployment(1, (1, 20), 0.2)
    decision = cs.decide(Y, SCORES, conditions=known, choices=choices, known="costs")
    display = plot_decision(decision, short=False)
    losses = decision.losses()
    assert losses is not None
    used = {row.strategy for row in decision.table().rows if row.strategy.model}
    assert {strategy.choice for strategy in used} <= set(choices)
    assert used
    said = "\n".join(written(display.ax))
    for strategy in used:
        name = f"{strategy.model}, {strategy.choice}"
        x, y = vertices(display, name)
        curve = losses[strategy]
        assert np.minimum(abs(y - curve(x)), abs(y - curve.left(x))).max() < 1e-12
        assert f"{name}\n" in said


def test_gaps_are_labelled() -> None:
    limits = cs.Constraints(min_recall=0.9, min_precision=0.5)
    decision = cs.decide(Y, SCORES, conditions=RANGE, constraints=limits, randomise=True)
    assert decision.gaps
    assert decision.table() is not None
    display = plot_decision(decision, short=False)
    assert "nothing is feasible" in written(display.ax)
    gaps = rows(display, "nothing is feasible")[1].reshape(-1, 4)
    assert_array_equal(
        [[gap.prevalence_low, gap.prevalence_high] for gap in decision.gaps], gaps[:, :2]
    )


def test_given_axes_have_no_legend() -> None:
    _, ax = plt.subplots()
    display = plot_decision(DECISION, ax=ax)
    assert display.ax is ax
    assert {name(strategy) for strategy in DECISION.losses() or ()} & set(written(ax))


def test_rare_conditions() -> None:
    display = plot_decision(DECISION, scale="logit", limits=(0.001, 0.6))
    assert display.ax.get_xscale() == "logit"
    assert display.ax.get_xlim() == (0.001, 0.6)
    display.figure.canvas.draw()


def test_refusals() -> None:
    with refused(cs.SourceError, "a Decision is needed"):
        plot_decision(DECISION.table())  # type: ignore[arg-type]
    limits = cs.Constraints(capacity=0.01, min_recall=0.99)
    nothing = cs.decide(Y, SCORES, conditions=RANGE, constraints=limits)
    with refused(cs.ConditionError, "nothing keeps to the constraints"):
        plot_decision(nothing)
    with refused(cs.ConditionError, "scale must be"):
        plot_decision(DECISION, scale="log")
    assert plt.get_fignums() == []

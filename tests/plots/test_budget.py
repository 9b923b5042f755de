"""What is drawn of loss budgets: bars that add up, and what knowing would save."""

import matplotlib.pyplot as plt
import numpy as np
from numpy.testing import assert_allclose, assert_array_equal
from refusals import refused

import costspace as cs
from costspace.decision.budget import PARTS, REMEDIES
from costspace.plots import Display, plot_budget

GENERATOR = np.random.default_rng(0)
Y = GENERATOR.random(200) < 0.3
SCORES = {
    name: np.clip(0.2 + size * Y + 0.2 * GENERATOR.standard_normal(200), 0, 1)
    for name, size in (("good", 0.4), ("poor", 0.2))
}
MODELS = cs.decide(Y, SCORES, conditions=cs.Deployment(1, (1, 10), (0.1, 0.4))).models
REACTING = {name: model.reacting for name, model in MODELS.items()}
COMMITTING = {name: model.committing for name, model in MODELS.items()}
KNOWING = {name: model.knowing for name, model in MODELS.items()}


def bars(display: Display) -> dict[str, tuple[float, float]]:
    columns = display.columns()
    ends = zip(columns["from"].tolist(), columns["to"].tolist(), strict=True)
    return dict(zip(columns["drawn"].tolist(), ends, strict=True))


def test_each_part_begins_where_the_one_before_ends() -> None:
    display = plot_budget(COMMITTING)
    drawn = bars(display)
    for name, budget in COMMITTING.items():
        reached = 0.0
        for part in ("ranking", "committing", "mis-set threshold"):
            start, end = drawn[f"{name}, {PARTS[part]}"]
            assert_allclose((start, end - start), (reached, budget.parts[part]))
            reached = end
        assert_allclose(reached, budget.total)
        assert drawn[f"{name}, total"] == (0, budget.total)
    for name, artist in display.artists.items():
        assert_allclose((artist.get_x(), artist.get_x() + artist.get_width()), drawn[name])


def test_a_part_that_is_nothing_everywhere_is_left_out() -> None:
    assert all(budget.parts["constraints"] == 0 for budget in REACTING.values())
    assert not [name for name in plot_budget(REACTING).artists if "limits" in name]
    given = {**REACTING, "more": cs.decision.LossBudget({"ranking": 1.0, "constraints": 2.0}, 3.0)}
    assert "good, limits" in plot_budget(given).artists


def test_what_to_do_is_written_below() -> None:
    below = plot_budget(REACTING).ax.texts[-1].get_text()
    assert below == "ranking: a model that ranks better\nmiscalibration: calibrate the scores"


def test_names_and_numbers_are_written() -> None:
    display = plot_budget(
        {"model": cs.decision.LossBudget({"ranking": 1234.5, "miscalibration": 2.0}, 1236.5)}
    )
    parts = [label.get_text() for label in display.ax.get_yticklabels()]
    assert parts == ["ranking", "miscalibration", "total"]
    said = [text.get_text() for text in display.ax.texts]
    assert said[:-1] == ["model", "1,230", "2", "1,240"]
    assert display.ax.get_xlabel() == "Expected cost per 1,000 cases"
    display.figure.canvas.draw()
    for text in display.ax.texts[:-1]:
        assert text.get_window_extent().x1 < display.ax.bbox.x1


def test_gains_go_to_the_left() -> None:
    budget = cs.decision.LossBudget({"correct_decisions": -50.0, "ranking": 20.0}, -30.0)
    display = plot_budget(budget)
    assert bars(display) == {
        "budget, correct decisions": (0, -50),
        "budget, ranking": (-50, -30),
        "budget, total": (0, -30),
    }
    assert display.ax.get_xlim()[0] <= -50
    assert "\N{MINUS SIGN}50" in [text.get_text() for text in display.ax.texts]


def test_parts_differ_without_colour() -> None:
    assert PARTS.keys() == REMEDIES.keys()
    every = dict.fromkeys(REMEDIES, 1.0)
    display = plot_budget(cs.decision.LossBudget(every, 6.0))
    faces = [artist.get_facecolor() for artist in display.artists.values()]
    greys = {round(float(np.mean(face[:3])), 2) for face in faces}
    assert len(greys) == len(REMEDIES) + 1


def test_knowing_saves_from_the_best_single_threshold() -> None:
    display = plot_budget(COMMITTING, knowing=KNOWING)
    drawn = bars(display)
    for name, budget in COMMITTING.items():
        single = budget.total - budget.parts["mis-set threshold"]
        for what in ("costs", "prevalence", "both"):
            saved = getattr(KNOWING[name], what)
            assert_allclose(drawn[f"{name}, {what} known"], (single, single - saved))
        assert_allclose(drawn[f"{name}, both known"][1], budget.parts["ranking"])
    parts = [label.get_text() for label in display.ax.get_yticklabels()]
    assert parts.count("both known") == len(COMMITTING)
    assert any(text.get_text().startswith("saves ") for text in display.ax.texts)


def test_figures_grow_and_given_axes_do_not() -> None:
    many = {f"{name} {i}": budget for name, budget in COMMITTING.items() for i in range(5)}
    few, more = plot_budget(COMMITTING).figure, plot_budget(many).figure
    assert more.get_size_inches()[1] > 2 * few.get_size_inches()[1]
    figure, ax = plt.subplots(figsize=(5, 4))
    plot_budget(many, ax=ax)
    assert_array_equal(figure.get_size_inches(), (5, 4))


def test_refusals() -> None:
    with refused(cs.SourceError, "budget: this needs LossBudget"):
        plot_budget(MODELS)  # type: ignore[arg-type]
    with refused(cs.ConditionError, "no budget 'good' of committing"):
        plot_budget(REACTING, knowing=KNOWING)
    with refused(cs.ConditionError, "no budget 'other' of committing"):
        plot_budget(COMMITTING, knowing={"other": KNOWING["good"]})
    with refused(cs.SourceError, "this needs ValueOfKnowing"):
        plot_budget(COMMITTING, knowing={"good": 3.0})  # type: ignore[dict-item]
    assert plt.get_fignums() == []

"""What titles say is true, on random problems."""

import re
from typing import Any

import matplotlib.pyplot as plt
import numpy as np
import pytest

import costspace as cs
import costspace.plots as cp
from costspace.plots.findings import best_of

SEEDS = pytest.mark.parametrize("seed", range(12))
FINE = np.linspace(0, 1, 20_001)[1:-1]


def problem(seed: int, models: str = "abc") -> tuple[Any, dict[str, Any]]:
    rng = np.random.default_rng(seed)
    y = np.append([0, 1], rng.random(rng.integers(20, 300)) < rng.choice([0.1, 0.4]))
    scores = {}
    for name in models:
        noise = rng.normal(rng.uniform(0, 2) * (y - 0.5), 1)
        scores[name] = np.round(1 / (1 + np.exp(-noise)), rng.integers(1, 4))
    # At times two models are one.
    if seed % 4 == 0:
        scores[models[1]] = scores[models[0]]
    return y, scores


def title(display: cp.Display) -> str:
    said = display.ax.get_title().replace("\n", " ")
    plt.close("all")
    return said


def test_best_of() -> None:
    verbs = "wins", "win"
    some = {"a": 0.1234, "b": 0.2, "c": 0.12341, "d": 0.3}

    def written(value: float) -> str:
        return f"{value:.3f}"

    assert best_of({"a": 0.1, "b": 0.2}, written, verbs) == "a wins: 0.100"
    assert best_of({"a": 0.1, "b": 0.2}, written, verbs, largest=True) == "b wins: 0.200"
    assert best_of(some, written, verbs) == "a and c win: 0.123"
    assert best_of({**some, "e": 0.1229}, written, verbs) == "3 of 5 win: 0.123"
    assert best_of({"a": 0.5, "b": 0.5}, written, verbs) == "a and b are alike: 0.500"
    assert best_of(dict.fromkeys("abc", 0.5), written, verbs) == "All 3 are alike: 0.500"


def names_in(said: str, verb: str) -> list[str]:
    """Who is said to be best: nobody of those that are not named."""
    if said.startswith("All 3 are alike"):
        return list("abc")
    found = re.match(rf"(\w)(?: and (\w))? (?:{verb}|are alike)", said)
    assert found, said
    return [name for name in found.groups() if name]


@SEEDS
@pytest.mark.parametrize("axis", ["cost", "skew", "pc", "prevalence"])
def test_of_losses(seed: int, axis: str) -> None:
    y, scores = problem(seed)
    along = "cost" if axis == "cost" else "skew"
    choice = cs.Optimal() if seed % 2 else cs.ScoreDriven()
    curves = {name: cs.loss_curve(y, s, choice=choice, axis=along) for name, s in scores.items()}
    low, high = (0.2, 0.7) if seed % 3 == 0 else (0.0, 1.0)
    said = title(cp.plot_cost_space(curves, axis=axis, limits=(low, high)))
    at = low + (high - low) * FINE
    turned = 1 - at if axis in ("pc", "prevalence") else at
    losses = {name: np.asarray(curve(turned)) for name, curve in curves.items()}
    means = {name: float(np.mean(loss)) for name, loss in losses.items()}
    best = names_in(said, "(?:lose|cost)s? least")
    assert all(means[name] < min(means.values()) + 0.001 for name in best)
    lowest = [name for name in "abc" if np.all(losses[name] <= np.min([*losses.values()], 0))]
    if " at every " in said:
        assert set(best) <= set(lowest)
    else:
        assert float(said.rpartition(": ")[2]) == pytest.approx(min(means.values()), abs=0.0006)
        assert set(lowest) <= set(best)


@SEEDS
def test_of_one_curve(seed: int) -> None:
    y, scores = problem(seed)
    curve = cs.loss_curve(y, scores["a"], choice=cs.ScoreDriven())
    said = title(cp.plot_cost_space({"a": curve}))
    assert said == f"a loses {curve.expectation(cs.Uniform()):.3g} on average"
    p = float(np.mean(y))
    said = title(cp.plot_cost_space({"a": curve}, trivial=p, operating_range=True))
    better = np.mean(curve(FINE) < 2 * np.minimum(FINE * (1 - p), (1 - FINE) * p) - 1e-12)
    share = float(re.fullmatch(r"a beats .+ nobody on (\d+) % of the axis", said)[1])  # type: ignore[index]
    assert share == pytest.approx(100 * better, abs=0.6)
    table = cs.ScoreTable.from_predictions(y, scores["a"])
    lines = cs.cost_lines(table.distinct_points.after_flagging_all(), axis="skew")
    said = title(cp.plot_cost_space({}, lines=lines, envelope=True, axis="skew"))
    least = float(np.mean(lines(FINE).min(axis=0)))
    assert said.startswith(f"The lowest of {len(lines.left)} cost lines: ")
    assert float(said.split(": ")[1].split()[0]) == pytest.approx(least, abs=0.0006)
    parts = cs.metrics.class_parts(table)
    said = title(cp.plot_brier_parts(parts))
    means = [float(np.mean(one(FINE))) for one in (parts.negatives, parts.positives)]
    found = re.fullmatch(r"Mean loss by false positives (.+), by false negatives (.+)", said)
    assert found
    assert [float(one) for one in found.groups()] == pytest.approx(means, abs=0.0006)


@SEEDS
def test_of_roc_curves(seed: int) -> None:
    y, scores = problem(seed)
    tables = {name: cs.ScoreTable.from_predictions(y, s) for name, s in scores.items()}
    said = title(cp.plot_roc_space(tables))
    areas = {name: f"{cs.auc(y, s):.3f}" for name, s in scores.items()}
    best = max(areas.values())
    assert said.endswith(f": AUC {best}")
    assert names_in(said, "ranks? best") == [name for name in "abc" if areas[name] == best]
    assert title(cp.plot_roc_space(tables["a"])) == f"AUC {areas['a']}"
    assert title(cp.plot_roc_space({})) == "ROC space"
    pairs = title(cp.plot_score_distributions(tables["a"]))
    assert f" in {100 * cs.auc(tables['a']):.0f} of 100 pairs" in pairs


@SEEDS
@pytest.mark.parametrize("scale", ["linear", "logit"])
def test_of_who_leads(seed: int, scale: str) -> None:
    y, scores = problem(seed)
    choice = cs.Optimal() if seed % 2 else cs.ScoreDriven()
    losses = {name: cs.loss_curve(y, s, choice=choice) for name, s in scores.items()}
    limits = (0.05, 0.9)
    u = np.linspace(*np.log(np.divide(limits, np.subtract(1, limits))), 20_001)[1:-1]
    at = 1 / (1 + np.exp(-u)) if scale == "logit" else np.interp(FINE, [0, 1], limits)
    heights = np.stack([losses[name](at) for name in "abc"])

    def check(said: str, lowest: Any) -> None:
        shares = 100 * np.mean(heights <= lowest + 1e-12, axis=1)
        best = names_in(said, "leads? longest")
        share = float(said.split(": ")[1].split(maxsplit=1)[0])
        assert share == pytest.approx(shares.max(), abs=0.6)
        assert all(shares["abc".index(name)] > shares.max() - 1.1 for name in best)

    said = title(cp.plot_dominance(losses, scale=scale, limits=limits))
    check(said.partition(" (pale")[0], heights.min(axis=0))
    curves = {name: cs.decision_curve(y, s, choice=choice) for name, s in scores.items()}
    said = title(cp.plot_net_benefit(curves, scale=scale, limits=limits))
    p = float(np.mean(y))
    rules = np.stack([2 * at * (1 - p), 2 * (1 - at) * p])
    if said == "No model beats treating all and treating none":
        assert np.mean(heights.min(axis=0) < rules.min(axis=0) - 1e-12) < 0.01
    else:
        check(said, np.minimum(heights.min(axis=0), rules.min(axis=0)))


@SEEDS
def test_of_a_difference(seed: int) -> None:
    y, scores = problem(seed)
    band = cs.difference_band(
        *(y, {name: scores[name] for name in "ac"}), choice=cs.ScoreDriven(), simultaneous=False
    )
    said = title(cp.plot_difference(band, models=("a", "c")))
    wins = {"a": np.mean(band.high(FINE) < 0), "c": np.mean(band.low(FINE) > 0)}
    for name, share in wins.items():
        found = re.search(rf"\b{name}(?: clearly loses less)? on (\d+) %", said)
        if found:
            assert float(found[1]) == pytest.approx(100 * share, abs=0.7)
        else:
            assert share < 0.001
    assert (said == "No clear difference of a and c") == (not re.search(r"\d", said))


@SEEDS
def test_of_reviews(seed: int) -> None:
    y, scores = problem(seed)
    curves = {
        name: cs.review_curve(y, s, fp_cost=1, fn_cost=6, review=cs.Review(cost=0.3))
        for name, s in scores.items()
    }
    costs = {name: 1000 * float(curve(0.3)) for name, curve in curves.items()}
    for kind in ("cost", "share"):
        said = title(cp.plot_reviews(curves, kind=kind))
        assert float(said.split(": ")[1].split()[0].replace(",", "")) == pytest.approx(
            min(costs.values()), abs=0.51
        )
        best = names_in(said, "costs? least")
        assert all(costs[name] <= min(costs.values()) + 1 for name in best)
    said = title(cp.plot_reviews(curves["a"]))
    assert f" {1000 * curves['a'].without:,.0f} without reviews" in said


def test_folds_are_not_what_titles_speak_of() -> None:
    y, scores = problem(1)
    tables = {name: cs.ScoreTable.from_predictions(y, s) for name, s in scores.items()}
    looks = {name: {"alpha": 0.4} for name in "bc"}
    assert title(cp.plot_roc_space(tables, looks=looks)) == f"AUC {tables['a'].auc:.3f}"
    every = {name: {"alpha": 0.4} for name in "abc"}
    assert title(cp.plot_roc_space(tables, looks=every)) == title(cp.plot_roc_space(tables))

"""Errors by rows: against influences row by row, and draws against their covariance."""

import numpy as np
import pytest

import costspace as cs
from costspace.bands.band_limits import squared_errors
from costspace.bands.competing_thresholds import CompetingThresholds
from costspace.bands.row_losses import FlaggedRows, RowLosses
from costspace.bands.sample_curve import sample_curve
from costspace.bands.sampled_rows import SampledRows
from costspace.estimates.row_errors import row_error, row_influences
from costspace.samples.rows import ScoredRows

AT = np.array([0.05, 0.23, 0.5, 0.71, 0.96])
KINDS = ("plain", "tied", "weighted", "counts", "clustered", "weighted clustered")


def scored(
    n: int = 120, *, weighted: bool = False, clustered: bool = False, tied: bool = False
) -> ScoredRows:
    rng = np.random.default_rng(n)
    y = np.append([0, 1], rng.integers(0, 2, n - 2))
    scores = {name: rng.beta(2 + y, 3 - y) for name in ("a", "b")}
    if tied:
        scores = {name: np.round(values, 1) for name, values in scores.items()}
    return ScoredRows.from_predictions(
        y,
        scores,
        sample_weight=rng.integers(0, 4, n) + 0.0 if weighted else None,
        groups=rng.integers(0, 25, n) if clustered else None,
    )


def sample_of(kind: str, prevalence: float | None, design: str) -> SampledRows:
    """Rows of one of the kinds."""
    rows = scored(
        weighted="weighted" in kind or kind == "counts",
        clustered="clustered" in kind,
        tied=kind == "tied",
    )
    return SampledRows(rows, prevalence, design, "counts" if kind == "counts" else "sampling")


def errors(
    sample: SampledRows, choice: cs.ThresholdChoice, *models: str
) -> tuple[RowLosses, np.ndarray]:
    """The errors of one model's loss, or of the difference of two."""
    found = [sample_curve(sample, model, choice) for model in models]
    signed = [found[0].flagged, *(one.flagged.negated() for one in found[1:])]
    losses = sample.losses(*signed)
    return losses, np.sqrt(squared_errors([losses])(AT))


@pytest.mark.parametrize("models", [("a",), ("a", "b")])
@pytest.mark.parametrize(
    ("design", "prevalence"), [("independent", None), ("stratified", None), ("independent", 0.2)]
)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "choice",
    [cs.ScoreDriven(), cs.Optimal(), cs.ScoreFixed(0.4), cs.ScoreUniform(0.1, 0.8)],
    ids=lambda choice: type(choice).__name__,
)
def test_it_is_the_error_of_the_loss_at_single_conditions(
    choice: cs.ThresholdChoice,
    kind: str,
    prevalence: float | None,
    design: str,
    models: tuple[str, ...],
) -> None:
    sample = sample_of(kind, prevalence, design)
    rows, weights = sample.rows, sample.weights
    _, found = errors(sample, choice, *models)
    for c, error in zip(AT, found, strict=True):
        influences = []
        for model in models:
            table = sample.table(model)
            influence = choice.influence(table, cs.Point(c))
            influences.append(row_influences(influence, rows, table, model, design=design))
        total = influences[0] if len(models) == 1 else influences[0] - influences[1]
        expected = row_error(total, rows, weights=weights)
        assert error**2 == pytest.approx(expected**2, rel=1e-9, abs=1e-16)


def test_draws_have_the_covariance_of_the_errors() -> None:
    sample = SampledRows(scored(60, clustered=True), None, "independent", "sampling")
    losses, _ = errors(sample, cs.ScoreDriven(), "a", "b")
    steps = np.array([0, 10, 55, 90, len(losses.at)])
    x, y = losses.draw(np.random.default_rng(0), 40_000, steps)
    found = np.stack([np.mean(x * x, axis=0), np.mean(x * y, axis=0), np.mean(y * y, axis=0)])
    expected = losses.products[:, steps]
    size = np.sqrt(expected[0] * expected[2])
    assert np.all(np.abs(found[[0, 2]] - expected[[0, 2]]) <= 0.05 * expected[[0, 2]] + 1e-16)
    assert np.all(np.abs(found[1] - expected[1]) <= 0.05 * size + 1e-16)


def test_the_mean_is_the_loss() -> None:
    sample = SampledRows(scored(80, weighted=True), 0.3, "independent", "sampling")
    losses, _ = errors(sample, cs.ScoreDriven(), "a", "b")
    curves = [sample_curve(sample, model, cs.ScoreDriven()).curve for model in ("a", "b")]
    steps = np.searchsorted(losses.at, AT, side="right")
    x, y = losses.mean[:, steps]
    expected = np.asarray(curves[0](AT)) - np.asarray(curves[1](AT))
    np.testing.assert_allclose(AT * x + (1 - AT) * y, expected, atol=1e-14)


def test_third_moments_are_those_of_each_class() -> None:
    rows = scored(90, weighted=True)
    sample = SampledRows(rows, None, "independent", "sampling")
    losses, _ = errors(sample, cs.ScoreDriven(), "a")
    second, third = losses.moments(AT, np.searchsorted(losses.at, AT, side="right"))
    weight = np.asarray(rows.weight) / np.sum(np.asarray(rows.weight))
    table = sample.table("a")
    for i, c in enumerate(AT):
        influence = cs.ScoreDriven().influence(table, cs.Point(c))
        part = weight * row_influences(influence, rows, table, "a", design="independent")
        for k, side in enumerate((~rows.positive, rows.positive)):
            assert third[k, i] == pytest.approx(np.sum(part[side] ** 3), rel=1e-9, abs=1e-18)
            size = np.count_nonzero(np.asarray(rows.weight)[side])
            square = np.sum(part[side] ** 2) * size / (size - 1)
            assert second[k, i] == pytest.approx(square, rel=1e-9)


def test_a_class_whose_rows_all_err_alike_is_marked() -> None:
    rows = ScoredRows.from_predictions([0, 0, 0, 1, 1], {"a": [0.1, 0.2, 0.6, 0.4, 0.9]})
    losses, _ = errors(SampledRows(rows, None, "stratified", "sampling"), cs.ScoreDriven(), "a")
    np.testing.assert_array_equal(losses.at, [0.1, 0.2, 0.4, 0.6, 0.9])
    np.testing.assert_array_equal(losses.alike[0], [True, False, False, False, True, True])
    np.testing.assert_array_equal(losses.alike[1], [True, True, True, False, False, True])
    below, above = losses.rooms(np.full(6, 0.5), np.arange(6))
    np.testing.assert_allclose(below[0], 0.6 * np.array([3, 2, 1, 1, 0, 0]) / 3, atol=1e-15)
    np.testing.assert_allclose(above[1], 0.4 * np.array([2, 2, 2, 1, 1, 0]) / 2, atol=1e-15)


@pytest.mark.parametrize("other", [None, cs.Optimal(), cs.ScoreUniform(0.1, 0.8)], ids=str)
@pytest.mark.parametrize("prevalence", [None, 0.2])
@pytest.mark.parametrize("kind", KINDS)
def test_merged_rows_have_the_errors_of_all(
    kind: str, prevalence: float | None, other: cs.ThresholdChoice | None
) -> None:
    sample = sample_of(kind, prevalence, "independent")
    scores = np.asarray(sample.rows.scores["a"])
    thresholds = sample.table("a").hull_thresholds
    beside = [] if other is None else [sample_curve(sample, "b", other).flagged.negated()]
    competing = sample_curve(sample, "a", cs.Optimal()).competing
    assert competing is not None
    assert competing.count == len(thresholds)
    found = list(competing.losses(sample.shares, beside))
    for threshold, one in zip(thresholds, found, strict=True):
        flagged = FlaggedRows((scores > threshold).astype(float))
        expected = sample.losses(flagged, *beside)
        steps = [np.searchsorted(each.at, AT) for each in (one, expected)]
        for got, due in zip(
            one.moments(AT, steps[0]),
            expected.moments(AT, steps[1]),
            strict=True,
        ):
            np.testing.assert_allclose(got, due, rtol=1e-9, atol=1e-16)
        for name in ("mean", "alike"):
            got, due = getattr(one, name)[:, steps[0]], getattr(expected, name)[:, steps[1]]
            np.testing.assert_allclose(got, due, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(one.ends, expected.ends, rtol=1e-12)


def test_of_many_thresholds_the_first_the_last_and_some_between_are_checked() -> None:
    scores = np.linspace(0, 1, 2001)
    competing = CompetingThresholds.among(np.append(-np.inf, scores), scores)
    assert competing.count == 256
    assert competing.flagging[0] == 1
    assert np.max(competing.flagging) == 255  # the last threshold is the highest score

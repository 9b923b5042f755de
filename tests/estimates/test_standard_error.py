"""Standard errors against DeLong's formula, repeated rows, clusters and simulation."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from placements import delong
from scipy import stats

import costspace as cs
from costspace.choices.parameter_free import PARAMETER_FREE
from costspace.estimates.named import statistic_named
from costspace.estimates.row_errors import design_effect, row_error, row_influences
from costspace.estimates.standard_error import standard_error
from costspace.metrics import METRICS

NAMES = (
    *METRICS,
    *(f"expected_loss.{axis}.{choice}" for axis in ("cost", "skew") for choice in PARAMETER_FREE),
)
DESIGNS = ("independent", "stratified")


def sample(seed: int, n: int = 30) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y = (rng.random(n) < 0.4).astype(int)
    y[:4] = 0, 0, 1, 1
    s = np.clip(np.round(rng.normal(0.35 + 0.25 * y, 0.2), rng.integers(1, 4)), 0, 1)
    return y, s, rng.uniform(0.5, 2, n)


def by_table(name: str, table: cs.ScoreTable, **options: str) -> float:
    return standard_error(statistic_named(name).influence(table), table, **options)


def by_row(name: str, rows: cs.ScoredRows, design: str, weights: str = "sampling") -> float:
    table = cs.ScoreTable.from_rows(rows, "m")
    found = row_influences(statistic_named(name).influence(table), rows, table, "m", design=design)
    return row_error(found, rows, weights=weights)


@given(st.integers(0, 10**6))
def test_auc_is_delongs(seed: int) -> None:
    y, first, _ = sample(seed)
    second = np.random.default_rng(seed).permutation(first)
    rows = cs.ScoredRows.from_predictions(y, {"first": first, "second": second})
    influences = []
    for model in rows.scores:
        table = cs.ScoreTable.from_rows(rows, model)
        influence = statistic_named("auc").influence(table)
        influences.append(row_influences(influence, rows, table, model))
    _, expected = delong(y, first, second)
    both = np.append(influences, [influences[0] - influences[1]], axis=0)
    found = [row_error(one, rows) ** 2 for one in both]
    apart = expected[0, 0] + expected[1, 1] - 2 * expected[0, 1]
    np.testing.assert_allclose(found, [*np.diag(expected), apart], rtol=1e-9, atol=1e-15)
    table = cs.ScoreTable.from_rows(rows, "first")
    assert by_table("auc", table) == pytest.approx(np.sqrt(expected[0, 0]), abs=1e-12)


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("name", NAMES)
def test_tables_and_rows_agree(name: str, design: str) -> None:
    y, s, w = sample(len(name))
    for weight in (None, w):
        rows = cs.ScoredRows.from_predictions(y, {"m": s}, sample_weight=weight)
        table = cs.ScoreTable.from_rows(rows, "m")
        expected = by_row(name, rows, design)
        assert by_table(name, table, design=design) == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("design", DESIGNS)
@pytest.mark.parametrize("name", NAMES)
def test_counts_are_equal_rows(name: str, design: str) -> None:
    y, s, _ = sample(5 + len(name))
    counts = np.random.default_rng(1).integers(1, 4, len(y))
    repeated = cs.ScoreTable.from_predictions(np.repeat(y, counts), np.repeat(s, counts))
    rows = cs.ScoredRows.from_predictions(y, {"m": s}, sample_weight=counts)
    expected = by_table(name, repeated, design=design)
    table = cs.ScoreTable.from_rows(rows, "m")
    found = by_table(name, table, design=design, weights="counts")
    assert found == pytest.approx(expected, rel=1e-10)
    assert by_row(name, rows, design, "counts") == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("name", NAMES)
def test_equal_sampling_weights_change_nothing(name: str) -> None:
    y, s, _ = sample(7 + len(name))
    plain = cs.ScoreTable.from_predictions(y, s)
    weighted = cs.ScoreTable.from_predictions(y, s, sample_weight=np.full(len(y), 2.5))
    assert by_table(name, weighted) == pytest.approx(by_table(name, plain), rel=1e-10)


@pytest.mark.parametrize("name", NAMES)
def test_twins_in_clusters_count_once(name: str) -> None:
    y, s, w = sample(9 + len(name))
    groups = np.arange(len(y))
    twins = cs.ScoredRows.from_predictions(
        np.tile(y, 2), {"m": np.tile(s, 2)}, sample_weight=np.tile(w, 2), groups=np.tile(groups, 2)
    )
    single = cs.ScoredRows.from_predictions(y, {"m": s}, sample_weight=w, groups=groups)
    expected = by_row(name, single, "independent")
    assert by_row(name, twins, "independent") == pytest.approx(expected, rel=1e-10)


def test_clusters_by_hand() -> None:
    """Sums of weighted influences by cluster, squared."""
    y, s, w = sample(2)
    names = np.array(["a", "b", "c", "d", "e", "f"])[np.arange(len(y)) // 5]
    rows = cs.ScoredRows.from_predictions(y, {"m": s}, sample_weight=w, groups=names)
    table = cs.ScoreTable.from_rows(rows, "m")
    psi = row_influences(statistic_named("brier").influence(table), rows, table, "m")
    sums = [np.sum((w * psi)[names == one]) / w.sum() for one in np.unique(names)]
    expected = np.sqrt(np.sum(np.square(sums)) * 6 / 5)
    assert by_row("brier", rows, "independent") == pytest.approx(expected)


def test_the_prevalence_counts_only_where_it_is_estimated() -> None:
    y, s, _ = sample(4)
    table = cs.ScoreTable.from_predictions(y, s)
    for name in ("brier", "expected_loss.cost.rate_driven"):
        independent, stratified = (by_table(name, table, design=design) for design in DESIGNS)
        assert independent > stratified
        known = table.with_prevalence(table.prevalence)
        assert by_table(name, known) == pytest.approx(stratified, rel=1e-12)
    for name in ("auc", "macro_brier", "voros", "expected_loss.skew.optimal"):
        independent, stratified = (by_table(name, table, design=design) for design in DESIGNS)
        assert independent == stratified


SIMULATED = (
    *("auc", "brier", "mae", "h_measure", "voros", "refinement_loss", "miscalibration"),
    *("expected_loss.cost.score_fixed", "expected_loss.cost.rate_driven"),
    *("expected_loss.cost.optimal", "expected_loss.skew.rate_uniform", "auc_hull"),
)


@pytest.fixture(scope="module")
def simulated() -> dict[str, tuple[float, float]]:
    """The standard deviation over samples and the mean standard error, by name."""
    rng = np.random.default_rng(12)
    statistics = {name: statistic_named(name) for name in SIMULATED}
    beta = cs.Beta(2, 4)
    statistics["rate_driven_beta"] = statistic_named("expected_loss.cost.rate_driven", beta)
    found: dict[str, list[tuple[float, float]]] = {name: [] for name in statistics}
    for _ in range(1000):
        y = (rng.random(1000) < 0.3).astype(int)
        s = stats.norm.cdf(rng.normal(1.2 * y - 0.8))
        table = cs.ScoreTable.from_predictions(y, s)
        for name, statistic in statistics.items():
            error = standard_error(statistic.influence(table), table)
            found[name].append((statistic.value(table), error))
    return {
        name: (float(np.std(values)), float(np.mean(errors)))
        for name, (values, errors) in ((n, np.array(pairs).T) for n, pairs in found.items())
    }


@pytest.mark.simulation
@pytest.mark.parametrize("name", [*SIMULATED, "rate_driven_beta"])
def test_standard_errors_are_standard_deviations(
    name: str, simulated: dict[str, tuple[float, float]]
) -> None:
    deviation, error = simulated[name]
    assert error == pytest.approx(deviation, rel=0.05)


@pytest.mark.simulation
@pytest.mark.smoke
def test_sampling_weights_in_simulation() -> None:
    rng = np.random.default_rng(8)
    statistic = statistic_named("brier")
    values, errors = [], []
    for _ in range(1000):
        y = (rng.random(800) < 0.3).astype(int)
        s = stats.norm.cdf(rng.normal(1.2 * y - 0.8))
        w = np.where(rng.random(800) < 0.2, 5.0, 0.5)
        table = cs.ScoreTable.from_predictions(y, s, sample_weight=w)
        values.append(statistic.value(table))
        errors.append(standard_error(statistic.influence(table), table))
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.07)


def test_clusters_in_simulation() -> None:
    rng = np.random.default_rng(9)
    statistic = statistic_named("auc")
    values, errors = [], []
    for _ in range(500):
        patient = np.repeat(np.arange(200), 4)
        y = (rng.random(800) < 0.3).astype(int)
        s = 1.2 * y + rng.normal(size=200)[patient] + rng.normal(size=800) / 2
        rows = cs.ScoredRows.from_predictions(y, {"m": s}, groups=patient)
        table = cs.ScoreTable.from_rows(rows, "m")
        psi = row_influences(statistic.influence(table), rows, table, "m")
        values.append(statistic.value(table))
        errors.append(row_error(psi, rows))
    assert np.mean(errors) == pytest.approx(np.std(values), rel=0.08)


def test_counts_are_whole_numbers() -> None:
    y, s, w = sample(1)
    table = cs.ScoreTable.from_predictions(y, s, sample_weight=w)
    with pytest.raises(cs.ConditionError, match="weights='counts' needs whole numbers as weights"):
        by_table("auc", table, weights="counts")


def test_one_row_of_a_class_is_refused() -> None:
    table = cs.ScoreTable.from_predictions([0, 0, 0, 1], [0.1, 0.2, 0.3, 0.4])
    with pytest.raises(cs.LabelError, match="at least two rows of each class"):
        by_table("auc", table)


def test_one_group_of_a_class_is_refused() -> None:
    y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    rows = cs.ScoredRows.from_predictions(y, {"m": s}, groups=["a", "b", "c", "c"])
    with pytest.raises(cs.LabelError, match="every positive row is in the same group"):
        by_row("auc", rows, "independent")


@pytest.mark.parametrize(
    ("clustered", "independent", "effect"),
    [(0.2, 0.1, 4.0), (0.1, 0.2, 1.0), (0.1, 1e-17, 1.0), (1e-17, 0.1, 1.0), (0.0, 0.0, 1.0)],
)
def test_design_effect(clustered: float, independent: float, effect: float) -> None:
    assert design_effect(0.5, clustered, independent, (0.0, 1.0)) == pytest.approx(effect)

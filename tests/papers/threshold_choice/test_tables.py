"""The tables of the 2012 paper, and the relations that its Figure 4 states."""

import numpy as np
import pytest
from tabulated import rows_of

import costspace as cs
from papers.threshold_choice import DOCUMENT, tables
from papers.threshold_choice.two_models import two_models

A, B = two_models()["A"], two_models()["B"]


def test_which_tables_there_are() -> None:
    found = {name for name, figure in DOCUMENT.figures.items() if figure.table is not None}
    assert found == {"fig4", *(f"table{n}" for n in range(1, 7))}


def test_tables_1_and_2_say_what_is_compared() -> None:
    first, second = rows_of(tables.table_1()), rows_of(tables.table_2())
    assert list(first) == ["AUC", "Brier score"]
    assert len(second) == 4
    for letter, table in (("A", A), ("B", B)):
        found = [row[f"model {letter}"] for row in (*first.values(), *second.values())]
        expected = [
            table.auc,
            cs.brier_score(table),
            1 - cs.accuracy(table, threshold=0.5),
            cs.brier_score(table),
            (1 - 2 * table.auc) / 4 + 1 / 3,
            cs.refinement_loss(table),
        ]
        np.testing.assert_allclose(found, expected, atol=1e-12)
    stated = {**tables.by_model(tables.METRICS), **tables.by_model(tables.LOSSES)}
    assert stated["auc_a"] == first["AUC"]["model A"]
    assert stated["rate_driven_b"] == second["rate-driven (T s.t. r = c)"]["model B"]


def test_table_3_is_the_papers() -> None:
    (scores, rates) = rows_of(tables.table_3()).values()
    assert list(scores.values()) == ["scores", "score_fixed", "score_uniform", "score_driven"]
    assert list(rates.values()) == ["rates", "rate_fixed", "rate_uniform", "rate_driven"]
    assert list(scores)[1:] == ["fixed", "chosen uniformly", "driven by the condition"]


@pytest.mark.parametrize("model", ["A", "B"])
@pytest.mark.parametrize("axis", ["cost", "skew"])
def test_table_4_computes_what_its_formulas_say(model: str, axis: str) -> None:
    table = two_models()[model].with_prevalence(0.25)
    metrics = {
        name: getattr(cs, name)(table if axis == "cost" else table.with_prevalence(0.5))
        for name in ("accuracy", "brier_score", "auc", "refinement_loss", "mean_absolute_error")
    }
    metrics |= {f"macro_{name}": value for name, value in metrics.items()}
    found = rows_of(tables.table_4())
    assert len(found) == 7
    for name, row in found.items():
        assert row[f"{axis}_metric"] in metrics
        if name == "rate_fixed":
            # Its accuracy is that at a share flagged, which is another threshold.
            metrics["accuracy"] = metrics["macro_accuracy"] = 1 - cs.expected_loss(
                table, choice=cs.RateFixed(0.5), axis=axis
            )
        value = eval(row[f"{axis}_loss"], {"p": float(row["p"]), **metrics})
        assert row[f"{axis}_loss_of_{model}"] == pytest.approx(value, abs=1e-12)


def test_table_5_transforms() -> None:
    none, even, conv, cal = rows_of(tables.table_5()).values()
    assert [row["function"] for row in (even, conv, cal)] == ["evenly_spaced", "convexify", "pav"]
    assert [row["of samples"] for row in (even, conv, cal)] == ["EST", "ROCCH", "PAV"]
    assert [row["of distributions"] for row in (even, conv, cal)] == ["Even", "Conv", "Cal"]
    # All keep the optimal loss; even spacing keeps the ranking, the other two make it convex.
    assert {round(float(row["optimal_loss"]), 12) for row in (none, even, conv, cal)} == {
        round(cs.refinement_loss(A), 12)
    }
    assert even["auc"] == none["auc"] < none["auc_hull"]
    assert conv["auc"] == pytest.approx(conv["auc_hull"])
    # Calibrated implies convex, and not the other way round.
    assert cal["auc"] == pytest.approx(cal["auc_hull"])
    assert cal["calibration_loss"] == pytest.approx(0, abs=1e-12)
    assert conv["calibration_loss"] > 0.1
    for row in (none, even, conv, cal):
        both = row["calibration_loss"] + row["refinement_loss"]
        assert row["brier_score"] == pytest.approx(both)


def test_table_6_is_the_papers() -> None:
    required = {
        name: row["required information"] for name, row in rows_of(tables.table_6()).items()
    }
    assert required == {
        "score_fixed": "o.c. at evaluation time",
        "rate_fixed": "o.c. at evaluation time",
        "score_driven": "o.c. at deployment time",
        "rate_driven": "o.c. at deployment time",
        "optimal": "o.c. at deployment time",
        "score_uniform": "no information",
        "rate_uniform": "no information",
    }


class TestFigure4:
    """Each line of it, on a model of that kind."""

    def test_general_relations(self) -> None:
        for row in rows_of(tables.figure_4()).values():
            assert row["rate_uniform"] == pytest.approx(row["rate_driven"] + 1 / 6)
            assert row["rate_driven"] >= row["optimal"] - 1e-12
            assert row["score_uniform"] >= row["score_driven"] >= row["optimal"] - 1e-12
            assert row["score_uniform"] == pytest.approx(row["mean_absolute_error"])
            assert row["score_driven"] == pytest.approx(row["brier_score"])
            assert row["optimal"] == pytest.approx(row["refinement_loss"])
            by_auc = (1 - 2 * row["auc"]) / 4
            assert row["rate_uniform"] == pytest.approx(by_auc + 1 / 2)
            assert row["rate_driven"] == pytest.approx(by_auc + 1 / 3)

    def test_evenly_spaced_scores(self) -> None:
        row = rows_of(tables.figure_4())["evenly-spaced scores"]
        assert row["rate_uniform"] == pytest.approx(row["score_uniform"], abs=1e-3)
        assert row["rate_driven"] == pytest.approx(row["score_driven"], abs=1e-3)

    def test_perfectly_calibrated_scores(self) -> None:
        row = rows_of(tables.figure_4())["perfectly calibrated scores"]
        calibrated = cs.pav(A).apply(A)
        assert row["score_driven"] == pytest.approx(row["optimal"])
        assert row["score_uniform"] == pytest.approx(2 * row["score_driven"])
        for wrong in (calibrated.negatives.values.mean(), 1 - calibrated.positives.values.mean()):
            assert row["brier_score"] == pytest.approx(0.5 * wrong)

    def test_perfect_ranking(self) -> None:
        row = rows_of(tables.figure_4())["perfect ranking"]
        assert row["rate_uniform"] == pytest.approx(1 / 4)
        assert row["rate_driven"] == pytest.approx(1 / 12)
        assert row["optimal"] == 0

    def test_random_model(self) -> None:
        row = rows_of(tables.figure_4())["random"]
        assert row["score_uniform"] == pytest.approx(1 / 2)
        assert row["rate_uniform"] == pytest.approx(1 / 2)
        assert row["rate_driven"] == pytest.approx(1 / 3)
        assert row["optimal"] == pytest.approx(1 / 4)
        # The paper has 1/2, which holds only if all scores are 0 or 1.
        assert row["score_driven"] == pytest.approx(1 / 3, abs=1e-3)

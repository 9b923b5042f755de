"""The restored samples, against the golden ones and against what the papers count."""

import numpy as np
import pytest
from worked_examples import EXAMPLES

from papers import samples


@pytest.mark.parametrize(
    ("sample", "name"),
    [
        (samples.FIFTEEN, "fig1"),
        (samples.SEVEN, "fig2"),
        (samples.TWENTY_FOUR, "fig6"),
        (samples.CALIBRATED, "fig7"),
        (samples.EXAMPLE_3["a"], "ex3A"),
        (samples.EXAMPLE_3["b"], "ex3B"),
        (samples.EXAMPLE_3["c"], "ex3C"),
    ],
)
def test_golden_samples(sample: samples.Sample, name: str) -> None:
    golden = EXAMPLES[name]
    assert list(sample.y_true) == golden["y_true"]
    np.testing.assert_allclose(sample.y_score, golden["y_score"], rtol=1e-15)


def test_the_average_is_printed_rounded() -> None:
    exact, printed = samples.EXAMPLE_3["d"].y_score, EXAMPLES["ex3D"]["y_score"]
    np.testing.assert_allclose(exact, printed, atol=0.005 + 1e-12)
    assert exact != pytest.approx(printed)


@pytest.mark.parametrize(
    ("sample", "auc"),
    [(samples.PERFECT, 1.0), (samples.WORST, 0.0), (samples.ALTERNATING, 210 / 400)],
)
def test_rankings_of_twenty_each(sample: samples.Sample, auc: float) -> None:
    table = sample.table()
    assert (table.negatives.rows, table.positives.rows) == (20, 20)
    assert len(set(np.diff(sample.y_score).round(12))) == 1
    assert (sample.y_score[0], sample.y_score[-1]) == (1, 0)
    assert table.auc == pytest.approx(auc)


def test_the_random_model_scores_both_classes_alike() -> None:
    scores, labels = np.array(samples.RANDOM.y_score), np.array(samples.RANDOM.y_true)
    np.testing.assert_array_equal(scores[labels == 0], scores[labels == 1])
    np.testing.assert_allclose(scores[labels == 0], np.linspace(0, 1, 1001))

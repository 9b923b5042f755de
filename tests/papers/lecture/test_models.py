"""The lecture's classifiers, and those in place of what it gives no numbers for."""

import numpy as np
from numpy.testing import assert_allclose, assert_array_equal

from papers.lecture.models import MIRRORED, ONE_R_AND_C45


def test_the_lines_of_the_slide() -> None:
    assert_array_equal(ONE_R_AND_C45.fpr, [0.20, 0.13])
    assert_array_equal(ONE_R_AND_C45.fnr, [0.08, 0.18])


def test_the_mirrored_models_have_their_rates_exchanged() -> None:
    t = np.linspace(0, 1, 11)
    f1, f2 = MIRRORED["f1"].by_score.at(t), MIRRORED["f2"].by_score.at(1 - t)
    assert_allclose(f1.fpr, f2.fnr, atol=1e-12)
    assert_allclose(f1.fnr, f2.fpr, atol=1e-12)

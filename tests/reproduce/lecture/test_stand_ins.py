"""What stands in for the lecture's models and points."""

import numpy as np
from numpy.testing import assert_allclose

from costspace.reproduce.lecture import stand_ins


def test_the_mirrored_models_have_their_rates_exchanged() -> None:
    models = stand_ins.mirrored_models()
    t = np.linspace(0, 1, 11)
    f1, f2 = models["f1"].by_score.at(t), models["f2"].by_score.at(1 - t)
    assert_allclose(f1.fpr, f2.fnr, atol=1e-12)
    assert_allclose(f1.fnr, f2.fpr, atol=1e-12)

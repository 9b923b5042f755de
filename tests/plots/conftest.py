"""No plot opens a window or leaves a figure behind when it fails."""

from collections.abc import Iterator

import matplotlib as mpl
import matplotlib.pyplot as plt
import pytest

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _closed_figures() -> Iterator[None]:
    plt.close("all")
    yield
    plt.close("all")

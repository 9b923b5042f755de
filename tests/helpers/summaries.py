"""When two summaries of rows, counted by score or by bin, are the same."""

import numpy as np

from costspace import ScoreCounts

# Endings of columns that are summed over rows, in an order that nothing fixes.
SUMS = ("_weight", "_squares", "_sum")


def same(one: ScoreCounts, other: ScoreCounts, rel: float = 0.0) -> None:
    """Assert that all is equal, to the bit but, with `rel`, for sums."""
    assert one.binning == other.binning
    columns = other.columns()
    assert list(one.columns()) == list(columns)
    for name, column in one.columns().items():
        assert column.dtype == columns[name].dtype, name
        if rel and name.endswith(SUMS):
            np.testing.assert_allclose(column, columns[name], rtol=rel, atol=1e-300, err_msg=name)
        else:
            assert column.tobytes() == columns[name].tobytes(), name

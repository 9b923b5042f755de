"""The rows that run times are measured on."""

import numpy as np


def predictions(n: int, share: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Labels, a share of them positive, scores that no two rows share, and weights."""
    rng = np.random.default_rng(0)
    labels = (rng.random(n) < share).astype(np.int64)
    scores = 1 / (1 + np.exp(-(rng.normal(size=n) + labels - 1)))
    return labels, scores, rng.random(n)

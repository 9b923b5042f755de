"""How sure an AUC is, from the placement of every row among those of the other class."""

import numpy as np


def delong(y: np.ndarray, *scores: np.ndarray, ddof: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """The AUCs of some scores and their covariance matrix (DeLong, DeLong, Clarke-Pearson 1988).

    With `ddof` 0 the classes' variances are those of the sample, which a bootstrap draws from.
    """
    order = []
    for s in scores:
        negatives, positives = s[y == 0][:, None], s[y == 1]
        order.append((negatives < positives) + (negatives == positives) / 2)
    wins = np.array(order)
    by_class = (wins.mean(axis=2), wins.mean(axis=1))
    covariance = sum(np.cov(part, ddof=ddof) / part.shape[1] for part in by_class)
    return wins.mean(axis=(1, 2)), np.atleast_2d(covariance)

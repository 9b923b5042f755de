"""Samples of two periods, of one model whose scores may have moved."""

import numpy as np

import costspace as cs


def sample(seed, n=300, share=0.3, moved=0.0):
    """Labels, and probabilities with many ties."""
    random = np.random.default_rng(seed)
    y = (random.random(n) < share).astype(int)
    logits = 1.5 * y + random.normal(size=n) - 1.2 + moved
    return y, np.round(1 / (1 + np.exp(-logits)), 2)


def counts(y, s, **more):
    return cs.ScoreCounts.from_predictions(y, s, **more)

"""Populations with several models, of which samples can be drawn and every rate is known exactly.

A score is the log-odds x of a row, a straight line in normal evidence, except for the negatives of
"misspecified", whose evidence is log-normal, so that no monotone map makes the scores calibrated.
"""

import zlib
from dataclasses import dataclass
from types import MappingProxyType
from typing import final

import numpy as np
from scipy.special import expit, logit, ndtr

# How far the classes are apart in the evidence of each model.
APART = MappingProxyType(
    {
        "distinct": (2.0, 1.4, 0.9),
        "overconfident": (1.6, 1.3),
        "six equal": (1.3,) * 6,
        "useless": (0.0,) * 3,
        "misspecified": (1.6, 1.3),
    }
)
# Of the evidence: what models share, and of that what rows of one cluster do.
_SHARED, _OF_CLUSTER = 0.6, np.sqrt(0.51)
# Of the overconfident, by how much; of the useless, by how much their scores differ at all.
_CONFIDENCE, _SHIFT, _USELESS, _BENT = 2.2, 0.5, 0.3, 0.6


@final
@dataclass(frozen=True)
class Population:
    """Rows of two classes with the scores of several models.

    Attributes
    ----------
    kind : str
        One of `APART`.
    prevalence : float
        Share of positives, which calibrated scores are calibrated to.
    """

    kind: str
    prevalence: float

    @property
    def models(self) -> dict[str, float]:
        """How far apart the classes are by each."""
        return {f"m{i}": apart for i, apart in enumerate(APART[self.kind])}

    def draw(
        self, n: int, rng: np.random.Generator, clusters: int = 0
    ) -> tuple[np.ndarray, dict[str, np.ndarray], np.ndarray | None]:
        """Classes, of fixed sizes, the scores of each model, and the cluster of each row."""
        y = (np.arange(n) < round(n * self.prevalence)).astype(int)
        shared, cluster = rng.standard_normal(n), None
        if clusters:
            cluster = rng.permutation(n) % clusters
            common = rng.standard_normal(clusters)[cluster]
            shared = np.sqrt(1 - _OF_CLUSTER**2) * shared + _OF_CLUSTER * common
        scores = {}
        for name, apart in self.models.items():
            noise = _SHARED * shared + np.sqrt(1 - _SHARED**2) * rng.standard_normal(n)
            bent = np.expm1(_BENT * noise) if self.kind == "misspecified" else noise
            slope, start = self._line(apart)
            scores[name] = expit(slope * np.where(y == 1, apart + noise, bent) + start)
        return y, scores, cluster

    def draw_varying(
        self, n: int, rng: np.random.Generator
    ) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """The same with as many of either class as chance has it, among twice the rows."""
        y, scores, _ = self.draw(n, rng)
        other, more, _ = self.draw(n, rng)
        positives = rng.binomial(n, self.prevalence)
        rows = np.concatenate(
            [
                np.flatnonzero(np.append(y, other) == 1)[:positives],
                np.flatnonzero(np.append(y, other) == 0)[: n - positives],
            ]
        )
        scores = {name: np.append(own, more[name])[rows] for name, own in scores.items()}
        return np.append(y, other)[rows], scores

    def rates(self, model: str, cuts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """FPR and FNR of flagging scores above each cut."""
        apart = self.models[model]
        slope, start = self._line(apart)
        with np.errstate(divide="ignore"):
            at = (logit(np.clip(cuts, 0, 1)) - start) / slope
        passed = at
        if self.kind == "misspecified":
            with np.errstate(divide="ignore"):
                passed = np.log1p(np.maximum(at, -1)) / _BENT
        return ndtr(-passed), ndtr(at - apart)

    def cuts(self, model: str) -> np.ndarray:
        """Cuts so close that the best of them is about the best there is, the trivial ones too."""
        slope, start = self._line(self.models[model])
        return np.concatenate([[-np.inf], expit(slope * np.linspace(-9, 12, 4001) + start), [2.0]])

    def _line(self, apart: float) -> tuple[float, float]:
        """The log-odds by the evidence: slope and start."""
        prior = logit(self.prevalence)
        if apart == 0:
            return _USELESS, prior
        slope, start = apart, prior - apart * apart / 2
        if self.kind == "overconfident":
            return _CONFIDENCE * slope, _CONFIDENCE * start + _SHIFT
        return slope, start


def generator_of(setting: tuple[object, ...], simulation: int) -> np.random.Generator:
    """The same for a simulation of a setting in every run."""
    return np.random.default_rng([zlib.crc32(repr(tuple(setting)).encode()), simulation])

"""Score models of which samples can be drawn and every quantity is known exactly.

The evidence of a row, the logarithm of its likelihood ratio, is normal in both classes, so that the
posterior probability ranks as the evidence does and the ROC curve has no dents.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import final

import numpy as np
from scipy.special import expit, log_expit, logit, ndtr
from scipy.stats import norm, rv_continuous

import costspace as cs

# Variance of the evidence in each class; half of it is how far its mean is from 0. AUC 0.84.
VARIANCE = 2.0


class _LogitNormal(rv_continuous):
    """expit(N(mean, deviation^2))."""

    def _pdf(self, x, mean, deviation):
        inside = (x > 0) & (x < 1)
        log_odds = logit(np.where(inside, x, 0.5))
        slope = log_expit(log_odds) + log_expit(-log_odds)
        return np.where(inside, np.exp(norm.logpdf(log_odds, mean, deviation) - slope), 0.0)

    def _cdf(self, x, mean, deviation):
        return norm.cdf(logit(x), mean, deviation)

    def _sf(self, x, mean, deviation):
        return norm.sf(logit(x), mean, deviation)

    def _ppf(self, q, mean, deviation):
        return expit(norm.ppf(q, mean, deviation))

    def _isf(self, q, mean, deviation):
        return expit(norm.isf(q, mean, deviation))

    def _argcheck(self, mean, deviation):
        return deviation > 0


_LOGIT_NORMAL = _LogitNormal(a=0.0, b=1.0, name="logit_normal")


class ScoreModel(ABC):
    """Two score distributions that follow the prevalence."""

    variance: float

    def draw(self, positive: np.ndarray, prevalence: float, rng: np.random.Generator) -> np.ndarray:
        """A score for each row of known class."""
        return self.scores(rng.standard_normal(len(positive)), positive, prevalence)

    def scores(self, noise: np.ndarray, positive: np.ndarray, prevalence: float) -> np.ndarray:
        """The scores that standard normal noise makes."""
        mean = np.where(positive, self.variance / 2, -self.variance / 2)
        return self.of_evidence(mean + np.sqrt(self.variance) * noise, prevalence)

    @abstractmethod
    def of_evidence(self, evidence: np.ndarray, prevalence: float) -> np.ndarray:
        """The score of each evidence."""

    @abstractmethod
    def population(self, prevalence: float) -> cs.ScoreSource:
        """The source that such rows are drawn from."""


@final
@dataclass(frozen=True)
class Continuous(ScoreModel):
    """The prior log-odds plus the evidence times `confidence`; at 1 the score is calibrated."""

    confidence: float
    variance: float = VARIANCE

    def of_evidence(self, evidence, prevalence):
        return expit(logit(prevalence) + self.confidence * evidence)

    def population(self, prevalence):
        spread = self.confidence * np.sqrt(self.variance)
        shift = self.confidence * self.variance / 2
        prior = logit(prevalence)
        return cs.AnalyticScores(
            _LOGIT_NORMAL(prior - shift, spread), _LOGIT_NORMAL(prior + shift, spread), prevalence
        )


@final
@dataclass(frozen=True)
class Tied(ScoreModel):
    """The probability of the positive class given only between which `edges` the evidence is."""

    edges: tuple[float, ...]
    variance: float = VARIANCE

    def of_evidence(self, evidence, prevalence):
        return self._levels(prevalence)[2][np.searchsorted(self.edges, evidence)]

    def population(self, prevalence):
        negatives, positives, scores = self._levels(prevalence)
        return cs.ScoreTable.from_predictions(
            np.repeat([0, 1], len(scores)),
            np.tile(scores, 2),
            sample_weight=np.concatenate([(1 - prevalence) * negatives, prevalence * positives]),
        )

    def _levels(self, prevalence):
        """Share of each class at each level, and its score."""
        ends = np.concatenate([[-np.inf], self.edges, [np.inf]])
        negatives, positives = (
            np.diff(ndtr((ends - mean) / np.sqrt(self.variance)))
            for mean in (-self.variance / 2, self.variance / 2)
        )
        odds = prevalence / (1 - prevalence) * positives / negatives
        return negatives, positives, odds / (1 + odds)


EDGES = (-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0)
MODELS: dict[str, ScoreModel] = {
    "calibrated": Continuous(1.0),
    "overconfident": Continuous(2.0),
    "tied": Tied(EDGES),
}
# Calibrated models of AUC 0.69 and 0.98, for what depends on how well the classes are separated.
QUALITIES: dict[str, ScoreModel] = {
    **MODELS,
    "weak": Continuous(1.0, 0.5),
    "strong": Continuous(1.0, 8.0),
}


@final
@dataclass(frozen=True)
class Pair:
    """Two models whose evidence is correlated within each class."""

    first: ScoreModel
    second: ScoreModel
    correlation: float

    def draw(self, positive, prevalence, rng):
        """The scores of both models, on the same rows."""
        common, own = rng.standard_normal((2, len(positive)))
        other = self.correlation * common + np.sqrt(1 - self.correlation**2) * own
        return (
            self.first.scores(common, positive, prevalence),
            self.second.scores(other, positive, prevalence),
        )


# AUC 0.84 and 0.80; the same twice, of which every difference is 0.
PAIRS = {
    "different": Pair(Continuous(1.0), Continuous(1.5, 1.4), 0.6),
    "equal": Pair(Continuous(1.5), Continuous(1.5), 0.6),
    "tied": Pair(Tied(EDGES), Tied(EDGES, 1.4), 0.6),
}

"""The rows that every comparison is made on, in each package's own form."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import expit

if TYPE_CHECKING:
    import pandas as pd
    import torch
    import xarray as xr

PREVALENCE = 0.2
KINDS = ("distinct", "tied")


@dataclass(frozen=True)
class Predictions:
    """Labels, scores and costs of cases, simulated: overconfident scores, AUC 0.86.

    Distinct scores are doubles; tied ones are hundredths from 0.01 to 0.99, which are also the
    thresholds of the curves, so that a tie with a threshold counts.
    """

    kind: str
    n: int

    @cached_property
    def y(self) -> np.ndarray:
        return (self._generator("labels").random(self.n) < PREVALENCE).astype(np.int64)

    @cached_property
    def s(self) -> np.ndarray:
        noise = self._generator("scores").normal(size=self.n)
        scores = expit(1.5 * (noise + 1.5 * self.y) - 2)
        return scores if self.kind == "distinct" else np.clip(scores.round(2), 0.01, 0.99)

    @property
    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        return self.y, self.s

    @cached_property
    def costed(self) -> tuple[np.ndarray, ...]:
        """Labels and scores, and what a false positive and a false negative cost in each case."""
        amounts = self._generator("costs").lognormal(size=(2, self.n))
        return self.y, self.s, amounts[0], 5 * amounts[1]

    @cached_property
    def frame(self) -> "pd.DataFrame":
        import pandas as pd

        return pd.DataFrame({"y": self.y, "s": self.s})

    @cached_property
    def xarrays(self) -> "tuple[xr.DataArray, xr.DataArray]":
        """Forecasts, and outcomes as floats."""
        import xarray as xr

        return tuple(xr.DataArray(part, dims="case") for part in (self.s, self.y.astype(float)))

    @cached_property
    def tensors(self) -> "tuple[torch.Tensor, torch.Tensor]":
        """Scores, and labels."""
        import torch

        return torch.from_numpy(self.s), torch.from_numpy(self.y)

    def _generator(self, part: str) -> np.random.Generator:
        return np.random.default_rng([("labels", "scores", "costs").index(part), self.n])

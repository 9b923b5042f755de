"""A number with its standard error and a confidence interval."""

from dataclasses import dataclass
from typing import final

from costspace.notebook import OneRow


@final
@dataclass(frozen=True, repr=False)
class Estimate(OneRow):
    """A number with its standard error and a confidence interval.

    Attributes
    ----------
    name : str
        What is estimated.
    estimate : float
        Its value on the sample.
    standard_error : float
        Non-negative; 0 if the sample shows no variation. Where a bias is subtracted in an
        interval with two ends, it includes the error of that bias.
    low, high : float
        Ends of the interval, inside the range of the quantity where that is known.
    level : float in (0, 1)
        How often such intervals cover the population's value.
    method : str
        "score" for a sum of class means; else "linear", "logit" or "log" after the scale on which
        the interval is symmetric; "unseen" if the sample shows no variation; "upper bound" if only
        that end has a meaning; "percentile", "basic" or "bca" for the bootstrap.
    n : int
        Number of rows.
    design : str
        What varies from sample to sample: "independent" rows, with their class shares, or
        "stratified", with class sizes fixed.
    bias : float
        The expected part of the estimate that is due to thresholds chosen on the same sample; the
        interval is that of `corrected`.
    note : str or None
        How such intervals do in simulations if few rows decide; None if coverage is near the
        level.

    Examples
    --------
    >>> import costspace as cs
    >>> cs.estimates.Estimate("auc", 0.75, 0.05, 0.64, 0.84, 0.95, "logit", 120, "stratified")
    Estimate(auc 0.75, 95 % interval 0.64 to 0.84, se 0.05, logit, n 120, stratified)
    """

    name: str
    estimate: float
    standard_error: float
    low: float
    high: float
    level: float
    method: str
    n: int
    design: str
    bias: float = 0.0
    note: str | None = None

    @property
    def corrected(self) -> float:
        """The estimate minus its bias."""
        return self.estimate - self.bias

    def __repr__(self) -> str:
        return (
            f"Estimate({self.name} {self.estimate:.6g}, {100 * self.level:g} % interval "
            f"{self.low:.6g} to {self.high:.6g}, se {self.standard_error:.3g}, {self.method}, "
            f"n {self.n}, {self.design}{f'. {self.note}' if self.note else ''})"
        )

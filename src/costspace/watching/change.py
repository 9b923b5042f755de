"""How much one quantity differs between two samples of a model's scores."""

from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True)
class Change:
    """How much a quantity differs between two samples of a model's scores.

    Attributes
    ----------
    quantity : str
        The name of what is compared.
    before, after : float
        Its value on each sample; for binned scores the middle of its bounds.
    difference : float
        `after` minus `before`.
    bounds : tuple of two floats
        Bounds that certainly contain the difference; both equal it, unless scores are binned.
    standard_error, low, high, p, p_adjusted, method, design, bias
        Of the difference, as in `ModelDifference`.

    Examples
    --------
    >>> import costspace as cs
    >>> before = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> after = cs.ScoreTable.from_predictions([0, 0, 0, 1, 1], [0.1, 0.6, 0.7, 0.4, 0.9])
    >>> first = cs.drift(before, after, quantities="prevalence").changes[0]
    >>> first.before, first.after, round(first.difference, 12)
    (0.5, 0.4, -0.1)
    """

    quantity: str
    before: float
    after: float
    difference: float
    bounds: tuple[float, float]
    standard_error: float
    low: float
    high: float
    p: float
    p_adjusted: float
    method: str
    design: str
    bias: float

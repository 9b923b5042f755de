"""What more places, or longer batches, are worth to who works down a queue in batches."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from costspace.arrays import FrozenDict
from costspace.choices.places import Places
from costspace.decision.fitting.choosing import Choosing
from costspace.decision.fitting.fitted_queue import FittedQueue
from costspace.notebook import Tabulated


@final
@dataclass(frozen=True)
class PlacesWorth(Tabulated):
    """What a queue saves per 1,000 cases, on held-out rows, if it were cut otherwise.

    Attributes
    ----------
    cost : float
        Of the queue in the batches that there are.
    twice_the_batch : float
        What batches of twice as many cases save, with the same share of places.
    one_more_place : float
        What one more place in each batch saves; negative where its work costs more than it finds.
    one_queue : float
        What one queue of all cases saves.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> y, s = np.tile([0, 0, 0, 1], 100), np.linspace(0, 1, 400) ** 2
    >>> known = cs.Deployment(fp_cost=1, fn_cost=20, prevalence=0.1)
    >>> limits = cs.Constraints(capacity=0.2, batch=10)
    >>> found = cs.decide(y, {"model": s}, conditions=known, constraints=limits).places_worth
    >>> round(found["model"].cost, 1), round(found["model"].one_more_place, 1)
    (1770.5, 110.0)
    """

    cost: float
    twice_the_batch: float
    one_more_place: float
    one_queue: float


def places_worth(choosing: Choosing) -> Mapping[str, PlacesWorth]:
    """That of the queue of each model that has one in batches."""
    found = {}
    for fit in choosing.fits:
        if isinstance(fit, FittedQueue) and fit.places.batches:
            sizes, share = fit.places.batches, fit.places.share
            twice = Places(share, tuple(2 * size for size in sizes))
            more = fit.places.with_one_more()
            cost = fit.of_places(fit.places)
            others = (cost - fit.of_places(one) for one in (twice, more, Places(share)))
            found[str(fit.strategy.model)] = PlacesWorth(cost, *others)
    return FrozenDict(found)

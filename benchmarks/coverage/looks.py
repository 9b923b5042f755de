"""Watches looked at every day: how often one raises a false alarm, and how late a true one."""

from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import stats

from benchmarks.coverage.by_setting import BySetting, Sample, shown, table
from benchmarks.coverage.populations import generator_of
from costspace.watching.restarts import LOOKS_BETWEEN, OF_CHANGES, first_above, restarted
from costspace.watching.sequences import log_mean_exp, log_stakes

LEVEL, POWER, LOOKS = 0.95, 0.9, 1000
# Losses of a case and how often each comes: of one rule, or of two compared on the same cases.
_KINDS = {
    "balanced": ((0.8, 0.1, 0.1), (0.0, 1.0, 2.0)),
    "rare and dear": ((0.975, 0.02, 0.005), (0.0, 1.0, 20.0)),
    "compared": ((0.12, 0.78, 0.1), (-1.0, 0.0, 1.2)),
}


class Looked(NamedTuple):
    """What is drawn: so many rows a look, of a mean so much above what is tolerated."""

    kind: str
    more: float  # as a share of what is tolerated; 0 where there is nothing to be told
    n: int

    @property
    def prevalence(self) -> float:
        return float(np.dot(self.shares, np.array(self.values) != 0))

    @property
    def values(self) -> tuple[float, ...]:
        return _KINDS[self.kind][1]

    @property
    def tolerated(self) -> float:
        return float(np.dot(*_KINDS[self.kind]))

    @property
    def shares(self) -> np.ndarray:
        """Each loss comes more often in proportion, at the cost of none."""
        own = np.array(_KINDS[self.kind][0])
        lossy = np.array(self.values) != 0
        own[lossy] *= 1 + self.more
        own[~lossy] = 1 - own[lossy].sum()
        return own

    @property
    def fixed(self) -> float:
        """How many rows a test needs that looks once, at 5 % on two sides, for 90 % power."""
        if self.more == 0:
            return np.nan
        values = np.array(self.values)
        before, now = (
            float(np.sqrt(shares @ values**2 - (shares @ values) ** 2))
            for shares in (np.array(_KINDS[self.kind][0]), self.shares)
        )
        reach = stats.norm.ppf((1 + LEVEL) / 2) * before + stats.norm.ppf(POWER) * now
        return float((reach / (self.tolerated * self.more)) ** 2)

    def __str__(self) -> str:
        return f"{self.kind}, {100 * self.more:+g} %" if self.more else self.kind


def _sized(kind: str, more: float) -> Looked:
    """So many rows a look that a test that looks once needs thirty."""
    own = Looked(kind, more, 1)
    return own._replace(n=max(round(own.fixed / 30), 1))


SETTINGS = (
    Looked("balanced", 0.0, 20),
    Looked("rare and dear", 0.0, 200),
    Looked("compared", 0.0, 20),
    *(_sized(kind, more) for kind in ("balanced", "rare and dear") for more in (0.2, 0.5, 1.0)),
)


def simulate(setting: Looked, simulation: int) -> Sample:
    """Whether all rows so far raise an alarm, bets begun anew, both where looks are planned; when.

    A test a day looks beside them, which takes each look for its only one.
    """
    rng = generator_of(setting, simulation)
    looks = LOOKS if setting.more == 0 else 300
    counts = rng.multinomial(setting.n, setting.shares, size=looks).astype(float)
    values = np.array(setting.values)
    low, high = values.min(), values.max()
    stakes = log_stakes(
        counts, (values - low) / (high - low), (setting.tolerated - low) / (high - low)
    )
    together = log_mean_exp(np.cumsum(stakes, axis=0))
    chance = 1 - LEVEL
    certain = -np.log([chance, (1 - OF_CHANGES) * chance])
    alone = first_above(together, certain[0])
    anew = restarted(stakes, LOOKS_BETWEEN).first
    planned = [
        first_above(together, certain[1]),
        restarted(stakes, looks / (OF_CHANGES * chance)).first,
    ]
    daily = first_above(_scores(counts, values, setting.tolerated), stats.norm.ppf(LEVEL))
    delay = (looks if alone is None else alone + 1) * setting.n / setting.fixed
    return (
        float(alone is not None),
        float(anew is not None),
        float(alone is not None or anew is not None),
        float(any(one is not None for one in planned)),
        float(daily is not None),
        delay,
    )


def _scores(counts: np.ndarray, values: np.ndarray, mean: float) -> np.ndarray:
    """How many errors the mean of all rows so far is above another, by each look."""
    cumulated = np.cumsum(counts, axis=0)
    rows = cumulated.sum(axis=1)
    own = cumulated @ values / rows
    variance = cumulated @ values**2 / rows - own**2
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.nan_to_num(
            (own - mean) / np.sqrt(variance / rows), nan=0.0, posinf=0.0, neginf=0.0
        )


def figures(setting: Looked, samples: np.ndarray) -> dict[str, float]:
    """Alarms in percent, and the mean delay against a test that looks once."""
    *alarms, delays = samples.T
    names = ("alarms", "anew", "either", "planned", "daily")
    rates = {name: 100 * float(np.mean(one)) for name, one in zip(names, alarms, strict=True)}
    return {**rates, "delay": float(np.mean(delays)) if setting.more else np.nan}


COLUMNS = {
    "Alarms, %": shown("alarms"),
    "of later changes": shown("anew"),
    "of either": shown("either"),
    "the same, looks planned": shown("planned"),
    "of a test a day": shown("daily"),
    "Mean delay": shown("delay", 2),
}

PART = BySetting(
    "Looks",
    f"Alarms of a watch in {LOOKS:,} looks where the mean loss is what is tolerated, and in "
    "300 where it is so much above: by all rows so far, by the detector of later changes, by "
    "either, by either where so many looks are planned, and by a one-sided 5 % test that "
    "takes each look for its only one. Mean delay: the rows until the first alarm of all rows "
    "so far, over those of a two-sided 5 % test that looks once and has a power of 90 %. Rows "
    "are those of a look.",
    2000,
    SETTINGS,
    simulate,
    figures,
    partial(table, columns=COLUMNS, first="Losses"),
)

"""How often a threshold that is set within a limit keeps it in the population."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np

import costspace as cs
from benchmarks.coverage.by_setting import (
    BySetting,
    Sample,
    described,
    key_of,
    percent_of_bias,
    range_of,
    shown,
    standard_error,
    table,
)
from benchmarks.coverage.populations import Population, generator_of
from benchmarks.tables import Row
from costspace.decision.asking import task_of
from costspace.decision.deciding import decide_task

FP_COST = 1.0


class Limited(NamedTuple):
    """What is drawn, and the limits on what is to be used there."""

    kind: str
    n: int
    prevalence: float
    limits: tuple[tuple[str, float], ...]

    @property
    def known(self) -> cs.Deployment:
        # False negatives cost so little that a threshold of its own flags too few, or so much that
        # it flags too many.
        fn_cost = 2.0 if "min_recall" in dict(self.limits) else 8.0
        return cs.Deployment(FP_COST, fn_cost, self.prevalence)

    @property
    def constraints(self) -> cs.Constraints:
        return cs.Constraints(**dict(self.limits))

    def __str__(self) -> str:
        return f"{self.kind}, {self.constraints}"


SETTINGS = tuple(
    Limited(kind, n, prevalence, limits)
    for kind in ("distinct", "overconfident")
    for n, prevalence, limits in (
        (500, 0.2, (("capacity", 0.15),)),
        (2000, 0.1, (("capacity", 0.05),)),
        (1000, 0.2, (("min_precision", 0.6),)),
        (1000, 0.2, (("min_recall", 0.7),)),
        (1000, 0.2, (("max_fpr", 0.1),)),
        (1000, 0.2, (("capacity", 0.2), ("min_recall", 0.5))),
    )
)


def simulate(setting: Limited, simulation: int) -> Sample:
    """Whether a threshold is found, keeps the limits, what it is said to cost, and what it does.

    Queues, which need no threshold, are not among the choices.
    """
    population = Population(setting.kind, setting.prevalence)
    y, scores, _ = population.draw(setting.n, generator_of(setting, simulation))
    rows = cs.ScoredRows.from_predictions(y, scores)
    choices = {"smoothed": cs.Smoothed()}
    limits, known = setting.constraints, setting.known
    decision = decide_task(task_of(rows, known, constraints=limits, choices=choices))
    found = decision.recommendation
    if found.model is None or found.rule is None or found.interval is None or found.money is None:
        return (0.0,) + (np.nan,) * 4
    fpr, fnr = population.rates(found.model, np.array(found.rule.thresholds[0]))
    kept = limits.holds(cs.OperatingPoints(fpr, fnr), setting.prevalence)
    true = float(known.money_at(fpr, fnr))
    covered = found.interval.low <= true <= found.interval.high
    return 1.0, float(kept), found.money, true, float(covered)


def figures(setting: Limited, samples: np.ndarray) -> dict[str, float]:
    """In percent, of the samples in which a threshold is found."""
    found, kept, said, true, covered = samples[samples[:, 0] > 0].T
    return {
        "found": 100 * len(found) / len(samples),
        "kept": 100 * np.mean(kept),
        "bias": 100 * np.mean(said - true) / np.mean(true),
        "se_of_bias": 100 * standard_error(said - true) / np.mean(true),
        "coverage": 100 * np.mean(covered),
    }


COLUMNS = {
    "Kept, %": shown("kept"),
    "A threshold is found, %": shown("found"),
    "Bias, %": percent_of_bias,
    "Coverage, %": shown("coverage"),
}
_SETTINGS = {key_of(described(one)): one for one in SETTINGS}


def brief(rows: Sequence[Row]) -> Iterator[str]:
    """For the docs: a line for one limit, and one for two."""
    for count, limits in ((1, "one limit"), (2, "two limits")):
        own = [row for row in rows if len(_SETTINGS[key_of(row)].limits) == count]
        kept, found, covered = (
            range_of(own, name, ".1f") for name in ("kept", "found", "coverage")
        )
        yield (
            f"- With {limits} {kept} % keep all; a threshold is found in {found} %; intervals of "
            f"the cost cover {covered} %."
        )


PART = BySetting(
    "Limits",
    "How often the threshold that `decide` recommends within limits keeps all of them in the "
    "population, which is to be in 95 % of samples; in how many samples a threshold is found that "
    "does with a margin for chance; and what it is said to cost, as in the part before. A false "
    "positive costs 1 and a false negative 8, or 2 where a recall is asked for.",
    1000,
    SETTINGS,
    simulate,
    figures,
    partial(table, columns=COLUMNS, first="Models, and the limits"),
)

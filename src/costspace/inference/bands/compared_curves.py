"""A model's loss, or the difference of two models', and the band around it."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

from costspace.arrays import FrozenValue
from costspace.checks import check_range, check_whole
from costspace.curve import PiecewiseQuadratic, weighted_sum
from costspace.errors import ConditionError, brief
from costspace.inference.bands.band import LossBand
from costspace.inference.bands.band_limits import Errors, further_below, reaches, squared_errors
from costspace.inference.bands.critical_values import critical_value
from costspace.inference.bands.row_losses import FlaggedRows
from costspace.inference.bands.sample_curve import SampleCurve
from costspace.inference.bands.sampled_rows import SampledRows
from costspace.inference.interval import normal_quantile

_FEWEST_REPLICATES = 100


@final
@dataclass(frozen=True, eq=False)
class ComparedCurves(FrozenValue):
    """The loss of one model, or that of the first of two less that of the second.

    Attributes
    ----------
    samples : sequence of SampledRows
        The rows that the models share, or each model's own.
    curves : sequence of SampleCurve
        One a model.
    """

    samples: Sequence[SampledRows]
    curves: Sequence[SampleCurve]

    @cached_property
    def errors(self) -> Errors:
        """Of the loss or difference; of independent samples one after the other."""
        return self._errors([one.flagged for one in self.curves])

    def _errors(self, flagged: Sequence[FlaggedRows]) -> Errors:
        signed = [flagged[0], *(one.negated() for one in flagged[1:])]
        if len(self.samples) == 1:
            return [self.samples[0].losses(*signed)]
        return [sample.losses(one) for sample, one in zip(self.samples, signed, strict=True)]

    def turned(self) -> "ComparedCurves":
        """That of the second model less the first."""
        return ComparedCurves(self.samples[::-1], self.curves[::-1])

    def critical(
        self, within: tuple[float, float], *, level: float, replicates: int, seed: int
    ) -> float:
        """How many standard errors contain all of it over a range of conditions."""
        drawn = self._errors([one.drawn for one in self.curves])
        found = critical_value(
            drawn,
            within=within,
            level=level,
            replicates=replicates,
            seed=seed,
        )
        # Draws may leave it below what a single condition needs.
        return max(normal_quantile(level), found)

    def further_below(self, critical: float, *, whole: bool) -> list[PiecewiseQuadratic]:
        """By how much what could be best in the first curve's place takes a band further down.

        Nothing, if its thresholds are not the best. The other curve keeps its own: whatever is best
        for it in the population can only lose less, so that its least loss is not above that.
        """
        first, *second = self.curves
        if first.rivals is None:
            return []
        beside = [one.flagged.negated() for one in second] if len(self.samples) == 1 else []
        found = first.rivals.losses(self.samples[0].shares, beside)
        rivals = ([one, *self.errors[1:]] for one in found)
        return [further_below(self.errors, rivals, critical, whole=whole)]


def band_around(
    compared: ComparedCurves,
    *,
    within: tuple[float, float],
    level: float,
    simultaneous: bool,
    replicates: int,
    seed: int,
) -> LossBand:
    """The band around a loss or a difference of two."""
    start, end = check_range(*within, inside=(0.0, 1.0))
    critical = normal_quantile(level)
    if not isinstance(simultaneous, bool):
        raise ConditionError(f"simultaneous must be True or False, got {brief(simultaneous)}.")
    if simultaneous:
        critical = compared.critical(
            (start, end),
            level=level,
            replicates=check_whole("replicates", replicates, least=_FEWEST_REPLICATES),
            seed=check_whole("seed", seed, least=0),
        )
    samples, curves = compared.samples, compared.curves
    curve = weighted_sum([one.curve for one in curves], [1.0, -1.0][: len(curves)])
    zero = weighted_sum([curve], [0.0])
    first, *second = curves
    too_high = [zero, *(one.optimism for one in second)]
    too_high += compared.further_below(critical, whole=simultaneous)
    too_low = [first.optimism]
    if second:
        too_low += compared.turned().further_below(critical, whole=simultaneous)
    return LossBand(
        curve,
        squared_errors(compared.errors),
        critical,
        *reaches(compared.errors, critical, whole=simultaneous),
        weighted_sum(too_high, [1.0] * len(too_high)),
        weighted_sum(too_low, [1.0] * len(too_low)),
        weighted_sum([one.ceiling for one in second], [-1.0]) if second else zero,
        first.ceiling,
        start,
        end,
        level,
        "simultaneous" if simultaneous else "pointwise",
        sum(len(sample.rows) for sample in samples),
        "stratified" if samples[0].fixed else "independent",
    )

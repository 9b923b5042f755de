"""The band around a model's loss, or around the difference of two models'."""

from collections.abc import Sequence

from costspace.bands.band import LossBand
from costspace.bands.band_limits import Errors, further_below, reaches, squared_errors
from costspace.bands.critical_values import checked_draws, critical_value
from costspace.bands.row_losses import FlaggedRows
from costspace.bands.sample_curve import SampleCurve
from costspace.bands.sampled_rows import SampledRows
from costspace.checks import check_range
from costspace.curve import PiecewiseQuadratic, weighted_sum
from costspace.estimates.interval import normal_quantile


def band_around(
    samples: Sequence[SampledRows],
    curves: Sequence[SampleCurve],
    *,
    within: tuple[float, float],
    level: float,
    simultaneous: bool,
    replicates: int,
    seed: int,
) -> LossBand:
    """The band around a model's loss, or that of the first of two minus that of the second.

    There is one curve a model, on the rows that they share or each on its own. Options are those of
    `loss_band`.
    """
    start, end = check_range(*within, inside=(0.0, 1.0))
    critical = normal_quantile(level)
    draws = checked_draws(replicates, seed, simultaneous=simultaneous)
    if draws is not None:
        found = critical_value(
            _errors(samples, [one.drawn for one in curves]),
            within=(start, end),
            level=level,
            draws=draws,
        )
        # By chance, draws can give less than a single condition needs.
        critical = max(critical, found)
    errors = _errors(samples, [one.flagged for one in curves])
    curve = weighted_sum([one.curve for one in curves], weights=[1.0, -1.0][: len(curves)])
    zero = weighted_sum([curve], weights=[0.0])
    first, *second = curves
    too_high = [zero, *(one.optimism for one in second)]
    too_high += _further_below(samples, curves, errors, critical, whole=simultaneous)
    too_low = [first.optimism]
    if second:
        # The second minus the first.
        turned = _errors(samples[::-1], [one.flagged for one in curves[::-1]])
        too_low += _further_below(samples[::-1], curves[::-1], turned, critical, whole=simultaneous)
    return LossBand(
        curve,
        squared_errors(errors),
        critical,
        *reaches(errors, critical, whole=simultaneous),
        weighted_sum(too_high, weights=[1.0] * len(too_high)),
        weighted_sum(too_low, weights=[1.0] * len(too_low)),
        weighted_sum([one.ceiling for one in second], weights=[-1.0]) if second else zero,
        first.ceiling,
        start,
        end,
        level,
        "simultaneous" if simultaneous else "pointwise",
        sum(len(sample.rows) for sample in samples),
        "stratified" if samples[0].fixed else "independent",
    )


def _errors(samples: Sequence[SampledRows], flagged: Sequence[FlaggedRows]) -> Errors:
    """The errors of a loss or a difference; one item for each independent sample."""
    signed = [flagged[0], *(one.negated() for one in flagged[1:])]
    if len(samples) == 1:
        return [samples[0].losses(*signed)]
    return [sample.losses(one) for sample, one in zip(samples, signed, strict=True)]


def _further_below(
    samples: Sequence[SampledRows],
    curves: Sequence[SampleCurve],
    errors: Errors,
    critical: float,
    *,
    whole: bool,
) -> list[PiecewiseQuadratic]:
    """How much further down a band extends for the thresholds that compete with the first curve's.

    0 if its thresholds are not the best. The other curve keeps its own: the population's best for
    it can only lose less, so its least loss is not above that.
    """
    first, *second = curves
    if first.competing is None:
        return []
    beside = [one.flagged.negated() for one in second] if len(samples) == 1 else []
    found = first.competing.losses(samples[0].shares, beside)
    return [further_below(errors, ([one, *errors[1:]] for one in found), critical, whole=whole)]

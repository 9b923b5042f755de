"""What `decide` says that its rule costs, against what it truly costs, and what other rules do."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
from scipy.stats import binom

from benchmarks.coverage.by_setting import (
    BySetting,
    Sample,
    described,
    key_of,
    percent_of_bias,
    shown,
    standard_error,
    table,
)
from benchmarks.coverage.rivals import best_in_sample, tuned
from benchmarks.coverage.settings import (
    BATCHES,
    SETTINGS,
    Drawn,
    Setting,
    best,
    least_trivial,
    true_money,
)
from benchmarks.tables import Row
from costspace.decision.money.row_money import RowMoney
from costspace.estimates.multiplicity import adjusted_p

LEAST_COVERAGE = 0.93
_WIDE = 1.96  # standard errors on either side, uncorrected


def simulate(setting: Setting, simulation: int) -> Sample:
    """What is said and what is true on one sample.

    What is said, the ends of its interval, how wide that is uncorrected, what the rule costs, what
    other rules do, and whether a saving is claimed that is none.
    """
    one = Drawn.of(setting, simulation)
    decision = one.decision
    choosing, found = decision.choosing, decision.recommendation
    if choosing is None or found.interval is None or found.money is None:
        raise ValueError(f"{setting} has no interval")
    # Right decisions cost nothing.
    money = RowMoney(one.rows, "sampling", estimated=decision.task.estimated)
    error = money.error(money.influences(choosing.best.row_losses))
    true = true_money(setting, decision)
    return (
        *(found.money, found.interval.low, found.interval.high, 2 * _WIDE * error, true),
        *(best_in_sample(one), tuned(one)),
        float(found.shown and true >= least_trivial(setting)),
    )


def figures(setting: Setting, samples: np.ndarray) -> dict[str, float]:
    """What is written of a setting, given what was found on each of some samples; in percent."""
    said, low, high, uncorrected, true, in_sample, tuned_true, false = samples.T
    least = best(setting)
    return {
        "true": np.mean(true),
        "bias": 100 * np.mean(said - true) / np.mean(true),
        "se_of_bias": 100 * standard_error(said - true) / np.mean(true),
        "coverage": 100 * np.mean((low <= true) & (true <= high)),
        "uncorrected_coverage": 100 * np.mean(np.abs(said - true) <= uncorrected / 2),
        "width_ratio": np.mean(high - low) / np.mean(uncorrected),
        "regret": 100 * (np.mean(true) / least - 1),
        "regret_in_sample": 100 * (np.mean(in_sample) / least - 1),
        "se_of_less": 100 * standard_error(true - in_sample) / least,
        "regret_tuned": 100 * (np.mean(tuned_true) / least - 1),
        "false_savings": 100 * np.mean(false),
    }


# --- In words ---


COLUMNS = {
    "Bias, %": percent_of_bias,
    "Coverage, %": shown("coverage"),
    "Uncorrected": shown("uncorrected_coverage"),
    "Width": shown("width_ratio", 2),
    "Regret, %": shown("regret"),
    "In-sample": shown("regret_in_sample"),
    "scikit-learn": shown("regret_tuned"),
    "False savings, %": shown("false_savings"),
}
_SETTINGS = {key_of(described(one)): one for one in (*SETTINGS, *BATCHES)}


def setting_of(row: Row) -> Setting:
    return _SETTINGS[key_of(row)]


def words(rows: Sequence[Row]) -> Iterator[str]:
    """A line a setting, and what of it all is outside of the targets."""
    yield from table(rows, COLUMNS, "Models, and what is known")
    yield ""
    yield from summary(rows)
    yield from _of_width(rows)


def large(rows: Sequence[Row]) -> list[Row]:
    """Settings from 200 rows with 20 of the rarer class."""
    return [row for row in rows if setting_of(row).enough]


def under(rows: Sequence[Row]) -> list[Row]:
    """Those whose coverage is significantly below 93 %, by Holm over all."""
    p = [_p_of(row) for row in rows]
    adjusted = adjusted_p(p, "holm")
    return [row for row, value in zip(rows, adjusted, strict=True) if value < 0.05]


def _p_of(row: Row) -> float:
    n = int(row["simulations"])
    return float(binom.cdf(round(n * float(row["coverage"]) / 100), n, LEAST_COVERAGE))


def biased(rows: Sequence[Row]) -> list[Row]:
    """Those whose bias is outside 2 %, or 3.5 where the prevalence is 5 %, with its interval."""

    def beyond(row: Row) -> bool:
        most = 3.5 if row["prevalence"] == "0.05" else 2.0
        return abs(float(row["bias"])) - 1.96 * float(row["se_of_bias"]) > most

    return [row for row in rows if beyond(row)]


def beaten(rows: Sequence[Row]) -> list[Row]:
    """Those where the rule truly costs more than the best in-sample threshold, significantly."""

    def more(row: Row) -> bool:
        difference = float(row["regret"]) - float(row["regret_in_sample"])
        return difference > 1.96 * float(row["se_of_less"])

    return [row for row in rows if more(row)]


def mean_of(rows: Sequence[Row], figure: str) -> float:
    return float(np.mean([float(row[figure]) for row in rows if row[figure]]))


def summary(rows: Sequence[Row]) -> Iterator[str]:
    """What of it all is outside of the targets."""
    own = large(rows)
    small = [row for row in rows if row not in own]
    tried = [row for row in own if row["regret_tuned"]]
    useless = [row for row in rows if _is_useless(row)]
    counts = " to ".join(sorted({row["simulations"] for row in rows}, key=int))
    yield f"- {counts} samples of each setting."
    yield (
        f"- From 200 rows with 20 of the rarer class, {len(own)} settings: coverage "
        f"{mean_of(own, 'coverage'):.1f} % on average, of uncorrected intervals "
        f"{mean_of(own, 'uncorrected_coverage'):.1f}; significantly below 93 %, by Holm: "
        f"{_listed(under(own))}."
    )
    yield f"- Below that size: coverage {mean_of(small, 'coverage'):.1f} % on average."
    yield (
        "- Bias significantly beyond 2 %, or 3.5 at a prevalence of 5 %: "
        f"{_listed(biased(own))}; {mean_of(own, 'bias'):+.1f} % on average."
    )
    yield (
        f"- Regret {mean_of(own, 'regret'):.1f} % on average, and "
        f"{mean_of(own, 'regret_in_sample'):.1f} of the best in-sample threshold, which is "
        f"significantly better in: {_listed(beaten(own))}. Where scikit-learn tunes too, "
        f"{mean_of(tried, 'regret'):.1f} and {mean_of(tried, 'regret_tuned'):.1f} %."
    )
    most = max(float(row["false_savings"]) for row in useless)
    yield f"- With useless models at most {most:.1f} % of samples claim a false saving."


def _of_width(rows: Sequence[Row]) -> Iterator[str]:
    """How wide intervals are, in widths of uncorrected ones."""
    own = large(rows)
    without = [row for row in own if not _is_useless(row)]
    yield (
        f"- Width {mean_of(own, 'width_ratio'):.2f} on average, "
        f"{mean_of(without, 'width_ratio'):.2f} without useless models; above 1.35: "
        f"{_listed([row for row in own if float(row['width_ratio']) > 1.35])}."
    )


def _is_useless(row: Row) -> bool:
    return row["setting"].startswith("useless")


def _listed(rows: Sequence[Row]) -> str:
    return (
        "; ".join(f"{row['setting']}, {row['n']} at {row['prevalence']}" for row in rows) or "none"
    )


PART = BySetting(
    "Decisions",
    "The cost that `decide` states for its rule, in percent above the true one, with its interval; "
    "how often the 95 % interval holds the true cost; its width in widths of an uncorrected one; "
    "the regret against the best rule of the best model, beside that of the best threshold in the "
    "sample and of scikit-learn's `TunedThresholdClassifierCV`; in how many samples a false saving "
    "is claimed. A false positive costs 1, a false negative 8 (2 at a prevalence of 0.5); ranges "
    "are from half to twice the number.",
    1000,
    SETTINGS,
    simulate,
    figures,
    words,
)
OF_BATCHES = BySetting(
    "Queues of each batch",
    "The same where a capacity is of each batch of so many cases.",
    1000,
    BATCHES,
    simulate,
    figures,
    partial(table, columns=COLUMNS, first="Models, and what is known"),
)

"""Hundreds of thousands of rows against exact arithmetic: whole numbers, fractions, 50 digits.

Scores are multiples of 2^-20 and weights are whole numbers, so every sum is one of whole numbers.
"""

from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from laws.registry import AXES

import costspace as cs

SCALE = 2**20
Block = tuple[int, int]


class Exact:
    """A sample's counts by score, as whole numbers, and what follows from them.

    Attributes
    ----------
    levels
        Scores as multiples of 1 / SCALE, ascending.
    counts
        Weights of the negatives and of the positives at each level.
    hull
        The same of each block of scores that isotonic regression makes equal, ascending.
    """

    def __init__(self, rows: int, *, weighted: bool) -> None:
        rng = np.random.default_rng(11)
        self.y = (rng.random(rows) < 0.07).astype(int)
        self.level = np.floor(rng.beta(1.5 + self.y, 3 - self.y) ** 2 * SCALE).astype(np.int64)
        self.level[: rows // 10] = self.level[: rows // 10] // 4096 * 4096  # a tenth in large ties
        self.w = rng.integers(1, 10, rows) if weighted else np.ones(rows, dtype=np.int64)
        self.levels, place = np.unique(self.level, return_inverse=True)
        self.counts = np.zeros((2, len(self.levels)), dtype=np.int64)
        np.add.at(self.counts, (self.y, place), self.w)
        self.totals = [int(n) for n in self.counts.sum(axis=1)]
        self.hull = self._pooled()

    @property
    def table(self) -> cs.ScoreTable:
        return cs.ScoreTable.from_predictions(
            self.y, self.level / SCALE, sample_weight=self.w if self.w.max() > 1 else None
        )

    def _pooled(self) -> list[Block]:
        blocks: list[Block] = []
        for n0, n1 in self.counts.T.tolist():
            negatives, positives = n0, n1
            # Not a smaller share of positives than the block before.
            while blocks and blocks[-1][1] * negatives >= positives * blocks[-1][0]:
                before = blocks.pop()
                negatives, positives = negatives + before[0], positives + before[1]
            blocks.append((negatives, positives))
        return blocks

    def positive_share(self, axis: str) -> Fraction:
        return Fraction(1, 2) if axis == "skew" else Fraction(self.totals[1], sum(self.totals))

    def auc(self, blocks: list[Block] | None = None) -> Fraction:
        below = won = 0
        for n0, n1 in self.counts.T.tolist() if blocks is None else blocks:
            won += n1 * (2 * below + n0)
            below += n0
        return Fraction(won, 2 * self.totals[0] * self.totals[1])

    def mean_power(self, power: int, axis: str) -> Fraction:
        """The mean of |score - label| ** power, the classes weighed by the axis."""
        distance = (self.levels.tolist(), (SCALE - self.levels).tolist())
        means = [
            Fraction(
                sum(n * d**power for n, d in zip(own.tolist(), at, strict=True)),
                total * SCALE**power,
            )
            for own, at, total in zip(self.counts, distance, self.totals, strict=True)
        ]
        p = self.positive_share(axis)
        return (1 - p) * means[0] + p * means[1]

    def error_rate(self, axis: str) -> Fraction:
        above = self.levels * 2 > SCALE
        wrong = int(self.counts[0, above].sum()), int(self.counts[1, ~above].sum())
        p = self.positive_share(axis)
        return (1 - p) * Fraction(wrong[0], self.totals[0]) + p * Fraction(wrong[1], self.totals[1])

    def pieces(self, axis: str) -> Iterator[tuple[Fraction, Fraction, Fraction, Fraction]]:
        """The optimal loss, a + b c from low to high: low, high, a, b."""
        p = self.positive_share(axis)
        masses = [
            ((1 - p) * Fraction(n0, self.totals[0]), p * Fraction(n1, self.totals[1]))
            for n0, n1 in self.hull
        ]
        edges = [Fraction(0), *(m1 / (m0 + m1) for m0, m1 in masses), Fraction(1)]
        flagged, missed = 1 - p, Fraction(0)
        for (low, high), (m0, m1) in zip(pairwise(edges), [*masses, (0, 0)], strict=True):
            yield low, high, 2 * missed, 2 * (flagged - missed)
            flagged, missed = flagged - m0, missed + m1

    def optimal(self, axis: str) -> Fraction:
        return sum(
            (
                a * (high - low) + b * (high**2 - low**2) / 2
                for low, high, a, b in self.pieces(axis)
            ),
            Fraction(0),
        )

    def h_measure(self) -> Fraction:
        """H under Beta(2, 2), whose density is 6 c (1 - c)."""

        def moment(k: int, low: Fraction, high: Fraction) -> Fraction:
            def below(c: Fraction) -> Fraction:
                return 6 * (c ** (k + 2) / (k + 2) - c ** (k + 3) / (k + 3))

            return below(high) - below(low)

        p = self.positive_share("cost")
        loss = sum(
            a * moment(0, low, high) + b * moment(1, low, high)
            for low, high, a, b in self.pieces("cost")
        )
        half, one = moment(1, Fraction(0), p), moment(0, p, Fraction(1))
        trivial = 2 * (1 - p) * half + 2 * p * (one - moment(1, p, Fraction(1)))
        return 1 - loss / trivial

    def voros(self) -> float:
        """1 minus the integral of (a + b z)^2 / (2 z (1 - z)), in 50 digits."""

        def decimal(x: Fraction) -> Decimal:
            return Decimal(x.numerator) / Decimal(x.denominator)

        with localcontext() as context:
            context.prec = 50
            room = Decimal(0)
            for low, high, a, b in self.pieces("skew"):
                if low < high:
                    # (a + b z)^2 / (z (1 - z)) is a^2 / z + (a + b)^2 / (1 - z) - b^2.
                    room -= decimal(b * b * (high - low))
                    if a:
                        room += decimal(a * a) * (decimal(high) / decimal(low)).ln()
                    if a + b:
                        ratio = decimal(1 - low) / decimal(1 - high)
                        room += decimal((a + b) ** 2) * ratio.ln()
            return float(1 - room / 2)


@pytest.fixture(scope="module", params=[False, True], ids=["rows", "weights"])
def exact(request: pytest.FixtureRequest) -> Exact:
    return Exact(200_000, weighted=request.param)


def near(expected: Fraction | float, within: float = 1e-15) -> object:
    return pytest.approx(float(expected), rel=0, abs=within)


def test_metrics(exact: Exact) -> None:
    table = exact.table
    assert len(exact.levels) > 100_000
    assert len(exact.hull) > 50
    assert cs.auc(table) == near(exact.auc())
    assert cs.auc_hull(table) == near(exact.auc(exact.hull))
    assert cs.brier_score(table) == near(exact.mean_power(2, "cost"))
    assert cs.macro_brier_score(table) == near(exact.mean_power(2, "skew"))
    assert cs.mean_absolute_error(table) == near(exact.mean_power(1, "cost"))
    assert cs.macro_mean_absolute_error(table) == near(exact.mean_power(1, "skew"))
    assert cs.refinement_loss(table) == near(exact.optimal("cost"))
    assert cs.miscalibration(table) == near(exact.mean_power(2, "cost") - exact.optimal("cost"))
    assert cs.h_measure(table, costs=cs.Beta(2, 2)) == near(exact.h_measure())
    assert cs.voros(table) == near(exact.voros())


@pytest.mark.parametrize("axis", AXES)
def test_expected_losses(exact: Exact, axis: str) -> None:
    p = exact.positive_share(axis)
    ranking = p * (1 - p) * (1 - 2 * exact.auc())
    expected = {
        cs.ScoreFixed(0.5): exact.error_rate(axis),
        cs.ScoreUniform(): exact.mean_power(1, axis),
        cs.ScoreDriven(): exact.mean_power(2, axis),
        cs.RateUniform(): ranking + Fraction(1, 2),
        cs.RateDriven(): ranking + Fraction(1, 3),
        cs.Optimal(): exact.optimal(axis),
    }
    for choice, loss in expected.items():
        assert cs.expected_loss(exact.table, choice=choice, axis=axis) == near(loss), choice
        curve = cs.loss_curve(exact.table, choice=choice, axis=axis)
        # A curve of 100,000 pieces adds up as many numbers.
        assert curve.expectation(cs.Uniform()) == near(loss, 1e-14), choice

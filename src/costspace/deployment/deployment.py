"""Costs and prevalence each known up to bounds, varying independently."""

from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import final

import numpy as np

from costspace.arrays import FloatArray, FrozenValue, Function
from costspace.costs import CostDistribution
from costspace.deployment.amounts import Amount, Drawn, Uncertain, affine
from costspace.deployment.bounds import Range, Stakes
from costspace.deployment.conditions import COSTS, Band, JointConditions, OfPrevalence
from costspace.deployment.measures import Measure
from costspace.deployment.parts import as_cost, as_prevalence, check_gap
from costspace.deployment.prevalence import Unknown, cut, log_odds, off_1
from costspace.deployment.review import Review, ReviewStep, check_review
from costspace.deployment.scenarios import Scenarios
from costspace.deployment.skews import log_gap, skews_of
from costspace.errors import ConditionError
from costspace.quadrature import integrate_costly
from costspace.special import expit, logit

# The rounding error of 1 - p.
_ROUNDING = 4 * np.finfo(float).eps
_PARTS = ("fp_cost", "fn_cost", "prevalence", "tp_cost", "tn_cost")
# Tails of the prevalence with less mass are ignored, being smaller than that.
_TAIL = 1e-13
# Relative tolerance of means over the prevalence.
_TOLERANCE = 1e-10
# The error that a mass found by quadrature may have.
_LOST_MASS = 1e-9


@final
@dataclass(frozen=True, eq=False, repr=False)
class Deployment(FrozenValue, JointConditions):
    """Costs and prevalence at deployment: each a number, a range or a distribution.

    The parts vary independently. For parts that vary together use `Scenarios`.

    Parameters
    ----------
    fp_cost, fn_cost
        Cost of one false positive and of one false negative, in any common unit: a number;
        ``(low, high)``, which is `LogUniform` between them; `Drawn` values; a `LogUniform`; or a
        frozen continuous scipy distribution.
    prevalence, optional
        Share of positives, inside (0, 1): a number; ``(low, high)``, which is `LogitUniform`
        between them; `Drawn` values; a frozen scipy distribution or one of costspace's own
        distributions of conditions. Without it the prevalence is estimated from the rows that are
        decided on, and the error of that counts in every interval.
    tp_cost, tn_cost
        Cost of one true positive and of one true negative, negative for a gain: the same, but
        ``(low, high)`` is uniform between them. fn_cost must always be above tp_cost, and fp_cost
        above tn_cost.

    review : Review, optional
        What it costs that a person looks at a case first; without it cases are passed or flagged.

    Attributes
    ----------
    fp_cost, fn_cost, prevalence, tp_cost, tn_cost
        The distributions of the parts.

    Raises
    ------
    ConditionError
        If a part is none of these, bounds do not ascend, a mistake may not cost more than the
        correct decision, or a prevalence is not inside (0, 1); without a prevalence, if it is asked
        what takes one.

    Notes
    -----
    Bounds multiply as intervals: Ratigan and Cowen (2024), The VOROS, derive a range of skew from
    them. Moments are exact to rounding for numbers, log-uniform, logit-uniform and uniform parts,
    and to about 1e-9 for scipy distributions.

    Examples
    --------
    A missed fraud costs 500 to 5000 times a false positive, and 0.1 to 1 % of cases are fraud:

    >>> import costspace as cs
    >>> known = cs.Deployment(fp_cost=1, fn_cost=(500, 5000), prevalence=(0.001, 0.01))
    >>> known
    Deployment(fp_cost=1, fn_cost=500 to 5000, prevalence=0.001 to 0.01)
    >>> known.skew_range
    Range(low=0.0194156..., high=0.6664442...)
    >>> round(known.stake, 4)
    8.647

    Conditions with high costs weigh more in expected cost than in number:

    >>> round(known.skews().mean(), 4), round(known.skews(staked=False).mean(), 4)
    (0.1152, 0.2021)
    >>> known.assumptions[1]
    'fn_cost log-uniform from 500 to 5000'
    """

    fp_cost: Uncertain
    fn_cost: Uncertain
    prevalence: Uncertain = None
    tp_cost: Uncertain = 0.0
    tn_cost: Uncertain = 0.0
    review: Review | None = None

    def __post_init__(self) -> None:
        for name in _PARTS:
            known = as_prevalence if name == "prevalence" else partial(as_cost, name)
            object.__setattr__(self, name, known(getattr(self, name)))
        for wrong, right in (("fp_cost", "tn_cost"), ("fn_cost", "tp_cost")):
            check_gap(wrong, getattr(self, wrong), right, getattr(self, right))
        check_review(self.review)

    def __repr__(self) -> str:
        given = (part for part in self._stated() if not isinstance(part[1], Unknown))
        parts = [f"{name}={amount.span}" for name, amount in given]
        if self.review is not None:
            parts.append(f"review={self.review}")
        return f"Deployment({', '.join(parts)})"

    def _stated(self) -> list[tuple[str, Amount]]:
        """The parts, with costs of correct decisions only if they are not 0."""
        parts = [(name, getattr(self, name)) for name in _PARTS]
        return parts[:3] + [part for part in parts[3:] if not _is_nothing(part[1])]

    @property
    def gives_prevalence(self) -> bool:
        return not isinstance(self.prevalence, Unknown)

    def completed(self, prevalence: float) -> "Deployment":
        return self if self.gives_prevalence else replace(self, prevalence=prevalence)

    def bounds_of(self, part: str) -> Range:
        amount: Amount = getattr(self, part)
        return amount.bounds

    def columns(self) -> dict[str, FloatArray]:
        """One row: the bounds of each part."""
        bounds = ((name, self.bounds_of(name)) for name in _PARTS)
        return {
            f"{name}_{end}": values
            for name, ends in bounds
            for end, values in ends.columns().items()
        }

    @property
    def assumptions(self) -> tuple[str, ...]:
        said = tuple(f"{name} {amount}" for name, amount in self._stated())
        nothing = "correct decisions cost nothing" if len(said) == 3 else ""
        varying = [amount for _, amount in self._stated() if amount.varies]
        independent = "costs and prevalence vary independently" if len(varying) > 1 else ""
        reviewed = () if self.review is None else self.review.assumptions
        return tuple(filter(None, (*said, nothing, independent, *reviewed)))

    @property
    def steps(self) -> tuple[JointConditions, ...]:
        review = self.review
        if review is None:
            return (self,)
        fp, fn, tp, tn = map(self.bounds_of, COSTS)
        ends = np.array([fp.low - tn.high, fp.high - tn.low, fn.low - tp.high, fn.high - tp.low])
        low, high = review.pays(ends[:2], ends[2:]).tolist()
        if low:
            return tuple(map(self._step, review.steps))
        if not high:
            return (replace(self, review=None),)
        if self._scenarios:
            return self._scenarios.steps
        raise ConditionError(
            f"a review that costs {review.cost.mean:g} is worth it at some of the costs of {self}, "
            "and not at others: give narrower ranges, Drawn values or Scenarios."
        )

    def _step(self, step: ReviewStep) -> "Deployment":
        """The conditions of one of the two decisions that three actions are."""
        (kept, more), (found, less) = step.negatives, step.positives
        return Deployment(
            affine(self.fp_cost, kept, more),
            affine(self.fn_cost, found, less),
            self.prevalence,
            tp_cost=affine(self.tp_cost, found, 0.0),
            tn_cost=affine(self.tn_cost, kept, 0.0),
        )

    # --- Expectations ---

    @property
    def _mean_a(self) -> float:
        return self.fp_cost.mean - self.tn_cost.mean

    @property
    def _mean_b(self) -> float:
        return self.fn_cost.mean - self.tp_cost.mean

    @property
    def stakes(self) -> FloatArray:
        p = self.mean_prevalence
        return np.array([[0.0, (1 - p) * self._mean_a], [p * self._mean_b, 0.0]])

    @property
    def of_right(self) -> tuple[float, float]:
        p = self.mean_prevalence
        return (1 - p) * self.tn_cost.mean, p * self.tp_cost.mean

    @property
    def mean_prevalence(self) -> float:
        return float(self.prevalence.mean)

    @property
    def prevalence_range(self) -> Range:
        bounds: Range = self.prevalence.bounds
        return bounds

    @cached_property
    def skew_range(self) -> Range:
        if self._scenarios:
            return self._scenarios.skew_range
        fp, fn, tp, tn = map(self.bounds_of, COSTS)
        p = self.prevalence_range
        with np.errstate(divide="ignore"):
            a = np.log(np.array([fp.low - tn.high, fp.high - tn.low]))
            b = np.log(np.array([fn.high - tp.low, fn.low - tp.high]))
            odds = logit(np.array([p.high, p.low]))
        low, high = expit(a - b - odds).tolist()
        return Range(low, high)

    # --- Distributions ---

    @cached_property
    def _scenarios(self) -> Scenarios | None:
        """All combinations of values, if they are finitely many."""
        parts = [getattr(self, name) for name in _PARTS]
        if not all(isinstance(part, Drawn) for part in parts):
            return None
        values = np.meshgrid(*(part.measure.values for part in parts), indexing="ij")
        weights = np.meshgrid(*(part.measure.masses for part in parts), indexing="ij")
        named = dict(zip(_PARTS, map(np.ravel, values), strict=True))
        found = np.prod(weights, axis=0).ravel()
        return Scenarios(**named, weights=found, review=self.review)

    def skews(self, *, staked: bool = True) -> CostDistribution:
        return self._staked_skews if staked else self._plain_skews

    @cached_property
    def _staked_skews(self) -> CostDistribution:
        return self._skews(staked=True)

    @cached_property
    def _plain_skews(self) -> CostDistribution:
        return self._skews(staked=False)

    def _skews(self, *, staked: bool) -> CostDistribution:
        if self._scenarios:
            return self._scenarios.skews(staked=staked)
        return skews_of(self._log_odds(staked=staked), self.skew_range, repr(self))

    def skews_of_class(self, *, positive: bool) -> CostDistribution:
        span = self.prevalence_range
        if span.low == span.high:
            return self._plain_skews
        return self._positives_skews if positive else self._negatives_skews

    @cached_property
    def _positives_skews(self) -> CostDistribution:
        return self._class_skews(positive=True)

    @cached_property
    def _negatives_skews(self) -> CostDistribution:
        return self._class_skews(positive=False)

    def _class_skews(self, *, positive: bool) -> CostDistribution:
        if self._scenarios:
            return self._scenarios.skews_of_class(positive=positive)
        p = self.mean_prevalence
        a, b, w = self._log_terms
        share = w.times(expit if positive else lambda w: expit(-w))
        found = self._added(a, b, share, p if positive else 1 - p)
        return skews_of(found, self.skew_range, repr(self))

    @property
    def _log_terms(self) -> tuple[Measure, Measure, Measure]:
        """Of the logarithms of a and b, and the log-odds of the prevalence."""
        a = log_gap(self.fp_cost.measure, self.tn_cost.measure)
        b = log_gap(self.fn_cost.measure, self.tp_cost.measure)
        return a, b, self.prevalence_log_odds

    def _log_odds(self, *, staked: bool) -> Measure:
        """Of the log-odds of the skew."""
        a, b, w = self._log_terms
        if not staked:
            return self._added(a, b, w, 1.0)
        # S = pi0 a / z, and pi0 a is a product of independent numbers, as z / (1 - z) is.
        a, w = a.times(np.exp), w.times(lambda w: expit(-w))
        return self._added(a, b, w, self.stake, lambda t: 1 + np.exp(-t))

    def _added(
        self,
        a: Measure,
        b: Measure,
        w: Measure,
        expected: float,
        factor: Function | None = None,
    ) -> Measure:
        """Of the log-odds of the skew, given those terms; `mass` is checked."""
        # Densities first: a sum with many atoms has many kinks.
        terms = sorted([a, b.reflected(), w.reflected()], key=lambda term: len(term.values))
        found = terms[0].plus(terms[1]).plus(terms[2])
        if factor is not None:
            found = found.times(factor)
        if not abs(found.mass - expected) <= _LOST_MASS * expected:
            raise ConditionError(
                f"a part of {self} is too rough, or its tails are too heavy, to find its skews: "
                "give bounds, Drawn values or a smoother distribution. A distribution of your own "
                "must list atoms of less than 1e-4 (`atoms`)."
            )
        return found

    @cached_property
    def _cost_proportions(self) -> CostDistribution:
        """Of c, weighted by a + b: the skews if the classes were balanced."""
        return self._balanced.skews()

    @property
    def _balanced(self) -> "Deployment":
        return replace(self, prevalence=0.5)

    @cached_property
    def cost_log_odds(self) -> Measure:
        """Of the log-odds of c, weighted by a + b."""
        return self._balanced._log_odds(staked=True).scaled(2)

    @property
    def prevalence_log_odds(self) -> Measure:
        """Of the log-odds of the prevalence."""
        return log_odds(self.prevalence)

    def over_prevalence(self, f: OfPrevalence) -> float:
        costs, size = self._cost_proportions, self._mean_a + self._mean_b
        known, drawn = self.prevalence_log_odds, isinstance(self.prevalence, Drawn)
        atoms = self.prevalence.measure.values if drawn else off_1(expit(known.values))
        each = zip(atoms, known.masses, strict=True)
        mean = sum(w * f(float(p), costs, size) for p, w in each)
        for density in known.densities:
            # Relative to its start: the range may be much narrower than it is far from 0.
            low, median, high = density.without_tails(_TAIL)
            inside = np.append(density.kinks, median)

            def placed(x: float, origin: float = density.origin) -> float:
                return f(float(off_1(np.asarray(expit(origin + x)))), costs, size)

            edges = np.clip(np.append(inside, [low, high]), low, high)
            mean += integrate_costly(placed, edges, tolerance=_TOLERANCE, density=density)
        return float(mean)

    def averaging(self, *, costs: bool = False, prevalence: bool = False) -> "Deployment":
        unknown = (name for name in _PARTS if (prevalence if name == "prevalence" else costs))
        return replace(self, **{name: getattr(self, name).mean for name in unknown})

    def where_rarer(self, prevalence: FloatArray, *, cases: bool = False) -> Stakes:
        span = self.prevalence_range
        within = (prevalence >= span.low).astype(float)
        negatives, positives = within * (1 - self.mean_prevalence), within * self.mean_prevalence
        if span.low < span.high:
            share = self._share_of_negatives
            inside = within * (prevalence < span.high) > 0
            rarest = np.maximum(1 - prevalence[inside] - _ROUNDING, 0)
            negatives[inside] = share.mean() - share.below(rarest, 1)
            positives[inside] = share.complement_from(rarest)
        if cases:
            return Stakes(negatives, positives)
        p = self.mean_prevalence
        return Stakes(
            negatives * self.negative_stake / (1 - p), positives * self.positive_stake / p
        )

    @cached_property
    def _share_of_negatives(self) -> CostDistribution:
        """Distribution of 1 - pi1: the skew if both mistakes cost 1."""
        return Deployment(1, 1, self.prevalence).skews()

    def bands(self, count: int) -> list[Band]:
        return [
            Band(replace(self, prevalence=part), share)
            for part, share in cut(self.prevalence, count)
        ]

    def draw(self, size: int, seed: int | np.random.Generator = 0) -> Scenarios:
        """Conditions drawn at random.

        Parameters
        ----------
        size : int
            How many.
        seed : int or numpy Generator
            Source of the random numbers; the same seed gives the same draws.

        Returns
        -------
        Scenarios
            Equally likely; they converge to this deployment as `size` grows.

        Examples
        --------
        >>> import costspace as cs
        >>> known = cs.Deployment(fp_cost=1, fn_cost=(500, 5000), prevalence=(0.001, 0.01))
        >>> drawn = known.draw(10_000, seed=1)
        >>> abs(drawn.stake / known.stake - 1) < 0.03
        True
        """
        rng = np.random.default_rng(seed)
        drawn = {name: getattr(self, name).draw(rng, size) for name in _PARTS}
        return Scenarios(**drawn, review=self.review)


def _is_nothing(amount: Amount) -> bool:
    return amount.bounds == Range(0.0, 0.0)

"""Which strategy to use, from one condition to the next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FloatArray
from costspace.checks import check_number
from costspace.decision.by_condition.best_rows import best_rows
from costspace.decision.by_condition.losses import Losses
from costspace.decision.by_condition.table_row import DecisionRange, DecisionRow
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules_by_condition import RulesByCondition
from costspace.decision.strategy import Strategy, point_of_trivial
from costspace.deployment.bounds import Range
from costspace.errors import ConditionError, ScoreError, brief
from costspace.notebook import Tabulated
from costspace.scores.validation import score_array

# A skew computed from costs and a prevalence is off by no more than this, relatively.
_ROUNDING = 1e-12


@final
@dataclass(frozen=True)
class RuleInUse(Tabulated):
    """The rule to use at one condition.

    Attributes
    ----------
    strategy : Strategy
    rule : Rule
        The threshold, on the scale of the model's scores.

    Notes
    -----
    Hernandez-Orallo, Flach, Ferri (2011), ICML, Section 5: a hybrid classifier at one condition.

    Examples
    --------
    >>> import costspace as cs
    >>> used = RuleInUse(cs.decision.Strategy("logistic", cs.Optimal()), cs.Rule(0.3))
    >>> str(used.strategy), used.rule
    ('logistic, Optimal()', Rule(flag scores above 0.3))
    """

    strategy: Strategy
    rule: Rule

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row."""
        strategy = self.strategy
        names = {"model": np.array([strategy.model or ""]), "choice": np.array([strategy.name])}
        return {**names, "rule": np.array([str(self.rule)])}


@final
@dataclass(frozen=True)
class DecisionTable(Tabulated):
    """A decision table: which strategy and threshold to use in each range of skew.

    Strategies are compared by their losses on rows that their thresholds were not chosen on; the
    thresholds to use are chosen on all rows. The losses of the winners are still a little too
    good, since they are the best of several on these rows.

    Attributes
    ----------
    rows : tuple of DecisionRow
        Ascending in the skew, within each band of prevalence; they leave no gap.
    models : tuple of str
        Names of the models compared.

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65, Section 5.2; Hernandez-Orallo, Flach, Ferri
    (2011), ICML, Section 5: hybrid classifiers.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=(0.25, 4), prevalence=0.5)
    >>> choices = [cs.ScoreFixed(), cs.Smoothed()]
    >>> table = cs.decide(y, {"model": s}, conditions=known, choices=choices).table()
    >>> for row in table.rows:
    ...     print(round(row.skew_low, 3), round(row.skew_high, 3), row.strategy, row.rule)
    0.2 0.25 flag_everybody flag everybody
    0.25 0.357 model, smoothed flag scores above 0.32
    0.357 0.75 model, score_fixed flag scores above 0.5
    0.75 0.8 flag_nobody flag nobody
    >>> table.rule_at(0.3).rule
    Rule(flag scores above 0.32)
    >>> table.flag({"model": [0.1, 0.4, 0.7]}, skew=0.3)
    array([0., 1., 1.])
    """

    rows: tuple[DecisionRow, ...]
    models: tuple[str, ...]

    @classmethod
    def joined(cls, tables: Sequence["DecisionTable"]) -> "DecisionTable":
        """One table of several, each for prevalences of its own.

        Raises
        ------
        ConditionError
            If there are no tables, or several and one is not by prevalence.
        """
        rows = [row for table in tables for row in table.rows]
        if not rows or (len(tables) > 1 and any(row.prevalence_low is None for row in rows)):
            raise ConditionError(
                "tables to join must each be for a range of prevalences: make them with "
                "`prevalences`."
            )
        return cls(tuple(rows), tuple(dict.fromkeys(m for table in tables for m in table.models)))

    @property
    def never_best(self) -> tuple[str, ...]:
        """Names of the models that are nowhere the one to use."""
        used = {row.strategy.model for row in self.rows}
        return tuple(model for model in self.models if model not in used)

    def rule_at(self, skew: float, prevalence: float | None = None) -> RuleInUse:
        """The model, method and rule to use at a condition: the hybrid.

        Parameters
        ----------
        skew : float
            In the range of the table.
        prevalence : float, optional
            Needed if the table is by prevalence too; where two bands meet, the lower is used.

        Returns
        -------
        RuleInUse

        Raises
        ------
        ConditionError
            If the table has no row for the condition.
        """
        z = check_number("skew", skew, low=0, high=1)
        if prevalence is None and self.rows[0].prevalence_low is not None:
            raise ConditionError("the table is by skew and prevalence: give the prevalence too.")
        band = [row for row in self.rows if row.covers(prevalence)]
        for row in reversed(band):
            if row.skew_low * (1 - _ROUNDING) <= z <= row.skew_high * (1 + _ROUNDING):
                return RuleInUse(row.strategy, row.rule_at(z))
        raise ConditionError(
            f"the decision table is for {self._range(prevalence)}, got {_at(z, prevalence)}."
        )

    def flag(
        self,
        scores: Mapping[str, ArrayLike],
        *,
        skew: float,
        prevalence: float | None = None,
    ) -> FloatArray:
        """The probability that each of some cases is flagged at a condition.

        Parameters
        ----------
        scores : mapping of str to array of shape (n,)
            Scores of the same cases by every model, or by the one in use.
        skew, prevalence : float
            As for `rule_at`.

        Returns
        -------
        array of shape (n,)
            0 or 1, and between them where the rule draws one of two thresholds.

        Raises
        ------
        ConditionError
            If the table has no row for the condition.
        ScoreError
            If the model to use has no scores, or they are not numbers.
        """
        used = self.rule_at(skew, prevalence)
        if not scores:
            raise ScoreError(f"a mapping of names to scores is needed, got {brief(scores)}.")
        model = used.strategy.model
        name = next(iter(scores)) if model is None else model
        if name not in scores:
            raise ScoreError(f"the table uses {name!r} there, and it has no scores: give them.")
        values = score_array(scores[name], f"the scores of {name!r}", np.size(scores[name]))
        if model is None:
            return np.full(len(values), point_of_trivial(used.strategy).fpr)
        return used.rule.flagged(values)

    def condensed(self) -> list[DecisionRange]:
        """The table for people: neighbours of one strategy made one."""
        ranges: list[DecisionRange] = []
        for row in self.rows:
            one = DecisionRange.of(row)
            if ranges and ranges[-1].goes_on(one):
                ranges[-1] = ranges[-1].to(one)
            else:
                ranges.append(one)
        return ranges

    def to_rows(self) -> list[dict[str, Any]]:
        """Each row as plain values for JSON.

        The prevalences, and "rule_at_high", where it differs from what it is at `skew_low`, stand
        where needed only.
        """
        return [row.to_dict() for row in self.rows]

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row each; a rule that is not randomised has its threshold as `threshold_2` too."""
        names = ["skew_low", "skew_high"]
        if self.rows[0].prevalence_low is not None:
            names += ["prevalence_low", "prevalence_high"]
        columns: dict[str, NDArray[Any]] = {
            name: np.array([getattr(row, name) for row in self.rows]) for name in names
        }
        columns["model"] = np.array([row.strategy.model or "" for row in self.rows])
        columns["choice"] = np.array([row.strategy.name for row in self.rows])
        for suffix, rules in (
            ("", [row.rule for row in self.rows]),
            ("_at_high", [row.rule_at_high for row in self.rows]),
        ):
            first, second = zip(*(rule.thresholds for rule in rules), strict=True)
            columns[f"threshold{suffix}"] = np.array(first)
            columns[f"threshold_2{suffix}"] = np.array(second)
            columns[f"mix{suffix}"] = np.array([rule.chance for rule in rules])
        return {**columns, "loss": np.array([row.loss for row in self.rows])}

    def _range(self, prevalence: float | None) -> str:
        """The skews that there are rows for at a prevalence, or the prevalences."""
        band = [row for row in self.rows if row.covers(prevalence)]
        if not band:
            first, last = self.rows[0].prevalence_low, self.rows[-1].prevalence_high
            return f"prevalences from {first:g} to {last:g}"
        low, high = min(row.skew_low for row in band), max(row.skew_high for row in band)
        at = "" if band[0].prevalence_low is None else f" at prevalence {prevalence:g}"
        return f"skews from {low:g} to {high:g}{at}"


def table_along(
    losses: Losses,
    rules: Mapping[Strategy, RulesByCondition],
    skews: Range,
    *,
    prevalences: Range | None = None,
    within: float = 0.0,
) -> DecisionTable:
    """Which strategy loses least where, of strategies and the rules that they deploy there.

    With `within` one is kept for as long as its loss is above the least by no more than that share
    of it: fewer and longer rows. If others have a table of their own it is for some prevalences.
    """
    rows = best_rows(losses, rules, skews, within=within)
    if prevalences is not None:
        low, high = prevalences.low, prevalences.high
        rows = [replace(row, prevalence_low=low, prevalence_high=high) for row in rows]
    models = dict.fromkeys(name.model for name in losses.curves if name.model is not None)
    return DecisionTable(tuple(rows), tuple(models))


def _at(skew: float, prevalence: float | None) -> str:
    return f"skew {skew:g}" if prevalence is None else f"skew {skew:g}, prevalence {prevalence:g}"

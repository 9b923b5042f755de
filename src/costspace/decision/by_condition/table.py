"""Which strategy to use, from one condition to the next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.arrays import FloatArray
from costspace.checks import check_number
from costspace.choices import ThresholdChoice
from costspace.choices.base import check_choice
from costspace.curve import OperatingPath
from costspace.decision.by_condition.best_rows import best_rows
from costspace.decision.by_condition.losses import Losses
from costspace.decision.by_condition.table_row import DecisionRange, DecisionRow
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules_by_condition import ByFormula, ByPieces, RulesByCondition
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.decision.strategy import TRIVIAL, Strategy, point_of_trivial
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
    >>> train = cs.ScoreTable.from_predictions([0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9])
    >>> test = cs.ScoreTable.from_predictions([0, 1, 0, 1], [0.2, 0.3, 0.8, 0.7])
    >>> choices = cs.Optimal(), cs.ScoreFixed()
    >>> by_choice = {cs.decision.Strategy("model", choice): choice for choice in choices}
    >>> known = cs.Scenarios(fp_cost=1, fn_cost=[0.25, 4], prevalence=0.5)
    >>> table = cs.decision.DecisionTable.from_paths(
    ...     {use: cs.Fitted(choice, train).path(test) for use, choice in by_choice.items()},
    ...     {use: cs.threshold_path(train, choice=choice) for use, choice in by_choice.items()},
    ...     known.skew_range,
    ... )
    >>> for row in table.rows:
    ...     print(row.skew_low, row.skew_high, row.strategy, row.rule)
    0.2 0.5 model, Optimal() flag scores above 0.25
    0.5 0.8 model, ScoreFixed(threshold=0.5) flag scores above 0.5
    >>> table.rule_at(0.4).rule
    Rule(flag scores above 0.25)
    >>> table.flag({"model": [0.1, 0.4, 0.7]}, skew=0.4)
    array([0., 1., 1.])
    """

    rows: tuple[DecisionRow, ...]
    models: tuple[str, ...]

    @classmethod
    def from_paths(
        cls,
        paths: Mapping[Strategy, OperatingPath],
        rules: Mapping[Strategy, ThresholdPath | ThresholdChoice],
        skews: Range,
        *,
        prevalences: Range | None = None,
        within: float = 0.0,
    ) -> "DecisionTable":
        """Find which strategy loses least where.

        Parameters
        ----------
        paths : mapping of Strategy to OperatingPath
            Held-out paths at one prevalence, where every choice may take part, or on the skew
            axis, where those may to which costs and prevalence matter through the skew alone. Of
            strategies whose losses are within 1e-12 the first wins.
        rules : mapping of Strategy to ThresholdPath or ThresholdChoice
            The thresholds to deploy, on the same axis; trivial rules need none. A choice is for
            one whose threshold the condition tells, such as `ScoreDriven`.
        skews : Range
            The skews that the table is for; one row if they are one.
        prevalences : Range, optional
            The prevalences that the table is for, if others have a table of their own.
        within : float, default 0
            A strategy is kept for as long as its loss is above the least by no more than this
            share of it: fewer and longer rows.

        Returns
        -------
        DecisionTable

        Raises
        ------
        ConditionError
            If there are no paths, they are of several prevalences, a strategy has no rule, or
            `within` is negative.
        """
        within = check_number("within", within, low=0)
        losses = Losses.along(paths)
        by_condition = {use: _rules_of(use, rules, losses.axis) for use in paths}
        return table_along(losses, by_condition, skews, prevalences=prevalences, within=within)

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
    """`DecisionTable.from_paths`, given the losses along the paths."""
    rows = best_rows(losses, rules, skews, within=within)
    if prevalences is not None:
        low, high = prevalences.low, prevalences.high
        rows = [replace(row, prevalence_low=low, prevalence_high=high) for row in rows]
    models = dict.fromkeys(name.model for name in losses.curves if name.model is not None)
    return DecisionTable(tuple(rows), tuple(models))


def _rules_of(
    strategy: Strategy, rules: Mapping[Strategy, ThresholdPath | ThresholdChoice], axis: float
) -> RulesByCondition:
    found = rules.get(strategy)
    if found is None and strategy in TRIVIAL:
        return ByPieces(ThresholdPath.constant(TRIVIAL[strategy]))
    if isinstance(found, ThresholdPath):
        return ByPieces(found)
    if found is None:
        raise ConditionError(f"{strategy} has no rule: give one.")
    return ByFormula(
        check_choice(found, f"the rule of {strategy} must be a ThresholdPath or"), axis
    )


def _at(skew: float, prevalence: float | None) -> str:
    return f"skew {skew:g}" if prevalence is None else f"skew {skew:g}, prevalence {prevalence:g}"

"""What the rule in use costs on rows without labels, and what another would save."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from costspace.arrays import FrozenValue
from costspace.decision.applying.saved import SavedDecision
from costspace.decision.deciding import decide
from costspace.decision.decision import Decision
from costspace.decision.rules.rule import Rule
from costspace.decision.words import estimate_shown, sides_shown
from costspace.deployment.actions import FLAG, PASS
from costspace.deployment.conditions import JointConditions
from costspace.errors import ConditionError, without_data_warnings
from costspace.notebook import OneRow
from costspace.scores.table import ScoreTable
from costspace.watching.cell_money import costs_of_actions
from costspace.watching.divided import divided
from costspace.watching.kept_rule import Kept, kept_rule, rule_of
from costspace.watching.mixture_cells import Counting
from costspace.watching.unlabelled_cells import UnlabelledCells
from costspace.watching.unlabelled_prevalence import ASSUMED, CALIBRATION, LABEL_SHIFT

_PRICED = "money without labels is of rules that pass or flag"


@final
@dataclass(frozen=True, repr=False)
class UnlabelledMoney(FrozenValue, OneRow):
    """What a rule costs on rows without labels under an assumption, beside the best rule there.

    Attributes
    ----------
    assumption : {"label_shift", "calibration"}
    rule, best : Rule
        The rule in use, and the one that `decide` takes on the labelled rows: under label shift at
        the prevalence that was estimated, under calibration at their own, which then decides alike.
    cost : float
        What the rule in use costs per 1,000 of the new rows.
    standard_error, low, high : float
        Of that, with the errors of both samples.
    saving : float
        How much less the best costs, on the same rows. It was chosen on the labelled ones, which
        makes it look better by a little.
    saving_error, saving_low, saving_high : float
        Of the saving.
    level : float in (0, 1)
        Confidence level of the intervals.

    Examples
    --------
    >>> import numpy as np
    >>> import costspace as cs
    >>> n = np.arange(400)
    >>> y = (n % 7 < 2).astype(int)
    >>> s = n % 80 / 80 + y / 2
    >>> before = cs.ScoreTable.from_predictions(y, s)
    >>> found = cs.watching.drift_unlabelled(before, s[s > 0.3], fp_cost=1, fn_cost=5)
    >>> [(one.assumption, one.needed) for one in found.money]
    [('label_shift', False), ('calibration', False)]
    """

    assumption: str
    rule: Rule
    cost: float
    standard_error: float
    low: float
    high: float
    best: Rule
    saving: float
    saving_error: float
    saving_low: float
    saving_high: float
    level: float

    @property
    def needed(self) -> bool:
        """Whether another rule is shown to cost less."""
        return self.saving_low > 0

    @property
    def told(self) -> str:
        """How much less another rule costs, in words."""
        ends = self.saving, self.saving_low, self.saving_high
        saved, between = sides_shown(*ends, "less", "more")
        return f"to {self.best} costs {saved} ({between}) per 1,000 cases"

    def __repr__(self) -> str:
        cost, ends = estimate_shown(self.cost, self.low, self.high)
        told = "no other costs less" if self.best == self.rule else self.told
        return (
            f"If {ASSUMED[self.assumption]}, the rule ({self.rule}) costs {cost} "
            f"({ends}) per 1,000 cases now; {told}."
        )

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {
            "cost_per_1000": self.cost,
            "se": self.standard_error,
            "low": self.low,
            "high": self.high,
            "rule": self.rule.to_dict(),
            "best": self.best.to_dict(),
            "saving": {
                "saving_per_1000": self.saving,
                "se": self.saving_error,
                "low": self.saving_low,
                "high": self.saving_high,
            },
            "needed": self.needed,
            "assumed": ASSUMED[self.assumption],
        }


def money_of(
    before: Any,
    table: ScoreTable,
    new: Counting,
    cells: UnlabelledCells,
    known: Mapping[str, Any],
    *,
    decision: SavedDecision | Decision | None,
    level: float,
) -> tuple[tuple[UnlabelledMoney, ...], UnlabelledCells]:
    """What the rule in use costs under either assumption; and the cells, with an edge at its cuts.

    Parameters
    ----------
    known : mapping
        What is known of costs, as `decide` takes it.
    """
    with without_data_warnings():
        kept = kept_rule(before, known, decision, level)
        _check_plain(kept.rule)
        found = {
            LABEL_SHIFT: _decided(before, kept, cells.shift.estimate.value, level),
            CALIBRATION: _decided(before, kept, None, level),
        }
    costs = costs_of_actions(next(iter(found.values())).conditions)
    best = {name: rule_of(one.rules) for name, one in found.items()}
    for rule in best.values():
        _check_plain(rule)
    cuts = [cut for rule in (kept.rule, *best.values()) for cut in rule.cuts]
    cells = cells.cut_at(table, new, cuts).priced(costs, kept.rule)
    return tuple(_money(name, cells, kept.rule, rule, level) for name, rule in best.items()), cells


def _decided(before: Any, kept: Kept, prevalence: float | None, level: float) -> Decision:
    """The decision on labelled rows, at a prevalence or at their own."""
    known = {name: value for name, value in kept.known.items() if name != "prevalence"}
    if prevalence is not None and 0 < prevalence < 1:
        known["prevalence"] = prevalence
    return decide(
        divided(before, "before", kept.model),
        baseline=kept.in_use,
        constraints=kept.constraints,
        level=level,
        **known,
    )


def _check_plain(rule: Rule) -> None:
    if not {*rule.actions} <= {PASS, FLAG}:
        raise ConditionError(
            f"{_PRICED}, and the rule is to {', '.join(rule.actions)}: leave out the review."
        )


def check_costs_only(known: Mapping[str, Any]) -> None:
    """`ConditionError` if a prevalence or a review is given beside the costs."""
    conditions = known.get("conditions")
    reviewed = known.get("review") or getattr(conditions, "review", None)
    if reviewed is not None:
        raise ConditionError(f"{_PRICED}: leave out the review.")
    if isinstance(conditions, JointConditions) and conditions.gives_prevalence:
        raise ConditionError(
            "the prevalence of rows without labels is estimated, and the conditions give one: give "
            "costs alone, as Deployment(fp_cost=, fn_cost=)."
        )


def _money(
    name: str, cells: UnlabelledCells, rule: Rule, best: Rule, level: float
) -> UnlabelledMoney:
    kept = cells.money_of(rule)
    saved = kept.minus(cells.money_of(best))
    (cost, ends), (saving, saved_ends) = (cells.under(name, one, level) for one in (kept, saved))
    return UnlabelledMoney(
        name,
        rule,
        cost.value,
        cost.error,
        *ends,
        best,
        saving.value,
        saving.error,
        *saved_ends,
        level,
    )

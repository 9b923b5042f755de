"""What `costspace drift` is asked of money: the costs, or the decision that is kept."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, final

from cyclopts import Group, Parameter

from costspace.cli.numbers import refuse_thousands
from costspace.cli.options import parse_amount
from costspace.deferral import deferred_calls
from costspace.errors import ConditionError

if TYPE_CHECKING or not deferred_calls(globals()):
    from costspace.decision.applying.saved import load_decision

# A leading hyphen may begin a gain, and not only an option.
_Text = Annotated[str | None, Parameter(allow_leading_hyphen=True)]
_MONEY = Parameter(name="*", group=Group("Money, costs as a number or LOW:HIGH", sort_key=2))


@_MONEY
@final
@dataclass(frozen=True, kw_only=True)
class CostOptions:
    """What decisions cost.

    Attributes
    ----------
    fp_cost
        Cost of a false positive.
    fn_cost
        Cost of a false negative.
    tp_cost
        Cost of a true positive, negative for a gain. Default: 0.
    tn_cost
        Cost of a true negative, negative for a gain. Default: 0.
    """

    fp_cost: _Text = None
    fn_cost: _Text = None
    tp_cost: _Text = None
    tn_cost: _Text = None

    def known(self) -> dict[str, Any]:
        """The costs that are given, as Python takes them."""
        found: dict[str, Any] = {}
        for name in ("fp_cost", "fn_cost", "tp_cost", "tn_cost"):
            text = getattr(self, name)
            if text is not None:
                option = f"--{name.replace('_', '-')}"
                for part in text.split(":"):
                    refuse_thousands(option, part)
                found[name] = parse_amount(option, text)
        for name in ("fp_cost", "fn_cost"):
            if found and name not in found:
                option = f"--{name.replace('_', '-')}"
                raise ConditionError(f"{option} is missing beside the other costs: give it, too.")
        return found


@_MONEY
@final
@dataclass(frozen=True, kw_only=True)
class KeptOptions:
    """What decisions cost, and which rule is kept.

    Attributes
    ----------
    decision
        What costspace decide --save has written: it is told what keeping that rule costs, at its
        costs unless others are given. With costs alone it is that which decide takes on the first
        file.
    """

    costs: CostOptions = CostOptions()
    decision: Path | None = None

    def known(self) -> dict[str, Any]:
        """The costs that are given, and the decision, as Python takes them."""
        found = self.costs.known()
        if self.decision is not None:
            found["decision"] = load_decision(self.decision)
        return found


def model_kept(known: dict[str, Any], score: list[str] | None) -> list[str] | None:
    """The models to compare: that of the decision, if there is one, perhaps by another name.

    `ConditionError` if there are several of one decision.
    """
    decision = known.get("decision")
    if decision is None or decision.model is None:
        return score
    if score is None:
        return [decision.model]
    if len(score) > 1:
        raise ConditionError(
            f"--decision is of one model, {decision.model!r}, and --score names {len(score)}: name "
            "the one column of its scores."
        )
    return score

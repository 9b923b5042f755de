"""Conditions on the numbers of a result, each decided by the interval of its number."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from math import isfinite
from typing import Any, Literal, TypeAlias, final

import numpy as np
from numpy.typing import NDArray

from costspace.arrays import FrozenValue
from costspace.digits import ALL_DIGITS
from costspace.errors import ConditionError, brief, check_kind
from costspace.gate.addresses import Located, number_at
from costspace.notebook import first_of, html_table

# What a condition says, or all together.
Verdict: TypeAlias = Literal["pass", "undecided", "fail"]
_WORSE: tuple[Verdict, ...] = ("pass", "undecided", "fail")
_CONDITION = re.compile(r"\s*(?P<key>\S.*?)\s*(?P<operator><=|>=|<|>)\s*(?P<number>[^<>=\s]+)\s*")
_EXAMPLE = "such as 'recommendation.cost_per_1000 > 500'"
_LEAST_DIGITS, _SHOWN = 3, 20


@final
@dataclass(frozen=True)
class FailIf:
    """A condition on a number, under which something fails."""

    text: str  # as it was asked
    key: str  # the address of the number
    operator: str  # one of <, <=, >, >=
    number: float

    @classmethod
    def parsed(cls, text: str) -> "FailIf":
        """What 'KEY OP NUMBER' means, or `ConditionError`."""
        check_kind("a condition", text, str)
        found = _CONDITION.fullmatch(text)
        if found is None:
            raise ConditionError(
                f"a condition must be KEY OP NUMBER with OP one of <, <=, > and >=, {_EXAMPLE}, "
                f"got {brief(text)}."
            )
        try:
            number = float(found["number"])
        except ValueError:
            number = np.nan
        if not isfinite(number):
            raise ConditionError(
                f"a condition must end in a number, {_EXAMPLE}, got {brief(found['number'])}."
            )
        return cls(text.strip(), found["key"], found["operator"], number)

    def verdict(self, low: float, high: float) -> Verdict:
        """What it says of a number that is somewhere in an interval."""
        least, most = (low, high) if self.operator.startswith(">") else (-high, -low)
        limit = self.number if self.operator.startswith(">") else -self.number
        if least > limit or (least == limit and self.operator.endswith("=")):
            return "fail"
        if most < limit or (most == limit and not self.operator.endswith("=")):
            return "pass"
        return "undecided"


@final
@dataclass(frozen=True)
class GateVerdict:
    """What one condition says.

    Parameters
    ----------
    fail_if : str
        The condition, as it was asked.
    verdict : {"pass", "undecided", "fail"}
        "fail" if every value of the interval meets the condition, "pass" if none does.
    value : float or None
        The number; None if it has no meaning for the data.
    low, high : float or None
        The ends of its interval; None if it has none.
    reason : str
        Why it is undecided, if the interval does not say that itself.

    Examples
    --------
    >>> import costspace as cs
    >>> (one,) = cs.check({"auc": {"value": 0.8, "low": 0.7, "high": 0.9}}, "auc < 0.75").verdicts
    >>> one.line
    'undecided: auc < 0.75: 0.8 (0.7 to 0.9)'
    """

    fail_if: str
    verdict: Verdict
    value: float | None
    low: float | None
    high: float | None
    reason: str = ""

    @property
    def line(self) -> str:
        """All of it on one line."""
        told = ", ".join(filter(None, (self.numbers, self.reason)))
        return f"{self.verdict}: {self.fail_if}: {told}"

    @property
    def numbers(self) -> str:
        """The number and its interval, in digits that tell them from that of the condition."""
        number = FailIf.parsed(self.fail_if).number
        value, low, high = (
            None if one is None else _beside(one, number)
            for one in (self.value, self.low, self.high)
        )
        ends = "" if low is None or low == high == value else f" ({low} to {high})"
        return "" if value is None else f"{value}{ends}"


@final
@dataclass(frozen=True, eq=False)
class Gate(FrozenValue):
    """What conditions say of a result.

    Parameters
    ----------
    verdicts : sequence of GateVerdict
        One a condition, in the order in which they were asked.

    Examples
    --------
    >>> import costspace as cs
    >>> gate = cs.check({"rows": 50}, "rows < 100", "rows > 1000")
    >>> [one.verdict for one in gate.verdicts], gate.verdict
    (['fail', 'pass'], 'fail')
    """

    verdicts: Sequence[GateVerdict]

    @property
    def verdict(self) -> Verdict:
        """The worst of all: "fail" before "undecided" before "pass"."""
        return max((one.verdict for one in self.verdicts), key=_WORSE.index)

    @property
    def lines(self) -> tuple[str, ...]:
        """Each on a line that fits a log."""
        return tuple(one.line for one in self.verdicts)

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a condition; numbers that are not there are NaN."""
        rows = [asdict(one) for one in self.verdicts]
        numbers = {
            name: np.array([np.nan if row[name] is None else row[name] for row in rows])
            for name in ("value", "low", "high")
        }
        texts = {
            name: np.array([row[name] for row in rows]) for name in ("fail_if", "verdict", "reason")
        }
        return {**texts, **numbers}

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return {"verdict": self.verdict, "verdicts": [asdict(one) for one in self.verdicts]}

    def __repr__(self) -> str:
        verdicts, told = first_of(self.verdicts, _SHOWN, "conditions")
        return "\n".join([*(one.line for one in verdicts), *told])

    def _repr_html_(self) -> str:
        verdicts, told = first_of(self.verdicts, _SHOWN, "conditions")
        rows = [[one.fail_if, one.numbers, one.verdict, one.reason] for one in verdicts]
        head = ["fails if", "interval", "verdict", ""]
        return html_table(head, rows, caption=f"All together: {self.verdict}", notes=told)


def check(result: Any, *fail_if: str) -> Gate:
    """Hold a result against conditions under which it fails, each decided by an interval.

    A condition fails if every value of the number's interval meets it, passes if none does, and is
    undecided otherwise: where there is no interval, or one without width because nothing varied,
    too. Counts and p-values are what they are.

    Parameters
    ----------
    result : Decision, Evaluation, ModelComparison, MoneyComparison, Drift or mapping
        What is found, or the JSON of a command, read.
    *fail_if : str
        'KEY OP NUMBER', at least one: the address of a number in `to_dict()` of the result, by
        keys with dots between them, and rows of a list by their names (`savings.new.baseline`,
        `models.gbm.metrics.auc`); one of <, <=, > and >=; and a number.

    Returns
    -------
    Gate

    Raises
    ------
    ConditionError
        If a condition cannot be read, nothing is at its address, or none is given.

    Examples
    --------
    >>> import costspace as cs
    >>> y, s = [0, 0, 1, 0, 1, 1] * 40, [1, 2, 3, 4, 5, 6] * 40
    >>> found = cs.evaluate(y, {"m": s}, intervals=True)
    >>> cs.check(found, "models.m.metrics.auc < 0.8", "source.rows < 1000")
    pass: models.m.metrics.auc < 0.8: 0.889 (0.842 to 0.923)
    fail: source.rows < 1000: 240
    """
    conditions = parsed(fail_if)
    if not conditions:
        raise ConditionError(f"check needs a condition, {_EXAMPLE}.")
    plain = result if isinstance(result, Mapping) else _plain(result)
    return judged(plain, conditions)


def parsed(fail_if: Sequence[str]) -> list[FailIf]:
    """Conditions as they are asked, or `ConditionError`."""
    return [FailIf.parsed(text) for text in fail_if]


def judged(plain: Mapping[str, Any], conditions: Sequence[FailIf]) -> Gate:
    """What conditions say of plain values."""
    return Gate([_judged(one, number_at(plain, one.key)) for one in conditions])


def _judged(condition: FailIf, at: Located) -> GateVerdict:
    verdict: Verdict = "undecided"
    if not at.doubt and at.low is not None and at.high is not None:
        verdict = condition.verdict(at.low, at.high)
    return GateVerdict(condition.text, verdict, at.value, at.low, at.high, at.doubt)


def _plain(result: Any) -> Mapping[str, Any]:
    to_dict = getattr(result, "to_dict", None)
    if to_dict is None:
        raise ConditionError(
            "check takes what evaluate, decide, compare, compare_money or drift give, or a mapping "
            f"as their JSON has it, got {type(result).__name__}."
        )
    return to_dict()


def _beside(value: float, number: float) -> str:
    """A value in as many digits as tell it from a number; of whole ones, in all."""
    if value == round(value):
        return f"{value:,.0f}"
    rounded = (float(f"{value:.{digits}g}") for digits in range(_LEAST_DIGITS, ALL_DIGITS))
    side = np.sign(value - number)
    shown = next((one for one in rounded if np.sign(one - number) == side), value)
    return f"{shown:,}".removesuffix(".0")

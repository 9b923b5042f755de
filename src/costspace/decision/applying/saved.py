"""A decision as it is kept in a file: its record, and the rules that applying it needs."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, final

from numpy.typing import ArrayLike

from costspace.arrays import FrozenDict, FrozenValue
from costspace.checks import check_number, check_prevalence
from costspace.choices.formulas import choice_of_formula
from costspace.decision.applying.deployed import (
    CORRECT_COSTS,
    DeployedRules,
    axis_of,
    given_by_name,
)
from costspace.decision.record import VERSION
from costspace.decision.rules.actions import Actions
from costspace.decision.rules.rule import Rule
from costspace.decision.rules.rules_by_condition import ByFormula, RulesByCondition
from costspace.decision.rules.threshold_paths import ThresholdPath
from costspace.decision.sentences.terms import of_column
from costspace.deployment.bounds import Range
from costspace.errors import ConditionError, CostspaceError, FileError, brief
from costspace.output import write_text
from costspace.samples.case_costs import CaseCosts
from costspace.samples.rows import NamedScores

# What a record has beside what it says: the rules to apply.
APPLY = "apply"
_NONE_SAVED = "is no saved decision: write one with costspace decide --save, or Decision.save."


@final
@dataclass(frozen=True, eq=False, repr=False)
class SavedDecision(FrozenValue):
    """A saved decision, without its rows: its answer and its rule.

    Attributes
    ----------
    record : mapping
        What `Decision.to_dict` gives.
    rules : object
        What it does at each condition that it is for.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import costspace as cs
    >>> y, s = [0, 0, 0, 1, 0, 1, 0, 1, 1, 1], [0.1, 0.2, 0.3, 0.35, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    >>> known = cs.Deployment(fp_cost=1, fn_cost=2, prevalence=0.5)
    >>> path = Path(tempfile.mkdtemp()) / "decision.json"
    >>> cs.decide(y, {"model": s}, conditions=known).save(path)
    >>> kept = cs.load_decision(path)
    >>> kept
    SavedDecision(Use model and flag scores above 0.333333)
    >>> kept.apply([0.2, 0.7, 0.9]).action.tolist()
    ['pass', 'flag', 'flag']
    """

    record: Mapping[str, Any]
    rules: DeployedRules

    @property
    def model(self) -> str | None:
        """Whose scores it looks at; None if it looks at none."""
        return self.rules.model

    def apply(
        self,
        scores: NamedScores,
        *,
        fp_cost: ArrayLike | None = None,
        fn_cost: ArrayLike | None = None,
        tp_cost: ArrayLike | None = None,
        tn_cost: ArrayLike | None = None,
        prevalence: ArrayLike | None = None,
        case_costs: CaseCosts | None = None,
        seed: int | None = None,
        batch: ArrayLike | None = None,
    ) -> Actions:
        """What to do with each of some cases, as `Decision.apply`."""
        given = given_by_name(
            case_costs,
            fp_cost=fp_cost,
            fn_cost=fn_cost,
            tp_cost=tp_cost,
            tn_cost=tn_cost,
            prevalence=prevalence,
        )
        return self.rules.apply(scores, given, seed, batch)

    def save(self, path: str | Path) -> None:
        """Write it to a file of JSON, whole or not at all, as `Decision.save`."""
        values = {**self.record, APPLY: _as_plain(self.rules)}
        write_text(Path(path), json.dumps(values, indent=2, allow_nan=False) + "\n")

    @property
    def capacity(self) -> float | None:
        """The share of the cases that it was made to flag at most, if it was."""
        limits = self.record.get("limits")
        most = limits.get("capacity") if isinstance(limits, Mapping) else None
        return most if isinstance(most, float) else None

    @property
    def in_batches(self) -> bool:
        """Whether its capacity is of batches, each a queue of its own."""
        return self.record.get("batch") is not None

    @property
    def text(self) -> str:
        """What it does, in a few words."""
        use, rule = self.rules, self.rules.rule
        if rule is None:
            return f"Use {use.what}: {use.followed} its threshold"
        if use.model is None:
            return f"{rule}".capitalize()
        return f"Use {use.model} and {rule}{of_column(use.model, rule)}"

    def text_at(self, given: Mapping[str, ArrayLike | None]) -> str:
        """The same, with the rule for cases of one condition.

        Parameters
        ----------
        given : mapping
            Costs and prevalence as numbers, by the names of the arguments of `apply`.

        Raises
        ------
        ConditionError
            As `apply`.
        """
        if self.rules.rule is not None:
            return self.text
        at = self.rules.conditions(given)
        return f"Use {self.rules.what}: here, {self.rules.rules_at(at).one}"

    def __repr__(self) -> str:
        return f"SavedDecision({self.text})"


def load_decision(path: str | Path) -> SavedDecision:
    """Load a decision saved by `Decision.save` or ``costspace decide --save``.

    Parameters
    ----------
    path : path
        The file.

    Returns
    -------
    SavedDecision

    Raises
    ------
    FileError
        If there is no such file, it is no saved decision, or a newer version has written it. Keys
        that this version does not know are ignored.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "decision.json"
    >>> _ = path.write_text('{"version": "9.0"}')
    >>> load_decision(path)
    Traceback (most recent call last):
      ...
    costspace.errors.FileError: ... version 9.0, this one reads 1: upgrade costspace.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode()
        values = json.loads(text, parse_constant=_refuse_constant)
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}.") from None
    except (RecursionError, ValueError) as error:
        raise FileError(f"{path} {_NONE_SAVED} It is no JSON: {_one_line(error)}.") from None
    if not isinstance(values, dict) or "version" not in values:
        raise FileError(f"{path} {_NONE_SAVED}")
    _check_version(path, values["version"])
    if APPLY not in values:
        raise FileError(
            f"{path} is the report of a decision, without the rules to apply: write those with "
            "costspace decide --save, or Decision.save."
        )
    try:
        rules = _rules(values[APPLY])
    except (CostspaceError, RecursionError) as error:
        raise FileError(f"{path} is damaged: {_one_line(error)}.") from None
    record = {name: value for name, value in values.items() if name != APPLY}
    return SavedDecision(record, rules)


def _as_plain(deployed: DeployedRules) -> dict[str, Any]:
    """Plain values, ready for JSON, or `ConditionError` if a formula is in no plain values."""
    return {
        "model": deployed.model,
        "choice": deployed.choice,
        "rule": None if deployed.rule is None else deployed.rule.to_dict(),
        "one_by_one": None if deployed.one_by_one is None else deployed.one_by_one.to_dict(),
        "costs": deployed.costs,
        "correct_costs": dict(deployed.correct_costs),
        "prevalence_known": deployed.prevalence_known,
        "skews": None if deployed.skews is None else vars(deployed.skews),
        "bands": [
            {"prevalence": vars(span), **rules.to_dict()} for span, rules in deployed.bands.items()
        ],
    }


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"it has {name}, which is no JSON")


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()).rstrip(".")


def _check_version(path: Path, version: Any) -> None:
    own = int(VERSION.partition(".")[0])
    major = version.partition(".")[0] if isinstance(version, str) else ""
    if not (major.isascii() and major.isdigit() and len(major) < 10):
        raise FileError(f"{path} is no saved decision: its version is {brief(version)}.")
    if int(major) != own:
        newer = int(major) > own
        advice = "upgrade costspace" if newer else "decide and save anew"
        raise FileError(
            f"{path} was saved by {'a newer' if newer else 'another'} version of costspace, in "
            f"version {version}, this one reads {own}: {advice}."
        )


def _rules(values: Any) -> DeployedRules:
    """The rules of `_as_plain`, every value checked."""
    if not isinstance(values, dict):
        raise ConditionError(f"the rules to apply must be an object, got {brief(values)}.")
    model, choice = values.get("model"), values.get("choice")
    if not (model is None or isinstance(model, str)) or not isinstance(choice, str):
        raise ConditionError(
            f"model and choice must be names, got {brief(model)} and {brief(choice)}."
        )
    if values.get("rule") is not None:
        rule = Rule.from_dict(values["rule"])
        if model is None and not rule.trivial:
            raise ConditionError(f"a rule without a model looks at no scores, got {rule}.")
        return DeployedRules(model, choice, rule, one_by_one=_one_by_one(values, rule))
    if model is None:
        raise ConditionError("there is neither a model nor a rule.")
    skews = None if values.get("skews") is None else _range("skews", values["skews"])
    bands = values.get("bands")
    if not isinstance(bands, list) or not bands:
        raise ConditionError(f"bands must be a list of rules, got {brief(bands)}.")
    found = [_band(band) for band in bands]
    ends = [end for span, _ in found for end in (span.low, span.high)]
    if ends != sorted(ends):
        raise ConditionError("the bands of prevalence must ascend.")
    costs = values.get("costs")
    if costs is not None:
        costs = check_number("costs", costs, low=0, high=1)
    return DeployedRules(
        model,
        choice,
        None,
        FrozenDict(found),
        skews,
        costs,
        correct_costs=_correct_costs(values),
        prevalence_known=_prevalence_known(values, one=ends[0] == ends[-1]),
    )


def _correct_costs(values: dict[str, Any]) -> Mapping[str, float | None]:
    """What correct decisions cost; older versions did not say."""
    costs = values.get("correct_costs", {})
    if not isinstance(costs, dict) or not costs.keys() <= {*CORRECT_COSTS}:
        names = " and ".join(CORRECT_COSTS)
        raise ConditionError(f"correct_costs must have {names}, got {brief(costs)}.")
    return FrozenDict(
        {
            name: cost if cost is None else check_number(name, cost, open_ends=True)
            for name, cost in costs.items()
        }
    )


def _prevalence_known(values: dict[str, Any], *, one: bool) -> bool:
    """Whether the prevalence is to be given; older versions did not say."""
    known = values.get("prevalence_known", True)
    if not isinstance(known, bool):
        raise ConditionError(f"prevalence_known must be true or false, got {brief(known)}.")
    if not known and not one:
        raise ConditionError("a prevalence that is not known must be one, its mean.")
    return known


def _one_by_one(values: dict[str, Any], rule: Rule) -> Rule | None:
    """What goes with a queue for single cases; older versions wrote none."""
    if values.get("one_by_one") is None:
        return None
    found = Rule.from_dict(values["one_by_one"])
    if found.queued or not rule.queued:
        raise ConditionError(f"one_by_one must be a rule by score beside a queue, got {found}.")
    return found


def _band(values: Any) -> tuple[Range, RulesByCondition]:
    if not isinstance(values, dict):
        raise ConditionError(f"a band must be an object, got {brief(values)}.")
    prevalence = _range("prevalence", values.get("prevalence"))
    if prevalence.low == prevalence.high:
        check_prevalence(prevalence.low)
    if "formula" not in values:
        return prevalence, ThresholdPath.from_dict(values)
    choice = choice_of_formula(values["formula"])
    return prevalence, ByFormula(choice, axis_of(prevalence))


def _range(name: str, values: Any) -> Range:
    if not isinstance(values, dict) or not {"low", "high"} <= values.keys():
        raise ConditionError(f"{name} must have 'low' and 'high', got {brief(values)}.")
    low, high = (check_number(name, values[end], low=0, high=1) for end in ("low", "high"))
    if low > high:
        raise ConditionError(f"{name} must have low not above high, got {low:g} and {high:g}.")
    return Range(low, high)

"""A decision as it is kept in a file: its record, and the rules that applying it needs."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NoReturn, final

from numpy.typing import ArrayLike

from costspace.arrays import FrozenValue
from costspace.decision.applying.acting import acted
from costspace.decision.applying.agreement import applied, check_applied
from costspace.decision.applying.applied_how import Asked
from costspace.decision.applying.deployed import DeployedRules, given_by_name
from costspace.decision.applying.plain_rules import rules_of
from costspace.decision.applying.sql_actions import action_in_sql
from costspace.decision.record import VERSION
from costspace.decision.rules.actions import Actions
from costspace.decision.sentences.terms import of_column
from costspace.errors import ConditionError, CostspaceError, FileError, brief
from costspace.output import write_text
from costspace.samples.case_costs import CaseCosts
from costspace.samples.rows import NamedScores

# What a record has beside what it says: the rules to apply.
APPLY = "apply"
_VERSIONS = re.compile(r"([0-9]{1,9})\.([0-9]{1,9})")
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
        missing: str = "refuse",
        actions: Sequence[str] | None = None,
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
        asked = Asked(seed=seed, batch=batch, missing=missing, actions=actions)
        return acted(self.rules, scores, given, asked)

    def to_sql(
        self,
        dialect: str = "standard",
        *,
        score: str | None = None,
        fp_cost: float | str | None = None,
        fn_cost: float | str | None = None,
        tp_cost: float | str | None = None,
        tn_cost: float | str | None = None,
        prevalence: float | str | None = None,
        missing: str | None = None,
        actions: Sequence[str] | None = None,
    ) -> str:
        """What `apply` does with each row of a table, as an expression of SQL.

        Parameters
        ----------
        dialect : {"standard", "duckdb", "spark"}
        score : str, optional
            Column of scores, by default the name of the model; of a model named ``-NAME`` or
            ``1-NAME`` it is made of the column NAME.
        fp_cost, fn_cost, tp_cost, tn_cost, prevalence : float or str, optional
            As for `apply`, where the rule follows them: one number, or the name of a column.
        missing : {None, "pass", "review", "flag"}
            What is done with a row that has NULL or NaN where the rule reads: by default no action,
            which is NULL. SQL cannot refuse a row.
        actions : sequence of str, optional
            As for `apply`.

        Returns
        -------
        str
            A CASE expression, with the actions as text. Rows that `apply` refuses, with costs,
            prevalences or probabilities outside what the rule is for, have NULL.

        Raises
        ------
        ConditionError
            As `apply`, or if rows cannot be decided one by one, exactly: of a queue, and of rules
            that draw at random.

        Notes
        -----
        In standard SQL, columns are taken to have double precision; in the others, numbers of
        single precision are taken as the decimals that they are printed as, as everywhere. For
        Spark, texts are quoted as with its usual settings.

        Examples
        --------
        >>> import costspace as cs
        >>> y, s = [0, 0, 1, 0, 1, 1] * 5, [0.1, 0.2, 0.3, 0.4, 0.6, 0.9] * 5
        >>> known = cs.Deployment(fp_cost=1, fn_cost=3, prevalence=0.5)
        >>> kept = cs.decide(y, {"model": s}, conditions=known, folds=2).saved()
        >>> print(kept.to_sql("duckdb"))
        CASE
          WHEN "model" IS NULL OR isnan("model") THEN NULL
          WHEN "model" > 0.25e0 THEN 'flag'
          ELSE 'pass'
        END
        """
        given = {
            "fp_cost": fp_cost,
            "fn_cost": fn_cost,
            "tp_cost": tp_cost,
            "tn_cost": tn_cost,
            "prevalence": prevalence,
        }
        return action_in_sql(
            self.rules, dialect, score=score, given=given, missing=missing, actions=actions
        )

    def beside(self, label: str | None, positive: str | None) -> "SavedDecision":
        """The same, which knows the column of labels of its rows, and the positive one if given.

        Where other files have the column, the order of their scores is compared with it.
        """
        own = self.rules.decided_on
        if own is None:
            return self
        labelled = replace(own, label=label, positive=positive)
        return replace(self, rules=replace(self.rules, decided_on=labelled))

    def save(self, path: str | Path) -> None:
        """Write it to a file of JSON, whole or not at all, as `Decision.save`."""
        values = {**self.record, "version": VERSION, APPLY: applied(self.record, self.rules)}
        write_text(Path(path), json.dumps(values, indent=2, allow_nan=False) + "\n")

    @property
    def capacity(self) -> float | None:
        """The share of the cases that it was made to flag at most, if it was."""
        return self._limit("capacity")

    @property
    def review_capacity(self) -> float | None:
        """The share of the cases that it was made to review at most, if it was."""
        return self._limit("review_capacity")

    def _limit(self, name: str) -> float | None:
        limits = self.record.get("limits")
        most = limits.get(name) if isinstance(limits, Mapping) else None
        return most if isinstance(most, float) else None

    @property
    def in_batches(self) -> bool:
        """Whether its capacity is of batches, each a queue of its own."""
        return self.record.get("batch") is not None

    @property
    def text(self) -> str:
        """What it does, in a few words."""
        use, rule = self.rules, self.rules.rule
        if use.queue is not None:
            return f"Use {use.model} and {use.queue.said(use.names)}"
        if rule is None:
            return f"Use {use.what}: {use.followed} its threshold{'s' * bool(use.steps)}"
        said = rule.called(use.names)
        if use.model is None:
            return f"{said}".capitalize()
        return f"Use {use.model} and {said}{of_column(use.model, rule)}"

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
        # No one rule draws in two steps.
        if not self.rules.conditional or (self.rules.steps and self.rules.draws):
            return self.text
        self.rules.conditions(given)
        rule = self.rules.rule_at(given)
        return f"Use {self.rules.what}: here, {rule.called(self.rules.names)}"

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
        If there is no such file, it is no saved decision, or one of another version, or what it
        says for people is not what it applies. Of a newer version that this one can read, keys that
        this one does not know are ignored.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> path = Path(tempfile.mkdtemp()) / "decision.json"
    >>> _ = path.write_text('{"version": "9.0"}')
    >>> load_decision(path)
    Traceback (most recent call last):
      ...
    costspace.errors.FileError: ... version 9.0, this one reads 2: upgrade costspace.
    """
    path = Path(path)
    try:
        text = path.read_bytes().decode()
        values = json.loads(
            text, parse_constant=_refuse_constant, object_pairs_hook=_without_doubles
        )
    except OSError as error:
        raise FileError(f"cannot read {path}: {error.strerror}.") from None
    except ConditionError as error:
        raise FileError(f"{path} is damaged: {error}") from None
    except (RecursionError, ValueError) as error:
        raise FileError(f"{path} {_NONE_SAVED} It is no JSON: {_one_line(error)}.") from None
    if not isinstance(values, dict) or "version" not in values:
        raise FileError(f"{path} {_NONE_SAVED}")
    newer = _is_newer(path, values["version"])
    if APPLY not in values:
        raise FileError(
            f"{path} is the report of a decision, without the rules to apply: write those with "
            "costspace decide --save, or Decision.save."
        )
    record = {name: value for name, value in values.items() if name != APPLY}
    try:
        rules = rules_of(values[APPLY])
        check_applied(record, values[APPLY], rules, newer=newer)
    except (CostspaceError, RecursionError) as error:
        raise FileError(f"{path} is damaged: {_one_line(error)}.") from None
    return SavedDecision(record, rules)


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"it has {name}, which is no JSON")


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ConditionError(f"it says {twice!r} twice in one object: leave out one of them.")
    return found


def _one_line(error: BaseException) -> str:
    return " ".join(str(error).split()).rstrip(".")


def _is_newer(path: Path, version: Any) -> bool:
    """Whether a version may have keys that this one does not; `FileError` if it reads another."""
    parts = _VERSIONS.fullmatch(version) if isinstance(version, str) else None
    if parts is None:
        raise FileError(f"{path} is no saved decision: its version is {brief(version)}.")
    (major, minor), (own, known) = map(int, parts.groups()), map(int, VERSION.split("."))
    if major != own:
        newer = major > own
        advice = "upgrade costspace" if newer else "decide and save anew"
        raise FileError(
            f"{path} was saved by {'a newer' if newer else 'another'} version of costspace, in "
            f"version {version}, this one reads {own}: {advice}."
        )
    return minor > known

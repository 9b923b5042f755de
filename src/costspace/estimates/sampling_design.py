"""What varies from sample to sample, and what the weights of rows mean."""

from costspace.errors import ConditionError, brief
from costspace.influences.statistic import Statistic
from costspace.scores.table import ScoreTable

DESIGNS = ("independent", "stratified")
WEIGHTS = ("sampling", "counts")


def check_design(design: object) -> str:
    """Return the design, or raise `ConditionError` unless there is one of that name."""
    return _one_of("design", design, DESIGNS)


def check_weights_are(weights: object) -> str:
    """Return the kind of weights, or raise `ConditionError` unless there is such a kind."""
    return _one_of("weights", weights, WEIGHTS)


def _one_of(name: str, value: object, names: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in names:
        raise ConditionError(f"{name} must be {' or '.join(map(repr, names))}, got {brief(value)}.")
    return value


def design_of(statistic: Statistic, table: ScoreTable, design: str | None = None) -> str:
    """The given design, or else the one that fits the statistic and the table."""
    return settled_design(design, table.override, balanced=statistic.balanced)


def settled_design(design: str | None, prevalence: float | None, *, balanced: bool = False) -> str:
    """The given design, or else the one that fits what is known of the prevalence.

    A statistic is `balanced` if classes have equal weight, independent of their shares.
    `ConditionError` if there is no such design, or it is "independent" although the prevalence is
    given.
    """
    if design is None:
        return "stratified" if balanced or prevalence is not None else "independent"
    check_design(design)
    if design == "independent" and prevalence is not None:
        raise ConditionError(
            f"the prevalence is given as {prevalence:g}, so it does not vary as with independent "
            "rows: leave design out, or use design='stratified'."
        )
    return design

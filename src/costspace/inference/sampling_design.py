"""What varies from one sample to the next, and what the weights of rows stand for."""

from costspace.errors import ConditionError, brief
from costspace.inference.statistic import Statistic
from costspace.scores.table import ScoreTable

DESIGNS = ("independent", "stratified")
WEIGHTS = ("sampling", "counts")


def check_design(design: object) -> str:
    """Return the design, or raise `ConditionError` unless there is one of that name."""
    return _one_of("design", design, DESIGNS)


def check_weights_are(weights: object) -> str:
    """Return what weights are, or raise `ConditionError` unless it is known."""
    return _one_of("weights", weights, WEIGHTS)


def _one_of(name: str, value: object, names: tuple[str, ...]) -> str:
    if not isinstance(value, str) or value not in names:
        raise ConditionError(f"{name} must be {' or '.join(map(repr, names))}, got {brief(value)}.")
    return value


def design_of(statistic: Statistic, table: ScoreTable, design: str | None = None) -> str:
    """The design that is asked for, or else the one that fits the statistic and the table.

    Raises
    ------
    ConditionError
        If there is no such design, or rows are said to be independent although the prevalence is
        given.
    """
    return settled_design(design, table.override, balanced=statistic.balanced)


def settled_design(design: str | None, prevalence: float | None, *, balanced: bool = False) -> str:
    """The design that is asked for, or else the one that fits.

    Parameters
    ----------
    design : {"independent", "stratified"} or None
    prevalence : float or None
        The share of positives, if it is given.
    balanced : bool
        Whether classes count alike whatever their shares.

    Raises
    ------
    ConditionError
        As in `design_of`.
    """
    if design is None:
        return "stratified" if balanced or prevalence is not None else "independent"
    check_design(design)
    if design == "independent" and prevalence is not None:
        raise ConditionError(
            f"the prevalence is given as {prevalence:g}, so it does not vary as that of "
            "independent rows does: leave design out, or take design='stratified'."
        )
    return design

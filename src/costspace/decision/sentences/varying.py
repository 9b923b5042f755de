"""Where a rule that follows the conditions flags more, by what of these varies."""

from collections.abc import Iterator
from types import MappingProxyType

from costspace.decision.strategy import Known
from costspace.deployment.conditions import COSTS, JointConditions

# Where more is flagged as one of them varies, where most is, and where least.
_WHERE = MappingProxyType(
    {
        "fp_cost": ("false positives cost", "less", "least", "most"),
        "fn_cost": ("false negatives cost", "more", "most", "least"),
        "tp_cost": ("true positives cost", "less", "least", "most"),
        "tn_cost": ("true negatives cost", "more", "most", "least"),
        "prevalence": ("positives are", "more frequent", "most frequent", "least frequent"),
    }
)
_GAIN = MappingProxyType(
    {
        "tp_cost": ("true positives gain", "more", "most", "least"),
        "tn_cost": ("true negatives gain", "less", "least", "most"),
    }
)


def where_flagged(conditions: JointConditions, known: Known) -> tuple[str, str, str]:
    """Where rules flag more if they follow what is known, where most, and where least."""
    found = list(_varying(conditions, known))
    more = [f"{what} {more}" for what, more, _, _ in found]
    most = [f"{what} {most}" for what, _, most, _ in found]
    least = [f"{what} {least}" for what, _, _, least in found]
    return " or ".join(more), " and ".join(most), " and ".join(least)


def _varying(conditions: JointConditions, known: Known) -> Iterator[tuple[str, str, str, str]]:
    names = [name for name in (*COSTS, "prevalence") if _kind(name) in known]
    for name in names:
        ends = conditions.bounds_of(name)
        if ends.low < ends.high:
            yield _GAIN[name] if name in _GAIN and ends.high <= 0 else _WHERE[name]


def _kind(name: str) -> str:
    return name if name == "prevalence" else "costs"

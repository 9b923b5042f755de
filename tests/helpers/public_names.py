"""What the package offers: at its top level what everyday use needs, the rest by subpackage."""

from types import ModuleType
from typing import Any

import costspace as cs

ROOMS = {
    name: getattr(cs, name) for name in cs.__all__ if isinstance(getattr(cs, name), ModuleType)
}
TOP = {name: getattr(cs, name) for name in cs.__all__ if name not in ROOMS}
PUBLIC: dict[str, Any] = TOP | {
    name: getattr(room, name) for room in ROOMS.values() for name in room.__all__
}


def called(name: str) -> Any:
    """What is public by a name at this moment."""
    return getattr(next(place for place in (cs, *ROOMS.values()) if hasattr(place, name)), name)

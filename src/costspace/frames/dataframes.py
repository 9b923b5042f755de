"""Narwhals, behind which the dataframes of all engines are alike; imported when it is used."""

from typing import TYPE_CHECKING, Any

from costspace.errors import MissingExtraError

__all__ = ["nw"]


class _Narwhals:
    """What the package has, each name found once."""

    def __getattr__(self, name: str) -> Any:
        try:
            import narwhals
        except ImportError:
            raise MissingExtraError(
                "dataframes need Narwhals: pip install 'costspace[frames]'."
            ) from None
        found = getattr(narwhals, name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    import narwhals as nw
else:
    nw = _Narwhals()

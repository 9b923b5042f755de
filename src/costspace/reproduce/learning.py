"""scikit-learn, which models that stand in for a paper's are made with."""

from importlib import import_module
from typing import Any

from costspace.errors import MissingExtraError


def learning(part: str) -> Any:
    """A part of scikit-learn, such as "naive_bayes".

    Raises
    ------
    MissingExtraError
        If it is not installed.
    """
    try:
        return import_module(f"sklearn.{part}")
    except ImportError:
        raise MissingExtraError(
            "models that stand in for a paper's need scikit-learn: "
            "pip install 'costspace[sklearn]'."
        ) from None

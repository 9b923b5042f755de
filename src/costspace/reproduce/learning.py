"""scikit-learn, which models that stand in for a paper's are made with."""

from importlib import import_module
from typing import Any

from numpy.typing import ArrayLike

from costspace.arrays import FloatArray
from costspace.errors import MissingExtraError
from costspace.scores.table import ScoreTable


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


def scored(model: Any, x: FloatArray, y: ArrayLike) -> ScoreTable:
    """The table of the probabilities that a fitted model gives to rows."""
    return ScoreTable.from_predictions(y, model.predict_proba(x)[:, 1])

"""The comparison with other packages, as far as the tests' environment has them."""

from importlib.util import find_spec

import pytest

from benchmarks.peers.causes import CAUSES, Cause
from benchmarks.peers.comparison import Comparison, difference
from benchmarks.peers.predictions import KINDS, Predictions
from benchmarks.peers.registry import COMPARISONS

MODULES = {"scikit-learn": "sklearn", "model-diagnostics": "model_diagnostics"}


def there(peer: str) -> bool:
    return find_spec(MODULES.get(peer, peer)) is not None


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "comparison", [one for one in COMPARISONS if there(one.peer)], ids=lambda one: one.key
)
def test_numbers_agree(comparison: Comparison, kind: str) -> None:
    given = Predictions(kind, 500)
    ours, theirs = (one.compute(*one.form(given)) for one in comparison.sides.values())
    assert difference(ours, theirs) < 1e-12


@pytest.mark.parametrize(
    "cause", [one for one in CAUSES if there(one.peer)], ids=lambda one: one.quantity
)
def test_disagreements_are_for_the_reason_given(cause: Cause) -> None:
    cause.row()

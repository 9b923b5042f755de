"""scikit-learn, where it is installed and where it is not."""

import sys

import pytest
from refusals import refused

from costspace.errors import MissingExtraError
from costspace.reproduce.learning import learning


def test_parts_are_modules() -> None:
    assert learning("naive_bayes").GaussianNB.__name__ == "GaussianNB"


def test_what_to_install_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn.tree", None)
    with refused(MissingExtraError, "pip install 'costspace[sklearn]'."):
        learning("tree")

"""The exceptions."""

import pytest

import costspace as cs

ERRORS = [cs.LabelError, cs.ScoreError, cs.WeightError, cs.ConditionError, cs.SourceError]
ERRORS += [cs.InfeasibleError, cs.FileError, cs.MissingExtraError]


@pytest.mark.parametrize("error", ERRORS)
def test_every_error_is_a_value_error(error: type[Exception]) -> None:
    assert issubclass(error, cs.CostspaceError)
    assert issubclass(error, ValueError)
    assert error.__doc__


def test_a_missing_extra_is_an_import_error() -> None:
    assert issubclass(cs.MissingExtraError, ImportError)

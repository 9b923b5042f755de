"""The exceptions."""

import pytest

import costspace as cs
from costspace.errors import meant

ERRORS = [cs.LabelError, cs.ScoreError, cs.WeightError, cs.ConditionError, cs.SourceError]
ERRORS += [cs.InfeasibleError, cs.FileError, cs.MissingExtraError]


@pytest.mark.parametrize("error", ERRORS)
def test_every_error_is_a_value_error(error: type[Exception]) -> None:
    assert issubclass(error, cs.CostspaceError)
    assert issubclass(error, ValueError)
    assert error.__doc__


def test_a_missing_extra_is_an_import_error() -> None:
    assert issubclass(cs.MissingExtraError, ImportError)


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("10%", "10 % is 0.1"),
        (" 2.5 % ", "2.5 % is 0.025"),
        ("0,0047", "with a decimal point it is 0.0047"),
        ("-1,5", "with a decimal point it is -1.5"),
        (",5", "with a decimal point it is 0.5"),
        ("1,000", "without separators it is 1000, with a decimal point it is 1"),
        ("1,234,567.5", "without separators it is 1234567.5"),
        ("1 000", "without separators it is 1000"),
        ("1_0", "without separators it is 10"),
        ("\u0661.5", "in the digits 0 to 9 it is 1.5"),
        ("\uff11\uff10", "in the digits 0 to 9 it is 10"),
        *((text, "") for text in ("", "n.a.", "%", "1,2,3", "1:2", "0.5", "\uff11a", "1\u00b2")),
    ],
)
def test_a_text_that_is_not_a_number_gets_a_hint(text: str, hint: str) -> None:
    assert meant(text) == hint

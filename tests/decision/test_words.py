"""Money as people read it."""

import pytest

from costspace.decision.words import money_shown


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        (0, "0"),
        (-1e-13, "0"),
        (638.8812, "638.88"),
        (755.0, "755"),
        (1234567.8, "1,234,568"),
        (-45.5, "-45.5"),
        (0.0123456, "0.012346"),
        (None, "–"),
        (float("inf"), "–"),
    ],
)
def test_five_digits_thousands_apart(amount, text):
    assert money_shown(amount) == text

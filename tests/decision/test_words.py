"""Money as people read it."""

import pytest

from costspace.decision.words import amount_within, interval_shown, money_shown, p_shown


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


@pytest.mark.parametrize(
    ("ends", "text"),
    [
        ((310.4, 2166.0), "310 to 2,170"),
        ((-0.004, 29.61), "0.0 to 29.6"),
        ((161.234, 190.86), "161.2 to 190.9"),
        ((12_345_678, 15_345_678), "12,350,000 to 15,350,000"),
        ((0.00123456, 0.00323456), "0.00123 to 0.00323"),
        ((50.25, 50.25), "50.25 to 50.25"),
    ],
)
def test_intervals_in_the_digits_that_their_width_allows(ends, text):
    assert interval_shown(*ends) == text
    assert amount_within(ends[0], ends[1] - ends[0]) == text.split(" to ")[0]


@pytest.mark.parametrize(("p", "text"), [(0.00099, "below 0.001"), (0.0123, "0.012"), (1.0, "1")])
def test_p_values(p, text):
    assert p_shown(p) == text

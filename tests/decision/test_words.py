"""Money as people read it."""

import pytest

from costspace.decision.words import (
    amount_within,
    at_most,
    interval_shown,
    known_within,
    listed,
    money_shown,
    p_shown,
    sides_shown,
    thresholds_shown,
)


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


@pytest.mark.parametrize(
    ("p", "text"),
    [
        *((0.00099, "below 0.001"), (0.0123, "0.012"), (1.0, "1")),
        *((0.0497, "0.0497"), (0.0503, "0.0503"), (0.0561, "0.056")),
    ],
)
def test_p_values(p, text):
    assert p_shown(p) == text


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        *((-39.2, 90.4, "39 less to 90 more"), (12.0, 80.0, interval_shown(12, 80))),
        *((-80.0, -12.0, interval_shown(-80, -12)), (0.0, 7.0, interval_shown(0, 7))),
    ],
)
def test_an_interval_has_words_for_its_sides(low, high, text):
    assert sides_shown(low, high, "more", "less") == text


@pytest.mark.parametrize(
    ("amount", "width", "text"),
    [(627.42, 295, "627"), (400, 30, "400"), (38620.69, 71, "38,621"), (765.1, 0, "765.1")],
)
def test_what_is_known_in_no_more_digits_than_what_stands_beside_it(amount, width, text):
    assert known_within(amount, width) == text


@pytest.mark.parametrize(
    ("thresholds", "texts"),
    [
        ((0.225,), ["0.225"]),
        ((1 / 21, 0.5), ["0.0476", "0.5"]),
        ((1 - 1e-9, 0.25), ["0.999999999", "0.25"]),
        ((0.123456, 0.123457), ["0.123456", "0.123457"]),
        ((float("-inf"), 1.0), ["-inf", "1"]),
        ((0.1, 0.1 + 1e-18), ["0.1", "0.1"]),
    ],
)
def test_thresholds_look_different_if_they_are(thresholds, texts):
    assert thresholds_shown(*thresholds, digits=3) == texts


@pytest.mark.parametrize(
    ("words", "text"), [((), ""), (("a",), "a"), (("a", "b"), "a and b"), ("abc", "a, b and c")]
)
def test_lists_in_a_sentence(words, text):
    assert listed(words) == text


@pytest.mark.parametrize(
    ("amount", "text"), [(0.0443, "0.05"), (0.04, "0.04"), (0.96, "1"), (1.2e-7, "2e-07"), (9, "9")]
)
def test_at_most_is_rounded_up(amount, text):
    assert at_most(amount) == text
    assert float(text) >= amount

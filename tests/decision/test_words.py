"""Money as people read it."""

import numpy as np
import pytest

from costspace.decision.words import (
    alone_shown,
    at_most,
    estimate_shown,
    exact_shown,
    limit_shown,
    listed,
    p_shown,
    roughly_shown,
    sides_shown,
    thresholds_shown,
)


@pytest.mark.parametrize(
    ("estimate", "texts"),
    [
        ((900.3, 310.4, 2166.0), ("900", "310 to 2,170")),
        ((203.34, 176.61, 233.04), ("203", "177 to 233")),
        # Each number has two digits.
        ((-0.004, -0.004, 29.61), ("-0.0040", "-0.0040 to 29.6")),
        # The interval is narrow: it has two digits.
        ((14563.04, 14561.13, 14565.1), ("14,563.0", "14,561.1 to 14,565.1")),
        ((176.05, 161.234, 190.86), ("176", "161 to 191")),
        ((8.65e20, 8.1e20, 9.2e20), ("8.65e+20", "8.1e+20 to 9.2e+20")),
        ((3.98e46, 3.38e46, 4.6e46), ("3.98e+46", "3.38e+46 to 4.6e+46")),
        ((999e12, 100e12, 2.5e15), ("1,000 tn", "100 tn to 2.5e+15")),
        ((13e6, 12_345_678, 15_345_678), ("13.0 m", "12.3 m to 15.3 m")),
        ((0.002, 0.00123456, 0.00323456), ("0.00200", "0.00123 to 0.00323")),
        ((50.25, 50.25, 50.25), ("50.2", "50.2 to 50.2")),
        ((4.2e9, 3.88e9, 4.55e9), ("4.20 bn", "3.88 bn to 4.55 bn")),
        # What rounding leaves of 0 is 0.
        ((3.0, 1e-17, 8.0), ("3.00", "0.00 to 8.00")),
        ((1.2e-8, -1e-8, 3e-8), ("1.2e-08", "-1e-08 to 3e-08")),
        # It has three at most.
        ((0.7, -99.96, 99.96), ("0.70", "-100 to 100")),
    ],
)
def test_amounts_with_an_interval_have_no_digit_finer_than_it(estimate, texts):
    assert estimate_shown(*estimate) == texts


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        *((627.42, "627"), (14563, "14,600"), (50.0, "50"), (0.0123456, "0.0123"), (0.0, "0")),
        *((-1e-13, "0"), (999.6, "1,000"), (9.996, "10"), (None, "–"), (float("nan"), "–")),
        *((-7.25, "-7.25"), (1e-9, "1e-09"), (91.93e9, "91.9 bn"), (999_960, "1 m")),
    ],
)
def test_an_amount_alone_has_three_digits(amount, text):
    assert alone_shown(amount) == text


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
    ("estimate", "texts"),
    [
        ((12.2, -39.2, 90.4), ("12 more", "-39 to 90")),
        ((-12.2, -39.2, 90.4), ("12 less", "-90 to 39")),
        ((40.0, 12.0, 80.0), ("40.0 more", "12.0 to 80.0")),
        ((-40.0, -80.0, -12.0), ("40.0 less", "12.0 to 80.0")),
        ((3.0, 0.0, 7.0), ("3.00 more", "0.00 to 7.00")),
        ((-3.25, float("nan"), float("nan")), ("3.25 less", "")),
    ],
)
def test_a_difference_has_words_for_its_sides(estimate, texts):
    assert sides_shown(*estimate, "more", "less") == texts


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        *((627.42, "627"), (14_563.2, "14,563"), (7.251, "7.25"), (0.0, "0"), (None, "–")),
        *((999_999.7, "1 m"), (5_713_012_345, "5.71301 bn"), (-1e5, "-100,000"), (50.0, "50")),
    ],
)
def test_what_is_known_exactly_is_in_full(amount, text):
    assert exact_shown(amount) == text


def test_what_is_told_roughly_has_two_digits():
    assert [roughly_shown(x) for x in (61.4, 28_310, 0.0123)] == ["61", "28,000", "0.012"]


def test_no_amount_is_shown_as_0_unless_it_is():
    rng = np.random.default_rng(52)
    sizes = 10 ** rng.uniform(-9, 18, (1000, 3)) * rng.choice([-1, 1], (1000, 3))
    for value, low, high in np.sort(sizes, axis=1)[:, [1, 0, 2]].tolist():
        amount, ends = estimate_shown(value, low, high)
        said = amount, *ends.split(" to "), alone_shown(value), exact_shown(value)
        # What is less than 1e-12 of another is what rounding leaves.
        small = 1e-12 * max(abs(low), abs(high))
        for text, number in zip(said, (value, low, high, value, value), strict=True):
            assert any(digit in text for digit in "123456789") or abs(number) < small


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
    ("thresholds", "texts"),
    [
        ((12345650.25, 12345740.75), ["12345650", "12345740"]),
        ((1699999e6, 1700002e6), ["1699999000000", "1700002000000"]),
        ((0.499999999, 0.500000002), ["0.499999999", "0.500000002"]),
        ((1.5e300, 1.6e300), ["1.5e+300", "1.6e+300"]),
    ],
)
def test_thresholds_far_from_0_are_told_apart(thresholds, texts):
    assert thresholds_shown(*thresholds, digits=3) == texts


@pytest.mark.parametrize(
    ("threshold", "text"), [(-620.5, "-620.5"), (12345.5, "12345.5"), (0.5, "0.5"), (620.25, "620")]
)
def test_thresholds_between_whole_numbers_keep_their_half(threshold, text):
    assert thresholds_shown(threshold, digits=3) == [text]


@pytest.mark.parametrize(
    ("words", "text"), [((), ""), (("a",), "a"), (("a", "b"), "a and b"), ("abc", "a, b and c")]
)
def test_lists_in_a_sentence(words, text):
    assert listed(words) == text


@pytest.mark.parametrize(
    ("amount", "text"), [(0.0443, "0.05"), (0.04, "0.04"), (0.96, "1"), (1.2e-7, "2e-07"), (9, "9")]
)
def test_upper_ends_are_rounded_up(amount, text):
    assert at_most(amount) == text
    assert float(text) >= amount


@pytest.mark.parametrize(
    ("limit", "text"),
    [
        (("capacity", "kept", 0.1992, None, None), "kept (reaches 19.9 %)"),
        (("capacity", "kept", 0.1992, (0.1992, 0.1992), None), "kept (reaches 19.9 %)"),
        (
            ("max_fpr", "at the limit", 0.2004, (0.18, 0.22), None),
            "too close to tell (reaches 20.0 %, 18.0 to 22.0)",
        ),
        (
            ("min_precision", "broken", 0.5541, (0.5, 0.6), 0.005),
            "broken (reaches 55.4 %, 50.0 to 60.0 at prevalence 0.005, the worst)",
        ),
        (("min_precision", "kept", None, None, None), "kept (nobody is flagged)"),
        (("min_npv", "kept", None, None, 0.1), "kept (nobody is passed)"),
    ],
)
def test_how_a_limit_is_kept(limit, text):
    assert limit_shown(*limit) == text


@pytest.mark.parametrize(
    ("amount", "text"), [(8.65e20, "8.65e+20"), (1.2e100, "1.2e+100"), (70.0, "70")]
)
def test_no_zero_of_an_exponent_is_lost(amount, text):
    assert alone_shown(amount) == text
    assert exact_shown(amount) == text

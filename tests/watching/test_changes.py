"""Which changes are better, and which worse."""

from dataclasses import replace

import numpy as np
import pytest

import costspace as cs
from costspace.estimates.quantities import LARGE


def table(seed, *, apart=1.5, moved=0.0, share=0.3, n=3000):
    random = np.random.default_rng(seed)
    y = (random.random(n) < share).astype(int)
    s = 1 / (1 + np.exp(-(apart * y + random.normal(size=n) - 1.6 + moved)))
    return cs.ScoreTable.from_predictions(y, s)


def became(before, after, **more):
    found = cs.drift(before, after, **more)
    return {one.quantity: found.became(one) for one in found.changes}


def test_a_model_that_tells_classes_apart_less_is_worse_and_the_other_way_round_better():
    good, bad = table(0, apart=2.5), table(1, apart=0.5)
    names = ["auc", "h_measure", "brier", "expected_loss.cost.optimal"]
    assert set(became(good, bad, quantities=names).values()) == {"worse"}
    assert set(became(bad, good, quantities=names).values()) == {"better"}
    assert set(became(good, good, quantities=names).values()) == {None}
    listed = cs.drift(good, bad, quantities=names).to_dict()["changes"]
    assert [one["became"] for one in listed] == ["worse"] * 4


def test_another_prevalence_is_neither():
    assert became(table(0), table(1, share=0.1), quantities="prevalence") == {
        "prevalence": "changed"
    }


def test_a_mean_score_that_is_nearer_to_the_prevalence_is_better():
    far, near, below = table(0, moved=2), table(1, moved=0.5), table(2, moved=-1.5)
    assert became(far, near, quantities=LARGE) == {LARGE: "better"}
    assert became(near, far, quantities=LARGE) == {LARGE: "worse"}
    assert became(near, below, quantities=LARGE)[LARGE] in {"worse", "changed"}


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [(0.2, -0.2, "changed"), (0.2, -0.19, "changed"), (0.2, -0.1, "better"), (-0.1, 0.2, "worse")],
)
def test_which_side_of_the_prevalence_it_is_on_does_not_matter(before, after, expected):
    found = cs.drift(table(0), table(1), quantities=LARGE)
    change = replace(
        found.changes[0],
        before=before,
        after=after,
        difference=after - before,
        low=after - before - 0.02,
        high=after - before + 0.02,
        p_adjusted=0.001,
    )
    assert found.became(change) == expected

"""Long arrays are worked on by several threads, with the same results."""

import threading

import numpy as np
import pytest

import costspace as cs
from costspace import threads


def on_which_thread(_: object) -> int:
    return threading.get_ident()


def test_few_elements_stay_in_the_caller_s_thread() -> None:
    assert set(threads.mapped(on_which_thread, range(3), 1000)) == {threading.get_ident()}


def test_each_item_of_many_elements_has_a_thread() -> None:
    meet = threading.Barrier(3, timeout=60)

    def double(x: int) -> int:
        meet.wait()
        return 2 * x

    assert threads.mapped(double, [5, 3, 4], 10**7) == [10, 6, 8]


def test_threads_have_the_caller_s_numpy_error_settings() -> None:
    with np.errstate(divide="raise", over="ignore"):
        own = np.geterr()
        assert threads.mapped(lambda _: np.geterr(), range(2), 10**7) == [own, own]


def test_an_error_reaches_the_caller() -> None:
    with pytest.raises(ZeroDivisionError):
        threads.mapped(lambda x: 1 // x, [1, 0], 10**7)


@pytest.mark.parametrize("count", [0, 1, 2, 7])
def test_halves_are_all_in_order(count: int) -> None:
    first, second = threads.halves(count)
    assert [*first, *second] == list(range(count))


@pytest.mark.parametrize("kind", ["continuous", "rare", "tied", "float32", "weighted"])
def test_every_number_is_the_same(monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    # More than one block of each class, so that threads have something to share.
    rng = np.random.default_rng(3)
    y = (rng.random(250_000) < (0.1 if kind == "rare" else 0.4)).astype(int)
    s = 1 / (1 + np.exp(-rng.normal(y, 1)))
    s = {"tied": s.round(2), "float32": s.astype(np.float32)}.get(kind, s)
    weight = rng.gamma(2, size=len(y)) if kind == "weighted" else None

    def found() -> dict[str, object]:
        return cs.evaluate(y, s, sample_weight=weight, intervals=True).to_dict()

    alone = found()
    monkeypatch.setattr(threads, "_MANY", 1)
    assert found() == alone

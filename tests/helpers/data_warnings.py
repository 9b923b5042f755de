"""What a call warns of, for tests of `DataWarning`."""

import warnings
from collections.abc import Callable
from typing import Any

import costspace as cs


def told(compute: Callable[[], Any]) -> list[str]:
    """The messages of its `DataWarning`s, which name the file of the caller; nothing else warns."""
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        compute()
    file = compute.__code__.co_filename
    assert all(one.category is cs.DataWarning and one.filename == file for one in found)
    return [str(one.message) for one in found]

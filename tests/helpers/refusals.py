"""What every refusal of bad input has in common."""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from costspace import CostspaceError


@contextmanager
def refused(error: type[CostspaceError], text: str) -> Iterator[None]:
    """Expect `error`, a ValueError too, whose message is one line that contains `text`."""
    with pytest.raises(error, match=re.escape(text)) as caught:
        yield
    assert isinstance(caught.value, CostspaceError)
    assert isinstance(caught.value, ValueError)
    message = str(caught.value)
    assert "\n" not in message
    assert len(message) < 300
    assert message.endswith((".", "?"))

"""Arrays as text in a page."""

from base64 import b64encode
from typing import Any

from numpy.typing import NDArray


def base64_of(values: NDArray[Any]) -> str:
    """The bytes of an array, little-endian, in base64."""
    little = values.astype(values.dtype.newbyteorder("<"), copy=False)
    return b64encode(little.tobytes()).decode("ascii")

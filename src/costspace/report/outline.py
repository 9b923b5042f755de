"""A curve without the points that a picture does not tell from a straight line."""

import numpy as np

from costspace.arrays import FloatArray

# A quarter of a pixel, where a chart is 500 wide.
_TOLERANCE = 1 / 2000


def outline(x: FloatArray, y: FloatArray) -> FloatArray:
    """The ends of a curve and those of its points that keep it close to straight lines.

    Parameters
    ----------
    x, y : arrays of shape (m,)
        The curve, in shares of its picture.

    Returns
    -------
    array of shape (2, k)
        The points that are kept, in their order. No other is farther than 1/2000 from the line
        between its neighbours among them.

    Notes
    -----
    Douglas, D. H. and Peucker, T. K. (1973): of the points between two that are kept, the farthest
    from the line between those is kept too, unless all are close.
    """
    keep = np.zeros(len(x), dtype=bool)
    keep[[0, -1]] = True
    spans = [(0, len(x) - 1)]
    while spans:
        first, last = spans.pop()
        across, up = x[last] - x[first], y[last] - y[first]
        inner = slice(first + 1, last)
        far = np.abs((x[inner] - x[first]) * up - (y[inner] - y[first]) * across)
        if far.size and far.max() > _TOLERANCE * np.hypot(across, up):
            middle = first + 1 + int(np.argmax(far))
            keep[middle] = True
            spans += [(first, middle), (middle, last)]
    return np.stack([x[keep], y[keep]])

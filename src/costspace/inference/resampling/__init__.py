"""The bootstrap: resamples of rows, and intervals from what metrics are on them."""

from costspace.deferral import deferred

deferred(globals())

"""The bootstrap: resamples of rows, and intervals from the metrics on them."""

from costspace.deferral import deferred

deferred(globals())

"""The bootstrap: resamples of rows, and intervals from the metrics on them."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.resampling.bootstrapping import bootstrap
    from costspace.resampling.replicates import Bootstrap

__all__ = [
    "Bootstrap",
    "bootstrap",
]

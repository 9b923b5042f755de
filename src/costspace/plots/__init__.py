"""Plots: results in, a drawn display out.

Each function takes results that the core computed, draws on the `ax` it is given or on a new
figure, and returns a `Display`; none shows anything. Names stand beside lines. A model has the
colour of its place among those that are given, or the one that `colours` gives it for all plots.
Importing this package loads matplotlib, so `costspace` itself does not.
"""

from costspace.plots.axes import Display
from costspace.plots.brier_parts import plot_brier_parts
from costspace.plots.calibration import plot_calibration
from costspace.plots.cost_space import plot_cost_space
from costspace.plots.difference import plot_difference
from costspace.plots.dominance import plot_dominance
from costspace.plots.gains import plot_gain
from costspace.plots.net_benefit import plot_net_benefit
from costspace.plots.partition_losses import plot_partition_losses
from costspace.plots.reviews import plot_reviews
from costspace.plots.roc_space import plot_roc_space
from costspace.plots.roc_surface import plot_roc_surface
from costspace.plots.score_distributions import plot_score_distributions
from costspace.plots.style import colours
from costspace.plots.watched import plot_watch

__all__ = [
    "Display",
    "colours",
    "plot_brier_parts",
    "plot_calibration",
    "plot_cost_space",
    "plot_difference",
    "plot_dominance",
    "plot_gain",
    "plot_net_benefit",
    "plot_partition_losses",
    "plot_reviews",
    "plot_roc_space",
    "plot_roc_surface",
    "plot_score_distributions",
    "plot_watch",
]

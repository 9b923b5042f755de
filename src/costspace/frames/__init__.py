"""Data in: predictions from files and dataframes become validated rows or a score source."""

from typing import TYPE_CHECKING

from costspace.deferral import deferred

if TYPE_CHECKING or not deferred(globals()):
    from costspace.frames.applying import AppliedFrame, apply_decision
    from costspace.frames.binning import binned_scores
    from costspace.frames.counting import score_counts, score_table
    from costspace.frames.folded import held_out_counts
    from costspace.frames.native import to_frame
    from costspace.frames.segments import Segments
    from costspace.frames.storage import load, save

__all__ = [
    "AppliedFrame",
    "Segments",
    "apply_decision",
    "binned_scores",
    "held_out_counts",
    "load",
    "save",
    "score_counts",
    "score_table",
    "to_frame",
]

"""Every part of the study, in the order of the page."""

from benchmarks.coverage import (
    bands,
    bootstraps,
    decisions,
    estimated,
    few,
    limits,
    money,
    pairs,
    reviews,
    savings,
    segments,
    singles,
    surveys,
    thresholds,
)

PARTS = {
    "singles": singles.PART,
    "money": money.PART,
    "pairs": pairs.PART,
    "surveys": surveys.PART,
    "thresholds": thresholds.PART,
    "bands": bands.PART,
    "bootstraps": bootstraps.PART,
    "few": few.PART,
    "few_pairs": few.PAIRED,
    "few_thresholds": few.THRESHOLDS,
    "few_bands": few.BANDED,
    "estimated": estimated.PART,
    "decisions": decisions.PART,
    "batches": decisions.OF_BATCHES,
    "limits": limits.PART,
    "savings": savings.PART,
    "reviews": reviews.PART,
    "segments": segments.PART,
}

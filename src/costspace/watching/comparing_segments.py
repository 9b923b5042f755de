"""What has changed in each segment of two samples of a model's scores, under one correction."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from costspace.arrays import IndexArray
from costspace.decision.evidence.money_by_segment import level_of_each
from costspace.decision.evidence.segments import FEW
from costspace.decision.money.row_money import RowMoney
from costspace.errors import CostspaceError
from costspace.estimates.multiplicity import adjusted
from costspace.estimates.quantities import LARGE, PREVALENCE
from costspace.influences.statistic import Statistic
from costspace.samples.rows import ScoredRows
from costspace.watching.change import Change
from costspace.watching.changes_by_segment import ChangesBySegment, SegmentChanges
from costspace.watching.clusters import clusters_of
from costspace.watching.segment_pairs import Divided, SegmentPair, paired
from costspace.watching.two_samples import changes_between

# What is compared in each segment of what is asked for: of more, each is told of less.
_FIRST = (PREVALENCE, LARGE, "auc", "brier")


def changes_by_segment(
    before: ScoredRows,
    after: ScoredRows,
    statistics: Mapping[str, Statistic],
    divided: Divided,
    *,
    level: float,
    correction: str | None,
    prevalence: float | None,
    groups: tuple[ArrayLike, ArrayLike] | None,
) -> ChangesBySegment:
    """What has changed in each segment, by the quantities that tell most of those asked for."""
    chosen = {name: statistics[name] for name in _FIRST if name in statistics} or statistics
    counted = Divided(
        divided.by,
        {values: own for values, some in divided.before.items() if len(own := _in(before, some))},
        {values: own for values, some in divided.after.items() if len(own := _in(after, some))},
    )

    def are_few(own: IndexArray, now: IndexArray) -> bool:
        return _few(before, own) or _few(after, now)

    pairs = paired(counted, are_few)
    tests = len(chosen) * sum(not one.few for one in pairs)
    of_each = level_of_each(level, tests)

    def changes(pair: SegmentPair) -> Iterator[Change]:
        parts = before.take(pair.before), after.take(pair.after)
        own = None
        if groups is not None:
            rows = zip(groups, (pair.before, pair.after), strict=True)
            first, second = (np.asarray(of_sample)[some] for of_sample, some in rows)
            own = first, second
        clusters = clusters_of(*parts, own)
        yield from changes_between(
            *parts, chosen, level=of_each, prevalence=prevalence, clusters=clusters
        )

    found, reasons = list[list[Change]](), list[str | None]()
    for pair in pairs:
        try:
            found.append([] if pair.few else list(changes(pair)))
            reasons.append(FEW if pair.few else None)
        except CostspaceError as error:
            found.append([])
            reasons.append(str(error))
    family = iter(adjusted([one for own in found for one in own], correction))
    segments = [
        SegmentChanges(
            pair.by,
            pair.number,
            len(pair.before),
            len(pair.after),
            tuple(next(family) for _ in own),
            reason,
        )
        for pair, own, reason in zip(pairs, found, reasons, strict=True)
    ]
    segments.sort(key=lambda one: (one.number > 1, -one.told, -one.rows))
    gone = len(counted.before.keys() - counted.after.keys())
    return ChangesBySegment(segments, level, correction, tests, gone)


def _in(rows: ScoredRows, some: IndexArray) -> IndexArray:
    """Those of some rows that count."""
    return some[rows.counts[some]]


def _few(rows: ScoredRows, some: IndexArray) -> bool:
    """Whether rows are too few for intervals."""
    positives = int(np.count_nonzero(rows.positive[some]))
    if positives in (0, len(some)):
        return True
    return RowMoney(replace(rows.take(some), costs=None), "sampling").says_little

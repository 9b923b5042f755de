"""Predictions in CSV or Parquet files, read row by row with explicit types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

from costspace.arrays import IndexArray, Progress
from costspace.deployment.conditions import COSTS
from costspace.errors import ConditionError, CostspaceError, SourceError, brief
from costspace.frames.cells import is_positive, refuse_cells, segment, text, with_decisions
from costspace.frames.columns import Columns
from costspace.frames.complaints import complaining_of_rows
from costspace.frames.frame_rows import rows_of_frame
from costspace.frames.numbers import number, with_clear_numbers
from costspace.frames.opened import check_once
from costspace.frames.relation import columns_among, open_relation
from costspace.frames.survey import check_filled
from costspace.samples.case_costs import CaseCosts
from costspace.samples.rows import ScoredRows
from costspace.samples.segmenting import rows_among, rows_by_value


@final
@dataclass(frozen=True, eq=False)
class SegmentedRows:
    """Rows, and which of them belong to each segment.

    A segment is named by the values of columns, None where one is missing.
    """

    rows: ScoredRows
    segments: Mapping[tuple[Any, ...], IndexArray]

    @property
    def segments_worth_flagging(self) -> Mapping[tuple[Any, ...], IndexArray]:
        """The same of the rows that flagging may be worth it of, which are all if all may be."""
        worth = None if self.rows.costs is None else self.rows.costs.worth_flagging
        return self.segments if worth is None else rows_among(self.segments, worth)


def read_rows(
    data: Any,
    *,
    label: str,
    scores: Sequence[str],
    weight: str | None = None,
    positive: str | None = None,
    costs: Mapping[str, str | float] | None = None,
    groups: str | None = None,
    progress: Progress = lambda _: None,
) -> ScoredRows:
    r"""Read labels, scores, weights and costs from CSV or Parquet files, or from a dataframe.

    Parameters
    ----------
    data : path, or dataframe of pandas, Polars, pyarrow, DuckDB, Dask or PySpark
        A file on this machine, a glob of files, or a folder of Parquet (or else CSV) files, which
        are read one after the other. Parquet is told by its first bytes. CSV has a header.
    label : str
        Column of labels.
    scores : sequence of str
        Columns of scores, one a model. ``-NAME`` is column NAME with its sign changed, for scores
        where higher means less positive; ``1-NAME`` the chance of the other class. ``model_*``
        stands for several, ``all-but:A,B`` for all but some; ``NAME[1]`` for an element of lists.
    weight : str, optional
        Column of sample weights.
    positive : str, optional
        The label of the positive class, as text; needed unless labels are 0/1, -1/1 or
        true/false.
    costs : mapping of str to str or float, optional
        What decisions cost: for `fp_cost` and `fn_cost`, and where they are not 0 `tp_cost` and
        `tn_cost`, the column of each row's cost, or one number for all rows. A column may be a
        formula: sums and products of columns and numbers, such as ``0.6*amount + fee``.
    groups : str, optional
        Column that says which cluster a row belongs to (a patient, a customer), of any type.
    progress : callable, optional
        Called with the share read, from 0 to 1, while reading goes on.

    Returns
    -------
    ScoredRows

    Raises
    ------
    FileError
        If the file or a column is missing (near names are given), the columns asked for differ
        between files, or a cell cannot be read (its file and row are given, not counting the
        header).
    LabelError, ScoreError, WeightError, ConditionError
        If the values are not labels, scores, weights or costs.
    MissingExtraError
        If DuckDB is not installed.

    Examples
    --------
    >>> import tempfile
    >>> file = Path(tempfile.mkdtemp()) / "predictions.csv"
    >>> _ = file.write_text("fraud,model\n0,0.2\n1,0.7\n0,0.4\n")
    >>> rows = read_rows(file, label="fraud", scores=["model"])
    >>> rows.positive, rows.scores["model"]
    (array([False,  True, False]), array([0.2, 0.7, 0.4]))
    """
    columns = Columns(label=label, scores=scores, weight=weight, positive=positive, groups=groups)
    by_column = _cost_columns(costs) if costs else {}
    if not isinstance(data, str | Path):
        check_once(scores)
        with complaining_of_rows("read"):
            return rows_of_frame(data, columns, dict(costs or {}), by_column)
    columns = columns_among(Path(data), columns, list(by_column.values()))
    return read_segments(data, columns, costs=costs, progress=progress).rows


def read_segments(
    path: str | Path,
    columns: Columns,
    *,
    by: Sequence[str] = (),
    costs: Mapping[str, str | float] | None = None,
    progress: Progress = lambda _: None,
) -> SegmentedRows:
    """`read_rows`, and which rows have which values in the columns `by`."""
    label, scores, weight, groups = columns.label, columns.scores, columns.weight, columns.groups
    check_once(scores, by)
    by_column = _cost_columns(costs) if costs else {}
    numbers = [*columns.numbers().values(), *by_column.values()]
    clusters = [] if groups is None else [groups]
    with open_relation(Path(path), [label, *numbers, *clusters, *by]) as opened:
        opened.column(label)
        file = with_decisions(with_clear_numbers(opened, scores, numbers), columns)
        positive_row = is_positive(file, label, columns.positive, lambda done: progress(done / 2))
        expressions = [positive_row, *(number(file, name).value for name in numbers)]
        expressions += [text(file, name) for name in clusters]
        expressions += [segment(file, name) for name in by]
        y_true, *others = file.fetch(expressions, lambda done: progress((1 + done) / 2))
        segments = [others.pop() for _ in by][::-1]
        cluster = others.pop() if clusters else None
        read = dict(zip(numbers, others, strict=True))
        own_costs = {cost: read[column] for cost, column in by_column.items()}
        try:
            rows = ScoredRows.viewing(
                y_true,
                {name: read[name] for name in scores},
                sample_weight=None if weight is None else read[weight],
                case_costs=CaseCosts(**{**costs, **own_costs}) if costs else None,
                groups=cluster,
            )
        except CostspaceError as error:
            refuse_cells(file, scores, weight, list(by_column.values()), groups)
            raise type(error)(f"{file.path}: {error}") from None
    return SegmentedRows(rows, rows_by_value(segments))


def batch_sizes(path: Path, name: str) -> tuple[int, ...]:
    """How many rows each batch of a column has; `SourceError` if rows are in none."""
    with open_relation(path, [name]) as file:
        query = f"SELECT {text(file, name)} AS batch FROM {file.sql}"
        found = file.rows(f"SELECT batch, count(*) FROM ({query}) GROUP BY batch")
    rows, missing = sum(n for _, n in found), sum(n for batch, n in found if batch is None)
    check_filled(name, "batches", missing, rows, SourceError)
    return tuple(n for _, n in found)


def _cost_columns(costs: Mapping[str, str | float]) -> dict[str, str]:
    """The costs that are columns, by name; an error if a cost is missing or unknown."""
    if not {"fp_cost", "fn_cost"} <= costs.keys() <= set(COSTS):
        raise ConditionError(
            "costs need fp_cost and fn_cost, and may have tp_cost and tn_cost: got "
            f"{', '.join(map(brief, costs))}."
        )
    return {cost: column for cost, column in costs.items() if isinstance(column, str)}

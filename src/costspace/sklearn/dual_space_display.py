"""A classifier in ROC space next to cost space."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from costspace.errors import ConditionError, brief
from costspace.sklearn.cost_space_display import CostSpaceDisplay
from costspace.sklearn.display import ScoreDisplay
from costspace.sklearn.looks import Keywords
from costspace.sklearn.roc_space_display import RocSpaceDisplay

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@final
@dataclass(eq=False, kw_only=True, repr=False)
class DualSpaceDisplay(ScoreDisplay):
    """A classifier in the two dual spaces: ROC space on the left, cost space on the right.

    Points on the left are lines on the right, the convex hull there is the lower envelope here,
    the path of a choice is its loss curve, and a line of equal loss is a condition. Make it with
    `from_estimator`, `from_predictions` or `from_cv_results`, which draw it too.

    Parameters
    ----------
    folds, choices, axis, prevalence, name
        As `from_predictions` makes them.

    Attributes
    ----------
    roc_space : RocSpaceDisplay
    cost_space : CostSpaceDisplay
    ax_ : tuple of two matplotlib Axes
    figure_ : matplotlib Figure

    Notes
    -----
    Drummond and Holte (2006), Machine Learning 65.

    Examples
    --------
    >>> import costspace as cs
    >>> import matplotlib.pyplot as plt
    >>> y, s = [0, 0, 1, 1], [0.1, 0.6, 0.4, 0.9]
    >>> display = DualSpaceDisplay.from_predictions(
    ...     y, s, choices=cs.ScoreDriven(), conditions=[0.2, 0.5]
    ... )
    >>> [ax.get_xlabel().split()[0] for ax in display.ax_]
    ['False', 'Cost']
    >>> plt.close(display.figure_)
    """

    @cached_property
    def roc_space(self) -> RocSpaceDisplay:
        """The display on the left."""
        return RocSpaceDisplay(**self._fields)

    @cached_property
    def cost_space(self) -> CostSpaceDisplay:
        """The display on the right."""
        return CostSpaceDisplay(**self._fields)

    @property
    def _fields(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def plot(
        self,
        ax: "Sequence[Axes] | None" = None,
        *,
        name: str | None = None,
        conditions: ArrayLike = (),
        curve_kwargs: Keywords | None = None,
        plot_operating_range: bool = False,
        plot_chance_level: bool = False,
        chance_level_kw: Keywords | None = None,
        despine: bool = False,
    ) -> Self:
        """Draw ROC space on the first axes and cost space on the second.

        Parameters
        ----------
        ax : pair of matplotlib Axes, optional
            By default those of a new figure, side by side; in a narrow column give two above each
            other.
        name, chance_level_kw, despine
            As in `CostSpaceDisplay.plot`.
        conditions : array in [0, 1]
            Conditions to mark: by lines of equal loss on the left, by their positions on the right.
        curve_kwargs : dict, optional
            Keywords of matplotlib's `plot` for the ROC curve and the lower envelope.
        plot_operating_range : bool, default False
            Shade, on the right, where the best threshold loses less than flagging everybody and
            flagging nobody.
        plot_chance_level : bool, default False
            Draw the diagonal on the left, and on the right the losses of flagging everybody and
            of flagging nobody.

        Returns
        -------
        DualSpaceDisplay
            Itself.
        """
        from costspace.plots.axes import closed_on_error, new_pair

        figure = None
        if ax is None:
            figure, ax = new_pair()
        pair = np.ravel(np.asarray(ax, dtype=object))
        if len(pair) != 2:
            raise ConditionError(f"ax must be two matplotlib Axes, got {brief(ax)}.")
        common: dict[str, Any] = {
            "name": self.name if name is None else name,
            "conditions": conditions,
            "curve_kwargs": curve_kwargs,
            "plot_chance_level": plot_chance_level,
            "chance_level_kw": chance_level_kw,
            "despine": despine,
        }
        with closed_on_error(figure):
            left = self.roc_space.plot(pair[0], **common)
            right = self.cost_space.plot(
                pair[1],
                plot_operating_range=plot_operating_range,
                **common,
            )
        self.ax_, self.figure_ = (left.ax_, right.ax_), left.figure_
        return self

    def columns(self) -> dict[str, NDArray[Any]]:
        """One row a threshold: its point on the left, and the ends of its line on the right."""
        return {**self.roc_space.columns(), **self.cost_space.columns()}

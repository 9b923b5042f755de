"""Scorers for scikit-learn's model selection, made from metrics of this package."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self, final

from numpy.typing import ArrayLike
from sklearn import get_config
from sklearn.utils.metadata_routing import MetadataRequest, get_routing_for_object
from sklearn.utils.validation import check_is_fitted

from costspace.errors import without_data_warnings
from costspace.sklearn.response import method_of, positive_class, scores_of


@final
class MetricScorer:
    """A scorer for `cross_val_score`, `GridSearchCV` and the like.

    The functions that end in ``_scorer`` make it.

    Parameters
    ----------
    written : str
        The call that makes it.
    metric : function of y_true and y_score
        It takes `pos_label` and `sample_weight`, too.
    parameters : mapping
        The metric's other arguments.
    sign : {1, -1}
        -1 if a smaller metric is better.
    methods : sequence of {"predict_proba", "decision_function"}
        Methods of a classifier whose scores suit the metric, best first.
    pos_label : label, optional
        The label of the positive class; needed unless labels are 0/1, -1/1 or boolean.
    """

    def __init__(
        self,
        written: str,
        metric: Callable[..., float],
        parameters: Mapping[str, Any],
        *,
        sign: int,
        methods: Sequence[str],
        pos_label: object,
    ) -> None:
        # Raise errors about parameters here: a search would turn them into failed scores.
        metric([0, 1], [0.25, 0.75], **parameters)
        self._written = written
        self._metric = metric
        self._parameters = parameters
        self._sign = sign
        self._methods = methods
        self._pos_label = pos_label
        self._request = _request(sample_weight=None)

    def __repr__(self) -> str:
        return self._written

    def __call__(
        self, estimator: Any, X: Any, y_true: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> float:
        """The score of a fitted classifier of two classes; larger is better.

        Parameters
        ----------
        estimator : classifier
            Fitted.
        X : array-like or sparse matrix of shape (n, features)
            Held-out rows.
        y_true : array of shape (n,)
            Their labels.
        sample_weight : array of shape (n,), optional
            Non-negative.

        Returns
        -------
        float

        Raises
        ------
        NotFittedError
            If the classifier is not fitted.
        LabelError, ScoreError, WeightError, ConditionError
            If it has no suitable method or not two classes, or labels, scores or weights are
            invalid; both classes are needed among the rows.
        """
        check_is_fitted(estimator)
        method = method_of(estimator, self._methods, self)
        positive = positive_class(estimator.classes_, self._pos_label)
        # Called for each fold: warnings about the scores would repeat.
        with without_data_warnings():
            value = self._metric(
                y_true,
                scores_of(estimator, X, method, positive),
                pos_label=positive,
                sample_weight=sample_weight,
                **self._parameters,
            )
        return self._sign * value

    def set_score_request(self, *, sample_weight: bool | str | None) -> Self:
        """Set whether sample weights are routed to the scorer.

        Parameters
        ----------
        sample_weight : bool, str or None
            Whether they are requested, or the name that they are passed by; None makes it an error
            to pass them.

        Returns
        -------
        the scorer itself

        Raises
        ------
        RuntimeError
            If metadata routing is off.
        """
        if not get_config()["enable_metadata_routing"]:
            raise RuntimeError(
                "set_score_request needs metadata routing: turn it on with "
                "sklearn.set_config(enable_metadata_routing=True)."
            )
        self._request = _request(sample_weight=sample_weight)
        return self

    def get_metadata_routing(self) -> MetadataRequest:
        """A copy of the scorer's metadata request."""
        return get_routing_for_object(self._request)

    def _accept_sample_weight(self) -> bool:
        # With routing off, scikit-learn (1.9) calls this for scorers in a dictionary.
        return True


def _request(*, sample_weight: bool | str | None) -> MetadataRequest:
    request = MetadataRequest(owner=MetricScorer.__name__)
    request.score.add_request(param="sample_weight", alias=sample_weight)
    return request

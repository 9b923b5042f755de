"""Models in place of those of the paper on Brier curves: what both must have in common."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.tree import DecisionTreeClassifier

import costspace as cs
from papers.brier_curves import models


def test_the_halves_share_no_row() -> None:
    halves = models.tumours()
    assert halves.x_train.shape == (285, 10)
    assert halves.x_test.shape == (284, 10)
    both = np.concatenate([halves.x_train, halves.x_test])
    assert len(np.unique(both, axis=0)) == 569
    assert halves.y_train.sum() + halves.y_test.sum() == 212


def test_the_pruned_tree_says_the_shares_in_its_leaves() -> None:
    table = models.trees()["pruned"]["train"]
    parts = cs.decomposition.partition_scores(table, partition="roc")
    assert_allclose(parts.mean_score, parts.positive_share, atol=1e-12)
    assert len(parts.share) < 12


def test_the_other_tree_corrects_them() -> None:
    """A leaf with k positives among n says (k + 1) / (n + 2)."""
    halves = models.tumours()
    tree = DecisionTreeClassifier(min_samples_leaf=2, random_state=0)
    leaves = tree.fit(halves.x_train, halves.y_train).apply(halves.x_train)
    for half, x, y in (
        ("train", halves.x_train, halves.y_train),
        ("test", halves.x_test, halves.y_test),
    ):
        alike = [halves.y_train[leaves == leaf] for leaf in tree.apply(x)]
        scores = np.array([(one.sum() + 1) / (len(one) + 2) for one in alike])
        table = models.trees()["unpruned"][half]
        for label, sample in ((0, table.negatives), (1, table.positives)):
            assert_allclose(np.sort(scores[y == label]), sample.values, atol=1e-12)


@pytest.mark.parametrize("tree", ["pruned", "unpruned"])
def test_trees_do_better_on_the_training_half(tree: str) -> None:
    halves = models.trees()[tree]
    assert cs.auc(halves["train"]) > cs.auc(halves["test"])
    assert cs.brier_score(halves["train"]) < cs.brier_score(halves["test"])

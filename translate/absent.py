"""What of the package the page never comes to, and so does not have."""

import ast
from collections.abc import Iterator
from functools import cache

from translate.program import Source, source

# What needed code names, but the page never comes to: modules, classes, functions and methods, with
# all below them.
ABSENT = frozenset(
    {
        # Distributions, and scores of single precision, that only Python can be given.
        "costspace.costs.base.CostDistribution.atoms",
        "costspace.costs.base.CostDistribution.support",
        "costspace.costs.sampled",
        "costspace.costs.scipy_frozen.ScipyFrozen",
        "costspace.deployment.amounts.Frozen",
        "costspace.single._decimals",
        # What more labelled rows are worth, which a page does not ask.
        "costspace.decision.decision.Decision.settling",
        # Segments, which a page does not ask for.
        "costspace.decision.fitting.choosing.Priced.models",
        "costspace.decision.fitting.choosing.Priced.on",
        "costspace.decision.held_out.judged_rows.JudgedRows.fold",
        # What draws at random.
        "costspace.decision.held_out.folds",
        "costspace.decision.held_out.holding_out",
        "costspace.decision.rules.draws",
        "costspace.deployment.panels.Panels.drawn",
        # What only more points than a page holds come to.
        "costspace.roc.hull._isotonic_by_scipy",
        # Costs of each case: a page that holds them answers no questions.
        "costspace.decision.fitting.fitted_by_case.FittedByCase",
        "costspace.decision.fitting.fitted_by_case.goes_by_case",
        "costspace.decision.fitting.fitted.FittedByCondition.training_flagged",
        "costspace.decision.fitting.fitted.FittedStrategy.training_flagged",
        "costspace.decision.fitting.fitted_decisions.FittedDecisions.training_flagged",
        "costspace.decision.fitting.fitted_review.FittedReview._losses_of",
        "costspace.decision.fitting.review_places._by_case",
        "costspace.decision.money.row_conditions",
        "costspace.decision.task.Task._steps_by_case",
        "costspace.deployment.review.Review.priced",
        "costspace.deployment.review.Review.split",
        "costspace.decision.money.at_stake._in_costs",
        "costspace.decision.money.at_stake._ranks_better",
        "costspace.samples.case_costs",
        "costspace.samples.rows.ScoredRows.known_costs",
        "costspace.samples.rows.ScoredRows.mean_costs",
        "costspace.samples.rows.ScoredRows.weighed_by_cost",
        # What is given in Python, before it is rows.
        "costspace.decision.asking.check_decisions",
        "costspace.decision.asking.held_out_for",
        "costspace.decision.fitting.strategies.check_choices",
        "costspace.decision.strategy.named_choices",
        "costspace.samples.labels",
        "costspace.predictions",
        "costspace.samples.rows.ScoredRows.from_predictions",
        "costspace.samples.rows.scores_by_name",
        "costspace.scores.table.ScoreTable.from_predictions",
        "costspace.samples.validation.score_array",
        # Summaries that are made, added up or known by bin: a page holds counts that are checked.
        *(
            f"costspace.summaries.counts.ScoreCounts.{name}"
            for name in ("__post_init__", "__add__", "__repr__", "from_groups", "table", "_kind")
        ),
        *(
            f"costspace.summaries.counts.ScoreCounts.{name}"
            for name in ("best", "_bounding", "_means", "_means_in_unit", "prevalence")
        ),
        *(
            f"costspace.summaries.cell_sums.CellSums.{name}"
            for name in ("__post_init__", "__repr__", "none", "as_weighted", "then", "ordered")
        ),
        *(
            f"costspace.summaries.cell_sums.CellSums.{name}"
            for name in ("merged", "at_end", "ends", "moments", "in_unit", "filled", "mass")
        ),
        # Validation rows: a page holds rows in folds.
        "costspace.decision.fitting.choosing.Choosing._chosen_on_validation_rows",
        "costspace.decision.task.Task._doubts_of_validation",
        # Amounts of each case.
        "costspace.decision.fitting.queued_rows.QueuedRows._masses_of",
        "costspace.decision.money.class_intervals.cubic_ends",
        # Choices that a page does not ask for, of which it has the names.
        *(
            f"costspace.choices.{name}.{method}"
            for name in (
                *("optimal.Optimal", "rate.RateDriven", "rate.RateFixed", "rate.RateUniform"),
                "score.ScoreUniform",
            )
            for method in ("flagging", "path")
        ),
        *(
            f"costspace.choices.{name}"
            for name in ("rate.RateUniform.drawn", "score.ScoreUniform.drawn", "fitted.Fitted")
        ),
        *(f"costspace.choices.flagging.SlidingFlagging.{name}" for name in ("exposure", "path")),
        "costspace.decision.limits.feasible._best_cuts",
        "costspace.decision.limits.feasible._clipped",
        "costspace.decision.limits.moved._split",
        # What choices lose, by the condition and in all: a page asks what rules cost.
        *(
            f"costspace.choices.base.ThresholdChoice.{name}"
            for name in ("expected_loss", "exposure", "influence", "risks")
        ),
        *(
            f"costspace.choices.{name}"
            for name in (
                *("rate.RateDriven.expected_loss", "rate.RateDriven.influence"),
                *("rate.RateUniform.influence", "score.ScoreDriven.expected_loss"),
                *(f"score.Score{kind}.risks" for kind in ("Driven", "Fixed", "Uniform")),
            )
        ),
        *(f"costspace.decision.decision.Decision.{name}" for name in ("by", "rules", "saved")),
        # Segments of rows, which a page holds counted.
        *(
            f"costspace.decision.evidence.money_sample.MoneySample.{name}"
            for name in ("between_thresholds", "mean")
        ),
        "costspace.decision.money.class_intervals._second_order_ends",
        "costspace.choices.flagging.ConstantFlagging.path",
        "costspace.choices.score.ScoreUniform.misfit",
        "costspace.decision.rules.threshold_paths.ThresholdPath.stepping",
        "costspace.scores.look_ups.LookUp._lines",
        "costspace.decision.limits.thresholds._constant",
        "costspace.decision.money.costed.CostedScores.path",
        # Scenarios, but as combinations of what is known.
        *(
            f"costspace.deployment.scenarios.Scenarios.{name}"
            for name in (
                *("assumptions", "averaging", "bands", "corners", "of_right", "over_prevalence"),
                *("skews_of_class", "stakes", "where_rarer"),
            )
        ),
        # Distributions of prevalence but between two bounds.
        *(
            f"costspace.{name}.log_odds_density"
            for name in ("costs.beta.Beta", "costs.mixture.Mixture", "deployment.skews.Skews")
        ),
        "costspace.costs.truncated.Truncated",
        "costspace.deployment.prevalence._by_below",
        # Choices that do not go through the skew, as by the share flagged; a page has their names.
        "costspace.deployment.proportions",
        # Rules for new cases, by condition and in files.
        "costspace.decision.applying",
        *(
            f"costspace.decision.rules.{name}"
            for name in (
                *("rules.Rules.each", "rules.Rules.joined", "rules_by_condition.ByFormula.to_dict"),
                "threshold_paths.ThresholdPath.to_dict",
            )
        ),
        *(
            f"costspace.decision.rules.review_queue.ReviewQueue.{name}"
            for name in (*("by_score", "cuts", "tied", "_reviewed", "_turns", "__str__"),)
        ),
        # Distributions of scores that are formulas.
        "costspace.curve.cells",
        "costspace.curve.smooth",
        "costspace.quadrature",
        # Metrics of predictions, and of losses; a page asks for AUCs.
        "costspace.influences.losses",
        "costspace.metrics.of_predictions",
        # Records of Python; the page has those that it asks for.
        "costspace.comparison.dominating",
        "costspace.decision.decision.Decision.to_dict",
    }
)
# Methods that no class has on the page: what tables of Python are made of.
NOWHERE = frozenset({"columns"})


def is_absent(whole: str) -> bool:
    """Whether the page never comes to what has this name, with its module and class."""
    parts = whole.split(".")
    return any(".".join(parts[: k + 1]) in ABSENT for k in range(len(parts)))


@cache
def names() -> frozenset[str]:
    """What parts of absent classes are called, which code asks for where it has such a value."""
    return frozenset(name for whole in ABSENT for name in _names(whole)) | NOWHERE


def _names(whole: str) -> Iterator[str]:
    where, rest = _module(whole)
    node: ast.AST = where.tree
    for name in rest:
        inside = [one for one in ast.iter_child_nodes(node) if getattr(one, "name", "") == name]
        if not inside:
            raise NameError(f"{whole} is not in the package")
        node = inside[0]
    if isinstance(node, ast.FunctionDef):
        yield from rest[1:]
        return
    for one in [node] if isinstance(node, ast.ClassDef) else ast.iter_child_nodes(node):
        for part in one.body if isinstance(one, ast.ClassDef) else ():
            if isinstance(part, ast.FunctionDef):
                yield part.name
            elif isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name):
                yield part.target.id


def _module(whole: str) -> tuple[Source, list[str]]:
    """The module of a name, and what of it is meant."""
    parts = whole.split(".")
    for k in range(len(parts), 0, -1):
        try:
            return source(".".join(parts[:k])), parts[k:]
        except ModuleNotFoundError:
            continue
    raise ModuleNotFoundError(whole)

"""Draw every plot of `costspace.plots` into a folder, on data that scikit-learn ships.

Run as ``python examples/gallery.py FOLDER``. The cases are 442 patients with diabetes, the
positives those whose disease is far along a year later; three models score them out of fold.
"""

import sys
from functools import cache
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import cross_val_predict
from sklearn.naive_bayes import GaussianNB

import costspace as cs
from costspace import plots

FAR_ALONG = 200
MODELS = {
    "logistic": LogisticRegression(C=100),
    "naive Bayes": GaussianNB(),
    "forest": RandomForestClassifier(min_samples_leaf=5, random_state=0),
}
# A model has one colour in every picture.
COLOURS = plots.colours(MODELS)
# A missed patient costs 2 to 10 needless treatments, and 10 to 40 % of patients are positive.
CONDITIONS = cs.Deployment(fp_cost=1, fn_cost=(2, 10), prevalence=(0.1, 0.4))


@cache
def data():
    """Labels, and each model's scores."""
    patients = load_diabetes()
    y = (patients.target > FAR_ALONG).astype(int)
    scores = {
        name: cross_val_predict(model, patients.data, y, cv=5, method="predict_proba")[:, 1]
        for name, model in MODELS.items()
    }
    return y, scores


def tables():
    y, scores = data()
    return {name: cs.ScoreTable.from_predictions(y, s) for name, s in scores.items()}


def curves(choice, axis="cost"):
    return {
        name: cs.loss_curve(table, choice=choice, axis=axis) for name, table in tables().items()
    }


@cache
def decision():
    y, scores = data()
    return cs.decide(y, scores, conditions=CONDITIONS)


def roc_space():
    table = tables()["logistic"]
    return plots.plot_roc_space(
        tables(),
        hull=False,
        isometrics=[cs.roc.loss_isometric(c=0.25, prevalence=table.prevalence, loss=0.2)],
        paths={"optimal thresholds of logistic": cs.Optimal().path(table)},
        conditions=[0.1, 0.25, 0.5],
        colours={**COLOURS, "optimal thresholds of logistic": COLOURS["logistic"]},
    )


def cost_space():
    found = curves(cs.ScoreDriven())
    return plots.plot_cost_space(
        found,
        envelope=cs.lower_envelope(list(found.values())).curve,
        trivial=tables()["logistic"].prevalence,
        costs=cs.Uniform(0.1, 0.33),
    )


def bands():
    y, scores = data()
    name = "logistic"
    curve = cs.loss_curve(y, scores[name], choice=cs.ScoreDriven())
    band = cs.loss_band(y, scores[name], choice=cs.ScoreDriven())
    return plots.plot_cost_space(
        {name: curve}, bands={name: band}, trivial=y.mean(), operating_range=True
    )


def cost_lines():
    table = tables()["logistic"]
    lines = cs.cost_lines(table.distinct_points.after_flagging_all(), axis="pc")
    return plots.plot_cost_space({}, lines=lines, envelope=True, trivial=0.5, axis="pc")


def rare_events():
    return plots.plot_cost_space(
        curves(cs.Optimal()), trivial=tables()["logistic"].prevalence, scale="logit"
    )


def difference():
    y, scores = data()
    models = ("naive Bayes", "logistic")
    band = cs.difference_band(
        y, {name: scores[name] for name in models}, choice=cs.ScoreDriven(), low=0.05, high=0.95
    )
    return plots.plot_difference(band, models=models, colours=COLOURS)


def crossing():
    y, scores = data()
    thresholds = {"threshold 0.2": cs.ScoreFixed(0.2), "threshold 0.5": cs.ScoreFixed(0.5)}
    band = cs.difference_band(y, dict.fromkeys(thresholds, scores["logistic"]), choice=thresholds)
    return plots.plot_difference(band, models=tuple(thresholds))


def dominance():
    choices = {
        "optimal": cs.Optimal(),
        "score-driven": cs.ScoreDriven(),
        "rate-driven": cs.RateDriven(),
        "at 0.5": cs.ScoreFixed(0.5),
    }
    found = {
        f"{model}, {way}": curve
        for way, choice in choices.items()
        for model, curve in curves(choice).items()
    }
    colours = {name: COLOURS[name.partition(",")[0]] for name in found}
    return plots.plot_dominance(found, within=0.02, colours=colours)


def strategies():
    losses = {str(one): curve for one, curve in decision().losses().items() if one.model}
    return plots.plot_cost_space(losses, axis="skew", trivial=0.5)


def net_benefit():
    return plots.plot_net_benefit(
        {name: cs.decision_curve(table) for name, table in tables().items()}
    )


def gain_curves():
    return {name: cs.metrics.gain_curve(table) for name, table in tables().items()}


def gain():
    y, scores = data()
    band = cs.bands.gain_band(y, scores["forest"])
    return plots.plot_gain(gain_curves(), bands={"forest": band}, colours=COLOURS)


def lift():
    return plots.plot_gain(gain_curves(), kind="lift", colours=COLOURS)


def review_curves():
    """A doctor finds 95 % of the patients, and is mistaken about 1 in 10 others."""
    doctor = cs.Review(cost=0.3, sensitivity=0.95, specificity=0.9)
    return {
        name: cs.review_curve(table, fp_cost=1, fn_cost=5, review=doctor, choice=cs.Optimal())
        for name, table in tables().items()
    }


def reviews():
    return plots.plot_reviews(review_curves())


def reviews_by_share():
    return plots.plot_reviews(review_curves(), kind="share")


def brier_parts():
    table = tables()["logistic"]
    return plots.plot_brier_parts(
        cs.metrics.class_parts(table), optimal=cs.loss_curve(table, choice=cs.Optimal())
    )


def deciles(model):
    return cs.decomposition.partition_scores(tables()[model], partition=10)


def calibration():
    shown = {name: deciles(name) for name in ("logistic", "forest")}
    return plots.plot_calibration(shown, colours=COLOURS)


def partition_losses():
    return plots.plot_partition_losses(deciles("forest"))


def score_distributions():
    return plots.plot_score_distributions(
        tables()["logistic"], thresholds={"costs 1:1": 0.5, "costs 1:4": 0.2}
    )


def watched():
    """The first half of the patients decides; the others come in 13 weeks."""
    y, scores = data()
    half = len(y) // 2
    first = {name: s[:half] for name, s in scores.items()}
    watch = cs.begin_watch(cs.decide(y[:half], first, fp_cost=1, fn_cost=4), tolerance=700)
    for week in range(13):
        some = slice(half + 17 * week, half + 17 * (week + 1))
        day = np.datetime64("2026-01-05") + 7 * week
        watch = watch.add(y[some], {name: s[some] for name, s in scores.items()}, day=str(day))
    return plots.plot_watch(watch.look())


def roc_surface():
    return plots.plot_roc_surface(cs.roc_surface(tables()["logistic"]))


PICTURES = (
    *(roc_space, cost_space, bands, cost_lines, rare_events, difference, crossing),
    *(dominance, strategies, net_benefit, gain, lift, reviews, reviews_by_share),
    *(brier_parts, calibration, partition_losses, score_distributions, watched, roc_surface),
)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for draw in PICTURES:
        display = draw()
        display.figure.savefig(folder / f"{draw.__name__}.png", dpi=144)
        plt.close(display.figure)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
    print(f"wrote {len(PICTURES)} pictures into {sys.argv[1]}")

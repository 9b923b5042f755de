"""Draw what three models cost whose AUCs lie within a hundredth of each other, for the README.

Run as ``python examples/why_auc_misleads.py OUT.svg``. Beside it lies the file that it reads,
``breast_cancer.csv``, which ``demo.py`` makes.
"""

import sys
from pathlib import Path

import matplotlib as mpl
import matplotlib.pyplot as plt
import numpy as np

import costspace as cs
from costspace.frames.files import read_rows
from costspace.plots import colours
from costspace.plots.labels import label_lines

FILE = Path(__file__).with_name("breast_cancer.csv")
NAMES = {"logistic": "logistic", "naive_bayes": "naive Bayes", "random_forest": "forest"}
COLOURS = colours(NAMES)
# What a missed cancer may cost, in biopsies, and what is known of it.
SHOWN, KNOWN = (1, 1000), (10, 100)


def money(curve, ratios):
    """What 1,000 patients cost, in biopsies, where a missed cancer costs so many."""
    return 500 * (1 + ratios) * curve(1 / (1 + ratios))


def draw_costs(ax, tables):
    ratios = np.geomspace(*SHOWN, 2000)
    for name, table in tables.items():
        trusted = cs.loss_curve(table, choice=cs.ScoreDriven())
        label = f"{NAMES[name]}, AUC {cs.auc(table):.3f}"
        ax.plot(ratios, money(trusted, ratios), color=COLOURS[name], label=label)
    usual = cs.loss_curve(tables["logistic"], choice=cs.ScoreFixed(0.5))
    label = "logistic at threshold 0.5"
    ax.plot(ratios, money(usual, ratios), color=COLOURS["logistic"], linewidth=0.8, label=label)
    everybody = 1000 * (1 - tables["logistic"].prevalence)
    ax.axhline(everybody, color="0.4", linewidth=1, label="no model: a biopsy for everybody")
    ax.axvspan(*KNOWN, color="0.92", zorder=0, label="known range")
    ax.set(xscale="log", yscale="log", xlim=SHOWN, ylim=(10, 6000))
    ax.set_ylabel("Cost of 1,000 patients, in biopsies")
    ax.set_title("Equal AUC, unequal cost: thresholds set by the scores", fontsize="medium")
    label_lines(ax)


def draw_bands(ax, rows):
    prevalence = float(np.mean(rows.positive))
    known = cs.Deployment(fp_cost=1, fn_cost=SHOWN, prevalence=prevalence)
    asked = {"choices": [cs.ScoreDriven()], "known": "costs"}
    losses = cs.decide(rows.positive, rows.scores, conditions=known, **asked).losses()
    found = cs.dominance({one.model or one.name: curve for one, curve in losses.items()})
    right, *lefts = 1 / np.maximum(found.breaks, 1e-9) - 1
    for left, best in zip(lefts, found.best, strict=True):
        ax.barh(0, right - left, left=left, color=COLOURS.get(best[0], "0.4"))
        right = left
    ax.set(xscale="log", yticks=[], xlim=SHOWN)
    ax.set_xlabel("Cost of a missed cancer, in biopsies")
    ax.set_ylabel("best", rotation=0, ha="right", va="center")


def main(path):
    rows = read_rows(FILE, label="y_true", scores=list(NAMES))
    tables = {name: cs.ScoreTable.from_rows(rows, name) for name in NAMES}
    mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "costspace"})
    figure, (costs, bands) = plt.subplots(
        2, 1, figsize=(5.5, 4.2), sharex=True, height_ratios=[12, 1], layout="constrained"
    )
    draw_costs(costs, tables)
    draw_bands(bands, rows)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)
    plt.close(figure)


if __name__ == "__main__":
    main(Path(sys.argv[1]))

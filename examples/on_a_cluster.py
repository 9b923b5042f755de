"""What the examples of clusters share: predictions in partitions, and what is asked about them."""

from functools import partial

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import costspace as cs
from costspace.frames import binned_scores, score_table

SITES = ["north", "south"]
ASKED = {"label": "outcome", "pos_label": "ill"}


def write_predictions(folder, parts=4, rows=25_000):
    """Write Parquet files of made-up predictions of two models."""
    for part in range(parts):
        random = np.random.default_rng(part)
        ill = random.random(rows) < 0.2
        evidence = random.normal(2.0 * ill)
        columns = {
            "outcome": np.where(ill, "ill", "well"),
            "site": random.choice(SITES, rows),
            # Probabilities to three digits, and such as no two rows share.
            "card": (1 / (1 + np.exp(3.4 - 2 * evidence))).round(3),
            "network": 1 / (1 + np.exp(2.4 - 2 * evidence - random.normal(size=rows))),
        }
        pq.write_table(pa.table(columns), folder / f"part-{part}.parquet")


def evaluate(frame):
    """Print how good the models are; the frame may be of any engine."""
    # As many numbers come back as there are distinct scores: a thousand.
    table = score_table(frame, **ASKED, score="card")
    print(cs.evaluate(table))

    tables = score_table(frame, **ASKED, score="card", by="site")
    for site, table in tables.items():
        print(f"card at {site}: AUC {table.auc:.6f}")

    # As many as there are bins, until no bounds are further apart than the width.
    binned = binned_scores(frame, **ASKED, score="network", bins=2**12, width=1e-3)
    print(f"network: AUC {cs.bounds(binned, metric=cs.auc)}")
    loss = cs.bounds(
        binned, metric=partial(cs.expected_loss, choice=cs.RateDriven(), costs=cs.Beta(2, 8))
    )
    print(f"network: expected loss {loss}")

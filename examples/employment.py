"""Take a quarter of four years of employment data, with a model's scores, into one file.

Run as ``python examples/employment.py FOLDER OUT.parquet``. FOLDER is nannyml/datasets/data of the
package nannyml 0.13.1 (Apache License 2.0): people of Massachusetts in the American Community
Survey of 2015 to 2018 (US Census Bureau, public use microdata, public domain), and the chance that
each is employed by NannyML's model. The file that it writes is kept as
``examples/employment.parquet``.
"""

import sys
from pathlib import Path

import pandas as pd


def main(folder, out):
    parts = {
        name: pd.read_parquet(Path(folder) / f"employment_MA_{name}.pq")
        for name in ("reference", "analysis", "analysis_target")
    }
    later = parts["analysis"].merge(parts["analysis_target"], on="id", validate="one_to_one")
    people = pd.concat([parts["reference"], later])
    people = people[people["id"] % 4 == 0]
    kept = pd.DataFrame(
        {
            "year": people["year"].astype("int16"),
            "sex": people["SEX"].astype(str).map({"1": "male", "2": "female"}),
            "employed": people["employed"].astype("int8"),
            "score": people["predicted_probability"].round(3),
        }
    )
    kept.to_parquet(out, index=False, compression="zstd")


if __name__ == "__main__":
    main(*sys.argv[1:])

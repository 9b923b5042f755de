"""Evaluate predictions on Spark, here in this machine's two cores.

Run as ``python examples/cluster_spark.py``. Of a real cluster, give `master` the address.
"""

import tempfile
from pathlib import Path

from on_a_cluster import evaluate, write_predictions
from pyspark.sql import SparkSession


def main(folder):
    spark = (
        SparkSession.builder.master("local[2]")
        .appName("costspace")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .getOrCreate()
    )
    try:
        evaluate(spark.read.parquet(folder))
    finally:
        spark.stop()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        write_predictions(Path(folder))
        main(folder)

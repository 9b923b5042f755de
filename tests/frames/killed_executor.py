"""Count scores on a Spark cluster of two executors, one of which is killed meanwhile.

Run as ``python killed_executor.py ROWS FOLDER`` in a process of its own, since a process has one
Spark only. Saves in the folder what it found in the Parquet file of rows.
"""

import os
import sys
from pathlib import Path
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from costspace.frames import save, score_counts

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.driver.host": "127.0.0.1",
    "spark.executor.memory": "512m",
}
PARTS = 6


def started() -> SparkSession:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    # Two executors, each a process with one core and 1024 MB.
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").appName("killed executor")
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("OFF")
    spark.sparkContext.addPyFile(str(Path(__file__).parents[1] / "trap.py"))
    return spark


def trapped(frame: DataFrame, trap: Any) -> DataFrame:
    """The rows, which pass through the trap in the executors."""

    def rows_of(batches: Any) -> Any:
        import psutil

        # Between this process and its executor is the one that starts such as this.
        executor = psutil.Process(os.getppid()).ppid()
        for rows in batches:
            for part in rows["part"].unique():
                trap.take_up(int(part), executor)
            yield rows

    return frame.mapInPandas(rows_of, frame.schema)


def main(file: Path, folder: Path) -> None:
    spark = started()
    # Executors find it where Spark has put it.
    from trap import Trap

    rows = spark.read.parquet(str(file)).repartitionByRange(PARTS, "part")
    # The first pass looks at the rows, the second counts.
    trap = Trap(folder / "trap", after=PARTS)
    with trap.killing():
        counts = score_counts(trapped(rows, trap), label="y", score="s", weight="w")
    save(folder / "counts.parquet", {"s": counts})
    spark.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))

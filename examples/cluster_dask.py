"""Evaluate predictions on a Dask cluster, here of two processes on this machine.

Run as ``python examples/cluster_dask.py``. Of a real cluster, give `Client` the address.
"""

import tempfile
from pathlib import Path

import dask.dataframe as dd
from dask.distributed import Client, LocalCluster
from on_a_cluster import evaluate, write_predictions


def main(folder):
    with (
        LocalCluster(n_workers=2, threads_per_worker=1) as cluster,
        Client(cluster),
    ):
        evaluate(dd.read_parquet(folder))


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        write_predictions(Path(folder))
        main(folder)

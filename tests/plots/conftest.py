"""No plot opens a window."""

import matplotlib as mpl

mpl.use("Agg")

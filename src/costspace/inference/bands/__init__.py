"""Confidence bands around loss curves, exact at every condition."""

from costspace.deferral import deferred

deferred(globals())

"""Bands around loss curves, and how far rows move them: known at every condition."""

from costspace.deferral import deferred

deferred(globals())

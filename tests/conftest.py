"""One profile for every property test: the same examples on every machine and run."""

from hypothesis import settings

# No deadline: a slow machine is not a failure.
settings.register_profile("fixed", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("fixed")

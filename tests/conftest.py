"""One profile for every property test: the same examples on every machine and run."""

from importlib import import_module
from pkgutil import walk_packages

from hypothesis import settings

import costspace

# No deadline: a slow machine is not a failure.
settings.register_profile("fixed", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("fixed")

# Examples are made of constants in the modules that are loaded, too: load all of them, in
# whichever order tests run, but for those whose libraries are not there.
for module in walk_packages(costspace.__path__, "costspace.", onerror=lambda _: None):
    if not module.name.endswith("__main__"):
        try:
            import_module(module.name)
        except ImportError:
            continue

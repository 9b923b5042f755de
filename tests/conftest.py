"""One profile for every property test: the same examples on every machine and run."""

from contextlib import suppress
from importlib import import_module
from pathlib import Path

from hypothesis import settings

import costspace

# No deadline: a slow machine is not a failure.
settings.register_profile("fixed", derandomize=True, deadline=None, print_blob=True)
settings.load_profile("fixed")

# Examples are made of constants in the modules that are loaded, too: load all of them, in
# whichever order tests run, but for those whose libraries are not there.
SOURCES = Path(costspace.__file__).parents[1]
for path in sorted((SOURCES / "costspace").rglob("[!_]*.py")):
    # The command line exits if it lacks its libraries.
    with suppress(ImportError, SystemExit):
        import_module(".".join(path.relative_to(SOURCES).with_suffix("").parts))

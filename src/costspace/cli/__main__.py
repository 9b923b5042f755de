"""The command line as `python -m costspace.cli`."""

from costspace.cli import main

main()

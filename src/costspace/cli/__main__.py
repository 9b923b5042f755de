"""The command line as `python -m costspace.cli`."""

from costspace_command import main

main()

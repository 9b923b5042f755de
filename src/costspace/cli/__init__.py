"""The command line: a thin layer of typed functions over the package."""

from costspace.cli.application import main as main

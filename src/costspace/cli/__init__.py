"""The command line: a thin layer of typed functions over the package."""

try:
    from costspace.cli.application import main as main
except ModuleNotFoundError as error:
    if str(error.name).partition(".")[0] not in {"cyclopts", "rich"}:
        raise
    raise SystemExit(
        "costspace: the command line needs its libraries: pip install 'costspace[cli]'."
    ) from None

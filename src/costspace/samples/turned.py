"""Scores that are made of a column where higher means less positive, and named so."""


def turned_from(name: str) -> tuple[float, str] | None:
    """The number that a column is taken from, and the column; None unless the name says so.

    ``-NAME`` are scores with their sign changed, ``1-NAME`` the chances of the other class.
    """
    number, minus, column = name.partition("-")
    if not minus or not column.strip() or number.strip() not in ("", "1"):
        return None
    return (1.0 if number.strip() else 0.0), column.strip()

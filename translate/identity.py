"""What tells a program from others, whatever its local variables are called."""

import re
from hashlib import sha256

from translate.runtime import RESERVED

# A string, a number, what stands between a variable and what it goes over, a part of a value, a
# word, or what opens and closes.
_SIGN = re.compile(
    r'"(?:[^"\\]|\\.)*"|\d[\w.]*| of (?=py\.iterated\(|i\$\))|\.\.\.|\.[\w$]+'
    r"|[A-Za-z_$][\w$]*|[{}()\[\];]"
)


def identity(text: str) -> str:
    """A hash of a translated program with its local variables numbered."""
    return sha256(numbered(text).encode()).hexdigest()


def numbered(text: str) -> str:
    """The program with its local variables numbered in each function or method."""
    known: dict[str, str] = {}
    # How many brackets are open, and how many are around each method of a class.
    depth, around = 0, 0

    def shown(found: re.Match[str]) -> str:
        nonlocal depth, around
        sign = found[0]
        if sign == "class" and depth == 0:
            around = 1
        if sign in ("{", "(", "["):
            depth += 1
        elif sign in ("}", ")", "]"):
            depth -= 1
            if depth == 0:
                around = 0
            if sign == "}" and depth == around:
                known.clear()
        elif sign == ";" and depth == around:
            known.clear()
        # Names of the whole program, and in between, have a sign that Python's have not.
        elif depth > around and re.fullmatch(r"[A-Za-z_]\w*", sign) and sign not in RESERVED:
            return known.setdefault(sign, f"v{len(known)}")
        return sign

    return _SIGN.sub(shown, text)

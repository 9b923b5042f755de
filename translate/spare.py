"""Which values are nobody's but the next function's, so that their storage can serve it."""

import ast

# Functions of NumPy that find a new array of what they are given by place, and keep none of it.
_OF_ELEMENTS = frozenset(
    "abs add divide equal exp expm1 fmax fmin greater greater_equal isfinite isinf isnan isneginf "
    "isposinf less less_equal log log1p log10 logical_and logical_not logical_or maximum minimum "
    "multiply not_equal power rint sqrt square subtract".split()
)
_CONSUMERS = _OF_ELEMENTS | frozenset(
    "all any clip count_nonzero cumsum diff flatnonzero max min sum where".split()
)


def consumes(node: ast.Call) -> bool:
    """Whether a call needs what it is given by place no longer when it has found what it does."""
    return _of_numpy(node) in _CONSUMERS


def is_spare(node: ast.expr) -> bool:
    """Whether an expression finds a new array, if it finds one at all, that nothing else holds."""
    if isinstance(node, ast.Call):
        return _of_numpy(node) in _OF_ELEMENTS and not node.keywords
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, (ast.USub, ast.Invert)) and not _is_constant(node.operand)
    return isinstance(node, ast.BinOp) and not (
        isinstance(node.op, ast.MatMult) or _is_constant(node)
    )


def _of_numpy(node: ast.Call) -> str:
    function = node.func
    if isinstance(function, ast.Attribute) and isinstance(function.value, ast.Name):
        return function.attr if function.value.id == "np" else ""
    return ""


def _is_constant(node: ast.expr) -> bool:
    if isinstance(node, ast.BinOp):
        return _is_constant(node.left) and _is_constant(node.right)
    return isinstance(node, ast.Constant)

"""Expressions of Python as those of JavaScript."""

import ast
import json
from collections.abc import Callable, Sequence
from typing import Any

from translate.absent import is_absent
from translate.calls import Calls
from translate.inner import Inner
from translate.javascript import Runtime
from translate.known import Known, stands_for
from translate.program import Found
from translate.runtime import ARRAY_NAMES, OPERATORS, OWN
from translate.scope import Scope, js_name, refusal
from translate.signatures import Signatures
from translate.spare import is_spare
from translate.types import Types

# What is true or false as it stands, and needs no test of its own.
_PLAIN_TESTS = (ast.Is, ast.IsNot, ast.In, ast.NotIn)


class Expressions(Inner, Calls, Known):
    """Writes expressions of functions in a scope."""

    def __init__(self, signatures: Signatures, names: Callable[..., str], runtime: Runtime) -> None:
        self.signatures = signatures
        self.runtime = runtime
        self.types = Types(signatures.reach)
        self.names = names
        self.valued: set[str] = set()

    def expr(self, node: ast.expr, scope: Scope) -> str:
        """An expression."""
        write = getattr(self, f"_{type(node).__name__}", None)
        if write is None:
            raise refusal(node, scope, ast.unparse(node))
        return str(write(node, scope))

    def exprs(self, nodes: Sequence[ast.expr], scope: Scope) -> str:
        """Several, apart by commas, those with a star spread."""
        return ", ".join(self.expr(one, scope) for one in nodes)

    def test(self, node: ast.expr, scope: Scope) -> str:
        """An expression that is only asked whether it is true."""
        if isinstance(node, ast.BoolOp):
            sign = " && " if isinstance(node.op, ast.And) else " || "
            return f"({sign.join(self.test(one, scope) for one in node.values)})"
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return f"!{self.test(node.operand, scope)}"
        if self._is_plain(node):
            return self.expr(node, scope)
        return f"py.truth({self.expr(node, scope)})"

    def _is_plain(self, node: ast.expr) -> bool:
        if isinstance(node, ast.Compare):
            return all(isinstance(op, _PLAIN_TESTS) for op in node.ops)
        return (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id in {"isinstance", "hasattr", "bool", "any", "all"}
        )

    def used(self, node: ast.expr, scope: Scope) -> str:
        """An expression of which what it finds is used up at once."""
        text = self.expr(node, scope)
        return f"py.done({text})" if is_spare(node) else text

    # Values

    def _Constant(self, node: ast.Constant, scope: Scope) -> str:
        value = node.value
        if value is None or isinstance(value, bool):
            return {None: "null", True: "true", False: "false"}[value]
        if value is Ellipsis:
            return "np.Ellipsis"
        if isinstance(value, (int, float)):
            return repr(value)
        return json.dumps(value)

    def _Name(self, node: ast.Name, scope: Scope) -> str:
        if scope.this(node.id):
            return "this"
        if scope.is_local(node.id):
            return js_name(node.id)
        found = scope.found(node.id)
        if found is None:
            return self.in_runtime(f"py.{node.id}_", node, scope)
        return self.global_(found, node, scope)

    def global_(self, found: Found, node: ast.expr, scope: Scope) -> str:
        """A name that is no variable."""
        whole = f"{found.module}.{found.name}"
        if whole in OWN:
            return OWN[whole]
        if is_absent(whole):
            return f"py.missing({json.dumps(whole)})"
        if found.kind in ("external", "module"):
            own = stands_for(whole.removesuffix("."))
            if own is None:
                raise self.unknown(node, scope)
            return self.in_runtime(own, node, scope)
        return self.names(found)

    def _Attribute(self, node: ast.Attribute, scope: Scope) -> str:
        if isinstance(node.value, ast.Name) and self._is_numpy(node.value, scope):
            return self.in_runtime(f"np.{node.attr}", node, scope)
        if node.attr in ("__name__", "__class__", "__dict__"):
            asked = self.in_runtime(f"py.{node.attr.strip('_')}_of", node, scope)
            return f"{asked}({self.expr(node.value, scope)})"
        if isinstance(node.ctx, ast.Load):
            self.check_part(node, scope)
        of = self.expr(node.value, scope)
        if isinstance(node.ctx, ast.Load) and self.types.is_part(node, scope):
            return f"{of}.{node.attr}"
        if node.attr in self.signatures.methods and isinstance(node.ctx, ast.Load):
            self.valued.add(node.attr)
            return f"py.attr({of}, {json.dumps(node.attr)})"
        if node.attr in ARRAY_NAMES and node.attr not in self.signatures.fields:
            of = f"py.nd({of})"
        return f"{of}.{node.attr}"

    def _is_numpy(self, node: ast.Name, scope: Scope) -> bool:
        return node.id == "np" and not scope.is_local("np")

    def _JoinedStr(self, node: ast.JoinedStr, scope: Scope) -> str:
        parts = []
        for one in node.values:
            if isinstance(one, ast.Constant):
                parts.append(json.dumps(one.value))
            else:
                parts.append(self._formatted(one, scope))
        return f"({' + '.join(parts)})" if parts else '""'

    def _formatted(self, node: Any, scope: Scope) -> str:
        value = self.expr(node.value, scope)
        if node.conversion == ord("r"):
            value = f"text.repr({value})"
        if node.format_spec is None:
            return f"py.str_({value})"
        return f"text.format({value}, {self.expr(node.format_spec, scope)})"

    def _Tuple(self, node: ast.Tuple, scope: Scope) -> str:
        return f"[{self.exprs(node.elts, scope)}]"

    _List = _Tuple

    def _Set(self, node: ast.Set, scope: Scope) -> str:
        return f"py.set_([{self.exprs(node.elts, scope)}])"

    def _Starred(self, node: ast.Starred, scope: Scope) -> str:
        return f"...py.iterated({self.expr(node.value, scope)})"

    def _Dict(self, node: ast.Dict, scope: Scope) -> str:
        entries = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                entries.append(f"...py.items({self.expr(value, scope)})")
            else:
                entries.append(f"[{self.expr(key, scope)}, {self.expr(value, scope)}]")
        return f"py.dict([{', '.join(entries)}])"

    # Operators

    def _BinOp(self, node: ast.BinOp, scope: Scope) -> str:
        sign = OPERATORS[type(node.op).__name__]
        return f"py.{sign}({self.used(node.left, scope)}, {self.used(node.right, scope)})"

    def _UnaryOp(self, node: ast.UnaryOp, scope: Scope) -> str:
        if isinstance(node.op, ast.Not):
            return self.test(node, scope)
        if isinstance(node.operand, ast.Constant) and isinstance(node.op, ast.USub):
            return f"-{self.expr(node.operand, scope)}"
        return f"py.{OPERATORS[type(node.op).__name__]}({self.used(node.operand, scope)})"

    def _BoolOp(self, node: ast.BoolOp, scope: Scope) -> str:
        found = self.expr(node.values[-1], scope)
        for one in reversed(node.values[:-1]):
            kept = scope.temporary()
            test = f"py.truth({kept} = {self.expr(one, scope)})"
            pair = (found, kept) if isinstance(node.op, ast.And) else (kept, found)
            found = f"({test} ? {pair[0]} : {pair[1]})"
        return found

    def _IfExp(self, node: ast.IfExp, scope: Scope) -> str:
        test, body, other = (
            self.test(node.test, scope),
            self.expr(node.body, scope),
            self.expr(node.orelse, scope),
        )
        return f"({test} ? {body} : {other})"

    def _Compare(self, node: ast.Compare, scope: Scope) -> str:
        left, parts = self.used(node.left, scope), []
        if len(node.ops) == 1:
            return self._compared(node.ops[0], left, self.used(node.comparators[0], scope))
        for k, (op, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            other = self.expr(right, scope)
            if k < len(node.ops) - 1:
                kept = scope.temporary()
                other = f"({kept} = {other})"
                parts.append(self._compared(op, left, other))
                left = kept
            else:
                parts.append(self._compared(op, left, other))
        return f"({' && '.join(f'py.truth({one})' for one in parts)})"

    def _compared(self, op: ast.cmpop, left: str, right: str) -> str:
        if isinstance(op, ast.Is):
            return f"(({left}) === ({right}))"
        if isinstance(op, ast.IsNot):
            return f"(({left}) !== ({right}))"
        if isinstance(op, ast.In):
            return f"py.contains({right}, {left})"
        if isinstance(op, ast.NotIn):
            return f"!py.contains({right}, {left})"
        return f"py.{OPERATORS[type(op).__name__]}({left}, {right})"

    def _NamedExpr(self, node: ast.NamedExpr, scope: Scope) -> str:
        return f"({js_name(node.target.id)} = {self.expr(node.value, scope)})"

    # Parts of values

    def _Subscript(self, node: ast.Subscript, scope: Scope) -> str:
        of, at = self.expr(node.value, scope), self.index(node.slice, scope)
        return (
            f"py.getitem({of}, py.done({at}))"
            if is_spare(node.slice)
            else f"py.getitem({of}, {at})"
        )

    def index(self, node: ast.expr, scope: Scope) -> str:
        """What stands in brackets."""
        if isinstance(node, ast.Tuple):
            return f"new np.Index([{', '.join(self.index(one, scope) for one in node.elts)}])"
        if isinstance(node, ast.Slice):
            ends = (node.lower, node.upper, node.step)
            shown = ", ".join("null" if e is None else self.expr(e, scope) for e in ends)
            return f"new np.Slice({shown})"
        return self.expr(node, scope)

    def target(self, node: ast.expr, scope: Scope) -> str:
        """What values are bound to."""
        if isinstance(node, ast.Name):
            return js_name(node.id)
        if isinstance(node, ast.Starred):
            return f"...{self.target(node.value, scope)}"
        if isinstance(node, (ast.Tuple, ast.List)):
            if any(isinstance(one, ast.Starred) for one in node.elts[:-1]):
                raise refusal(node, scope, "a star before others")
            return f"[{', '.join(self.target(one, scope) for one in node.elts)}]"
        return self.expr(node, scope)

    def _Yield(self, node: ast.Yield, scope: Scope) -> str:
        return f"(yield {'null' if node.value is None else self.expr(node.value, scope)})"

    def _YieldFrom(self, node: ast.YieldFrom, scope: Scope) -> str:
        return f"(yield* py.iterated({self.expr(node.value, scope)}))"

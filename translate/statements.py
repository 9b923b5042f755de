"""Statements and functions of Python as those of JavaScript."""

import ast
import json
from collections.abc import Sequence

from translate.expressions import Expressions
from translate.program import Source
from translate.runtime import OPERATORS
from translate.scope import Scope, assigned, js_name, refusal
from translate.signatures import decorators, signature_of


class Statements(Expressions):
    """Writes functions."""

    def function(self, node: ast.FunctionDef, where: Source, name: str) -> str:
        """A function of a module."""
        text = self._function(node, Scope(where, set()), name)
        if {"cache", "lru_cache"} & set(decorators(node)):
            return f"const {name} = py.memo({text});"
        return text

    def method(self, node: ast.FunctionDef, where: Source, kind: tuple[str, str]) -> str:
        """A method of a class, or a property."""
        kinds = decorators(node)
        static = {"classmethod", "staticmethod"} & set(kinds)
        name = "$init" if node.name == "__init__" else node.name
        skip = 0 if "staticmethod" in kinds else 1
        if "cached_property" in kinds:
            body = self._body(node, Scope(where, set(), of_class=kind), skip)
            return (
                f"get {name}() {{ return py.kept(this, {json.dumps(name)}, () => {{ {body} }}); }}"
            )
        prefix = "get " if "property" in kinds else "*" if is_generator(node) else ""
        own = self._function(
            node, Scope(where, set(), of_class=kind), f"{prefix}{name}", skip=skip, bare=True
        )
        if static:
            return f"static {own}\n{name}(...a$) {{ return this.constructor.{name}(...a$); }}"
        return own

    def _function(
        self, node: ast.FunctionDef, outer: Scope, name: str, *, skip: int = 0, bare: bool = False
    ) -> str:
        parameters = self.parameters(node.args, outer, skip=skip)
        star = "*" if is_generator(node) else ""
        start = name if bare else f"function{star} {name}"
        return f"{start}({parameters}) {{ {self._body(node, outer, skip)} }}"

    def _body(self, node: ast.FunctionDef, outer: Scope, skip: int = 0) -> str:
        scope, bound = self._scope(node, outer, skip)
        text = self.block(node.body, scope)
        declared = [js_name(one) for one in bound] + scope.temporaries
        return f"let {', '.join(declared)};\n{text}" if declared else text

    def _scope(self, node: ast.FunctionDef, outer: Scope, skip: int) -> tuple[Scope, list[str]]:
        arguments = node.args
        given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        given += [one for one in (arguments.vararg, arguments.kwarg) if one is not None]
        names = {one.arg for one in given}
        bound, imports = assigned(node.body)
        own = arguments.args[0].arg if skip else None
        said = {one.arg: one.annotation for one in given if one.annotation is not None}
        beside = {one.arg for one in (arguments.vararg, arguments.kwarg) if one is not None}
        scope = Scope(
            outer.source,
            {*names, *bound},
            outer,
            own=own,
            of_class=outer.of_class,
            annotations={k: v for k, v in said.items() if k not in {*bound, *beside}},
            imports=imports,
            class_name="classmethod" in decorators(node),
        )
        return scope, [one for one in bound if one not in names]

    def block(self, body: Sequence[ast.stmt], scope: Scope) -> str:
        """Statements one after the other."""
        return "\n".join(filter(None, (self.statement(one, scope) for one in body)))

    def statement(self, node: ast.stmt, scope: Scope) -> str:
        """A statement."""
        write = getattr(self, f"_{type(node).__name__}", None)
        if write is None:
            raise refusal(node, scope, ast.unparse(node))
        return str(write(node, scope))

    def _Expr(self, node: ast.Expr, scope: Scope) -> str:
        if isinstance(node.value, ast.Constant):
            return ""
        return f"{self.expr(node.value, scope)};"

    def _Return(self, node: ast.Return, scope: Scope) -> str:
        return f"return {'null' if node.value is None else self.expr(node.value, scope)};"

    def _Pass(self, node: ast.Pass, scope: Scope) -> str:
        return ""

    _Import = _ImportFrom = _Pass

    def _Break(self, node: ast.Break, scope: Scope) -> str:
        return "break;"

    def _Continue(self, node: ast.Continue, scope: Scope) -> str:
        return "continue;"

    def _If(self, node: ast.If, scope: Scope) -> str:
        text = f"if ({self.test(node.test, scope)}) {{ {self.block(node.body, scope)} }}"
        return text + (f" else {{ {self.block(node.orelse, scope)} }}" if node.orelse else "")

    def _While(self, node: ast.While, scope: Scope) -> str:
        if node.orelse:
            raise refusal(node, scope, "while with else")
        return f"while ({self.test(node.test, scope)}) {{ {self.block(node.body, scope)} }}"

    def _For(self, node: ast.For, scope: Scope) -> str:
        if node.orelse:
            raise refusal(node, scope, "for with else")
        over = f"py.iterated({self.expr(node.iter, scope)})"
        target = self.target(node.target, scope)
        return f"for ({target} of {over}) {{ {self.block(node.body, scope)} }}"

    def _Assign(self, node: ast.Assign, scope: Scope) -> str:
        value = self.expr(node.value, scope)
        if len(node.targets) == 1:
            return self._bind(node.targets[0], value, scope)
        kept = scope.temporary()
        parts = [self._bind(one, kept, scope) for one in node.targets]
        return f"{kept} = {value}; {' '.join(parts)}"

    def _AnnAssign(self, node: ast.AnnAssign, scope: Scope) -> str:
        if node.value is None:
            return ""
        return self._bind(node.target, self.expr(node.value, scope), scope)

    def _bind(self, target: ast.expr, value: str, scope: Scope) -> str:
        if isinstance(target, ast.Subscript):
            of, index = self.expr(target.value, scope), self.index(target.slice, scope)
            return f"py.setitem({of}, {index}, {value});"
        if isinstance(target, (ast.Tuple, ast.List)):
            if any(isinstance(one, ast.Subscript) for one in target.elts):
                kept = scope.temporary()
                parts = [
                    self._bind(one, f"{kept}[{k}]", scope) for k, one in enumerate(target.elts)
                ]
                return f"{kept} = [...py.iterated({value})]; {' '.join(parts)}"
            return f"{self.target(target, scope)} = py.iterated({value});"
        return f"{self.target(target, scope)} = {value};"

    def _AugAssign(self, node: ast.AugAssign, scope: Scope) -> str:
        sign = json.dumps(OPERATORS[type(node.op).__name__])
        value = self.used(node.value, scope)
        if isinstance(node.target, ast.Subscript):
            of, at = scope.temporary(), scope.temporary()
            start = f"{of} = {self.expr(node.target.value, scope)}; "
            start += f"{at} = {self.index(node.target.slice, scope)}; "
            changed = f"py.inplace({sign}, py.getitem({of}, {at}), {value})"
            return f"{start}py.setitem({of}, {at}, {changed});"
        target = self.target(node.target, scope)
        return f"{target} = py.inplace({sign}, {target}, {value});"

    def _Delete(self, node: ast.Delete, scope: Scope) -> str:
        # What a name no longer holds is found by nobody.
        parts = [one for one in node.targets if isinstance(one, ast.Subscript)]
        return " ".join(
            f"py.delitem({self.expr(one.value, scope)}, {self.index(one.slice, scope)});"
            for one in parts
        )

    def _Raise(self, node: ast.Raise, scope: Scope) -> str:
        if node.exc is None:
            return "throw e$;"
        return f"throw py.raised({self.expr(node.exc, scope)});"

    def _Try(self, node: ast.Try, scope: Scope) -> str:
        done = scope.temporary() if node.orelse else ""
        mark = f" {done} = true;" if done else ""
        text = f"{done} = false; " if done else ""
        text += f"try {{ {self.block(node.body, scope)}{mark} }}"
        if node.handlers:
            parts = []
            for one in node.handlers:
                kinds = "" if one.type is None else self._kinds(one.type, scope)
                bound = f"{js_name(one.name)} = e$; " if one.name else ""
                body = self.block(one.body, scope)
                parts.append(f"if (py.caught(e$, [{kinds}])) {{ {bound}{body} }}")
            text += f" catch (e$) {{ {' else '.join(parts)} else throw e$; }}"
        if done:
            text += f" if ({done}) {{ {self.block(node.orelse, scope)} }}"
        if node.finalbody:
            text = f"try {{ {text} }}" if node.handlers else text
            text += f" finally {{ {self.block(node.finalbody, scope)} }}"
        return text

    def _With(self, node: ast.With, scope: Scope) -> str:
        (item,) = node.items
        shown = ast.unparse(item.context_expr)
        body = self.block(node.body, scope)
        if shown.startswith("np.errstate("):
            return body
        if shown.startswith("suppress(") and isinstance(item.context_expr, ast.Call):
            kinds = ", ".join(self._kinds(one, scope) for one in item.context_expr.args)
            return f"try {{ {body} }} catch (e$) {{ if (!py.caught(e$, [{kinds}])) throw e$; }}"
        raise refusal(node, scope, f"with {shown}")

    def _FunctionDef(self, node: ast.FunctionDef, scope: Scope) -> str:
        body = self._body(node, scope)
        if is_generator(node):
            raise refusal(node, scope, "generator in a function")
        function = self.arrow(node.args, signature_of(node).names, body, scope)
        if {"cache", "lru_cache"} & set(decorators(node)):
            function = f"py.memo({function})"
        return f"{js_name(node.name)} = {function};"


def is_generator(node: ast.FunctionDef) -> bool:
    """Whether a function yields."""
    todo: list[ast.AST] = list(node.body)
    while todo:
        one = todo.pop()
        if isinstance(one, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(one, (ast.FunctionDef, ast.Lambda)):
            todo.extend(ast.iter_child_nodes(one))
    return False

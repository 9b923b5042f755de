"""Functions inside functions, and loops inside expressions."""

import ast
import json
from collections.abc import Callable, Sequence

from translate.scope import Scope, assigned, js_name
from translate.signatures import signature_of


class Inner:
    """Writes lambdas and comprehensions."""

    def _Lambda(self, node: ast.Lambda, scope: Scope) -> str:
        inner = Scope(scope.source, {a.arg for a in _arguments(node)}, scope)
        body = self.expr(node.body, inner)
        kept = f"let {', '.join(inner.temporaries)}; " if inner.temporaries else ""
        own = signature_of(node)
        return self.arrow(node.args, own.names, f"{kept}return {body};", scope)

    def arrow(self, arguments: ast.arguments, names: Sequence[str], body: str, scope: Scope) -> str:
        """A function inside another; what parameters are by default is found when it is made."""
        parameters, defaults = self.parameters(arguments, scope), []
        if arguments.defaults or any(arguments.kw_defaults):
            given = [*arguments.defaults, *arguments.kw_defaults]
            defaults = [self.expr(one, scope) for one in given if one is not None]
            held = [ast.Name(f"d${k}", ast.Load()) for k in range(len(defaults))]
            inner = Scope(scope.source, {one.id for one in held}, scope)
            parameters = self.parameters(_with_defaults(arguments, list(held)), inner)
        function = f"py.named({json.dumps(list(names))}, ({parameters}) => {{ {body} }})"
        if not defaults:
            return function
        kept = ", ".join(f"d${k}" for k in range(len(defaults)))
        return f"(({kept}) => {function})({', '.join(defaults)})"

    def parameters(self, arguments: ast.arguments, scope: Scope, *, skip: int = 0) -> str:
        """The parameters of a function, with what each is by default."""
        placed = [*arguments.posonlyargs, *arguments.args]
        defaults: list[ast.expr | None] = [None] * (len(placed) - len(arguments.defaults))
        defaults += arguments.defaults

        def written(pairs: list[tuple[ast.arg, ast.expr | None]]) -> list[str]:
            return [
                js_name(one.arg) + ("" if default is None else f" = {self.expr(default, scope)}")
                for one, default in pairs
            ]

        found = written(list(zip(placed, defaults, strict=True))[skip:])
        beside = written(list(zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)))
        if arguments.kwarg:
            beside.append(f"{js_name(arguments.kwarg.arg)} = py.dict([])")
        if arguments.vararg:
            found.append(("" if beside else "...") + js_name(arguments.vararg.arg))
        return ", ".join([*found, *beside])

    def _ListComp(self, node: ast.ListComp | ast.GeneratorExp, scope: Scope) -> str:
        def body(inner: Scope) -> str:
            return f"r$.push({self.expr(node.elt, inner)});"

        return self._comprehension(node.generators, scope, "[]", body)

    def _GeneratorExp(self, node: ast.GeneratorExp, scope: Scope) -> str:
        def body(inner: Scope) -> str:
            return f"yield {self.expr(node.elt, inner)};"

        first, loops = self._loops(node.generators, scope, body)
        return f"(function* (i$) {{ {loops} }}).call(this, {first})"

    def _SetComp(self, node: ast.SetComp, scope: Scope) -> str:
        def body(inner: Scope) -> str:
            return f"r$.add({self.expr(node.elt, inner)});"

        return self._comprehension(node.generators, scope, "py.set_([])", body)

    def _DictComp(self, node: ast.DictComp, scope: Scope) -> str:
        def body(inner: Scope) -> str:
            return f"r$.set({self.expr(node.key, inner)}, {self.expr(node.value, inner)});"

        return self._comprehension(node.generators, scope, "py.dict([])", body)

    def _comprehension(
        self,
        generators: list[ast.comprehension],
        scope: Scope,
        start: str,
        body: Callable[[Scope], str],
    ) -> str:
        first, text = self._loops(generators, scope, body)
        return f"((i$) => {{ const r$ = {start}; {text} return r$; }})({first})"

    def _loops(
        self,
        generators: list[ast.comprehension],
        scope: Scope,
        body: Callable[[Scope], str],
    ) -> tuple[str, str]:
        """What the first of the loops goes over, and the loops."""
        names = assigned([ast.Expr(one.target) for one in generators])[0]
        inner = Scope(scope.source, set(names), scope)
        # In what the first goes over names mean what they do outside.
        first = f"py.iterated({self.expr(generators[0].iter, scope)})"
        loops = []
        for k, one in enumerate(generators):
            over = f"py.iterated({self.expr(one.iter, inner)})" if k else "i$"
            loops.append(f"for ({self.target(one.target, inner)} of {over}) {{")
            loops += [f"if (!({self.test(test, inner)})) continue;" for test in one.ifs]
        text = f"{' '.join(loops)} {body(inner)} {'}' * len(generators)}"
        # Functions made in it see what the names stand for in the end, as Python's do.
        kept = [*map(js_name, names), *inner.temporaries]
        return first, f"let {', '.join(kept)}; {text}" if kept else text


def _with_defaults(arguments: ast.arguments, held: list[ast.expr]) -> ast.arguments:
    """The same parameters with other defaults, in their order."""
    placed = held[: len(arguments.defaults)]
    rest = iter(held[len(placed) :])
    named = [None if one is None else next(rest) for one in arguments.kw_defaults]
    return ast.arguments(
        posonlyargs=arguments.posonlyargs,
        args=arguments.args,
        vararg=arguments.vararg,
        kwonlyargs=arguments.kwonlyargs,
        kw_defaults=named,
        kwarg=arguments.kwarg,
        defaults=placed,
    )


def _arguments(node: ast.Lambda | ast.FunctionDef) -> list[ast.arg]:
    found = node.args
    beside = [one for one in (found.vararg, found.kwarg) if one is not None]
    return [*found.posonlyargs, *found.args, *found.kwonlyargs, *beside]

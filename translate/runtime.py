"""What stands for other libraries, and for the little of the package that is not translated."""

# Functions and classes of other libraries, and where the page's own runtime has them.
EXTERNAL = {
    "collections.abc.Callable": "py.Callable",
    "collections.abc.Container": "py.Collection",
    "collections.abc.Collection": "py.Collection",
    "collections.abc.Iterable": "py.Iterable",
    "collections.abc.Mapping": "py.Mapping",
    "collections.abc.Sequence": "py.Sequence",
    "dataclasses.asdict": "py.asdict",
    "dataclasses.fields": "py.fields",
    "dataclasses.replace": "py.replace",
    "decimal.Decimal": "py.Never",
    "functools.partial": "py.partial",
    "itertools.combinations": "py.combinations",
    "itertools.pairwise": "py.pairwise",
    "itertools.product": "py.product",
    "numbers.Integral": "py.Integral",
    "numbers.Real": "py.Real",
    "types.MappingProxyType": "py.dict",
    "typing.Any": "null",
    "typing.cast": "py.cast",
}

# Modules of other libraries, and what has the parts of theirs that there are.
MODULES = {
    "numpy": "np",
    "math": "py.math",
    "sys": "py.math",
    "costspace.special": "special",
}

# Functions and classes of the package that the page has in a form of its own: arrays and mappings
# are not locked there, what sorts by the bits of a float does it as JavaScript can, one thread does
# everything, and what takes most of the time has no array for each step.
OWN = {
    "costspace.arrays.FrozenDict": "py.dict",
    "costspace.arrays.FrozenValue": "py.Value",
    "costspace.arrays.freeze": "py.nothing",
    "costspace.arrays.kept": "py.same",
    "costspace.arrays.owned": "py.same",
    "costspace.arrays.read_only": "py.same",
    "costspace.deployment.panels.located": "np.located",
    "costspace.deployment.panels.sums_at": "np.sums_at",
    "costspace.errors.brief": "py.brief",
    "costspace.errors.meant": "py.nothing",
    "costspace.errors.warn_of": "py.nothing",
    "costspace.samples.sorting.sort_with_order": "np.sort_with_order",
    "costspace.samples.sorting.search": "np.searchsorted",
    "costspace.threads.mapped": "py.mapped",
}

# Decorators that change nothing that the page can tell.
IGNORED = {
    "abstractmethod",
    "classmethod",
    "dataclass",
    "final",
    "makes_statistic",
    "property",
    "cached_property",
    "staticmethod",
    "underflow_to_zero",
}

# Names that JavaScript keeps for itself.
RESERVED = frozenset(
    "arguments await break case catch class const continue debugger default delete do else enum "
    "eval export extends false finally for function if implements import in instanceof interface "
    "let new null package private protected public return static super switch this throw true try "
    "typeof undefined var void while with yield py np special text".split()
)

# What a scalar of NumPy has, which is a plain number on the page.
ARRAY_NAMES = frozenset(
    "T all any argmax argmin argsort astype clip compress cumsum dtype fill flat is_integer item "
    "max mean min ndim nonzero prod ptp ravel repeat reshape round searchsorted shape size sum "
    "take tolist transpose view".split()
)

OPERATORS = {
    "Add": "add",
    "Sub": "sub",
    "Mult": "mul",
    "Div": "div",
    "FloorDiv": "floordiv",
    "Mod": "mod",
    "Pow": "pow",
    "MatMult": "matmul",
    "BitAnd": "bitand",
    "BitOr": "bitor",
    "BitXor": "bitxor",
    "LShift": "lshift",
    "RShift": "rshift",
    "Eq": "eq",
    "NotEq": "ne",
    "Lt": "lt",
    "LtE": "le",
    "Gt": "gt",
    "GtE": "ge",
    "USub": "neg",
    "UAdd": "pos",
    "Invert": "invert",
}

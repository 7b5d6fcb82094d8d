"""What a program finds: the builtins that mathematicians use, and the packages it may import.

This is the contract of the format, not a wall: a program that walks from a module to `os` gets there, and
finds that the kernel refuses it everything (`seccomp`).
"""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Mapping, Sequence
from typing import Any, Literal

MODULE_NAME = "answer"
"""`__name__` of the program, so that `if __name__ == "__main__"` blocks do not run."""

IMPORTABLE = frozenset(
    (
        *(
            "sympy",
            "numpy",
            "scipy",
            "mpmath",
            "math",
            "cmath",
            "fractions",
            "decimal",
            "itertools",
            "functools",
        ),
        *("collections", "operator", "statistics", "random", "typing", "dataclasses", "re", "__future__"),
    )
)
"""Packages, with all their submodules."""

_IMPORTED_FOR_IT = frozenset({"_pylong"})
"""What CPython itself imports in the program's name: from 3.12, to divide very long integers."""

BUILTINS = (
    *("None", "True", "False", "NotImplemented", "Ellipsis", "__debug__", "__build_class__"),
    *(
        "int",
        "float",
        "complex",
        "bool",
        "str",
        "bytes",
        "list",
        "tuple",
        "dict",
        "set",
        "frozenset",
        "range",
    ),
    *("abs", "divmod", "pow", "round", "sum", "min", "max", "all", "any", "len", "hash", "id"),
    *("iter", "next", "enumerate", "zip", "map", "filter", "sorted", "reversed", "slice", "aiter", "anext"),
    *("bin", "oct", "hex", "ord", "chr", "ascii", "repr", "format"),
    *("object", "type", "super", "property", "classmethod", "staticmethod", "isinstance", "issubclass"),
    *("callable", "getattr", "setattr", "delattr", "hasattr", "dir", "vars"),
    *("BaseException", "Exception", "ArithmeticError", "AssertionError", "AttributeError", "EOFError"),
    *("FloatingPointError", "GeneratorExit", "ImportError", "IndexError", "KeyError", "KeyboardInterrupt"),
    *("LookupError", "MemoryError", "ModuleNotFoundError", "NameError", "NotImplementedError", "OSError"),
    *(
        "OverflowError",
        "RecursionError",
        "RuntimeError",
        "StopIteration",
        "StopAsyncIteration",
        "SyntaxError",
    ),
    *("SystemExit", "TypeError", "UnboundLocalError", "UnicodeError", "ValueError", "ZeroDivisionError"),
    *("BaseExceptionGroup", "ExceptionGroup", "Warning", "DeprecationWarning", "FutureWarning"),
    *("RuntimeWarning", "SyntaxWarning", "UserWarning"),
)
"""And `print`, which drops what it is given, and `__import__`, which knows the list above."""


class ImportRefused(ImportError):
    """The program imports what is not on the list."""


def create(kind: Literal["restricted", "import-only"]) -> types.ModuleType:
    """An empty module for the program to run in; "import-only" has `__import__` alone, as critpt-v1 does."""
    module = types.ModuleType(MODULE_NAME)
    module.__dict__["__builtins__"] = _NAMESPACES[kind]
    sys.modules[MODULE_NAME] = module  # dataclasses and typing look their owner up there
    return module


def forget() -> None:
    """Undo `create`."""
    del sys.modules[MODULE_NAME]


def _print(*values: object, **options: object) -> None:
    """Printing goes nowhere, and formats nothing."""


def _import(
    name: str,
    globals: Mapping[str, object] | None = None,
    locals: Mapping[str, object] | None = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> Any:
    if level != 0 or name.partition(".")[0] not in IMPORTABLE | _IMPORTED_FOR_IT:
        raise ImportRefused(f"{name} may not be imported", name=name)
    return builtins.__import__(name, globals, locals, fromlist or (), level)


_NAMESPACES: dict[str, dict[str, Any]] = {
    "restricted": {name: getattr(builtins, name) for name in BUILTINS}
    | {"print": _print, "__import__": _import},
    "import-only": {"__import__": builtins.__import__},
}
"""Made before the fork, and given away: a process runs one program."""

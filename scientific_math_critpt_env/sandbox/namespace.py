"""What model code finds: the builtins that mathematicians use, and the modules it may import.

This is the contract of the format, not a wall: a program that walks from a module to `os` gets there, and
finds that the kernel refuses it everything (`seccomp`).
"""

from __future__ import annotations

import builtins
import sys
import types
from collections.abc import Mapping, Sequence
from typing import Any

MODULE_NAME = "answer"
"""`__name__` of the program, so that `if __name__ == "__main__"` blocks do not run."""

IMPORTABLE = frozenset(
    ["sympy", "numpy", "scipy", "mpmath", "math", "cmath", "fractions", "decimal", "itertools", "functools", "collections", "operator", "statistics", "random", "typing", "dataclasses", "re", "__future__", "abc", "numbers", "enum", "copy", "string", "bisect", "heapq", "time", "warnings"]
)

BUILTINS = ["None", "True", "False", "NotImplemented", "Ellipsis", "abs", "all", "any", "ascii", "bin", "bool", "bytes", "callable", "chr", "classmethod", "complex", "delattr", "dict", "dir", "divmod", "enumerate", "filter", "float", "format", "frozenset", "getattr", "hasattr", "hash", "hex", "id", "int", "isinstance", "issubclass", "iter", "len", "list", "map", "max", "min", "next", "object", "oct", "ord", "pow", "property", "range", "repr", "reversed", "round", "set", "setattr", "slice", "sorted", "staticmethod", "str", "sum", "super", "tuple", "type", "vars", "zip", "__build_class__", "__debug__", "ArithmeticError", "AssertionError", "AttributeError", "BaseException", "BaseExceptionGroup", "DeprecationWarning", "Exception", "ExceptionGroup", "FloatingPointError", "FutureWarning", "GeneratorExit", "ImportError", "IndexError", "KeyError", "KeyboardInterrupt", "LookupError", "MemoryError", "ModuleNotFoundError", "NameError", "NotImplementedError", "OSError", "OverflowError", "RecursionError", "RuntimeError", "RuntimeWarning", "StopAsyncIteration", "StopIteration", "SyntaxError", "SyntaxWarning", "SystemExit", "TypeError", "UnboundLocalError", "UnicodeError", "UserWarning", "ValueError", "Warning", "ZeroDivisionError", "aiter", "anext"]


class ImportRefused(ImportError):
    """The program imports what is not on the list."""


def create(kind: str) -> types.ModuleType:
    """An empty module for the program to run in, with the builtins of `kind`."""
    module = types.ModuleType(MODULE_NAME)
    if kind == "import-only":
        module.__dict__["__builtins__"] = {"__import__": builtins.__import__}
    else:
        allowed = {name: getattr(builtins, name) for name in BUILTINS}
        module.__dict__["__builtins__"] = allowed | {"print": _print, "__import__": _import}
    sys.modules[MODULE_NAME] = module  # dataclasses and typing look their owner up there
    return module


def _print(*values: object, **options: object) -> None:
    """Printing goes nowhere, and formats nothing."""


def _import(
    name: str,
    globals: Mapping[str, object] | None = None,
    locals: Mapping[str, object] | None = None,
    fromlist: Sequence[str] | None = (),
    level: int = 0,
) -> Any:
    if level != 0 or name.partition(".")[0] not in IMPORTABLE:
        raise ImportRefused(f"{name} may not be imported", name=name)
    return builtins.__import__(name, globals, locals, fromlist or (), level)

"""Free symbols and substitution, through Python containers as well as SymPy objects."""

from __future__ import annotations

from collections.abc import Mapping

from sympy import Basic, MatrixBase, Symbol


def symbols_of(value: object) -> set[Symbol]:
    """Free symbols, through Python containers as well."""
    if isinstance(value, Basic | MatrixBase):
        return {s for s in value.free_symbols if isinstance(s, Symbol)}
    if isinstance(value, dict):
        return set().union(*(symbols_of(part) for item in value.items() for part in item))
    if isinstance(value, tuple | list | set | frozenset):
        return set().union(*(symbols_of(item) for item in value))
    return set()


def substituted(value: object, replacements: Mapping[Symbol, Basic]) -> object:
    """Symbols replaced at once, through Python containers as well; what can be carried out then is."""
    if isinstance(value, Basic | MatrixBase):
        return value.subs(dict(replacements), simultaneous=True) if replacements else value
    if isinstance(value, dict):
        return {substituted(k, replacements): substituted(v, replacements) for k, v in value.items()}
    if isinstance(value, tuple | list | set | frozenset):
        return type(value)(substituted(item, replacements) for item in value)
    return value

"""Symbols are matched by name: both sides get the same symbol objects before anything is compared.

Assumptions come from the problem; where it is silent, from the gold's own symbols; else from the answer's.
Covered: Greek letters and LaTeX spelling (`\\omega_{0}`, `ω_0` and `omega_0` are one name), the spellings of
lambda, trailing underscores of names that Python or SymPy reserve. Not covered: `x1` for `x_1` where both
occur, and meaning: `hbar` is not `h`.
"""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping

import sympy
from sympy import Add, Basic, Dummy, MatrixBase, Mul, Pow, Symbol
from sympy.core.function import AppliedUndef, Function, UndefinedFunction

from scientific_math_critpt_env.grading.equality.huge import has_huge
from scientific_math_critpt_env.problems.schema import Problem

_VARIANTS = {"varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "lamda": "lambda"}
_LATEX_COMMAND = re.compile(r"\\([A-Za-z]+)\s*")
_SIMPLE_BRACES = re.compile(r"([_^])\{([A-Za-z0-9]+)\}")
_WORD = re.compile(r"[A-Za-z]+")


def unify(gold: object, answer: object, problem: Problem) -> tuple[object, object]:
    """Both values with one symbol for each name, carrying the assumptions that win."""
    gold_symbols, answer_symbols = _symbols(gold), _symbols(answer)
    if not gold_symbols and not answer_symbols and not _heads(gold) and not _heads(answer):
        return gold, answer
    aliases = _aliases(gold_symbols, answer_symbols)
    declared = {canonical(name): given for name, given in problem.symbols.items()}
    chosen: dict[tuple[str, int], Symbol] = {}
    for symbol in [*gold_symbols, *answer_symbols]:
        key = aliases[symbol]
        if key not in chosen:
            chosen[key] = _with_assumptions(key, symbol, gold_symbols, declared, aliases)
    renamed: dict[Basic, Basic] = {s: chosen[aliases[s]] for s in aliases if s != chosen[aliases[s]]}
    heads = _renamed_heads(gold, answer)
    return rebuild(gold, renamed, heads), rebuild(answer, renamed, heads)


def canonical(name: str) -> str:
    """One spelling for a name: `\\lambda_{0}`, `lamda_0`, `λ_0` and `lambda_0` are all `lambda_0`."""
    if name.isascii() and "\\" not in name and "{" not in name and name[-1:] != "_" and "la" not in name:
        return name if "var" not in name else _WORD.sub(_one_word, name)
    spelled = "".join(_ascii(character) for character in name)
    spelled = _LATEX_COMMAND.sub(r"\1", spelled).strip()
    spelled = _SIMPLE_BRACES.sub(r"\1\2", spelled)
    spelled = _WORD.sub(_one_word, spelled)
    bare = spelled.rstrip("_")
    if bare != spelled and (keyword.iskeyword(bare) or hasattr(sympy, bare)):
        return bare
    return spelled


def free_names(value: object) -> set[str]:
    """Canonical names of the symbols in a value."""
    return {canonical(symbol.name) for symbol in _symbols(value)}


def rebuild(
    value: object,
    symbols: Mapping[Basic, Basic],
    heads: Mapping[UndefinedFunction, UndefinedFunction],
) -> object:
    """The value with symbols and undefined functions replaced, through Python containers as well."""
    if not symbols and not heads:
        return value
    if isinstance(value, (Basic, MatrixBase)):
        return _rebuilt(value, symbols, heads)
    if isinstance(value, dict):
        return {rebuild(k, symbols, heads): rebuild(v, symbols, heads) for k, v in value.items()}
    if isinstance(value, (tuple, list, set, frozenset)):
        return type(value)(rebuild(item, symbols, heads) for item in value)
    return value


def _rebuilt(
    value: Basic | MatrixBase,
    symbols: Mapping[Basic, Basic],
    heads: Mapping[UndefinedFunction, UndefinedFunction],
) -> object:
    if symbols and isinstance(value, Basic) and has_huge(value):
        return _unevaluated(value, symbols)
    renamed = value.xreplace(dict(symbols)) if symbols else value
    if heads and isinstance(renamed, Basic):
        swapped: Callable[[Basic], Basic] = lambda node: heads[node.func](*node.args)  # noqa: E731
        return renamed.replace(lambda node: isinstance(node, AppliedUndef) and node.func in heads, swapped)
    return renamed


def _unevaluated(node: Basic, symbols: Mapping[Basic, Basic]) -> Basic:
    """The same tree with symbols replaced and nothing evaluated: a number in it must not be computed."""
    if node in symbols:
        return symbols[node]
    arguments = [_unevaluated(argument, symbols) for argument in node.args]
    if all(new is old for new, old in zip(arguments, node.args, strict=True)):
        return node
    if isinstance(node, (Add, Mul, Pow, Function)):
        return node.func(*arguments, evaluate=False)
    return node.func(*arguments)


def _symbols(value: object) -> list[Symbol]:
    """All symbols of a value, bound ones too, in an order that depends on names alone."""
    found: set[Symbol] = set()
    for part in _parts(value):
        found |= part.atoms(Symbol)
    return sorted(found, key=_order)


def _heads(value: object) -> list[UndefinedFunction]:
    found = {node.func for part in _parts(value) for node in part.atoms(AppliedUndef)}
    return sorted(found, key=lambda head: (head.name, str(sorted(head._kwargs.items()))))


def _parts(value: object) -> Iterator[Basic | MatrixBase]:
    if isinstance(value, (Basic, MatrixBase)):
        yield value
    elif isinstance(value, dict):
        for key, item in value.items():
            yield from _parts(key)
            yield from _parts(item)
    elif isinstance(value, (tuple, list, set, frozenset)):
        for item in value:
            yield from _parts(item)


def _order(symbol: Symbol) -> tuple[str, bool, str, int]:
    given = str(sorted(symbol._assumptions_orig.items()))
    return (symbol.name, isinstance(symbol, Dummy), given, getattr(symbol, "dummy_index", 0))


def _aliases(gold: list[Symbol], answer: list[Symbol]) -> dict[Symbol, tuple[str, int]]:
    """Symbol -> (canonical name, number); numbers tell apart a Dummy from a symbol of its own side's name."""
    keys: dict[Symbol, tuple[str, int]] = {}
    for side in (gold, answer):
        spellings: dict[str, set[str]] = {}
        for symbol in side:
            spellings.setdefault(canonical(symbol.name), set()).add(symbol.name)
        taken: dict[str, int] = {}
        for symbol in side:
            name = canonical(symbol.name)
            if len(spellings[name]) > 1:
                name = symbol.name
            number = taken.get(name, 0) if isinstance(symbol, Dummy) else 0
            taken[name] = number + 1
            keys.setdefault(symbol, (name, number))
    return _without_underscores(keys, gold, answer)


def _without_underscores(
    keys: dict[Symbol, tuple[str, int]], gold: list[Symbol], answer: list[Symbol]
) -> dict[Symbol, tuple[str, int]]:
    """`omega0` answers `omega_0` (SymPy prints both alike) where neither side uses both spellings."""
    gold_names = {keys[s] for s in gold}
    answer_names = {keys[s] for s in answer}
    plain: dict[str, list[tuple[str, int]]] = {}
    for key in gold_names - answer_names:
        plain.setdefault(key[0].replace("_", ""), []).append(key)
    for symbol in answer:
        key = keys[symbol]
        matches = plain.get(key[0].replace("_", ""), [])
        if key not in gold_names and len(matches) == 1 and matches[0][1] == key[1]:
            rivals = {
                k for k in answer_names - gold_names if k[0].replace("_", "") == key[0].replace("_", "")
            }
            if len(rivals) == 1:
                keys[symbol] = matches[0]
    return keys


def _with_assumptions(
    key: tuple[str, int],
    symbol: Symbol,
    gold_symbols: list[Symbol],
    declared: Mapping[str, Mapping[str, bool]],
    aliases: Mapping[Symbol, tuple[str, int]],
) -> Symbol:
    name, number = key
    namesakes = [s for s in gold_symbols if aliases[s] == key] or [s for s in aliases if aliases[s] == key]
    if name in declared:
        given = dict(declared[name])
    else:
        given = _merged([s._assumptions_orig for s in namesakes])
    return Symbol(name if number == 0 else f"{name}'{number}", **given)


def _merged(assumptions: list[Mapping[str, bool]]) -> dict[str, bool]:
    """All assumptions made about one name on one side; the first alone where they contradict."""
    union: dict[str, bool] = {}
    for one in assumptions:
        union.update(one)
    try:
        Symbol("x", **union)
    except ValueError:  # SymPy's InconsistentAssumptions
        return dict(assumptions[0])
    return union


def _renamed_heads(gold: object, answer: object) -> dict[UndefinedFunction, UndefinedFunction]:
    """Undefined functions of one name and different assumptions become the gold's."""
    by_name: dict[str, UndefinedFunction] = {}
    renamed: dict[UndefinedFunction, UndefinedFunction] = {}
    for head in [*_heads(gold), *_heads(answer)]:
        kept = by_name.setdefault(canonical(head.name), head)
        if kept != head:
            renamed[head] = kept
    return renamed


def _ascii(character: str) -> str:
    if character.isascii():
        return character
    name = unicodedata.name(character, "")
    found = re.fullmatch(r"GREEK (SMALL|CAPITAL) LETTER (?:FINAL )?([A-Z]+)( SYMBOL)?", name)
    if found:
        word = "lambda" if found[2] in ("LAMDA", "LAMBDA") else found[2].lower()
        return word if found[1] == "SMALL" else word.capitalize()
    plain = unicodedata.normalize("NFKC", character)
    if "SUBSCRIPT" in name and plain.isascii():
        return f"_{plain}"
    return plain if plain.isascii() else character


def _one_word(match: re.Match[str]) -> str:
    word = match[0]
    return _VARIANTS.get(word, word)

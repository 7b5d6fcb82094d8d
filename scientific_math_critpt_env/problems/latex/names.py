"""The vocabulary of golds in LaTeX: Greek letters, functions, and what is mere layout.

Whatever is in no table here is refused by the tokenizer: a command that is skipped because nobody knows it
is how wrong golds are made.
"""

from __future__ import annotations

GREEK = {
    name: name
    for name in (
        *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "mu", "nu"),
        *("xi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega", "Gamma", "Delta", "Theta"),
        *("Lambda", "Xi", "Pi", "Sigma", "Upsilon", "Phi", "Psi", "Omega", "hbar", "ell"),
    )
} | {"lambda": "lamda", "varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho"}
"""Command -> name of the symbol. The variants are one name with the plain letter, as the grader has it."""

VARIANTS = {"varepsilon": "epsilon", "vartheta": "theta", "varphi": "phi", "varrho": "rho"}
"""Commands that share a name with another; an expression with both is refused."""

FUNCTIONS = {
    **{name: name for name in ("sin", "cos", "tan", "sec", "csc", "cot", "sinh", "cosh", "tanh", "coth")},
    **{name: name for name in ("sech", "csch", "exp", "erf", "erfc", "erfi", "Ei")},
    **{
        f"arc{name}": f"a{name}"
        for name in ("sin", "cos", "tan", "sec", "csc", "cot", "sinh", "cosh", "tanh")
    },
    **{f"a{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh")},
    **{f"ar{name}": f"a{name}" for name in ("sinh", "cosh", "tanh")},
    "ln": "log",
    "log": "log",
    "lg": "log10",
}
"""Name in LaTeX (with a backslash, or as a word) -> SymPy's function of one argument."""

SYMPY_FUNCTIONS = {**FUNCTIONS, "Gamma": "gamma"}
r"""With `\\Gamma`, which is a function before a bracket only."""

INVERSES = {
    **{name: f"a{name}" for name in ("sin", "cos", "tan", "sec", "csc", "cot", "sinh", "cosh", "tanh")},
}
"""What an exponent of -1 makes of a function."""

POWERS_MEAN_VALUES = frozenset({*INVERSES, "sech", "csch", "coth", "log"})
"""Functions whose exponent belongs to the value: `\\sin^2 x`."""

APPLIED = frozenset(
    {
        *("f", "F", "H", "J", "K", "O", "W", "o", "u", "y", "delta", "theta", "Theta", "zeta", "chi"),
        *("phi", "Phi", "psi", "Psi", "Gamma"),
    }
)
"""Symbols that before a bracket are as often functions (`\\delta(x - a)`, `O(x^2)`) as factors."""

APPLIED_WITH_INDEX = tuple(
    f"{letter}_"
    for letter in (*"fghuBEFGHIJKLPQTUWY", "phi", "Phi", "psi", "Psi", "theta", "zeta", "delta", "Gamma")
)
"""The same with an index: Bessel's J_0, Legendre's P_l, an integral E_1."""

RELATIONS = {
    "=": "=",
    "\\approx": "~",
    "\\sim": "~",
    "\\simeq": "~",
    "\\equiv": "=",
    "<": "<",
    ">": ">",
    "\\lt": "<",
    "\\gt": ">",
    "\\le": "<=",
    "\\leq": "<=",
    "\\leqslant": "<=",
    "\\ge": ">=",
    "\\geq": ">=",
    "\\geqslant": ">=",
}

LAYOUT = frozenset(
    {
        *("\\left", "\\right", "\\big", "\\Big", "\\bigg", "\\Bigg", "\\bigl", "\\bigr", "\\Bigl", "\\Bigr"),
        *(
            "\\biggl",
            "\\biggr",
            "\\Biggl",
            "\\Biggr",
            "\\displaystyle",
            "\\textstyle",
            "\\limits",
            "\\nolimits",
        ),
        *("\\,", "\\;", "\\:", "\\!", "\\ ", "~", "\\quad", "\\qquad"),
    }
)
"""Commands that only space or size what stands beside them."""

WRAPPERS = frozenset({"\\text", "\\mathrm", "\\operatorname", "\\rm", "\\textrm", "\\mathit"})
"""Around a function's name or a subscript's word; around anything else they are refused."""

PLAIN = frozenset(
    {
        *("\\frac", "\\sqrt", "\\cdot", "\\times", "\\int", "\\infty", "\\pi", "\\max", "\\min", "\\binom"),
        *(
            "\\to",
            "\\cup",
            "\\in",
            "\\{",
            "\\}",
            "\\lvert",
            "\\rvert",
            "\\vert",
            "\\mathbb",
            "\\emptyset",
            "\\pm",
        ),
    }
)
"""Commands the grammar knows by themselves."""

SAME = {
    "\\dfrac": "\\frac",
    "\\tfrac": "\\frac",
    "\\cfrac": "\\frac",
    "\\dbinom": "\\binom",
    "\\lbrace": "\\{",
    "\\rbrace": "\\}",
    "\\lbrack": "[",
    "\\rbrack": "]",
    "\\lparen": "(",
    "\\rparen": ")",
    "\\lvert": "|",
    "\\rvert": "|",
    "\\vert": "|",
    "\\rightarrow": "\\to",
    "\\longrightarrow": "\\to",
    "\\ast": "*",
    "−": "-",
    "–": "-",
    "×": "\\times",
    "·": "\\cdot",
    "π": "\\pi",
    "∞": "\\infty",
}
"""Other spellings of the same token."""

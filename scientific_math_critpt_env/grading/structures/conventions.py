"""Names by which a variable is told from a parameter where the problem does not say."""

CONVENTIONAL = ("x", "t", "y", "z", "r", "s", "u", "theta", "tau")
"""Names that people give to variables rather than to parameters, the commonest first."""

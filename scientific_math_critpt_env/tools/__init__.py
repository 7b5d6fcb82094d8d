"""Tools that a model may call while it works on a problem, run in the sandbox."""

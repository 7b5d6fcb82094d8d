"""Mathematical values as data: what may leave a confined process, and how it comes back.

A value is a list of nodes in JSON, children before parents, the value itself last. A node is a tag, the
fields its tag has, and references to earlier nodes by position; shared and equal parts are written once:

    sin(x)/2  ->  [["rational","1","2"], ["symbol","x",""], ["sin",1], ["Mul",0,2]]

Tags are an allow-list (`heads`, and one module for each other sort of value, with the writing and the
reading side by side). Nothing here executes a name, imports one, or unpickles: the decoder looks every tag up
in a table, checks every field, and calls constructors on values it has already checked.
"""

from scientific_math_critpt_env.sandbox.codec.decoding import decode
from scientific_math_critpt_env.sandbox.codec.encoding import encode
from scientific_math_critpt_env.sandbox.codec.graph import DecodeError, EncodeError

__all__ = ["DecodeError", "EncodeError", "decode", "encode"]

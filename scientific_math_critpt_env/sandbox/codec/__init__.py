"""Mathematical values as data: what may leave a confined process, and how it comes back.

A value is a list of nodes in JSON, children before parents, the value last; a node is a tag and its fields,
and refers to earlier nodes by position, so that shared parts are written once:

    sin(x)/2  ->  [["symbol","x",""], ["sin",0], ["rational","1","2"], ["Mul",2,1]]

Tags are an allow-list (`heads`). Nothing here executes a name, imports one, or unpickles: the decoder looks
every tag up in a table, checks every field, and calls SymPy constructors on values it has already checked.
"""

from scientific_math_critpt_env.sandbox.codec.decoding import DecodeError, decode
from scientific_math_critpt_env.sandbox.codec.encoding import EncodeError, encode

__all__ = ["DecodeError", "EncodeError", "decode", "encode"]

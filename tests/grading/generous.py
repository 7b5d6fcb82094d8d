"""A broken checker for the self-test: it calls every answer right."""

import json


def check(payload: bytes) -> bytes:
    reply = {
        "relation": "equal",
        "method": "structural",
        "reason": "",
        "partial": 1.0,
        "answer": "?",
        "costs": {},
    }
    return json.dumps(reply | {"gold": "?", "cpu_seconds": 0.0}).encode()

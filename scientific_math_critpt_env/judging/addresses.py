"""Base URLs of endpoints, refused where no request could go out to them."""

from __future__ import annotations

from urllib.parse import urlsplit


def address_defect(url: str) -> str:
    """What is wrong with a base URL, in words that repeat no password; "" where nothing is."""
    if "@" in url:
        # A name and a password would be told in failures and kept in records.
        return "base_url holds a user name or password; put a key into a variable and name it in key_variable"
    told = f"base_url {url[:80]!r}"
    if not url.startswith(("http://", "https://")) or not url.isprintable() or " " in url:
        return f"{told} is no http address"
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
        if ":" not in host:
            host.encode("idna")
    except ValueError as error:  # UnicodeError, of names that no resolver takes, is one
        return f"{told} is no http address ({' '.join(str(error).split())})"
    if not host or port == 0:
        return f"{told} is no http address"
    return f"{told} may hold no ? and no #" if parts.query or parts.fragment else ""

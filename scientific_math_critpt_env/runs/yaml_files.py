"""YAML files, read strictly: one document, no key twice, no alias. PyYAML alone keeps the last of two keys
silently, and a few lines of aliases to aliases stand for more than any memory holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from scientific_math_critpt_env.errors import RunError

MAX_BYTES = 1 << 20
"""A configuration is a page of text; more is another file by mistake."""


def load_yaml(path: Path) -> Any:
    """The content of the file. Raises RunError where there is none, or it is not YAML."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise RunError(f"{path}: cannot be read ({error.strerror})") from None
    if len(content) > MAX_BYTES:
        raise RunError(f"{path}: is longer than {MAX_BYTES} bytes; it is no configuration")
    try:
        return yaml.load(content.decode("utf-8"), Loader=_Loader)
    except UnicodeDecodeError as error:
        raise RunError(f"{path}: not UTF-8 at byte {error.start + 1}; save the file as UTF-8") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f":{mark.line + 1}" if mark else ""
        reason = getattr(error, "problem", None) or " ".join(str(error).split())
        raise RunError(f"{path}{line}: no YAML ({reason})") from None
    except (ValueError, LookupError, AttributeError, RecursionError) as error:
        # What PyYAML's own constructors raise at `!!int ""`, `!!bool x`, `!!timestamp x`, a 13th month.
        raise RunError(f"{path}: no YAML ({type(error).__name__}: {error})") from None


class _Loader(yaml.SafeLoader):
    """Safe, and refuses a key that stands twice, and an alias."""

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            event = self.peek_event()
            raise yaml.composer.ComposerError(
                None, None, f"the alias *{event.anchor}; write out what it stands for", event.start_mark
            )
        node: yaml.Node | None = super().compose_node(parent, index)
        return node


def _mapping(loader: _Loader, node: yaml.MappingNode) -> dict[Any, Any]:
    seen: set[Any] = set()
    for key_node, _ in node.value:
        key = loader.construct_object(key_node, deep=True)
        if not isinstance(key, str):
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {key!r} is no text; put it in quotes", key_node.start_mark
            )
        if key in seen:
            raise yaml.constructor.ConstructorError(
                None, None, f"the key {key!r} stands twice; keep one of them", key_node.start_mark
            )
        seen.add(key)
    return yaml.SafeLoader.construct_mapping(loader, node, deep=True)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)

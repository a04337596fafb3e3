"""Says in Annelid's words what pydantic found wrong with a value: expected this, found that."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

_NUMBER, _WHOLE, _TEXT = "expected a number", "expected a whole number", "expected text"
_LIST, _TABLE, _TRUTH = "expected a list", "expected a table", "expected true or false"

WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "missing": "expected a value, got none",
        "extra_forbidden": "unknown field",
        "none_required": "expected nothing",
        "greater_than": "expected more than {gt}",
        "greater_than_equal": "expected at least {ge}",
        "less_than": "expected less than {lt}",
        "less_than_equal": "expected at most {le}",
        "multiple_of": "expected a multiple of {multiple_of}",
        "finite_number": "expected a finite number",
        "float_type": _NUMBER,
        "float_parsing": _NUMBER,
        "int_type": _WHOLE,
        "int_parsing": _WHOLE,
        "int_parsing_size": _WHOLE,
        "int_from_float": _WHOLE,
        "bool_type": _TRUTH,
        "bool_parsing": _TRUTH,
        "string_type": _TEXT,
        "string_too_short": "expected at least {min_length} characters",
        "string_too_long": "expected at most {max_length} characters",
        "string_pattern_mismatch": "expected text that fits {pattern}",
        "too_short": "expected at least {min_length} values, got {actual_length}",
        "too_long": "expected at most {max_length} values, got {actual_length}",
        "list_type": _LIST,
        "tuple_type": _LIST,
        "iterable_type": _LIST,
        "dict_type": _TABLE,
        "mapping_type": _TABLE,
        "model_type": _TABLE,
        "model_attributes_type": _TABLE,
        "literal_error": "expected {expected}",
        "enum": "expected {expected}",
        "union_tag_invalid": "{discriminator}: expected {expected_tags}; got {tag!r}",
        "union_tag_not_found": "expected a field {discriminator}",
        "value_error": "{error}",
        "assertion_error": "{error}",
    }
)
"""By pydantic's name of the fault, with what it tells of it."""


def worded(kind: str, said: str, context: Mapping[str, Any]) -> str:
    """``said``: pydantic's own words, for a kind that has none here."""
    words = WORDS.get(kind)
    if words is None:
        return said
    plain = {
        name: f"{value:g}" if isinstance(value, float) else value for name, value in context.items()
    }
    try:
        return words.format(**plain)
    except KeyError:
        return said

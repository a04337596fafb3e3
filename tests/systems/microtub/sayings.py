"""Anything that MICROTUB's protocol can say, for hypothesis to draw from."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from annelid.systems.microtub.protocol import COMMANDS, Command, Message
from annelid.systems.microtub.protocol.parameters import (
    EnumParameter,
    FlagParameter,
    NumberParameter,
    Parameter,
    TextParameter,
)


def values_of(parameter: Parameter) -> st.SearchStrategy[Any]:
    match parameter:
        case NumberParameter():
            return st.integers(parameter.low, parameter.high)
        case EnumParameter():
            return st.sampled_from(parameter.members)
        case FlagParameter():
            return st.booleans()
        case TextParameter():
            return st.from_regex(parameter.pattern, fullmatch=True)
    raise NotImplementedError(parameter)


@st.composite
def messages(draw: st.DrawFn, command: Command | None = None) -> Message:
    said = command or draw(st.sampled_from(COMMANDS))
    direction = draw(st.sampled_from(said.directions))
    form = draw(st.sampled_from(said.forms))
    return Message(
        said,
        tuple(draw(values_of(parameter)) for parameter in form),
        draw(st.sampled_from(direction.receivers)),
        draw(st.sampled_from(direction.senders)),
    )

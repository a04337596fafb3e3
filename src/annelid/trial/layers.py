"""Finds the behaviours of a board in its firmware, and replaces one by edited source.

A system hands a layer of behaviours to a program as an argument
(``partial(module, setup=…, behaviours=layer)``).  A board that is to have another behaviour gets
the same program with another layer; its neighbours keep theirs.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from annelid.behaviour import Behaviour, BehaviourLayer, Entry
from annelid.electronics.board import Firmware
from annelid.errors import InputError, UnknownName
from annelid.trial.programs import executed, guarded


def behaviours_of(firmware: Firmware) -> dict[str, Entry]:
    """Those of the program that a board runs, by name."""
    return {name: each for layer in _layers(firmware) for name, each in layer.entries.items()}


def rethought(source: str, name: str, before: Firmware, *, board: str) -> Firmware:
    """The program ``before`` with the behaviour of this name as the text has it."""
    known = behaviours_of(before)
    if not known:
        raise InputError(f"{board}: the program that runs there has no behaviours, got {name!r}")
    if name not in known:
        raise UnknownName("behaviour", name, known, where=board)
    layer = next(layer for layer in _layers(before) if name in layer.entries)
    wanted = f"class {known[name].kind.__name__}({layer.base.__name__})"
    new = executed(source, board).get(known[name].kind.__name__)
    if not (isinstance(new, type) and issubclass(new, Behaviour) and issubclass(new, layer.base)):
        raise InputError(f"expected a {wanted} in the text")
    if new.name != name:
        raise InputError(f"name: expected {name!r}, by which others know it, got {new.name!r}")
    thinking = _exchanged(_running(before), layer, layer.replaced(new, source))
    return partial(guarded, new=thinking, before=before)


def _running(firmware: Firmware) -> Firmware:
    """The program that was written last."""
    while isinstance(firmware, partial) and firmware.func is guarded:
        firmware = firmware.keywords["new"]
    return firmware


def _layers(firmware: Firmware) -> Iterator[BehaviourLayer]:
    """Arguments of the program, and of programs that are arguments of it."""
    waiting: list[Any] = [_running(firmware)]
    while waiting:
        match waiting.pop(0):
            case BehaviourLayer() as layer:
                yield layer
            case partial(args=args, keywords=keywords):
                waiting += [*args, *keywords.values()]
            case tuple() as several:
                waiting += several


def _exchanged(within: Any, old: BehaviourLayer, new: BehaviourLayer) -> Any:
    """The same program with another layer."""
    match within:
        case BehaviourLayer():
            return new if within is old else within
        case partial(func=function, args=args, keywords=keywords):
            given = {name: _exchanged(each, old, new) for name, each in keywords.items()}
            return partial(function, *(_exchanged(each, old, new) for each in args), **given)
        case tuple():
            return tuple(_exchanged(each, old, new) for each in within)
        case _:
            return within

"""The text of the answer AIM (000, Tables 5 and 7).

Table 5 gives the answer to SIM as a String and Table 7 numbers what can be asked, but how the two
go together is left open.  Proposed: the number, then whole values, between spaces.

============  =====================================  =======
asked         values                                 example
============  =====================================  =======
1, 2          mA                                     ``1 85``
3             how many motors work                   ``3 2``
4             roll, pitch, yaw in degrees            ``4 0 -30 90``
5             mm                                     ``5 1250``
6             1 ok, 0 not ok                         ``6 1``
7             % of the way from short to long        ``7 100``
============  =====================================  =======
"""

from __future__ import annotations

import re
from typing import Final

from annelid.systems.microtub.protocol.enums import ModuleInfo
from annelid.systems.microtub.protocol.grammar import ProtocolError

_ANSWER: Final = re.compile(r"[1-7]( -?\d{1,6}){1,3}", re.ASCII)


def module_answer(asked: ModuleInfo, *values: int) -> str:
    """The String of an AIM."""
    wanted = _values(asked)
    if len(values) != wanted:
        raise ProtocolError(
            f"LLC2.AIM: {asked.meaning}: expected {wanted} whole numbers, got {len(values)}"
        )
    answer = " ".join(map(str, (int(asked), *values)))
    if not _ANSWER.fullmatch(answer):
        raise ProtocolError(
            f"LLC2.AIM: {asked.meaning}: expected whole numbers of up to six digits, got {values}"
        )
    return answer


def read_module_answer(text: str) -> tuple[ModuleInfo, tuple[int, ...]] | None:
    """What was asked and the values; None: the text is no such answer."""
    if not _ANSWER.fullmatch(text):
        return None
    asked, *values = map(int, text.split())
    info = next(each for each in ModuleInfo if each == asked)
    return (info, tuple(values)) if len(values) == _values(info) else None


def _values(asked: ModuleInfo) -> int:
    return {ModuleInfo.ORIENTATION: 3, ModuleInfo.DISTANCE: 2}.get(asked, 1)

"""The priority levels of 000 §4.2, and which level overrides which (Fig 13).

========== ===== ==============================================================================
set        level what it may do
========== ===== ==============================================================================
survival   4     blank a servo (it is released), or put a safe target in the place of another
perception 3     inform: the situation, broken servos; no actuator is theirs
command    2     LLC1 from the central control: overrides walking, never survival
walking    1     the gaits; their outputs are combined per servo
rest       0     what a module does that has nothing to do
========== ===== ==============================================================================
"""

from __future__ import annotations

from typing import Final

SURVIVAL: Final = 4
PERCEPTION: Final = 3
COMMAND: Final = 2
WALKING: Final = 1
REST: Final = 0

SITUATION: Final = "situation"
"""The one channel that is no servo: where the module thinks it is."""

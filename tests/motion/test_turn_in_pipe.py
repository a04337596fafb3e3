"""The dialogue of an elbow: a row of state machines on wires, joints that turn at a fixed pace."""

from __future__ import annotations

from math import radians

import pytest

from annelid.motion.turn_in_pipe import BEND, LAST_S, STALL_S, TurnInPipe, TurnPhase

TICK_S = 0.015
PACE = radians(90)
"""rad/s of a joint that nothing holds."""


class Row:
    """Modules with (R) and without joints, head first; ``most`` is where the wall stops them."""

    def __init__(self, letters: str, *, most: float = BEND) -> None:
        self.turns = [
            TurnInPipe(jointed=letter == "R", first=k == 0) for k, letter in enumerate(letters)
        ]
        self.bent = [0.0] * len(letters)
        self.most = most
        self.now_s = 0.0
        self.story: list[tuple[float, int, TurnPhase]] = []

    def run(self, seconds: float) -> None:
        for _ in range(round(seconds / TICK_S)):
            self.now_s += TICK_S
            ahead = [False, *(turn.ahead for turn in self.turns[:-1])]
            back = [*(turn.back for turn in self.turns[1:]), False]
            for k, turn in enumerate(self.turns):
                before = turn.phase
                turn.look(self.now_s, self.bent[k], ahead[k], back[k])
                if turn.phase is not before:
                    self.story.append((self.now_s, k, turn.phase))
                way = min(turn.target, self.most) - self.bent[k]
                self.bent[k] += max(-PACE * TICK_S, min(PACE * TICK_S, way))

    def when(self, place: int, phase: TurnPhase) -> float:
        return next(t for t, k, found in self.story if (k, found) == (place, phase))


@pytest.mark.parametrize("letters", ["TRRHRRVP", "RR", "TRH", "TRRRRP", "HRHRHRH"])
def test_joints_turn_one_after_another_and_the_last_says_so(letters):
    row = Row(letters)
    joints = [k for k, letter in enumerate(letters) if letter == "R"]
    row.run(10 * len(joints))
    turned = [k for _, k, phase in row.story if phase is TurnPhase.TURNING]
    assert turned == joints
    assert [turn.finished for turn in row.turns] == [k == joints[-1] for k in range(len(letters))]
    assert all(turn.target == 0.0 and not turn.ahead and not turn.back for turn in row.turns[1:])


def test_a_module_stays_bent_until_the_next_is_bent_far_enough():
    row = Row("TRRHRRVP")
    row.run(30)
    for one, next_one in ((1, 2), (2, 4), (4, 5)):
        handed = row.when(next_one, TurnPhase.HANDING_ON)
        assert 0 < row.when(one, TurnPhase.STRAIGHTENING) - handed < 0.1


def test_the_last_one_straightens_by_itself():
    row = Row("TRP")
    row.run(20)
    waited = row.when(1, TurnPhase.STRAIGHTENING) - row.when(1, TurnPhase.HANDING_ON)
    assert waited == pytest.approx(LAST_S, abs=2 * TICK_S)


def test_a_module_that_the_wall_stops_short_hands_on_after_a_while():
    row = Row("RR", most=radians(25))
    row.run(30)
    waited = row.when(0, TurnPhase.HANDING_ON) - row.when(0, TurnPhase.TURNING)
    assert waited == pytest.approx(STALL_S, abs=2 * TICK_S)
    assert row.turns[1].finished


def test_without_a_first_nobody_turns():
    """A chain whose place nobody knows only gives way."""
    turns = [TurnInPipe(jointed=True, first=False) for _ in range(2)]
    for turn in turns:
        turn.look(1.0, 0.0, before=False, behind=False)
    assert [turn.phase for turn in turns] == [TurnPhase.WAITING] * 2

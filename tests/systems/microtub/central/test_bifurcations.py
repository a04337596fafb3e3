"""Bifurcations on the way: seen, bent through, mapped, and forgotten where they were none."""

from __future__ import annotations

from dataclasses import replace
from math import degrees, radians

import pytest

from annelid.kernel import seconds
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.joints import JointBend
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownElbow, TouchReport
from annelid.systems.microtub.central.once_more import OnceMore
from annelid.systems.microtub.central.reckoning import MISCOUNT
from annelid.systems.microtub.central.seen_bifurcation import Choice, SeenBifurcation
from annelid.systems.microtub.discovery import FoundModule
from annelid.systems.microtub.mapping import PlaceKind
from annelid.systems.microtub.protocol import LLC1, TouchSide, WorkingMode

R = "00003300000003000"


def on_the_way(enter: Choice = "run", wire_ids: str = "crrhrrvp") -> tuple[Knowledge, Bifurcations]:
    knowledge = Knowledge(mode=WorkingMode.PIPE, heading=1)
    strings = {"c": "00000000301000000", "r": R, "h": "00310000000000000"}
    knowledge.know(
        FoundModule(place, each, strings.get(each, "0" * 17))
        for place, each in enumerate(wire_ids, 1)
    )
    return knowledge, Bifurcations(knowledge, enter=enter)


def go(knowledge: Knowledge, to: float) -> None:
    if (to > knowledge.way) is not knowledge.pipes.forwards:
        knowledge.pipes.reversed()
    knowledge.heading = 1 if to > knowledge.way else -1
    knowledge.pipes.advance(abs(to - knowledge.way))
    knowledge.doubted += MISCOUNT["MHE"] * abs(to - knowledge.way)
    knowledge.way = to
    knowledge.now_ns += seconds(1)


def opening(knowledge: Knowledge, direction_deg: int | None = 0) -> TouchReport:
    return TouchReport(1, TouchSide.OPENING, direction_deg, knowledge.now_ns)


def crossing(knowledge: Knowledge, direction_deg: int = 0) -> TouchReport:
    return TouchReport(1, TouchSide.CROSS, direction_deg, knowledge.now_ns)


def pass_by(knowledge: Knowledge, all_of_them: Bifurcations, *, at: float = 0.4) -> None:
    """The nose tells that a side is open, and that it is closed again."""
    go(knowledge, at)
    all_of_them.opening(opening(knowledge))
    go(knowledge, at + 0.05)
    all_of_them.opening(opening(knowledge))


def come_upon(
    knowledge: Knowledge, all_of_them: Bifurcations, *, at: float = 0.4
) -> SeenBifurcation:
    """The same, and back to where the branch is entered from."""
    pass_by(knowledge, all_of_them, at=at)
    assert all_of_them.retreats
    go(knowledge, at - 0.13)
    assert not all_of_them.retreats
    (found,) = all_of_them.seen
    go(knowledge, at)
    assert all_of_them.opening(opening(knowledge)) is None
    return found


def enter(knowledge: Knowledge, all_of_them: Bifurcations, to: float, *, turned: int = 45) -> None:
    """Go on to there; the joints are bent so far in all."""
    while knowledge.way < to - 1e-9:
        go(knowledge, min(knowledge.way + 0.01, to))
        all_of_them.feel(JointBend(radians(turned), 0.0))
        all_of_them.orders()


def test_an_opening_that_does_not_close_again_is_none():
    """An elbow opens at one side, too."""
    knowledge, all_of_them = on_the_way("both")
    go(knowledge, 0.4)
    assert all_of_them.opening(opening(knowledge)) is None
    go(knowledge, 0.8)
    assert all_of_them.opening(opening(knowledge)) is None  # the next one, too far away
    all_of_them.touched()
    go(knowledge, 0.85)
    assert all_of_them.opening(opening(knowledge)) is None
    assert not all_of_them.retreats
    assert all_of_them.seen == []


def test_what_a_nodding_nose_sees_slightly_open_is_a_doubt_and_no_side():
    """An inchworm nods at every step.  The control: a nose that is pushed."""
    for gait, sides in (("MWO", 0), ("MHE", 1)):
        knowledge, all_of_them = on_the_way()
        knowledge.gait = gait
        go(knowledge, 0.4)
        all_of_them.opening(opening(knowledge))
        go(knowledge, 0.45)
        all_of_them.opening(TouchReport(1, TouchSide.SLIGHT, 0, knowledge.now_ns))
        assert len(all_of_them.seen) == sides
        assert all_of_them.doubtful == 1 - sides


def test_what_opens_before_a_nodding_nose_and_stays_open_is_a_doubt():
    """It has not seen where that closed.  An end of the pipe that shows late is none."""
    for farther, doubts in ((0.3, 1), (0.05, 0)):
        knowledge, all_of_them = on_the_way()
        knowledge.gait = "MWO"
        go(knowledge, 0.4)
        all_of_them.opening(opening(knowledge))
        go(knowledge, 0.4 + farther)
        all_of_them.end()
        assert all_of_them.doubtful == doubts


def test_the_robot_goes_back_a_little_to_enter_a_branch_and_bends_its_joints():
    knowledge, all_of_them = on_the_way("branch")
    go(knowledge, 0.3)
    assert all_of_them.orders() == []
    seen = come_upon(knowledge, all_of_them)
    assert seen.taken == "branch"
    assert all_of_them.opening(opening(knowledge)) is None
    go(knowledge, 0.48)
    orders = all_of_them.orders()
    assert {order.command for order in orders} == {LLC1.MS1, LLC1.MS2}
    assert {order.to for order in orders} == {2, 3, 5, 6}
    assert any(order.values[0] != 0 for order in orders)
    assert all_of_them.orders() == []  # nothing has changed
    assert len(all_of_them.orders(anew=True)) == len(orders)  # unless they have forgotten
    go(knowledge, 1.2)
    assert {order.values[0] for order in all_of_them.orders()} == {0}
    assert all_of_them.orders() == []


def test_it_goes_on_the_map_where_its_middle_is():
    knowledge, all_of_them = on_the_way()
    pass_by(knowledge, all_of_them)
    (seen,) = all_of_them.seen
    enter(knowledge, all_of_them, 0.6, turned=0)
    (place,) = (p for p in knowledge.pipes.graph.places.values() if p.kind is PlaceKind.JUNCTION)
    stretch, at = knowledge.pipes.graph.spot(place)
    mapped = knowledge.pipes.graph.along(stretch, at)
    assert mapped == pytest.approx(seen.junction.middle, abs=0.001)
    assert knowledge.pipes.where.along == pytest.approx(0.6, abs=1e-6)
    assert any("a bifurcation" in each.words for each in knowledge.task.news)


def test_a_bifurcation_is_told_with_how_long_ago_it_was_seen():
    """Its opening began before the joints felt where they are: a sensor that was broken then has
    shown it."""
    knowledge, all_of_them = on_the_way()
    go(knowledge, 0.4)
    all_of_them.opening(opening(knowledge))
    seen_ns = knowledge.now_ns
    go(knowledge, 0.45)
    all_of_them.opening(opening(knowledge))
    while not knowledge.task.news:
        enter(knowledge, all_of_them, knowledge.way + 0.01, turned=0)
    ((told,),) = (each.statements for each in knowledge.task.news)
    assert told.what == "bifurcation"
    assert told.age_s == pytest.approx((knowledge.now_ns - seen_ns) / seconds(1))


def test_the_mouth_of_a_pipe_is_none():
    knowledge, all_of_them = on_the_way()
    pass_by(knowledge, all_of_them)
    all_of_them.end()
    assert all_of_them.seen == []


@pytest.mark.parametrize(
    ("beyond", "kept", "doubtful"), [(0.01, False, 0), (0.04, False, 1), (0.05, True, 0)]
)
def test_a_bifurcation_before_the_end_of_a_short_leg_is_kept(
    beyond: float, kept: bool, doubtful: int
):
    """Its other leg would never be seen, and nobody would count it."""
    knowledge, all_of_them = on_the_way()
    pass_by(knowledge, all_of_them)
    (seen,) = all_of_them.seen
    go(knowledge, seen.shut_at + beyond)
    all_of_them.end()
    assert (all_of_them.seen == [seen]) is kept
    assert all_of_them.doubtful == doubtful


def test_touches_and_openings_of_a_bent_nose_mean_nothing():
    knowledge, all_of_them = on_the_way()
    go(knowledge, 0.4)
    assert all_of_them.counts_touch()
    pass_by(knowledge, all_of_them)
    go(knowledge, 0.55)
    assert not all_of_them.counts_touch()
    assert all_of_them.opening(opening(knowledge, 90)) is None
    assert all_of_them.opening(opening(knowledge, None)) is None


def test_both_legs_are_entered_one_after_the_other_and_end_at_one_place_of_the_map():
    knowledge, all_of_them = on_the_way("both")
    seen = come_upon(knowledge, all_of_them)
    first = seen.taken
    enter(knowledge, all_of_them, 0.7)
    knowledge.pipes.dead_end()
    go(knowledge, 0.33)
    assert all_of_them.next_leg() is None  # the nose is not out of it
    go(knowledge, 0.25)
    assert all_of_them.next_leg() is seen
    assert (first, seen.taken) == ("branch", "run")
    assert all_of_them.next_leg() is None
    go(knowledge, 0.37)  # it miscounts by 30 mm, and the nose tells of the opening once more
    assert all_of_them.opening(opening(knowledge)) is None
    assert knowledge.way == pytest.approx(0.4)
    enter(knowledge, all_of_them, 0.9, turned=0)
    knowledge.pipes.dead_end()
    kinds = [place.kind for place in knowledge.pipes.graph.places.values()]
    assert kinds == [PlaceKind.START, PlaceKind.JUNCTION, PlaceKind.END, PlaceKind.END]
    assert (all_of_them.left_out, all_of_them.doubtful) == (0, 0)


def come_upon_a_cross(enter: Choice) -> tuple[Knowledge, Bifurcations]:
    knowledge, all_of_them = on_the_way(enter)
    for way in (0.4, 0.45):
        go(knowledge, way)
        all_of_them.opening(crossing(knowledge))
    return knowledge, all_of_them


def test_all_three_legs_of_a_cross_are_entered_and_leave_one_place_of_the_map():
    knowledge, all_of_them = come_upon_a_cross("both")
    assert all_of_them.retreats
    go(knowledge, 0.27)
    assert not all_of_them.retreats
    (seen,) = all_of_them.seen
    entered = []
    for turned in (45, -45, 0):
        entered.append((seen.taken, round(degrees(seen.junction.towards))))
        go(knowledge, 0.4)
        assert all_of_them.opening(crossing(knowledge)) is None, "it is the one that is known"
        enter(knowledge, all_of_them, 0.7, turned=turned)
        knowledge.pipes.dead_end()
        go(knowledge, 0.25)
        assert all_of_them.next_leg() is (None if turned == 0 else seen)
    assert entered == [("branch", 0), ("branch", 180), ("run", 180)]
    (place,) = (p for p in knowledge.pipes.graph.places.values() if p.kind is PlaceKind.JUNCTION)
    assert (place.what, len(place.ways), len(place.onward)) == ("cross", 3, 3)
    assert (all_of_them.left_out, all_of_them.doubtful) == (0, 0)


def test_the_joints_tell_where_the_branch_across_leaves():
    """The nose tells the plane of a cross by its rays, which are 90° apart."""
    knowledge, all_of_them = come_upon_a_cross("both")
    go(knowledge, 0.27)
    assert not all_of_them.retreats
    while knowledge.way < 0.7:
        go(knowledge, knowledge.way + 0.01)
        all_of_them.feel(JointBend(radians(40), radians(23)))
        all_of_them.orders()
    go(knowledge, 0.25)
    other = all_of_them.next_leg()
    assert other is not None
    assert degrees(other.junction.towards) == pytest.approx(210, abs=1)


def test_a_branch_of_a_cross_that_was_missed_is_tried_again_before_the_one_across():
    knowledge, all_of_them = come_upon_a_cross("both")
    go(knowledge, 0.27)
    assert not all_of_them.retreats
    (seen,) = all_of_them.seen
    entered = []
    for turned in (0, 45, -45):
        entered.append((seen.taken, round(degrees(seen.junction.towards))))
        enter(knowledge, all_of_them, 0.7, turned=turned)
        go(knowledge, 0.25)
        all_of_them.next_leg()
    assert entered == [("branch", 0), ("branch", 0), ("branch", 180)]
    assert seen.done, "straight on was seen when the branch was missed"
    assert all_of_them.left_out == 0


def test_a_branch_across_that_is_missed_three_times_may_not_be_there():
    """A nose that sinks into the branch of a tee sees farther across as well."""
    knowledge, all_of_them = come_upon_a_cross("both")
    go(knowledge, 0.27)
    assert not all_of_them.retreats
    for turned in (45, 0, 0, 0):
        enter(knowledge, all_of_them, 0.7, turned=turned)
        go(knowledge, 0.25)
        all_of_them.next_leg()
    assert (all_of_them.left_out, all_of_them.doubtful) == (0, 1)


@pytest.mark.parametrize(("enter_", "left"), [("run", 2), ("branch", 2)])
def test_legs_of_a_cross_that_are_not_wanted_are_counted(enter_: Choice, left: int):
    knowledge, all_of_them = come_upon_a_cross(enter_)
    if all_of_them.retreats:
        go(knowledge, 0.27)
        assert not all_of_them.retreats
    enter(knowledge, all_of_them, 0.7, turned=45 if enter_ == "branch" else 0)
    assert all_of_them.left_out == left


def test_a_branch_counts_as_entered_when_the_joints_are_bent():
    """Straight joints are in the run: the branch is tried twice more, then left out."""
    knowledge, all_of_them = on_the_way("both")
    seen = come_upon(knowledge, all_of_them)
    enter(knowledge, all_of_them, 0.7, turned=4)
    assert (seen.taken, seen.left) == ("run", ("branch",))
    assert "taking the run" in knowledge.task.news[-1].words
    for _ in range(2):
        go(knowledge, 0.25)
        assert all_of_them.next_leg() is seen
        assert seen.taken == "branch"
        go(knowledge, 0.4)
        all_of_them.opening(opening(knowledge))
        enter(knowledge, all_of_them, 0.7, turned=4)
    go(knowledge, 0.25)
    assert all_of_them.next_leg() is None
    assert all_of_them.left_out == 1


def test_a_run_in_which_the_joints_are_bent_is_in_doubt():
    """It may be an elbow that looked like a bifurcation, so nothing is claimed of its legs."""
    knowledge, all_of_them = on_the_way("both")
    come_upon(knowledge, all_of_them)
    enter(knowledge, all_of_them, 0.7)
    for _ in range(2):
        go(knowledge, 0.25)
        assert all_of_them.next_leg() is not None
        enter(knowledge, all_of_them, 0.7)
    assert (all_of_them.left_out, all_of_them.doubtful) == (0, 1)
    assert telling.seen(0, cut_short=False, doubtful=1).what == "in doubt"
    assert telling.seen(0, cut_short=False).what == "all seen"


def test_a_branch_that_is_too_sharp_for_the_chain_is_left_aside():
    knowledge, all_of_them = on_the_way("both")
    go(knowledge, 0.4)
    all_of_them.opening(opening(knowledge))
    go(knowledge, 0.422)  # a short mouth
    all_of_them.opening(opening(knowledge))
    assert not all_of_them.retreats
    (seen,) = all_of_them.seen
    assert (seen.taken, seen.left, all_of_them.left_out) == ("run", (), 1)
    assert knowledge.task.news == []
    enter(knowledge, all_of_them, 0.7, turned=0)
    (told,) = knowledge.task.news
    assert "too sharp" in told.words
    assert "bifurcation" not in told.words, "a leg that nobody was in is only seen"


def test_a_run_that_bends_as_its_branch_did_is_told_as_an_elbow():
    """And one that goes straight on, or to another side, as the bifurcation that it is."""
    for turned, told in ((45, "an elbow"), (4, "a bifurcation"), (-45, "a bifurcation")):
        knowledge, all_of_them = on_the_way("both")
        come_upon(knowledge, all_of_them)
        enter(knowledge, all_of_them, 0.7, turned=45)
        away = []
        while all_of_them.seen and not all_of_them.seen[0].done:
            go(knowledge, 0.25)
            found = all_of_them.next_leg()
            assert found is not None
            away.append(found.junction.away)
            enter(knowledge, all_of_them, 0.7, turned=turned)
        assert knowledge.task.news[-1].words.startswith(told)
        assert len(away) == (2 if turned == 45 else 1), "once more, if it may have slid in"
        assert away == sorted(set(away)), "each time the nose is bent farther away"


def test_a_nose_that_looks_to_the_side_of_its_pipe_claims_no_bifurcation():
    """Zigzag behind an elbow it saw a side open in a straight pipe."""
    for askew in (True, False):
        knowledge, all_of_them = on_the_way("both")
        knowledge.askew = askew
        for way in (0.4, 0.44):
            go(knowledge, way)
            all_of_them.opening(opening(knowledge))
        assert (all_of_them.seen == [] and not all_of_them.retreats) is askew


@pytest.mark.parametrize("touched", [True, False])
@pytest.mark.parametrize(("elbow_at", "doubtful"), [(None, 1), (0.43, 0), (0.9, 1)])
def test_an_opening_that_was_never_seen_to_shut_is_an_elbow_or_leaves_a_doubt(
    elbow_at: float | None, doubtful: int, touched: bool
):
    """A branch beside a robot whose tail still turned was overlooked so, and one into whose mouth
    the nose sank until it touched the edge."""
    knowledge, all_of_them = on_the_way("both")
    go(knowledge, 0.4)
    all_of_them.opening(opening(knowledge))
    if touched:
        all_of_them.touched()
    go(knowledge, 1.2)
    if elbow_at is not None:
        knowledge.elbows.append(KnownElbow(elbow_at, radians(60), 0.0, 0.06, 0.03))
    all_of_them.settle()
    assert all_of_them.doubtful == doubtful
    all_of_them.settle()
    assert all_of_them.doubtful == doubtful, "counted once"


def test_the_end_of_a_pipe_that_looked_like_a_sharp_branch_is_no_leg_and_is_not_told():
    """A nose that hangs over the rim sees a side open and shut within a few millimetres."""
    knowledge, all_of_them = on_the_way("both")
    for way in (0.4, 0.407):
        go(knowledge, way)
        all_of_them.opening(opening(knowledge))
    assert all_of_them.left_out == 1
    go(knowledge, 0.439)
    all_of_them.end()
    all_of_them.settle()
    assert (all_of_them.left_out, all_of_them.doubtful, knowledge.task.news) == (0, 1, [])


def test_an_elbow_that_looked_like_a_sharp_branch_is_not_told_as_a_bifurcation():
    knowledge, all_of_them = on_the_way("both")
    go(knowledge, 0.4)
    all_of_them.opening(opening(knowledge))
    go(knowledge, 0.422)
    all_of_them.opening(opening(knowledge))
    enter(knowledge, all_of_them, 0.7, turned=70)
    assert (all_of_them.seen, all_of_them.left_out, all_of_them.doubtful) == ([], 0, 1)
    assert not any("bifurcation" in news.words for news in knowledge.task.news)


def test_a_leg_that_is_not_wanted_is_counted():
    knowledge, all_of_them = on_the_way("run")
    pass_by(knowledge, all_of_them)
    enter(knowledge, all_of_them, 0.6, turned=0)
    go(knowledge, 0.2)
    assert all_of_them.next_leg() is None
    assert all_of_them.left_out == 1


@pytest.mark.parametrize("doubt", ["worm", "no traveller", "one joint"])
def test_who_cannot_tell_a_branch_from_a_bend_does_not_claim_one(doubt: str):
    """The nose alone has seen a side open and close; the control is a robot that is pushed,
    measures its way and has joints to feel with."""
    for doubted in (False, True):
        knowledge, all_of_them = on_the_way("run")
        if doubted and doubt == "worm":
            knowledge.gait = "MWO"
        elif doubted:
            gone = "v" if doubt == "no traveller" else "r"
            kept = [p for p in knowledge.parts if p.id != gone]
            joint = [p for p in knowledge.parts if p.id == "r"][:1] if gone == "r" else []
            knowledge.parts = tuple(sorted([*kept, *joint], key=lambda part: part.address))
        pass_by(knowledge, all_of_them)
        enter(knowledge, all_of_them, 0.7, turned=0)
        told = " ".join(each.words for each in knowledge.task.news)
        assert ("a bifurcation" in told) is not doubted
        assert ("a branch, or a bend" in told) is doubted
        assert all_of_them.doubtful == int(doubted)


@pytest.mark.parametrize("measured", [True, False])
def test_joints_that_are_bent_make_no_branch_where_nobody_measures_the_way(measured: bool):
    """An elbow bends them, too; that the nose has gone on straight before it, nobody knows."""
    knowledge, all_of_them = on_the_way("both")
    if not measured:
        knowledge.parts = tuple(p for p in knowledge.parts if p.id != "v")
    come_upon(knowledge, all_of_them)
    enter(knowledge, all_of_them, 0.7)
    told = " ".join(each.words for each in knowledge.task.news)
    assert ("a bifurcation" in told) is measured
    assert ("a branch, or a bend" in told) is not measured
    assert all_of_them.doubtful == int(not measured)


def test_an_opening_of_which_no_joint_has_told_is_doubted_once():
    knowledge, all_of_them = on_the_way("run")
    knowledge.gait = "MO1"  # a wave: its joints give way, so it claims no bifurcation
    pass_by(knowledge, all_of_them)
    while knowledge.way < 0.7:
        go(knowledge, knowledge.way + 0.01)
        all_of_them.orders()
    assert [each.what for news in knowledge.task.news for each in news.statements] == [
        "perhaps side"
    ]
    assert all_of_them.doubtful == 1


def test_a_second_one_is_seen_while_the_tail_is_drawn_through_the_first():
    knowledge, all_of_them = on_the_way("run")
    pass_by(knowledge, all_of_them)
    enter(knowledge, all_of_them, 0.7, turned=0)
    pass_by(knowledge, all_of_them, at=0.71)
    assert len(all_of_them.seen) == 2
    assert all_of_them.at(0.76) is all_of_them.seen[1]


@pytest.mark.parametrize(("told", "way"), [(0.385, 0.4), (0.405, 0.4), (0.42, 0.42)])
def test_a_bent_nose_that_sees_the_branch_late_does_not_move_it(told, way):
    """A correction by that would bend the joints later still."""
    knowledge, all_of_them = on_the_way("both")
    pass_by(knowledge, all_of_them)
    go(knowledge, 0.25)
    assert not all_of_them.retreats
    go(knowledge, told)
    assert all_of_them.opening(opening(knowledge)) is None
    assert knowledge.way == pytest.approx(way)


def test_the_way_is_not_corrected_by_more_than_it_can_be_off():
    knowledge, all_of_them = on_the_way("both")
    pass_by(knowledge, all_of_them)
    go(knowledge, 0.25)
    assert not all_of_them.retreats
    go(knowledge, 0.34)
    all_of_them.opening(opening(knowledge))
    assert knowledge.way == pytest.approx(0.34)


def test_a_branch_that_was_missed_is_bent_into_sooner_and_stays_where_it_is():
    knowledge, all_of_them = on_the_way("both")
    seen = come_upon(knowledge, all_of_them)
    before = seen.junction
    enter(knowledge, all_of_them, 0.7, turned=0)
    assert (seen.taken, seen.left) == ("run", ("branch",))
    assert seen.junction.middle == pytest.approx(before.middle)
    again = replace(seen.junction, into=True)
    nose = before.corner - 0.01
    body = all_of_them.backbone
    assert again.bends(nose, body, 0.0)[0].yaw > before.bends(nose, body, 0.0)[0].yaw
    straight = replace(before, into=False)
    assert seen.junction.bends(nose, body, 0.0) == straight.bends(nose, body, 0.0)


def test_a_robot_that_stands_in_a_branch_for_long_turns_its_arch():
    """By then it is the tail that is held, at an edge that the arch presses it to."""
    knowledge, all_of_them = on_the_way("both")
    seen = come_upon(knowledge, all_of_them)
    enter(knowledge, all_of_them, seen.junction.corner + 0.18)
    behind_the_nose = all_of_them.joints[1]
    told = []
    for _ in range(75):
        knowledge.now_ns += seconds(0.2)
        told += [
            int(order.values[0])
            for order in all_of_them.orders()
            if (order.command, order.to) == (LLC1.MS1, behind_the_nose)
        ]
    assert max(told) > 20
    assert min(told) < -20


def test_a_branch_in_which_the_robot_stuck_is_come_upon_once_more():
    knowledge, them = on_the_way("both")
    come_upon(knowledge, them)
    (seen,) = them.seen
    seen.again, seen.mapped = False, True
    inside = seen.junction.corner + 0.1
    assert them.before(inside) == pytest.approx(seen.junction.corner - 0.1)
    assert them.before(1.5) == 1.5
    go(knowledge, them.before(inside) - 0.01)
    them.come_again()
    assert (seen.again, seen.mapped, seen.taken, seen.left) == (True, False, "branch", ("run",))


def test_an_opening_of_which_nobody_knows_what_it_is_is_passed_once_more():
    """One that stuck behind it came again from within its mouth, and saw nothing."""
    knowledge, them = on_the_way("both")
    go(knowledge, 0.7)
    them.opening(opening(knowledge))
    assert them.before(0.85) == pytest.approx(0.6)
    assert them.before(1.2) == 1.2
    them.touched()
    assert them.before(0.85) == 0.85


def test_each_leg_of_a_bifurcation_has_tries_of_its_own():
    """Places in two legs are as far from home, and are two."""
    knowledge, them = on_the_way("both")
    come_upon(knowledge, them)
    (seen,) = them.seen
    again = OnceMore(them)
    go(knowledge, 0.6)
    branch = [again.begin(knowledge) for _ in range(3)]
    seen.take_next()
    assert seen.taken == "run"
    run = [again.begin(knowledge) for _ in range(3)]
    assert branch == run == [True, True, False]


def test_bifurcations_behind_the_nose_stay_as_they_were():
    knowledge, them = on_the_way("both")
    come_upon(knowledge, them)
    (seen,) = them.seen
    seen.again, seen.mapped = False, True
    go(knowledge, 1.2)
    them.come_again()
    assert (seen.again, seen.mapped) == (False, True)

"""Every claim, in order: what is said, where, and which file measures it.

An experiment is a function ``experiment(bench) -> Outcome`` in a file of its own, imported when it
runs; the table itself costs nothing to read.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Final

from annelid.papers.bench import Bench
from annelid.papers.claim import Claim, Outcome


def _in(file: str) -> Callable[[Bench], Outcome]:
    def experiment(bench: Bench) -> Outcome:
        outcome: Outcome = import_module(f"annelid.papers.{file}").experiment(bench)
        return outcome

    return experiment


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        "A1",
        "The servo model follows its equations: angle and current of a step from 30° to 120°",
        "curves only: 000 Fig 18, 001 Fig 4, Table 1",
        _in("a01_servo_step"),
    ),
    Claim(
        "A2",
        "A servo going from 100° to 180° and blocked at 135° is released in time",
        "released at 100 mA, below 120 mA: 000 §4.1.2, Fig 10",
        _in("a02_blocked_servo"),
    ),
    Claim(
        "A3",
        "Helicoidal speed falls with the pipe's slope (0/30/60/90°)",
        "real 3/2.1/1.5/1.2, simulated 3/2.3/1.6/1.3 cm/s (000 §8.1)",
        _in("a03_helicoidal"),
    ),
    Claim(
        "A4",
        "Inchworm S E S speed in a 40 mm pipe falls with the slope (0/30/90°)",
        "real 2.5/1.5/0.6, simulated 1.5/1.3/0.3 cm/s (000 §8.1)",
        _in("a04_inchworm"),
    ),
    Claim(
        "A5",
        "Traveller odometry is exact behind a helicoidal drive and drifts linearly otherwise",
        "curves only: 001 Fig 6",
        _in("a05_odometry"),
    ),
    Claim(
        "A6",
        "T R R H is the least that gets round an elbow; T R H sticks",
        "stated: 001 §6.1",
        _in("a06_minimal"),
    ),
    Claim(
        "A7",
        "In inchworm units extensions add speed and supports add grip; one unit does not work",
        "stated: 001 §6.5, 000 Fig 20 (g)",
        _in("a07_inchworm_units"),
    ),
    Claim(
        "A8",
        "A support holds the robot while rotation modules turn at a bifurcation",
        "stated: 001 §6.6",
        _in("a08_bifurcation"),
    ),
    Claim(
        "A9",
        "Snake, worm and helicoidal movement at the same time in one chain",
        "stated: 000 Fig 19, 001 §6.7",
        _in("a09_mixed"),
    ),
    Claim(
        "A10",
        "Rotation chains go forward, backward, turn, roll, rotate in place and shift sideways",
        "stated: 001 §3.3.1",
        _in("a10_gaits"),
    ),
    Claim(
        "A11",
        "The simulator takes pipes, open air, undulating terrain and any mesh",
        "stated: 001 §3.4",
        _in("a11_environments"),
    ),
    Claim(
        "A12",
        "Pitch and roll follow from the accelerometer",
        "formulas only: 001 eqs 6-7",
        _in("a12_orientation"),
    ),
    Claim(
        "A13",
        "Physics at 0.5 ms with all modules is fluid on a PC",
        'stated, "fluid": 001 §4.1.1',
        _in("a13_real_time"),
    ),
    Claim(
        "B1",
        "The configuration check finds order and type of every module, whenever asked",
        "stated: 000 §5.2, Fig 14",
        _in("b01_configuration"),
    ),
    Claim(
        "B2",
        "Modules tell their capabilities (MDL), and tell them anew when they are damaged",
        "stated: 000 §3.4, §5.3",
        _in("b02_capabilities"),
    ),
    Claim(
        "B3",
        "What the robot can do is inferred from its modules by rules, to a fixpoint",
        "Table 9; example: Ext 3 in open air, 1 in a pipe (000 §6)",
        _in("b03_inference"),
    ),
    Claim(
        "B4",
        "The engine tells which modules a task needs and where best to split the robot",
        "stated: 000 §6",
        _in("b04_queries"),
    ),
    Claim(
        "B5",
        "A servo heats, is stopped at 50 °C, cools, and heats again",
        "curve A-E, stop at 50 °C: 000 §4.1.1, Fig 9",
        _in("b05_overheating"),
    ),
    Claim(
        "B6",
        "A servo that does not follow and a dead sync line are told to the central control",
        "stated: 000 §4.1.4",
        _in("b06_self_diagnostic"),
    ),
    Claim(
        "B7",
        "A module tells a narrow pipe, a wide pipe and open air from infrared and touch",
        "stated, no rate: 000 §4.1.5; ours: 95 % over pipes of 36-200 mm",
        _in("b07_situation"),
    ),
    Claim(
        "B8",
        "Clocks are held by RTC every 2 s or by the sync line, which is the more accurate",
        "stated: 000 §4.1.6",
        _in("b08_clocks"),
    ),
    Claim(
        "B9",
        "Modules go round an elbow one after another, by the dialogue on the sync lines",
        "shown in pipes of 40 and 36 mm: 000 §4.1.6, Fig 12, Fig 25",
        _in("b09_elbow"),
    ),
    Claim(
        "B10",
        "Every LLC1, LLC2 and HLC command brings about what it asks for",
        "49 commands: 000, Tables 4-8",
        _in("b10_commands"),
    ),
    Claim(
        "B11",
        "An actuator fails: the robot changes its actions by itself and still gets there",
        "stated: 000 §3.4, §6",
        _in("b11_failure"),
    ),
    Claim(
        "B12",
        "A chain that lies on its side rights itself before it goes on",
        "pictures only: 000 §6.1.1, Fig 15",
        _in("b12_balance"),
    ),
    Claim(
        "B13",
        "Obstacle negotiation over goal over path over wandering, balance over walking",
        "stated: 000 §6.2, Fig 17",
        _in("b13_fusion"),
    ),
    Claim(
        "B14",
        "R R S E S R R inches in a pipe and rolls in open air, nothing reprogrammed",
        "stated: 000 §8.2, Figs 21 and 22",
        _in("b14_same_robot"),
    ),
    Claim(
        "B15",
        "A pipe with an elbow and a bifurcation is explored, mapped, and left by the way it came",
        "pictures only: 000 Fig 16; ours: out and home over 50 runs, lengths within 3 %",
        _in("b15_exploration"),
    ),
    Claim(
        "B16",
        "A break in the wall is found with the camera and told; a tool is brought to it",
        "stated: 000 §6.1.6; ours: within max(20 mm, 3 % of the way)",
        _in("b16_break"),
    ),
    Claim(
        "B17",
        "A GA finds the wave that carries six rotation modules furthest in open air",
        "85°, 15 rad/s, 1.97 rad in generation 172 of 175 (000 §8.3, Fig 23)",
        _in("b17_open_air"),
    ),
    Claim(
        "B18",
        "A GA finds the order of rotation and drive: as many drives as still pass the elbow",
        "THRHRHRHH in generation 17 (001 §6.2, Fig 11)",
        _in("b18_elbow"),
    ),
    Claim(
        "B19",
        "On undulating ground the GA finds a gait that is adjusted to it",
        "71°, 14 rad/s, 1.36 rad in generation 63 (001 §6.3, Fig 13)",
        _in("b19_undulating"),
    ),
    Claim(
        "B20",
        "What offline control finds becomes a rule, and changes what the robot does",
        "stated: 000 §7",
        _in("b20_learnt"),
    ),
    Claim(
        "B21",
        "In the open a stripe is followed and a landmark reached, by what the camera shows",
        "named, not shown: 000 §6.1.4, §6.1.6",
        _in("b21_by_sight"),
    ),
    Claim(
        "C1-C3",
        "Caterpillar, sidewinder and rolling track of eight equal modules",
        "0.13, 0.24 and 0.50 km/h (002 §5.1-5.3)",
        _in("c01_gaits"),
    ),
    Claim(
        "C4",
        "The programs are minimal",
        "main loop/initialisation 16/18, 19/17, 35/28 lines (002 §5)",
        _in("c04_minimal"),
    ),
    Claim(
        "C5",
        "Cut in two both halves go on; docked in another order they become one again",
        "stated: 002 §7",
        _in("c05_cut_and_rejoined"),
    ),
    Claim(
        "C6",
        "A lost signal costs one period; the speed stays when three in four are lost",
        "stated: 002 §7; 75 %: the later role-based paper",
        _in("c06_lost_signals"),
    ),
    Claim(
        "C7",
        "Starting takes d × height; staying in step then costs the same whatever the number",
        "stated: 002 §3, §7; hormones O(n), a master's messages limit its scale: §2",
        _in("c07_scaling"),
    ),
    Claim(
        "C8",
        "A loop elects a leader, and another when it is lost or exchanged",
        "stated: 002 §5.3",
        _in("c08_leader"),
    ),
    Claim(
        "C9",
        "In any configuration the highest number leads, by signals up and down the tree",
        "stated, not built: 002 §6",
        _in("c09_general"),
    ),
    Claim(
        "C10",
        "Walkers by different delays through different connectors; legs are added in run time",
        "proposed: 002 §8; quadruped to hexapod: the later role-based paper",
        _in("c10_walker"),
    ),
    Claim(
        "D1",
        "A genetic algorithm finds leg positions that walk farther with less force",
        "355 → 735 mm (+107 %), force -10 % (003 §3.1)",
        _in("d01_leg_positions"),
    ),
    Claim(
        "D2",
        "Six legs walk in a periodic pattern; after two failed, four go on, not periodically",
        "pattern only: 003 §5, Fig 7",
        _in("d02_pattern"),
    ),
    Claim(
        "D3",
        "Forward, lateral, diagonal, rotating and combined trajectories",
        "done in simulation, no numbers (003 §5)",
        _in("d03_trajectories"),
    ),
    Claim(
        "D4",
        "It walks on slopes of 45° and vertical walls; on ceilings beyond the paper",
        "done in simulation, gains adjusted by hand (003 §5)",
        _in("d04_inclines"),
    ),
    Claim(
        "D5",
        "With the real robot's cups the limit is 60°",
        "60° (003 §5)",
        _in("d05_weak_cups"),
    ),
    Claim(
        "D6",
        "With three legs left it stays put, safe, and tells the user",
        "stated: 003 §5",
        _in("d06_three_legs"),
    ),
    Claim(
        "D7",
        "Blocking recovery, a token between equals, and upper levels that disable lower ones",
        "stated: 003 §4",
        _in("d07_levels"),
    ),
    Claim(
        "D8",
        "A cup attaches and detaches in its time",
        "0.5 s and 1.5 s (003 §5)",
        _in("d08_times"),
    ),
    Claim(
        "D9",
        "Kinematics, centre follower, collision model and centre of mass are right",
        "equations only: 003 §4.4",
        _in("d09_executive"),
    ),
    Claim(
        "D10",
        "The same code walks with any number of legs from four to eight and more",
        "four and six legs (003 §5, §6)",
        _in("d10_legs"),
    ),
    Claim(
        "E1",
        "Standard and configuration packets with sync byte, address and checksum",
        "formats: 004 Fig 4; angle and PWM: Fig 7",
        _in("e01_packets"),
    ),
    Claim(
        "E2",
        "Profiles 1 to 3 drive the chain; profile 4 (the host sends programs) was not built",
        "stated: 004 §2.2.3",
        _in("e02_profiles"),
    ),
    Claim(
        "E3",
        "A packet's delay grows with the number of modules M = 1 … 8",
        "4.619·M + 6.714 ms; 11, 16, 21, 25, 31, 35, 39, 43 ms (004 eq 1, Table 3)",
        _in("e03_delay"),
    ),
    Claim(
        "E4",
        "Packets are delivered reliably at intervals above 200 ms",
        "stated, 1000 packets; curve lost: 004 §3.1, Fig 13",
        _in("e04_delivery"),
    ),
    Claim(
        "E5",
        "Noise stops the modules; a pull-up and a timeout cure it",
        "stated: 004 §2.3.1",
        _in("e05_noise"),
    ),
    Claim(
        "E6",
        "Oscillators drift apart; Cristian's algorithm holds the gait together",
        "stated: 004 §2.3.2",
        _in("e06_drift"),
    ),
    Claim(
        "E7",
        "The protocol works on a line, a bus and a ring",
        "stated: 004 §2.2.2, Fig 5; the bus is quicker: §4",
        _in("e07_topologies"),
    ),
    Claim(
        "E8",
        "Host and modules work as separate processes at a serial port (a pseudo-terminal)",
        "stated, RS-232 to a PC's program: 004 §2.2.1, Figs 3 and 7",
        _in("e08_serial_port"),
    ),
)

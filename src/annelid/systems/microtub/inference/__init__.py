"""The inference engine of the central control: what can a robot of any modules do?

Modules say what they can do as MDL strings (000 §3.4); rules say what follows from what stands
where (000 §6, Table 9).  ``rules.toml`` is the table::

    engine = Engine()                                   # with the rules that are shipped
    engine.load("my-rules.toml")                        # a user's, or what a study has learnt
    engine.remove("serpentine")                         # at any time

    known = engine.infer(members, RobotSituation(WorkingMode.PIPE, tethered=True))
    known.can("forward")                                # 0 (no) to 3 (good)
    for way in known.ways("forward"):                   # the best first
        way.rule.name, way.grade, way.modules, way.rule.gait
    print(tree(known, "forward"))                       # the proof
    print(why_not(known, "lateral"))                    # what is missing, rule by rule

    needed(engine, members, situation, "explore")       # which modules the task needs
    splits(engine, members, situation)                  # where to cut in two, the best first
    shortest_chains(engine, stock, situation, "explore")

``members`` are head first and have ``address``, ``id`` (wire id) and ``mdl``: those of
``discovery.FoundChain`` do, and :class:`StatedModule` does without a bus.  ``way.modules`` and all
other positions count from 0 at the head; ``members[position].address`` is the address to send to.

Files: ``masks`` (capabilities in a string), ``rules`` (a row of the table), ``rulebook`` (all in
force), ``limits`` (where they grant too much), ``learnt`` (rules from studies), ``facts``,
``matching`` (patterns in a chain), ``engine`` (to the fixpoint), ``knowledge`` (questions),
``proof`` (answers in words), ``needs``, ``split``.
"""

from annelid.systems.microtub.inference.engine import Engine
from annelid.systems.microtub.inference.facts import (
    Derived,
    Fact,
    ModuleFacts,
    RobotSituation,
    StatedModule,
)
from annelid.systems.microtub.inference.knowledge import Inferred
from annelid.systems.microtub.inference.learnt import Evidence, LearntRule
from annelid.systems.microtub.inference.limits import Limit
from annelid.systems.microtub.inference.needs import Needed, needed, shortest_chains
from annelid.systems.microtub.inference.proof import tree, why_not
from annelid.systems.microtub.inference.rulebook import (
    Rulebook,
    RuleFile,
    RuleTable,
    read_rules,
    rule_tables,
    rulebook,
)
from annelid.systems.microtub.inference.rules import Environment, Gait, Rule, TaskNeeds, Term
from annelid.systems.microtub.inference.split import Split, splits

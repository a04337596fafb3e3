"""The bridge from numba to the engine's C structs.

Per-step code (pipe contact, servo electronics) must run inside ``mj_step`` without Python, on
every thread of a rollout.  Numba compiles it, but knows nothing of ``mjModel`` and ``mjData``.
Here the place of each field is *found* in a live probe model, not copied from a header, so that
a release of the engine which moves a field is noticed or harmless, never silently wrong.

Writing such code::

    def make(layout):                        # closure variables are part of numba's cache key
        CTRL, QFRC = layout["data.ctrl"], layout["data.qfrc_passive"]
        @cfunc(GENERIC, cache=True)
        def passive(m, d):
            ctrl = floats(field(d, CTRL))
            floats(field(d, QFRC))[0] -= ctrl[0]
        return passive
    set_callback("passive", make(layout()))

A closure must hold plain numbers only: numba keys a closed-over jitted function by an id that is
new in every process, so the cache would never hit.  Jitted helpers belong at module level, and
``stamp`` tells the cache when the file they live in has changed.
"""

from __future__ import annotations

import ctypes
import functools
import struct
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import llvmlite.binding
import mujoco
import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from annelid.errors import MissingDependency, SimulationError

FIELDS: tuple[str, ...] = (
    "model.nuserdata",
    "model.nq",
    "model.nv",
    "model.nu",
    "model.na",
    "model.opt.timestep",
    "model.geom_size",
    "model.geom_user",
    "model.geom_type",
    "model.geom_dataid",
    "model.geom_rbound",
    "model.nuser_geom",
    "model.nnumeric",
    "model.numeric_data",
    "model.numeric_adr",
    "model.numeric_size",
    "model.hfield_size",
    "model.actuator_gainprm",
    "model.actuator_biasprm",
    "model.actuator_user",
    "model.actuator_actadr",
    "model.actuator_trnid",
    "model.jnt_dofadr",
    "model.jnt_qposadr",
    "data.time",
    "data.geom_xpos",
    "data.geom_xmat",
    "data.act",
    "data.act_dot",
    "data.ctrl",
    "data.qpos",
    "data.qvel",
    "data.qacc",
    "data.qfrc_passive",
    "data.qfrc_applied",
    "data.qfrc_actuator",
    "data.xfrc_applied",
    "data.userdata",
    "data.actuator_force",
    "data.actuator_length",
    "data.actuator_velocity",
    "data.xpos",
    "data.xquat",
    "data.xmat",
    "data.cvel",
    "data.sensordata",
)
"""Every field native code may touch.  To add one, add a line: arrays need a non-empty array in
``_probe``, scalars an entry in ``_SCALARS`` with a value that occurs nowhere else."""

_SCALARS: Mapping[str, bytes] = MappingProxyType(
    {
        "model.nuserdata": struct.pack("<q", 7919),
        "model.nnumeric": struct.pack("<q", 613),
        "model.nuser_geom": struct.pack("<q", 6007),
        "model.opt.timestep": struct.pack("<d", 0.000123456789),
        "data.time": struct.pack("<d", 0.987654321),
    }
)
"""What the probe's scalars look like in memory."""

_COUNTS = ("nq", "nv", "nu", "na")
"""Sizes at the head of mjModel, in the order of the header; checked by value."""

_SCAN_LIMIT = 1 << 20
"""Bytes searched before a field is given up (mjData holds 300 kB of solver statistics)."""

GENERIC = types.void(types.int64, types.int64)
"""``mjfGeneric``: void (const mjModel*, mjData*), addresses as integers."""

COLLISION = types.int32(
    types.int64, types.int64, types.int64, types.int32, types.int32, types.float64
)
"""``mjfCollision``: int (model, data, mjPreContact*, geom1, geom2, margin)."""


@dataclass(frozen=True)
class StructLayout:
    """Where fields lie, in 8-byte words from the start of their struct.

    The name of an array gives the word that holds its *pointer*; of a scalar, the scalar's own
    word.
    """

    offsets: Mapping[str, int]

    def __getitem__(self, name: str) -> int:
        """Word offset of ``name``, such as ``"data.ctrl"``."""
        try:
            return self.offsets[name]
        except KeyError:
            raise SimulationError(
                f"physics/native.py: field {name!r} is not in FIELDS; "
                f"available: {', '.join(sorted(self.offsets))}"
            ) from None


@functools.cache
def layout() -> StructLayout:
    """The layout of this process's engine; measured once, a few milliseconds."""
    _check_version()
    model, data = _probe()
    found: dict[str, int] = {}
    for prefix, struct_ in (("model", model), ("data", data)):
        wanted = {name: _pattern(name, struct_) for name in FIELDS if name.startswith(prefix + ".")}
        found |= _scan(struct_._address, wanted)
    _check_counts(model, found)
    return StructLayout(MappingProxyType(found))


def _check_version() -> None:
    major = mujoco.mj_version() // 1_000_000
    if major != 4:
        raise MissingDependency(
            f"MuJoCo 4.x is needed for native callbacks, found {mujoco.__version__}: "
            "pip install 'mujoco>=4,<5'"
        )


def _pattern(name: str, struct_: Any) -> bytes:
    """The bytes that mark ``name``: a planted scalar, a size, or the address of the array."""
    if name in _SCALARS:
        return _SCALARS[name]
    value = struct_
    for step in name.split(".")[1:]:
        value = getattr(value, step)
    if isinstance(value, int):
        return struct.pack("<q", value)
    array = np.asarray(value)
    if array.size == 0:
        raise SimulationError(f"physics/native.py: the probe model leaves {name} empty")
    return struct.pack("<Q", array.ctypes.data)


def _scan(base: int, wanted: Mapping[str, bytes]) -> dict[str, int]:
    """The word that equals each pattern; of several in a row, the last: an array that is empty has
    the address of the one behind it, and in another model it need not be empty.  Reads on only
    while something is missing, so that with a matching engine nothing far beyond the struct is
    read."""
    names = {int.from_bytes(pattern, "little"): name for name, pattern in wanted.items()}
    found: dict[str, int] = {}
    chunk = 512
    for start in range(0, _SCAN_LIMIT, chunk):
        complete = len(found) == len(wanted)
        for at, word in enumerate(struct.unpack("<64Q", ctypes.string_at(base + start, chunk))):
            if word in names:
                name, here = names[word], start // 8 + at
                if found.get(name, here - 1) == here - 1:
                    found[name] = here
        if complete:  # one chunk more than needed, for a run of equal words
            return found
    missing = ", ".join(sorted(set(wanted) - set(found)))
    raise SimulationError(
        f"MuJoCo {mujoco.__version__}: fields not found in its structs: {missing}. "
        "Native callbacks are tested with MuJoCo 4.0."
    )


def _check_counts(model: mujoco.MjModel, found: Mapping[str, int]) -> None:
    """Sizes are small numbers and could match elsewhere: in the probe they are distinct, and
    they must be the first words of the struct in the header's order."""
    places = [found[f"model.{name}"] for name in _COUNTS]
    if places != sorted(places) or places[0] != 0 or places[-1] > 8:
        raise SimulationError(f"MuJoCo {mujoco.__version__}: sizes of mjModel moved: {places}")


def _probe() -> tuple[mujoco.MjModel, mujoco.MjData]:
    """A model in which every field of the table exists and is unlike any other."""
    spec = mujoco.MjSpec()
    spec.nuserdata = 7919
    spec.nuser_geom = 6007
    spec.nuser_actuator = 3
    spec.option.timestep = 0.000123456789
    for index in range(613):
        spec.add_numeric(name=f"n{index}", data=[1.0, 2.0], size=2)
    spec.add_hfield(name="h", nrow=2, ncol=2, size=[1, 1, 1, 1], userdata=[0, 0, 0, 0])
    spec.worldbody.add_geom(type=mujoco.mjtGeom.mjGEOM_HFIELD, hfieldname="h")
    free = spec.worldbody.add_body(pos=[0, 0, 5])
    free.add_freejoint()
    free.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])
    for index in range(3):
        body = free.add_body(pos=[0, 0, 1 + index])
        body.add_geom(type=mujoco.mjtGeom.mjGEOM_SPHERE, size=[0.1, 0, 0])
        body.add_joint(name=f"j{index}", axis=[0, 1, 0])
        for order in range(2):
            actuator = spec.add_actuator(
                name=f"a{index}{order}",
                target=f"j{index}",
                trntype=mujoco.mjtTrn.mjTRN_JOINT,
            )
            if index < 2:
                actuator.dyntype = mujoco.mjtDyn.mjDYN_INTEGRATOR
    spec.add_sensor(name="clock", type=mujoco.mjtSensor.mjSENS_CLOCK)
    model = spec.compile()
    data = mujoco.MjData(model)
    data.time = 0.987654321
    return model, data


def stamp(*files: str) -> int:
    """A number for the text of ``files``, to be closed over and mentioned in a cached function:
    numba's cache notices edits of a function's own file, not of the helpers it calls."""
    return zlib.crc32(b"".join(Path(file).read_bytes() for file in files))


def set_callback(name: str, function: Any | None) -> None:
    """Make a numba ``cfunc`` the engine's ``mjcb_<name>`` (``passive``, ``control``, ...), called
    without the GIL; ``None`` takes it out.  The table is the process's, not the model's."""
    setter = getattr(mujoco, f"set_mjcb_{name}", None)
    if setter is None:
        raise SimulationError(f"the engine has no callback mjcb_{name}")
    if function is None:
        setter(None)
        _alive.pop(name, None)
        return
    setter(ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)(function.address))
    _alive[name] = function


_alive: dict[str, Any] = {}
"""Compiled callbacks the engine points at; letting go of one would leave it a dead pointer."""


def define_symbol(name: str, address: int) -> None:
    """Give an address a name that cached code can be linked against
    (``numba.types.ExternalFunction(name, signature)``).  An address baked into code could not be
    cached, because it is new in every process."""
    llvmlite.binding.add_symbol(name, address)


@functools.cache
def library() -> ctypes.CDLL:
    """The engine's shared library, as already loaded by the Python bindings."""
    folder = Path(mujoco.__file__).parent
    for pattern in ("libmujoco.so*", "libmujoco*.dylib", "mujoco.dll"):
        for path in sorted(folder.glob(pattern)):
            return ctypes.CDLL(str(path))
    raise MissingDependency(f"no MuJoCo library in {folder}: pip install --force-reinstall mujoco")


def _pointer_to(element: types.Type) -> Any:
    """An intrinsic that reads an integer address as a C pointer (index it; nothing is checked)."""

    @intrinsic
    def pointer(_context: Any, address: Any) -> Any:
        def generate(context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
            return builder.inttoptr(arguments[0], context.get_value_type(types.CPointer(element)))

        return types.CPointer(element)(types.int64), generate

    return pointer


floats = _pointer_to(types.float64)
"""``floats(address)[i]``: doubles in native memory, inside numba."""
ints = _pointer_to(types.int32)
"""``ints(address)[i]``: 32-bit integers in native memory."""
words = _pointer_to(types.int64)
"""``words(address)[i]``: 64-bit integers or pointers in native memory."""


def _scratch(_context: Any, size: Any) -> Any:
    pointer = types.CPointer(types.float64)
    count = size.literal_value if isinstance(size, types.IntegerLiteral) else 0
    if count < 1:
        return None

    def generate(_ctx: Any, builder: Any, _signature: Any, _arguments: Any) -> Any:
        return cgutils.alloca_once(builder, ir.DoubleType(), size=count)

    return pointer(types.int64), generate


scratch: Any = intrinsic(_scratch)
"""``scratch(27)``: room for that many doubles on the stack, gone when the function returns;
an array would be counted references to at every call."""


def _field(_context: Any, base: Any, offset: Any) -> Any:
    def generate(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        word = ir.IntType(64)
        pointer = builder.inttoptr(arguments[0], cgutils.voidptr_t)
        pointer = builder.bitcast(pointer, word.as_pointer())
        return builder.load(builder.gep(pointer, [arguments[1]]))

    return types.int64(types.int64, types.int64), generate


field: Any = intrinsic(_field)
"""``field(m, offset)``: the 8-byte word at ``offset`` words from ``base`` (an array's address,
or a size)."""


def _float_field(_context: Any, base: Any, offset: Any) -> Any:
    def generate(_ctx: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        pointer = builder.inttoptr(arguments[0], ir.DoubleType().as_pointer())
        return builder.load(builder.gep(pointer, [arguments[1]]))

    return types.float64(types.int64, types.int64), generate


float_field: Any = intrinsic(_float_field)
"""``float_field(d, offset)``: the double at ``offset`` words from ``base``."""

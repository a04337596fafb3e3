"""Native code finds the engine's fields where they are, in any model."""

import ctypes

import mujoco
import numpy as np
import pytest
from numba import cfunc

from annelid.errors import SimulationError
from annelid.physics import native
from annelid.physics.native import FIELDS, GENERIC, field, float_field, floats, layout

MODEL = """
<mujoco>
  <size nuserdata="5" nuser_geom="3" nuser_actuator="2"/>
  <option timestep="0.0017" gravity="0 0 0"/>
  <custom><numeric name="a" data="1 2 3"/><numeric name="b" data="4"/></custom>
  <asset><hfield name="h" nrow="2" ncol="2" size="1 1 1 1"/></asset>
  <worldbody>
    <geom type="hfield" hfield="h" pos="0 0 -9"/>
    <body><joint name="x" type="slide" axis="1 0 0"/><geom size=".1" mass="2"/></body>
    <body pos="0 1 0"><freejoint/><geom size=".2"/></body>
  </worldbody>
  <actuator><general joint="x" dyntype="integrator"/><motor joint="x"/></actuator>
  <sensor><clock/><framepos objtype="body" objname="world"/></sensor>
</mujoco>
"""


RICH = MODEL.replace(
    "</asset>",
    """<mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  <texture name="t" type="2d" builtin="flat" width="4" height="4"/>
  <material name="c" texture="t"/></asset>""",
).replace(
    "</worldbody>",
    """<camera/><light/><site name="s"/><body name="q" pos="3 0 0"><joint name="y"/>
    <geom type="mesh" mesh="m"/></body></worldbody>
  <tendon><fixed name="f"><joint joint="x" coef="1"/></fixed></tendon>
  <equality><joint joint1="x" joint2="y" active="false"/></equality>
  <contact><exclude body1="q" body2="world"/></contact>
  <keyframe><key/></keyframe>""",
)
"""What the probe has none of: with it, arrays that are empty there are not."""


@pytest.mark.parametrize("xml", [MODEL, RICH], ids=["plain", "rich"])
def test_every_field_is_where_the_layout_says(xml):
    model = mujoco.MjModel.from_xml_string(xml)
    data = mujoco.MjData(model)
    data.time = 3.25
    for name in FIELDS:
        prefix, *path = name.split(".")
        owner = value = {"model": model, "data": data}[prefix]
        for step in path:
            value = getattr(value, step)
        address = owner._address + 8 * layout()[name]
        if isinstance(value, float):
            assert ctypes.c_double.from_address(address).value == value, name
        elif isinstance(value, int):
            assert ctypes.c_int64.from_address(address).value == value, name
        else:
            assert ctypes.c_void_p.from_address(address).value == value.ctypes.data, name


def test_a_compiled_callback_reads_and_writes_the_state():
    places = layout()
    ctrl, force, user = places["data.ctrl"], places["data.qfrc_passive"], places["data.userdata"]
    step, time = places["model.opt.timestep"], places["data.time"]

    @cfunc(GENERIC)
    def passive(m, d):
        floats(field(d, force))[0] += 3.0 * floats(field(d, ctrl))[1]
        floats(field(d, user))[0] = float_field(m, step)
        floats(field(d, user))[1] = float_field(d, time)

    model = mujoco.MjModel.from_xml_string(MODEL)
    data = mujoco.MjData(model)
    data.time, data.ctrl[1] = 2.0, 0.5
    try:
        native.set_callback("passive", passive)
        mujoco.mj_forward(model, data)
    finally:
        native.set_callback("passive", None)
    assert data.qfrc_passive[0] == 1.5
    assert np.array_equal(data.userdata[:2], [0.0017, 2.0])
    mujoco.mj_forward(model, data)
    assert data.qfrc_passive[0] == 0


def test_unknown_fields_and_callbacks_are_refused():
    with pytest.raises(SimulationError, match=r"data\.ctrl"):
        layout()["data.qoos"]
    with pytest.raises(SimulationError, match="mjcb_lunch"):
        native.set_callback("lunch", None)


def test_stamp_follows_the_text(tmp_path):
    file = tmp_path / "kernel.py"
    file.write_text("a = 1\n")
    before = native.stamp(str(file))
    file.write_text("a = 2\n")
    assert native.stamp(str(file)) != before

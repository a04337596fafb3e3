"""Policies: small neural networks that were trained, kept in a file and run as controllers.

The file is of the safetensors format: numbers and a header of text, nothing that could be executed.
A network of full layers turns what the interface shows into an action::

    x = (observation - observe.mean) / observe.scale
    x = activation(weight_0 · x + bias_0) … weight_n · x + bias_n
    action = clip(x, -1, 1)

The header says what the policy sees and commands, name by name; a robot that has something else is
refused.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import PositiveFloat

from annelid.boundary.cost import POLICY_BYTES_MAX
from annelid.boundary.files import parse_table, writing
from annelid.boundary.plain import shortened
from annelid.boundary.tensors import read_tensors
from annelid.control.interface import Floats, Interface, InterfaceSpec, Reals, Signal
from annelid.errors import InputError, SpecError, needing
from annelid.spec import Spec

Activation = Literal["tanh", "relu"]

ACTIVATIONS: Final[Mapping[str, Callable[[Reals], Reals]]] = {
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
}

SUFFIX: Final = ".safetensors"

HEADER: Final = "annelid"
"""Name of the text in the file's header."""
WEIGHT, BIAS, MEAN, SCALE = "weight_", "bias_", "observe.mean", "observe.scale"
"""Names of the file's tensors; those of a layer are followed by its number."""


@dataclass(frozen=True)
class Policy:
    """A network, and what it was trained on."""

    layers: tuple[tuple[Reals, Reals], ...]
    """Weights (out, in) and biases, first layer first."""
    observe: tuple[Reals, Reals]
    """Mean and scale of what it sees."""
    observations: tuple[str, ...]
    actions: tuple[str, ...]
    interface: InterfaceSpec
    tick_ms: float
    activation: Activation = "tanh"

    def __post_init__(self) -> None:
        seen, done = len(self.observations), len(self.actions)
        width = seen
        if not self.layers:
            raise SpecError("policy: expected at least one layer, got none")
        for k, (weight, bias) in enumerate(self.layers):
            if weight.ndim != 2 or weight.shape[1] != width or bias.shape != weight.shape[:1]:
                raise SpecError(
                    f"policy: layer {k}: expected weights (n, {width}) and n biases, got "
                    f"{weight.shape} and {bias.shape}"
                )
            width = weight.shape[0]
        if width != done:
            raise SpecError(f"policy: expected {done} outputs, one for each action, got {width}")
        if any(each.shape != (seen,) for each in self.observe):
            raise SpecError(f"policy: observe: expected {seen} numbers for mean and scale")
        arrays = [array for pair in (*self.layers, self.observe) for array in pair]
        if not all(np.isfinite(array).all() for array in arrays):
            raise SpecError("policy: expected finite numbers, got NaN or infinity")
        if not (self.observe[1] > 0).all():
            raise SpecError("policy: observe: expected scales above 0")

    def __call__(self, seen: Reals) -> Reals:
        """The action for one observation, -1 to 1."""
        *hidden, (weight, bias) = self.layers
        bend = ACTIVATIONS[self.activation]
        with np.errstate(all="ignore"):  # who runs it refuses an action that is not a number
            x = (seen - self.observe[0]) / self.observe[1]
            for inner, shift in hidden:
                x = bend(inner @ x + shift)
            action: Reals = np.clip(weight @ x + bias, -1, 1)
        return action

    def require_fit(self, robot: Interface, *, tick_ms: float) -> None:
        """Refuse a robot, or a tick, that it was not trained with."""
        _same("sees", self.observations, robot.observations)
        _same("commands", self.actions, robot.actions)
        if abs(tick_ms - self.tick_ms) > 1e-9:
            raise InputError(
                f"it was trained at control.tick_ms = {self.tick_ms:g}, got {tick_ms:g}"
            )


class PolicyPilot:
    """A policy at work on one robot."""

    waits = False

    def __init__(self, policy: Policy, robot: Interface) -> None:
        self._policy, self._robot = policy, robot
        self._commands: Floats = np.zeros(0)

    def look(self, time_s: float, told: Floats) -> None:
        if not self._robot.decides():
            return
        seen = self._robot.observe(time_s, told)
        self._commands = self._robot.commands(self._policy(seen))

    def lay(self, told: Floats) -> None:
        self._robot.lay(self._commands, told)


def save_policy(policy: Policy, path: Path) -> Path:
    """Write the file."""
    if path.suffix != SUFFIX:
        raise InputError(f"{path}: expected a name that ends in {SUFFIX}")
    tensors: dict[str, NDArray[np.float32]] = {}
    for k, (weight, bias) in enumerate(policy.layers):
        tensors |= {f"{WEIGHT}{k}": weight, f"{BIAS}{k}": bias}
    tensors |= {MEAN: policy.observe[0], SCALE: policy.observe[1]}
    said = {
        "observations": policy.observations,
        "actions": policy.actions,
        "interface": policy.interface,
        "tick_ms": policy.tick_ms,
        "activation": policy.activation,
    }
    header = PolicyHeader.parse(said, where="policy")
    with needing("gym", "a policy file"):
        from safetensors.numpy import save_file
    whole = {name: np.ascontiguousarray(each, np.float32) for name, each in tensors.items()}
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        save_file(whole, path, metadata={HEADER: json.dumps(header.model_dump(mode="json"))})
    return path


class PolicyHeader(Spec):
    """The text beside the numbers of a file."""

    observations: tuple[str, ...]
    actions: tuple[str, ...]
    interface: InterfaceSpec
    tick_ms: PositiveFloat
    activation: Activation


def load_policy(path: Path) -> Policy:
    """Read the file; what is wrong with it is told in one line."""
    held = read_tensors(path, what="policy file", most=POLICY_BYTES_MAX)
    if HEADER not in held.texts:
        raise SpecError(
            f"{path}: not a policy of Annelid (annelid.gym.save_policy writes one): its header has "
            f"no {HEADER!r}"
        )
    where = f"{path}: its header"
    header = PolicyHeader.parse(parse_table(held.texts[HEADER], where), where=where)
    depth = sum(name.startswith(WEIGHT) for name in held.arrays)
    wanted = [each for k in range(depth) for each in (f"{WEIGHT}{k}", f"{BIAS}{k}")]
    wanted += [MEAN, SCALE]
    if missing := [name for name in wanted if name not in held.arrays]:
        raise SpecError(f"{path}: expected a tensor {missing[0]!r}, got none")
    if further := [name for name in held.arrays if name not in wanted]:
        raise SpecError(f"{path}: unknown tensor {shortened(further[0])!r}")
    *layers, mean, scale = (held.arrays[name] for name in wanted)
    try:
        return Policy(
            layers=tuple(zip(layers[::2], layers[1::2], strict=True)),
            observe=(mean, scale),
            observations=header.observations,
            actions=header.actions,
            interface=header.interface,
            tick_ms=header.tick_ms,
            activation=header.activation,
        )
    except SpecError as error:
        raise SpecError(f"{path}: {error}") from None


def _same(verb: str, trained: Sequence[str], robot: Sequence[Signal]) -> None:
    here = [signal.name for signal in robot]
    if list(trained) == here:
        return
    for place, name in enumerate(trained):
        if place >= len(here) or here[place] != name:
            got = here[place] if place < len(here) else "nothing"
            raise InputError(
                f"it {verb} {len(trained)} numbers, this robot has {len(here)}: "
                f"number {place + 1} is {name!r} there and {got!r} here"
            )
    raise InputError(f"it {verb} {len(trained)} numbers, this robot has {len(here)}")

# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The Cairn authors
"""Worlds of rigid bodies: bodies, joints, steps, contacts, events, snapshots, queries."""

from __future__ import annotations

from typing import Iterator

import numpy as np

from ._core import (BadInput, Record, call, check, doubles, ffi, fill, lib, namespace, on_main_thread,
                    text_of, to_c, transform, value_of, vec3, vector)
from .shapes import Shape

MASK_ALL = 0xFFFFFFFF

#: One contact of `World.contacts`.
CONTACT = np.dtype([
    ("body_a", np.int32), ("generation_a", np.uint32), ("body_b", np.int32), ("generation_b", np.uint32),
    ("point", np.float64, 3), ("normal", np.float64, 3), ("impulse", np.float64, 3), ("gap", np.float64),
    ("part_a", np.int32), ("part_b", np.int32), ("state", np.int32), ("mu", np.float64)], align=True)
assert CONTACT.itemsize == ffi.sizeof("cairn_contact")


class StepReport(Record):
    """What steps did and how exact they were: the last step's figures, `motion` and `missed` of all of them."""

    steps: int
    missed: int
    outcome: str
    residual: float

    @property
    def converged(self) -> bool:
        """Whether every step met its tolerance and the accuracy of the motion."""
        return self.missed == 0

    def __repr__(self) -> str:
        return "StepReport(%d steps, %s, residual %.3g, penetration %.3g m, %d contacts, %d of %d bodies awake)" % (
            self.steps, "all converged" if self.converged else "%d missed" % self.missed, self.residual,
            self.penetration, self.contacts, self.awake, self.bodies)


class Snapshot:
    """A moment of a world, to which it can be brought back bit for bit."""

    def __init__(self, pointer):
        self._c = ffi.gc(pointer, lib.cairn_snapshot_destroy)

    def __repr__(self) -> str:
        return "<cairn.Snapshot>"


class Body:
    """A body of a world. Its number `index` is its row in `World.states`."""

    __slots__ = ("world", "_id")

    def __init__(self, world: "World", identity):
        self.world = world
        self._id = ffi.new("cairn_body_id*", identity)

    @property
    def index(self) -> int:
        return self._id.index

    @property
    def state(self) -> Record:
        """pose, center, velocity, spin, mass, asleep, frozen, disabled, pushed, squeezed."""
        state = ffi.new("cairn_body_state*")
        call(lib.cairn_body_get, self.world._c, self._id[0], state)
        return namespace(state)

    @property
    def definition(self) -> Record:
        """The definition that would make the body as it is now."""
        definition = ffi.new("cairn_body_def*")
        call(lib.cairn_body_get_def, self.world._c, self._id[0], definition)
        return namespace(definition)

    @property
    def position(self) -> np.ndarray:
        """m: of the body's frame."""
        return self.state.pose.p

    @property
    def quaternion(self) -> np.ndarray:
        """w, x, y, z."""
        return self.state.pose.q

    @property
    def velocity(self) -> np.ndarray:
        """m/s, of the center of mass."""
        return self.state.velocity

    @property
    def spin(self) -> np.ndarray:
        """rad/s."""
        return self.state.spin

    @property
    def mass(self) -> float:
        """kg; infinite unless dynamic."""
        return self.state.mass

    def set_pose(self, position, quaternion=(1.0, 0.0, 0.0, 0.0)) -> None:
        """Places the body frame in the world."""
        call(lib.cairn_body_set_pose, self.world._c, self._id[0], transform(position, quaternion))

    def set_velocity(self, velocity=(0.0, 0.0, 0.0), spin=(0.0, 0.0, 0.0)) -> None:
        """The velocity of the center of mass (m/s) and the spin (rad/s)."""
        call(lib.cairn_body_set_velocity, self.world._c, self._id[0], vec3(velocity), vec3(spin))

    @property
    def material(self) -> Record:
        material = ffi.new("cairn_material*")
        call(lib.cairn_body_get_material, self.world._c, self._id[0], material)
        return namespace(material)

    def set_material(self, **fields) -> None:
        """Changes what the body is made of: mu, restitution, ..."""
        material = ffi.new("cairn_material*")
        call(lib.cairn_body_get_material, self.world._c, self._id[0], material)
        call(lib.cairn_body_set_material, self.world._c, self._id[0], fill(material, fields))

    def add_force(self, force, point=None) -> None:
        """N, during the next step; at the center of mass unless a point of the world is given."""
        at = self.state.center if point is None else point
        call(lib.cairn_body_add_force, self.world._c, self._id[0], vec3(force), vec3(at))

    def add_torque(self, torque) -> None:
        """N m, during the next step."""
        call(lib.cairn_body_add_torque, self.world._c, self._id[0], vec3(torque))

    def add_impulse(self, impulse, point=None) -> None:
        """N s, at once."""
        at = self.state.center if point is None else point
        call(lib.cairn_body_add_impulse, self.world._c, self._id[0], vec3(impulse), vec3(at))

    def set_type(self, type: str) -> None:
        """"dynamic", "kinematic" or "static"."""
        call(lib.cairn_body_set_type, self.world._c, self._id[0], value_of(ffi.typeof("cairn_body_type"), type))

    def set_mass(self, mass: float) -> None:
        """kg; the moments of inertia change in proportion."""
        call(lib.cairn_body_set_mass, self.world._c, self._id[0], mass)

    def set_inertia(self, center, inertia) -> None:
        """The center of mass (m, body frame) and the inertia about it (kg m², 3 x 3 or 3 moments)."""
        call(lib.cairn_body_set_inertia, self.world._c, self._id[0], vec3(center), to_c(ffi.typeof("cairn_mat3"), inertia))

    def set_damping(self, linear: float, angular: float) -> None:
        """1/s."""
        call(lib.cairn_body_set_damping, self.world._c, self._id[0], linear, angular)

    def set_filter(self, category: int, mask: int) -> None:
        """Whom the body collides with."""
        call(lib.cairn_body_set_filter, self.world._c, self._id[0], category, mask)

    def set_enabled(self, enabled: bool) -> None:
        """A body that is not enabled stays where it is and meets nothing."""
        call(lib.cairn_body_set_enabled, self.world._c, self._id[0], enabled)

    def set_target(self, position, quaternion=(1.0, 0.0, 0.0, 0.0), dt: float = 1 / 60) -> None:
        """Sends a kinematic body to a pose, where it arrives after a step of dt."""
        call(lib.cairn_body_set_target, self.world._c, self._id[0], transform(position, quaternion), dt)

    def wake(self) -> None:
        """Wakes the body and its island."""
        call(lib.cairn_body_wake, self.world._c, self._id[0])

    def remove(self) -> None:
        """Removes the body and its joints."""
        call(lib.cairn_world_remove_body, self.world._c, self._id[0])

    def __eq__(self, other) -> bool:
        return (isinstance(other, Body) and other.world is self.world and other._id.index == self._id.index
                and other._id.generation == self._id.generation)

    def __hash__(self) -> int:
        return hash((self._id.index, self._id.generation))

    def __repr__(self) -> str:
        name = self.world.name_of(self)
        title = "cairn.Body %d%s" % (self.index, " '%s'" % name if name else "")
        try:
            return "<%s at (%.4g, %.4g, %.4g)>" % (title, *self.position)
        except BadInput:
            return "<%s, removed>" % title


class Joint:
    """A joint of a world."""

    __slots__ = ("world", "_id")

    def __init__(self, world: "World", identity):
        self.world = world
        self._id = ffi.new("cairn_joint_id*", identity)

    @property
    def index(self) -> int:
        return self._id.index

    @property
    def state(self) -> Record:
        """coordinate (rad or m), error (m), impulse and twist of the last step."""
        state = ffi.new("cairn_joint_state*")
        call(lib.cairn_joint_get, self.world._c, self._id[0], state)
        return namespace(state)

    @property
    def definition(self) -> Record:
        definition = ffi.new("cairn_joint_def*")
        call(lib.cairn_joint_get_def, self.world._c, self._id[0], definition)
        return namespace(definition)

    @property
    def coordinate(self) -> float:
        return self.state.coordinate

    def set_motor(self, speed: float, strength: float) -> None:
        """The speed that the motor is to reach (rad/s or m/s) and what it has (N m or N)."""
        call(lib.cairn_joint_set_motor, self.world._c, self._id[0], speed, strength)

    def set_limits(self, lo: float, hi: float) -> None:
        """The limits of the free coordinate (rad or m); infinite: none."""
        call(lib.cairn_joint_set_limits, self.world._c, self._id[0], lo, hi)

    def set_spring(self, stiffness: float, damping: float, rest: float = 0.0) -> None:
        """The spring of the free coordinate; both 0: none. Ends a servo."""
        call(lib.cairn_joint_set_spring, self.world._c, self._id[0], stiffness, damping, rest)

    def set_servo(self, target: float, stiffness: float, damping: float, strength: float = float("inf")) -> None:
        """A position servo: the force -stiffness (x - target) - damping x', at most `strength` (N or N m)."""
        call(lib.cairn_joint_set_servo, self.world._c, self._id[0], target, stiffness, damping, strength)

    def set_break(self, force: float = 0.0, torque: float = 0.0) -> None:
        """Loads (N, N m) above which the joint is removed at the end of a step; 0: never."""
        call(lib.cairn_joint_set_break, self.world._c, self._id[0], force, torque)

    @property
    def motion(self) -> Record:
        """coordinate and speed, all six coordinates of B in A, forces of motor, limit and spring, force and torque at the point."""
        motion = ffi.new("cairn_joint_motion*")
        call(lib.cairn_joint_get_motion, self.world._c, self._id[0], motion)
        return namespace(motion)

    def remove(self) -> None:
        """Takes the joint out of the world."""
        call(lib.cairn_world_remove_joint, self.world._c, self._id[0])

    def __repr__(self) -> str:
        try:
            d = self.definition
            return "<cairn.Joint %d, %s, at %.6g>" % (self.index, d.kind, self.coordinate)
        except BadInput:
            return "<cairn.Joint %d, removed>" % self.index


class Sensor:
    """A shape of a world that pushes nothing and reports the bodies that share a point with it."""

    __slots__ = ("world", "_id")

    def __init__(self, world: "World", identity):
        self.world = world
        self._id = ffi.new("cairn_sensor_id*", identity)

    @property
    def inside(self) -> list[Body]:
        """The bodies in it at the end of the last step, asleep and static ones included."""
        count = lib.cairn_sensor_inside(self.world._c, self._id[0], ffi.NULL, 0)
        bodies = ffi.new("cairn_body_id[]", max(count, 1))
        lib.cairn_sensor_inside(self.world._c, self._id[0], bodies, count)
        return [Body(self.world, bodies[i]) for i in range(count)]

    def remove(self) -> None:
        """Takes the sensor out of the world, without events."""
        call(lib.cairn_world_remove_sensor, self.world._c, self._id[0])

    def __eq__(self, other) -> bool:
        return (isinstance(other, Sensor) and self.world is other.world and self._id.index == other._id.index
                and self._id.generation == other._id.generation)

    def __hash__(self) -> int:
        return hash((self._id.index, self._id.generation))

    def __repr__(self) -> str:
        return "<cairn.Sensor %d with %d bodies inside>" % (self._id.index, len(self.inside))


class World:
    """A world of rigid bodies. Options are the fields of cairn_world_def, and `preset`.

    >>> world = World(gravity=(0, 0, -9.81), substeps=4, threads=2)
    """

    def __init__(self, preset: str = "balanced", **options):
        definition = ffi.new("cairn_world_def*")
        definition[0] = lib.cairn_preset_world_def(value_of(ffi.typeof("cairn_preset"), preset))
        method = options.pop("method", None)
        keep = ffi.new("char[]", method.encode()) if method else None
        if keep:
            definition.method = keep
        fill(definition, options)
        place = ffi.new("cairn_world**")
        call(lib.cairn_world_create, definition, place)
        self._c = ffi.gc(place[0], lib.cairn_world_destroy)
        self._keeps: list = [keep]
        self._scene = ffi.NULL

    @classmethod
    def _borrow(cls, pointer, scene, keeps) -> "World":
        """A world that belongs to a scene or a batch."""
        world = cls.__new__(cls)
        world._c = pointer
        world._scene = scene
        world._keeps = [keeps]
        return world

    # ------------------------------------------------------------ bodies and joints

    def add_body(self, shape: Shape | None = None, *, position=None, quaternion=None, offset=None, **options) -> Body:
        """Adds a body; options are the fields of cairn_body_def: type, mass, inertia, density, velocity, spin, material={"mu": 0.5}, ...

        `offset` places the shape in the body's frame: a position, or a position and a quaternion. A `center` is the center of mass.
        """
        definition = ffi.new("cairn_body_def*")
        definition[0] = lib.cairn_default_body_def()
        if "center" in options:
            options.setdefault("centered", True)
        fill(definition, options)
        if position is not None or quaternion is not None:
            definition.pose = transform((0, 0, 0) if position is None else position,
                                        (1, 0, 0, 0) if quaternion is None else quaternion)
        if offset is not None:
            definition.shape_offset = to_c(ffi.typeof("cairn_transform"), offset) if len(offset) == 2 else transform(offset)
        if shape is not None:
            definition.shape = shape._c
        identity = ffi.new("cairn_body_id*")
        call(lib.cairn_world_add_body, self._c, definition, identity)
        self._keeps.append(shape)
        return Body(self, identity[0])

    def add_joint(self, kind: str, body_a: Body | None, body_b: Body, *, at=None, axis=(0.0, 0.0, 1.0), axis_b=None,
                  limits=None, motor=None, spring=None, **options) -> Joint:
        """Joins two bodies (None: the world) at a point of the world about or along an axis.

        `limits`: (lo, hi); `motor`: (speed, strength); `spring`: (stiffness, damping, rest); others are fields of cairn_joint_def
        (frame_a and frame_b in place of `at` and `axis`).
        """
        definition = ffi.new("cairn_joint_def*")
        definition[0] = lib.cairn_default_joint_def(value_of(ffi.typeof("cairn_joint_kind"), kind))
        if body_a is not None:
            definition.body_a = body_a._id[0]
        definition.body_b = body_b._id[0]
        if at is not None:
            frame_a, frame_b = _frame(at, axis), _frame(at, axis if axis_b is None else axis_b)
            definition.frame_a = frame_a if body_a is None else _relative(body_a.state.pose, frame_a)
            definition.frame_b = _relative(body_b.state.pose, frame_b)
        if limits is not None:
            definition.limited, definition.lo, definition.hi = True, *limits
        if motor is not None:
            definition.driven, definition.speed, definition.strength = True, *motor
        if spring is not None:
            definition.stiffness, definition.damping, definition.rest = spring
        fill(definition, options)
        identity = ffi.new("cairn_joint_id*")
        call(lib.cairn_world_add_joint, self._c, definition, identity)
        return Joint(self, identity[0])

    def add_sensor(self, shape: Shape, *, body: Body | None = None, position=(0.0, 0.0, 0.0), quaternion=(1.0, 0.0, 0.0, 0.0),
                   mask: int = MASK_ALL) -> Sensor:
        """Adds a sensor, a convex shape in the world or on a body, that reports bodies with a category in `mask`."""
        definition = ffi.new("cairn_sensor_def*")
        definition[0] = lib.cairn_default_sensor_def()
        definition.shape, definition.pose, definition.mask = shape._c, transform(position, quaternion), mask
        if body is not None:
            definition.body = body._id[0]
        identity = ffi.new("cairn_sensor_id*")
        call(lib.cairn_world_add_sensor, self._c, definition, identity)
        self._keeps.append(shape)
        return Sensor(self, identity[0])

    def exclude(self, a: Body, b: Body, excluded: bool = True) -> None:
        """Keeps two bodies from colliding, or lets them."""
        call(lib.cairn_world_exclude, self._c, a._id[0], b._id[0], excluded)

    @property
    def bodies(self) -> list[Body]:
        """The bodies, by slot."""
        ids = (lib.cairn_world_body_at(self._c, i) for i in range(lib.cairn_world_body_slots(self._c)))
        return [Body(self, identity) for identity in ids if identity.generation]

    @property
    def joints(self) -> list[Joint]:
        ids = (lib.cairn_world_joint_at(self._c, i) for i in range(lib.cairn_world_joint_slots(self._c)))
        return [Joint(self, identity) for identity in ids if identity.generation]

    def body(self, index: int) -> Body:
        """The body of a slot, as `World.contacts` and `World.states` number them."""
        identity = lib.cairn_world_body_at(self._c, index)
        if not identity.generation:
            raise IndexError("there is no body in slot %d" % index)
        return Body(self, identity)

    def name_of(self, body: Body) -> str:
        """The name that a scene gave the body, or ""."""
        return text_of(lib.cairn_scene_body_name(self._scene, body._id[0])) if self._scene else ""

    # ------------------------------------------------------------ stepping

    def step(self, dt: float = 1 / 60, steps: int = 1) -> StepReport:
        """Makes steps. Other threads run meanwhile; Ctrl-C ends the step at hand and leaves the world as before it."""
        report, error = ffi.new("cairn_step_report*"), ffi.new("cairn_error*")
        motion, done, missed = ffi.new("cairn_motion*"), ffi.new("int*"), ffi.new("int*")
        status = lib.glue_step(self._c, self._scene, dt, steps, on_main_thread(), done, motion, missed, report, error)
        if status == lib.CAIRN_INTERRUPTED:
            lib.cairn_world_resume(self._c)
        check(status, error)
        out = namespace(report, StepReport)
        out.motion, out.steps, out.missed = namespace(motion), done[0], missed[0]
        return out

    @property
    def time(self) -> float:
        """s since the world was made."""
        return lib.cairn_world_time(self._c)

    @property
    def step_count(self) -> int:
        return lib.cairn_world_step_count(self._c)

    @property
    def hash(self) -> int:
        """A number that depends on every bit of the state."""
        return lib.cairn_world_hash(self._c)

    @property
    def energy(self) -> tuple[float, float]:
        """J: kinetic and potential."""
        kinetic, potential = ffi.new("double*"), ffi.new("double*")
        lib.cairn_world_energy(self._c, kinetic, potential)
        return kinetic[0], potential[0]

    @property
    def options(self) -> Record:
        definition = ffi.new("cairn_world_def*")
        definition[0] = lib.cairn_world_get_def(self._c)
        return namespace(definition)

    def set_gravity(self, gravity) -> None:
        """Gravity from now on, m/s²."""
        call(lib.cairn_world_set_gravity, self._c, vec3(gravity))

    def set_method(self, method: str = "auto", tolerance: float = 0.0, iterations: int = 0) -> None:
        """What solves the steps from now on; 0: the tolerance of the preset, the method's own limit."""
        call(lib.cairn_world_set_method, self._c, method.encode(), tolerance, iterations)

    def wake_all(self) -> None:
        """Wakes every body."""
        lib.cairn_world_wake_all(self._c)

    # ------------------------------------------------------------ arrays

    def states(self, out: np.ndarray | None = None) -> np.ndarray:
        """All bodies: slots x 13 numbers, position, quaternion (w, x, y, z), velocity, spin. Zeros for empty slots."""
        slots = lib.cairn_world_body_slots(self._c)
        if out is None:
            out = np.empty((slots, 13))
        elif out.shape != (slots, 13) or out.dtype != np.float64 or not out.flags.c_contiguous:
            raise BadInput("the array has the shape %s, expected (%d, 13) doubles in C order" % (out.shape, slots))
        lib.glue_get_states(self._c, doubles(out))
        return out

    def poses(self, out: np.ndarray | None = None) -> np.ndarray:
        """All bodies: slots x 7 numbers, position and quaternion."""
        return self._columns(lib.cairn_world_get_poses, 7, out)

    def velocities(self, out: np.ndarray | None = None) -> np.ndarray:
        """All bodies: slots x 6 numbers, velocity and spin."""
        return self._columns(lib.cairn_world_get_velocities, 6, out)

    def _columns(self, function, width: int, out: np.ndarray | None) -> np.ndarray:
        slots = lib.cairn_world_body_slots(self._c)
        if out is None:
            out = np.empty((slots, width))
        elif out.shape != (slots, width) or out.dtype != np.float64 or not out.flags.c_contiguous:
            raise BadInput("the array has the shape %s, expected (%d, %d) doubles in C order" % (out.shape, slots, width))
        call(function, self._c, doubles(out), slots)
        return out

    def set_poses(self, poses) -> None:
        """Places all bodies, as `poses` gives them; those whose numbers are unchanged are left alone."""
        slots = lib.cairn_world_body_slots(self._c)
        call(lib.cairn_world_set_poses, self._c, doubles(vector(poses, 7 * slots, "the array of poses")), slots)

    def set_velocities(self, velocities) -> None:
        """Likewise."""
        slots = lib.cairn_world_body_slots(self._c)
        call(lib.cairn_world_set_velocities, self._c, doubles(vector(velocities, 6 * slots, "the array of velocities")), slots)

    def add_forces(self, forces) -> None:
        """slots x 6 numbers: force at the center of mass and torque, during the next step."""
        slots = lib.cairn_world_body_slots(self._c)
        call(lib.glue_add_forces, self._c, doubles(vector(forces, 6 * slots, "the array of forces")))

    @property
    def contacts(self) -> np.ndarray:
        """The contacts of the last step: an array with the fields of `cairn.world.CONTACT`."""
        count = ffi.new("int*")
        first = lib.cairn_world_contacts(self._c, count)
        if count[0] == 0:
            return np.empty(0, CONTACT)
        return np.frombuffer(ffi.buffer(first, count[0] * CONTACT.itemsize), CONTACT).copy()

    @property
    def events(self) -> Record:
        """begun and ended: arrays of pairs of slots that started or stopped touching in the last step."""
        events = lib.cairn_world_events(self._c)

        def pairs(first, count):
            return np.array([(first[i].body_a.index, first[i].body_b.index) for i in range(count)], np.int32).reshape(-1, 2)
        return Record(begun=pairs(events.begun, events.begun_count), ended=pairs(events.ended, events.ended_count))

    def sensor_events(self) -> Record:
        """begun and ended: lists of (sensor, body) of bodies that entered or left in the last step."""
        events = lib.cairn_world_sensor_events(self._c)

        def pairs(first, count):
            return [(Sensor(self, first[i].sensor), Body(self, first[i].body)) for i in range(count)]
        return Record(begun=pairs(events.begun, events.begun_count), ended=pairs(events.ended, events.ended_count))

    def set_hit_speed(self, speed: float) -> None:
        """From now on `hits` lists the pairs that start touching at this speed (m/s) or faster; 0: none."""
        call(lib.cairn_world_set_hit_speed, self._c, speed)

    def hits(self) -> list[Record]:
        """body_a, body_b, point, normal, speed (m/s) and impulse (N s) of the hits of the last step."""
        count = ffi.new("int*")
        first = lib.cairn_world_hits(self._c, count)
        found = []
        for i in range(count[0]):
            hit = namespace(first + i)
            hit.body_a, hit.body_b = Body(self, first[i].body_a), Body(self, first[i].body_b)
            found.append(hit)
        return found

    # ------------------------------------------------------------ snapshots and queries

    def snapshot(self) -> Snapshot:
        """The world at this moment. The shapes of its bodies must live as long."""
        place = ffi.new("cairn_snapshot**")
        call(lib.cairn_world_snapshot, self._c, place)
        return Snapshot(place[0])

    def restore(self, snapshot: Snapshot) -> None:
        """Back to a snapshot, bit for bit."""
        if self._scene:
            call(lib.cairn_scene_restore, self._scene, snapshot._c)
        else:
            call(lib.cairn_world_restore, self._c, snapshot._c)

    def _hit(self, hit) -> Record | None:
        if not hit.body.generation:
            return None
        out = namespace(hit)
        out.body = Body(self, hit.body)
        return out

    def cast_ray(self, origin, way, mask: int = MASK_ALL) -> Record | None:
        """The first body on origin + t way, 0 <= t <= 1: body, t, point, normal, part; or None."""
        hit = ffi.new("cairn_body_hit*")
        call(lib.cairn_world_cast_ray, self._c, vec3(origin), vec3(way), mask, hit)
        return self._hit(hit)

    def cast_ray_all(self, origin, way, mask: int = MASK_ALL) -> list[Record]:
        """All bodies on the ray, nearest first."""
        room = max(1, lib.cairn_world_body_slots(self._c))
        hits, count = ffi.new("cairn_body_hit[]", room), ffi.new("int*")
        call(lib.glue_cast_ray_all, self._c, vec3(origin), vec3(way), mask, hits, room, count)
        return sorted((self._hit(hits[i]) for i in range(min(room, count[0]))), key=lambda h: h.t)

    def cast_shape(self, shape: Shape, position, way, quaternion=(1, 0, 0, 0), mask: int = MASK_ALL) -> Record | None:
        """The first body that a convex shape meets on its way."""
        hit = ffi.new("cairn_body_hit*")
        call(lib.cairn_world_cast_shape, self._c, shape._c, transform(position, quaternion), vec3(way), mask, hit)
        return self._hit(hit)

    def overlap(self, shape: Shape, position=(0, 0, 0), quaternion=(1, 0, 0, 0), mask: int = MASK_ALL) -> list[Body]:
        """The bodies that share a point with a shape."""
        room = max(1, lib.cairn_world_body_slots(self._c))
        hits, count = ffi.new("cairn_body_hit[]", room), ffi.new("int*")
        call(lib.glue_overlap, self._c, shape._c, transform(position, quaternion), mask, hits, room, count)
        return [Body(self, hits[i].body) for i in range(min(room, count[0]))]

    def closest(self, point, reach: float = float("inf"), mask: int = MASK_ALL) -> Record | None:
        """The point of a body that is closest to a point: body, gap, point, normal, part; or None."""
        gap = ffi.new("cairn_body_gap*")
        call(lib.cairn_world_closest, self._c, vec3(point), reach, mask, gap)
        return self._hit(gap)

    def __iter__(self) -> Iterator[Body]:
        return iter(self.bodies)

    def __len__(self) -> int:
        return len(self.bodies)

    def __repr__(self) -> str:
        return "<cairn.World of %d bodies and %d joints at %.6g s>" % (len(self.bodies), len(self.joints), self.time)

    def _repr_html_(self) -> str:
        """A table of the first bodies: where they are and how fast."""
        rows = ["<tr><td>%d</td><td>%s</td><td>%.4g, %.4g, %.4g</td><td>%.3g</td><td>%.3g</td></tr>" % (
            body.index, body.definition.type, *body.position, np.linalg.norm(body.velocity), np.linalg.norm(body.spin))
            for body in self.bodies[:20]]
        more = "<p>and %d more</p>" % (len(self) - 20) if len(self) > 20 else ""
        return ("<p>%s</p><table><tr><th>slot</th><th>type</th><th>position, m</th><th>speed, m/s</th><th>spin, rad/s</th></tr>"
                "%s</table>%s" % (repr(self)[1:-1], "".join(rows), more))


# ---------------------------------------------------------------- frames

def _rotate(q, v):
    u, w = q[1:], q[0]
    t = 2.0 * np.cross(u, v)
    return v + w * t + np.cross(u, t)


def _multiply(a, b):
    return np.concatenate(([a[0] * b[0] - a[1:] @ b[1:]], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])))


def _frame(at, axis):
    """A frame at a point whose z axis is `axis`."""
    z = np.asarray(axis, float)
    length = np.linalg.norm(z)
    if not length > 0:
        raise BadInput("the axis of a joint has no direction")
    z = z / length
    q = np.array((0.0, 1.0, 0.0, 0.0)) if z[2] < -1 + 1e-12 else np.array((1 + z[2], -z[1], z[0], 0.0))
    return transform(at, q / np.linalg.norm(q))


def _relative(pose, frame):
    """A frame of the world as seen from a body."""
    back = pose.q * (1, -1, -1, -1)
    p = np.array((frame.p.x, frame.p.y, frame.p.z)) - pose.p
    q = np.array((frame.q.w, frame.q.x, frame.q.y, frame.q.z))
    return transform(_rotate(back, p), _multiply(back, q))

// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// MuJoCo 3: Newton with the elliptic cone at its default softness (choice 0), or as stiff as a frame of 1/60 s
// allows (choice 1). Scenes are written in its own format; joints become nested bodies in reduced coordinates.

import load from "@mujoco/mujoco";

const loaded = load();
const [soft, stiff] = [0, 1];
const depthLimit = 200; // its reader recurses

function geomOf(body, i) {
    const collides = body.collides ? "" : ' contype="0" conaffinity="0"';
    const friction = `friction="${body.mu} 0 0"`;
    if (body.shape === "half_space") return `<geom type="plane" size="0 0 1" ${friction}${collides}/>`;
    if (body.shape === "hull") return `<geom type="mesh" mesh="m${i}" ${friction}${collides}/>`;
    return `<geom type="${body.shape}" size="${body.size.join(" ")}" ${friction}${collides}/>`;
}

const inertialOf = (body) =>
    `<inertial pos="0 0 0" mass="${body.mass}" diaginertia="${body.inertia.join(" ")}"/>`;

const conjugate = ([w, x, y, z]) => [w, -x, -y, -z];

function product([a, b, c, d], [w, x, y, z]) {
    return [a * w - b * x - c * y - d * z, a * x + b * w + c * z - d * y, a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w];
}

const rotated = (q, [x, y, z]) => product(product(q, [0, x, y, z]), conjugate(q)).slice(1);

// The text of a scene. MuJoCo numbers bodies in the order in which they are written, from 1.
class Writer {
    constructor(scene) {
        this.scene = scene;
        this.number = [];
        this.written = 0;
        this.hanging = scene.bodies.map(() => []);
        for (const joint of scene.joints) if (joint.a >= 0) this.hanging[joint.a].push(joint);
    }

    free(i) {
        const body = this.scene.bodies[i];
        this.number[i] = ++this.written;
        const moving = body.mass > 0 ? `<freejoint/>${inertialOf(body)}` : "";
        return `<body pos="${body.position.join(" ")}" quat="${body.quaternion.join(" ")}">${moving}` +
            `${geomOf(body, i)}</body>`;
    }

    link({ a, b, at_a, at_b }, depth) {
        const body = this.scene.bodies[b];
        if (depth > depthLimit) throw new Error("nested too deeply");
        this.number[b] = ++this.written;
        const turn = a < 0 ? body.quaternion : product(conjugate(this.scene.bodies[a].quaternion), body.quaternion);
        const arm = rotated(turn, at_b), at = at_a.map((x, k) => x - arm[k]);
        const inner = this.hanging[b].map((joint) => this.link(joint, depth + 1)).join("");
        return `<body pos="${at.join(" ")}" quat="${turn.join(" ")}"><joint type="ball" pos="${at_b.join(" ")}"/>` +
            `${inertialOf(body)}${geomOf(body, b)}${inner}</body>`;
    }

    text(choice) {
        const { scene } = this;
        const meshes = scene.bodies.map((body, i) =>
            body.shape === "hull" ? `<mesh name="m${i}" vertex="${body.points.join(" ")}"/>` : "").join("");
        const bodies = scene.joints.length
            ? scene.joints.filter((joint) => joint.a < 0).map((joint) => this.link(joint, 0)).join("")
            : scene.bodies.map((_, i) => this.free(i)).join("");
        const hard = choice === stiff ? '<default><geom solimp="0.9999 0.9999 0.001"/></default>' : "";
        return `<mujoco><option timestep="${scene.dt}" gravity="${scene.gravity.join(" ")}" solver="Newton" ` +
            `cone="elliptic"${choice === stiff ? ' impratio="100"' : ""}/><compiler balanceinertia="false"/>${hard}` +
            `<asset>${meshes}</asset><worldbody>${bodies}</worldbody></mujoco>`;
    }
}

// velocities of free bodies: linear in the world, angular in the body
function start(scene, number, model, data) {
    scene.bodies.forEach((body, i) => {
        if (!(body.mass > 0)) return;
        const at = model.body_dofadr[number[i]];
        data.qvel.set([...body.velocity, ...rotated(conjugate(body.quaternion), body.spin)], at);
    });
}

export default async function create(scene, choice) {
    if (scene.bodies.length > 300 && !scene.joints.length) return null; // its rows are dense: minutes a frame
    const mujoco = await loaded, writer = new Writer(scene);
    const model = mujoco.MjModel.from_xml_string(writer.text(choice ?? soft)), data = new mujoco.MjData(model);
    if (!scene.joints.length) start(scene, writer.number, model, data);
    mujoco.mj_forward(model, data);

    return {
        step: () => mujoco.mj_step(model, data),
        read(i, put) {
            const k = writer.number[i], root = model.body_rootid[k];
            const at = Array.from(data.xipos.slice(3 * k, 3 * k + 3));
            // its velocities are those of the tree's center of mass
            const [wx, wy, wz, vx, vy, vz] = data.cvel.slice(6 * k, 6 * k + 6);
            const [x, y, z] = at.map((p, c) => p - data.subtree_com[3 * root + c]);
            put(at, data.xquat.slice(4 * k, 4 * k + 4),
                [vx + wy * z - wz * y, vy + wz * x - wx * z, vz + wx * y - wy * x], [wx, wy, wz]);
        },
    };
}

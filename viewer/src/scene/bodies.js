// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// All bodies of a stage as instanced meshes: one draw call for each different shape, however many bodies have it.
// Spheres and boxes of very many sizes share one unit mesh that each instance scales.

import {
    Color, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshStandardMaterial, Quaternion, Vector3,
} from 'three';
import { PRESENT } from '../wire/frame.js';
import { Edges, edgeGeometry } from './edges.js';
import { shapeGeometry } from './geometry.js';
import { glassEdges, glassMeshes, paintGlass } from './glass.js';
import { makeGround } from './ground.js';
import { dress } from './looks.js';
import { thicken, thinRadius } from './thin.js';
import { niceStep } from '../ui/format.js';

const MANY = 32; // different sizes beyond which instances are scaled

const unitShapes = {
    sphere: { kind: 'sphere', radius: 1 },
    box: { kind: 'box', half: [1, 1, 1] },
};

// shapes of these kinds that come in many sizes
function scaledKinds(stage) {
    const sizes = {};
    for (const shape of stage.shapes)
        sizes[shape.kind] = (sizes[shape.kind] ?? 0) + 1;
    return new Set(Object.keys(unitShapes).filter((kind) => sizes[kind] > MANY));
}

const scaleOf = (shape) => (shape.kind === 'sphere' ? new Vector3().setScalar(shape.radius)
    : new Vector3(...shape.half));

// what is drawn once: its shape and the bodies that have it
function sortIntoGroups(stage) {
    const scaled = scaledKinds(stage);
    const groups = new Map();
    stage.bodies.forEach((body, index) => {
        if (!Number.isInteger(body?.shape))
            return;
        const shape = stage.shapes[body.shape];
        const unit = scaled.has(shape.kind);
        const glass = Boolean(body.glass);
        const look = body.look ?? 'plain';
        const key = `${unit ? shape.kind : body.shape} ${glass} ${look}`;
        if (!groups.has(key))
            groups.set(key, { shape: unit ? unitShapes[shape.kind] : shape, glass, look, members: [] });
        groups.get(key).members.push({ index, scale: unit ? scaleOf(shape) : null });
    });
    return [...groups.values()];
}

function offsetOf(body) {
    const [x, y, z, qw, qx, qy, qz] = body?.offset ?? [0, 0, 0, 1, 0, 0, 0];
    return new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw), new Vector3(1, 1, 1));
}

// position and orientation of body i between two frames
const qa = new Quaternion(), qb = new Quaternion(), one = new Vector3(1, 1, 1), place = new Vector3();

export function poseMatrix(out, i, a, b, alpha) {
    const p = a.position, q = a.quaternion;
    place.set(p[3 * i], p[3 * i + 1], p[3 * i + 2]);
    qa.set(q[4 * i + 1], q[4 * i + 2], q[4 * i + 3], q[4 * i]);
    if (b && alpha > 0 && i < b.bodyCount && b.flags[i] & PRESENT) {
        const r = b.position, s = b.quaternion;
        place.x += alpha * (r[3 * i] - place.x);
        place.y += alpha * (r[3 * i + 1] - place.y);
        place.z += alpha * (r[3 * i + 2] - place.z);
        qb.set(s[4 * i + 1], s[4 * i + 2], s[4 * i + 3], s[4 * i]);
        qa.slerp(qb, alpha);
    }
    return out.compose(place, qa.normalize(), one);
}

export class Bodies extends Group {
    constructor(stage, theme, size) {
        super();
        this.stage = stage;
        this.offsets = stage.bodies.map(offsetOf);
        this.meshes = [];
        this.edges = []; // of glass
        this.lines = []; // edges of the others
        this.grounds = [];
        for (const group of sortIntoGroups(stage)) {
            if (group.shape.kind === 'half-space')
                this.addGrounds(group, size);
            else
                this.addInstances(group);
        }
        this.setTheme(theme);
    }

    addGrounds(group, size) {
        for (const { index } of group.members) {
            const ground = makeGround(60 * size, niceStep(size / 6));
            ground.matrixAutoUpdate = false;
            ground.userData.body = index;
            this.grounds.push(ground);
            this.add(ground);
        }
    }

    addInstances(group) {
        const geometry = shapeGeometry(group.shape, this.stage.shapes, group.members.length);
        const make = (material) => this.makeInstances(geometry, material, group.members);
        const radius = group.members[0].scale ? null : thinRadius(group.shape);
        if (group.glass) {
            this.addMeshes(glassMeshes(make));
            for (const { index, scale } of group.members) {
                const lines = glassEdges(geometry);
                lines.matrixAutoUpdate = false;
                lines.userData = { index, scale };
                this.edges.push(lines);
                this.add(lines);
            }
            return;
        }
        const material = new MeshStandardMaterial({
            vertexColors: true, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
        });
        if (radius !== null)
            thicken(material, radius);
        const mesh = make(dress(material, group.look));
        this.addMeshes([mesh]);
        const edges = edgeGeometry(group.shape, geometry);
        if (edges) {
            this.lines.push(new Edges(edges, mesh));
            this.add(this.lines.at(-1));
        }
    }

    addMeshes(meshes) {
        this.meshes.push(...meshes);
        this.add(...meshes);
    }

    makeInstances(geometry, material, members) {
        const mesh = new InstancedMesh(geometry, material, members.length);
        mesh.instanceMatrix.setUsage(DynamicDrawUsage);
        mesh.castShadow = true;
        mesh.receiveShadow = true;
        mesh.frustumCulled = false;
        mesh.userData.members = members;
        if (material.vertexColors) {
            mesh.setColorAt(0, new Color());
            mesh.instanceColor.setUsage(DynamicDrawUsage);
        }
        return mesh;
    }

    setTheme(theme) {
        this.grounds.forEach((ground) => ground.setTheme(theme));
        this.meshes.filter((mesh) => mesh.userData.glass).forEach((mesh) => paintGlass(mesh, theme));
        this.edges.forEach((lines) => paintGlass(lines, theme));
        this.lines.forEach((lines) => lines.setTheme(theme));
    }

    // moves everything to where frame `a` has it, or to a place between it and `b`
    place(a, b, alpha) {
        const pose = new Matrix4(), nowhere = new Matrix4().makeScale(0, 0, 0);
        for (const mesh of this.meshes) {
            mesh.userData.members.forEach(({ index, scale }, k) => {
                if (!(index < a.bodyCount && a.flags[index] & PRESENT)) {
                    mesh.setMatrixAt(k, nowhere);
                    return;
                }
                poseMatrix(pose, index, a, b, alpha).multiply(this.offsets[index]);
                mesh.setMatrixAt(k, scale ? pose.scale(scale) : pose);
            });
            mesh.instanceMatrix.needsUpdate = true;
            mesh.boundingSphere = null;
        }
        for (const lines of this.edges) {
            const { index, scale } = lines.userData;
            lines.visible = index < a.bodyCount && (a.flags[index] & PRESENT) !== 0;
            if (!lines.visible)
                continue;
            lines.matrix.copy(poseMatrix(pose, index, a, b, alpha)).multiply(this.offsets[index]);
            if (scale)
                lines.matrix.scale(scale);
        }
        for (const ground of this.grounds) {
            const index = ground.userData.body;
            ground.visible = index < a.bodyCount && (a.flags[index] & PRESENT) !== 0;
            if (ground.visible)
                ground.matrix.copy(poseMatrix(pose, index, a, b, alpha)).multiply(this.offsets[index]);
        }
    }

    // `colors` holds three numbers for each body
    paint(colors) {
        for (const mesh of this.meshes) {
            if (mesh.userData.glass)
                continue;
            const out = mesh.instanceColor.array;
            mesh.userData.members.forEach(({ index }, k) => {
                out.set(colors.subarray(3 * index, 3 * index + 3), 3 * k);
            });
            mesh.instanceColor.needsUpdate = true;
        }
    }

    // the first body that a ray meets, and where; one reaches through glass
    pick(raycaster) {
        const solid = this.meshes.filter((mesh) => !mesh.userData.glass);
        const hits = raycaster.intersectObjects(solid, false);
        if (hits.length === 0)
            return null;
        const { object, instanceId, point } = hits[0];
        return { body: object.userData.members[instanceId].index, point: point.clone() };
    }

    // the mesh of a body, for an outline
    geometryOf(body) {
        for (const mesh of this.meshes) {
            const member = mesh.userData.members.find(({ index }) => index === body);
            if (member)
                return { geometry: mesh.geometry, scale: member.scale };
        }
        return null;
    }

    dispose() {
        for (const mesh of [...this.meshes, ...this.edges, ...this.lines, ...this.grounds]) {
            mesh.geometry.dispose();
            mesh.material.dispose();
            mesh.dispose?.();
        }
    }
}


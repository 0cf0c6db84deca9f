// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Decodes a frame: a header of fixed size with the report of a step, then columns of integers. A length, speed, spin
// or impulse is an integer times a power of two that the header names. In a key frame the integers stand for
// themselves; in another one they are differences from the frame before, body by body and contact by contact. A frame
// may hold the contacts of an earlier one. The writer is src/io/page_frame.c; docs/page-format.md describes every byte.

import { Bytes } from './bytes.js';

export const OUTCOMES = ['converged', 'iteration-limit', 'time-limit', 'no-solution', 'ray', 'singular',
    'canceled', 'step-limit'];
export const OPEN = 0, STICK = 1, SLIDE = 2; // states of a contact
export const PRESENT = 1, ASLEEP = 2, FROZEN = 4, SQUEEZED = 8; // flags of a body

const VERSION = 4;
const HEADER_SIZE = 176;
const FRICTION_UNIT = 2 ** -10;
const DIFFERENCES = 1, HOLD = 2; // flags of a frame

// the report alone: quick enough to read it from every frame of a long run
export function readHeader(bytes) {
    if (bytes.length < HEADER_SIZE)
        throw new RangeError('a frame ends too early');
    const b = new Bytes(bytes);
    const version = b.u8();
    if (version !== VERSION)
        throw new Error(`a frame of version ${version}, expected ${VERSION}`);
    const flags = b.u8();
    return {
        key: (flags & DIFFERENCES) === 0,
        hold: (flags & HOLD) !== 0,
        outcome: b.u16(),
        bodyCount: b.u32(),
        contacts: b.u32(),
        islands: b.u32(),
        change: b.u32(),
        dt: b.f32(),
        step: b.f64(),
        time: b.f64(),
        kinetic: b.f64(),
        potential: b.f64(),
        hash: b.u64(),
        residual: b.f32(),
        residualVelocity: b.f32(),
        penetration: b.f32(),
        jointError: b.f32(),
        ms: b.f32(),
        stages: [b.f32(), b.f32(), b.f32(), b.f32(), b.f32()],
        lengthUnit: 2 ** b.i8(),
        speedUnit: 2 ** b.i8(),
        spinUnit: 2 ** b.i8(),
        impulseUnit: 2 ** b.i8(),
        frozen: b.u32(),
        method: b.text(20),
        quaternionUnit: 2 ** b.i8(),
        normalUnit: 2 ** b.i8(),
        reserved: b.u16(),
        motion: readMotion(b),
    };
}

// the certificate of the motion
function readMotion(b) {
    return {
        penetration: b.f32(),
        jointError: b.f32(),
        energyDefect: b.f32(),
        workExternal: b.f32(),
        workMotor: b.f32(),
        dissipated: b.f32(),
        dissipatedNumeric: b.f32(),
        updateError: b.f32(),
        substeps: b.u32(),
        inertiaRaised: b.f32(),
    };
}

// Poses go on as they went: from x'' and x' one expects 2 x' - x''. `older` is missing when the frame before stands by
// itself.
function poseColumns(b, count, width, before, older) {
    const values = new Int32Array(count * width);
    for (let k = 0; k < width; k++) {
        for (let i = 0; i < count; i++) {
            const j = i * width + k;
            const last = before && j < before.length ? before[j] : 0;
            const speed = older && j < older.length ? last - older[j] : 0;
            values[j] = last + speed + b.integer();
        }
    }
    return values;
}

// `width` columns of whole numbers, one number of each for every entry; entry i stands on entry reference[i] of
// the frame before, or on nothing
function columns(b, count, width, before, reference) {
    const values = new Int32Array(count * width);
    const known = before ? before.length / width : 0;
    for (let k = 0; k < width; k++) {
        for (let i = 0; i < count; i++) {
            const from = reference ? reference[i] : i;
            const old = from >= 0 && from < known ? before[from * width + k] : 0;
            values[i * width + k] = old + b.integer();
        }
    }
    return values;
}

function scaled(integers, unit) {
    const values = new Float32Array(integers.length);
    for (let i = 0; i < integers.length; i++)
        values[i] = integers[i] * unit;
    return values;
}

function readBodies(frame, b, before) {
    const n = frame.bodyCount;
    const raw = frame.raw;
    raw.flags = columns(b, n, 1, before?.flags);
    raw.island = columns(b, n, 1, before?.island);
    raw.position = poseColumns(b, n, 3, before?.position, before?.olderPosition);
    raw.quaternion = poseColumns(b, n, 4, before?.quaternion, before?.olderQuaternion);
    raw.olderPosition = before?.position;
    raw.olderQuaternion = before?.quaternion;
    raw.velocity = columns(b, n, 3, before?.velocity);
    raw.spin = columns(b, n, 3, before?.spin);
    frame.flags = raw.flags;
    frame.island = raw.island.map((x) => x - 1);
    frame.position = scaled(raw.position, frame.lengthUnit);
    frame.quaternion = scaled(raw.quaternion, frame.quaternionUnit);
    frame.velocity = scaled(raw.velocity, frame.speedUnit);
    frame.spin = scaled(raw.spin, frame.spinUnit);
}

// which contact of the frame before each stands on: 0 none, else the way from the next one in line, folded, plus 1
function readReferences(b, count, key) {
    const reference = new Int32Array(count).fill(-1);
    if (key)
        return reference;
    let expected = 0;
    for (let i = 0; i < count; i++) {
        const folded = b.count();
        if (folded === 0)
            continue;
        const way = folded - 1;
        reference[i] = expected + ((way >>> 1) ^ -(way & 1));
        expected = reference[i] + 1;
    }
    return reference;
}

const contactKeys = ['contactCount', 'contactState', 'contactPair', 'contactPoint', 'contactNormal', 'contactImpulse',
    'contactFriction'];
const rawContactKeys = ['state', 'pair', 'point', 'normal', 'impulse', 'friction'];

function copyKeys(to, from, keys) {
    for (const key of keys)
        to[key] = from[key];
}

function readContacts(frame, b, before) {
    const n = frame.contactCount = frame.contacts;
    const raw = frame.raw;
    const reference = readReferences(b, n, frame.key);
    raw.state = columns(b, n, 1, before?.state, reference);
    raw.pair = columns(b, n, 2, before?.pair, reference);
    raw.point = columns(b, n, 3, before?.point, reference);
    raw.normal = columns(b, n, 3, before?.normal, reference);
    raw.impulse = columns(b, n, 3, before?.impulse, reference);
    raw.friction = columns(b, n, 1, before?.friction, reference);
    frame.contactState = raw.state;
    frame.contactPair = raw.pair;
    frame.contactPoint = scaled(raw.point, frame.lengthUnit);
    frame.contactNormal = scaled(raw.normal, frame.normalUnit);
    frame.contactImpulse = scaled(raw.impulse, frame.impulseUnit);
    frame.contactFriction = scaled(raw.friction, FRICTION_UNIT);
}

// `before` is the decoded frame that a frame which is no key frame stands on
export function readFrame(bytes, before) {
    const frame = readHeader(bytes);
    if (!frame.key && !before)
        throw new Error('a frame stands on one that is not there');
    const b = new Bytes(bytes);
    b.at = HEADER_SIZE;
    frame.raw = {};
    readBodies(frame, b, frame.key ? null : before.raw);
    if (!frame.hold) {
        readContacts(frame, b, frame.key ? null : before.raw);
        return frame;
    }
    copyKeys(frame, before, contactKeys);
    copyKeys(frame.raw, before.raw, rawContactKeys);
    return frame;
}

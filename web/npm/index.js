// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Cairn in JavaScript: loads the module and wraps its worlds. Poses and contacts are typed arrays over the memory of
// the module: nothing is copied, and they show the newest state after every call. web/engine/exports.h is the other
// side.

const OUTCOMES = ['converged', 'iteration-limit', 'time-limit', 'no-solution', 'ray', 'singular', 'canceled',
    'step-limit'];
const SHAPES = { sphere: 0, box: 1, capsule: 2, cylinder: 3, ellipsoid: 4, cone: 5, taperedCapsule: 6 };
const TYPES = { dynamic: 0, kinematic: 1, static: 2 };
const NODE_FILES = 'node:fs/promises'; // where there is node
const NODE_WORKERS = 'node:worker_threads';
const PATIENCE = 10000; // ms until workers must be there
const WASI_OK = 0, WASI_NOT_SUPPORTED = 58;

// a module of two types and one function whose body needs SIMD128
const SIMD_PROBE = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65,
    0, 253, 15, 253, 98, 11]);

/** Whether this machine runs the module with vector instructions. */
export const hasSimd = () => WebAssembly.validate(SIMD_PROBE);

/** Whether this page may share memory between workers: Node.js, and pages that are isolated from other origins. */
export const hasThreads = () => hasSimd() && typeof SharedArrayBuffer === 'function'
    && (globalThis.crossOriginIsolated ?? true);

// the window of a page must not sleep: there, who waits looks again and again
const maySleep = () => typeof window === 'undefined';

// the few functions of the system that the module asks for: a clock, a place for what it prints, and, where memory is
// shared, a way to sleep until a word of it changes
function systemFor(state) {
    const view = () => new DataView(state.memory.buffer);
    const wasi = {
        clock_time_get(_, __, at) {
            view().setBigUint64(at, BigInt(Math.round(1e6 * performance.now())), true);
            return WASI_OK;
        },
        fd_write(_, list, count, written) {
            let size = 0;
            for (let i = 0; i < count; i++)
                size += view().getUint32(list + 8 * i + 4, true);
            view().setUint32(written, size, true);
            return WASI_OK;
        },
        proc_exit(status) {
            throw new Error(`the module ended with status ${status}`);
        },
    };
    const missing = { get: (known, name) => known[name] ?? (() => WASI_NOT_SUPPORTED) };
    const shared = {
        memory: state.memory,
        cairn_web_wait(at, value) {
            if (maySleep())
                Atomics.wait(new Int32Array(state.memory.buffer, at, 1), 0, value);
        },
    };
    return new Proxy({ wasi_snapshot_preview1: new Proxy(wasi, missing), env: new Proxy(shared, missing) },
        { get: (known, name) => known[name] ?? new Proxy({}, missing) });
}

async function bytesOf(source) {
    if (source instanceof URL && source.protocol === 'file:')
        return (await import(/* @vite-ignore */ NODE_FILES)).readFile(source);
    if (source instanceof URL || typeof source === 'string') {
        const answer = await fetch(source);
        if (!answer.ok)
            throw new Error(`${source}: ${answer.status} ${answer.statusText}`);
        return answer.arrayBuffer();
    }
    return source;
}

/** The memory and functions of one module, with texts and arrays in and out. */
export class Module {
    constructor(instance, state) {
        this.exports = instance.exports;
        this.memory = state.memory ??= instance.exports.memory;
        this.workers = [];
        this.scratch = 0;
        this.room = 0;
        instance.exports._initialize?.();
    }

    // the address of bytes in the memory, which lasts until the next call of `put`
    put(bytes) {
        if (bytes.length > this.room) {
            this.exports.cairn_web_free(this.scratch);
            this.room = 2 * bytes.length + 256;
            this.scratch = this.exports.cairn_web_alloc(this.room);
            if (!this.scratch)
                throw new Error('no memory');
        }
        new Uint8Array(this.memory.buffer, this.scratch, bytes.length).set(bytes);
        return this.scratch;
    }

    numbers(list) {
        return this.put(new Uint8Array(Float64Array.from(list).buffer));
    }

    text(at) {
        const bytes = new Uint8Array(this.memory.buffer, at);
        return new TextDecoder().decode(bytes.slice(0, bytes.indexOf(0)));
    }

    error() {
        return new Error(this.text(this.exports.cairn_web_error()));
    }

    check(status) {
        if (status !== 0)
            throw this.error();
    }
}

const encoder = new TextEncoder();

/** Loads a module of one thread; `source` is an address, bytes or a WebAssembly.Module. */
export async function loadModule(source) {
    const state = {};
    const file = hasSimd() ? './cairn.wasm' : './cairn-scalar.wasm';
    const from = await bytesOf(source ?? new URL(file, import.meta.url));
    const made = await WebAssembly.instantiate(from, systemFor(state));
    return new Module(made.instance ?? made, state);
}

// ---------------------------------------------------------------- threads

const PAGE = 65536, FIRST_PAGES = 512, MOST_PAGES = 32768; // of memory, as the module was linked (cmake/wasm.cmake)
const STACK = 1 << 20; // bytes of a worker's
const MOST_THREADS = 16;

// What a worker does: it makes an instance over the memory of all, with a stack of its own, and sits down to wait for
// work (src/math/system_web.c). It is text, so that it needs no file of its own.
const WORKER = `
async function sit({ module, memory, stack, seat }) {
    const nothing = { get: (known, name) => known[name] ?? (() => 0) };
    const wait = (at, value) => { Atomics.wait(new Int32Array(memory.buffer, at, 1), 0, value); };
    const clock = (_, __, at) => {
        new DataView(memory.buffer).setBigUint64(at, BigInt(Math.round(1e6 * performance.now())), true);
        return 0;
    };
    const { exports } = await WebAssembly.instantiate(module, {
        env: new Proxy({ memory, cairn_web_wait: wait }, nothing),
        wasi_snapshot_preview1: new Proxy({ clock_time_get: clock }, nothing),
    });
    exports.__stack_pointer.value = stack;
    exports.cairn_web_sit(seat);
}`;

// gives a worker its order; in Node.js it does not keep the program alive
async function hire(order) {
    if (typeof Worker === 'function') {
        const address = URL.createObjectURL(new Blob([`${WORKER}\nonmessage = ({ data }) => sit(data);`]));
        const worker = new Worker(address);
        worker.postMessage(order);
        return worker;
    }
    const { Worker: Thread } = await import(/* @vite-ignore */ NODE_WORKERS);
    const worker = new Thread(`${WORKER}\nsit(require('node:worker_threads').workerData);`, { eval: true, workerData: order });
    worker.unref();
    return worker;
}

/** Loads the module whose memory is shared, with `threads` threads: this one, and workers that wait for work. */
export async function loadShared(source, threads) {
    const count = Math.min(Math.max(Math.round(threads), 1), MOST_THREADS);
    const memory = new WebAssembly.Memory({ initial: FIRST_PAGES, maximum: MOST_PAGES, shared: true });
    const state = { memory };
    const from = await bytesOf(source ?? new URL('./cairn-threads.wasm', import.meta.url));
    const compiled = from instanceof WebAssembly.Module ? from : await WebAssembly.compile(from);
    const module = new Module(await WebAssembly.instantiate(compiled, systemFor(state)), state);

    for (let seat = 0; seat < count - 1; seat++) {
        const stack = module.exports.cairn_web_alloc(STACK);
        if (!stack)
            throw new Error('no memory');
        const top = (stack + STACK) & ~15;
        module.workers.push(await hire({ module: compiled, memory, stack: top, seat }));
    }

    // they sit down one by one; a worker that never comes is not waited for
    const patience = performance.now() + PATIENCE;
    while (module.exports.cairn_web_seated() < module.workers.length && performance.now() < patience)
        await new Promise((resolve) => { setTimeout(resolve, 1); });
    return module;
}

// ---------------------------------------------------------------- worlds

/** A world that was read from a scene. */
export class World {
    #m;
    #at;
    #views = null;
    #buffer = null;

    /** @internal */
    constructor(module, at) {
        this.#m = module;
        this.#at = at;
    }

    get #e() {
        return this.#m.exports;
    }

    // the arrays, made again when the memory has grown or a call may have moved them
    #look() {
        if (!this.#at)
            throw new Error('this world was freed');
        const { buffer } = this.#m.memory;
        const at = this.#e.cairn_web_world_arrays(this.#at);
        const words = new Uint32Array(buffer, at, 10);
        const [slots, count, poses, velocities, states, pairs, points, report, hash, method] = words;
        const known = this.#views;
        if (known && this.#buffer === buffer && known.key[0] === poses && known.key[1] === slots
            && known.key[2] === points && known.key[3] === count)
            return known;
        this.#buffer = buffer;
        this.#views = {
            key: [poses, slots, points, count],
            at,
            poses: new Float64Array(buffer, poses, 7 * slots),
            velocities: new Float64Array(buffer, velocities, 6 * slots),
            states: new Int32Array(buffer, states, slots),
            pairs: new Int32Array(buffer, pairs, 3 * count),
            points: new Float64Array(buffer, points, 10 * count),
            report: new Float64Array(buffer, report, 16),
            hash: new BigUint64Array(buffer, hash, 1),
            method,
        };
        return this.#views;
    }

    step(dt = 0) {
        this.#m.check(this.#e.cairn_web_world_step(this.#at, dt));
        return this;
    }

    get slots() { return this.#look().states.length; }

    get poses() { return this.#look().poses; }

    get velocities() { return this.#look().velocities; }

    get states() { return this.#look().states; }

    get contacts() {
        const { pairs, points } = this.#look();
        return { count: pairs.length / 3, pairs, points };
    }

    get hash() { return this.#look().hash[0].toString(16).padStart(16, '0'); }

    get report() {
        const { report: r, at } = this.#look();
        const method = new Uint32Array(this.#m.memory.buffer, at, 10)[9];
        return {
            step: r[0], time: r[1], residual: r[2], residualVelocity: r[3], penetration: r[4], jointError: r[5],
            kinetic: r[6], potential: r[7], islands: r[8], awake: r[9], outcome: OUTCOMES[r[10]],
            motion: { penetration: r[11], jointError: r[12], energyDefect: r[13], substeps: r[14] },
            rested: r[15], method: this.#m.text(method),
        };
    }

    find(name) {
        return this.#e.cairn_web_world_find(this.#at, this.#m.put(encoder.encode(`${name}\0`)));
    }

    addBody({
        shape = 'sphere', radius = 0.5, half = [0.5, 0.5, 0.5], halfHeight = 0.5, topRadius = 0.25, position = [0, 0, 0],
        quaternion = [1, 0, 0, 0], velocity = [0, 0, 0], spin = [0, 0, 0], density = 1000, mu = 0.5, restitution = 0,
        type = 'dynamic',
    } = {}) {
        if (!(shape in SHAPES))
            throw new Error(`the shape '${shape}' is not known, expected one of ${Object.keys(SHAPES).join(', ')}`);
        if (!(type in TYPES))
            throw new Error(`the type '${type}' is not known, expected one of ${Object.keys(TYPES).join(', ')}`);
        const sizes = shape === 'box' || shape === 'ellipsoid' ? half : [radius, halfHeight, topRadius];
        const slot = this.#e.cairn_web_world_add(this.#at, this.#m.numbers([SHAPES[shape], ...sizes, ...position,
            ...quaternion, ...velocity, ...spin, density, mu, restitution, TYPES[type], 0, 0, 0]));
        if (slot < 0)
            throw this.#m.error();
        return slot;
    }

    removeBody(slot) {
        this.#m.check(this.#e.cairn_web_world_remove(this.#at, slot));
    }

    setPose(slot, position, quaternion = [1, 0, 0, 0]) {
        this.#m.check(this.#e.cairn_web_world_set_pose(this.#at, slot, this.#m.numbers([...position, ...quaternion])));
    }

    setVelocity(slot, velocity, spin = [0, 0, 0]) {
        this.#m.check(this.#e.cairn_web_world_set_velocity(this.#at, slot, this.#m.numbers([...velocity, ...spin])));
    }

    addForce(slot, force, point) {
        const at = point ?? this.poses.subarray(7 * slot, 7 * slot + 3);
        this.#m.check(this.#e.cairn_web_world_push(this.#at, slot, this.#m.numbers([...force, ...at])));
    }

    setGravity(gravity) {
        this.#m.check(this.#e.cairn_web_world_set_gravity(this.#at, this.#m.numbers(gravity)));
    }

    setMethod(method, tolerance = 0) {
        this.#m.check(this.#e.cairn_web_world_set_method(this.#at, this.#m.put(encoder.encode(`${method}\0`)),
            tolerance));
    }

    castRay(origin, way) {
        const at = this.#m.numbers([...origin, ...way, 0, 0, 0, 0, 0, 0, 0]);
        const slot = this.#e.cairn_web_world_ray(this.#at, at, at + 48);
        if (slot < 0)
            return null;
        const [x, y, z, nx, ny, nz, fraction] = new Float64Array(this.#m.memory.buffer.slice(at + 48, at + 104));
        return { slot, point: [x, y, z], normal: [nx, ny, nz], fraction };
    }

    snapshot() {
        const at = this.#e.cairn_web_world_snapshot(this.#at);
        if (!at)
            throw this.#m.error();
        return { at, free: () => this.#e.cairn_web_snapshot_free(at) };
    }

    restore({ at }) {
        this.#m.check(this.#e.cairn_web_world_restore(this.#at, at));
    }

    free() {
        this.#e.cairn_web_world_free(this.#at);
        this.#at = 0;
    }
}

// ---------------------------------------------------------------- the engine

export class Cairn {
    #m;

    /** @internal */
    constructor(module) {
        this.#m = module;
    }

    get version() {
        return this.#m.text(this.#m.exports.cairn_web_version());
    }

    /** Keeps a file under a name, for the meshes that scenes refer to. */
    putFile(name, content) {
        putFile(this.#m, name, content);
    }

    /** How many threads step a world: this one and its workers. */
    get threads() {
        return 1 + this.#m.workers.length;
    }

    /** Ends the workers, if there are any; worlds of this engine must not be used afterwards. */
    close() {
        for (const worker of this.#m.workers.splice(0))
            worker.terminate();
    }

    world(scene, { method = '', tolerance = 0, substeps = 0, dt = 0, gravity = null, threads = 0 } = {}) {
        const text = encoder.encode(typeof scene === 'string' ? scene : JSON.stringify(scene));
        const name = encoder.encode(`${method}\0`);
        const numbers = Float64Array.of(tolerance, substeps, dt, gravity ? 1 : 0, ...(gravity ?? [0, 0, 0]), threads);
        const head = numbers.byteLength;
        const start = this.#m.put(new Uint8Array(head + name.length + text.length));
        const memory = new Uint8Array(this.#m.memory.buffer);
        memory.set(new Uint8Array(numbers.buffer), start);
        memory.set(name, start + head);
        memory.set(text, start + head + name.length);
        const at = this.#m.exports.cairn_web_world(start + head + name.length, text.length, start + head, start);
        if (!at)
            throw this.#m.error();
        return new World(this.#m, at);
    }
}

export function putFile(module, name, content) {
    const bytes = typeof content === 'string' ? encoder.encode(content) : content;
    const title = encoder.encode(`${name}\0`);
    const all = new Uint8Array(title.length + bytes.length);
    all.set(title);
    all.set(bytes, title.length);
    const at = module.put(all);
    module.check(module.exports.cairn_web_put(at, at + title.length, bytes.length));
}

/**
 * Loads the engine. With more than one thread, and where the page may have them, worlds are stepped by workers, too; the
 * motion is the same to the last bit.
 */
export async function load(source, { threads = 1 } = {}) {
    return new Cairn(threads > 1 && hasThreads() ? await loadShared(source, threads) : await loadModule(source));
}

// ---------------------------------------------------------------- the live view

/** The session of the live view inside a module: messages of docs/view-protocol.md in and out. */
export class Session {
    constructor(module, scene) {
        this.m = module;
        module.check(module.exports.cairn_web_start(module.put(encoder.encode(`${scene}\0`))));
    }

    send(message) {
        const bytes = encoder.encode(JSON.stringify(message));
        this.m.check(this.m.exports.cairn_web_send(this.m.put(bytes), bytes.length));
    }

    /** One turn; gives the seconds until the next and the messages: objects, or bytes of stages and frames. */
    turn() {
        const wait = this.m.exports.cairn_web_turn();
        const messages = [];
        for (;;) {
            const at = this.m.exports.cairn_web_next();
            if (!at)
                return { wait, messages };
            const bytes = new Uint8Array(this.m.memory.buffer, at, this.m.exports.cairn_web_next_size()).slice();
            messages.push(this.m.exports.cairn_web_next_is_text() ? JSON.parse(new TextDecoder().decode(bytes)) : bytes);
        }
    }
}

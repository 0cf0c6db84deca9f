// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

export type Vector = readonly [number, number, number] | Float64Array;
/** w, x, y, z */
export type Quaternion = readonly [number, number, number, number] | Float64Array;

export interface WorldOptions {
    /** Name of the method that solves the contacts; as the scene says when absent. */
    method?: string;
    /** Relative residual asked of each solve. */
    tolerance?: number;
    substeps?: number;
    /** Seconds of a step. */
    dt?: number;
    /** m/s² */
    gravity?: Vector | null;
    /** How many threads step it, at most those of the engine; all of them when absent. */
    threads?: number;
}

export interface LoadOptions {
    /** Threads, this one included. More than one needs a page that is isolated from other origins, or Node.js. */
    threads?: number;
}

export interface BodyOptions {
    shape?: 'sphere' | 'box' | 'capsule' | 'cylinder' | 'ellipsoid' | 'cone' | 'taperedCapsule';
    /** m, of spheres, capsules, cylinders and cones (base); of the lower end of tapered capsules */
    radius?: number;
    /** m, of the upper end of tapered capsules */
    topRadius?: number;
    /** m, of boxes and ellipsoids */
    half?: Vector;
    /** m, of capsules, cylinders and cones, along z */
    halfHeight?: number;
    position?: Vector;
    quaternion?: Quaternion;
    /** m/s */
    velocity?: Vector;
    /** rad/s */
    spin?: Vector;
    /** kg/m³ */
    density?: number;
    /** Coefficient of friction. */
    mu?: number;
    restitution?: number;
    type?: 'dynamic' | 'kinematic' | 'static';
}

export interface Report {
    step: number;
    time: number;
    /** The certificate: worst relative residual of the solves of the step, and in m/s. */
    residual: number;
    residualVelocity: number;
    /** m: deepest contact, widest gap of a joint. */
    penetration: number;
    jointError: number;
    /** J */
    kinetic: number;
    potential: number;
    islands: number;
    awake: number;
    outcome: 'converged' | 'iteration-limit' | 'time-limit' | 'no-solution' | 'ray' | 'singular' | 'canceled'
        | 'step-limit';
    /** The certificate of the motion. */
    motion: { penetration: number; jointError: number; energyDefect: number; substeps: number };
    /** Islands that were found at rest. */
    rested: number;
    method: string;
}

/** Typed arrays over the memory of the module: read them again after every call on the world. */
export interface Contacts {
    count: number;
    /** For each contact: slot a, slot b, state (0 open, 1 sticks, 2 slides). */
    pairs: Int32Array;
    /** For each contact: point, normal from a to b, impulse on b in N s (three numbers each), gap in m. */
    points: Float64Array;
}

export interface Hit {
    slot: number;
    point: [number, number, number];
    normal: [number, number, number];
    fraction: number;
}

export interface Snapshot {
    free(): void;
}

export declare class World {
    /** Advances by dt seconds, or by the step of the scene. */
    step(dt?: number): this;
    /** Slots of bodies, empty ones included. */
    readonly slots: number;
    /** For each slot: x, y, z, then the quaternion w, x, y, z. */
    readonly poses: Float64Array;
    /** For each slot: m/s, then rad/s. */
    readonly velocities: Float64Array;
    /** For each slot: 0 empty, 1 awake, 2 asleep, 3 static or kinematic, 4 frozen. */
    readonly states: Int32Array;
    readonly contacts: Contacts;
    readonly report: Report;
    /** Hash of the state, 16 hexadecimal digits: the same bits on every machine. */
    readonly hash: string;
    /** The slot of a body by its name in the scene, or -1. */
    find(name: string): number;
    addBody(body?: BodyOptions): number;
    removeBody(slot: number): void;
    setPose(slot: number, position: Vector, quaternion?: Quaternion): void;
    setVelocity(slot: number, velocity: Vector, spin?: Vector): void;
    /** A force in N until the end of the next step, at a point of the world (the body's origin when absent). */
    addForce(slot: number, force: Vector, point?: Vector): void;
    setGravity(gravity: Vector): void;
    setMethod(method: string, tolerance?: number): void;
    /** The first body between origin and origin + way. */
    castRay(origin: Vector, way: Vector): Hit | null;
    /** The state, to go back to bit for bit; to be freed. */
    snapshot(): Snapshot;
    restore(snapshot: Snapshot): void;
    free(): void;
}

export declare class Cairn {
    readonly version: string;
    /** How many threads step a world: 1 where memory may not be shared. */
    readonly threads: number;
    /** Ends the workers, if there are any; worlds of this engine must not be used afterwards. */
    close(): void;
    /** A world from a scene: an object or its JSON text. Errors name the line and the key. */
    world(scene: object | string, options?: WorldOptions): World;
    /** Keeps a file under a name, for meshes that scenes refer to. */
    putFile(name: string, content: string | Uint8Array): void;
}

export type Source = string | URL | ArrayBuffer | Uint8Array | WebAssembly.Module;

/** Loads the engine, from beside this file unless `source` says otherwise. The motion does not depend on the threads. */
export declare function load(source?: Source | null, options?: LoadOptions): Promise<Cairn>;
/** Whether this page may have threads: it is isolated from other origins (`crossOriginIsolated`), or it is Node.js. */
export declare function hasThreads(): boolean;
/** Whether this machine has the vector instructions that cairn.wasm needs. */
export declare function hasSimd(): boolean;

/** The functions and the memory of a module, for those who need them. */
export declare class Module {
    readonly exports: WebAssembly.Exports;
    readonly memory: WebAssembly.Memory;
}
export declare function loadModule(source?: Source | null): Promise<Module>;
export declare function loadShared(source: Source | null | undefined, threads: number): Promise<Module>;
export declare function putFile(module: Module, name: string, content: string | Uint8Array): void;

/** The session of `cairn view` inside a module: messages of its protocol in and out. */
export declare class Session {
    constructor(module: Module, scene: string);
    send(message: { command: string; [key: string]: unknown }): void;
    turn(): { wait: number; messages: (object | Uint8Array)[] };
}

// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The picture: camera, light, shadow, bodies, arrows and the outline of the selected body. Draws only when something
// has changed.

import {
    BufferGeometry, Color, DirectionalLight, EdgesGeometry, Fog, Line, LineBasicMaterial, LineSegments, Matrix4,
    NeutralToneMapping, PCFShadowMap, PerspectiveCamera, Plane, Raycaster, Scene, Vector2,
    Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { PRESENT } from '../wire/frame.js';
import { Arrows } from './arrows.js';
import { Bodies, poseMatrix } from './bodies.js';
import { Chains } from './chains.js';
import { Cones } from './cones.js';
import { Drawing } from './drawing.js';
import { measure } from './extent.js';
import { makeFloor } from './ground.js';
import { Joints } from './joints.js';
import { grain } from './looks.js';
import { Post } from './post.js';
import { chooseQuality } from './quality.js';
import { Sky } from './sky.js';
import { Surfaces } from './surfaces.js';
import { Surroundings } from './surroundings.js';
import { themes } from './theme.js';
import { setPixel } from './thin.js';
import { Trails } from './trails.js';

const VIEW = new Vector3(0.62, -1.25, 0.52).normalize(); // from where one looks at first
// How much of half the picture the scene may fill. The lower edge belongs to the status line, which takes more lines
// where the picture is narrow.
const SIDES = 0.9, ABOVE = 0.9, BELOW = 0.8;
const STATUS = { line: 44, lines: 64, narrow: 640 }; // px

function below(width, height) {
    const covered = width < STATUS.narrow ? STATUS.lines : STATUS.line;
    return Math.max(0.3, Math.min(BELOW, 1 - (2 * covered) / height));
}

const BISECTIONS = 40;
const STILL = 350; // ms after which a picture that stands is drawn better
const SUN = new Vector3(-0.5, -0.62, 1.15).normalize();

// mechanisms that only the world holds, with nothing below them, get a floor to stand over
function hangs(stage) {
    return stage.gravity.some((x) => x !== 0) && stage.joints.some(({ a }) => a < 0)
        && stage.bodies.every((body) => body?.type !== 'static');
}

// The points between two planes through the camera: with x across and z forward from `center`, the camera at `side`
// and `depth`, x - side ≤ high (z - depth) and side - x ≤ low (z - depth) for every point. `depth` is the largest for
// which there is such a side; `sideAt` is the side at which both planes have the same room, as seen in the picture.
function wedge(points, across, forward, center, high, low) {
    const flat = points.map((point) => point.clone().sub(center)).map((p) => [p.dot(across), p.dot(forward)]);
    const over = Math.max(...flat.map(([x, z]) => x - high * z));
    const under = Math.max(...flat.map(([x, z]) => -x - low * z));

    // how far towards the edge of the picture the outermost points are; the first falls with the side, the second grows
    const sideAt = (depth) => {
        let [a, b] = [over + high * depth, -under - low * depth];
        for (let i = 0; i < BISECTIONS; i++) {
            const side = 0.5 * (a + b);
            const above = Math.max(...flat.map(([x, z]) => (x - side) / (high * (z - depth))));
            const below = Math.max(...flat.map(([x, z]) => (side - x) / (low * (z - depth))));
            [a, b] = above > below ? [side, b] : [a, side];
        }
        return 0.5 * (a + b);
    };
    return { depth: -(over + under) / (high + low), sideAt };
}

// from where to look: at a slope from its side, so that one sees that it is one
function viewFor(up) {
    const downhill = new Vector3(-up.x, -up.y, 0);
    if (downhill.length() < 1e-3)
        return VIEW.clone();
    downhill.normalize();
    return downhill.clone().cross(new Vector3(0, 0, 1)).addScaledVector(downhill, 0.25).addScaledVector(up, 0.22).normalize();
}

export class Picture {
    constructor(canvas) {
        this.canvas = canvas;
        this.quality = chooseQuality();
        this.renderer = new WebGLRenderer({ canvas, antialias: this.quality.antialias, preserveDrawingBuffer: true });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.renderer.toneMapping = NeutralToneMapping;
        this.renderer.autoClear = false;
        this.post = new Post(this.renderer, this.quality.samples);
        this.extras = { chains: false, cones: false, trails: false };
        this.bare = false; // no status line over the picture
        this.scene = new Scene();
        this.firmament = new Sky();
        this.scene.add(this.firmament);
        this.camera = new PerspectiveCamera(35, 1, 0.1, 1000);
        this.setUp(new Vector3(0, 0, 1));
        this.raycaster = new Raycaster();
        this.addLights();
        this.outline = new LineSegments(new BufferGeometry(), new LineBasicMaterial());
        this.outline.matrixAutoUpdate = false;
        this.outline.visible = false;
        this.spring = new Line(new BufferGeometry(), new LineBasicMaterial());
        this.spring.frustumCulled = false;
        this.spring.visible = false;
        this.drawing = new Drawing();
        this.stale = true;
        this.setTheme('light');
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
        this.resize();
    }

    // which way is up: where gravity comes from, so that a slope is seen as a slope
    setUp(up) {
        this.controls?.dispose();
        this.camera.up.copy(up);
        this.view = viewFor(up);
        this.controls = new OrbitControls(this.camera, this.canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.maxPolarAngle = 0.98 * Math.PI;
        this.controls.addEventListener('change', () => this.touch());
        // who has turned the camera keeps it when the window changes
        this.controls.addEventListener('start', () => { this.fitted = false; });
    }

    addLights() {
        this.sun = new DirectionalLight('#fffaf2');
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.setScalar(this.quality.shadowMap);
        this.sun.shadow.radius = this.quality.shadowMap / 400;
        this.scene.add(this.sun, this.sun.target);
        this.surroundings = new Surroundings(this.renderer, SUN);
    }

    setTheme(name) {
        this.theme = themes[name];
        this.scene.background = new Color(this.theme.sky);
        if (this.scene.fog)
            this.scene.fog.color.set(this.theme.sky);
        this.scene.environment = this.surroundings.image(this.theme, this.camera.up);
        this.scene.environmentIntensity = this.theme.fill;
        this.sun.intensity = this.theme.sun;
        this.outline.material.color.set(this.theme.select);
        this.spring.material.color.set(this.theme.select);
        this.post.setTheme(this.theme);
        this.firmament.setTheme(this.theme);
        this.parts?.forEach((part) => part.setTheme(this.theme));
        this.touch();
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
        if (width === 0 || height === 0)
            return;
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.quality.pixelRatio));
        this.renderer.setSize(width, height, false);
        this.post.resize();
        this.camera.aspect = width / height;
        setPixel(this.camera, height);
        this.camera.updateProjectionMatrix();
        if (this.fitted)
            this.lookAtAll();
        this.touch();
    }

    touch() {
        this.stale = true;
    }

    // Takes another stage; `frame` is its first one, `view` the box around the whole motion where that is known. With
    // `keepCamera`, bodies came or went: camera, light and ground stay as they are, so that a ball that was shot and
    // rolls away does not stretch them.
    setStage(stage, frame, { keepCamera = false, view = null } = {}) {
        for (const part of this.parts ?? []) {
            this.scene.remove(part);
            part.dispose();
        }
        this.arrows?.dispose();
        this.chains?.dispose();
        this.cones?.dispose();
        this.stage = stage;
        const keep = keepCamera && this.extent;
        if (!keep)
            this.extent = measure(stage, frame, view);
        const { box, radius, size } = this.extent;
        this.bodies = new Bodies(stage, this.theme, radius);
        this.joints = new Joints(stage, this.theme, size);
        this.surfaces = new Surfaces(stage, this.theme, box);
        this.trails = new Trails(stage);
        this.trails.setTheme(this.theme);
        this.trails.visible = this.extras.trails;
        this.parts = [this.bodies, this.joints, this.surfaces, this.trails];
        grain.value = size;
        if (hangs(stage))
            this.parts.push(makeFloor(this.theme, this.extent));
        this.scene.add(...this.parts);
        this.arrows = new Arrows(size);
        this.chains = new Chains(stage, size);
        this.cones = new Cones(size);
        this.arrows.scene.add(this.outline, this.spring, this.chains, this.cones, this.drawing);
        if (!keep) {
            const g = new Vector3(...stage.gravity);
            this.setUp(g.length() > 0 ? g.normalize().negate() : new Vector3(0, 0, 1));
            this.aimSun();
            this.post.setReach(1.6 * size);
            if (!this.firmament.uniforms.up.value.equals(this.camera.up)) {
                this.firmament.uniforms.up.value.copy(this.camera.up);
                this.scene.environment = this.surroundings.image(this.theme, this.camera.up);
            }
            this.lookAtAll();
        }
        this.select(null);
    }

    aimSun() {
        const { center, radius } = this.extent;
        const reach = 1.6 * radius;
        this.sun.target.position.copy(center);
        this.sun.position.copy(center).addScaledVector(SUN, 3 * reach);
        const camera = this.sun.shadow.camera;
        Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: reach, far: 6 * reach });
        camera.updateProjectionMatrix();
        // three texels of the shadow map, or surfaces would shade themselves
        this.sun.shadow.normalBias = (6 * reach) / this.quality.shadowMap;
        this.sun.shadow.bias = -0.0008;
        this.scene.fog = new Fog(this.theme.sky, 14 * radius, 60 * radius);
    }

    // The place nearest to the scene from which every point of it is seen, in the direction of the first look. A point p
    // lies inside of a plane through the camera c with inward normal n when n·(p - c) ≥ 0; the planes left and right,
    // and those above and below, fix the place across and how far back it is.
    lookAtAll() {
        const { points, center, radius } = this.extent;
        // what is left of a turn of the camera ends here
        this.controls.enableDamping = false;
        this.controls.update();
        this.controls.enableDamping = true;
        this.camera.near = radius / 100;
        this.camera.far = radius * 300;
        this.camera.updateProjectionMatrix();
        const forward = this.view.clone().negate();
        const right = forward.clone().cross(this.camera.up).normalize();
        const up = right.clone().cross(forward);
        const slope = Math.tan((this.camera.fov * Math.PI) / 360), wide = slope * this.camera.aspect;
        const across = wedge(points, right, forward, center, SIDES * wide, SIDES * wide);
        const { clientWidth, clientHeight } = this.canvas.parentElement;
        const low = this.bare ? ABOVE : below(clientWidth, clientHeight);
        const along = wedge(points, up, forward, center, ABOVE * slope, low * slope);
        const depth = Math.min(across.depth, along.depth, -1.5 * this.extent.size);
        this.camera.position.copy(center).addScaledVector(right, across.sideAt(depth))
            .addScaledVector(up, along.sideAt(depth)).addScaledVector(forward, depth);
        this.controls.target.copy(this.camera.position).addScaledVector(forward, -depth);
        this.fitted = true;
        this.controls.update();
        this.touch();
    }

    // ---------------------------------------------------------------- what is shown

    show(a, b, alpha, colors, forces, dt) {
        this.shown = { a, b, alpha };
        this.bodies.place(a, b, alpha);
        this.joints.place(a, b, alpha);
        this.surfaces.place(a, b, alpha);
        this.bodies.paint(colors);
        this.forces = forces;
        if (forces)
            this.arrows.update(a, dt);
        else if (this.arrows.shafts)
            this.arrows.finish(0);
        this.trails.note(a);
        this.showExtras(this.extras);
        this.placeOutline();
        this.touch();
    }

    // force chains, friction cones and trails
    showExtras(extras) {
        this.extras = extras;
        if (!this.bodies || !this.shown)
            return;
        for (const name of ['chains', 'cones']) {
            if (extras[name])
                this[name].update(this.shown.a);
            else
                this[name].hide();
        }
        this.trails.visible = extras.trails;
        if (extras.trails)
            this.trails.update(this.selected ?? null);
        this.touch();
    }

    select(body) {
        this.selected = body;
        const found = body === null ? null : this.bodies.geometryOf(body);
        this.outline.geometry.dispose();
        this.outline.geometry = found ? new EdgesGeometry(found.geometry, 30) : new BufferGeometry();
        this.outlineScale = found?.scale ?? null;
        this.placeOutline();
        this.touch();
    }

    placeOutline() {
        const { a, b, alpha } = this.shown ?? {};
        const body = this.selected;
        this.outline.visible = body !== null && body !== undefined && a !== undefined && body < a.bodyCount
            && (a.flags[body] & PRESENT) !== 0;
        if (!this.outline.visible)
            return;
        poseMatrix(this.outline.matrix, body, a, b, alpha).multiply(this.bodies.offsets[body]);
        if (this.outlineScale)
            this.outline.matrix.scale(this.outlineScale);
        this.outline.matrix.multiply(new Matrix4().makeScale(1.004, 1.004, 1.004));
        this.outline.matrixWorldNeedsUpdate = true;
    }

    // a line from a body to the pointer; null hides it
    showSpring(from, to) {
        this.spring.visible = from !== null;
        if (from !== null)
            this.spring.geometry.setFromPoints([from, to]);
        this.touch();
    }

    // what the engine sees
    showDrawing(drawing) {
        this.drawing.show(drawing);
        this.touch();
    }

    hideDrawing() {
        this.drawing.visible = false;
        this.touch();
    }

    // ---------------------------------------------------------------- the pointer

    aim(event) {
        const box = this.canvas.getBoundingClientRect();
        const at = new Vector2((2 * (event.clientX - box.left)) / box.width - 1,
            1 - (2 * (event.clientY - box.top)) / box.height);
        this.raycaster.setFromCamera(at, this.camera);
        return this.raycaster;
    }

    pick(event) {
        return this.bodies ? this.bodies.pick(this.aim(event)) : null;
    }

    // where the pointer meets the plane through `point` that faces the camera
    pointFacing(event, point) {
        const normal = this.camera.getWorldDirection(new Vector3());
        const plane = new Plane().setFromNormalAndCoplanarPoint(normal, point);
        return this.aim(event).ray.intersectPlane(plane, new Vector3());
    }

    // where a point of the world is on the page, in pixels
    project(point) {
        const box = this.canvas.getBoundingClientRect();
        this.camera.updateMatrixWorld(); // it may have moved since the last picture
        const p = new Vector3(...point).project(this.camera);
        return { x: box.left + (0.5 + 0.5 * p.x) * box.width, y: box.top + (0.5 - 0.5 * p.y) * box.height };
    }

    // ---------------------------------------------------------------- drawing

    // as far away as what one looks at allows: depth has only so many digits
    setNear() {
        const distance = this.camera.position.distanceTo(this.controls.target);
        this.camera.near = Math.max(0.04 * distance, this.extent.radius / 400);
        this.camera.updateProjectionMatrix();
    }

    // in software a picture that moves is drawn plainly, and better once it stands
    draw() {
        this.controls.update();
        if (!this.bodies)
            return;
        const now = performance.now();
        const moves = this.stale;
        if (moves)
            this.moved = now;
        else if (this.refined || now - this.moved < STILL)
            return;
        this.stale = false;
        this.setNear();
        this.refined = this.quality.fine || !moves;
        if (this.refined) {
            this.post.render(this.scene, this.camera);
        } else {
            this.renderer.clear();
            this.renderer.render(this.scene, this.camera);
        }
        // arrows and outline lie over the bodies: the forces are inside of them
        if (this.arrows && (this.forces || this.extras.chains || this.extras.cones || this.outline.visible || this.spring.visible
            || this.drawing.visible)) {
            this.renderer.clearDepth();
            this.renderer.render(this.arrows.scene, this.camera);
        }
    }
}

// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The picture: camera, light, shadow, bodies, arrows and the outline of the selected body. Draws only when something
// has changed.

import {
    BufferGeometry, Color, DirectionalLight, EdgesGeometry, Fog, HemisphereLight, Line, LineBasicMaterial,
    LineSegments, Matrix4, NeutralToneMapping, PCFShadowMap, PerspectiveCamera, Plane, Raycaster, Scene, Vector2,
    Vector3, WebGLRenderer,
} from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { PRESENT } from '../wire/frame.js';
import { Arrows } from './arrows.js';
import { Bodies, poseMatrix } from './bodies.js';
import { measure } from './extent.js';
import { Joints } from './joints.js';
import { chooseQuality } from './quality.js';
import { themes } from './theme.js';

const VIEW = new Vector3(0.62, -1.25, 0.52).normalize(); // from where one looks at first
const SUN = new Vector3(-0.5, -0.62, 1.15).normalize();

export class Picture {
    constructor(canvas) {
        this.canvas = canvas;
        this.quality = chooseQuality();
        this.renderer = new WebGLRenderer({ canvas, antialias: this.quality.antialias, preserveDrawingBuffer: true });
        this.renderer.shadowMap.enabled = true;
        this.renderer.shadowMap.type = PCFShadowMap;
        this.renderer.toneMapping = NeutralToneMapping;
        this.renderer.autoClear = false;
        this.scene = new Scene();
        this.camera = new PerspectiveCamera(35, 1, 0.1, 1000);
        this.camera.up.set(0, 0, 1);
        this.controls = new OrbitControls(this.camera, canvas);
        this.controls.enableDamping = true;
        this.controls.dampingFactor = 0.12;
        this.controls.maxPolarAngle = 0.98 * Math.PI;
        this.controls.addEventListener('change', () => this.touch());
        // who has turned the camera keeps it when the window changes
        this.controls.addEventListener('start', () => { this.fitted = false; });
        this.raycaster = new Raycaster();
        this.addLights();
        this.outline = new LineSegments(new BufferGeometry(), new LineBasicMaterial());
        this.outline.matrixAutoUpdate = false;
        this.outline.visible = false;
        this.spring = new Line(new BufferGeometry(), new LineBasicMaterial());
        this.spring.frustumCulled = false;
        this.spring.visible = false;
        this.stale = true;
        this.setTheme('light');
        new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
        this.resize();
    }

    addLights() {
        this.sky = new HemisphereLight();
        this.sky.position.set(0, 0, 1);
        this.sun = new DirectionalLight('#fffaf2');
        this.sun.castShadow = true;
        this.sun.shadow.mapSize.setScalar(this.quality.shadowMap);
        this.sun.shadow.radius = this.quality.shadowMap / 400;
        this.scene.add(this.sky, this.sun, this.sun.target);
    }

    setTheme(name) {
        this.theme = themes[name];
        this.scene.background = new Color(this.theme.sky);
        if (this.scene.fog)
            this.scene.fog.color.set(this.theme.sky);
        this.sky.color.set(this.theme.skyLight);
        this.sky.groundColor.set(this.theme.groundLight);
        this.sky.intensity = this.theme.fill;
        this.sun.intensity = this.theme.sun;
        this.outline.material.color.set(this.theme.select);
        this.spring.material.color.set(this.theme.select);
        this.bodies?.setTheme(this.theme);
        this.joints?.setTheme(this.theme);
        this.touch();
    }

    resize() {
        const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
        if (width === 0 || height === 0)
            return;
        this.renderer.setPixelRatio(Math.min(devicePixelRatio, this.quality.pixelRatio));
        this.renderer.setSize(width, height, false);
        this.camera.aspect = width / height;
        this.camera.updateProjectionMatrix();
        if (this.fitted)
            this.lookAtAll();
        this.touch();
    }

    touch() {
        this.stale = true;
    }

    // takes another stage; `frame` is its first one
    setStage(stage, frame, { keepCamera = false } = {}) {
        if (this.bodies) {
            this.scene.remove(this.bodies, this.joints);
            this.bodies.dispose();
            this.joints.dispose();
        }
        this.arrows?.dispose();
        this.stage = stage;
        this.extent = measure(stage, frame);
        this.bodies = new Bodies(stage, this.theme, this.extent.radius);
        this.arrows = new Arrows(this.extent.size);
        this.arrows.scene.add(this.outline, this.spring);
        this.joints = new Joints(stage, this.theme);
        this.scene.add(this.bodies, this.joints);
        this.aimSun();
        if (!keepCamera)
            this.lookAtAll();
        this.select(null);
    }

    aimSun() {
        const { center, radius } = this.extent;
        const reach = 2.2 * radius;
        this.sun.target.position.copy(center);
        this.sun.position.copy(center).addScaledVector(SUN, 3 * reach);
        const camera = this.sun.shadow.camera;
        Object.assign(camera, { left: -reach, right: reach, top: reach, bottom: -reach, near: reach, far: 6 * reach });
        camera.updateProjectionMatrix();
        // two texels of the shadow map, or surfaces would shade themselves
        this.sun.shadow.normalBias = (4 * reach) / this.quality.shadowMap;
        this.sun.shadow.bias = -0.0004;
        this.scene.fog = new Fog(this.theme.sky, 14 * radius, 60 * radius);
    }

    // the smallest distance from which every corner of the scene is seen
    lookAtAll() {
        const { box, center, radius } = this.extent;
        // what is left of a turn of the camera ends here
        this.controls.enableDamping = false;
        this.controls.update();
        this.controls.enableDamping = true;
        const corners = [0, 1, 2, 3, 4, 5, 6, 7].map((k) => new Vector3(
            k & 1 ? box.max.x : box.min.x, k & 2 ? box.max.y : box.min.y, k & 4 ? box.max.z : box.min.z));
        const seen = (distance) => {
            this.camera.position.copy(center).addScaledVector(VIEW, distance);
            this.camera.lookAt(center);
            this.camera.updateMatrixWorld();
            return corners.every((corner) => {
                const p = corner.clone().project(this.camera);
                return Math.max(Math.abs(p.x), Math.abs(p.y)) < 0.86 && p.z < 1;
            });
        };
        this.camera.near = radius / 100;
        this.camera.far = radius * 300;
        this.camera.updateProjectionMatrix();
        let near = radius, far = 20 * radius;
        for (let k = 0; k < 24; k++) {
            const middle = 0.5 * (near + far);
            if (seen(middle))
                far = middle;
            else
                near = middle;
        }
        seen(far);
        this.fitted = true;
        this.controls.target.copy(center);
        this.controls.update();
        this.touch();
    }

    // ---------------------------------------------------------------- what is shown

    show(a, b, alpha, colors, forces, dt) {
        this.shown = { a, b, alpha };
        this.bodies.place(a, b, alpha);
        this.joints.place(a, b, alpha);
        this.bodies.paint(colors);
        this.forces = forces;
        if (forces)
            this.arrows.update(a, dt);
        else if (this.arrows.shafts)
            this.arrows.finish(0);
        this.placeOutline();
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
        const p = new Vector3(...point).project(this.camera);
        return { x: box.left + (0.5 + 0.5 * p.x) * box.width, y: box.top + (0.5 - 0.5 * p.y) * box.height };
    }

    // ---------------------------------------------------------------- drawing

    draw() {
        this.controls.update();
        if (!this.stale || !this.bodies)
            return;
        this.stale = false;
        this.renderer.clear();
        this.renderer.render(this.scene, this.camera);
        // arrows and outline lie over the bodies: the forces are inside of them
        if (this.arrows && (this.forces || this.outline.visible || this.spring.visible)) {
            this.renderer.clearDepth();
            this.renderer.render(this.arrows.scene, this.camera);
        }
    }
}

// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What is done to a picture once the bodies are drawn: ambient occlusion, which darkens places that see little of the
// sky. For a point P with normal N and points S of the picture around it,
//
//     A = 1 - 2/K Σ max(0, N·(S - P)/|S - P| - b) (1 - |S - P|²/R²)+
//
// at half the resolution, then smoothed where depths agree.

import {
    DepthTexture, FloatType, HalfFloatType, LinearFilter, Mesh, NearestFilter, OrthographicCamera, PlaneGeometry, RedFormat,
    Scene, ShaderMaterial, UnsignedByteType, Vector2, WebGLRenderTarget,
} from 'three';

const VERTEX = /* glsl */ `
    varying vec2 at;
    void main() {
        at = uv;
        gl_Position = vec4(position.xy, 0.0, 1.0);
    }`;

const OCCLUSION = /* glsl */ `
    varying vec2 at;
    uniform sampler2D depth;
    uniform mat4 unproject;
    uniform vec2 texel;
    uniform float reach, perMeter;
    const int COUNT = 14;
    vec3 place(vec2 uv) {
        vec4 p = unproject * vec4(2.0 * vec3(uv, texture2D(depth, uv).r) - 1.0, 1.0);
        return p.xyz / p.w;
    }
    // of two neighbors the nearer one: edges stay sharp
    vec3 slope(vec3 p, vec2 step) {
        vec3 a = place(at + step) - p, b = p - place(at - step);
        return abs(a.z) < abs(b.z) ? a : b;
    }
    void main() {
        gl_FragColor = vec4(1.0);
        if (texture2D(depth, at).r >= 1.0)
            return;
        vec3 p = place(at);
        vec3 n = normalize(cross(slope(p, vec2(2.0 * texel.x, 0.0)), slope(p, vec2(0.0, 2.0 * texel.y))));
        float pixels = clamp(reach * perMeter / -p.z, 3.0, 90.0);
        float turn = 6.2831853 * fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715))));
        float sum = 0.0;
        for (int i = 0; i < COUNT; i++) {
            float r = (float(i) + 0.5) / float(COUNT), angle = turn + 2.399963 * float(i);
            vec3 v = place(at + pixels * sqrt(r) * texel * vec2(cos(angle), sin(angle))) - p;
            float d2 = dot(v, v);
            sum += max(0.0, dot(n, v) * inversesqrt(d2 + 1e-12) - 0.2) * max(0.0, 1.0 - d2 / (reach * reach));
        }
        gl_FragColor = vec4(clamp(1.0 - 2.0 * sum / float(COUNT), 0.0, 1.0));
    }`;

const COMPOSE = /* glsl */ `
    varying vec2 at;
    uniform sampler2D color, depth, occlusion;
    uniform mat4 unproject;
    uniform vec2 texel;
    uniform float strength;
    float far(vec2 uv) {
        vec4 p = unproject * vec4(2.0 * vec3(uv, texture2D(depth, uv).r) - 1.0, 1.0);
        return -p.z / p.w;
    }
    float shade() {
        float z = far(at), sum = 0.0, weight = 0.0;
        for (int i = -2; i < 2; i++)
            for (int j = -2; j < 2; j++) {
                vec2 uv = at + (vec2(float(i), float(j)) + 0.5) * 2.0 * texel;
                float w = 1e-3 + exp(-30.0 * abs(far(uv) - z) / z);
                sum += w * texture2D(occlusion, uv).r;
                weight += w;
            }
        return sum / weight;
    }
    void main() {
        gl_FragColor = texture2D(color, at);
        if (texture2D(depth, at).r < 1.0)
            gl_FragColor.rgb *= mix(1.0, shade(), strength);
        gl_FragColor.a = 1.0;
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
    }`;

function pass(fragmentShader, uniforms) {
    const material = new ShaderMaterial({ vertexShader: VERTEX, fragmentShader, uniforms, depthTest: false, depthWrite: false });
    const scene = new Scene();
    const mesh = new Mesh(new PlaneGeometry(2, 2), material);
    mesh.frustumCulled = false;
    scene.add(mesh);
    return { scene, uniforms };
}

function target(width, height, samples) {
    const made = new WebGLRenderTarget(width, height, { type: HalfFloatType, samples, minFilter: LinearFilter, magFilter: LinearFilter });
    made.depthTexture = new DepthTexture(width, height, FloatType);
    made.depthTexture.minFilter = made.depthTexture.magFilter = NearestFilter;
    return made;
}

export class Post {
    // `samples` smooth edges where that is cheap; otherwise a picture that stands still is drawn at twice the size
    constructor(renderer, samples) {
        this.renderer = renderer;
        this.samples = samples;
        this.camera = new OrthographicCamera(-1, 1, 1, -1, 0, 1);
        this.size = new Vector2();
        this.targets = new Map();
        this.occlusion = pass(OCCLUSION, {
            depth: { value: null }, unproject: { value: null }, texel: { value: new Vector2() }, reach: { value: 1 },
            perMeter: { value: 1 },
        });
        this.compose = pass(COMPOSE, {
            color: { value: null }, depth: { value: null }, occlusion: { value: null }, unproject: { value: null },
            texel: { value: new Vector2() }, strength: { value: 0 },
        });
    }

    setTheme(theme) {
        this.compose.uniforms.strength.value = theme.occlusion;
    }

    // `reach` (m): how far away something still takes light from a place
    setReach(reach) {
        this.occlusion.uniforms.reach.value = reach;
    }

    // drops what was made for another size of the window
    resize() {
        for (const { scene, shade } of this.targets.values()) {
            scene.depthTexture.dispose();
            scene.dispose();
            shade.dispose();
        }
        this.targets.clear();
    }

    buffers(scale) {
        if (!this.targets.has(scale)) {
            this.renderer.getDrawingBufferSize(this.size);
            const { x, y } = this.size;
            this.targets.set(scale, {
                scene: target(scale * x, scale * y, scale === 1 ? this.samples : 0),
                shade: new WebGLRenderTarget(Math.ceil((scale * x) / 2), Math.ceil((scale * y) / 2),
                    { format: RedFormat, type: UnsignedByteType, minFilter: LinearFilter, magFilter: LinearFilter }),
            });
        }
        return this.targets.get(scale);
    }

    render(scene, camera) {
        const { renderer } = this;
        const { scene: drawn, shade } = this.buffers(this.samples === 0 ? 2 : 1);
        const { uniforms: occlusion } = this.occlusion, { uniforms: compose } = this.compose;
        occlusion.perMeter.value = 0.5 * drawn.height * camera.projectionMatrix.elements[5];
        compose.color.value = drawn.texture;
        compose.occlusion.value = shade.texture;
        for (const uniforms of [occlusion, compose]) {
            uniforms.depth.value = drawn.depthTexture;
            uniforms.unproject.value = camera.projectionMatrixInverse;
            uniforms.texel.value.set(1 / drawn.width, 1 / drawn.height);
        }
        renderer.setRenderTarget(drawn);
        renderer.clear();
        renderer.render(scene, camera);
        renderer.setRenderTarget(shade);
        renderer.render(this.occlusion.scene, this.camera);
        renderer.setRenderTarget(null);
        renderer.clear();
        renderer.render(this.compose.scene, this.camera);
    }
}

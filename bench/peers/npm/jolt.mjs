// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Jolt with `choice` velocity steps and a fifth as many position steps (10 and 2 are its defaults), on one thread.

import load from "jolt-physics/wasm-compat";

const loaded = load();
const [fixed, moving] = [0, 1];

// one broad-phase layer for what stands and one for what moves; what stands does not touch itself
function makeWorld(Jolt, scene) {
    const settings = new Jolt.JoltSettings();
    const pairs = new Jolt.ObjectLayerPairFilterTable(2), layers = new Jolt.BroadPhaseLayerInterfaceTable(2, 2);
    pairs.EnableCollision(fixed, moving);
    pairs.EnableCollision(moving, moving);
    for (const layer of [fixed, moving]) layers.MapObjectToBroadPhaseLayer(layer, new Jolt.BroadPhaseLayer(layer));
    settings.mObjectLayerPairFilter = pairs;
    settings.mBroadPhaseLayerInterface = layers;
    settings.mObjectVsBroadPhaseLayerFilter = new Jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, pairs, 2);
    settings.mMaxBodies = scene.bodies.length + 16;
    settings.mMaxBodyPairs = settings.mMaxContactConstraints = 64 * settings.mMaxBodies;
    return new Jolt.JoltInterface(settings);
}

function shapeOf(Jolt, body) {
    const [a, b, c] = body.size;
    let about;
    switch (body.shape) {
    case "sphere":
        return new Jolt.SphereShape(a);
    case "capsule": // its axis is y
        about = new Jolt.RotatedTranslatedShapeSettings(new Jolt.Vec3(0, 0, 0),
            new Jolt.Quat(Math.SQRT1_2, 0, 0, Math.SQRT1_2), new Jolt.CapsuleShapeSettings(b, a));
        return about.Create().Get();
    case "box":
        return new Jolt.BoxShape(new Jolt.Vec3(a, b, c), Math.min(0.05, 0.1 * Math.min(a, b, c)));
    case "hull":
        about = new Jolt.ConvexHullShapeSettings();
        for (let i = 0; i < body.points.length; i += 3)
            about.mPoints.push_back(new Jolt.Vec3(...body.points.slice(i, i + 3)));
        return about.Create().Get();
    default:
        return new Jolt.PlaneShape(new Jolt.Plane(new Jolt.Vec3(0, 0, 1), 0), null, 1000);
    }
}

function addBody(Jolt, bodies, body) {
    const moves = body.mass > 0;
    const [w, x, y, z] = body.quaternion;
    const about = new Jolt.BodyCreationSettings(
        body.collides || body.shape !== "half_space" ? shapeOf(Jolt, body) : new Jolt.SphereShape(1),
        new Jolt.RVec3(...body.position), new Jolt.Quat(x, y, z, w),
        moves ? Jolt.EMotionType_Dynamic : Jolt.EMotionType_Static, moves ? moving : fixed);
    about.mFriction = body.mu;
    about.mRestitution = 0;
    about.mAllowSleeping = false;
    about.mLinearDamping = about.mAngularDamping = 0;
    about.mApplyGyroscopicForce = true;
    about.mIsSensor = !body.collides;
    if (moves) {
        about.mLinearVelocity = new Jolt.Vec3(...body.velocity);
        about.mAngularVelocity = new Jolt.Vec3(...body.spin);
        about.mOverrideMassProperties = Jolt.EOverrideMassProperties_MassAndInertiaProvided;
        about.mMassPropertiesOverride.mMass = body.mass;
        about.mMassPropertiesOverride.mInertia = Jolt.Mat44.prototype.sScaleVec3(new Jolt.Vec3(...body.inertia));
    }
    const made = bodies.CreateBody(about);
    bodies.AddBody(made.GetID(), moves ? Jolt.EActivation_Activate : Jolt.EActivation_DontActivate);
    return made;
}

export default async function create(scene, choice) {
    const Jolt = await loaded;
    const jolt = makeWorld(Jolt, scene), system = jolt.GetPhysicsSystem();
    system.SetGravity(new Jolt.Vec3(...scene.gravity));
    const settings = system.GetPhysicsSettings();
    settings.mNumVelocitySteps = choice;
    settings.mNumPositionSteps = Math.round(choice / 5);
    system.SetPhysicsSettings(settings);

    // bodies of jointed scenes touch nothing
    const bodies = scene.bodies.map((body) => addBody(Jolt, system.GetBodyInterface(), body));
    for (const { a, b, at_a, at_b } of scene.joints) {
        const ball = new Jolt.PointConstraintSettings();
        ball.mSpace = Jolt.EConstraintSpace_LocalToBodyCOM;
        ball.mPoint1 = new Jolt.RVec3(...at_a);
        ball.mPoint2 = new Jolt.RVec3(...at_b);
        system.AddConstraint(ball.Create(a < 0 ? jolt.sGetFixedToWorldBody() : bodies[a], bodies[b]));
    }
    system.OptimizeBroadPhase();

    return {
        step: () => jolt.Step(scene.dt, 1),
        read(i, put) {
            const body = bodies[i];
            const p = body.GetCenterOfMassPosition(), at = [p.GetX(), p.GetY(), p.GetZ()];
            const q = body.GetRotation(), turn = [q.GetW(), q.GetX(), q.GetY(), q.GetZ()];
            const v = body.GetLinearVelocity(), speed = [v.GetX(), v.GetY(), v.GetZ()];
            const w = body.GetAngularVelocity();
            put(at, turn, speed, [w.GetX(), w.GetY(), w.GetZ()]);
        },
    };
}

// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// <cairn/cairn.hpp> as a C++ program uses it: a ball falls, is taken back, and meets the ground.
#include <cairn/cairn.hpp>

#include <cmath>
#include <cstdio>

static int failed = 0;

static void expect(bool good, const char* what)
{
    if (!good)
        std::printf("not so: %s\n", what);
    failed += !good;
}

int main()
{
    const double dt = 1.0 / 60.0, g = 9.81;
    cairn::World world;
    cairn::BodyId ground = world.add(cairn::static_body(cairn_shape_half_space(), {0, 0, 0}));
    cairn::BodyDef def = cairn::dynamic_body(cairn_shape_sphere(0.1), {0, 0, 1.35});
    def.def.mass = 2.0;
    cairn::BodyId ball = world.add(def);
    world.call(cairn_world_set_hit_speed, 1.0);

    // free fall, twice from the same snapshot
    cairn::Snapshot start = world.snapshot();
    double heights[2];
    for (double& z : heights) {
        world.restore(start);
        for (int i = 0; i < 24; i++)
            world.step(dt);
        z = world.state(ball).pose.p.z;
    }
    expect(heights[0] == heights[1], "a restored world goes on as before");
    expect(std::fabs(heights[0] - (1.35 - 0.5 * g * 0.16)) < 1e-9, "z = h - g t²/2");

    // the hit, and the weight on the ground afterwards
    int hits = 0;
    double load = 0.0;
    for (int i = 0; i < 60; i++) {
        world.step(dt);
        hits += static_cast<int>(world.hits().size());
    }
    for (const cairn_contact& contact : world.contacts())
        load += std::fabs(contact.impulse.z) / dt;
    expect(hits == 1, "one hit");
    expect(std::fabs(load - 2.0 * g) < 1e-6, "the ground bears m g");

    // queries with a lambda, arrays, errors
    int found = 0;
    world.overlap(cairn_shape_sphere(0.5), cairn_transform_identity(), [&](cairn::BodyId id) {
        found += id == ball || id == ground;
        return true;
    });
    expect(found == 2, "both overlap");
    expect(world.cast_ray({0, 0, 5}, {0, 0, -9}).body == ball, "a ray meets the ball");
    std::vector<double> poses;
    world.poses(poses);
    expect(poses.size() == 14 && poses[9] == world.state(ball).pose.p.z, "poses as an array");
    bool thrown = false;
    world.remove(ball);
    try {
        world.state(ball);
    } catch (const cairn::Error& error) {
        thrown = error.status() == CAIRN_BAD_INPUT;
    }
    expect(thrown, "a stale id throws");
    std::printf("%s\n", failed == 0 ? "the C++ header works" : "the C++ header fails");
    return failed != 0;
}

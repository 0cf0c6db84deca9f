// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The C interface for C++17: objects that end themselves, errors as exceptions, arrays as spans.
// Everything of <cairn/cairn.h> works beside it; World::get() is the C object.
//
//     cairn::World world;
//     cairn::BodyId ball = world.add(cairn::dynamic_body(cairn_shape_sphere(0.1), {0, 0, 2}));
//     world.step(1.0 / 60.0);
//     double z = world.state(ball).pose.p.z;
#ifndef CAIRN_CAIRN_HPP
#define CAIRN_CAIRN_HPP

#include <cairn/cairn.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <vector>

// beside the type, where every namespace finds them
inline bool operator==(cairn_body_id a, cairn_body_id b)
{
    return a.index == b.index && a.generation == b.generation;
}
inline bool operator!=(cairn_body_id a, cairn_body_id b)
{
    return !(a == b);
}

namespace cairn {

using BodyId = cairn_body_id;
using JointId = cairn_joint_id;
using SensorId = cairn_sensor_id;
using Vec3 = cairn_vec3;
using Transform = cairn_transform;

/// What a call of the C interface refused, in its own words.
class Error : public std::runtime_error {
  public:
    Error(cairn_status status, const char* text) : std::runtime_error(text), status_(status) {}
    cairn_status status() const noexcept { return status_; }

  private:
    cairn_status status_;
};

inline void check(cairn_status status, const cairn_error& error)
{
    if (status != CAIRN_OK)
        throw Error(status, error.text);
}

/// Numbers that somebody else owns, such as the world until its next step.
template <class T>
class Span {
  public:
    Span(const T* data, int count) : data_(data), count_(data ? static_cast<std::size_t>(count) : 0)
    {
    }
    const T* begin() const noexcept { return data_; }
    const T* end() const noexcept { return data_ + count_; }
    const T* data() const noexcept { return data_; }
    std::size_t size() const noexcept { return count_; }
    bool empty() const noexcept { return count_ == 0; }
    const T& operator[](std::size_t i) const { return data_[i]; }

  private:
    const T* data_;
    std::size_t count_;
};

/// The definition of a body and its shape, which the definition points at.
struct BodyDef {
    cairn_shape shape;
    cairn_body_def def = cairn_default_body_def();
};

inline BodyDef body(cairn_body_type type, const cairn_shape& shape, Vec3 at)
{
    BodyDef made{shape};
    made.def.type = type;
    made.def.pose.p = at;
    return made;
}
inline BodyDef dynamic_body(const cairn_shape& shape, Vec3 at)
{
    return body(CAIRN_BODY_DYNAMIC, shape, at);
}
inline BodyDef static_body(const cairn_shape& shape, Vec3 at)
{
    return body(CAIRN_BODY_STATIC, shape, at);
}

/// Data of shapes, destroyed with its owner. It must outlive the bodies that use it.
struct Destroy {
    void operator()(cairn_hull* x) const { cairn_hull_destroy(x); }
    void operator()(cairn_mesh* x) const { cairn_mesh_destroy(x); }
    void operator()(cairn_height_field* x) const { cairn_height_field_destroy(x); }
    void operator()(cairn_compound* x) const { cairn_compound_destroy(x); }
    void operator()(cairn_snapshot* x) const { cairn_snapshot_destroy(x); }
    void operator()(cairn_world* x) const { cairn_world_destroy(x); }
};
using Hull = std::unique_ptr<cairn_hull, Destroy>;
using Compound = std::unique_ptr<cairn_compound, Destroy>;
using Snapshot = std::unique_ptr<cairn_snapshot, Destroy>;

inline Hull make_hull(const std::vector<Vec3>& points, double tolerance = 0.0)
{
    cairn_hull* made = nullptr;
    cairn_error error;
    check(cairn_hull_create(points.data(), static_cast<int>(points.size()), tolerance, &made,
                            &error),
          error);
    return Hull(made);
}

/// A world. Calls that are refused throw cairn::Error and change nothing.
class World {
  public:
    explicit World(const cairn_world_def& def = cairn_default_world_def())
    {
        cairn_world* made = nullptr;
        cairn_error error;
        check(cairn_world_create(&def, &made, &error), error);
        world_.reset(made);
    }

    cairn_world* get() noexcept { return world_.get(); }
    const cairn_world* get() const noexcept { return world_.get(); }

    // bodies and joints
    BodyId add(const BodyDef& body)
    {
        BodyId id{};
        cairn_error error;
        cairn_body_def def = body.def;
        def.shape = &body.shape;
        check(cairn_world_add_body(get(), &def, &id, &error), error);
        return id;
    }
    JointId add(const cairn_joint_def& def)
    {
        JointId id{};
        cairn_error error;
        check(cairn_world_add_joint(get(), &def, &id, &error), error);
        return id;
    }
    SensorId add(const cairn_sensor_def& def)
    {
        SensorId id{};
        cairn_error error;
        check(cairn_world_add_sensor(get(), &def, &id, &error), error);
        return id;
    }
    void remove(BodyId id) { call(cairn_world_remove_body, id); }
    void remove(JointId id) { call(cairn_world_remove_joint, id); }

    cairn_body_state state(BodyId id) const
    {
        cairn_body_state state;
        cairn_error error;
        check(cairn_body_get(get(), id, &state, &error), error);
        return state;
    }
    cairn_joint_motion motion(JointId id) const
    {
        cairn_joint_motion motion;
        cairn_error error;
        check(cairn_joint_get_motion(get(), id, &motion, &error), error);
        return motion;
    }

    /// Calls a function of the C interface whose first argument is the world and whose last is the
    /// error: world.call(cairn_body_set_mass, id, 2.0).
    template <class Function, class... Arguments>
    void call(Function function, Arguments... arguments)
    {
        cairn_error error;
        check(function(get(), arguments..., &error), error);
    }

    // time
    cairn_step_report step(double dt)
    {
        cairn_step_report report;
        cairn_error error;
        check(cairn_world_step(get(), dt, &report, &error), error);
        return report;
    }
    Snapshot snapshot() const
    {
        cairn_snapshot* made = nullptr;
        cairn_error error;
        check(cairn_world_snapshot(get(), &made, &error), error);
        return Snapshot(made);
    }
    void restore(const Snapshot& snapshot) { call(cairn_world_restore, snapshot.get()); }

    // what the last step tells; until the next one
    Span<cairn_contact> contacts() const { return list<cairn_contact>(cairn_world_contacts); }
    Span<cairn_hit_event> hits() const { return list<cairn_hit_event>(cairn_world_hits); }
    Span<cairn_break_event> broken() const { return list<cairn_break_event>(cairn_world_broken); }

    /// Poses of all slots, 7 numbers each, into memory that is used again.
    void poses(std::vector<double>& numbers) const
    {
        int count = cairn_world_body_slots(get());
        cairn_error error;
        numbers.resize(7 * static_cast<std::size_t>(count) + 1);
        check(cairn_world_get_poses(get(), numbers.data(), count, &error), error);
        numbers.pop_back();
    }

    /// The first body on origin + t way; the body is none where there is no hit.
    cairn_body_hit cast_ray(Vec3 origin, Vec3 way, std::uint32_t mask = 0xffffffffu) const
    {
        cairn_body_hit hit;
        cairn_error error;
        check(cairn_world_cast_ray(get(), origin, way, mask, &hit, &error), error);
        return hit;
    }

    /// Calls visit(BodyId), which returns whether to go on, for the bodies that overlap a shape.
    template <class Visit>
    void overlap(const cairn_shape& shape, Transform pose, Visit visit,
                 std::uint32_t mask = 0xffffffffu) const
    {
        auto pass = [](void* context, cairn_body_id id) {
            return static_cast<bool>((*static_cast<Visit*>(context))(id));
        };
        cairn_error error;
        check(cairn_world_overlap(get(), &shape, pose, mask, pass, &visit, &error), error);
    }

  private:
    template <class T>
    Span<T> list(const T* (*read)(const cairn_world*, int*)) const
    {
        int count = 0;
        const T* items = read(get(), &count);
        return Span<T>(items, count);
    }

    std::unique_ptr<cairn_world, Destroy> world_;
};

} // namespace cairn

#endif

// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Where shapes touch, how far apart they are, when they will meet, and which of many are close.
// Geometry alone: nothing here knows of masses, velocities' causes or methods. Poses are rigid
// motions with unit quaternions. Nothing in this header allocates unless it says so; functions
// without a handle may be called from any thread. Queries meet nothing, and are infinitely far from
// everything, when a shape is NULL, has a kind that does not exist, lacks its data or has a negative
// size, when a pose is not rigid, or when a number is NaN or beyond 1e40 m.
#ifndef CAIRN_COLLIDE_H
#define CAIRN_COLLIDE_H

#include <cairn/shape.h>

#ifdef __cplusplus
extern "C" {
#endif

// ---------------------------------------------------------------- manifolds

#define CAIRN_MANIFOLD_POINTS 8

/// One point of contact. The point lies midway between the surfaces along the normal: on A at
/// position - gap/2 normal, on B at position + gap/2 normal.
typedef struct cairn_contact_point {
    cairn_vec3 position; ///< m, world
    double gap;          ///< m, along the normal; negative when the shapes overlap
    uint64_t feature;    ///< which vertex, edge or face of A meets which of B
} cairn_contact_point;

/// The points at which two convex pieces touch or are about to.
typedef struct cairn_manifold {
    cairn_vec3 normal;  ///< unit, world, from A to B
    int count;          ///< points; none when the pieces are farther apart than the margin
    int part_a, part_b; ///< part of a compound; of a surface a number of the normal; or 0
    cairn_contact_point points[CAIRN_MANIFOLD_POINTS];
} cairn_manifold;

/// Options of contacts. Start from cairn_default_collide_def().
typedef struct cairn_collide_def {
    double margin;   ///< m: points with a gap up to this are reported; default 0.01
    bool all_points; ///< up to eight points instead of the four that keep area and depth
    double reuse;    ///< a pair that moved less than this times the smaller shape's radius, since
                     ///< it was last computed, keeps its points, which go along with the bodies:
                     ///< gaps are then off by the square of it. Points of round shapes (all but
                     ///< boxes and hulls) roll, and the normal of two edges turns with both
                     ///< bodies: these are kept up to the square of it.
                     ///< Default 1e-3, 0 never reuses
    /// Whether two parts may touch, asked of pairs whose boxes meet if either shape is a compound;
    /// NULL: all may. `context` is passed on.
    bool (*parts_meet)(const void* context, int part_a, int part_b);
    const void* context;
} cairn_collide_def;

/// What cairn_collide does where its def is NULL.
CAIRN_API cairn_collide_def cairn_default_collide_def(void);

/// What a pair of convex shapes remembers between calls; start from zeros. It only saves time: the
/// axis that separated the pair last, and where the pair was when its manifold was computed.
typedef struct cairn_pair_cache {
    cairn_transform a, b;    ///< poses of the last call
    cairn_transform seen;    ///< B seen from A when axes were last searched
    double reach_a, reach_b; ///< m: radii about the frames' origins; 0: not known yet
    double drift;            ///< m: motion since the manifold was computed
    double margin;           ///< m: up to which gap it was
    int axis;                ///< kind of the cached axis; 0: none
    int index_a, index_b;    ///< its features
    bool valid;              ///< `a` and `b` belong to the manifold at hand
    bool of_b;               ///< its normal is that of a face of B, and turns with it
} cairn_pair_cache;

/// The manifold of two convex shapes or of one and a half-space. `cache` may be NULL; when it is
/// not, `manifold` must be what the last call with this cache left there. Returns whether there are
/// points.
CAIRN_API bool cairn_collide_convex(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                                    cairn_transform xb, const cairn_collide_def* def,
                                    cairn_pair_cache* cache, cairn_manifold* manifold);

/// A manifold as it is kept: its points stand with those of the others of its pair.
typedef struct cairn_patch {
    cairn_vec3 normal;      ///< unit, world, from A to B
    int part_a, part_b;     ///< part of a compound; of a surface a number of the normal; or 0
    int first, count;       ///< its points; none when the pieces are farther apart than the margin
    cairn_pair_cache cache; ///< for the next call
} cairn_patch;

/// All manifolds of a pair of any shapes: one for convex pairs, one for each touching pair of parts
/// of compounds, one for each direction in which a surface is touched. Kept by the caller from step
/// to step, zero at first; grows by itself. Clear them before they are used for another pair.
typedef struct cairn_contacts {
    int count, capacity;
    int point_count, point_capacity;
    cairn_patch* patches;        ///< ascending by parts; some may have no points
    cairn_contact_point* points; ///< of all patches
} cairn_contacts;

/// Brings `contacts` up to date. Allocates when the number of manifolds or points grows beyond what
/// it was. Two surfaces (half-spaces, meshes, height fields) never touch each other.
CAIRN_API cairn_status cairn_collide(cairn_contacts* contacts, const cairn_shape* a,
                                     cairn_transform xa, const cairn_shape* b, cairn_transform xb,
                                     const cairn_collide_def* def);
CAIRN_API void cairn_contacts_destroy(cairn_contacts* contacts);

/// Makes room for as many manifolds and points as there are now, at least for `least` manifolds,
/// and gives back the rest.
CAIRN_API void cairn_contacts_fit(cairn_contacts* contacts, int least);

/// Makes room for `count` manifolds with `points` points in all, so that this many need no memory
/// later. CAIRN_NO_MEMORY or CAIRN_OK.
CAIRN_API cairn_status cairn_contacts_reserve(cairn_contacts* contacts, int count, int points);

/// Forgets all manifolds; the room stays.
CAIRN_API void cairn_contacts_clear(cairn_contacts* contacts);

/// Bytes that contacts hold beside their own struct.
CAIRN_API size_t cairn_contacts_memory(const cairn_contacts* contacts);

/// A copy with memory of its own. CAIRN_NO_MEMORY or CAIRN_OK.
CAIRN_API cairn_status cairn_contacts_copy(const cairn_contacts* contacts, cairn_contacts* copy);

// ---------------------------------------------------------------- distance and queries

/// How far apart two shapes are.
typedef struct cairn_gap {
    double gap;                  ///< m; negative: the depth of the overlap
    cairn_vec3 normal;           ///< unit, from A to B; moving B by -gap along it parts the shapes
    cairn_vec3 point_a, point_b; ///< m, world: the closest points, or the deepest
    int part_a, part_b;          ///< part of a compound, triangle of a surface, or 0
} cairn_gap;

/// The closest points of two shapes. Exact to round-off for pairs that are apart. At overlap moving
/// by the depth parts the shapes, all pieces of compounds and surfaces; it is the least depth for
/// polytopes and for a cylinder and a polytope, found by search for two cylinders; for shapes with
/// pieces the least along the normals of all pieces that overlap. Two surfaces give infinity.
CAIRN_API cairn_gap cairn_distance(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                                   cairn_transform xb);

/// Whether two shapes share a point.
CAIRN_API bool cairn_overlap(const cairn_shape* a, cairn_transform xa, const cairn_shape* b,
                             cairn_transform xb);

/// Whether a point lies in a shape (closed meshes: inside them; height fields: below them).
CAIRN_API bool cairn_contains(const cairn_shape* shape, cairn_transform x, cairn_vec3 point);

/// What a ray or a cast shape meets first.
typedef struct cairn_hit {
    double t;          ///< fraction of the way: the point is origin + t way
    cairn_vec3 point;  ///< m, world: on the shape that was hit
    cairn_vec3 normal; ///< unit, outwards from it; zero when the start was inside
    int part;          ///< part of a compound, triangle of a surface, or 0
} cairn_hit;

/// The first point of origin + t way, 0 <= t <= 1, in the shape. A start inside hits at t = 0.
CAIRN_API bool cairn_shape_cast_ray(const cairn_shape* shape, cairn_transform x, cairn_vec3 origin,
                                    cairn_vec3 way, cairn_hit* hit);

/// The first contact of a convex shape that moves from `from` by `way` without turning.
CAIRN_API bool cairn_shape_cast_shape(const cairn_shape* moving, cairn_transform from,
                                      cairn_vec3 way, const cairn_shape* shape, cairn_transform x,
                                      cairn_hit* hit);

// ---------------------------------------------------------------- time of impact

/// A motion from one pose to another over t in [0, 1]: steady along a line, turning at a steady
/// rate by the smaller angle.
typedef struct cairn_sweep {
    cairn_transform from, to;
} cairn_sweep;

/// The pose at t, 0 <= t <= 1.
CAIRN_API cairn_transform cairn_sweep_at(const cairn_sweep* sweep, double t);

/// How a search for the time of impact ended.
typedef enum cairn_impact {
    CAIRN_IMPACT_NONE,    ///< the gap stays above the target
    CAIRN_IMPACT_HIT,     ///< it reaches the target at t
    CAIRN_IMPACT_OVERLAP, ///< it is below the target at t = 0
} cairn_impact;

/// The first t at which the gap of two moving shapes comes down to `target` (m, > 0), to a tenth of
/// it. Never passes through: up to t the gap stays positive.
CAIRN_API cairn_impact cairn_time_of_impact(const cairn_shape* a, const cairn_sweep* ma,
                                            const cairn_shape* b, const cairn_sweep* mb,
                                            double target, double* t);

// ---------------------------------------------------------------- broad phase

/// Who meets whom: i and j can when each one's category is in the other's mask.
typedef struct cairn_filter {
    uint64_t category; ///< default 1
    uint64_t mask;     ///< default all
    int owner;         ///< proxies of the same owner >= 0 (parts of one body) never pair; or -1
    bool fixed;        ///< two fixed proxies never pair
} cairn_filter;

/// Meets everything, and belongs to nobody.
CAIRN_API cairn_filter cairn_default_filter(void);

/// Two proxies whose fat boxes overlap, a < b. `slot` is the same small number for as long as the
/// pair lives, so that the caller can keep its contacts in an array.
typedef struct cairn_pair {
    int a, b;
    int slot;
} cairn_pair;

/// Boxes that move, and the pairs that are close. One thread at a time. All functions that add may
/// allocate; updating allocates only when something grows beyond what it was.
typedef struct cairn_broad cairn_broad;

/// `margin` (m): boxes are kept fatter by this on each side, so that slow ones rarely move.
CAIRN_API cairn_broad* cairn_broad_create(double margin);
CAIRN_API void cairn_broad_destroy(cairn_broad* broad);

/// A copy that goes on exactly as the original would; NULL when there is no memory.
CAIRN_API cairn_broad* cairn_broad_copy(const cairn_broad* broad);

/// Adds a proxy and gives its index, the smallest that is free; -1 when there is no memory.
CAIRN_API int cairn_broad_add(cairn_broad* broad, cairn_aabb box, const cairn_filter* filter);
CAIRN_API void cairn_broad_remove(cairn_broad* broad, int proxy);

/// Tells where a proxy is now, and by how much it will move until the next call (m).
CAIRN_API void cairn_broad_move(cairn_broad* broad, int proxy, cairn_aabb box, cairn_vec3 ahead);

/// CAIRN_NO_MEMORY, which changes nothing, or CAIRN_OK; always the latter where `fixed` stays.
CAIRN_API cairn_status cairn_broad_set_filter(cairn_broad* broad, int proxy,
                                              const cairn_filter* filter);

/// Bytes that it holds.
CAIRN_API size_t cairn_broad_memory(const cairn_broad* broad);

/// The fat box of a proxy.
CAIRN_API cairn_aabb cairn_broad_box(const cairn_broad* broad, int proxy);

/// Keeps two proxies from pairing, or allows it again.
CAIRN_API cairn_status cairn_broad_exclude(cairn_broad* broad, int a, int b, bool excluded);

/// The proxies that are kept from it, ascending by (a, b); valid until the next change. Their slots
/// have no meaning.
CAIRN_API const cairn_pair* cairn_broad_excluded(const cairn_broad* broad, int* count);

/// Brings the pairs up to date with all adds, removes, moves and filters since the last call.
/// CAIRN_NO_MEMORY, which changes no pair, or CAIRN_OK.
CAIRN_API cairn_status cairn_broad_update(cairn_broad* broad);

/// All pairs, ascending by (a, b) whatever the order of calls was; valid until the next update.
CAIRN_API const cairn_pair* cairn_broad_pairs(const cairn_broad* broad, int* count);

/// The pairs that the last update ended, ascending.
CAIRN_API const cairn_pair* cairn_broad_ended(const cairn_broad* broad, int* count);

/// Greatest slot that was given out since slots were numbered afresh, plus one.
CAIRN_API int cairn_broad_slot_count(const cairn_broad* broad);

/// Numbers the slots afresh: that of a pair becomes its place among the pairs. Whoever keeps
/// something by slots moves it along before.
CAIRN_API void cairn_broad_renumber(cairn_broad* broad);

/// Gives back memory that as many proxies and pairs as there are now do not need.
CAIRN_API void cairn_broad_fit(cairn_broad* broad);

/// Called for each proxy whose fat box meets a query; returns false to end the query.
typedef bool (*cairn_broad_visit)(void* context, int proxy);
CAIRN_API void cairn_broad_query(const cairn_broad* broad, cairn_aabb box, cairn_broad_visit visit,
                                 void* context);

/// Called for each proxy that a box swept along a ray may meet, with the fraction that matters so
/// far; returns the new one, smaller when something was hit, negative to end the query.
typedef double (*cairn_broad_visit_ray)(void* context, int proxy, double reach);
CAIRN_API void cairn_broad_ray(const cairn_broad* broad, cairn_vec3 origin, cairn_vec3 way,
                               cairn_vec3 half, cairn_broad_visit_ray visit, void* context);

#ifdef __cplusplus
}
#endif

#endif

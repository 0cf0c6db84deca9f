// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Geoms of MJCF: shapes, what they weigh, and with what they collide.

#include "io/robot/mjcf.h"
#include <string.h>

// a geom while it is read
typedef struct draft {
    mjcf* m;
    xml_element* at;
    const char* inherited;
    const char* type;
    double size[3];
    int size_count;
    bool along; // its ends are given
    double half_length;
    robot_geom geom;
} draft;

// number `i` of the size
static double size_at(draft* d, int i)
{
    if (robot_ok(d->m->r) && (i >= d->size_count || !(d->size[i] > 0.0)))
        robot_fail(d->m->r, d->at, "is a %.20s without number %d of its size, expected one > 0",
                   d->type, i + 1);
    return d->size[i];
}

// ---------------------------------------------------------------- places

// between two points, the z axis from one to the other
static void place_between(draft* d, const char* text)
{
    double x[6] = {0.0};
    robot_numbers(d->m->r, d->at, "fromto", text, x, 6, 6);
    cairn_vec3 from = {x[0], x[1], x[2]}, to = {x[3], x[4], x[5]};
    cairn_vec3 way = cairn_sub(from, to), z = cairn_normalize(way);
    if (robot_ok(d->m->r) && !(cairn_norm(way) > 1e-12))
        robot_fail(d->m->r, d->at, "goes from a point to the same");
    d->along = true;
    d->half_length = 0.5 * cairn_norm(way);
    d->geom.at.p = cairn_scale(0.5, cairn_add(from, to));
    d->geom.at.q = z.z < -1.0 + 1e-12
                       ? (cairn_quat){0.0, 1.0, 0.0, 0.0}
                       : cairn_quat_normalize((cairn_quat){1.0 + z.z, -z.y, z.x, 0.0});
}

static void place(draft* d)
{
    const char* text = mjcf_text(d->m, d->at, d->inherited, "fromto");
    if (text)
        place_between(d, text);
    else
        d->geom.at = mjcf_pose(d->m, d->at, d->inherited);
}

// ---------------------------------------------------------------- shapes

// the mesh of a name among the assets
static xml_element* find_mesh(draft* d, const char* name)
{
    xml_element* root = d->m->r->robot->root;
    for (xml_element* a = xml_child(root, "asset"); a; a = xml_same(a))
        for (xml_element* e = xml_child(a, "mesh"); e; e = xml_same(e)) {
            const char *own = xml_value(e, "name"), *file = xml_value(e, "file");
            const char* base = file ? strrchr(file, '/') : NULL;
            base = base ? base + 1 : file;
            const char* dot = base ? strrchr(base, '.') : NULL;
            if (own ? strcmp(own, name) == 0
                    : dot && strncmp(base, name, (size_t)(dot - base)) == 0 && !name[dot - base])
                return e;
        }
    return NULL;
}

static bool read_mesh(draft* d)
{
    robot_reader* r = d->m->r;
    const char* name = mjcf_text(d->m, d->at, d->inherited, "mesh");
    xml_element* mesh = name ? find_mesh(d, name) : NULL;

    if (!mesh) {
        robot_fail(r, d->at, "is of the mesh '%.60s', which is not among the assets",
                   name ? name : "");
        return false;
    }

    cairn_vec3 scale = mjcf_vec(d->m, mesh, NULL, "scale", cairn_vec(1.0, 1.0, 1.0));
    const char* file = xml_value(mesh, "file");

    if (!file) {
        mesh->taken = false;
        return false;
    }

    return robot_read_mesh(r, mesh, file, d->m->mesh_folder, scale, &d->geom);
}

// sizes by type; false when the geom is passed over
static bool shape(draft* d)
{
    robot_geom* g = &d->geom;
    const char* type = d->type;

    // "fromto" gives the length of long shapes, "size" the other sizes
    if (strcmp(type, "plane") == 0) {
        g->kind = CAIRN_SHAPE_HALF_SPACE;
    } else if (strcmp(type, "sphere") == 0) {
        g->kind = CAIRN_SHAPE_SPHERE;
        g->radius = size_at(d, 0);
    } else if (strcmp(type, "capsule") == 0 || strcmp(type, "cylinder") == 0) {
        g->kind = type[1] == 'a' ? CAIRN_SHAPE_CAPSULE : CAIRN_SHAPE_CYLINDER;
        g->radius = size_at(d, 0);
        g->half_height = d->along ? d->half_length : size_at(d, 1);
    } else if (strcmp(type, "box") == 0 || strcmp(type, "ellipsoid") == 0) {
        double x = size_at(d, 0), y = d->along ? x : size_at(d, 1);
        cairn_vec3 half = {x, y, d->along ? d->half_length : size_at(d, 2)};
        g->kind = type[0] == 'e' ? CAIRN_SHAPE_ELLIPSOID : CAIRN_SHAPE_BOX;
        g->half = half;
    } else if (strcmp(type, "mesh") == 0) {
        return read_mesh(d);
    } else {
        d->at->taken = false; // a height field, or something newer
        if (d->m->r->def->strict)
            robot_fail(d->m->r, d->at, "is a %.20s, which is not read (strict)", type);
        return false;
    }

    return robot_ok(d->m->r);
}

// ---------------------------------------------------------------- mass and contact

// volume, center and inertia at density 1
static bool measure(draft* d, cairn_mass_properties* p)
{
    robot_reader* r = d->m->r;
    cairn_error error = {""};
    cairn_shape s;
    cairn_hull* hull = NULL;
    if (!robot_shape(r, &d->geom, d->at, &s, &hull))
        return false;
    cairn_status status = cairn_shape_mass(&s, p, &error);
    if (status != CAIRN_OK)
        robot_blame(r, d->at, status, &error);
    cairn_hull_destroy(hull);
    return status == CAIRN_OK;
}

static void weigh(draft* d, int link)
{
    cairn_mass_properties p;
    double density = mjcf_real(d->m, d->at, d->inherited, "density", 1000.0);
    double mass = mjcf_real(d->m, d->at, d->inherited, "mass", -1.0);
    if (d->geom.kind == CAIRN_SHAPE_HALF_SPACE || !robot_ok(d->m->r) || !measure(d, &p))
        return;
    if (mass < 0.0)
        mass = density * p.volume;
    cairn_transform x = d->geom.at;
    cairn_mat3 R = cairn_quat_to_mat3(x.q);
    cairn_mat3 I = cairn_mat3_scale(mass / p.volume, p.inertia);
    I = cairn_mat3_multiply(R, cairn_mat3_multiply(I, cairn_mat3_transpose(R)));
    robot_add_mass(&d->m->r->robot->links[link], mass, cairn_transform_point(x, p.center), I);
}

static uint32_t bits(draft* d, const char* name)
{
    double x = mjcf_real(d->m, d->at, d->inherited, name, 1.0);
    if (robot_ok(d->m->r) && !(x >= 0.0 && x <= 2147483647.0))
        robot_fail(d->m->r, d->at, "has %s=\"%g\", expected bits of 0 to 2147483647", name, x);
    return robot_ok(d->m->r) ? (uint32_t)x : 0;
}

static void set_contact(draft* d)
{
    robot_geom* g = &d->geom;
    double friction[3] = {1.0, 0.005, 0.0001};
    const char* text = mjcf_text(d->m, d->at, d->inherited, "friction");
    if (text)
        robot_numbers(d->m->r, d->at, "friction", text, friction, 1, 3);
    double condim = mjcf_real(d->m, d->at, d->inherited, "condim", 3.0);
    g->type = bits(d, "contype");
    g->affinity = bits(d, "conaffinity");
    g->collides = g->type != 0 || g->affinity != 0;
    g->mu = condim >= 3.0 ? fmax(friction[0], 0.0) : 0.0;
    g->mu_spin = condim >= 4.0 ? fmax(friction[1], 0.0) : 0.0;
}

void mjcf_read_geom(mjcf* m, xml_element* at, const char* inherited, int link, bool weighs)
{
    static const char* const eye[] = {"name", "rgba", "material", "group", "class"};
    draft d = {.m = m, .at = at, .inherited = inherited};

    // what only a viewer needs
    for (size_t i = 0; i < sizeof eye / sizeof eye[0]; i++)
        xml_value(at, eye[i]);

    const char* type = mjcf_text(m, at, inherited, "type");
    const char* size = mjcf_text(m, at, inherited, "size");
    d.type = type ? type : xml_value(at, "mesh") ? "mesh" : "sphere";
    if (size)
        d.size_count = robot_numbers(m->r, at, "size", size, d.size, 1, 3);

    place(&d);
    d.geom.at = mjcf_in_link(m, link, d.geom.at);
    if (!robot_ok(m->r) || !shape(&d))
        return;

    set_contact(&d);

    // the mass is of the shape unless the body has its own
    mjcf_text(m, at, inherited, "density");
    mjcf_text(m, at, inherited, "mass");
    if (weighs)
        weigh(&d, link);

    robot_geom* added = robot_ok(m->r) ? robot_add_geom(m->r, link) : NULL;
    if (!added)
        return;
    d.geom.link = link;
    d.geom.name = xml_value(at, "name");
    *added = d.geom;
}

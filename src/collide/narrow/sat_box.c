// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Separating axes of two boxes (Gottschalk, Lin, Manocha 1996): three face normals each and nine
// cross products, all from R, |R| and the offset t of the centers. With half sides g and h,
//
//     faces of A:  |t_i| - g_i - Σ_j |R_ij| h_j
//     faces of B:  |t·R_j| - h_j - Σ_i |R_ij| g_i
//     edges i, j:  (|t·(x_i x R_j)| - Σ) / |x_i x R_j|

#include "collide/narrow/sat.h"
#include <float.h>

typedef struct boxes {
    double R[3][3], Q[3][3]; // rotation and its absolute values: [row][column]
    double t[3], g[3], h[3];
} boxes;

static void unpack(boxes* b, const cairn_placed* p)
{
    const cairn_vec3 c[3] = {p->R.cx, p->R.cy, p->R.cz};
    for (int j = 0; j < 3; j++) {
        b->R[0][j] = c[j].x;
        b->R[1][j] = c[j].y;
        b->R[2][j] = c[j].z;
    }

    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            b->Q[i][j] = fabs(b->R[i][j]);

    b->t[0] = p->t.x, b->t[1] = p->t.y, b->t[2] = p->t.z;
    b->g[0] = p->a->half.x, b->g[1] = p->a->half.y, b->g[2] = p->a->half.z;
    b->h[0] = p->b->half.x, b->h[1] = p->b->half.y, b->h[2] = p->b->half.z;
}

static cairn_vec3 unit(int axis, double sign)
{
    return cairn_vec(axis == 0 ? sign : 0.0, axis == 1 ? sign : 0.0, axis == 2 ? sign : 0.0);
}

static cairn_vec3 column(const boxes* b, int j, double sign)
{
    return cairn_vec(sign * b->R[0][j], sign * b->R[1][j], sign * b->R[2][j]);
}

static cairn_axis faces_of_a(const boxes* b)
{
    cairn_axis best = {.separation = -DBL_MAX, .kind = CAIRN_AXIS_FACE_A, .b = -1};
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        double reach = b->Q[i][0] * b->h[0] + b->Q[i][1] * b->h[1] + b->Q[i][2] * b->h[2];
        double s = fabs(b->t[i]) - b->g[i] - reach;
        if (s > best.separation) {
            best.separation = s;
            axis = i;
        }
    }

    double sign = b->t[axis] < 0.0 ? -1.0 : 1.0;
    best.a = 2 * axis + (sign > 0.0);
    best.normal = unit(axis, sign);
    return best;
}

static cairn_axis faces_of_b(const boxes* b)
{
    cairn_axis best = {.separation = -DBL_MAX, .kind = CAIRN_AXIS_FACE_B, .a = -1};
    int axis = 0;
    double sign = 1.0;
    for (int j = 0; j < 3; j++) {
        double along = b->t[0] * b->R[0][j] + b->t[1] * b->R[1][j] + b->t[2] * b->R[2][j];
        double reach = b->Q[0][j] * b->g[0] + b->Q[1][j] * b->g[1] + b->Q[2][j] * b->g[2];
        double s = fabs(along) - b->h[j] - reach;
        if (s > best.separation) {
            best.separation = s;
            axis = j;
            sign = along < 0.0 ? -1.0 : 1.0;
        }
    }

    // the face of B looks back at A
    best.b = 2 * axis + (sign < 0.0);
    best.normal = column(b, axis, sign);
    return best;
}

// whole edges by axis and the signs of the two other coordinates
static const int edge_along[3][4] = {{8, 11, 9, 10}, {3, 4, 1, 6}, {0, 7, 2, 5}};

// the edge of a box along `axis` that lies farthest along d
static int support_edge(int axis, const double* d)
{
    int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    return edge_along[axis][(d[u] > 0.0 ? 1 : 0) + (d[v] > 0.0 ? 2 : 0)];
}

static void name_edges(cairn_axis* best, const boxes* b, int i, int j)
{
    const double x[3] = {best->normal.x, best->normal.y, best->normal.z};
    double y[3];
    for (int k = 0; k < 3; k++)
        y[k] = -(b->R[0][k] * x[0] + b->R[1][k] * x[1] + b->R[2][k] * x[2]);
    best->a = support_edge(i, x);
    best->b = support_edge(j, y);
}

static cairn_axis edges_of_both(const boxes* b)
{
    cairn_axis best = {.separation = -DBL_MAX};
    int bi = -1, bj = -1;
    double best_along = 0.0;

    for (int i = 0; i < 3; i++) {
        int u = (i + 1) % 3, v = (i + 2) % 3;
        for (int j = 0; j < 3; j++) {
            double length2 = b->R[u][j] * b->R[u][j] + b->R[v][j] * b->R[v][j];
            if (length2 < 1e-12)
                continue;

            // the projections of both boxes on the axis e_i x f_j, which has the length of the sine
            int k = (j + 1) % 3, l = (j + 2) % 3;
            double along = b->t[v] * b->R[u][j] - b->t[u] * b->R[v][j];
            double reach = b->g[u] * b->Q[v][j] + b->g[v] * b->Q[u][j] + b->h[k] * b->Q[i][l] +
                           b->h[l] * b->Q[i][k];
            double s = fabs(along) - reach;

            // compare before the root: s / length > best
            if (s * fabs(s) <= best.separation * fabs(best.separation) * length2 && bi >= 0)
                continue;

            best.separation = s / sqrt(length2);
            best_along = along;
            bi = i;
            bj = j;
        }
    }

    if (bi < 0)
        return best;

    best.kind = CAIRN_AXIS_EDGES;
    best.normal =
        cairn_normalize(cairn_cross(unit(bi, best_along < 0.0 ? -1.0 : 1.0), column(b, bj, 1.0)));
    name_edges(&best, b, bi, bj);
    return best;
}

void cairn_sat_boxes(cairn_axes* axes, const cairn_placed* p, double beyond)
{
    boxes b;
    unpack(&b, p);
    axes->face_b.separation = axes->edges.separation = -DBL_MAX;
    axes->face_b.kind = axes->edges.kind = CAIRN_AXIS_NONE;
    axes->face_a = faces_of_a(&b);
    if (axes->face_a.separation > beyond)
        return;
    axes->face_b = faces_of_b(&b);
    if (axes->face_b.separation > beyond)
        return;
    axes->edges = edges_of_both(&b);
}

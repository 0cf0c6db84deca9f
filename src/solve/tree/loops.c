// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Nets of joints: graph, rows and the factor of K; see loops.h. The solve is loops_solve.c.

#include "solve/tree/loops.h"
#include "solve/tree/loops_rows.h"
#include <stdlib.h>
#include <string.h>

// The ladder of factors. Round-off spoils K by its size over ε; a direction with an eigenvalue
// σ < ε of D^-1 A is not solved well. The finer ones are for these.
static const struct {
    cairn_front_precision precision;
    double shift;
} ladder[CAIRN_LOOPS_LEVELS] = {
    {CAIRN_FRONT_SINGLE, 1e-5}, {CAIRN_FRONT_DOUBLE, 1e-9}, {CAIRN_FRONT_DOUBLE, 1e-13}};

// Between heavy bodies and a lighter one σ falls to the ratio of their masses: single precision is
// not tried below this.
static const double least_ratio = 1e-3;

// the second side of a joint of a body with itself
enum { same_body = -2 };

// ---------------------------------------------------------------- graph

// an edge of the graph, i > j
typedef struct edge {
    int i, j;
} edge;

static int compare_edges(const void* x, const void* y)
{
    const edge *a = x, *b = y;
    return a->i != b->i ? (a->i > b->i) - (a->i < b->i) : (a->j > b->j) - (a->j < b->j);
}

// The lower triangle of K by rows: edges without repetition, and the diagonal at the end of a row.
static int list_blocks(int* begin, int* column, edge* edges, int edge_count, int n)
{
    int count = 0, e = 0;
    qsort(edges, (size_t)edge_count, sizeof *edges, compare_edges);
    for (int i = 0; i < n; i++) {
        begin[i] = count;
        for (; e < edge_count && edges[e].i == i; e++)
            if (count == begin[i] || column[count - 1] != edges[e].j)
                column[count++] = edges[e].j;
        column[count++] = i;
    }
    begin[n] = count;
    return count;
}

// the block (i, j) of a row, by bisection
static int find_block(const int* begin, const int* column, int i, int j)
{
    int lo = begin[i], hi = begin[i + 1] - 1;
    while (lo < hi) {
        int middle = lo + (hi - lo) / 2;
        if (column[middle] < j)
            lo = middle + 1;
        else
            hi = middle;
    }
    return lo;
}

static void find_slots(cairn_loops* loops, const int* begin, const int* column)
{
    for (int i = 0; i < loops->body_count; i++)
        loops->diagonal_block[i] = begin[i + 1] - 1;
    for (int k = 0; k < loops->joint_count; k++) {
        int a = loops->side[k][0], b = loops->side[k][1];
        loops->slot[k][0] = a >= 0 ? begin[a + 1] - 1 : -1;
        loops->slot[k][1] = b >= 0 ? begin[b + 1] - 1 : -1;
        loops->slot[k][2] =
            a >= 0 && b >= 0 ? find_block(begin, column, a > b ? a : b, a > b ? b : a) : -1;
    }
}

// copies the joints; a joint of a body with itself has one side
static void copy_joints(cairn_loops* loops, const cairn_tree_constraint* joints)
{
    int rows = 0;
    for (int k = 0; k < loops->joint_count; k++) {
        int a = joints[k].body_a, b = joints[k].body_b;
        loops->side[k][0] = a;
        loops->side[k][1] = a == b ? same_body : b;
        loops->row_begin[k] = rows;
        rows += joints[k].row_count;
    }
    loops->row_begin[loops->joint_count] = rows;
}

static cairn_status analyze(cairn_loops* loops, cairn_arena* arena, cairn_arena* scratch)
{
    int n = loops->body_count, count = 0;
    int* begin = CAIRN_TAKE(scratch, int, n + 1);
    int* column = CAIRN_TAKE(scratch, int, n + loops->joint_count);
    edge* edges = CAIRN_TAKE(scratch, edge, loops->joint_count);
    if (scratch->failed)
        return CAIRN_NO_MEMORY;

    for (int k = 0; k < loops->joint_count; k++) {
        int a = loops->side[k][0], b = loops->side[k][1];
        if (a >= 0 && b >= 0)
            edges[count++] = (edge){a > b ? a : b, a > b ? b : a};
    }

    loops->block_count = list_blocks(begin, column, edges, count, n);
    find_slots(loops, begin, column);
    return cairn_front_cholesky_prepare(&loops->chol, n, begin, column, arena, scratch,
                                        loops->def.stop);
}

static bool take_numbers(cairn_loops* loops, cairn_arena* arena)
{
    ptrdiff_t rows = loops->row_count, bodies = 6 * (ptrdiff_t)loops->body_count;
    ptrdiff_t blocks = CAIRN_CHOLESKY_BLOCK * (ptrdiff_t)loops->block_count;
    loops->blocks = CAIRN_TAKE(arena, double, blocks);
    loops->body = CAIRN_TAKE(arena, cairn_body_factor, loops->body_count);
    loops->rows = CAIRN_TAKE_ZEROED(arena, cairn_row, rows);
    loops->old_rows = CAIRN_TAKE_ZEROED(arena, cairn_row, rows);
    double** of_rows[] = {&loops->compliance, &loops->diagonal, &loops->weight,
                          &loops->W,          &loops->r,        &loops->p,
                          &loops->q,          &loops->z,        &loops->best};
    double** of_bodies[] = {&loops->free, &loops->y, &loops->step, &loops->change, &loops->solved};
    for (size_t i = 0; i < sizeof of_rows / sizeof of_rows[0]; i++)
        *of_rows[i] = CAIRN_TAKE_ZEROED(arena, double, rows);
    for (size_t i = 0; i < sizeof of_bodies / sizeof of_bodies[0]; i++)
        *of_bodies[i] = CAIRN_TAKE_ZEROED(arena, double, bodies);
    return !arena->failed;
}

cairn_status cairn_loops_prepare(cairn_loops* loops, int body_count,
                                 const cairn_tree_constraint* joints, int joint_count,
                                 const cairn_loops_def* def, cairn_arena* arena)
{
    *loops = (cairn_loops){.def = *def, .body_count = body_count, .joint_count = joint_count};
    loops->side = cairn_arena_take(arena, (size_t)joint_count * sizeof *loops->side);
    loops->slot = cairn_arena_take(arena, (size_t)joint_count * sizeof *loops->slot);
    loops->row_begin = CAIRN_TAKE(arena, int, joint_count + 1);
    loops->diagonal_block = CAIRN_TAKE(arena, int, body_count);
    if (arena->failed)
        return CAIRN_NO_MEMORY;

    copy_joints(loops, joints);
    loops->row_count = loops->row_begin[joint_count];
    cairn_arena scratch = {0};
    cairn_status status = analyze(loops, arena, &scratch);
    cairn_arena_destroy(&scratch);
    if (status != CAIRN_OK)
        return status;
    return take_numbers(loops, arena) ? CAIRN_OK : CAIRN_NO_MEMORY;
}

cairn_status cairn_loops_create(cairn_loops** loops, int body_count,
                                const cairn_tree_constraint* joints, int joint_count,
                                const cairn_loops_def* def)
{
    cairn_arena own = {0};
    *loops = NULL;
    cairn_loops* made = calloc(1, sizeof *made);
    if (!made)
        return CAIRN_NO_MEMORY;

    cairn_status status = cairn_loops_prepare(made, body_count, joints, joint_count, def, &own);
    if (status != CAIRN_OK) {
        cairn_arena_destroy(&own);
        free(made);
        return status;
    }

    made->own = own;
    *loops = made;
    return CAIRN_OK;
}

void cairn_loops_destroy(cairn_loops* loops)
{
    if (!loops)
        return;
    cairn_arena_destroy(&loops->own);
    free(loops);
}

void cairn_loops_forget(cairn_loops* loops, const cairn_loops_def* def)
{
    loops->def = *def;
    loops->chol.stop = def->stop;
    loops->is_factored = loops->is_fresh = false;
    loops->failures = loops->distrust = 0;
    loops->needed = CAIRN_LOOPS_SINGLE;
}

// ---------------------------------------------------------------- rows

// j G^-T of one half of a row
static void scale_half(double* to, const double* j, const cairn_body_factor* body)
{
    cairn_vec3 turn = cairn_mat3_apply_transposed(body->S, cairn_vec(j[3], j[4], j[5]));
    for (int i = 0; i < 3; i++)
        to[i] = body->inverse_root_mass * j[i];
    to[3] = turn.x;
    to[4] = turn.y;
    to[5] = turn.z;
}

void cairn_loops_load(cairn_loops* loops, const cairn_mass* bodies, const cairn_row* rows,
                      const double* compliance)
{
    // what was factored stays: its rows become the old ones
    if (loops->is_fresh) {
        cairn_row* kept = loops->old_rows;
        loops->old_rows = loops->rows;
        loops->rows = kept;
        loops->is_fresh = false;
    }

    // rows times the square roots of the inverse masses, so that masses become 1
    for (int i = 0; i < loops->body_count; i++)
        loops->body[i] = bodies ? cairn_factor_body(&bodies[i])
                                : (cairn_body_factor){1.0, cairn_mat3_diagonal(1.0, 1.0, 1.0)};
    for (int k = 0; k < loops->joint_count; k++) {
        int a = loops->side[k][0], b = loops->side[k][1];
        for (int i = loops->row_begin[k]; i < loops->row_begin[k + 1]; i++) {
            cairn_row* to = &loops->rows[i];
            *to = (cairn_row){0};
            if (a >= 0)
                scale_half(to->a, rows[i].a, &loops->body[a]);
            if (b >= 0)
                scale_half(to->b, rows[i].b, &loops->body[b]);

            // a joint within one body acts on it by the sum of both sides
            if (b == same_body) {
                double both[6];
                for (int m = 0; m < 6; m++)
                    both[m] = rows[i].a[m] + rows[i].b[m];
                scale_half(to->a, both, &loops->body[a]);
            }

            loops->compliance[i] = compliance ? compliance[i] : 0.0;
            loops->diagonal[i] = dot6(to->a, to->a) + dot6(to->b, to->b);
            double size = loops->diagonal[i] + loops->compliance[i];
            loops->weight[i] = size > 0.0 ? 1.0 / size : 0.0;
        }
    }
}

// ---------------------------------------------------------------- the factor of K

// the least share that the heavier side of a joint has in A_ii
static double least_share(const cairn_loops* loops)
{
    double least = 1.0;
    for (int k = 0; k < loops->joint_count; k++) {
        if (loops->side[k][0] < 0 || loops->side[k][1] < 0)
            continue;
        double a = 0.0, b = 0.0;
        for (int i = loops->row_begin[k]; i < loops->row_begin[k + 1]; i++) {
            a += dot6(loops->rows[i].a, loops->rows[i].a);
            b += dot6(loops->rows[i].b, loops->rows[i].b);
        }
        least = fmin(least, 2.0 * fmin(a, b) / (a + b));
    }
    return least;
}

// K += w x y^T
static void add_product(double* K, double w, const double* x, const double* y)
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            K[6 * i + j] += w * x[i] * y[j];
}

// W for a shift ε, and the blocks of K
static void form_blocks(cairn_loops* loops, double shift)
{
    memset(loops->blocks, 0,
           (size_t)CAIRN_CHOLESKY_BLOCK * (size_t)loops->block_count * sizeof(double));

    // K = 1 + Σ w Ĵ^T Ĵ
    for (int i = 0; i < loops->body_count; i++)
        for (int r = 0; r < 6; r++)
            loops->blocks[CAIRN_CHOLESKY_BLOCK * (ptrdiff_t)loops->diagonal_block[i] + 7 * r] = 1.0;

    for (int k = 0; k < loops->joint_count; k++) {
        bool a_is_later = loops->side[k][0] > loops->side[k][1];
        double* block[3];
        for (int s = 0; s < 3; s++)
            block[s] = loops->blocks + CAIRN_CHOLESKY_BLOCK * (ptrdiff_t)loops->slot[k][s];
        for (int i = loops->row_begin[k]; i < loops->row_begin[k + 1]; i++) {
            const cairn_row* row = &loops->rows[i];
            double size = loops->compliance[i] + shift * loops->diagonal[i];
            double w = loops->W[i] = size > 0.0 ? 1.0 / size : 0.0;
            if (loops->slot[k][0] >= 0)
                add_product(block[0], w, row->a, row->a);
            if (loops->slot[k][1] >= 0)
                add_product(block[1], w, row->b, row->b);
            if (loops->slot[k][2] >= 0)
                add_product(block[2], w, a_is_later ? row->a : row->b,
                            a_is_later ? row->b : row->a);
        }
    }
}

double cairn_loops_shift(const cairn_loops* loops, int level)
{
    return fmax(ladder[level].shift, loops->def.redundancy);
}

bool cairn_loops_factor_at(cairn_loops* loops, int level)
{
    loops->level = level;
    loops->shift = cairn_loops_shift(loops, level);
    form_blocks(loops, loops->shift);
    loops->is_factored = loops->is_fresh =
        cairn_front_cholesky_factor(&loops->chol, loops->blocks, ladder[level].precision);
    return loops->is_fresh;
}

bool cairn_loops_factor(cairn_loops* loops)
{
    bool tame = !loops->def.exact && loops->needed == CAIRN_LOOPS_SINGLE &&
                least_share(loops) >= least_ratio;
    return (tame && cairn_loops_factor_at(loops, CAIRN_LOOPS_SINGLE)) ||
           cairn_loops_factor_at(loops, CAIRN_LOOPS_DOUBLE);
}

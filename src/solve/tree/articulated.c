// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Sweeps of block Gauss-Seidel over contacts, limits and motors of jointed bodies, with the joints
// of a forest eliminated. Each tree is factored once, from its leaves to the root; then outwards
// for what an impulse on a limb does to itself by way of all others,
//
//     Φ_ii = N_i + T_i Φ_pp T_i^T,     v_i = N_i f_i + T_i v_p      (p the parent).
//
// A sweep needs the true velocity of one limb at a time. From a limb to its parent and back it is
// carried by three products with 6x6 matrices:
//
//     inwards    v_p += Φ_pp T_i^T f,     f the impulses that the branch of i has been given since
//     outwards   v_i += T_i (v_p - v_p as i has seen it)
//
// so that blocks that are visited branch by branch cost constant time each, whatever the size of
// the tree. Joints that close loops are swept as well. Sweeps follow conjugate directions; see
// solve/sweep/cluster_solve.c.
//
// Not for pyramids, boxes and laws of the user's own: their local problems are not cones.

#include "solve/tree/articulated.h"
#include "problem/mass.h"
#include <math.h>
#include <string.h>

enum { most_rows = 6, most_swept = 6 };
static const double held_share = 1e-10; // of A_cc: what W_cc is of a contact that cannot give

// ---------------------------------------------------------------- the forest

static bool is_equality(const cairn_block* block)
{
    return block->kind == CAIRN_BLOCK_JOINT || block->kind == CAIRN_BLOCK_VELOCITY;
}

// a joint that does not yield
static bool is_rigid(const cairn_problem* problem, const cairn_block* block)
{
    return is_equality(block) && !(problem->compliance && problem->compliance[block->row] > 0.0);
}

static bool moves(const cairn_problem* problem, int body)
{
    return body != CAIRN_WORLD_BODY && cairn_mass_moves(&problem->bodies[body]);
}

// joints by body, for the walk over the graph
typedef struct graph {
    int *begin, *block; // of each body: the blocks of its joints
    bool* used;         // of each block: it belongs to the forest
} graph;

static bool list_joints(graph* joints, const cairn_problem* problem, cairn_arena* arena)
{
    joints->begin = CAIRN_TAKE_ZEROED(arena, int, problem->body_count + 2);
    joints->used = CAIRN_TAKE_ZEROED(arena, bool, problem->block_count);
    joints->block = CAIRN_TAKE(arena, int, 2 * (size_t)problem->block_count);
    if (arena->failed)
        return false;

    // counting sort: the first pass counts the joints of each body, the second writes them
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < problem->block_count; c++) {
            const cairn_block* block = &problem->blocks[c];
            const int sides[2] = {block->body_a, block->body_b};
            for (int s = 0; s < 2 && is_equality(block); s++) {
                if (!moves(problem, sides[s]))
                    continue;
                if (pass == 0)
                    joints->begin[sides[s] + 2]++;
                else
                    joints->block[joints->begin[sides[s] + 1]++] = c;
            }
        }
        for (int i = 0; i < problem->body_count && pass == 0; i++)
            joints->begin[i + 2] += joints->begin[i + 1];
    }

    return true;
}

// x·M^-1 y of the halves of two rows on a body
static double product(const cairn_mass* mass, const double* x, const double* y)
{
    cairn_vec3 turn = cairn_mat3_apply(mass->inverse_inertia, cairn_vec(y[3], y[4], y[5]));
    return mass->inverse_mass * (x[0] * y[0] + x[1] * y[1] + x[2] * y[2]) + x[3] * turn.x +
           x[4] * turn.y + x[5] * turn.z;
}

// the half of a row of the problem on a body, which is one of its two
static const double* half(const cairn_problem* problem, int row, bool is_b)
{
    return is_b ? problem->rows[row].b : problem->rows[row].a;
}

// Whether the last of the halves of rows on a body depends on the others: Gram and Schmidt leave
// nothing of it
static bool repeats(const cairn_mass* mass, const double* const* halves, int count)
{
    const double nothing = 1e-10; // of its square
    double basis[most_rows + 1][6], square[most_rows + 1], whole = 0.0;
    if (count > most_rows)
        return true;

    for (int k = 0; k < count; k++) {
        memcpy(basis[k], halves[k], sizeof basis[k]);
        whole = product(mass, basis[k], basis[k]);
        for (int j = 0; j < k; j++) {
            double share = square[j] > 0.0 ? product(mass, basis[k], basis[j]) / square[j] : 0.0;
            for (int i = 0; i < 6; i++)
                basis[k][i] -= share * basis[j][i];
        }
        square[k] = product(mass, basis[k], basis[k]);
    }
    return square[count - 1] <= nothing * whole;
}

// adds the rows of a block to the joint between a limb and what holds it, but for those that it has
static void add_rows(cairn_articulated* all, cairn_limb* limb, const cairn_block* block)
{
    const cairn_problem* problem = all->problem;
    bool alone = limb->row_count == 0, is_b = block->body_b == limb->body;
    const double* halves[most_rows + 1];
    for (int r = block->row; r < block->row + block->row_count; r++) {
        int count = limb->row_count;
        for (int k = 0; k < count; k++)
            halves[k] = half(problem, limb->row[k], limb->is_b[k]);
        halves[count] = half(problem, r, is_b);
        bool soft = problem->compliance && problem->compliance[r] > 0.0;
        if (!alone && !soft && repeats(&problem->bodies[limb->body], halves, count + 1)) {
            all->repeated[all->repeated_count++] = r;
            continue;
        }
        limb->row[limb->row_count] = r;
        limb->is_b[limb->row_count++] = is_b;
    }
}

static int other_side(const cairn_problem* problem, const cairn_block* block, int body)
{
    int other = block->body_a == body ? block->body_b : block->body_a;
    return moves(problem, other) ? other : CAIRN_WORLD_BODY;
}

// joins what stands beside each other between a limb and its parent (or the world): a joint and its
// spring are one, and so are two joints that hold a plank at its two ends
static void take_joint(cairn_articulated* all, graph* joints, cairn_limb* limb, int holder)
{
    const cairn_problem* problem = all->problem;
    for (int k = joints->begin[limb->body]; k < joints->begin[limb->body + 1]; k++) {
        const cairn_block* block = &problem->blocks[joints->block[k]];
        bool soft = problem->compliance && problem->compliance[block->row] > 0.0;
        int most = soft || limb->row_count == 0 ? most_rows - block->row_count : most_rows;
        if (joints->used[joints->block[k]] || other_side(problem, block, limb->body) != holder ||
            block->body_a == block->body_b || limb->row_count > most)
            continue;
        add_rows(all, limb, block);
        joints->used[joints->block[k]] = true;
    }
}

static void grow(cairn_articulated* all, graph* joints, int* stack, int root)
{
    const cairn_problem* problem = all->problem;
    int count = 0;

    stack[count++] = root;
    all->limb_of[root] = -2 - all->limb_count; // waits, without a parent
    while (count > 0) {
        int body = stack[--count];
        if (all->limb_of[body] >= 0)
            continue;
        int parent = -2 - all->limb_of[body], index = all->limb_count++;
        bool is_root = parent == index;

        cairn_limb* limb = &all->limbs[index];
        *limb = (cairn_limb){.parent = is_root ? -1 : parent,
                             .depth = is_root ? 0 : all->limbs[parent].depth + 1,
                             .tree = all->tree_count,
                             .body = body};

        all->limb_of[body] = index;
        take_joint(all, joints, limb, is_root ? CAIRN_WORLD_BODY : all->limbs[parent].body);

        // children, the last one first
        for (int k = joints->begin[body]; k < joints->begin[body + 1]; k++) {
            int other = other_side(problem, &problem->blocks[joints->block[k]], body);
            if (joints->used[joints->block[k]] || other < 0 || all->limb_of[other] >= 0)
                continue;
            all->limb_of[other] = -2 - index;
            stack[count++] = other;
        }
    }

    all->tree_count++;
}

static bool grow_all(cairn_articulated* all, graph* joints, cairn_arena* arena)
{
    const cairn_problem* problem = all->problem;
    int* stack = CAIRN_TAKE(arena, int, 2 * (size_t)problem->block_count + 1);
    if (!stack)
        return false;
    for (int i = 0; i < problem->body_count; i++)
        all->limb_of[i] = -1;

    // what is held by the world is a root, the others begin where most joints meet
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < problem->body_count; i++) {
            bool held = false;
            for (int k = joints->begin[i]; k < joints->begin[i + 1]; k++)
                held = held || other_side(problem, &problem->blocks[joints->block[k]], i) < 0;
            if (moves(problem, i) && all->limb_of[i] < 0 && (held || pass == 1))
                grow(all, joints, stack, i);
        }
    return true;
}

// ---------------------------------------------------------------- the grips

static bool friction_rows(cairn_grip* grip, double* mu, const cairn_block* block)
{
    const cairn_friction* friction = &block->friction;

    mu[0] = 1.0;
    for (int k = 0; k < 3; k++)
        mu[1 + k] = friction->mu[k];

    switch (friction->kind) {
    case CAIRN_FRICTION_NONE:
        mu[1] = mu[2] = mu[3] = 0.0;
        break;
    case CAIRN_FRICTION_CONE:
        mu[2] = mu[1];
        break;
    case CAIRN_FRICTION_ELLIPSE:
    case CAIRN_FRICTION_ELLIPSOID:
        break;
    default:
        return false;
    }

    // spin needs the ellipsoid's third radius
    if (block->row_count == 4 && friction->kind != CAIRN_FRICTION_ELLIPSOID)
        return false;

    for (int r = 1; r < block->row_count; r++)
        if (mu[r] > 0.0)
            grip->slip[grip->slip_count++] = r;
    return true;
}

// mean diagonal of A_cc of the bodies by themselves
static double mean_diagonal(const cairn_problem* problem, const cairn_block* block, int row, int n)
{
    double sum = 0.0;
    const int sides[2] = {block->body_a, block->body_b};
    for (int r = row; r < row + n; r++)
        for (int s = 0; s < 2; s++) {
            if (!moves(problem, sides[s]))
                continue;
            const cairn_mass* mass = &problem->bodies[sides[s]];
            const double* j = s ? problem->rows[r].b : problem->rows[r].a;
            cairn_vec3 linear = cairn_vec(j[0], j[1], j[2]), turn = cairn_vec(j[3], j[4], j[5]);
            sum += mass->inverse_mass * cairn_dot(linear, linear) +
                   cairn_dot(turn, cairn_mat3_apply(mass->inverse_inertia, turn));
        }
    return sum / n;
}

// a row of the problem, scaled, as the next of all grips, which is the last one's
static void add_grip_row(cairn_articulated* all, cairn_grip* grip, int row, double mu)
{
    const cairn_problem* problem = all->problem;
    const cairn_row* from = &problem->rows[row];
    int to = all->grip_rows++;
    grip->row_count++;
    all->row_of[to] = row;
    all->factor_of[to] = mu;
    for (int k = 0; k < 6; k++) {
        ((double*)&all->ja[to])[k] = mu * from->a[k];
        ((double*)&all->jb[to])[k] = mu * from->b[k];
    }
    all->softness[to] = problem->compliance ? mu * mu * problem->compliance[row] : 0.0;
    all->b[to] = mu * problem->b[row];
}

static bool add_grip(cairn_articulated* all, const cairn_block* block, int row, int n)
{
    const cairn_problem* problem = all->problem;
    cairn_grip* grip = &all->grips[all->grip_count];
    double mu[6] = {1.0, 1.0, 1.0, 1.0, 1.0, 1.0};
    *grip = (cairn_grip){.kind = block->kind,
                         .a = moves(problem, block->body_a) ? all->limb_of[block->body_a] : -1,
                         .b = moves(problem, block->body_b) ? all->limb_of[block->body_b] : -1,
                         .first = all->grip_rows,
                         .lo = -INFINITY,
                         .hi = INFINITY};

    // a block between bodies that cannot move has nothing to do
    if (grip->a < 0 && grip->b < 0)
        return true;

    if (block->kind == CAIRN_BLOCK_CONTACT && !friction_rows(grip, mu, block))
        return false;

    // what bounds its impulse
    if (block->kind == CAIRN_BLOCK_LIMIT)
        grip->lo = 0.0;
    if (block->kind == CAIRN_BLOCK_MOTOR) {
        grip->lo = problem->lo ? problem->lo[row] : -INFINITY;
        grip->hi = problem->hi ? problem->hi[row] : INFINITY;
    }

    // the natural map counts in units of the mean diagonal
    grip->scale = mean_diagonal(problem, block, row, n);
    grip->over = 1.0 / grip->scale;
    if (grip->slip_count > 0) {
        grip->slip_square = mu[grip->slip[0]] * mu[grip->slip[0]];
        grip->slip_over = grip->over / grip->slip_square;
    }

    for (int r = 0; r < n; r++)
        add_grip_row(all, grip, row + r, mu[r]);
    all->loop_count += is_equality(block);
    all->grip_count++;
    return true;
}

// Joints side by side that close a loop are one grip: the last one gets the rows of a block that it
// has not.
static bool join_grip(cairn_articulated* all, const cairn_block* block, const cairn_block* first)
{
    const cairn_problem* problem = all->problem;
    cairn_grip* grip = &all->grips[all->grip_count - 1];
    bool is_b = moves(problem, block->body_b);
    const double* halves[most_rows + 1];
    if (block->body_a != first->body_a || block->body_b != first->body_b)
        return false;

    for (int r = block->row; r < block->row + block->row_count; r++) {
        for (int k = 0; k < grip->row_count; k++)
            halves[k] = half(problem, all->row_of[grip->first + k], is_b);
        halves[grip->row_count] = half(problem, r, is_b);
        const cairn_mass* mass = &problem->bodies[is_b ? block->body_b : block->body_a];
        if (repeats(mass, halves, grip->row_count + 1))
            all->repeated[all->repeated_count++] = r;
        else
            add_grip_row(all, grip, r, 1.0);
    }
    return true;
}

// in the order of limbs, so that what is visited one after the other is close
static bool sort_blocks(int* order, const cairn_articulated* all, const graph* joints,
                        cairn_arena* arena)
{
    const cairn_problem* problem = all->problem;
    int* begin = CAIRN_TAKE_ZEROED(arena, int, all->limb_count + 2);
    if (!begin)
        return false;

    // counting sort by the limb of B, or of A where B cannot move
    for (int pass = 0; pass < 2; pass++) {
        for (int c = 0; c < problem->block_count; c++) {
            const cairn_block* block = &problem->blocks[c];
            int limb = moves(problem, block->body_b)   ? all->limb_of[block->body_b]
                       : moves(problem, block->body_a) ? all->limb_of[block->body_a]
                                                       : -1;

            if (limb < 0 || joints->used[c])
                continue;
            if (pass == 0)
                begin[limb + 2]++;
            else
                order[begin[limb + 1]++] = c;
        }
        for (int i = 0; i < all->limb_count && pass == 0; i++)
            begin[i + 2] += begin[i + 1];
    }

    return true;
}

static bool list_grips(cairn_articulated* all, graph* joints, cairn_arena* arena)
{
    const cairn_problem* problem = all->problem;
    int* order = CAIRN_TAKE(arena, int, problem->block_count);
    size_t count = 0, rows = 0;
    if (!order || !sort_blocks(order, all, joints, arena))
        return false;

    int blocks = 0;
    for (int c = 0; c < problem->block_count; c++) {
        const cairn_block* block = &problem->blocks[c];
        bool swept =
            !joints->used[c] && (moves(problem, block->body_a) || moves(problem, block->body_b));
        blocks += swept;
        rows += swept ? (size_t)block->row_count : 0;
    }

    count = rows; // rows of limits and motors stand by themselves
    all->grips = CAIRN_TAKE(arena, cairn_grip, count);
    all->ja = CAIRN_TAKE_ZEROED(arena, cairn_six, rows);
    all->jb = CAIRN_TAKE_ZEROED(arena, cairn_six, rows);
    all->row_of = CAIRN_TAKE(arena, int, rows);
    all->factor_of = CAIRN_TAKE(arena, double, rows);
    all->b = CAIRN_TAKE(arena, double, rows);
    all->softness = CAIRN_TAKE(arena, double, rows);
    all->lambda = CAIRN_TAKE_ZEROED(arena, double, rows);
    all->before = CAIRN_TAKE(arena, double, rows);
    all->way = CAIRN_TAKE(arena, double, rows);

    if (arena->failed)
        return false;

    for (int k = 0; k < blocks; k++) {
        const cairn_block* block = &problem->blocks[order[k]];
        if (joints->used[order[k]])
            continue;

        bool single = block->kind == CAIRN_BLOCK_LIMIT || block->kind == CAIRN_BLOCK_MOTOR;
        int each = single ? 1 : block->row_count;
        if (each > most_swept)
            return false;
        for (int r = 0; r < block->row_count; r += each)
            if (!add_grip(all, block, block->row + r, each))
                return false;

        // rigid joints between the same two bodies are solved together
        for (int l = k + 1; l < blocks && is_rigid(problem, block); l++)
            if (is_rigid(problem, &problem->blocks[order[l]]) && !joints->used[order[l]])
                joints->used[order[l]] = join_grip(all, &problem->blocks[order[l]], block);
    }
    return true;
}

cairn_articulated* cairn_articulated_make(const cairn_problem* problem, cairn_arena* arena)
{
    cairn_articulated* all = CAIRN_TAKE_ZEROED(arena, cairn_articulated, 1);
    graph joints;
    if (!all || !problem->rows || !list_joints(&joints, problem, arena))
        return NULL;

    size_t bodies = (size_t)problem->body_count;
    all->problem = problem;
    all->limbs = CAIRN_TAKE(arena, cairn_limb, bodies);
    all->factors = CAIRN_TAKE(arena, cairn_limb_factor, bodies);
    all->limb_of = CAIRN_TAKE(arena, int, bodies);
    all->v = CAIRN_TAKE_ZEROED(arena, cairn_six, bodies);
    all->v_before = CAIRN_TAKE(arena, cairn_six, bodies);
    all->v_way = CAIRN_TAKE(arena, cairn_six, bodies);
    all->seen = CAIRN_TAKE(arena, cairn_six, bodies);
    all->pending = CAIRN_TAKE(arena, cairn_six, bodies);
    all->stirred = CAIRN_TAKE(arena, bool, bodies);
    all->at = CAIRN_TAKE(arena, int, bodies);
    all->path = CAIRN_TAKE(arena, int, bodies);
    all->repeated = CAIRN_TAKE(arena, int, problem->row_count);

    if (arena->failed || !grow_all(all, &joints, arena) || !list_grips(all, &joints, arena))
        return NULL;

    // a walk starts at the root; a limb whose joint has no rows is not supported
    for (int i = 0; i < all->limb_count; i++) {
        if (all->limbs[i].parent < 0)
            all->at[all->limbs[i].tree] = i;
        else if (all->limbs[i].row_count == 0)
            return NULL;
    }

    return all;
}

// ---------------------------------------------------------------- the solve

// Where joints let nothing move along the normal of a contact or along a limit, W_cc is round-off,
// and so would be the impulse: what lies on it is borne by the joints, and an overlap there stands
static void let_held_be(cairn_articulated* all)
{
    for (int c = 0; c < all->grip_count; c++) {
        const cairn_grip* grip = &all->grips[c];
        bool one_sided = grip->kind == CAIRN_BLOCK_CONTACT || grip->kind == CAIRN_BLOCK_LIMIT;
        if (one_sided && grip->diagonal[0] <= held_share * grip->scale)
            all->b[grip->first] = fmax(all->b[grip->first], 1.0);
    }
}

bool cairn_articulated_factor(cairn_articulated* all)
{
    if (!CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_articulated_factor_kernel)(all))
        return false;
    let_held_be(all);
    return true;
}

// velocities from the impulses of the grips, and the impulses of the joints of the forest
static void solve_joints(cairn_articulated* all, double* lambda)
{
    double* force = (double*)all->v_before;

    // J^T λ of the grips on each limb
    memset(force, 0, 6 * (size_t)all->limb_count * sizeof *force);
    for (int c = 0; c < all->grip_count; c++) {
        const cairn_grip* grip = &all->grips[c];
        for (int r = grip->first; r < grip->first + grip->row_count; r++)
            for (int k = 0; k < 6; k++) {
                if (grip->a >= 0)
                    force[6 * (ptrdiff_t)grip->a + k] +=
                        all->lambda[r] * ((const double*)&all->ja[r])[k];
                if (grip->b >= 0)
                    force[6 * (ptrdiff_t)grip->b + k] +=
                        all->lambda[r] * ((const double*)&all->jb[r])[k];
            }
    }
    CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_articulated_solve_kernel)
    (all, force, all->problem->b, lambda);

    // rows that repeat others bear nothing
    for (int k = 0; k < all->repeated_count; k++)
        lambda[all->repeated[k]] = 0.0;

    // momentum starts anew
    all->last = 0.0;
    all->sweeps = 0;
    memset(all->way, 0, (size_t)all->grip_rows * sizeof *all->way);
    memset(all->v_way, 0, (size_t)all->limb_count * sizeof *all->v_way);
}

void cairn_articulated_start(cairn_articulated* all, double* lambda)
{
    for (int c = 0; c < all->grip_count; c++) {
        const cairn_grip* grip = &all->grips[c];
        for (int r = 0; r < grip->row_count; r++) {
            double factor = all->factor_of[grip->first + r];
            all->lambda[grip->first + r] =
                factor > 0.0 ? lambda[all->row_of[grip->first + r]] / factor : 0.0;
        }
    }
    solve_joints(all, lambda);
}

double cairn_articulated_sweep(cairn_articulated* all)
{
    return CAIRN_PICK_KERNEL(cairn_simd_detect(), cairn_articulated_sweep_kernel)(all);
}

void cairn_articulated_finish(cairn_articulated* all, double* lambda)
{
    solve_joints(all, lambda);
    for (int c = 0; c < all->grip_count; c++) {
        const cairn_grip* grip = &all->grips[c];
        for (int r = 0; r < grip->row_count; r++)
            lambda[all->row_of[grip->first + r]] =
                all->factor_of[grip->first + r] * all->lambda[grip->first + r];
    }
}

// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "problem/mass.h"
#include "solve/sweep/batch.h"
#include "solve/threads.h"
#include <cairn/cairn.h>
#include <stdatomic.h>
#include <string.h>

static cairn_problem wall(int size)
{
    cairn_generate_def def = cairn_default_generate_def("wall");
    cairn_problem problem;
    cairn_error error;
    def.width = def.height = size;
    def.hit = 2.0;
    CHECK(cairn_generate(&def, &problem, &error) == CAIRN_OK);
    return problem;
}

// a plate with `count` contacts on the floor: more than there are colors
static cairn_problem plate(int count)
{
    cairn_problem problem = cairn_problem_empty();
    cairn_problem_add_body(&problem, (cairn_mass){0.5, cairn_mat3_diagonal(1.0, 1.0, 0.7)});

    for (int i = 0; i < count; i++) {
        cairn_row rows[3];
        double b[3] = {-1.0, 0.3, 0.1};
        cairn_vec3 r = cairn_vec(cos(i), sin(i), -0.1), zero = cairn_vec(0.0, 0.0, 0.0);
        cairn_block block = {.kind = CAIRN_BLOCK_CONTACT,
                             .row_count = 3,
                             .body_a = CAIRN_WORLD_BODY,
                             .body_b = 0,
                             .friction = cairn_friction_cone(0.5)};
        cairn_contact_rows(cairn_vec(0.0, 0.0, 1.0), zero, r, 3, rows);
        cairn_problem_add_block(&problem, &block, rows, b);
    }

    return problem;
}

static void check_colors(const cairn_problem* problem)
{
    cairn_arena arena = {0};
    cairn_coloring coloring;
    int n = problem->block_count;
    int* blocks = CAIRN_TAKE(&arena, int, n);
    int* seen = CAIRN_TAKE_ZEROED(&arena, int, n);
    int* color_of_body = CAIRN_TAKE(&arena, int, problem->body_count);

    for (int c = 0; c < n; c++)
        blocks[c] = c;

    CHECK(cairn_color_blocks(&coloring, problem, blocks, n, &arena));
    CHECK(coloring.count <= cairn_most_colors && coloring.total == n);

    for (int i = 0; i < n; i++)
        seen[coloring.block[i]]++;
    for (int c = 0; c < n; c++)
        CHECK(seen[c] == 1);

    // within a color no moving body is touched twice
    memset(color_of_body, -1, (size_t)problem->body_count * sizeof(int));

    for (int k = 0; k < coloring.count; k++)
        for (int i = coloring.begin[k]; i < coloring.begin[k + 1]; i++) {
            const cairn_block* block = &problem->blocks[coloring.block[i]];
            int body[2] = {block->body_a, block->body_b};
            for (int side = 0; side < 2; side++) {
                if (body[side] == CAIRN_WORLD_BODY ||
                    !cairn_mass_moves(&problem->bodies[body[side]]))
                    continue;
                CHECK(color_of_body[body[side]] != k);
                color_of_body[body[side]] = k;
            }
        }
    cairn_arena_destroy(&arena);
}

TEST(blocks_of_one_color_share_no_moving_body)
{
    cairn_problem problem = wall(8);
    check_colors(&problem);
    cairn_problem_destroy(&problem);
}
END

// a long wall: enough bodies for domains
static cairn_problem long_wall(void)
{
    cairn_generate_def def = cairn_default_generate_def("wall");
    cairn_problem problem;
    cairn_error error;
    def.width = 700;
    def.height = 6;
    def.hit = 2.0;
    CHECK(cairn_generate(&def, &problem, &error) == CAIRN_OK);
    return problem;
}

TEST(domains_share_no_moving_body_and_lose_no_block)
{
    cairn_problem problem = long_wall();
    cairn_arena arena = {0};
    cairn_domains domains;
    int n = problem.block_count;
    int* blocks = CAIRN_TAKE(&arena, int, n);
    int* seen = CAIRN_TAKE_ZEROED(&arena, int, n);
    int* owner = CAIRN_TAKE(&arena, int, problem.body_count);
    int* run_of_body = CAIRN_TAKE(&arena, int, problem.body_count);

    for (int c = 0; c < n; c++)
        blocks[c] = c;

    memset(owner, -1, (size_t)problem.body_count * sizeof(int));
    memset(run_of_body, -1, (size_t)problem.body_count * sizeof(int));

    CHECK(cairn_color_domains(&domains, &problem, blocks, n, &arena));
    CHECK(domains.count >= cairn_fewest_domains);

    // a body belongs to one domain, and is touched once by each run
    for (int d = 0; d < domains.count; d++)
        for (int r = domains.first_run[d]; r < domains.first_run[d + 1]; r++)
            for (int i = domains.begin[r]; i < domains.begin[r + 1]; i++) {
                const cairn_block* block = &problem.blocks[domains.block[i]];
                int body[2] = {block->body_a, block->body_b};
                seen[domains.block[i]]++;
                for (int side = 0; side < 2; side++) {
                    if (body[side] == CAIRN_WORLD_BODY ||
                        !cairn_mass_moves(&problem.bodies[body[side]]))
                        continue;
                    CHECK(owner[body[side]] == -1 || owner[body[side]] == d);
                    CHECK(run_of_body[body[side]] != r);
                    owner[body[side]] = d;
                    run_of_body[body[side]] = r;
                }
            }

    for (int i = 0; i < domains.rest_count; i++)
        seen[domains.rest[i]]++;
    for (int c = 0; c < n; c++)
        CHECK(seen[c] == 1);

    // lumps: little is left between them
    CHECK(domains.rest_count < n / 20);
    cairn_arena_destroy(&arena);
    cairn_problem_destroy(&problem);
}
END

TEST(a_body_with_more_contacts_than_colors_overflows_without_loss)
{
    cairn_problem problem = plate(100);
    check_colors(&problem);
    cairn_problem_destroy(&problem);
}
END

// ---------------------------------------------------------------- same bits

typedef void (*float_kernel)(const cairn_batches_float*, int, int, cairn_batch_sweep*);
typedef void (*double_kernel)(const cairn_batches_double*, int, int, cairn_batch_sweep*);

// a few sweeps by one kernel over all batches, in their order
static uint64_t hash_bytes(uint64_t hash, const void* bytes, size_t size)
{
    const unsigned char* p = bytes;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ p[i]) * UINT64_C(1099511628211);
    return hash;
}

static uint64_t sweep_hash(const cairn_problem* problem, float_kernel narrow, double_kernel wide,
                           bool box)
{
    cairn_arena arena = {0};
    cairn_delassus A;
    cairn_batch_plan plan;
    cairn_law law = box ? CAIRN_LAW_BOX : CAIRN_LAW_AS_GIVEN;
    uint64_t hash = UINT64_C(14695981039346656037);
    CHECK(cairn_delassus_prepare(&A, problem, &arena) == CAIRN_OK);
    CHECK(cairn_batch_plan_make(&plan, &A, law, &arena) && plan.rest_count == 0);

    double* lambda = CAIRN_TAKE_ZEROED(&arena, double, problem->row_count);
    size_t numbers = cairn_state_stride * (size_t)plan.slot_count;
    cairn_batch_sweep sweep = {.box = box};

    // velocities and impulses after twenty sweeps, in the precision of the kernel
    if (narrow) {
        cairn_batches_float batches;
        CHECK(cairn_batch_take_float(&batches, &plan, &arena));
        cairn_batch_fill_float(&batches, &plan, lambda);
        for (int k = 0; k < 20; k++)
            narrow(&batches, 0, plan.batch_count, &sweep);
        hash = hash_bytes(hash, batches.state, numbers * sizeof(float));
        for (int i = 0; i < plan.batch_count; i++)
            hash = hash_bytes(hash, batches.batch[i].lambda, sizeof batches.batch[i].lambda);
    } else {
        cairn_batches_double batches;
        CHECK(cairn_batch_take_double(&batches, &plan, &arena));
        cairn_batch_fill_double(&batches, &plan, lambda);
        for (int k = 0; k < 20; k++)
            wide(&batches, 0, plan.batch_count, &sweep);
        hash = hash_bytes(hash, batches.state, numbers * sizeof(double));
        for (int i = 0; i < plan.batch_count; i++)
            hash = hash_bytes(hash, batches.batch[i].lambda, sizeof batches.batch[i].lambda);
    }
    cairn_arena_destroy(&arena);
    return hash_bytes(hash, &sweep.worst, sizeof sweep.worst);
}

TEST(every_instruction_set_gives_the_same_bits)
{
    cairn_problem problem = wall(7);
    cairn_simd_level most = cairn_simd_detect();

    for (int box = 0; box < 2; box++) {
        uint64_t narrow = sweep_hash(&problem, cairn_batch_sweep_float_baseline, NULL, box);
        uint64_t wide = sweep_hash(&problem, NULL, cairn_batch_sweep_double_baseline, box);
        CHECK(narrow != wide);
        for (int level = 1; level <= (int)most; level++) {
            float_kernel f = CAIRN_PICK_KERNEL((cairn_simd_level)level, cairn_batch_sweep_float);
            double_kernel d = CAIRN_PICK_KERNEL((cairn_simd_level)level, cairn_batch_sweep_double);
            CHECK(sweep_hash(&problem, f, NULL, box) == narrow);
            CHECK(sweep_hash(&problem, NULL, d, box) == wide);
        }
    }
    cairn_problem_destroy(&problem);
}
END

static void solve_with_threads(double* lambda, const cairn_problem* problem, const char* method,
                               int threads, int sweeps)
{
    cairn_solve_def def = cairn_default_solve_def();
    cairn_report report;
    cairn_error error;
    def.method = method;
    def.threads = threads;
    def.tolerance = 1e-4;
    def.max_iterations = sweeps;
    CHECK(cairn_solve(problem, &def, lambda, &report, &error) == CAIRN_OK);
}

static void check_threads(const cairn_problem* problem, const char* method, int sweeps)
{
    size_t bytes = (size_t)problem->row_count * sizeof(double);
    double *one = malloc(bytes), *many = malloc(bytes);
    solve_with_threads(one, problem, method, 1, sweeps);
    for (int threads = 2; threads <= 3; threads++) {
        memset(many, 0, bytes);
        solve_with_threads(many, problem, method, threads, sweeps);
        CHECK(memcmp(one, many, bytes) == 0);
    }
    free(one);
    free(many);
}

TEST(the_number_of_threads_never_changes_a_bit)
{
    cairn_problem small = wall(30), large = long_wall();
    check_threads(&small, "pgs", 24);
    check_threads(&small, "prox", 24);
    check_threads(&large, "pgs", 5);
    cairn_problem_destroy(&small);
    cairn_problem_destroy(&large);
}
END

// every member adds its rank between two meetings
typedef struct counting {
    cairn_team* team;
    int sum[4];
    bool whole;
} counting;

static void count_members(void* context, int rank)
{
    counting* work = context;
    work->sum[rank] = rank + 1;
    cairn_team_meet(work->team);
    if (rank == 0)
        work->whole = work->sum[0] + work->sum[1] + work->sum[2] + work->sum[3] == 10;
}

TEST(a_team_meets_before_anyone_goes_on)
{
    counting work = {.team = cairn_team_start(4)};
    CHECK(cairn_team_count(work.team) == 4);
    for (int k = 0; k < 100; k++) {
        memset(work.sum, 0, sizeof work.sum);
        work.whole = false;
        cairn_team_run(work.team, count_members, &work);
        CHECK(work.whole);
    }
    cairn_team_stop(work.team);
}
END

// items that count how often they were done, and by how many members
typedef struct tally {
    cairn_team* team;
    atomic_int done[200], members[8];
    void (*each)(cairn_team* team, cairn_team_item item, void* context, int count);
} tally;

static void count_item(void* context, int rank, int item)
{
    tally* own = context;
    atomic_fetch_add(&own->done[item], 1);
    atomic_fetch_add(&own->members[rank], 1);
}

static void count_lists(void* context)
{
    tally* own = context;
    for (int k = 0; k < 100; k++)
        own->each(own->team, count_item, own, 1 + 2 * k);
}

// a host whose threads come one after the other: the first does all
static void run_in_turn(void* context, int count, cairn_task task, void* argument)
{
    (void)context;
    for (int rank = 0; rank < count; rank++)
        task(argument, rank);
}

TEST(each_item_is_done_once_whoever_comes)
{
    void (*const ways[])(cairn_team*, cairn_team_item, void*, int) = {cairn_team_each,
                                                                      cairn_team_each_brief};
    for (int way = 0; way < 2; way++)
        for (int members = 1; members <= 5; members++) {
            bool host = members == 5;
            tally own = {.team = host ? cairn_team_of_host(3, run_in_turn, NULL)
                                      : cairn_team_start(members),
                         .each = ways[way]};
            if (host)
                count_lists(&own);
            else
                cairn_team_lead(own.team, count_lists, &own);

            // item i is on the lists of more than i items
            for (int i = 0; i < 200; i++)
                ck_assert_int_eq(atomic_load(&own.done[i]), 100 - (i + 1) / 2);
            cairn_team_stop(own.team);
        }
}
END

TESTS(blocks_of_one_color_share_no_moving_body, domains_share_no_moving_body_and_lose_no_block,
      a_body_with_more_contacts_than_colors_overflows_without_loss,
      every_instruction_set_gives_the_same_bits, the_number_of_threads_never_changes_a_bit,
      a_team_meets_before_anyone_goes_on, each_item_is_done_once_whoever_comes)

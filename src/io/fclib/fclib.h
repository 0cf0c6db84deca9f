// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What an FCLib file says, between the file and the contact problem:
//
//     local     u = W r + V l + q,      V^T r + R l + s = 0
//     global    M v = H r + G l + f,    G^T v + b = 0,    u = H^T v + w
//
// Both are  K y = B r + c,  u = E r + B^T y + d  with unknowns y that are condensed away: y = v and
// l with K the saddle-point matrix of M and G, or y = l with K = R and B = -V^T. Components of a
// contact are normal first, `space` of them.
#ifndef CAIRN_IO_FCLIB_H
#define CAIRN_IO_FCLIB_H

#include "io/fclib/sparse.h"
#include "io/hdf5/hdf5_file.h"

/// What FCLib cannot say of a contact's friction stands in the group /cairn/friction: kind, facets,
/// the three coefficients, the slip and whether there is a spin row.
enum { cairn_fclib_law = 8 };

typedef struct cairn_fclib {
    bool global;
    int space; ///< 2 or 3
    int contacts;
    cairn_sparse W, V, R; ///< local; V and R have no columns if the file has none
    cairn_sparse M, H, G; ///< global, M with both triangles; G has no columns if the file has none
    double* mu;           ///< contacts
    double* law;          ///< cairn_fclib_law numbers per contact, or NULL: cones of mu
    cairn_sparse spin;    ///< global: a column per contact, empty where it has no spin row
    double* spin_w;       ///< contacts, or NULL: no contact has a spin row
    double *q, *s;        ///< local
    double *f, *w, *b;    ///< global
    double* guess_r;      ///< space * contacts, or NULL
    double* guess_l;      ///< multipliers, or NULL
} cairn_fclib;

/// u and r of the contacts, v of the degrees of freedom (global), multipliers l.
typedef struct cairn_fclib_solution {
    double *u, *r, *v, *l;
    double* spin; ///< contacts: impulses of spin rows
} cairn_fclib_solution;

/// The friction of a contact.
cairn_friction cairn_fclib_friction(const cairn_fclib* data, int contact);

static inline int cairn_fclib_rows(const cairn_fclib* data)
{
    return data->space * data->contacts;
}

static inline int cairn_fclib_freedoms(const cairn_fclib* data)
{
    return data->global ? data->M.n : 0;
}

static inline int cairn_fclib_multipliers(const cairn_fclib* data)
{
    return data->global ? data->G.n : data->R.n;
}

void cairn_fclib_destroy(cairn_fclib* data);
void cairn_fclib_solution_destroy(cairn_fclib_solution* solution);

// ---------------------------------------------------------------- file and data

/// Reads all but the solution. Every size and index agrees and every number is finite afterwards.
cairn_status cairn_fclib_load(cairn_fclib* data, const cairn_hdf5* in);

/// Writes all but the guess into an empty file.
cairn_status cairn_fclib_store(const cairn_hdf5* out, const cairn_fclib* data);

/// Writes a solution as the group `group`, which must not be there.
cairn_status cairn_fclib_store_solution(const cairn_hdf5* out, const char* group,
                                        const cairn_fclib* data,
                                        const cairn_fclib_solution* solution);

/// Writes /guesses with one guess.
cairn_status cairn_fclib_store_guess(const cairn_hdf5* out, const cairn_fclib* data,
                                     const cairn_fclib_solution* guess);

// ---------------------------------------------------------------- data and problem

/// Bodies and rows where the masses are those of rigid bodies, an explicit A otherwise.
cairn_status cairn_fclib_to_problem(cairn_problem* problem, const cairn_fclib* data,
                                    const char* path, cairn_error* error);

/// The two ways of the above. The first leaves `fits` false where the masses are not those of rigid
/// bodies or a contact touches more than two.
cairn_status cairn_fclib_to_bodies(cairn_problem* problem, bool* fits, const cairn_fclib* data,
                                   const char* path, cairn_error* error);
cairn_status cairn_fclib_to_matrix(cairn_problem* problem, const cairn_fclib* data,
                                   const char* path, cairn_error* error);

/// What a problem is as FCLib; `path` is for the sentences.
cairn_status cairn_fclib_from_problem(cairn_fclib* data, const cairn_problem* problem,
                                      const char* path, cairn_error* error);

/// Completes impulses of a problem that was read from, or became, `data`.
cairn_status cairn_fclib_complete(cairn_fclib_solution* solution, const cairn_fclib* data,
                                  const cairn_problem* problem, const double* lambda,
                                  const char* path, cairn_error* error);

#endif

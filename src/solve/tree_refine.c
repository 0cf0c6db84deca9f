// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How well a forest was solved, and one step of iterative refinement: the defects
//
//     r_f = f - M y + J^T λ,     r_c = J y + E λ + c
//
// are products with the blocks that were set, O(bodies); a solve for them corrects y and λ.

#include "solve/tree.h"
#include <math.h>

typedef struct defect {
    double force, force_scale; // largest |r_f| and largest term of it
    double rows, rows_scale;
} defect;

static void note(double* largest, double value)
{
    if (!(fabs(value) <= *largest))
        *largest = fabs(value);
}

// r_f of the bodies without J^T λ, and -c for the rows, in order of elimination
static void start_defect(cairn_tree* tree, const double* y, const double* f, const double* c,
                         defect* d)
{
    int n = tree->n;
    for (int k = 0; k < tree->link_count; k++) {
        const cairn_tree_link* link = &tree->links[k];
        const double* M = tree->inputs + link->input;
        const double* yk = y + tree->body_offset[link->body];
        double* x = tree->x + link->x;
        int dim = tree->dimension[link->body];
        for (int i = 0; i < n; i++) {
            x[i] = f && i < dim ? f[tree->body_offset[link->body] + i] : 0.0;
            note(&d->force_scale, x[i]);
            for (int j = 0; i < dim && j < dim; j++) {
                double term =
                    M[i > j ? cairn_packed(i) + (size_t)j : cairn_packed(j) + (size_t)i] * yk[j];
                x[i] -= term;
                note(&d->force_scale, term);
            }
        }
        for (int r = 0; r < link->rows; r++) {
            x[n + r] = c ? -c[tree->row_offset[link->constraint] + r] : 0.0;
            note(&d->rows_scale, x[n + r]);
        }
    }
}

// x_rows -= j y and x_body += j^T λ for one end of a constraint
static void couple(const cairn_tree* tree, int end, const double* j, double* rows,
                   const double* lambda, const double* y, int m, defect* d)
{
    const cairn_tree_link* link = &tree->links[end];
    double* x = tree->x + link->x;
    int n = tree->n, dim = tree->dimension[link->body];
    const double* ye = y + tree->body_offset[link->body];
    for (int r = 0; r < m; r++)
        for (int i = 0; i < dim; i++) {
            rows[r] -= j[n * r + i] * ye[i];
            x[i] += j[n * r + i] * lambda[r];
            note(&d->rows_scale, j[n * r + i] * ye[i]);
            note(&d->force_scale, j[n * r + i] * lambda[r]);
        }
}

static defect form_defect(cairn_tree* tree, const double* y, const double* lambda, const double* f,
                          const double* c)
{
    defect d = {0};
    int n = tree->n;
    start_defect(tree, y, f, c, &d);
    for (int k = 0; k < tree->link_count; k++) {
        const cairn_tree_link* link = &tree->links[k];
        int m = link->rows;
        if (m == 0)
            continue;
        const double* outer = tree->inputs + link->input + cairn_packed(n);
        const double* inner = outer + cairn_tree_block(n, m);
        const double* E = inner + cairn_tree_block(n, m);
        const double* multiplier = lambda + tree->row_offset[link->constraint];
        double* rows = tree->x + link->x + n;
        couple(tree, k, outer, rows, multiplier, y, m, &d);
        if (link->parent >= 0)
            couple(tree, link->parent, inner, rows, multiplier, y, m, &d);
        for (int r = 0; r < m; r++)
            rows[r] -= E[r] * multiplier[r];
    }
    for (int k = 0; k < tree->link_count; k++)
        for (int i = 0; i < n + tree->links[k].rows; i++)
            note(i < n ? &d.force : &d.rows, tree->x[tree->links[k].x + (size_t)i]);
    return d;
}

double cairn_tree_residual(cairn_tree* tree, const double* y, const double* lambda, const double* f,
                           const double* c)
{
    defect d = form_defect(tree, y, lambda, f, c);
    double force = d.force_scale > 0.0 ? d.force / d.force_scale : d.force;
    double rows = d.rows_scale > 0.0 ? d.rows / d.rows_scale : d.rows;
    return fmax(force, rows);
}

void cairn_tree_refine(cairn_tree* tree, double* y, double* lambda, const double* f,
                       const double* c)
{
    form_defect(tree, y, lambda, f, c);
    cairn_tree_sweep_only(tree);
    for (int k = 0; k < tree->link_count; k++) {
        const cairn_tree_link* link = &tree->links[k];
        const double* x = tree->x + link->x;
        for (int i = 0; i < tree->dimension[link->body]; i++)
            y[tree->body_offset[link->body] + i] += x[i];
        for (int r = 0; r < link->rows; r++)
            lambda[tree->row_offset[link->constraint] + r] += x[tree->n + r];
    }
}

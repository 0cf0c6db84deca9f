// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// How well a forest was solved, and one step of iterative refinement: the defects
//
//     r_f = f - M y + J^T λ,     r_c = J y + E λ + c
//
// are products with the blocks that were set, O(bodies); a solve for them corrects y and λ.

#include "solve/tree/tree.h"
#include <math.h>

typedef struct defect {
    const cairn_tree* tree;
    const double *y, *lambda, *f, *c;
    double *r_f, *r_c;         // as vectors of the tree; primary rows alone
    double force, force_scale; // largest |r_f| and largest term of it
    double rows, rows_scale;
} defect;

static void note(double* largest, double value)
{
    if (!(fabs(value) <= *largest))
        *largest = fabs(value);
}

// r_f of a body without J^T λ
static void start_body(defect* d, const cairn_tree_link* link)
{
    const double* M = d->tree->inputs + link->input;
    ptrdiff_t at = d->tree->body_offset[link->body];
    int dim = d->tree->dimension[link->body];
    for (int i = 0; i < dim; i++) {
        double sum = d->f ? d->f[at + i] : 0.0;
        note(&d->force_scale, sum);
        for (int j = 0; j < dim; j++) {
            size_t place = i > j ? cairn_packed(i) + (size_t)j : cairn_packed(j) + (size_t)i;
            double term = M[place] * d->y[at + j];
            sum -= term;
            note(&d->force_scale, term);
        }
        d->r_f[at + i] = sum;
    }
}

// r_c += j y and r_f += j^T λ for one end of a constraint
static void couple(defect* d, const cairn_tree_link* link, int body, const double* j)
{
    int n = d->tree->n, dim = d->tree->dimension[body];
    ptrdiff_t at = d->tree->body_offset[body], row = d->tree->row_offset[link->constraint];
    for (int r = 0; r < link->rows; r++)
        for (int i = 0; i < dim; i++) {
            double speed = j[n * r + i] * d->y[at + i], force = j[n * r + i] * d->lambda[row + r];
            d->r_c[row + r] += speed;
            d->r_f[at + i] += force;
            note(&d->rows_scale, speed);
            note(&d->force_scale, force);
        }
}

// r_c of a constraint, and its J^T λ
static void add_constraint(defect* d, const cairn_tree_link* link)
{
    const cairn_tree* tree = d->tree;
    int n = tree->n, m = link->rows;
    const double* outer = tree->inputs + link->input + cairn_packed(n);
    const double* inner = outer + cairn_tree_block(n, m);
    const double* E = inner + cairn_tree_block(n, m);
    ptrdiff_t row = tree->row_offset[link->constraint];
    for (int r = 0; r < m; r++) {
        d->r_c[row + r] = d->c ? d->c[row + r] : 0.0;
        note(&d->rows_scale, d->r_c[row + r]);
    }
    couple(d, link, link->body, outer);
    if (link->parent >= 0)
        couple(d, link, tree->links[link->parent].body, inner);
    for (int r = 0; r < m; r++) {
        d->r_c[row + r] += E[r] * d->lambda[row + r];
        note(&d->rows, d->r_c[row + r]);
    }
}

static void form_defect(defect* d)
{
    const cairn_tree* tree = d->tree;
    d->r_f = tree->lanes;
    d->r_c = d->r_f + tree->body_offset[tree->body_count];
    for (int k = 0; k < tree->link_count; k++)
        start_body(d, &tree->links[k]);
    for (int k = 0; k < tree->link_count; k++)
        if (tree->links[k].rows > 0)
            add_constraint(d, &tree->links[k]);
    for (int k = 0; k < tree->link_count; k++)
        for (int i = 0; i < tree->dimension[tree->links[k].body]; i++)
            note(&d->force, d->r_f[tree->body_offset[tree->links[k].body] + i]);
}

double cairn_tree_residual(cairn_tree* tree, const double* f, const double* c, const double* y,
                           const double* lambda)
{
    if (!tree || !y || !lambda)
        return 0.0;
    defect d = {.tree = tree, .y = y, .lambda = lambda, .f = f, .c = c};
    form_defect(&d);
    double force = d.force_scale > 0.0 ? d.force / d.force_scale : d.force;
    double rows = d.rows_scale > 0.0 ? d.rows / d.rows_scale : d.rows;
    return fmax(force, rows);
}

void cairn_tree_refine(cairn_tree* tree, const double* f, const double* c, double* y,
                       double* lambda)
{
    if (!tree || !y || !lambda)
        return;

    defect d = {.tree = tree, .y = y, .lambda = lambda, .f = f, .c = c};
    form_defect(&d);
    double* change = d.r_c + tree->row_offset[tree->constraint_count];
    double* multiplier = change + tree->body_offset[tree->body_count];

    // a solve for the defects gives the corrections
    cairn_tree_solve(tree, d.r_f, d.r_c, 1, change, multiplier);
    tree->loaded = false;
    for (int k = 0; k < tree->link_count; k++) {
        const cairn_tree_link* link = &tree->links[k];
        ptrdiff_t at = tree->body_offset[link->body];
        for (int i = 0; i < tree->dimension[link->body]; i++)
            y[at + i] += change[at + i];
        for (int r = 0; r < link->rows; r++) {
            ptrdiff_t row = tree->row_offset[link->constraint] + r;
            lambda[row] += multiplier[row];
        }
    }
}

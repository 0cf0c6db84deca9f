// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// The table of methods.

#include "solve/method.h"
#include <string.h>

cairn_status cairn_method_lemke(cairn_job* job, cairn_error* error);
cairn_status cairn_method_lemke_published(cairn_job* job, cairn_error* error);
cairn_status cairn_method_lemke_structural(cairn_job* job, cairn_error* error);
cairn_status cairn_method_lemke_standard(cairn_job* job, cairn_error* error);
cairn_status cairn_method_pgs(cairn_job* job, cairn_error* error);
cairn_status cairn_method_dantzig(cairn_job* job, cairn_error* error);
cairn_status cairn_method_prox(cairn_job* job, cairn_error* error);
cairn_status cairn_method_prox_jacobi(cairn_job* job, cairn_error* error);
cairn_status cairn_method_gauss_seidel(cairn_job* job, cairn_error* error);
cairn_status cairn_method_exact(cairn_job* job, cairn_error* error);
cairn_status cairn_method_sweeps(cairn_job* job, cairn_error* error);
cairn_status cairn_method_newton(cairn_job* job, cairn_error* error);
cairn_status cairn_method_statics(cairn_job* job, cairn_error* error);
cairn_status cairn_method_warm(cairn_job* job, cairn_error* error);

// clang-format off
static const cairn_method methods[] = {
    {{"auto", "Cairn", "as given", "the default: the right method for each island", true}, cairn_method_auto},
    {{"pgs", "AGEIA 2004", "cone", "large scenes in a fixed time", false}, cairn_method_pgs},
    {{"dantzig", "Baraff 1994", "cone", "tens to hundreds of contacts, Painlevé cases", true}, cairn_method_dantzig},
    {{"lemke", "Lloyd 2004, reduced", "pyramid", "few bodies with many contacts: peg in hole, grasps", true}, cairn_method_lemke},
    {{"lemke-published", "Lloyd 2004, reduced", "pyramid", "the reduced variant exactly as published (appendix D), for comparison", true}, cairn_method_lemke_published},
    {{"lemke-structural", "Lloyd 2004", "pyramid", "all friction rows from the start; fallback of lemke", true}, cairn_method_lemke_structural},
    {{"lemke-standard", "Lemke 1965", "pyramid", "the full LCP, assembled; for comparison and as a last resort", true}, cairn_method_lemke_standard},
    {{"prox", "Erleben 2017", "any convex set", "large scenes with true Coulomb friction", false}, cairn_method_prox},
    {{"prox-jacobi", "Erleben 2017", "any convex set", "Jacobi iteration, for comparison", false}, cairn_method_prox_jacobi},
    {{"gauss-seidel", "Jean 1999", "cone", "well-conditioned heaps, each contact solved exactly", false}, cairn_method_gauss_seidel},
    {{"exact", "Cairn", "cone", "hundreds to thousands of contacts, any mass ratio, to round-off", true}, cairn_method_exact},
    {{"tree", "Baraff 1996", "cone", "articulated figures in linear time, plus loops, limits and contacts", true}, cairn_method_tree},
    {{"sweeps", "Silcowitz-Hansen 2010", "ellipsoid", "moving heaps to a few digits: conjugate-gradient sweeps", false}, cairn_method_sweeps},
    {{"newton", "Cairn", "cone", "one body with contacts, in its six velocities, to round-off", true}, cairn_method_newton},
    {{"statics", "Cairn", "as given", "piles at rest: one pass from the top down; fails if something moves", true}, cairn_method_statics},
    {{"warm", "Cairn", "as given", "the given impulses, accepted if they pass the certificate", false}, cairn_method_warm},
};
// clang-format on

enum { method_count = sizeof methods / sizeof methods[0] };

int cairn_method_count(void)
{
    return method_count;
}

cairn_method_info cairn_method_at(int index)
{
    if (index < 0 || index >= method_count)
        return (cairn_method_info){0};
    return methods[index].info;
}

bool cairn_method_is(const char* method, const char* name)
{
    return strcmp(method, name) == 0;
}

const cairn_method* cairn_method_find(const char* name)
{
    for (int i = 0; i < method_count; i++)
        if (cairn_method_is(methods[i].info.name, name))
            return &methods[i];
    return NULL;
}

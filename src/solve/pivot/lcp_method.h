// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// What a method for plain LCPs is: a function of this type and one line in the table of lcp.c.
// `auto` tries the table from its head until one answer passes the residual.
#ifndef CAIRN_SOLVE_LCP_METHOD_H
#define CAIRN_SOLVE_LCP_METHOD_H

#include "math/stop.h"
#include <cairn/lcp.h>

/// z holds zeros on entry and the answer on return; the report's outcome and iterations are to be
/// set. A method that `stop` ends returns its best z with CAIRN_OUTCOME_TIME_LIMIT.
typedef cairn_status (*cairn_lcp_function)(double* z, const cairn_lcp* lcp,
                                           const cairn_solve_def* def, const cairn_stop* stop,
                                           cairn_lcp_report* report);

cairn_status cairn_lcp_lemke_standard(double* z, const cairn_lcp* lcp, const cairn_solve_def* def,
                                      const cairn_stop* stop, cairn_lcp_report* report);
cairn_status cairn_lcp_search(double* z, const cairn_lcp* lcp, const cairn_solve_def* def,
                              const cairn_stop* stop, cairn_lcp_report* report);
cairn_status cairn_lcp_pgs(double* z, const cairn_lcp* lcp, const cairn_solve_def* def,
                           const cairn_stop* stop, cairn_lcp_report* report);

/// The front door for problems with bounds (lcp_bounds.c), which were checked.
cairn_status cairn_lcp_solve_bounded(const cairn_lcp* lcp, const cairn_solve_def* def, double* z,
                                     cairn_lcp_report* report, cairn_error* error);

#endif

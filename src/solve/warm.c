// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// `warm`: the impulses that a problem comes with, put to the certificate and taken as they are. A
// step that finds the impulses of the last one still right solves nothing and reports this name; on
// a file it certifies an answer that somebody else has found.

#include "solve/method.h"

cairn_status cairn_method_warm(cairn_job* job, cairn_error* error)
{
    const cairn_problem* problem = job->problem;
    if (problem->row_count > 0 && !(job->def->warm_start && problem->warm))
        return cairn_fail(error, CAIRN_NOT_SUPPORTED,
                          "warm takes the impulses that a problem comes with, but %s",
                          problem->warm ? "the options ask for no warm start" : "there are none");
    job->report->outcome = CAIRN_OUTCOME_ITERATION_LIMIT;
    return CAIRN_OK;
}

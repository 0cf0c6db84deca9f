// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Bytes as a recording: refused with a sentence, or every frame and every solve is read or refused.

#include "fuzz.h"
#include <cairn/recording.h>
#include <stdlib.h>

enum { most_frames = 16, most_solves = 16 };

static void read_solves(cairn_recording* recording, int frame)
{
    int count = cairn_recording_solve_count(recording, frame);
    for (int k = 0; k < count && k < most_solves; k++) {
        cairn_recorded_solve solve;
        cairn_residual residual;
        cairn_error error = {{0}};
        cairn_status status = cairn_recording_solve(recording, frame, k, &solve, &error);
        if (status != CAIRN_OK && !error.text[0])
            abort();
        if (status != CAIRN_OK)
            continue;
        cairn_problem_residual(&solve.problem, solve.lambda, solve.law, solve.facets, &residual);
        cairn_recorded_solve_destroy(&solve);
    }
}

FUZZ_TARGET(fuzz_recording)
{
    cairn_recording* recording = NULL;
    cairn_error error = {{0}};
    cairn_stage stage = {0};
    cairn_frame frame = {0};
    cairn_status status = cairn_recording_open_bytes(data, size, "fuzz.h5", &recording, &error);
    if (status != CAIRN_OK && !error.text[0])
        abort();
    if (status != CAIRN_OK)
        return 0;
    int count = cairn_recording_frame_count(recording);
    for (int i = 0; i < count && i < most_frames; i++) {
        if (cairn_recording_show(recording, i, &stage, &frame, &error) != CAIRN_OK &&
            !error.text[0])
            abort();
        read_solves(recording, i);
    }
    cairn_frame_destroy(&frame);
    cairn_stage_destroy(&stage);
    cairn_recording_destroy(recording);
    return 0;
}

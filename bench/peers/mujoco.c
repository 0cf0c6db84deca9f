// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// MuJoCo: a chain made by its own rope generator, since deep nesting is refused by its reader.

#include "peers.h"
#include "suite.h"
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char scene[] =
    "<mujoco><option timestep=\"0.001\">"
    "<flag constraint=\"disable\" contact=\"disable\"/></option>"
    "<worldbody><body name=\"B0\" pos=\"0 0 1\"><freejoint/>"
    "<composite type=\"rope\" count=\"%d 1 1\" spacing=\"0.1\" offset=\"0 0 0\">"
    "<joint kind=\"main\" damping=\"0\"/><joint kind=\"twist\" damping=\"0\"/>"
    "<geom type=\"capsule\" size=\".02 .04\" mass=\"1\"/></composite>"
    "</body></worldbody></mujoco>";

double peer_mujoco_chain_us(int bodies)
{
    char text[sizeof scene + 16], error[256];
    double took = -1.0;
    mjVFS* files = malloc(sizeof *files);
    if (!files)
        return -1.0;

    // the model is read from a file in memory
    snprintf(text, sizeof text, scene, bodies);
    mj_defaultVFS(files);
    mjModel* model = NULL;
    if (mj_makeEmptyFileVFS(files, "chain.xml", (int)strlen(text)) == 0) {
        memcpy(files->filedata[mj_findFileVFS(files, "chain.xml")], text, strlen(text));
        model = mj_loadXML("chain.xml", files, error, sizeof error);
    }

    mjData* data = model ? mj_makeData(model) : NULL;
    if (data) {
        for (int i = 0; i < model->nv; i++)
            data->qvel[i] = 0.1 * (i % 7);

        // one forward step of a chain in motion
        double start = bench_clock();
        mj_forward(model, data);
        took = 1e6 * (bench_clock() - start);
        mj_deleteData(data);
    }

    if (model)
        mj_deleteModel(model);
    mj_deleteVFS(files);
    free(files);
    return took;
}

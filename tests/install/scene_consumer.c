#include <cairn/cairn.h>
#include <cairn/io.h>
#include <stdio.h>
#include <string.h>

// a box that falls for a tenth of a second, from a scene
int main(void)
{
    const char* text =
        "{\"cairn\": 1, \"title\": \"a box\", \"bodies\": [{\"shape\": {\"kind\": \"box\", "
        "\"size\": [1, 1, 1]}}]}";
    cairn_scene* scene = NULL;
    cairn_error error;
    cairn_step_report report = {0};
    cairn_status status = cairn_scene_read_text(text, strlen(text), "box", NULL, &scene, &error);
    for (int k = 0; k < 6 && status == CAIRN_OK; k++)
        status = cairn_scene_step(scene, 1.0 / 60.0, &report, &error);
    if (status != CAIRN_OK)
        printf("%s\n", error.text);
    else
        printf("%g s: %d body, %g J\n", report.time, report.bodies, report.kinetic);
    cairn_scene_destroy(scene);
    return status == CAIRN_OK && report.kinetic > 0.0 ? 0 : 1;
}

// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Where things are that come with the program: found from its own place, so that an installation
// may be moved.

#include "verb.h"
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool verb_own_folder(char* folder, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", folder, size - 1);
    if (length <= 0)
        return false;
    folder[length] = '\0';
    char* slash = strrchr(folder, '/');
    if (slash)
        *slash = '\0';
    return slash != NULL;
}

bool verb_scene_folder(char* folder, size_t size)
{
    // installed in bin or libexec/cairn, in the source tree, beside build/PRESET
    static const char* const places[] = {"../share/cairn/scenes", "../../share/cairn/scenes",
                                         "scenes", "../scenes", "../../scenes"};
    char own[PATH_MAX];
    struct stat about;
    if (!verb_own_folder(own, sizeof own))
        return false;
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        int length = snprintf(folder, size, "%s/%s", own, places[i]);
        if (length > 0 && (size_t)length < size && stat(folder, &about) == 0 &&
            S_ISDIR(about.st_mode))
            return true;
    }
    return false;
}

bool verb_shipped_scene(char* path, size_t size, const char* name)
{
    char folder[PATH_MAX];
    struct stat about;
    if (strchr(name, '/') || !verb_scene_folder(folder, sizeof folder))
        return false;
    static const char* const endings[] = {"json", "xml"};
    for (int i = 0; i < 2; i++) {
        int put = snprintf(path, size, "%s/%s.%s", folder, name, endings[i]);
        if (put > 0 && (size_t)put < size && stat(path, &about) == 0 && S_ISREG(about.st_mode))
            return true;
    }
    return false;
}

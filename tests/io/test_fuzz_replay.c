// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors

#include "check_cairn.h"
#include "fuzz.h"
#include "io/file.h"
#include <dirent.h>
#include <stdio.h>
#include <string.h>

// hands every file of a folder to a target and gives their number
static int replay(const char* folder, int (*target)(const uint8_t*, size_t))
{
    char path[512];
    int count = 0;
    snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s", CAIRN_SOURCE_DIR, folder);
    DIR* list = opendir(path);
    ck_assert_msg(list != NULL, "%s cannot be opened", path);
    for (struct dirent* entry = readdir(list); entry; entry = readdir(list)) {
        cairn_bytes bytes;
        cairn_error error;
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/tests/fuzz/corpus/%s/%.200s", CAIRN_SOURCE_DIR, folder,
                 entry->d_name);
        ck_assert_msg(cairn_file_read(&bytes, path, &cairn_file_bytes, &error) == CAIRN_OK, "%s",
                      error.text);
        target((const uint8_t*)bytes.data, bytes.size);
        free(bytes.data);
        count++;
    }
    closedir(list);
    return count;
}

TEST(every_kept_session_of_calls_keeps_its_promises)
{
    ck_assert_int_gt(replay("api", fuzz_api), 0);
}
END

TEST(every_kept_fclib_file_is_read_or_refused)
{
    ck_assert_int_gt(replay("fclib", fuzz_fclib), 0);
}
END

TEST(every_kept_set_of_points_has_a_hull_or_is_refused)
{
    ck_assert_int_gt(replay("hull", fuzz_hull), 0);
}
END

TEST(every_kept_matrix_market_file_is_read_or_refused)
{
    ck_assert_int_gt(replay("matrix_market", fuzz_matrix_market), 0);
}
END

TEST(every_kept_scene_is_read_or_refused)
{
    ck_assert_int_gt(replay("scene", fuzz_scene), 0);
}
END

TEST(every_kept_robot_is_read_or_refused)
{
    ck_assert_int_gt(replay("urdf", fuzz_urdf), 0);
    ck_assert_int_gt(replay("mjcf", fuzz_mjcf), 0);
}
END

TEST(every_kept_recording_is_read_or_refused)
{
    ck_assert_int_gt(replay("recording", fuzz_recording), 0);
}
END

TESTS(every_kept_session_of_calls_keeps_its_promises, every_kept_fclib_file_is_read_or_refused,
      every_kept_set_of_points_has_a_hull_or_is_refused,
      every_kept_matrix_market_file_is_read_or_refused, every_kept_scene_is_read_or_refused,
      every_kept_robot_is_read_or_refused, every_kept_recording_is_read_or_refused)

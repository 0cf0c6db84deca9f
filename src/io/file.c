// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Reading and writing of whole files. A new file grows beside its target under a name that nobody
// else has, is flushed, and takes the target's name in one step: rename() where the old file may
// go, link() where there must be none, so that no moment exists in which a reader sees half a file.

#include "io/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// ---------------------------------------------------------------- reading

static cairn_status read_all(cairn_bytes* bytes, int file, size_t size, const char* path,
                             cairn_error* error)
{
    char* data = malloc(size + 1);
    size_t have = 0;
    if (!data)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for its %zu bytes", path, size);
    while (have < size) {
        ssize_t got = read(file, data + have, size - have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0) {
            free(data);
            return cairn_fail(error, CAIRN_NO_FILE, "%s: cannot be read: %s", path,
                              strerror(errno));
        }
        if (got == 0)
            break;
        have += (size_t)got;
    }
    data[have] = 0;
    *bytes = (cairn_bytes){data, have};
    return CAIRN_OK;
}

cairn_status cairn_file_read(cairn_bytes* bytes, const char* path, cairn_error* error)
{
    struct stat about;
    cairn_status status;
    int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return cairn_fail(error, CAIRN_NO_FILE, "%s: cannot be opened: %s", path, strerror(errno));
    if (fstat(file, &about) != 0)
        status = cairn_fail(error, CAIRN_NO_FILE, "%s: cannot be read: %s", path, strerror(errno));
    else if (S_ISDIR(about.st_mode))
        status = cairn_fail(error, CAIRN_NO_FILE, "%s: is a directory, expected a file", path);
    else if (!S_ISREG(about.st_mode))
        status = cairn_fail(error, CAIRN_NO_FILE, "%s: is not a regular file", path);
    else
        status = read_all(bytes, file, (size_t)about.st_size, path, error);
    close(file);
    return status;
}

// ---------------------------------------------------------------- writing

cairn_status cairn_file_may_write(const char* path, bool force, cairn_error* error)
{
    struct stat about;
    if (stat(path, &about) != 0)
        return CAIRN_OK;
    if (S_ISDIR(about.st_mode))
        return cairn_fail(error, CAIRN_NO_FILE, "%s: is a directory, expected a file name", path);
    if (!force)
        return cairn_fail(error, CAIRN_NO_FILE,
                          "%s: exists already; it is replaced only when that is asked for", path);
    return CAIRN_OK;
}

static bool write_all(int file, const char* data, size_t size)
{
    while (size > 0) {
        ssize_t put = write(file, data, size);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return false;
        data += put;
        size -= (size_t)put;
    }
    return fsync(file) == 0;
}

int cairn_file_open_beside(char* beside, size_t room, const char* path)
{
    for (int attempt = 0; attempt < 1000; attempt++) {
        snprintf(beside, room, "%s.%ld-%d", path, (long)getpid(), attempt);
        int file = open(beside, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file >= 0 || errno != EEXIST)
            return file;
    }
    return -1;
}

bool cairn_file_take_name(const char* beside, const char* path, bool force)
{
    if (force)
        return rename(beside, path) == 0;
    if (link(beside, path) != 0)
        return false;
    unlink(beside);
    return true;
}

cairn_status cairn_file_write(const char* path, const void* data, size_t size, bool force,
                              cairn_error* error)
{
    cairn_status status = cairn_file_may_write(path, force, error);
    if (status != CAIRN_OK)
        return status;
    size_t room = strlen(path) + 40;
    char* beside = malloc(room);
    if (!beside)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to write it", path);
    int file = cairn_file_open_beside(beside, room, path);
    if (file < 0) {
        status =
            cairn_fail(error, CAIRN_NO_FILE, "%s: cannot be written: %s", path, strerror(errno));
        free(beside);
        return status;
    }
    bool done = write_all(file, data, size);
    int reason = errno;
    if (close(file) != 0 && done) {
        done = false;
        reason = errno;
    }
    if (done && !cairn_file_take_name(beside, path, force)) {
        done = false;
        reason = errno;
    }
    if (!done) {
        unlink(beside);
        status =
            cairn_fail(error, CAIRN_NO_FILE, "%s: cannot be written: %s", path, strerror(reason));
    }
    free(beside);
    return status;
}

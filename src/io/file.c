// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Reading and writing of whole files. A new file grows beside its target under a name that nobody
// else has, is flushed, and takes the target's name in one step: rename() where the old file may
// go, link() where there must be none, so that no moment exists in which a reader sees half a file.

#define _XOPEN_SOURCE 700 // realpath
#include "io/file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// "a device", when it is anything but a regular file; else NULL
static const char* special_name(mode_t mode)
{
    return S_ISREG(mode)    ? NULL
           : S_ISDIR(mode)  ? "a directory"
           : S_ISFIFO(mode) ? "a FIFO"
           : S_ISSOCK(mode) ? "a socket"
           : S_ISLNK(mode)  ? "a symbolic link"
                            : "a device";
}

// ---------------------------------------------------------------- kinds of files

static cairn_status look_at_text(cairn_file_head* head, cairn_error* error)
{
    if (memchr(head->bytes, 0, head->count))
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: is not a text file, it has zero bytes",
                          head->path);
    return CAIRN_OK;
}

static const unsigned char hdf5_signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

// The superblock (versions 0 and 1) says where the file ends; all the rest is judged by
// hdf5_check.c. A recording may grow while it is read, hence the slack.
static cairn_status look_at_hdf5(cairn_file_head* head, cairn_error* error)
{
    enum { slack = 1 << 26 };
    if (head->count < sizeof hdf5_signature ||
        memcmp(head->bytes, hdf5_signature, sizeof hdf5_signature) != 0)
        return cairn_fail(error, CAIRN_BAD_INPUT,
                          "%s: is not an HDF5 file, its first bytes are not HDF5's", head->path);
    if (head->count < 100 || head->bytes[8] > 1)
        return CAIRN_OK;
    uint64_t end = 0;
    int at = head->bytes[8] == 1 ? 44 : 40;
    for (int i = 7; i >= 0; i--)
        end = end << 8 | head->bytes[at + i];
    if (end < head->size && head->size - end > slack)
        head->load = end + slack;
    return CAIRN_OK;
}

enum { gibibyte = 1 << 30 };

const cairn_file_kind cairn_file_text = {gibibyte, look_at_text};
const cairn_file_kind cairn_file_bytes = {gibibyte, NULL};
const cairn_file_kind cairn_file_hdf5 = {0, look_at_hdf5};

// ---------------------------------------------------------------- reading

// fills `data` from the file's beginning; fewer bytes when the file is shorter, -1 on an error
static ssize_t read_start(int file, void* data, size_t size)
{
    size_t have = 0;
    while (have < size) {
        ssize_t got = pread(file, (char*)data + have, size - have, (off_t)have);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        have += (size_t)got;
    }
    return (ssize_t)have;
}

static cairn_status refused(const char* path, const char* what, cairn_error* error)
{
    return cairn_fail(error, CAIRN_NO_FILE, "%s: cannot be %s: %s", path, what, strerror(errno));
}

// opens a regular file and looks at its head; O_NONBLOCK keeps a FIFO from waiting for its writer
static cairn_status open_to_read(int* out, cairn_file_head* head, cairn_error* error)
{
    struct stat about;
    int file = open(head->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
    if (file < 0)
        return refused(head->path, "opened", error);

    // folders, sockets and devices are refused before anything is read from them
    cairn_status status = CAIRN_OK;
    if (fstat(file, &about) != 0) {
        status = refused(head->path, "read", error);
    } else if (special_name(about.st_mode)) {
        status = cairn_fail(error, CAIRN_NO_FILE, "%s: is %s, expected a file", head->path,
                            special_name(about.st_mode));
    } else {
        head->size = head->load = (uint64_t)about.st_size;
        ssize_t count = read_start(file, head->bytes, sizeof head->bytes);
        head->count = count > 0 ? (size_t)count : 0;
        if (count < 0)
            status = refused(head->path, "read", error);
    }

    if (status != CAIRN_OK)
        close(file);
    else
        *out = file;
    return status;
}

// what a kind without a bound of its own may load
static uint64_t machine_memory(void)
{
    long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (uint64_t)pages * (uint64_t)size : UINT64_MAX;
}

static cairn_status load(cairn_bytes* bytes, int file, const cairn_file_head* head, uint64_t most,
                         cairn_error* error)
{
    if (head->load > most)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: has %llu bytes, expected at most %llu",
                          head->path, (unsigned long long)head->load, (unsigned long long)most);

    char* data = malloc((size_t)head->load + 1);
    if (!data)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory for its %llu bytes", head->path,
                          (unsigned long long)head->load);

    ssize_t have = read_start(file, data, (size_t)head->load);
    if (have < 0) {
        free(data);
        return refused(head->path, "read", error);
    }

    data[have] = 0;
    *bytes = (cairn_bytes){data, (size_t)have};
    return CAIRN_OK;
}

cairn_status cairn_file_read(cairn_bytes* bytes, const char* path, const cairn_file_kind* kind,
                             cairn_error* error)
{
    int file = -1;
    cairn_file_head head = {.path = path};
    cairn_status status = open_to_read(&file, &head, error);
    if (status != CAIRN_OK)
        return status;
    if (kind->look)
        status = kind->look(&head, error);
    if (status == CAIRN_OK)
        status = load(bytes, file, &head, kind->most ? kind->most : machine_memory(), error);
    close(file);
    return status;
}

bool cairn_file_is_hdf5(const char* path)
{
    int file = -1;
    cairn_file_head head = {.path = path};
    if (open_to_read(&file, &head, NULL) != CAIRN_OK)
        return false;
    close(file);
    return look_at_hdf5(&head, NULL) == CAIRN_OK;
}

// ---------------------------------------------------------------- where a file may be put

// whether two paths have the same directory; the second is resolved already
static bool same_directory(const char* path, const char* resolved)
{
    const char* slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) + 1 : 0;
    char* folder = malloc(length + 2);
    if (!folder)
        return false;

    memcpy(folder, path, length);
    memcpy(folder + length, ".", 2);
    char* real = realpath(folder, NULL);
    free(folder);

    size_t parent = (size_t)(strrchr(resolved, '/') - resolved);
    bool same =
        real && (parent == 0 ? strcmp(real, "/") == 0
                             : strlen(real) == parent && strncmp(real, resolved, parent) == 0);

    free(real);
    return same;
}

// the file that a symbolic link stands for; `target` is freed by the caller
static cairn_status follow_link(char** target, const char* path, cairn_error* error)
{
    struct stat about;

    char* resolved = realpath(path, NULL);
    if (!resolved && errno == ENOMEM)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to write it", path);
    if (!resolved || stat(resolved, &about) != 0) {
        free(resolved);
        return cairn_fail(error, CAIRN_NO_FILE,
                          "%s: is a symbolic link that leads nowhere, expected a regular file",
                          path);
    }

    // the link is followed only within its directory: elsewhere the user names the file itself
    cairn_status status = CAIRN_OK;
    if (special_name(about.st_mode))
        status = cairn_fail(error, CAIRN_NO_FILE,
                            "%s: is a symbolic link to %s, expected a regular file", path,
                            special_name(about.st_mode));
    else if (!same_directory(path, resolved))
        status = cairn_fail(error, CAIRN_NO_FILE,
                            "%s: is a symbolic link to %s in another directory; name that file "
                            "itself to write it",
                            path, resolved);

    if (status != CAIRN_OK)
        free(resolved);
    else
        *target = resolved;
    return status;
}

// whether a new file may take the name; `target`, when it is not NULL afterwards, is the file that
// the name stands for
static cairn_status judge_target(char** target, const char* path, bool force, cairn_error* error)
{
    struct stat about;
    *target = NULL;

    if (lstat(path, &about) != 0)
        return CAIRN_OK;
    if (S_ISLNK(about.st_mode)) {
        cairn_status status = follow_link(target, path, error);
        if (status != CAIRN_OK)
            return status;
    } else if (special_name(about.st_mode)) {
        return cairn_fail(error, CAIRN_NO_FILE, "%s: is %s, expected the name of a regular file",
                          path, special_name(about.st_mode));
    }

    if (force)
        return CAIRN_OK;

    free(*target);
    *target = NULL;
    return cairn_fail(error, CAIRN_NO_FILE, "%s: exists already; --force overwrites it", path);
}

cairn_status cairn_file_may_write(const char* path, bool force, cairn_error* error)
{
    char* target;
    cairn_status status = judge_target(&target, path, force, error);
    free(target);
    return status;
}

// ---------------------------------------------------------------- writing

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

cairn_status cairn_file_take_name(const char* beside, const char* path, bool force,
                                  cairn_error* error)
{
    char* target;
    cairn_status status = judge_target(&target, path, force, error);

    if (status == CAIRN_OK && force) {
        if (rename(beside, target ? target : path) != 0)
            status = refused(path, "written", error);
    } else if (status == CAIRN_OK) {
        // another program may have made the file since the check
        if (link(beside, path) == 0)
            unlink(beside);
        else if (errno != EEXIST || (status = cairn_file_may_write(path, false, error)) == CAIRN_OK)
            status = refused(path, "written", error);
    }

    free(target);
    if (status != CAIRN_OK)
        unlink(beside);
    return status;
}

cairn_status cairn_file_write(const char* path, const void* data, size_t size, bool force,
                              cairn_error* error)
{
    cairn_status status = cairn_file_may_write(path, force, error);
    if (status != CAIRN_OK)
        return status;

    // the bytes go to a file beside it, which takes the name when it is whole
    size_t room = strlen(path) + 40;
    char* beside = malloc(room);
    if (!beside)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to write it", path);
    int file = cairn_file_open_beside(beside, room, path);
    if (file < 0) {
        status = refused(path, "written", error);
        free(beside);
        return status;
    }

    // a write error may show only when the file is closed
    bool done = write_all(file, data, size);
    int reason = errno;
    if (close(file) != 0 && done) {
        done = false;
        reason = errno;
    }

    if (done) {
        status = cairn_file_take_name(beside, path, force, error);
    } else {
        unlink(beside);
        errno = reason;
        status = refused(path, "written", error);
    }

    free(beside);
    return status;
}

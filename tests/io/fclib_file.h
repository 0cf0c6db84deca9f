// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// FCLib files made by hand with HDF5 alone, for tests of the reader: any form of matrix, any
// damage.
#ifndef CAIRN_TESTS_FCLIB_FILE_H
#define CAIRN_TESTS_FCLIB_FILE_H

#include "check_cairn.h"
#include <hdf5.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

typedef enum form { BY_COLUMNS, BY_ROWS, TRIPLETS, TRIPLETS_AS_DOCUMENTED } form;

/// A name in a folder of the test's own, which is empty at the start of every test.
static inline const char* scratch(const char* name)
{
    static char path[4][256];
    static int next;
    char* to = path[next++ % 4];
    snprintf(to, sizeof path[0], "%s/cairn-test-%ld-%s", check_cairn_folder(), (long)getpid(),
             name);
    return to;
}

static inline void put(hid_t file, const char* name, hid_t type, const void* values, int count)
{
    hsize_t size = (hsize_t)count;
    hid_t space = H5Screate_simple(1, &size, NULL);
    if (H5Lexists(file, name, H5P_DEFAULT) > 0)
        H5Ldelete(file, name, H5P_DEFAULT);
    hid_t set = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_msg(set >= 0, "%s cannot be made", name);
    H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Dclose(set);
    H5Sclose(space);
}

static inline void put_ints(hid_t file, const char* name, const int* values, int count)
{
    put(file, name, H5T_NATIVE_INT, values, count);
}

static inline void put_int(hid_t file, const char* name, int value)
{
    put_ints(file, name, &value, 1);
}

static inline void put_doubles(hid_t file, const char* name, const double* values, int count)
{
    put(file, name, H5T_NATIVE_DOUBLE, values, count);
}

static inline void get_doubles(hid_t file, const char* name, double* values, int count)
{
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT);
    hid_t space = H5Dget_space(set);
    ck_assert_msg(H5Sget_simple_extent_npoints(space) == count, "%s has another size", name);
    H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    H5Sclose(space);
    H5Dclose(set);
}

static inline void put_group(hid_t file, const char* name)
{
    hid_t group = H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_msg(group >= 0, "%s cannot be made", name);
    H5Gclose(group);
}

/// A dense row-major matrix in one of the forms, zeros left out; triplets give their first entry in
/// two halves, and announce more room than they fill.
static inline void put_matrix(hid_t file, const char* group, form how, int m, int n,
                              const double* dense)
{
    int p[256], i[256], count = 0;
    double x[256];
    bool compressed = how == BY_COLUMNS || how == BY_ROWS;
    int majors = how == BY_ROWS ? m : n, minors = how == BY_ROWS ? n : m;
    for (int major = 0; major < majors; major++) {
        if (compressed)
            p[major] = count;
        for (int minor = 0; minor < minors; minor++) {
            double value = how == BY_ROWS ? dense[major * n + minor] : dense[minor * n + major];
            if (value == 0.0)
                continue;
            int times = !compressed && count == 0 ? 2 : 1;
            for (int half = 0; half < times; half++) {
                if (!compressed)
                    p[count] = how == TRIPLETS ? major : minor;
                i[count] = how == TRIPLETS_AS_DOCUMENTED ? major : minor;
                x[count] = value;
                count++;
            }
        }
    }
    if (!compressed && count > 1) {
        x[0] *= 0.25;
        x[1] *= 0.75;
    }
    if (compressed)
        p[majors] = count;
    char name[80];
    const struct {
        const char* child;
        int value;
    } sizes[] = {{"nzmax", compressed ? count : count + 7},
                 {"m", m},
                 {"n", n},
                 {"nz", how == BY_COLUMNS ? -1
                        : how == BY_ROWS  ? -2
                                          : count}};
    put_group(file, group);
    for (int k = 0; k < 4; k++) {
        snprintf(name, sizeof name, "%s/%s", group, sizes[k].child);
        put_int(file, name, sizes[k].value);
    }
    snprintf(name, sizeof name, "%s/p", group);
    put_ints(file, name, p, compressed ? majors + 1 : count);
    snprintf(name, sizeof name, "%s/i", group);
    put_ints(file, name, i, count);
    snprintf(name, sizeof name, "%s/x", group);
    put_doubles(file, name, x, count);
}

static inline hid_t make_file(const char* path)
{
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_msg(file >= 0, "%s cannot be made", path);
    return file;
}

/// Two contacts in space: W with a coupling, q, μ.
static const double small_W[36] = {2.0, 0.0, 0.1, 0.5, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0,
                                   0.1, 0.0, 4.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 2.5, 0.0, 0.2,
                                   0.0, 0.0, 0.0, 0.0, 3.5, 0.0, 0.0, 0.0, 0.0, 0.2, 0.0, 4.5};
static const double small_q[6] = {-1.0, 0.5, 0.25, -2.0, 0.0, 1.0};
static const double small_mu[2] = {0.3, 0.7};

static inline void fill_small_local(hid_t file, form how)
{
    put_group(file, "/fclib_local");
    put_int(file, "/fclib_local/spacedim", 3);
    put_matrix(file, "/fclib_local/W", how, 6, 6, small_W);
    put_group(file, "/fclib_local/vectors");
    put_doubles(file, "/fclib_local/vectors/q", small_q, 6);
    put_doubles(file, "/fclib_local/vectors/mu", small_mu, 2);
}

static inline void make_small_local(const char* path, form how)
{
    hid_t file = make_file(path);
    fill_small_local(file, how);
    H5Fclose(file);
}

#endif

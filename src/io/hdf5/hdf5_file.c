// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Arrays in HDF5 files, read with distrust: names are followed by hard links only (a link may lead
// to another file), arrays are contiguous or compact (others take code of HDF5 that trusts the
// file), types are the standard ones, and no array may hold more numbers than its file has bytes.

#include "io/hdf5/hdf5_file.h"
#include "io/hdf5/hdf5_check.h"
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { image_step = 1 << 16 };

cairn_hdf5_quiet cairn_hdf5_hush(void)
{
    cairn_hdf5_quiet quiet = {0};
    H5Eget_auto2(H5E_DEFAULT, &quiet.print, &quiet.data);
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
    return quiet;
}

void cairn_hdf5_loud(cairn_hdf5_quiet quiet)
{
    H5Eclear2(H5E_DEFAULT);
    H5Eset_auto2(H5E_DEFAULT, quiet.print, quiet.data);
}

// ---------------------------------------------------------------- files in memory

static hid_t memory_access(const cairn_bytes* image)
{
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (access < 0)
        return access;
    if (H5Pset_fapl_core(access, image_step, false) < 0 ||
        (image && H5Pset_file_image(access, image->data, image->size) < 0)) {
        H5Pclose(access);
        return H5I_INVALID_HID;
    }
    return access;
}

// HDF5 takes files of the same name for one file, and refuses bytes under the name of a file on
// disk: this makes a name that is unique and on no disk
typedef struct memory_name {
    char text[64];
} memory_name;

static memory_name name_for(const cairn_hdf5* file)
{
    memory_name name;
    snprintf(name.text, sizeof name.text, "/dev/null/cairn-%p", (const void*)file);
    return name;
}

cairn_status cairn_hdf5_open(cairn_hdf5* in, const cairn_bytes* bytes, const char* path,
                             bool change, cairn_error* error)
{
    cairn_status status = cairn_hdf5_check(bytes->data, bytes->size, path, change, error);
    if (status != CAIRN_OK)
        return status;
    *in = (cairn_hdf5){H5I_INVALID_HID, path, bytes->size, error};
    hid_t access = memory_access(bytes);
    if (access < 0)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to open it", path);
    in->file = H5Fopen(name_for(in).text, change ? H5F_ACC_RDWR : H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (in->file < 0)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: is damaged, HDF5 cannot open it", path);
    return CAIRN_OK;
}

cairn_status cairn_hdf5_create(cairn_hdf5* out, const char* path, cairn_error* error)
{
    *out = (cairn_hdf5){H5I_INVALID_HID, path, 0, error};
    hid_t access = memory_access(NULL);
    out->file =
        access < 0 ? access : H5Fcreate(name_for(out).text, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    if (out->file < 0)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to make it", path);
    return CAIRN_OK;
}

void cairn_hdf5_close(cairn_hdf5* in)
{
    if (in->file >= 0)
        H5Fclose(in->file);
    in->file = H5I_INVALID_HID;
}

// ---------------------------------------------------------------- reading

bool cairn_hdf5_has(const cairn_hdf5* in, const char* name)
{
    // every link on the way must be hard: others may lead out of the file
    char part[128];
    size_t length = strlen(name);
    if (length >= sizeof part)
        return false;

    for (size_t i = 1; i <= length; i++) {
        if (name[i] != '/' && name[i] != 0)
            continue;
        H5L_info_t link;
        memcpy(part, name, i);
        part[i] = 0;

        if (H5Lexists(in->file, part, H5P_DEFAULT) <= 0 ||
            H5Lget_info(in->file, part, &link, H5P_DEFAULT) < 0 || link.type != H5L_TYPE_HARD)
            return false;
    }
    return true;
}

static bool is_one_of(hid_t type, const hid_t* standard, int count)
{
    for (int i = 0; i < count; i++)
        if (H5Tequal(type, standard[i]) > 0)
            return true;
    return false;
}

static bool is_integer(hid_t type)
{
    const hid_t standard[] = {H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_I16LE, H5T_STD_I8LE,
                              H5T_STD_U32LE, H5T_STD_U16LE, H5T_STD_U8LE,  H5T_STD_I32BE,
                              H5T_STD_I64BE, H5T_STD_I16BE, H5T_STD_U32BE, H5T_STD_U16BE};
    return is_one_of(type, standard, (int)(sizeof standard / sizeof standard[0]));
}

static bool is_real(hid_t type)
{
    const hid_t standard[] = {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE};
    return is_one_of(type, standard, (int)(sizeof standard / sizeof standard[0]));
}

static bool is_plain(hid_t dataset)
{
    hid_t list = H5Dget_create_plist(dataset);
    if (list < 0)
        return false;
    H5D_layout_t layout = H5Pget_layout(list);
    bool plain = (layout == H5D_CONTIGUOUS || layout == H5D_COMPACT) &&
                 H5Pget_external_count(list) == 0 && H5Pget_nfilters(list) == 0;
    H5Pclose(list);
    return plain;
}

static cairn_status check_dataset(const cairn_hdf5* in, hid_t dataset, const char* name, bool real,
                                  int* count)
{
    hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    hssize_t points = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;
    bool right = type >= 0 && (real ? is_real(type) : is_integer(type));

    H5Sclose(space);
    H5Tclose(type);

    if (!right)
        return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s is of another type, expected %s",
                          in->path, name, real ? "floating-point numbers" : "integers");

    if (!is_plain(dataset))
        return cairn_fail(in->error, CAIRN_BAD_INPUT,
                          "%s: %s is stored in pieces or compressed, expected a contiguous array "
                          "(h5repack -l CONTI makes one)",
                          in->path, name);
    if (points < 0 || (uint64_t)points > in->size || points > INT_MAX)
        return cairn_fail(in->error, CAIRN_BAD_INPUT,
                          "%s: %s announces %lld numbers, more than its file can hold", in->path,
                          name, (long long)points);

    *count = (int)points;
    return CAIRN_OK;
}

// the numbers of a dataset as `memory` type, 8 bytes each
static cairn_status read_array(const cairn_hdf5* in, void** values, int* count, const char* name,
                               bool real)
{
    if (!cairn_hdf5_has(in, name))
        return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s is missing", in->path, name);

    hid_t dataset = H5Dopen2(in->file, name, H5P_DEFAULT);
    if (dataset < 0)
        return cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s cannot be read, expected an array",
                          in->path, name);

    // both kinds of numbers take 8 bytes; HDF5 converts from those of the file
    void* array = NULL;
    cairn_status status = check_dataset(in, dataset, name, real, count);
    if (status == CAIRN_OK) {
        array = calloc((size_t)*count + 1, 8);
        if (!array)
            status = cairn_fail(in->error, CAIRN_NO_MEMORY, "%s: no memory for %s", in->path, name);
        else if (*count > 0 && H5Dread(dataset, real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_INT64,
                                       H5S_ALL, H5S_ALL, H5P_DEFAULT, array) < 0)
            status = cairn_fail(in->error, CAIRN_BAD_INPUT,
                                "%s: %s cannot be read, the file is damaged", in->path, name);
    }

    H5Dclose(dataset);
    if (status != CAIRN_OK)
        free(array);
    else
        *values = array;
    return status;
}

cairn_status cairn_hdf5_read_doubles(const cairn_hdf5* in, double** values, int* count,
                                     const char* name)
{
    void* array = NULL;
    cairn_status status = read_array(in, &array, count, name, true);
    if (status != CAIRN_OK)
        return status;

    double* x = array;
    for (int k = 0; k < *count; k++)
        if (!isfinite(x[k])) {
            status =
                cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s[%d] is %g, expected a finite number",
                           in->path, name, k, x[k]);
            free(x);
            return status;
        }

    *values = x;
    return CAIRN_OK;
}

cairn_status cairn_hdf5_read_ints(const cairn_hdf5* in, int** values, int* count, const char* name)
{
    void* array = NULL;
    cairn_status status = read_array(in, &array, count, name, false);
    if (status != CAIRN_OK)
        return status;

    // files may hold 64 bits where 32 are meant
    const int64_t* wide = array;
    int* x = malloc((size_t)*count * sizeof(int) + 1);
    if (!x)
        status = cairn_fail(in->error, CAIRN_NO_MEMORY, "%s: no memory for %s", in->path, name);
    for (int k = 0; x && k < *count && status == CAIRN_OK; k++) {
        x[k] = (int)wide[k];
        if (wide[k] < INT_MIN || wide[k] > INT_MAX)
            status = cairn_fail(in->error, CAIRN_BAD_INPUT,
                                "%s: %s[%d] is %lld, expected an integer of 32 bits", in->path,
                                name, k, (long long)wide[k]);
    }

    free(array);
    if (status != CAIRN_OK)
        free(x);
    else
        *values = x;
    return status;
}

cairn_status cairn_hdf5_read_int(const cairn_hdf5* in, int* value, const char* name)
{
    int* values = NULL;
    int count = 0;
    cairn_status status = cairn_hdf5_read_ints(in, &values, &count, name);
    if (status != CAIRN_OK)
        return status;
    if (count == 1)
        *value = values[0];
    else
        status = cairn_fail(in->error, CAIRN_BAD_INPUT, "%s: %s has %d numbers, expected one",
                            in->path, name, count);
    free(values);
    return status;
}

// ---------------------------------------------------------------- writing

static cairn_status cannot(const cairn_hdf5* out, const char* name)
{
    return cairn_fail(out->error, CAIRN_NO_MEMORY, "%s: no memory to write %s", out->path, name);
}

cairn_status cairn_hdf5_make_group(const cairn_hdf5* out, const char* name)
{
    hid_t group = H5Gcreate2(out->file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    if (group < 0)
        return cannot(out, name);
    H5Gclose(group);
    return CAIRN_OK;
}

// gives the space back
static cairn_status write_in(const cairn_hdf5* out, const char* name, hid_t type, hid_t space,
                             const void* values, int count)
{
    // without the time of day: the same problem gives the same bytes
    hid_t how = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(how, false);
    hid_t set = H5Dcreate2(out->file, name, type, space, H5P_DEFAULT, how, H5P_DEFAULT);
    bool done =
        set >= 0 && (count == 0 || H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Dclose(set);
    H5Pclose(how);
    H5Sclose(space);
    return done ? CAIRN_OK : cannot(out, name);
}

static cairn_status write_array(const cairn_hdf5* out, const char* name, hid_t type,
                                const void* values, int count)
{
    hsize_t size = (hsize_t)count;
    return write_in(out, name, type, H5Screate_simple(1, &size, NULL), values, count);
}

cairn_status cairn_hdf5_write_text(const cairn_hdf5* out, const char* name, const char* text)
{
    hid_t type = H5Tcopy(H5T_C_S1);
    H5Tset_size(type, strlen(text) + 1);
    cairn_status status = write_in(out, name, type, H5Screate(H5S_SCALAR), text, 1);
    H5Tclose(type);
    return status;
}

cairn_status cairn_hdf5_write_ints(const cairn_hdf5* out, const char* name, const int* values,
                                   int count)
{
    return write_array(out, name, H5T_NATIVE_INT, values, count);
}

cairn_status cairn_hdf5_write_doubles(const cairn_hdf5* out, const char* name, const double* values,
                                      int count)
{
    return write_array(out, name, H5T_NATIVE_DOUBLE, values, count);
}

cairn_status cairn_hdf5_remove(const cairn_hdf5* out, const char* name)
{
    if (!cairn_hdf5_has(out, name))
        return CAIRN_OK;
    if (H5Ldelete(out->file, name, H5P_DEFAULT) < 0)
        return cairn_fail(out->error, CAIRN_BAD_INPUT, "%s: %s cannot be replaced", out->path,
                          name);
    return CAIRN_OK;
}

cairn_status cairn_hdf5_bytes(const cairn_hdf5* out, cairn_bytes* bytes)
{
    ssize_t size = -1;
    if (H5Fflush(out->file, H5F_SCOPE_GLOBAL) >= 0)
        size = H5Fget_file_image(out->file, NULL, 0);
    char* data = size > 0 ? malloc((size_t)size) : NULL;
    if (!data || H5Fget_file_image(out->file, data, (size_t)size) != size) {
        free(data);
        return cairn_fail(out->error, CAIRN_NO_MEMORY, "%s: no memory for its bytes", out->path);
    }
    *bytes = (cairn_bytes){data, (size_t)size};
    return CAIRN_OK;
}

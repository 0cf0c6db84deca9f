// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Triangle meshes from Wavefront OBJ and STL (text and binary). OBJ: `v x y z` and `f a b c ...`
// with 1-based or negative indices, v/vt/vn accepted, polygons cut into fans; everything else in
// the file is passed over. STL repeats its corners for every triangle; equal corners become one
// vertex, so that neighbors find each other. Units are taken as meters.

#include "io/file.h"
#include <cairn/io.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct builder {
    const char* path;
    cairn_error* error;
    cairn_vec3* vertices;
    int vertex_count, vertex_capacity;
    int* triangles;
    int triangle_count, triangle_capacity;
} builder;

static cairn_status no_memory(const builder* b)
{
    return cairn_fail(b->error, CAIRN_NO_MEMORY, "%s: no memory for the mesh", b->path);
}

// ---------------------------------------------------------------- growing

static cairn_status add_vertex(builder* b, cairn_vec3 v)
{
    if (b->vertex_count == b->vertex_capacity) {
        int capacity = 2 * b->vertex_capacity + 256;
        cairn_vec3* vertices = realloc(b->vertices, (size_t)capacity * sizeof *vertices);
        if (!vertices)
            return no_memory(b);
        b->vertices = vertices;
        b->vertex_capacity = capacity;
    }
    b->vertices[b->vertex_count++] = v;
    return CAIRN_OK;
}

static cairn_status add_triangle(builder* b, int i, int j, int k)
{
    if (b->triangle_count == b->triangle_capacity) {
        int capacity = 2 * b->triangle_capacity + 256;
        int* triangles = realloc(b->triangles, 3 * (size_t)capacity * sizeof *triangles);
        if (!triangles)
            return no_memory(b);
        b->triangles = triangles;
        b->triangle_capacity = capacity;
    }
    int* t = &b->triangles[3 * b->triangle_count++];
    t[0] = i;
    t[1] = j;
    t[2] = k;
    return CAIRN_OK;
}

// ---------------------------------------------------------------- text

// the lines of a text in memory, each ended by a zero in place of its end of line
typedef struct lines {
    char *at, *end, *line;
    int number;
} lines;

static bool next_line(lines* l)
{
    if (l->at >= l->end)
        return false;
    char* stop = memchr(l->at, '\n', (size_t)(l->end - l->at));
    l->line = l->at;
    l->at = stop ? stop + 1 : l->end;
    if (stop)
        *stop = '\0';
    l->number++;
    return true;
}

static bool parse_three(const char* text, cairn_vec3* v)
{
    char* end;
    double x[3];
    for (int i = 0; i < 3; i++) {
        x[i] = strtod(text, &end);
        if (end == text || !isfinite(x[i]))
            return false;
        text = end;
    }
    *v = cairn_vec(x[0], x[1], x[2]);
    return true;
}

static bool starts_with(const char* text, const char* word)
{
    size_t n = strlen(word);
    return strncmp(text, word, n) == 0 && (text[n] == '\0' || isspace((unsigned char)text[n]));
}

static const char* skip_space(const char* text)
{
    while (isspace((unsigned char)*text))
        text++;
    return text;
}

// ---------------------------------------------------------------- OBJ

static cairn_status read_face(builder* b, const char* text, int line)
{
    int corner[2] = {-1, -1}, count = 0;
    for (text = skip_space(text); *text; text = skip_space(text)) {
        char* end;
        long index = strtol(text, &end, 10);
        long v = index > 0 ? index - 1 : b->vertex_count + index;

        if (end == text || index == 0 || v < 0 || v >= b->vertex_count)
            return cairn_fail(b->error, CAIRN_BAD_INPUT,
                              "%s: line %d: corner %d of the face is not a vertex", b->path, line,
                              count + 1);

        // textures and normals follow a slash: only the vertex counts
        while (*end && !isspace((unsigned char)*end))
            end++;
        text = end;

        if (count >= 2) {
            cairn_status status = add_triangle(b, corner[0], corner[1], (int)v);
            if (status != CAIRN_OK)
                return status;
        }

        // a polygon becomes a fan of triangles around its first corner
        corner[count == 0 ? 0 : 1] = (int)v;
        count++;
    }

    if (count < 3)
        return cairn_fail(b->error, CAIRN_BAD_INPUT, "%s: line %d: a face of %d corners", b->path,
                          line, count);
    return CAIRN_OK;
}

static cairn_status read_obj(builder* b, const cairn_bytes* bytes)
{
    lines l = {.at = bytes->data, .end = bytes->data + bytes->size};
    cairn_status status = CAIRN_OK;
    while (status == CAIRN_OK && next_line(&l)) {
        const char* line = skip_space(l.line);
        cairn_vec3 v;

        if (starts_with(line, "v")) {
            if (!parse_three(line + 1, &v))
                return cairn_fail(b->error, CAIRN_BAD_INPUT,
                                  "%s: line %d: a vertex needs three finite numbers", b->path,
                                  l.number);
            status = add_vertex(b, v);
        } else if (starts_with(line, "f")) {
            status = read_face(b, line + 1, l.number);
        }
    }
    return status;
}

// ---------------------------------------------------------------- STL

static cairn_status read_stl_text(builder* b, const cairn_bytes* bytes)
{
    lines l = {.at = bytes->data, .end = bytes->data + bytes->size};
    while (next_line(&l)) {
        const char* line = skip_space(l.line);
        cairn_vec3 v;

        if (!starts_with(line, "vertex"))
            continue;

        if (!parse_three(line + 6, &v))
            return cairn_fail(b->error, CAIRN_BAD_INPUT,
                              "%s: line %d: a vertex needs three finite numbers", b->path,
                              l.number);
        cairn_status status = add_vertex(b, v);
        if (status != CAIRN_OK)
            return status;
    }

    if (b->vertex_count % 3 != 0)
        return cairn_fail(b->error, CAIRN_BAD_INPUT, "%s: the last facet has %d corners", b->path,
                          b->vertex_count % 3);
    return CAIRN_OK;
}

enum { stl_header = 84, stl_facet = 50 };

static uint32_t stl_count(const cairn_bytes* bytes)
{
    const uint8_t* d = (const uint8_t*)bytes->data + 80;
    return (uint32_t)d[0] | (uint32_t)d[1] << 8 | (uint32_t)d[2] << 16 | (uint32_t)d[3] << 24;
}

static bool is_stl_binary(const cairn_bytes* bytes)
{
    return bytes->size >= stl_header &&
           bytes->size == stl_header + (size_t)stl_facet * stl_count(bytes);
}

// a binary one is exactly as long as its count says; any other is text
static cairn_status look_at_stl(cairn_file_head* head, cairn_error* error)
{
    cairn_bytes start = {(char*)head->bytes, head->count};
    if (head->count >= stl_header &&
        head->size == stl_header + (uint64_t)stl_facet * stl_count(&start))
        return CAIRN_OK;
    return cairn_file_text.look(head, error);
}

static const cairn_file_kind stl_kind = {1 << 30, look_at_stl};

static float little_float(const uint8_t* d)
{
    uint32_t bits =
        (uint32_t)d[0] | (uint32_t)d[1] << 8 | (uint32_t)d[2] << 16 | (uint32_t)d[3] << 24;
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static cairn_status read_stl_binary(builder* b, const cairn_bytes* bytes)
{
    const uint8_t* data = (const uint8_t*)bytes->data;
    uint32_t count = stl_count(bytes);
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t* facet = data + stl_header + (size_t)stl_facet * i;
        for (int corner = 0; corner < 3; corner++) {
            const uint8_t* d = facet + 12 + 12 * corner;
            cairn_vec3 v = cairn_vec(little_float(d), little_float(d + 4), little_float(d + 8));

            if (!cairn_is_finite(v))
                return cairn_fail(b->error, CAIRN_BAD_INPUT, "%s: facet %u is not finite", b->path,
                                  i + 1);

            cairn_status status = add_vertex(b, v);
            if (status != CAIRN_OK)
                return status;
        }
    }

    return CAIRN_OK;
}

static int compare_corners(const void* a, const void* b)
{
    const cairn_vec3 *p = *(const cairn_vec3*const*)a, *q = *(const cairn_vec3*const*)b;
    if (p->x != q->x)
        return p->x < q->x ? -1 : 1;
    if (p->y != q->y)
        return p->y < q->y ? -1 : 1;
    if (p->z != q->z)
        return p->z < q->z ? -1 : 1;
    return (p > q) - (p < q);
}

// three corners a triangle; equal corners get the index of the first
static cairn_status join_corners(builder* b)
{
    int n = b->vertex_count;
    const cairn_vec3** sorted = malloc((size_t)n * sizeof *sorted + 1);
    int* index = malloc((size_t)n * sizeof *index + 1);
    cairn_status status = sorted && index ? CAIRN_OK : no_memory(b);

    for (int i = 0; status == CAIRN_OK && i < n; i++)
        sorted[i] = &b->vertices[i];
    if (status == CAIRN_OK && n > 0)
        qsort(sorted, (size_t)n, sizeof *sorted, compare_corners);

    // equal corners are neighbors once they are sorted
    for (int i = 0, first = 0; status == CAIRN_OK && i < n; i++) {
        const cairn_vec3 *p = sorted[i], *q = sorted[first];
        if (p->x != q->x || p->y != q->y || p->z != q->z)
            first = i;
        index[p - b->vertices] = (int)(sorted[first] - b->vertices);
    }

    for (int i = 0; status == CAIRN_OK && i < n; i += 3)
        status = add_triangle(b, index[i], index[i + 1], index[i + 2]);

    free(sorted);
    free(index);
    return status;
}

static cairn_status read_stl(builder* b, const cairn_bytes* bytes)
{
    cairn_status status =
        is_stl_binary(bytes) ? read_stl_binary(b, bytes) : read_stl_text(b, bytes);
    return status == CAIRN_OK ? join_corners(b) : status;
}

// ---------------------------------------------------------------- by the name's ending

static bool ends_with(const char* path, const char* ending)
{
    size_t n = strlen(path), m = strlen(ending);
    if (n < m)
        return false;
    for (size_t i = 0; i < m; i++)
        if (tolower((unsigned char)path[n - m + i]) != ending[i])
            return false;
    return true;
}

cairn_status cairn_mesh_read(const char* path, cairn_mesh** mesh, cairn_error* error)
{
    if (!mesh || !path)
        return cairn_refuse_null(error, "the place for the mesh or the path");

    // the name tells the format: OBJ is text, STL is text or binary
    builder b = {.path = path, .error = error};
    cairn_bytes bytes;
    bool obj = ends_with(path, ".obj");
    if (!obj && !ends_with(path, ".stl"))
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: expected a name that ends in .obj or .stl",
                          path);

    cairn_status status = cairn_file_read(&bytes, path, obj ? &cairn_file_text : &stl_kind, error);
    if (status != CAIRN_OK)
        return status;

    status = obj ? read_obj(&b, &bytes) : read_stl(&b, &bytes);
    if (status == CAIRN_OK && b.triangle_count == 0)
        status = cairn_fail(error, CAIRN_BAD_INPUT, "%s: no triangles", path);

    // the mesh finds its own faults, and the message says in which file
    if (status == CAIRN_OK) {
        cairn_mesh_def def = {b.vertices, b.vertex_count, b.triangles, b.triangle_count};
        cairn_error reason = {{0}};
        status = cairn_mesh_create(&def, mesh, &reason);
        if (status != CAIRN_OK)
            cairn_fail(error, status, "%s: %.400s", path, reason.text);
    }

    free(b.vertices);
    free(b.triangles);
    free(bytes.data);
    return status;
}

// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// XML by expat into a tree. Every allocation of the tree is from a pool, so that a reader that
// gives up has one thing to free.

#include "io/robot/xml.h"
#include <ctype.h>
#include <expat.h>
#include <stdlib.h>
#include <string.h>

enum { chunk_size = 1 << 16, most_depth = 200, most_elements = 1000000, most_bytes = 1 << 28 };

// ---------------------------------------------------------------- memory

typedef struct xml_chunk {
    struct xml_chunk* next;
    max_align_t data[];
} xml_chunk;

void* xml_take(xml_pool* pool, size_t size)
{
    size_t unit = sizeof(max_align_t);
    if (size > (size_t)1 << 40)
        return NULL;
    size = (size + unit - 1) / unit * unit;
    if (size > pool->left) {
        size_t room = size > chunk_size ? size : chunk_size;
        xml_chunk* chunk = calloc(1, sizeof *chunk + room);
        if (!chunk)
            return NULL;
        chunk->next = pool->chunks;
        pool->chunks = chunk;
        pool->left = room;
    }

    // from the end of the room to its start
    pool->left -= size;
    return (char*)pool->chunks->data + pool->left;
}

const char* xml_copy(xml_pool* pool, const char* text, size_t length)
{
    char* copy = xml_take(pool, length + 1);
    if (copy)
        memcpy(copy, text, length);
    return copy;
}

void xml_free(xml_pool* pool)
{
    for (xml_chunk* chunk = pool->chunks; chunk;) {
        xml_chunk* next = chunk->next;
        free(chunk);
        chunk = next;
    }
    *pool = (xml_pool){0};
}

// ---------------------------------------------------------------- parsing

typedef struct parse {
    XML_Parser parser;
    xml_pool* pool;
    const char* file;
    xml_element *root, *at;
    int depth, count;
    char* text; // since the last tag
    size_t text_size, text_room;
    cairn_status status;
    cairn_error* error;
} parse;

static int line_of(const parse* p)
{
    return (int)XML_GetCurrentLineNumber(p->parser);
}

static void stop(parse* p, cairn_status status)
{
    p->status = status;
    XML_StopParser(p->parser, XML_FALSE);
}

static void starve(parse* p)
{
    stop(p, cairn_fail(p->error, CAIRN_NO_MEMORY, "%s: no memory to read it", p->file));
}

static bool copy_attributes(parse* p, xml_element* element, const char** given)
{
    int count = 0;
    while (given[2 * count])
        count++;

    element->attributes = xml_take(p->pool, (size_t)(count + 1) * sizeof *element->attributes);
    if (!element->attributes)
        return false;

    for (int i = 0; i < count; i++) {
        const char *name = given[2 * i], *value = given[2 * i + 1];
        element->attributes[i].name = xml_copy(p->pool, name, strlen(name));
        element->attributes[i].value = xml_copy(p->pool, value, strlen(value));
        if (!element->attributes[i].name || !element->attributes[i].value)
            return false;
    }

    element->attribute_count = count;
    return true;
}

static void XMLCALL start(void* context, const char* name, const char** attributes)
{
    parse* p = context;
    if (p->status != CAIRN_OK)
        return;

    // limits keep a hostile file from using up stack or memory
    if (++p->depth > most_depth || ++p->count > most_elements) {
        stop(p, cairn_fail(p->error, CAIRN_BAD_INPUT,
                           "%s:%d: %s, expected a description of a robot", p->file, line_of(p),
                           p->depth > most_depth ? "elements are nested more than 200 deep"
                                                 : "there are more than a million elements"));
        return;
    }

    xml_element* element = xml_take(p->pool, sizeof *element);
    if (element)
        element->name = xml_copy(p->pool, name, strlen(name));
    if (!element || !element->name || !copy_attributes(p, element, attributes)) {
        starve(p);
        return;
    }

    p->text_size = 0;
    element->text = "";
    element->file = p->file;
    element->line = line_of(p);
    element->parent = p->at;

    // it is appended to the children of its parent
    if (!p->at)
        p->root = element;
    else if (p->at->last)
        p->at->last->next = element;
    else
        p->at->child = element;
    if (p->at)
        p->at->last = element;

    p->at = element;
}

static void XMLCALL characters(void* context, const char* text, int length)
{
    parse* p = context;
    size_t size = (size_t)length, wanted = p->text_size + size;

    if (p->status != CAIRN_OK)
        return;

    if (wanted > p->text_room) {
        char* grown = realloc(p->text, 2 * wanted);
        if (!grown) {
            starve(p);
            return;
        }
        p->text = grown;
        p->text_room = 2 * wanted;
    }

    memcpy(p->text + p->text_size, text, size);
    p->text_size = wanted;
}

// the text since the last tag, without blanks around it
static void take_text(parse* p)
{
    const char* from = p->text;
    size_t size = p->text_size;
    p->text_size = 0;
    while (size > 0 && isspace((unsigned char)*from)) {
        from++;
        size--;
    }
    while (size > 0 && isspace((unsigned char)from[size - 1]))
        size--;
    if (size == 0 || p->at->child)
        return;
    p->at->text = xml_copy(p->pool, from, size);
    if (!p->at->text)
        starve(p);
}

static void XMLCALL end(void* context, const char* name)
{
    parse* p = context;
    (void)name;
    if (p->status != CAIRN_OK || !p->at)
        return;
    take_text(p);
    p->depth--;
    p->at = p->at->parent;
}

// an entity may stand for a billion laughs or for another file
static void XMLCALL entity(void* context, const char* name, int is_parameter, const char* value,
                           int length, const char* base, const char* system, const char* public,
                           const char* notation)
{
    parse* p = context;
    (void)is_parameter, (void)value, (void)length, (void)base, (void)system, (void)public;
    (void)notation;
    if (p->status == CAIRN_OK)
        stop(p,
             cairn_fail(p->error, CAIRN_BAD_INPUT,
                        "%s:%d: the entity '%.40s' is declared, expected a file without entities",
                        p->file, line_of(p), name));
}

cairn_status xml_parse(xml_pool* pool, const char* text, size_t size, const char* file,
                       xml_element** root, cairn_error* error)
{
    if (size > most_bytes)
        return cairn_fail(error, CAIRN_BAD_INPUT, "%s: is larger than 256 MB", file);

    parse p = {.pool = pool, .file = file, .error = error};
    p.parser = XML_ParserCreate(NULL);
    if (!p.parser)
        return cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to read it", file);

    // entities are refused: their expansion can be made to grow without bound
    XML_SetUserData(p.parser, &p);
    XML_SetElementHandler(p.parser, start, end);
    XML_SetCharacterDataHandler(p.parser, characters);
    XML_SetEntityDeclHandler(p.parser, entity);
    enum XML_Status done = XML_Parse(p.parser, text, (int)size, 1);
    enum XML_Error code = XML_GetErrorCode(p.parser);

    if (p.status == CAIRN_OK && done != XML_STATUS_OK && code == XML_ERROR_NO_MEMORY)
        p.status = cairn_fail(error, CAIRN_NO_MEMORY, "%s: no memory to read it", file);
    else if (p.status == CAIRN_OK && done != XML_STATUS_OK)
        p.status = cairn_fail(error, CAIRN_BAD_INPUT, "%s:%d: %s, expected XML", file, line_of(&p),
                              XML_ErrorString(code));

    XML_ParserFree(p.parser);
    free(p.text);
    *root = p.root;
    return p.status;
}

// ---------------------------------------------------------------- looking at it

const char* xml_value(xml_element* element, const char* name)
{
    for (int i = 0; element && i < element->attribute_count; i++)
        if (strcmp(element->attributes[i].name, name) == 0) {
            element->attributes[i].taken = true;
            return element->attributes[i].value;
        }
    return NULL;
}

static xml_element* first_of(xml_element* element, const char* name)
{
    for (; element; element = element->next)
        if (strcmp(element->name, name) == 0) {
            element->taken = true;
            return element;
        }
    return NULL;
}

xml_element* xml_child(xml_element* element, const char* name)
{
    return element ? first_of(element->child, name) : NULL;
}

xml_element* xml_same(xml_element* element)
{
    return first_of(element->next, element->name);
}

void xml_take_all(xml_element* element)
{
    if (!element)
        return;
    element->taken = true;
    for (int i = 0; i < element->attribute_count; i++)
        element->attributes[i].taken = true;
    for (xml_element* child = element->child; child; child = child->next)
        xml_take_all(child);
}

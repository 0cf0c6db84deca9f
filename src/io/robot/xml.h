// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// XML as a tree of elements that know their file and line, and which of them were looked at: what a
// reader passes over can be listed. Hostile files are refused: entities are not expanded, nesting
// and the number of elements are bounded.
#ifndef CAIRN_IO_ROBOT_XML_H
#define CAIRN_IO_ROBOT_XML_H

#include <cairn/base.h>

/// Memory that lasts as long as the pool.
typedef struct xml_pool {
    struct xml_chunk* chunks;
    size_t left; ///< bytes of the newest chunk
} xml_pool;

/// Zeroed memory, or NULL.
void* xml_take(xml_pool* pool, size_t size);

/// A copy of the text, or NULL.
const char* xml_copy(xml_pool* pool, const char* text, size_t length);
void xml_free(xml_pool* pool);

typedef struct xml_attribute {
    const char *name, *value;
    bool taken; ///< somebody asked for it
} xml_attribute;

typedef struct xml_element xml_element;
struct xml_element {
    const char* name;
    const char* file;
    const char* text; ///< of an element without children, without blanks around it; "" when none
    int line;
    int attribute_count;
    xml_attribute* attributes;
    xml_element *parent, *child, *last, *next; ///< first and last child, next sibling
    bool taken;                                ///< somebody read it
};

/// Parses a text. `root` belongs to the pool. The sentence names the file and the line.
cairn_status xml_parse(xml_pool* pool, const char* text, size_t size, const char* file,
                       xml_element** root, cairn_error* error);

/// The value of an attribute, which is taken then; NULL when it is absent.
const char* xml_value(xml_element* element, const char* name);

/// The first child of a name, and the next sibling of the same name; both are taken then.
xml_element* xml_child(xml_element* element, const char* name);
xml_element* xml_same(xml_element* element);

/// Takes an element with all that is in it.
void xml_take_all(xml_element* element);

#endif

// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: 2026 The Cairn authors
//
// Which keys and values the schema of scenes allows where the cursor stands. The text up to there is read as far as it
// goes: objects and lists that are open, the key at hand, and the string that is being typed.

// { path, key, typed, inKey, inValue }: path of the object at hand, the key whose value comes next, what was typed of a
// string so far (null: outside of one)
export function contextAt(text, position) {
    const stack = [];
    let key = null, expectKey = false, string = null, i = 0;
    for (; i < position; i++) {
        const c = text[i];
        if (string !== null) {
            if (c === '\\')
                i++;
            else if (c === '"') {
                if (expectKey)
                    key = text.slice(string, i);
                string = null;
            }
            continue;
        }
        if (c === '"')
            string = i + 1;
        else if (c === '{' || c === '[') {
            stack.push({ list: c === '[', key });
            expectKey = c === '{';
            key = null;
        } else if (c === '}' || c === ']') {
            key = stack.pop()?.key ?? null;
            expectKey = false;
        } else if (c === ':')
            expectKey = false;
        else if (c === ',') {
            expectKey = stack.length > 0 && !stack.at(-1).list;
            key = null;
        }
    }
    const path = stack.slice(1).map(({ key: name }, k) => (stack[k].list ? '*' : name));
    const typed = string === null ? null : text.slice(string, position);
    const inObject = stack.length > 0 && !stack.at(-1).list;
    return { path, key, typed, inKey: inObject && expectKey, inValue: !expectKey && (key !== null || !inObject) };
}

// every schema that may stand for this one: references, choices, conditions
function* variants(root, schema, depth = 0) {
    if (!schema || typeof schema !== 'object' || depth > 8)
        return;
    if (schema.$ref)
        yield* variants(root, schema.$ref.split('/').slice(1).reduce((at, name) => at?.[name], root), depth + 1);
    yield schema;
    for (const key of ['oneOf', 'anyOf', 'allOf'])
        for (const choice of schema[key] ?? [])
            yield* variants(root, choice, depth + 1);
    for (const key of ['then', 'else'])
        if (schema[key])
            yield* variants(root, schema[key], depth + 1);
}

function* at(root, schemas, path) {
    if (path.length === 0) {
        yield* schemas;
        return;
    }
    const [name, ...rest] = path;
    for (const schema of schemas) {
        const next = name === '*' ? schema.items : schema.properties?.[name] ?? schema.additionalProperties;
        if (next && next !== true)
            yield* at(root, [...variants(root, next)], rest);
    }
}

// what may be typed next: objects of text and about, those that fit what was typed first
export function suggestions(root, text, position) {
    const here = contextAt(text, position);
    const found = new Map();
    if (here.typed === null)
        return { typed: '', list: [] };
    const schemas = [...at(root, [...variants(root, root)], here.path)];
    if (here.inKey) {
        for (const schema of schemas)
            for (const [name, about] of Object.entries(schema.properties ?? {}))
                found.set(name, about.description ?? found.get(name) ?? '');
    } else {
        for (const schema of at(root, schemas, [here.key ?? '*']))
            for (const value of schema.enum ?? (typeof schema.const === 'string' ? [schema.const] : []))
                if (typeof value === 'string')
                    found.set(value, '');
    }
    const list = [...found].filter(([name]) => name.startsWith(here.typed) && name !== here.typed)
        .map(([name, about]) => ({ text: name, about }));
    return { typed: here.typed, key: here.inKey, list: list.slice(0, 12) };
}

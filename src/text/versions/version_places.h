/*
 * version_places: infers the version of PyTorch from the lines of its own sources that wrote a trace or log. The
 * prefix of every record names one ("torch/_dynamo/guards.py:4786]"), and nearly all of them move from version to
 * version. The table is names/places.txt, which tools/make-names writes from the wheels of PyTorch: a file, a version,
 * and the lines that log. For processes that do not record their version: before 2.12 only graphs that go through
 * Inductor record it, and logs never do. Any thread.
 */
#pragma once

#include "util/str.h"

enum { VERSION_PLACES_MAX = 16 };

/* The first places that a process wrote from. Zero-initialize it. */
struct version_places {
    struct {
        uint64_t file; /* str_hash of "torch/_dynamo/guards.py" */
        uint32_t line;
    } seen[VERSION_PLACES_MAX];
    size_t n;
};

/* Adds a place; duplicates count once. */
void version_places_add(struct version_places *p, uint64_t file, uint32_t line);

/*
 * The version, in the form of pytorch_version: 2008 for 2.8. 0 if it is not certain: fewer than three places are in
 * files of the table, no version has all of them (a build from other sources), or several versions have.
 */
unsigned version_places_find(const struct version_places *p);

/* The table: see tools/embed-texts. */
extern const struct str names_places;

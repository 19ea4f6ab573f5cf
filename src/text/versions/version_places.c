#include "text/versions/version_places.h"

#include "model/model.h"

enum { PLACES_MIN = 3, VERSIONS_MAX = 64 };

void version_places_add(struct version_places *p, uint64_t file, uint32_t line)
{
    if (p->n == VERSION_PLACES_MAX || line == 0)
        return;
    for (size_t i = 0; i < p->n; i++)
        if (p->seen[i].file == file && p->seen[i].line == line)
            return;
    p->seen[p->n].file = file;
    p->seen[p->n++].line = line;
}

/* The number of places in each version of the table. */
struct place_counts {
    struct {
        struct str version;
        unsigned places;
    } list[VERSIONS_MAX];
    size_t n;
    bool known[VERSION_PLACES_MAX]; /* whether any version has the place's file */
};

static unsigned *count_of(struct place_counts *counts, struct str version)
{
    size_t i = 0;

    while (i < counts->n && !str_eq(counts->list[i].version, version))
        i++;
    if (i == counts->n && counts->n < VERSIONS_MAX)
        counts->list[counts->n++].version = version;
    return i < VERSIONS_MAX ? &counts->list[i].places : NULL;
}

static bool has_line(struct str lines, uint32_t line)
{
    uint64_t number;

    while (str_take_u64(&lines, &number)) {
        if (number >= line)
            return number == line;
        lines = str_skip(lines, 1);
    }
    return false;
}

/* One line of the table: a file, a version, and line numbers in ascending order. */
static void count_line(struct place_counts *counts, const struct version_places *p, struct str line)
{
    uint64_t file = str_hash(str_split(&line, '\t'));
    unsigned *count = count_of(counts, str_split(&line, '\t'));

    for (size_t i = 0; i < p->n && count; i++) {
        if (p->seen[i].file != file)
            continue;
        counts->known[i] = true;
        *count += has_line(line, p->seen[i].line);
    }
}

unsigned version_places_find(const struct version_places *p)
{
    struct place_counts counts = {0};
    struct str rest = names_places, line;
    unsigned known = 0, found = 0;

    str_split(&rest, '\n');
    while (str_next_line(&rest, &line))
        count_line(&counts, p, line);
    for (size_t i = 0; i < p->n; i++)
        known += counts.known[i];
    for (size_t i = 0; known >= PLACES_MIN && i < counts.n; i++) {
        unsigned version = pytorch_version(counts.list[i].version);

        if (counts.list[i].places < known || version == found)
            continue;
        if (found)
            return 0;
        found = version;
    }
    return found;
}

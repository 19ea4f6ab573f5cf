#include "text/messages/break_ids.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct break_id {
    struct str type;
    const char *id;
} break_ids[] = {
#define BREAK_ID(type, id) {STR_INIT(type), id},
#include "text/messages/break_ids_generated.def"
#undef BREAK_ID
};

static int by_type(const void *type, const void *row)
{
    return str_cmp(*(const struct str *)type, str_trim(((const struct break_id *)row)->type));
}

struct str break_id_of(struct str type)
{
    const struct break_id *found =
        bsearch(&type, break_ids, sizeof break_ids / sizeof *break_ids, sizeof *break_ids, by_type);

    return found ? str_of(found->id) : (struct str){0};
}

struct str break_type_of(struct str id)
{
    for (size_t i = 0; i < sizeof break_ids / sizeof *break_ids; i++)
        if (str_eq(str_of(break_ids[i].id), id))
            return break_ids[i].type;
    return (struct str){0};
}

/* For the last four bytes of a line, whether any type ends with them: one look covers all types. */
static bool type_ends[1 << 16];
static pthread_once_t ends_made = PTHREAD_ONCE_INIT;

static bool *ends_like(struct str s)
{
    uint32_t four;

    memcpy(&four, s.p + s.n - sizeof four, sizeof four);
    return &type_ends[four * 2654435761u >> 16];
}

static void make_ends(void)
{
    for (size_t i = 0; i < sizeof break_ids / sizeof *break_ids; i++)
        *ends_like(break_ids[i].type) = true;
}

ptrdiff_t break_type_find(struct str line)
{
    pthread_once(&ends_made, make_ends);
    if (line.n < sizeof(uint32_t) || !*ends_like(line))
        return -1;
    for (size_t at = 0; at < line.n; at++)
        if ((at == 0 || line.p[at - 1] == ' ') && break_id_of(str_skip(line, at)).n)
            return (ptrdiff_t)at;
    return -1;
}

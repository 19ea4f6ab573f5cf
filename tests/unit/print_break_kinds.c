/*
 * What the program knows of each number of PyTorch's registry of graph breaks, for e2e/test_break_kinds.py: a line with
 * the number, in how many rows of kinds it is, whether a text has it, and whether its kind has an answer.
 */
#include "analysis/breaks/break_fix.h"
#include "analysis/breaks/break_kind.h"
#include "text/messages/break_ids.h"

#include <stdio.h>

static bool a_text_has(struct str id)
{
    const char *of_words;

    for (size_t i = 0; (of_words = break_id_of_words_at(i)) != NULL; i++)
        if (str_eq(id, str_of(of_words)))
            return true;
    return break_type_of(id).n > 0;
}

int main(void)
{
    struct arena *a = arena_new();

    for (unsigned i = 0; i < 10000; i++) {
        struct str id = arena_printf(a, "GB%04u", i);
        struct break_fix fix = {0};
        size_t rows = break_kind_rows_of_id(id);

        break_fix_as(a, break_kind_of_id(id), &fix);
        if (rows || a_text_has(id))
            printf("%.*s %zu %d %d\n", STR_ARG(id), rows, a_text_has(id), fix.id != NULL);
    }
    arena_free(a);
    return 0;
}

#include "redact/vocabulary.h"

#include "text/versions/names.h"

static void add(struct vocabulary *v, struct str list, enum word_set set)
{
    struct str word;

    while (str_next_line(&list, &word)) {
        void **sets = map_at(&v->words, word);

        *sets = (void *)((uintptr_t)*sets | set);
    }
}

/* Settings, functions and variables: a line has its name behind the first tab, in parts with dots between. */
static void add_names(struct vocabulary *v, struct str table)
{
    struct str line, name, part;

    while (str_next_line(&table, &line)) {
        str_split(&line, '\t');
        name = str_split(&line, '\t');
        while (name.n) {
            part = str_split(&name, '.');
            if (part.n) {
                void **sets = map_at(&v->words, part);

                *sets = (void *)((uintptr_t)*sets | WORDS_API);
            }
        }
    }
}

void vocabulary_load(struct vocabulary *v, struct arena *a)
{
    map_init(&v->words, a);
    add(v, vocabulary_api, WORDS_API);
    add(v, vocabulary_by_hand, WORDS_API);
    add(v, vocabulary_prose, WORDS_PROSE);
    add(v, vocabulary_path, WORDS_PATH);
    add_names(v, names_by_version);
    add_names(v, names_by_pytorch);
}

unsigned vocabulary_sets(const struct vocabulary *v, struct str word)
{
    return (unsigned)(uintptr_t)map_get(&v->words, word);
}

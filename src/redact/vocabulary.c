#include "redact/vocabulary.h"

static void add(struct vocabulary *v, struct str list, enum word_set set)
{
    struct str word;

    while (str_next_line(&list, &word)) {
        void **sets = map_at(&v->words, word);

        *sets = (void *)((uintptr_t)*sets | set);
    }
}

void vocabulary_load(struct vocabulary *v, struct arena *a)
{
    map_init(&v->words, a);
    add(v, vocabulary_api, WORDS_API);
    add(v, vocabulary_by_hand, WORDS_API);
    add(v, vocabulary_prose, WORDS_PROSE);
    add(v, vocabulary_path, WORDS_PATH);
}

unsigned vocabulary_sets(const struct vocabulary *v, struct str word)
{
    return (unsigned)(uintptr_t)map_get(&v->words, word);
}

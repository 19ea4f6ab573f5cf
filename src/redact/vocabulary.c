#include "redact/vocabulary.h"

#include "text/versions/names.h"

static void add_words(struct vocabulary *v, struct str list, enum word_set set)
{
    struct str word;

    while (str_next_line(&list, &word))
        if (!str_starts(word, STR("#")))
            *map_number_at(&v->words, word) |= set;
}

/* Settings, functions and variables: the dotted name is after the first tab of a line. */
static void add_names(struct vocabulary *v, struct str table)
{
    struct str line, name, part;

    while (str_next_line(&table, &line)) {
        str_split(&line, '\t');
        name = str_split(&line, '\t');
        while (name.n) {
            part = str_split(&name, '.');
            if (part.n)
                *map_number_at(&v->words, part) |= WORDS_API;
        }
    }
}

void vocabulary_load(struct vocabulary *v, struct arena *a)
{
    map_init(&v->words, a);
    add_words(v, vocabulary_api, WORDS_API);
    add_words(v, vocabulary_by_hand, WORDS_API);
    add_words(v, vocabulary_prose, WORDS_PROSE);
    add_words(v, vocabulary_path, WORDS_PATH);
    add_names(v, names_by_version);
    add_names(v, names_by_pytorch);
}

unsigned vocabulary_sets(const struct vocabulary *v, struct str word)
{
    return (unsigned)map_number(&v->words, word);
}

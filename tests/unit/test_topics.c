#include "unit.h"

#include "analysis/known_errors/error_answers.h"
#include "torchlog/notes/note.h"

static const struct {
    const char *title, *first_step;
} topics[] = {
#define FIRST(step, ...) step
#define TOPIC(complaints, needs, denied, title, ...) {title, FIRST(__VA_ARGS__, )},
#include "torchlog/topics/topics.def"
#undef TOPIC
#undef FIRST
};

enum { TOPICS = sizeof topics / sizeof *topics };

/* IS: a text of this topic. NOT: one with words of it, which is about something else. */
static const struct {
    bool is;
    const char *title, *text;
} texts[] = {
#define IS(title, text) {true, title, text},
#define NOT(title, text) {false, title, text},
#include "topics_results.def"
#include "topics_memory.def"
#include "topics_speed.def"
#include "topics_code.def"
#include "topics_options.def"
#include "topics_products.def"
#include "topics_process.def"
#undef NOT
#undef IS
};

static size_t texts_of(const char *title, bool is)
{
    size_t n = 0;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        n += texts[i].is == is && strcmp(texts[i].title, title) == 0;
    return n;
}

/* The first step of the answer to a note. */
static const char *answer_to(struct str message)
{
    struct failure f = {.type = STR("Note"), .message = message};
    struct error e = {.failure = &f, .category = ERROR_OTHER};
    const struct error_answer *answer = error_answer_of(&e);

    return answer ? answer->steps[0] : "";
}

static const char *first_step_of(const char *title)
{
    for (size_t i = 0; i < TOPICS; i++)
        if (strcmp(topics[i].title, title) == 0)
            return topics[i].first_step;
    fail_msg("no topic has the title \"%s\"", title);
    return NULL;
}

static void texts_have_their_topic(void **state)
{
    struct arena *a = arena_new();
    size_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct text_note note = {.message = {0}};
        bool is = note_find(a, str_of(texts[i].text), NULL, &note) &&
                  str_starts(note.message, str_of(texts[i].title));

        if (is != texts[i].is)
            print_error("\"%s\" is %sexpected of:\n%s\nfound: %.*s\n", texts[i].title, texts[i].is ? "" : "not ",
                        texts[i].text, STR_ARG(note.message));
        wrong += is != texts[i].is;
        if (is && strcmp(answer_to(note.message), first_step_of(texts[i].title)) != 0)
            fail_msg("\"%s\" gets another answer: %s", texts[i].title, answer_to(note.message));
    }
    arena_free(a);
    assert_int_equal(wrong, 0);
}

/* Each topic has a text of it and one that it must not be said of, and no text is of a topic that there is not. */
static void each_topic_is_tried(void **state)
{
    (void)state;
    for (size_t i = 0; i < TOPICS; i++)
        if (!texts_of(topics[i].title, true) || !texts_of(topics[i].title, false))
            fail_msg("\"%s\" lacks a text of it (IS), or one of others (NOT)", topics[i].title);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_non_null(first_step_of(texts[i].title));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_have_their_topic),
        cmocka_unit_test(each_topic_is_tried),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

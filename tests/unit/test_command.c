#include "unit.h"

#include "analysis/find/command.h"

static void commands(void **state)
{
    struct input in = {.path = STR_INIT("/x/a.log")};
    struct process p = {.input = &in};
    struct compile c = {.process = &p, .id = {.autograd = ID_NONE, .frame = 0, .compile = 1}};
    struct artifact artifact = {.input = &in, .compile = &c, .line = 12};
    struct arena *a = arena_new();

    (void)state;
    assert_str(command_show_compile(a, &c), "pt2trace show /x/a.log 0/1");
    assert_str(command_show(a, &artifact), "pt2trace show /x/a.log :12");
    artifact.payload.flags = PAYLOAD_DIGEST;
    assert_true(digest_parse(STR("00112233445566778899aabbccddeeff"), &artifact.payload.digest));
    assert_str(command_show(a, &artifact), "pt2trace show /x/a.log 00112233445566778899aabbccddeeff");
    arena_free(a);
}

/* A shell takes any path as one word. */
static void quoting(void **state)
{
    static const struct {
        struct str path;
        const char *word;
    } cases[] = {
        {STR_INIT("a b.log"), "'a b.log'"},
        {STR_INIT("$(rm x)"), "'$(rm x)'"},
        {STR_INIT("it's"), "'it'\\''s'"},
        {STR_INIT("''"), "''\\'''\\'''"},
        {STR_INIT("\xc3\xa4.log"), "'\xc3\xa4.log'"},
        {STR_INIT("a-b_c.d/e:f"), "a-b_c.d/e:f"},
        {STR_INIT(""), "''"},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct input in = {.path = cases[i].path};
        struct process p = {.input = &in};
        struct compile c = {.process = &p, .id = {.autograd = ID_NONE, .frame = 3, .compile = 0}};
        struct str expected = arena_printf(a, "pt2trace show %s 3/0", cases[i].word);

        assert_same(command_show_compile(a, &c), expected);
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(commands), cmocka_unit_test(quoting)};

    return RUN(tests);
}

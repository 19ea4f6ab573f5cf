/* unit: what every unit test includes: cmocka with its prerequisites, and assertions on views. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/arena.h"
#include "util/str.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* Compares a view with a literal and shows both when they differ. */
#define assert_str(s, literal)                                                                                         \
    do {                                                                                                               \
        struct str got_ = (s);                                                                                         \
        if (!str_eq(got_, str_of(literal)))                                                                            \
            fail_msg("got \"%.*s\", not \"%s\"", (int)got_.n, got_.p ? got_.p : "", literal);                         \
    } while (0)

/* The same for two views, which may hold NUL bytes. */
#define assert_same(s, expected)                                                                                       \
    do {                                                                                                               \
        struct str got_ = (s), want_ = (expected);                                                                     \
        if (!str_eq(got_, want_))                                                                                      \
            fail_msg("got %zu bytes \"%.*s\", not %zu bytes \"%.*s\"", got_.n, (int)str_take(got_, 200).n,            \
                     got_.p ? got_.p : "", want_.n, (int)str_take(want_, 200).n, want_.p ? want_.p : "");             \
    } while (0)

/* Two texts of several lines; shows the first line that differs. */
static inline void assert_lines(struct str got, struct str want)
{
    struct str a = {"", 0}, b = {"", 0};

    for (int line = 1; got.n || want.n; line++) {
        bool more = str_next_line(&got, &a), wanted = str_next_line(&want, &b);

        if (!more || !wanted || !str_eq(a, b))
            fail_msg("line %d is \"%.*s\"%s, not \"%.*s\"%s", line, STR_ARG(a), more ? "" : " (the end)", STR_ARG(b),
                     wanted ? "" : " (the end)");
    }
}

#define RUN(tests) cmocka_run_group_tests_name(NULL, tests, NULL, NULL)

/* Numbers that look random and are the same in every run (SplitMix64). */
static inline uint64_t test_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

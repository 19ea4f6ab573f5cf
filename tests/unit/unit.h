/* unit: what every unit test includes: cmocka with its prerequisites, and assertions on views. */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/arena.h"
#include "util/str.h"

/* Compares a view with a literal and shows both when they differ. */
#define assert_str(s, literal)                                                                                         \
    do {                                                                                                               \
        struct str got_ = (s);                                                                                         \
        if (!str_eq(got_, str_of(literal)))                                                                            \
            fail_msg("got \"%.*s\", not \"%s\"", (int)got_.n, got_.p ? got_.p : "", literal);                         \
    } while (0)

#define RUN(tests) cmocka_run_group_tests_name(NULL, tests, NULL, NULL)

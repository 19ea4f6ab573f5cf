/* What a C++ compiler printed is read apart from its banner, in any language. */
#include "unit.h"

#include "text/messages/compiler_output.h"

#define FAILED "CppCompileError: C++ compile error\n\nCommand:\ncl /I C:/shop c1.cpp\n\n"
#define BANNER                                                                                                         \
    "Output:\nMicrosoft (R) C/C++ Optimizing Compiler Version 19.44.35219 for x64\n"                                   \
    "Copyright (C) Microsoft Corporation.  All rights reserved.\n\n"
#define BANNER_IN_GERMAN                                                                                               \
    "Output:\nMicrosoft (R) C/C++-Optimierungscompiler Versionsnummer 19.44.35219 f\xc3\xbcr x64\n"                    \
    "Copyright (C) Microsoft Corporation. Alle Rechte vorbehalten.\n\n"

static const struct {
    const char *message, *version, *line;
    bool begins, foreign, has_error;
} messages[] = {
    {FAILED, "", "", false, false, false},
    {FAILED "Output:\n", "", "", true, false, false},
    {FAILED BANNER, "19.44.35219", "", true, false, false},
    {FAILED BANNER "c1.cpp\n", "19.44.35219", "", true, false, false},
    {FAILED BANNER "cl : Command line warning D9002 : ignoring '-x'\nc1.cpp(3): error C2065: till", "19.44.35219",
     "c1.cpp(3): error C2065: till", true, false, true},
    {FAILED BANNER_IN_GERMAN "cl: Befehlszeile", "19.44.35219", "cl: Befehlszeile", true, true, false},
    {FAILED BANNER_IN_GERMAN "c1.cpp(3): Fehler C2065: till", "19.44.35219", "c1.cpp(3): Fehler C2065: till", true,
     true, true},
    {FAILED "Output:\nLINK : LNK1104: x.lib", "", "LINK : LNK1104: x.lib", true, false, true},
    {FAILED "Output:\nIn file included from c1.cpp:7\n", "", "In file included from c1.cpp:7", true, false, false},
    {FAILED "Output:\nc1.cpp:7:9: fatal error: no x.h\n", "", "c1.cpp:7:9: fatal error: no x.h", true, false, true},
    {FAILED "Output:\nC20 D123456 LNK\n", "", "C20 D123456 LNK", true, false, false},
};

static void outputs(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof messages / sizeof *messages; i++) {
        struct compiler_output got;

        assert_true(compiler_output_read(str_of(messages[i].message), &got));
        assert_str(got.version, messages[i].version);
        assert_str(got.line, messages[i].line);
        assert_int_equal(messages[i].begins, got.begins);
        assert_int_equal(messages[i].foreign, got.foreign);
        assert_int_equal(messages[i].has_error, got.has_error);
    }
}

static void others(void **state)
{
    struct compiler_output got;

    (void)state;
    assert_false(compiler_output_read(STR("Output:\nc1.cpp:7:9: error: till"), &got));
    assert_false(got.begins);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(outputs), cmocka_unit_test(others)};

    return RUN(tests);
}

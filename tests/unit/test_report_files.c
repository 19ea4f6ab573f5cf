/* What pt2trace, or tlparse, wrote is recognized, and nothing else is. */
#include "temp.h"

#include "input/report_files.h"

#include <errno.h>

#define PAGE "\x3c!doctype html"

/* `n` bytes between two texts. */
static struct str apart(struct arena *a, const char *begin, size_t n, const char *end)
{
    char *blanks = memset(arena_alloc(a, n + 1), ' ', n + 1);

    return arena_printf(a, "%s%.*s%s", begin, (int)n, blanks, end);
}

static void reasons(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", ""},
        {"hello", ""},
        {PAGE "><meta name=\"generator\" content=\"pt2trace\">", "a page that pt2trace wrote"},
        {"\xef\xbb\xbf \n\x3c!DOCTYPE HTML><meta name=\"generator\" content=\"pt2trace\">",
         "a page that pt2trace wrote"},
        {PAGE ">", "an HTML page"},
        {"\x3cHTML>", "an HTML page"},
        {"\x3chtm", ""},
        {"x" PAGE, ""},
        {"\x3c?xml version=\"1.0\"?>\x3cx name=\"pt2trace 1\">", "findings that pt2trace wrote"},
        {"\x3c?xml version=\"1.0\"?>", ""},
        {"{\"schema\": \"pt2trace-report\"}", "facts that pt2trace wrote"},
        {"{\"schema\": \"other-report\"}", ""},
        {"{\"input\":\"a\",\"line\":3}", "records that pt2trace wrote"},
        {"{\"$schema\":\"https://www.speedscope.app/x\",\"exporter\":\"pt2trace 1\"}",
         "a timeline that pt2trace wrote"},
        {"{\"$schema\":\"https://www.speedscope.app/x\",\"exporter\":\"other\"}", ""},
        {"{\"table\":\"x\"", "tables that pt2trace wrote"},
        {"{\"tool\": {\"name\": \"pt2trace\"}}", "findings that pt2trace wrote"},
        {"{\"otherData\": {\"writer\": \"pt2trace\"}}", "a timeline that pt2trace wrote"},
        {"### x\nWritten by pt2trace 1", "an issue that pt2trace wrote"},
        {"### x\n", ""},
        {"Read      x\nFound     y", "a summary that pt2trace wrote"},
        {"Read      x\n", ""},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        assert_str(report_reason(str_of(cases[i].text)), cases[i].reason);
}

/* How far into a file is looked. */
static void far(void **state)
{
    static const char mark[] = "\"schema\": \"pt2trace-report\"";
    struct arena *a = arena_new();

    (void)state;
    assert_str(report_reason(apart(a, "{", 4096 - 1 - (sizeof mark - 1), mark)), "facts that pt2trace wrote");
    assert_str(report_reason(apart(a, "{", 4096 - (sizeof mark - 1), mark)), "");
    assert_str(report_reason(apart(a, "### ", 100000, "\nWritten by pt2trace 1")), "an issue that pt2trace wrote");
    arena_free(a);
}

/* An identification in the header of an SQLite file. */
static void databases(void **state)
{
    char header[100] = "SQLite format 3";

    (void)state;
    assert_str(report_reason((struct str){header, sizeof header}), "");
    memcpy(header + 68, "pt.t", 4);
    assert_str(report_reason((struct str){header, sizeof header}), "a database that pt2trace wrote");
    assert_str(report_reason((struct str){header, 71}), "");
    header[0] = 's';
    assert_str(report_reason((struct str){header, sizeof header}), "");
}

/* The names in a marker; none that would lead out of the directory. */
static void markers(void **state)
{
    static const struct {
        const char *text;
        int rc;
        const char *names;
    } cases[] = {
        {"pt2trace report 1\nindex.html\npages/a.html\n", 0, "index.html pages/a.html "},
        {"pt2trace report 1\n/a\n../a\na/../b\n./a\na/.\na//b\na/\n\n.a\na..b\n", 0, ".a a..b "},
        {"pt2trace report 1", 0, ""},
        {"other report\nindex.html\n", -EINVAL, ""},
        {"\nindex.html\n", -EINVAL, ""},
        {"", 0, ""},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct str got = STR("");
        struct map names;

        map_init(&names, a);
        assert_int_equal(report_marker_read(temp_write("marker", str_of(cases[i].text)), &names), cases[i].rc);
        for (size_t k = 0; k < names.n; k++)
            got = arena_printf(a, "%.*s%.*s ", STR_ARG(got), STR_ARG(names.entries[k].key));
        assert_str(got, cases[i].names);
    }
    assert_int_equal(report_marker_read(temp_path("nowhere"), &(struct map){0}), -ENOENT);
    arena_free(a);
}

/* Whose directory it is, by the files in it. */
static void directories(void **state)
{
    static const struct {
        const char *files[4]; /* a "/" at the end: a directory */
        enum report_dir is;
    } cases[] = {
        {{"x"}, REPORT_DIR_NONE},
        {{REPORT_MARKER}, REPORT_DIR_PT2TRACE},
        {{REPORT_MARKER, "index.html", "payloads/"}, REPORT_DIR_PT2TRACE},
        {{"run_manifest.json", "artifacts/", "trace/"}, REPORT_DIR_TLHUB},
        {{"run_manifest.json", "artifacts/"}, REPORT_DIR_NONE},
        {{"run_manifest.json", "trace/"}, REPORT_DIR_NONE},
        {{"artifacts/", "trace/"}, REPORT_DIR_NONE},
        {{"index.html"}, REPORT_DIR_NONE},
        {{"index.html", "compile_directory.json"}, REPORT_DIR_TLPARSE},
        {{"index.html", "payloads/"}, REPORT_DIR_TLPARSE},
        {{"compile_directory.json", "payloads/"}, REPORT_DIR_NONE},
        {{"index.html", "rank_0/", "rank_0/compile_directory.json"}, REPORT_DIR_TLPARSE_ALL},
        {{"index.html", "rank_7/", "rank_7/compile_directory.json"}, REPORT_DIR_TLPARSE_ALL},
        {{"index.html", "rank_8/", "rank_8/compile_directory.json"}, REPORT_DIR_NONE},
        {{"index.html", "rank_0/"}, REPORT_DIR_NONE},
    };
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const char *dir = arena_printf(a, "%s/d%zu", temp_dir(), i).p;

        assert_int_equal(mkdir(dir, 0700), 0);
        for (size_t k = 0; k < COUNT(cases[i].files) && cases[i].files[k]; k++) {
            struct str name = str_of(cases[i].files[k]);

            if (str_ends(name, STR("/")))
                assert_int_equal(mkdir(arena_printf(a, "%s/%.*s", dir, (int)name.n - 1, name.p).p, 0700), 0);
            else
                temp_write(arena_printf(a, "d%zu/%.*s", i, STR_ARG(name)).p, STR(""));
        }
        if (report_dir_of(dir) != cases[i].is)
            fail_msg("case %zu: %d", i, report_dir_of(dir));
    }
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasons), cmocka_unit_test(far),         cmocka_unit_test(databases),
        cmocka_unit_test(markers), cmocka_unit_test(directories),
    };

    return RUN(tests);
}

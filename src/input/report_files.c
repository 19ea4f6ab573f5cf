#include "input/report_files.h"

#include "util/mem.h"
#include "util/system/file.h"

#include <errno.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

enum { MARKER_MAX = 64 << 20, HEAD = 4096 };

/* --- the marker --------------------------------------------------------------------------------------------------- */

/* A marker that someone has tampered with must not lead out of the directory. */
static bool is_inside(struct str name)
{
    struct str rest = name;

    if (name.n == 0 || name.p[0] == '/' || str_ends(name, STR("/")) || str_chr(name, '\0') >= 0)
        return false;
    while (rest.n) {
        struct str part = str_split(&rest, '/');

        if (part.n == 0 || str_eq(part, STR(".")) || str_eq(part, STR("..")))
            return false;
    }
    return true;
}

int report_marker_read(const char *path, struct map *names)
{
    struct buf text = {0};
    struct str rest, line;
    int rc = read_file(path, MARKER_MAX, &text);

    rest = buf_view(&text);
    if (rc == 0 && str_next_line(&rest, &line) && !str_starts(line, STR("pt2trace report")))
        rc = -EINVAL;
    while (rc == 0 && str_next_line(&rest, &line))
        if (is_inside(line))
            *map_at_copy(names, line) = names;
    buf_free(&text);
    return rc;
}

/* --- directories -------------------------------------------------------------------------------------------------- */

static bool has(const char *dir, const char *name)
{
    char *path = xasprintf("%s/%s", dir, name);
    bool there = access(path, F_OK) == 0;

    free(path);
    return there;
}

/* tlparse makes a folder rank_N for each rank. The lowest is nearly always 0; the other ranks are only in the page. */
enum { RANKS_TRIED = 8 };

static bool has_rank_report(const char *dir)
{
    bool found = false;

    for (int rank = 0; rank < RANKS_TRIED && !found; rank++) {
        char *name = xasprintf("rank_%d/compile_directory.json", rank);

        found = has(dir, name);
        free(name);
    }
    return found;
}

/* tlparse 0.4.3 writes compile_directory.json next to its page, or with --export only a page and payloads. */
enum report_dir report_dir_of(const char *dir)
{
    if (has(dir, REPORT_MARKER))
        return REPORT_DIR_PT2TRACE;
    if (has(dir, "run_manifest.json") && has(dir, "artifacts") && has(dir, "trace"))
        return REPORT_DIR_TLHUB;
    if (!has(dir, "index.html"))
        return REPORT_DIR_NONE;
    if (has(dir, "compile_directory.json") || has(dir, "payloads"))
        return REPORT_DIR_TLPARSE;
    return has_rank_report(dir) ? REPORT_DIR_TLPARSE_ALL : REPORT_DIR_NONE;
}

/* --- files -------------------------------------------------------------------------------------------------------- */

/* Escaped, because lint forbids HTML tags in C sources. */
#define TAG(name) "\x3c" name

/* A file that begins with `begins`, in any case, and has the second text within that many bytes. */
static const struct {
    struct str begins, has;
    size_t within;
    struct str reason;
} rules[] = {
    {STR_INIT("<!doctype html"), STR_INIT("name=\"generator\" content=\"pt2trace\""), HEAD,
     STR_INIT("a page that pt2trace wrote")},
    {STR_INIT("<!doctype html"), STR_INIT(""), 0, STR_INIT("an HTML page")},
    {STR_INIT(TAG("html")), STR_INIT(""), 0, STR_INIT("an HTML page")},
    {STR_INIT(TAG("?xml")), STR_INIT("name=\"pt2trace "), HEAD, STR_INIT("findings that pt2trace wrote")},
    {STR_INIT("{"), STR_INIT("\"schema\": \"pt2trace-report\""), HEAD, STR_INIT("facts that pt2trace wrote")},
    {STR_INIT("{\"input\":\""), STR_INIT("\",\"line\":"), HEAD, STR_INIT("records that pt2trace wrote")},
    {STR_INIT("{\"$schema\":\"https://www.speedscope.app/"), STR_INIT("\"exporter\":\"pt2trace"), HEAD,
     STR_INIT("a timeline that pt2trace wrote")},
    {STR_INIT("{\"table\":\""), STR_INIT(""), 0, STR_INIT("tables that pt2trace wrote")},
    {STR_INIT("{"), STR_INIT("\"name\": \"pt2trace\""), HEAD, STR_INIT("findings that pt2trace wrote")},
    {STR_INIT("{"), STR_INIT("\"otherData\": {\"writer\": \"pt2trace\"}"), HEAD,
     STR_INIT("a timeline that pt2trace wrote")},
    {STR_INIT("### "), STR_INIT("\nWritten by pt2trace "), SIZE_MAX, STR_INIT("an issue that pt2trace wrote")},
    {STR_INIT("Read      "), STR_INIT("\nFound     "), HEAD, STR_INIT("a summary that pt2trace wrote")},
};

/* Looks for REPORT_DATABASE in the header of an SQLite file (https://sqlite.org/fileformat.html). */
static bool is_our_database(struct str beginning)
{
    return str_starts(beginning, STR("SQLite format 3")) && str_starts(str_skip(beginning, 68), STR("pt.t"));
}

static bool begins(struct str s, struct str with)
{
    return s.n >= with.n && strncasecmp(s.p, with.p, with.n) == 0;
}

struct str report_reason(struct str beginning)
{
    struct str head = beginning;

    if (is_our_database(beginning))
        return STR("a database that pt2trace wrote");
    str_consume(&head, STR("\xef\xbb\xbf"));
    head = str_trim(head);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (begins(head, rules[i].begins) && str_has(str_take(head, rules[i].within), rules[i].has))
            return rules[i].reason;
    return STR("");
}

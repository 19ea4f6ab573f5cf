/*
 * The tests of the mustache specification: test_mustache_spec DIR runs the tests there that use nothing but what
 * output/html/mustache implements, and prints TAP.
 */
#include "output/html/mustache.h"
#include "util/formats/json.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum { PARTIALS_MAX = 16, PATH_LENGTH = 4096 };

static unsigned tests_run, tests_failed;

static struct str text_of(const json_t *test, const char *key)
{
    const json_t *value = json_object_get(test, key);

    return value ? json_str(value) : STR("");
}

/* The template and its partials as a set, "" being the template. */
static size_t collect_texts(const json_t *test, struct template_text *texts)
{
    json_t *partials = json_object_get(test, "partials"), *partial;
    const char *name;
    size_t n = 0;

    texts[n++] = (struct template_text){"", text_of(test, "template")};
    json_object_foreach (partials, name, partial)
        if (n < PARTIALS_MAX)
            texts[n++] = (struct template_text){name, json_str(partial)};
    return n;
}

/* Whether a template has a comment, {{&x}} or a dotted name. */
static bool is_beyond(struct str text)
{
    ptrdiff_t at;

    while ((at = str_find(text, STR("{{"))) >= 0) {
        struct str tag = str_skip(text, (size_t)at + 2);

        text = str_skip(tag, 1);
        tag = str_trim(str_take(tag, (size_t)str_find(tag, STR("}}"))));
        if (str_has_any(tag, (const struct str[]){STR("!"), STR("&")}, 2) || (tag.n > 2 && str_chr(tag, '.') > 0))
            return true;
    }
    return false;
}

static bool is_wanted(const json_t *test)
{
    /* Partials that are missing, and partials that are indented. */
    static const struct str others[] = {
        STR_INIT("Failed Lookup"),
        STR_INIT("Standalone Without Previous Line"),
        STR_INIT("Standalone Without Newline"),
        STR_INIT("Standalone Indentation"),
    };
    struct template_text texts[PARTIALS_MAX];

    for (size_t i = collect_texts(test, texts); i-- > 0;)
        if (is_beyond(texts[i].text))
            return false;
    return !json_object_get(test, "partials") || !STR_IS_ANY(text_of(test, "name"), others);
}

static void run_test(const char *file, const json_t *test)
{
    struct template_text texts[PARTIALS_MAX];
    struct arena *a = arena_new();
    struct buf got = {0};
    struct sink out = sink_to_buf(&got);
    struct str error = {0}, name = text_of(test, "name"), expected = text_of(test, "expected");
    struct mustache *m = mustache_new(a, texts, collect_texts(test, texts), &error);
    bool ok;

    if (m)
        mustache_render(m, "", json_object_get(test, "data"), &out);
    ok = m && str_eq(buf_view(&got), expected);
    printf("%sok %u - %s: " STR_FMT "\n", ok ? "" : "not ", ++tests_run, file, STR_ARG(name));
    if (!ok) {
        tests_failed++;
        fprintf(stderr, "%s: " STR_FMT ": got \"" STR_FMT "\", not \"" STR_FMT "\" " STR_FMT "\n", file, STR_ARG(name),
                STR_ARG(buf_view(&got)), STR_ARG(expected), STR_ARG(error));
    }
    buf_free(&got);
    arena_free(a);
}

static void run_file(const char *dir, const char *file)
{
    char path[PATH_LENGTH];
    json_t *root, *test;
    json_error_t error;
    size_t i;

    snprintf(path, sizeof path, "%s/%s", dir, file);
    root = json_load_file(path, 0, &error);
    if (!root) {
        printf("Bail out! %s: %s\n", path, error.text);
        exit(1);
    }
    json_array_foreach(json_object_get(root, "tests"), i, test) if (is_wanted(test)) run_test(file, test);
    json_decref(root);
}

static int is_implemented(const struct dirent *entry)
{
    static const struct str files[] = {STR_INIT("interpolation.json"), STR_INIT("inverted.json"),
                                       STR_INIT("partials.json"), STR_INIT("sections.json")};

    return STR_IS_ANY(str_of(entry->d_name), files);
}

int main(int argc, char **argv)
{
    struct dirent **files = NULL;
    int n = argc == 2 ? scandir(argv[1], &files, is_implemented, alphasort) : -1;

    if (n <= 0) {
        fprintf(stderr, "usage: test_mustache_spec DIRECTORY, with the JSON files of the mustache specification\n");
        return 2;
    }
    for (int i = 0; i < n; i++) {
        run_file(argv[1], files[i]->d_name);
        free(files[i]);
    }
    free(files);
    printf("1..%u\n", tests_run);
    return tests_failed ? 1 : 0;
}

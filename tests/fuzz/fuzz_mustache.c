/*
 * A libFuzzer target: a context and templates, separated by NUL bytes, "JSON \0 main \0 a \0 b \0 c". What is checked
 * is that nothing crashes, leaks or runs on, and that a set that parses is rendered the same way twice.
 *
 *   clang -fsanitize=fuzzer,address ...; fuzz_mustache -max_len=768 -dict=...
 */
#include "output/html/mustache.h"
#include "util/formats/json.h"

#include <stdlib.h>

enum {
    INPUT_MAX = 768,
    TEMPLATES = 4,
    /* Sections within sections multiply the items of lists: that is what templates ask for, so it is bounded
     * here and not in the renderer. */
    ROUNDS_MAX = 64,
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static size_t count(struct str s, char c)
{
    size_t n = 0;

    for (size_t i = 0; i < s.n; i++)
        n += s.p[i] == c;
    return n;
}

/* An upper limit of how often the innermost of all sections is rendered for one use of its template. */
static size_t rounds(struct str json, struct str templates)
{
    size_t items = count(json, ',') + 1, n = 1;

    for (size_t i = count(templates, '#'); i > 0 && n <= ROUNDS_MAX && items > 1; i--)
        n *= items;
    return n;
}

static void check(const struct mustache *m, const json_t *context)
{
    struct buf first = {0}, second = {0};
    struct sink to_first = sink_to_buf(&first), to_second = sink_to_buf(&second);

    mustache_render(m, "main", context, &to_first);
    mustache_render(m, "main", context, &to_second);
    if (!str_eq(buf_view(&first), buf_view(&second)) || to_first.bytes != first.n)
        abort();
    buf_free(&first);
    buf_free(&second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const names[TEMPLATES] = {"main", "a", "b", "c"};
    struct str rest = {(const char *)data, size}, json = str_split(&rest, '\0'), error;
    struct template_text texts[TEMPLATES];
    struct arena *a;
    struct mustache *m;
    json_t *context;

    if (size > INPUT_MAX || rounds(json, rest) > ROUNDS_MAX)
        return 0;
    for (size_t i = 0; i < TEMPLATES; i++)
        texts[i] = (struct template_text){names[i], str_split(&rest, '\0')};
    a = arena_new();
    context = json_loadb(json.p, json.n, JSON_ALLOW_NUL | JSON_DECODE_ANY, NULL);
    m = mustache_new(a, texts, TEMPLATES, &error);
    if (m)
        check(m, context);
    else if (error.n == 0)
        abort();
    json_decref(context);
    arena_free(a);
    return 0;
}

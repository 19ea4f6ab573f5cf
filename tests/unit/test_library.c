/* What libpt2trace says of the paths it is given, and that closing gives back all it holds. */
#include "trace_text.h"

#include "lib/pt2trace.h"

/* The lowest number that a file which is opened now would have. */
static int next_descriptor(void)
{
    int fd = dup(0);

    close(fd);
    return fd;
}

static const char *write_trace(void)
{
    struct trace_text t = {0};
    const char *path;

    trace_record(&t, "{\"dynamo_start\": {\"stack\": []}, " IN(0, 0, 0) "}");
    trace_payload(&t, "{\"artifact\": {\"name\": \"notes\", \"encoding\": \"string\"}, " IN(0, 0, 0) "}", "text");
    path = temp_write("dedicated_log_torch_trace_a.log", buf_view(&t.text));
    buf_free(&t.text);
    return path;
}

static void open_and_close(void **state)
{
    const struct {
        const char *path, *error; /* part of what is said; NULL: nothing */
        unsigned flags;
        int64_t compiles; /* -1 unknown */
    } cases[] = {
        {NULL, "no path was given", 0, -1},
        {temp_path("none"), "No such file", 0, -1},
        {temp_write("notes", STR("nothing of PyTorch\n")), "neither", 0, -1},
        {temp_write("half.json", STR("{\"schema\": \"pt2trace-report\", ")), "line 1", 0, -1},
        {temp_write("facts.json", STR("{\"schema\": \"pt2trace-report\", \"totals\": {\"compiles\": 3}}")), NULL, 0, 3},
        {write_trace(), NULL, 0, 1},
        {write_trace(), NULL, PT2TRACE_REDACT | PT2TRACE_VERIFY, 1},
        {write_trace(), NULL, PT2TRACE_LATEST, 1},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        int before = next_descriptor();
        struct pt2trace *t = pt2trace_open(&cases[i].path, cases[i].path != NULL, cases[i].flags);
        const char *error = pt2trace_error(t);

        if (!error != !cases[i].error || (error && !strstr(error, cases[i].error)))
            fail_msg("case %zu: %s", i, error ? error : "no error");
        assert_int_equal(pt2trace_integer(pt2trace_get(t, "totals.compiles"), -1), cases[i].compiles);
        pt2trace_close(t);
        assert_int_equal(next_descriptor(), before);
    }
}

static void nothing_to_close(void **state)
{
    (void)state;
    pt2trace_close(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(open_and_close), cmocka_unit_test(nothing_to_close)};

    return RUN(tests);
}

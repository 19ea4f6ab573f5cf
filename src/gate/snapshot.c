#include "gate/snapshot.h"

#include "model/model.h"
#include "output/report/report_json.h"
#include "util/number.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

struct str member_text(const json_t *o, const char *key)
{
    return json_str(json_object_get(o, key));
}

int64_t member_number(const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);

    return json_is_integer(v) ? json_integer_value(v) : -1;
}

json_t *snapshot_list(const struct snapshot *s, const char *name)
{
    return json_object_get(s->root, name);
}

int64_t snapshot_total(const struct snapshot *s, const char *name)
{
    return member_number(json_object_get(s->root, "totals"), name);
}

int64_t snapshot_total_us(const struct snapshot *s, const char *name)
{
    const json_t *v = json_object_get(json_object_get(s->root, "totals"), name);

    return json_is_number(v) ? int_of_real(json_number_value(v) * 1e6) : -1;
}

/* Whether some input is a trace, not a text with only what the user asked PyTorch to log. */
static bool is_traced(const struct snapshot *s)
{
    json_t *input;
    size_t i;

    json_array_foreach(snapshot_list(s, "inputs"), i,
                       input) if (json_is_true(json_object_get(input, "used")) &&
                                  str_eq(member_text(input, "kind"), STR("torch_trace"))) return true;
    return false;
}

/* Compares with what the writer in report_json.c begins with. */
bool snapshot_is_report(const char *path)
{
    char head[200];
    struct stat st;
    ssize_t n;
    int fd;

    if (stat(path, &st) || !S_ISREG(st.st_mode))
        return false;
    fd = open(path, O_RDONLY | O_CLOEXEC);
    n = fd < 0 ? -1 : read_at(fd, head, sizeof head, 0);
    if (fd >= 0)
        close(fd);
    return n > 0 && str_has((struct str){head, (size_t)n}, STR("\"" REPORT_SCHEMA "\""));
}

bool snapshot_read(struct snapshot *s, struct arena *a, struct str text, struct str *why)
{
    json_error_t error;

    *s = (struct snapshot){.root = json_loadb(text.p, text.n, JSON_REJECT_DUPLICATES, &error)};
    if (!s->root) {
        *why = arena_printf(a, "line %d: %s", error.line, error.text);
        return false;
    }
    if (!str_eq(member_text(s->root, "schema"), STR(REPORT_SCHEMA))) {
        *why = arena_printf(a, "not a report.json of pt2trace: \"schema\" is not %s", REPORT_SCHEMA);
        snapshot_free(s);
        return false;
    }
    s->traced = is_traced(s);
    return true;
}

void snapshot_free(struct snapshot *s)
{
    json_decref(s->root);
    s->root = NULL;
}

struct str break_key(struct arena *a, const json_t *b)
{
    return arena_printf(a, "break\n%.*s\n%.*s\n%.*s\n%.*s", STR_ARG(member_text(b, "type")),
                        STR_ARG(str_file_name(member_text(b, "file"))), STR_ARG(member_text(b, "function")),
                        STR_ARG(member_text(b, "source")));
}

struct str recompile_key(struct arena *a, const json_t *r)
{
    const json_t *frame = json_object_get(r, "frame");

    return arena_printf(a, "recompile\n%.*s\n%.*s", STR_ARG(str_file_name(member_text(frame, "file"))),
                        STR_ARG(resumed_function(member_text(frame, "name"))));
}

struct str error_key(struct arena *a, const json_t *e)
{
    struct str message = member_text(e, "message"), first = str_split(&message, '\n');

    return arena_printf(a, "error\n%.*s\n%.*s", STR_ARG(member_text(e, "type")), STR_ARG(first));
}

/* "break-print-2" is the second "break-print". The first name in the title says what it is about. */
struct str finding_key(struct arena *a, const json_t *x)
{
    struct str id = member_text(x, "id"), name = {"", 0};
    ptrdiff_t dash = str_rchr(id, '-');
    uint64_t n;

    if (dash > 0 && str_u64(str_skip(id, (size_t)dash + 1), &n))
        id = str_take(id, (size_t)dash);
    str_between(member_text(x, "title"), STR("`"), STR("`"), &name);
    return arena_printf(a, "finding\n%.*s\n%.*s\n%.*s", STR_ARG(id), STR_ARG(str_file_name(member_text(x, "file"))),
                        STR_ARG(name));
}

struct str compile_key(struct arena *a, const json_t *ref, const char *id)
{
    return arena_printf(a, "%lld %lld %.*s", (long long)member_number(ref, "process"),
                        (long long)member_number(ref, "epoch"), STR_ARG(member_text(ref, id)));
}

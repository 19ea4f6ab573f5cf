/* What `check` and `diff` are given as report.json, of any bytes: it is refused with a reason, or compared. */
#include "analysis/analyze.h"
#include "fuzz.h"

#include "gate/diff.h"
#include "gate/diff_fail_on.h"
#include "gate/diff_formats.h"
#include "gate/gate.h"
#include "output/report/report_json.h"

static const char other[] =
    "{\"schema\":\"pt2trace-report\",\"version\":\"1.0\",\"totals\":{\"compiles\":1,\"graph_breaks\":0},"
    "\"inputs\":[],\"findings\":[],\"graph_breaks\":[],\"recompiles\":[],\"errors\":[],\"compiles\":[]}";

static bool is_any(const json_t *diff)
{
    return diff_has(diff, STR("any"));
}

static void compare(struct arena *a, const struct snapshot *x, const struct snapshot *y)
{
    struct diff_side one = {STR("one"), x, NULL}, two = {STR("two"), y, NULL};
    json_t *itself = diff_make(a, &one, &one), *forth = diff_make(a, &one, &two), *back = diff_make(a, &two, &one);

    fuzz_check(!is_any(itself), "a run does not differ from itself");
    fuzz_check(is_any(forth) == is_any(back), "two runs differ whichever is first");
    json_decref(itself);
    json_decref(forth);
    json_decref(back);
}

static void check(struct arena *a, const struct snapshot *now)
{
    struct policy p = policy_empty();
    struct gate gate;

    p.no_errors = p.no_recompile_limit = true;
    p.fail_on = FINDING_INFO;
    gate_check(a, &p, now, NULL, &gate);
    gate_check(a, &p, now, now, &gate);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct arena *a = arena_new();
    struct snapshot x = {0}, y = {0};
    struct str why = {0};

    fuzz_check(snapshot_read(&y, a, str_of(other), &why), "the other one can be read");
    if (snapshot_read(&x, a, (struct str){(const char *)data, size}, &why)) {
        check(a, &x);
        compare(a, &x, &y);
    } else {
        fuzz_check(why.n, "a report that is refused says why");
    }
    snapshot_free(&x);
    snapshot_free(&y);
    arena_free(a);
    return 0;
}

/* What pt2trace makes of the file. */
void fuzz_seed(const uint8_t *data, size_t size, void (*take)(struct str bytes))
{
    static const char *const words[] = {"pt2trace", "x.log"};
    struct run *r = fuzz_read(data, size);
    struct about about = {.command = words, .command_n = 2};
    struct arena *a = arena_new();
    struct view v = {.run = r, .scratch = arena_new()};
    struct answers answers;
    struct buf text = {0};
    struct sink sink = sink_to_buf(&text);

    analyze(a, r, fuzz_pool(), &answers);
    v.answers = &answers;
    report_json_write(&sink, &v, &about);
    take(buf_view(&text));
    take(str_take(buf_view(&text), text.n / 2));
    buf_free(&text);
    arena_free(v.scratch);
    arena_free(a);
    run_free(r);
}

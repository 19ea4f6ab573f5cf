#include "load/classify.h"

#include "activity/activity.h"
#include "digest/digest_file.h"
#include "digest/experiment_file.h"
#include "flight/flight_dump.h"
#include "input/limits.h"
#include "input/report_files.h"
#include "torchlog/paste/nearest.h"
#include "torchlog/torchlog.h"
#include "trace/trace.h"
#include "util/utf8.h"

static const struct str nothing_found = STR_INIT("it contains neither a TORCH_TRACE record nor a TORCH_LOGS message");

enum { LINE_SHOWN = 100 };

struct str load_nothing_in(struct arena *a, struct str beginning)
{
    struct str line;
    uint64_t number;

    if (str_has(beginning, STR("Self CPU %")) && str_has(beginning, STR("# of Calls")))
        return STR("a table of torch.profiler: its records are read from the file that `export_chrome_trace` writes");
    if (!torchlog_nearest(beginning, &line, &number))
        return nothing_found;
    return arena_printf(a, "%.*s; the closest is line %llu: %.*s", STR_ARG(nothing_found), (unsigned long long)number,
                        STR_ARG(utf8_shorten(a, line, LINE_SHOWN)));
}

static struct str reason_not_used(struct arena *a, struct str beginning)
{
    static const struct {
        struct str magic, reason;
    } formats[] = {
        {STR_INIT("\x28\xb5\x2f\xfd"), STR_INIT("compressed with zstd: decompress it first")},
        {STR_INIT("PK\x03\x04"), STR_INIT("a zip archive: unpack it first")},
        {STR_INIT("\xfd\x37zXZ"), STR_INIT("compressed with xz: decompress it first")},
        {STR_INIT("BZh"), STR_INIT("compressed with bzip2: decompress it first")},
    };

    if (beginning.n == 0)
        return STR("empty: the process wrote no record");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (str_starts(beginning, formats[i].magic))
            return formats[i].reason;
    return flight_is_pickle(beginning) ? flight_pickle_reason : load_nothing_in(a, beginning);
}

/*
 * Reads the beginning of the (decompressed) file, and its size. 0 or -errno. The file is closed, and reopened for
 * reading: a directory may hold thousands of files that are not traces, and none of them should stay open.
 */
static int read_beginning(struct input *in, struct buf *out)
{
    struct source s;
    int rc = source_open(&s, in->path.p, false);
    size_t k;

    if (rc)
        return rc;
    in->source.bytes = s.bytes;
    in->measured = true;
    while (out->n < LIMIT_SNIFF && (k = source_read(&s, buf_room(out, LIMIT_SNIFF), LIMIT_SNIFF)) > 0)
        buf_added(out, k);
    if (out->n == 0 && s.gzip_damaged)
        in->why_not = STR("a damaged gzip file: nothing could be decompressed");
    rc = s.error;
    source_close(&s);
    return rc;
}

/* Documents that people write, not output of programs. They may also mention errors. */
static bool is_written(struct str path)
{
    static const struct str endings[] = {
        STR_INIT(".py"),   STR_INIT(".pyi"),   STR_INIT(".c"),     STR_INIT(".h"),   STR_INIT(".cc"),
        STR_INIT(".cpp"),  STR_INIT(".cu"),    STR_INIT(".cuh"),   STR_INIT(".hpp"), STR_INIT(".js"),
        STR_INIT(".mjs"),  STR_INIT(".ts"),    STR_INIT(".rs"),    STR_INIT(".go"),  STR_INIT(".java"),
        STR_INIT(".sh"),   STR_INIT(".build"), STR_INIT(".cmake"), STR_INIT(".md"),  STR_INIT(".rst"),
        STR_INIT(".toml"), STR_INIT(".yaml"),  STR_INIT(".yml"),   STR_INIT(".ini"), STR_INIT(".tsv"),
    };

    return STR_ENDS_ANY(path, endings);
}

/*
 * A directory is full of texts that mention some error; but a file that the user names was named for the error in it.
 */
static bool is_console_text(const struct found_file *f, struct str beginning)
{
    return f->named && !is_written(f->path) ? torchlog_sniff_given(beginning) : torchlog_sniff(beginning);
}

void load_classify(struct input *in, const struct found_file *f)
{
    struct buf beginning = {0};
    enum input_kind activity;
    struct str reason;
    int rc;

    in->why_not = f->why_not.n ? f->why_not : in->file.why_not;
    in->used = f->once;
    in->needed = f->named;
    if (f->once || in->why_not.n)
        return;
    rc = f->error ? -f->error : read_beginning(in, &beginning);
    if (rc) {
        in->failure = in->why_not = arena_printf(in->arena, "cannot be read: %s", strerror(-rc));
    } else if ((reason = report_reason(buf_view(&beginning))).n) {
        in->why_not = reason;
    } else if (digest_sniff(buf_view(&beginning))) {
        in->of_digest = in->used = in->needed = true;
    } else if (experiment_sniff(buf_view(&beginning))) {
        in->kind = INPUT_EXPERIMENT;
        in->used = in->needed = true;
    } else if (activity_is(activity = activity_sniff(buf_view(&beginning)))) {
        in->kind = activity;
        in->used = true;
    } else if (in->file.name.n && beginning.n) {
        in->kind = INPUT_COMPILE_DEBUG;
        in->used = true;
    } else if (flight_sniff(buf_view(&beginning))) {
        in->kind = INPUT_FLIGHT;
        in->used = in->needed = true;
    } else if (trace_sniff(buf_view(&beginning))) {
        in->kind = INPUT_TORCH_TRACE;
        in->used = in->needed = true;
    } else if ((in->file.is_log && beginning.n) || is_console_text(f, buf_view(&beginning))) {
        in->kind = INPUT_TORCH_LOGS;
        in->used = true;
    } else if ((in->file.is_log || in->file.name.n) && in->why_not.n == 0) {
        in->why_not = STR("empty: nothing was written to it");
    } else if (in->why_not.n == 0) {
        in->why_not = reason_not_used(in->arena, buf_view(&beginning));
        /* In a file that the user names, a trace may follow 256 KiB of other text; but a directory is full of text. */
        in->used = f->named && beginning.n >= LIMIT_SNIFF;
    }
    buf_free(&beginning);
}

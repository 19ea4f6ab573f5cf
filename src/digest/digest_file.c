#include "digest/digest_file.h"

#include "digest/decode.h"
#include "digest/encode.h"
#include "model/merge/run.h"
#include "torchlog/torchlog.h"
#include "util/formats/deflate.h"
#include "util/mem.h"
#include "util/system/file.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <zlib.h>

/* The version of an input's bytes. It counts changes that the table of fields does not show. */
enum { FORMAT = 1 };

enum { PIECE = 64 * 1024, LINE_BYTES_MAX = 200 };

/* Real models reach a ratio of 10. The limit bounds memory by the size of the file. */
enum { UNPACK_RATIO_MAX = 100, UNPACKED_ALWAYS = 16 << 20 };

bool digest_sniff(struct str beginning)
{
    return str_starts(beginning, STR(DIGEST_MAGIC));
}

/* --- writing ------------------------------------------------------------------------------------------------------ */

static void add_le32(struct buf *out, uint32_t n)
{
    for (int i = 0; i < 4; i++, n >>= 8)
        buf_char(out, (char)n);
}

/* RFC 1952, without a name and a time. */
static void add_member(struct buf *out, struct deflate *d, struct str bytes)
{
    static const char head[10] = {0x1f, (char)0x8b, 8, 0, 0, 0, 0, 0, 0, (char)0xff};
    uint32_t crc = (uint32_t)crc32_z(0, (const unsigned char *)bytes.p, bytes.n);

    buf_add(out, head, sizeof head);
    deflate_block(d, bytes, out);
    add_le32(out, crc);
    add_le32(out, (uint32_t)bytes.n);
}

static void write_member(struct outfile *o, struct deflate *d, const struct buf *bytes)
{
    struct buf member = {0};

    add_member(&member, d, buf_view(bytes));
    outfile_write(o, buf_view(&member));
    buf_free(&member);
}

static int by_path(const void *pa, const void *pb)
{
    const struct input *a = *(struct input *const *)pa, *b = *(struct input *const *)pb;
    int c = str_cmp(a->path, b->path);

    return c ? c : memcmp(a->content.bytes, b->content.bytes, DIGEST_BYTES);
}

int digest_write(const char *path, struct run *r)
{
    struct buf head = {0}, model = {0}, all = {0};
    struct deflate *d = deflate_new();
    struct outfile out;
    int rc = outfile_open(&out, path);

    if (r->inputs.n)
        qsort(r->inputs.v, r->inputs.n, sizeof *r->inputs.v, by_path);
    buf_printf(&head, DIGEST_MAGIC "%d %08x %s\n", FORMAT, fields_fingerprint(), PT2TRACE_VERSION);
    encode_number(&head, r->inputs.n);
    if (rc == 0)
        write_member(&out, d, &head);
    for (size_t i = 0; i < r->inputs.n && rc == 0; i++) {
        model.n = all.n = 0;
        encode_input(&model, r->inputs.v[i]);
        encode_number(&all, model.n);
        buf_str(&all, buf_view(&model));
        write_member(&out, d, &all);
    }
    rc = rc ? rc : outfile_commit(&out);
    deflate_free(d);
    buf_free(&head);
    buf_free(&model);
    buf_free(&all);
    return rc;
}

/* --- the file it was made of -------------------------------------------------------------------------------------- */

/* False if the source has fewer bytes. */
static bool hash_source(const struct source *s, uint64_t bytes, struct digest *out)
{
    char *piece = xmalloc(PIECE);
    struct digest_state state;
    ssize_t k = 1;

    digest_begin(&state);
    for (uint64_t at = 0; at < bytes && k > 0; at += (uint64_t)k) {
        k = source_read_at(s, piece, bytes - at < PIECE ? (size_t)(bytes - at) : PIECE, at);
        if (k > 0)
            digest_add(&state, (struct str){piece, (size_t)k});
    }
    *out = digest_end(&state);
    free(piece);
    return k > 0;
}

void digest_note_source(struct input *in)
{
    char *full = in->source.mtime_s ? realpath(in->path.p, NULL) : NULL; /* a pipe cannot be found again */

    if (hash_source(&in->source, in->source.read_bytes, &in->content) && full)
        in->full_path = arena_str(in->arena, str_of(full));
    free(full);
}

bool digest_is_beginning(const struct input *in, const struct input *of)
{
    struct digest content;

    if (of->of_digest)
        return of->source.read_bytes == in->source.read_bytes && digest_eq(&of->content, &in->content);
    return of->source.read_bytes >= in->source.read_bytes &&
           hash_source(&of->source, in->source.read_bytes, &content) && digest_eq(&content, &in->content);
}

/* Reads a packed file as far as it was read before; the source keeps the unpacked bytes. */
static void unpack(struct source *s, uint64_t bytes)
{
    char *piece = xmalloc(PIECE);

    while (s->read_bytes < bytes && source_read(s, piece, PIECE) > 0)
        ;
    free(piece);
}

/*
 * A check before the file is opened: the size must match. Pipes and devices are refused, and files that cannot match
 * are not read.
 */
static bool may_be(const char *path, const struct source *facts)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISREG(st.st_mode) && (uint64_t)st.st_size == facts->bytes;
}

static bool open_same(struct input *in, struct str path)
{
    struct source facts = in->source, s;
    struct digest content;

    if (!may_be(path.p, &facts) || source_open(&s, path.p, true) != 0)
        return false;
    if (facts.replaced)
        torchlog_mend_again(&s);
    else if (s.gzip)
        unpack(&s, facts.read_bytes);
    source_end_reading(&s);
    if (!hash_source(&s, facts.read_bytes, &content) || !digest_eq(&content, &in->content)) {
        source_close(&s);
        return false;
    }
    s.read_bytes = facts.read_bytes;
    s.gzip_damaged = facts.gzip_damaged;
    s.bomb = facts.bomb;
    s.error = facts.error;
    s.spill_failed = facts.spill_failed;
    in->source = s;
    return true;
}

static void leave_payloads_out(struct input *in)
{
    for (size_t i = 0; i < in->artifacts.n; i++)
        in->artifacts.v[i]->payload.flags |= PAYLOAD_AWAY;
    message_add(&in->messages, MSG_FILE_AWAY, 0, "%s",
                in->full_path.n ? in->full_path.p : "the digest does not record where it was");
}

/*
 * GPU activity, the dump of a Flight Recorder and an experiment are in the digest as a whole, so nothing is read back.
 */
static bool has_payloads(const struct input *in)
{
    return in->gpus.n == 0 && in->kind != INPUT_FLIGHT && !in->experiment;
}

void digest_open_source(struct input *in)
{
    bool found;

    if (!has_payloads(in))
        return;
    found = in->full_path.n && (open_same(in, in->path) || open_same(in, in->full_path));
    if (!found && in->read)
        leave_payloads_out(in);
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

struct digest_reader {
    struct source source;
    struct buf waiting; /* bytes that were read but not used yet */
};

static const struct str damaged = STR_INIT("a truncated or damaged digest: create it again with `pt2trace digest`");

static bool unpacks_too_far(const struct source *s)
{
    return s->read_bytes > UNPACKED_ALWAYS && s->read_bytes / UNPACK_RATIO_MAX > s->bytes;
}

/* Reads until n bytes are waiting; false if there are fewer. */
static bool wait_for(struct digest_reader *r, size_t n)
{
    size_t k = 1;

    while (r->waiting.n < n && k > 0 && !unpacks_too_far(&r->source)) {
        k = source_read(&r->source, buf_room(&r->waiting, PIECE), PIECE);
        buf_added(&r->waiting, k);
    }
    return r->waiting.n >= n;
}

static bool read_number(struct digest_reader *r, uint64_t *out)
{
    struct str s;
    bool found;

    wait_for(r, 10);
    s = buf_view(&r->waiting);
    found = decode_number(&s, out);
    if (found)
        buf_consume(&r->waiting, r->waiting.n - s.n);
    return found;
}

/* Reads the first line; returns what is wrong with it, or an empty text. */
static struct str read_head(struct digest_reader *r, struct arena *a)
{
    struct str rest, line, format, table, version;
    uint64_t number;

    wait_for(r, LINE_BYTES_MAX);
    rest = str_take(buf_view(&r->waiting), LINE_BYTES_MAX);
    if (str_chr(rest, '\n') < 0 || !str_consume(&rest, STR(DIGEST_MAGIC)))
        return damaged;
    line = str_split(&rest, '\n');
    version = line;
    format = str_split(&version, ' ');
    table = str_split(&version, ' ');
    if (!str_u64(format, &number) || number != FORMAT ||
        !str_eq(table, arena_printf(a, "%08x", fields_fingerprint())))
        return arena_printf(a,
                            "a digest from another pt2trace (%.*s; this is %s): create it again with this one, or "
                            "merge with that one",
                            STR_ARG(str_take(version, 40)), PT2TRACE_VERSION);
    buf_consume(&r->waiting, (size_t)(rest.p - r->waiting.p));
    return STR("");
}

static struct str read_inputs(struct digest_reader *r, struct arena *a, struct input_list *out)
{
    uint64_t n, bytes;

    if (!read_number(r, &n))
        return damaged;
    for (; n; n--) {
        struct input *in = NULL;

        if (read_number(r, &bytes) && bytes <= SIZE_MAX / 2 && wait_for(r, (size_t)bytes))
            in = decode_input(str_take(buf_view(&r->waiting), (size_t)bytes));
        if (!in)
            return damaged;
        buf_consume(&r->waiting, (size_t)bytes);
        vec_push(a, &out->list, in);
    }
    return wait_for(r, 1) || r->source.gzip_damaged ? damaged : STR("");
}

static void drop(struct input_list *list)
{
    for (size_t i = 0; i < list->list.n; i++)
        input_free(list->list.v[i]);
    list->list.n = 0;
}

struct str digest_read(struct input *file, struct input_list *out)
{
    struct digest_reader r = {0};
    int rc = source_open(&r.source, file->path.p, false);
    struct str wrong;

    if (rc)
        return arena_printf(file->arena, "cannot be opened: %s", strerror(-rc));
    r.source.progress = file->source.progress;
    wrong = read_head(&r, file->arena);
    if (wrong.n == 0)
        wrong = read_inputs(&r, file->arena, out);
    if (r.source.error)
        wrong = arena_printf(file->arena, "cannot be read to its end: %s", strerror(-r.source.error));
    if (wrong.n)
        drop(out);
    source_close(&r.source);
    buf_free(&r.waiting);
    return wrong;
}

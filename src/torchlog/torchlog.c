#include "torchlog/torchlog.h"

#include "text/stated/settings.h"
#include "text/stated/stated_text.h"
#include "torchlog/apply/apply.h"
#include "torchlog/failures/crash.h"
#include "torchlog/failures/crash_end.h"
#include "torchlog/failures/unknown_error.h"
#include "torchlog/apply/log_frame.h"
#include "torchlog/apply/messages.h"
#include "torchlog/apply/unnamed.h"
#include "torchlog/crash/any_error.h"
#include "torchlog/crash/crash_lines.h"
#include "torchlog/notes/note.h"
#include "torchlog/notes/explained.h"
#include "torchlog/numbers/steps.h"
#include "torchlog/paste/paste.h"
#include "text/messages/break_text.h"
#include "text/messages/metrics_text.h"
#include "trace/reading.h"
#include "util/mem.h"

/* What is remembered of a process while its messages are read. */
struct log_process {
    struct compile *tracing; /* the compile that Dynamo traced last; NULL after a reset */
    struct crash_process crash;
    struct compile *said_of;     /* the compile of the newest message that comes once per compile, ... */
    const struct log_kind *said; /* ... and the first kind of such messages about it */
    struct unnamed unnamed;
    struct compile *begun; /* whose beginning a message without an id showed, until its guards follow */
    bool ids;              /* messages of the process have compile ids */
    bool warned, asked;    /* it has warnings; it has messages of lower levels, which no program prints unasked */
};

struct log_pass {
    struct reading reading;
    struct log_messages messages;
    struct map processes; /* struct process_state * -> struct log_process */
    struct map by_number; /* process id -> struct log_source, the first with it */
    struct map joined;    /* (compile, artifact name) -> struct artifact */
    struct arena *arena;
    bool any;   /* no message in it is known: any exception counts */
    bool small; /* it may be about one error, which counts when there is nothing else */
    const struct prose *prose; /* what the writer of a small text says, in the arena; NULL: it was not read */
};

/* Whether a line, without any prefix, begins what is read. */
static bool begins_message(struct str bare)
{
    const struct log_kind *k = log_kind_may_begin(bare) ? log_kind_find(STR(""), bare, true) : NULL;

    return (k && !(k->flags & LOG_ASIDE)) || crash_is_certain(bare);
}

static bool is_message_within(struct str line)
{
    size_t at;
    const struct log_kind *k = log_kind_within(line, &at);

    return k && !(k->flags & LOG_ASIDE);
}

static bool has_message(struct str text)
{
    struct log_prefixes none = {0};
    struct buf colorless = {0};
    struct str line;
    bool found = false;

    while (!found && str_next_line(&text, &line)) {
        struct launcher launcher;
        struct str bare, behind;
        struct log_line l;

        log_line_parse(line, &none, &colorless, &l);
        bare = str_trim(l.text);
        found = l.form != LOG_BARE || begins_message(bare) || is_message_within(bare) ||
                (launcher_take(bare, &launcher, &behind) && begins_message(str_trim(behind)));
    }
    buf_free(&colorless);
    return found;
}

bool torchlog_sniff(struct str beginning)
{
    struct arena *a;
    struct paste paste;
    bool found = has_message(beginning);

    if (found)
        return true;
    a = arena_new();
    found = paste_mend(a, beginning, &paste) && has_message(paste.text);
    arena_free(a);
    return found;
}

/* A log of eager mode and one of compiled code may name nothing of PyTorch, nor do the counts of explain(). */
static bool is_about(struct arena *a, struct str text)
{
    return any_error_is_about(text) || steps_slow_at_first(a, text).message.n || explained_breaks(a, text).message.n;
}

bool torchlog_sniff_given(struct str beginning)
{
    struct any_error any;
    struct paste paste;
    struct arena *a;
    struct text_note note;
    bool found;

    if (any_error_is_foreign(beginning))
        return false;
    if (torchlog_sniff(beginning))
        return true;
    a = arena_new();
    paste_mend(a, beginning, &paste);
    found = is_about(a, paste.text) &&
            (any_error_find(paste.text, false, &any) || note_find(a, paste.text, NULL, &note));
    arena_free(a);
    return found;
}

/* --- what was pasted ---------------------------------------------------------------------------------------------- */

/* All of a text that is small enough to be copied by hand; false for a larger one. */
static bool read_small(struct source *s, struct buf *text)
{
    enum { BLOCK = 256 << 10 };
    size_t k;

    while (text->n <= PASTE_MAX && (k = source_read(s, buf_room(text, BLOCK), BLOCK)) > 0)
        buf_added(text, k);
    return text->n <= PASTE_MAX;
}

/* What is read from then on is the text as it was before it was copied. */
static bool mend_source(struct source *s, struct arena *a, struct paste *paste)
{
    struct buf text = {0};
    bool mended;

    *paste = (struct paste){0};
    mended =
        read_small(s, &text) && text.n && paste_mend(a, buf_view(&text), paste) && source_replace(s, paste->text) == 0;
    buf_free(&text);
    return mended;
}

static void mend(struct input *in, struct arena *a, struct paste *paste)
{
    if (mend_source(&in->source, a, paste)) {
        message_add(&in->messages, MSG_MENDED, 0, "%.*s", STR_ARG(paste_words(a, paste->damage)));
    } else {
        source_rewind(&in->source);
        paste->numbers.n = 0;
    }
}

/* Dots in the place of lines (Python has dots, too, which are indented), or an end within a message. */
static bool is_cut(struct str text)
{
    struct str line;
    bool within = false;

    while (str_next_line(&text, &line)) {
        if (line.n && line.p[0] != ' ' && line.p[0] != '\t' && crash_is_elision(str_trim(line)))
            return true;
        within = line.n ? str_ends(str_trim(line), STR(BREAK_TEXT_AT)) : within;
    }
    return within;
}

/* Without any message that is known, a small text is about its one error; one of a person's size is, most often. */
static void look_for_any(struct log_pass *p, struct input *in, struct str *text)
{
    enum { SHORT = 256 << 10 };
    struct buf b = {0};
    bool about = read_small(&in->source, &b) && b.n && is_about(p->arena, buf_view(&b));

    p->any = about && !has_message(buf_view(&b));
    p->small = about && b.n <= SHORT &&
               (any_error_names_ours(buf_view(&b)) || explained_breaks(p->arena, buf_view(&b)).message.n);
    *text = p->any || p->small ? arena_str(p->arena, buf_view(&b)) : STR("");
    if (b.n <= SHORT) {
        struct prose *prose = ARENA_NEW(p->arena, struct prose);
        struct str kept = text->n ? *text : buf_view(&b);

        prose_read(kept, prose);
        stated_find(kept, prose, &in->stated);
        p->prose = text->n ? prose : NULL;
        in->stated.pytorch = arena_str(in->arena, in->stated.pytorch);
        in->stated.trial = arena_str(in->arena, in->stated.trial);
        in->stated.worked = arena_str(in->arena, in->stated.worked);
        in->stated.worked_of = arena_str(in->arena, in->stated.worked_of);
        in->stated.variant_of = arena_str(in->arena, in->stated.variant_of);
        in->stated.variant_package = arena_str(in->arena, in->stated.variant_package);
        in->stated.variant_newer = arena_str(in->arena, in->stated.variant_newer);
        in->stated.variant_said = arena_str(in->arena, in->stated.variant_said);
        in->stated.shape = arena_str(in->arena, in->stated.shape);
        in->stated.logged = arena_str(in->arena, in->stated.logged);
        in->stated.in_place = arena_str(in->arena, in->stated.in_place);
        in->stated.bfloat16 = arena_str(in->arena, in->stated.bfloat16);
        in->stated.cache = arena_str(in->arena, in->stated.cache);
        in->stated.refused = arena_str(in->arena, in->stated.refused);
        in->stated.option = arena_str(in->arena, in->stated.option);
        in->stated.inductor_cache = arena_str(in->arena, in->stated.inductor_cache);
        in->stated.gpu_kind = arena_str(in->arena, in->stated.gpu_kind);
        in->stated.built_kinds = arena_str(in->arena, in->stated.built_kinds);
        in->stated.unreached = arena_str(in->arena, in->stated.unreached);
        in->stated.rocm = arena_str(in->arena, in->stated.rocm);
        in->stated.settings = arena_str(in->arena, settings_held(p->arena, kept));
        if (is_cut(buf_view(&b)))
            stated_add(&in->stated, STATED_CUT);
    }
    buf_free(&b);
    source_rewind(&in->source);
}

bool torchlog_mend_again(struct source *s)
{
    struct arena *a = arena_new();
    struct paste paste;
    bool mended = mend_source(s, a, &paste);

    arena_free(a);
    return mended;
}

/* --- the compile of a message ------------------------------------------------------------------------------------- */

static struct log_process *log_process_of(struct log_pass *p, struct process_state *s)
{
    void **slot = map_at_copy(&p->processes, MAP_KEY(s));

    if (!*slot)
        *slot = ARENA_NEW(p->arena, struct log_process);
    return *slot;
}

/* Whether an attempt of the compile has its graph break. */
static bool has_break(const struct compile *c, int attempt)
{
    return c->breaks.n && c->breaks.v[c->breaks.n - 1]->attempt >= attempt;
}

/* Whether a message can not be about the compile that had its id before, which has as much already. */
static bool is_second(const struct log_process *lp, const struct compile *before, const struct record *rec,
                      const struct log_kind *k)
{
    if (k->flags & LOG_ONCE_PER_ATTEMPT)
        return has_break(before, rec->attempt);
    if (rec->attempt > 0)
        return false;
    if ((k->flags & LOG_ONCE) && lp->said_of == before && lp->said == k)
        return true;
    if (k->flags & LOG_ENDS)
        return before->guards_seen;
    return before->ended || (before->reasons.n && (k->flags & LOG_REASONS));
}

static void note_said(struct log_process *lp, struct compile *c, const struct log_kind *k)
{
    if (!(k->flags & LOG_ONCE) || lp->said_of == c)
        return;
    lp->said_of = c;
    lp->said = k;
}

/* Whether the message names another function than the one that had the frame's number until now. */
static bool is_of_another_frame(const struct record *rec, const struct log_kind *k)
{
    const struct frame *f = k->flags & LOG_FRAME ? reading_frame(rec->state, rec->id) : NULL;
    struct log_frame named;

    return f && log_frame_take(rec->text, &named) && log_frame_differs(f, &named);
}

static bool is_traced(const struct log_process *lp, struct compile_id id)
{
    return lp->tracing && compile_id_eq(lp->tracing->id, id);
}

/*
 * Dynamo traces one frame at a time. When it says something of the tracing of a compile that is not the one it traced
 * last, this compile begins; when its id was there before, torch._dynamo.reset() was called.
 */
static enum start start_of(const struct log_process *lp, const struct record *rec, const struct log_kind *k)
{
    const struct compile *before = map_get(&rec->state->compiles, MAP_KEY(rec->id));

    if (is_of_another_frame(rec, k))
        return START_NEW_EPOCH;
    if (before && is_second(lp, before, rec, k))
        return START_RECORD;
    if (!(k->flags & LOG_TRACING) || (is_traced(lp, rec->id) && !(before && before == lp->crash.failed)))
        return START_NONE;
    return rec->attempt > 0 ? START_REASONS : START_RECORD;
}

/* The stack of a break has a call of the function; one that was shown before is left out, and the file is all. */
static bool may_be_break_of(struct str text, const struct frame *f)
{
    struct str rest = text, line, head = text;
    bool stack = false;

    while (f->name.n && str_next_line(&rest, &line)) {
        if (str_ends(line, f->name) && str_ends(str_drop(line, f->name.n), STR(", in ")))
            return true;
        stack |= str_starts(str_trim(line), STR("File \""));
    }
    return !stack && f->file.n && str_has(str_split(&head, '\n'), f->file);
}

/*
 * TORCH_LOGS_FORMAT=short has no ids. What is said behind the reasons of a recompile, up to its guards, is of that
 * compile; a graph break only when it can be one of the function.
 */
static bool is_of_begun(const struct log_process *lp, const struct record *rec, const struct log_kind *k)
{
    const struct compile *c = lp->begun;

    if (!c || lp->ids || !k || !k->artifact || !*k->artifact)
        return false;
    if (k->apply == apply_log_break)
        return !c->guards_seen && may_be_break_of(rec->text, c->frame);
    return !c->guards_seen || (str_eq(str_of(k->artifact), STR("guards")) && !(k->flags & LOG_ENDS));
}

static struct compile *compile_without_id(struct log_process *lp, const struct record *rec, const struct log_kind *k)
{
    if (is_of_begun(lp, rec, k))
        return lp->begun;
    if (k)
        lp->begun = NULL;
    return rec->process->unattributed;
}

static struct compile *compile_of(struct log_pass *p, struct record *rec, const struct log_kind *k)
{
    struct log_process *lp = log_process_of(p, rec->state);
    bool tracing = k && (k->flags & LOG_TRACING), starts = tracing || (k && (k->flags & LOG_ENDS));
    struct compile *c;

    if (k && (k->flags & LOG_RESET))
        lp->tracing = NULL;
    if (compile_id_is_none(rec->id))
        return compile_without_id(lp, rec, k);
    c = reading_compile(&p->reading, rec->state, rec->id, starts ? start_of(lp, rec, k) : START_NONE, rec->line);
    if (tracing) {
        lp->tracing = c;
        c->started = true;
        note_said(lp, c, k);
    }
    return c;
}

static void touch(struct record *rec)
{
    struct process *p = rec->process;
    struct compile *c = rec->compile;

    p->records++;
    if (rec->time_us == 0)
        return;
    if (p->first_us == 0 || rec->time_us < p->first_us)
        p->first_us = rec->time_us;
    if (rec->time_us > p->last_us)
        p->last_us = rec->time_us;
    if (c == p->unattributed)
        return;
    if (c->first_us == 0)
        c->first_us = c->last_us = rec->time_us;
    /* Messages of a compile whose beginning was not printed show when it was, but not how long it took. */
    if (!c->ended && c->start != START_NONE && rec->time_us > c->last_us)
        c->last_us = rec->time_us;
}

/* --- keeping its text --------------------------------------------------------------------------------------------- */

struct joined_key {
    const struct compile *compile;
    const char *name; /* interned */
    uint64_t stream;
};

/* Without a prefix nothing shows which of the lines between two messages are of neither. */
static bool is_joined(const struct log_message *m)
{
    if (!m->kind)
        return true;
    return (m->kind->flags & LOG_JOINED) && m->head.form != LOG_BARE;
}

/* debug.log of a torch_compile_debug directory holds only messages of Dynamo, without prefixes: it is one text. */
static bool is_debug_log(const struct record *rec)
{
    return rec->reading->in->file.is_log;
}

static void keep_text(struct log_pass *p, struct record *rec, const struct log_message *m)
{
    struct joined_key key = {rec->compile, rec->name.p, m->from->index};
    void **slot = NULL;
    struct artifact *a;

    if (is_joined(m) || is_debug_log(rec)) {
        slot = map_at_copy(&p->joined, MAP_KEY(key));
        a = m->kind && (m->kind->flags & LOG_FIRST) && !is_debug_log(rec) ? NULL : *slot;
        if (a) {
            payload_join(p->reading.in->arena, &a->payload, &m->payload);
            return;
        }
    }
    a = record_add_artifact(rec, (struct str){0});
    if (slot)
        *slot = a;
}

/* A damaged tag may read as the name of a kind that is known: the first of a name decides. */
static void count_kind(struct input *in, struct str name, bool unknown)
{
    void **slot = map_at(&in->kinds, arena_printf(in->arena, "TORCH_LOGS:%.*s", STR_ARG(name)));
    struct kind_count *k = *slot;

    if (!k) {
        *slot = k = ARENA_NEW(in->arena, struct kind_count);
        k->unknown = unknown;
    }
    k->count++;
    in->totals.unknown_records += k->unknown;
}

static struct str name_of(const struct log_message *m)
{
    const char *name = m->kind ? m->kind->name : NULL;

    if (name)
        return str_of(name);
    if (m->crash && m->crash != CRASH_TAIL)
        return STR("exception");
    if (m->head.artifact.n)
        return m->head.artifact;
    return m->head.form == LOG_BARE ? STR("program_output") : STR("dynamo_log");
}

static void read_id(struct record *rec, struct str id)
{
    int attempt = 0;

    rec->id = COMPILE_ID_NONE;
    rec->attempt = -1;
    if (id.n && compile_id_take(&id, &rec->id, &attempt))
        rec->attempt = attempt;
}

/* A launcher's prefix, or none. */
static bool has_no_prefix(const struct log_source *s)
{
    return s->bare->index == 0;
}

/*
 * A process that leaves torch.distributed loses its "[rank0]:", and had none before it joined. With two different
 * prefixes, equal process ids are those of two containers.
 */
static struct process_state *process_with(struct log_pass *p, const struct log_source *from)
{
    const struct log_source *known = from->number ? map_get(&p->by_number, MAP_KEY(from->number)) : NULL;

    return known && (has_no_prefix(known) || has_no_prefix(from)) ? known->process : NULL;
}

static void note_process(struct log_pass *p, const struct log_source *from)
{
    void **slot = from->number ? map_at_copy(&p->by_number, MAP_KEY(from->number)) : NULL;

    if (slot && !*slot)
        map_put_const(slot, from);
}

/* What has no prefix before the first message that has one is of the same process. */
static struct process_state *state_of(struct log_pass *p, struct log_source *from, const struct log_message *m)
{
    struct process_state *bare = from->bare->process;

    if (!from->process && !process_with(p, from) && bare && bare->process->pid == 0 && !bare->process->pid_is_thread) {
        bare->process->pid_is_thread = from->number > GLOG_LARGEST_PID;
        bare->process->pid = bare->process->pid_is_thread ? 0 : from->number;
        from->process = bare;
        note_process(p, from);
    }
    if (!from->process)
        from->process = process_with(p, from);
    if (!from->process) {
        struct glog g = m->head.glog;

        g.number = from->number;
        from->process = reading_process(&p->reading, from->index, &g, m->line);
        note_process(p, from);
    }
    return from->process;
}

static bool is_recompile(const struct log_kind *k)
{
    return k && (k->apply == apply_log_recompile || k->apply == apply_log_limit || k->apply == apply_log_bare_guard);
}

static void apply_message(struct log_pass *p, struct record *rec, const struct log_message *m)
{
    struct unnamed *u = &log_process_of(p, rec->state)->unnamed;

    if (is_recompile(m->kind) && compile_id_is_none(rec->id)) {
        unnamed_take(u, p->arena, rec);
    } else if (m->kind && m->kind->apply) {
        if (m->kind->flags & LOG_FRAME)
            unnamed_join(u, rec);
        m->kind->apply(rec);
    }
    if (is_debug_log(rec))
        rec->name = record_intern(rec, STR("dynamo_log"));
    if (!(m->kind && (m->kind->flags & LOG_FACTS)))
        keep_text(p, rec, m);
}

static void note_level(struct log_process *lp, const struct log_message *m)
{
    char level = m->head.glog.level;

    if (m->head.form == LOG_BARE)
        return;
    lp->asked |= level == 'V' || level == 'I';
    lp->warned |= level == 'W' || level == 'E' || level == 'C';
}

static void note_begun(struct log_process *lp, const struct record *rec, const struct log_message *m)
{
    lp->ids |= m->head.id.n > 0;
    if (m->kind && m->kind->apply == apply_log_recompile && m->head.id.n == 0 && !compile_id_is_none(rec->id))
        lp->begun = rec->compile;
}

static bool take_message(void *object, const struct log_message *m)
{
    struct log_pass *p = object;
    struct reading *r = &p->reading;
    struct process_state *s = state_of(p, m->from, m);
    struct record rec = {.reading = r,
                         .line = m->line,
                         .span = {m->payload.offset, m->payload.stored},
                         .payload = m->payload,
                         .text = m->text,
                         .process = s->process,
                         .state = s,
                         .rank = m->head.launcher.rank};
    bool taken;

    rec.kind_name = record_intern(&rec, STR("log"));
    rec.name = record_intern(&rec, name_of(m));
    if (m->head.glog.month)
        rec.time_us = reading_local_time(r, &m->head.glog);
    version_places_add(&s->places, str_hash(m->head.glog.file), m->head.glog.line);
    read_id(&rec, m->head.id);
    reading_set_rank(r, s, rec.rank, RANK_FROM_LAUNCHER, m->line);
    if (is_recompile(m->kind))
        rec.text = log_recompile_text(r->scratch, rec.text);
    if (is_recompile(m->kind) && compile_id_is_none(rec.id))
        unnamed_id(&rec, &rec.id);
    if (m->kind && m->kind->apply == apply_log_metrics)
        read_id(&rec, metrics_text_id(rec.text));
    rec.compile = compile_of(p, &rec, m->kind);
    note_begun(log_process_of(p, s), &rec, m);
    note_level(log_process_of(p, s), m);
    if (rec.attempt >= rec.compile->attempts)
        rec.compile->attempts = rec.attempt + 1;
    touch(&rec);
    r->in->totals.records++;
    log_process_of(p, s)->crash.any = p->any;
    log_process_of(p, s)->crash.small = p->small;
    taken = crash_take(&log_process_of(p, s)->crash, &rec, m);
    count_kind(r->in, m->crash && taken ? STR("exception") : name_of(m), m->head.artifact.n && !m->kind);
    if (!taken) {
        apply_message(p, &rec, m);
        crash_note(&log_process_of(p, s)->crash, &rec, m);
    }
    arena_reset(r->scratch);
    return taken || m->crash != CRASH_TAIL;
}

static void finish_crashes(struct log_pass *p)
{
    VEC(struct crash_process *) all = {0};

    for (size_t i = 0; i < p->processes.n; i++)
        vec_push(p->arena, &all, &((struct log_process *)p->processes.entries[i].value)->crash);
    crash_finish(all.v, all.n, p->reading.in->arena);
}

/* --- the file ----------------------------------------------------------------------------------------------------- */

/*
 * Text without any prefix does not say whose it is. Beside processes that are known it is no process of its own: the
 * first of them keeps it. Only a failure, which may be of any of them, stays for itself when there are several.
 */
static bool is_unnamed(const struct process *p)
{
    return p->pid == 0 && !p->pid_is_thread && p->compiles.n == 0 &&
           (p->rank == RANK_UNKNOWN || (p->unattributed->failures.n == 0 && p->times.n == 0));
}

static void move_contents(struct input *in, struct process *from, struct process *to)
{
    for (size_t i = 0; i < from->unattributed->artifacts.n; i++) {
        struct artifact *a = from->unattributed->artifacts.v[i];

        a->compile = to->unattributed;
        vec_push(in->arena, &to->unattributed->artifacts, a);
    }
    for (size_t i = 0; i < from->unattributed->breaks.n; i++) {
        from->unattributed->breaks.v[i]->compile = to->unattributed;
        vec_push(in->arena, &to->unattributed->breaks, from->unattributed->breaks.v[i]);
    }
    vec_each(const struct cudagraph_skip, s, &from->unattributed->cudagraph_skips)
        vec_push(in->arena, &to->unattributed->cudagraph_skips, *s);
    for (size_t i = 0; i < from->unattributed->failures.n; i++) {
        from->unattributed->failures.v[i]->compile = to->unattributed;
        vec_push(in->arena, &to->unattributed->failures, from->unattributed->failures.v[i]);
    }
    for (size_t i = 0, none = to->times.n == 0; none && i < from->times.n; i++)
        vec_push(in->arena, &to->times, from->times.v[i]);
    for (size_t i = 0, none = to->start_lines.n == 0; none && i < from->start_lines.n; i++)
        vec_push(in->arena, &to->start_lines, from->start_lines.v[i]);
    to->explained_graphs += from->explained_graphs;
    to->explained_breaks += from->explained_breaks;
    to->records += from->records;
}

static void merge_unnamed_processes(struct input *in)
{
    struct process *first = NULL;
    size_t known = 0, kept = 0;

    for (size_t i = 0; i < in->processes.n; i++) {
        bool named = !is_unnamed(in->processes.v[i]);

        first = named && !first ? in->processes.v[i] : first;
        known += named;
    }
    for (size_t i = 0; first && i < in->processes.n; i++) {
        struct process *p = in->processes.v[i];

        if (is_unnamed(p) && (known == 1 || p->unattributed->failures.n == 0))
            move_contents(in, p, first);
        else
            in->processes.v[kept++] = p;
    }
    in->processes.n = first ? kept : in->processes.n;
}

/* What only a later attempt has. */
static void note_restarts(struct arena *a, struct compile *c)
{
    for (size_t i = 0; i < c->breaks.n; i++) {
        struct graph_break *b = c->breaks.v[i];

        if (b->attempt < 0 || b->attempt + 1 >= c->attempts)
            continue;
        b->restarted = true;
        vec_push(a, &c->restart_reasons, b->reason);
    }
}

static void finish_processes(struct log_pass *p)
{
    for (size_t i = 0; i < p->reading.states.n; i++) {
        struct process_state *s = p->reading.states.v[i];

        s->process->only_warned = log_process_of(p, s)->warned && !log_process_of(p, s)->asked;
        unnamed_release(&log_process_of(p, s)->unnamed, p->arena);
        if (!log_process_of(p, s)->ids)
            unnamed_breaks(&p->reading, s);
        unnamed_number(&log_process_of(p, s)->unnamed, s->process);
        for (size_t k = 0; k < s->process->compiles.n; k++) {
            note_restarts(p->reading.in->arena, s->process->compiles.v[k]);
            apply_log_drop_repeated(s->process->compiles.v[k]);
        }
    }
}

static const struct crash_process **crashes_of(struct log_pass *p)
{
    const struct crash_process **crashes = ARENA_ARRAY(p->arena, const struct crash_process *, p->processes.n + 1);

    for (size_t i = 0; i < p->processes.n; i++)
        crashes[i] = &((struct log_process *)p->processes.entries[i].value)->crash;
    return crashes;
}

/* Last: a text whose only failure is a warning was asked for an error before. */
static void put_warnings(struct log_pass *p)
{
    struct input *in = p->reading.in;

    for (size_t i = 0; i < p->processes.n && in->processes.n; i++)
        crash_put_warnings(&((struct log_process *)p->processes.entries[i].value)->crash, in->processes.v[0],
                           in->arena);
}

void torchlog_read(struct input *in, const struct trace_options *options, struct pool *pool)
{
    struct log_pass p = {.arena = arena_new()};
    struct line_reader lines;
    struct str text;
    struct paste paste;
    struct line line;

    mend(in, p.arena, &paste);
    look_for_any(&p, in, &text);
    if (paste.damage & PASTE_FOLDED)
        stated_add(&in->stated, STATED_FOLDED);
    map_init(&p.processes, p.arena);
    map_init(&p.by_number, p.arena);
    map_init(&p.joined, p.arena);
    reading_init(&p.reading, in, options, pool);
    log_messages_init(&p.messages, in, take_message, &p);
    lines_begin(&lines, &in->source);
    while (lines_next(&lines, &line)) {
        if (line.number <= paste.numbers.n)
            line.number = paste.numbers.v[line.number - 1];
        log_messages_line(&p.messages, &line);
        log_messages_skip(&p.messages, &lines);
    }
    lines_end(&lines);
    source_end_reading(&in->source);
    in->log_lines = p.messages.lines - (paste.added < p.messages.lines ? paste.added : 0);
    log_messages_finish(&p.messages);
    finish_processes(&p);
    in->log_lines_understood = p.messages.understood < in->log_lines ? p.messages.understood : in->log_lines;
    finish_crashes(&p);
    reading_finish(&p.reading);
    merge_unnamed_processes(in);
    for (size_t i = 0; i < in->processes.n; i++)
        apply_log_drop_known(in->processes.v[i]);
    if (p.any || p.small)
        unknown_error_add(in, text, p.prose, p.any, crashes_of(&p), p.processes.n);
    put_warnings(&p);
    trace_report_source(in);
    arena_free(p.arena);
}

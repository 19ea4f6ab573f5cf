#include "torchlog/apply/messages.h"

#include "input/limits.h"
#include "text/messages/break_text.h"
#include "text/messages/explain_text.h"
#include "text/python/exception_line.h"
#include "torchlog/apply/apply.h"
#include "torchlog/apply/marks.h"

enum { WRITERS_MAX = 4096 };

/* One writer, and its message under construction. */
struct log_writer {
    struct log_source source;
    struct str key;
    struct log_writer *bare; /* the writer of source.bare */
    struct log_writer *last; /* of such a writer: who wrote a whole prefix last */
    bool open;
    struct log_message message;
    size_t indent;          /* of the first line of a message without prefix */
    size_t indent_back;     /* of its first line in the file, which reading the message back takes off each line */
    unsigned state;         /* of log_kind_goes_on */
    bool bare_between;      /* lines without a prefix came that are none of the message */
    struct crash_scan scan; /* of a message about a crash */
    struct payload certain; /* as far as it certainly goes */
    size_t certain_text;
    size_t rest_indent;  /* of the first line behind that */
    uint64_t rest_bytes; /* of these lines, as they are read back */
    struct buf lead;     /* what stands before each of its lines */
    struct buf head, text;
};

static struct log_writer *add_writer(struct log_messages *m, struct str key)
{
    struct log_writer *w = ARENA_NEW(m->arena, struct log_writer);

    w->key = arena_str(m->arena, key);
    w->source.index = (uint32_t)m->list.n;
    w->source.bare = &w->source;
    w->bare = w;
    vec_push(m->arena, &m->list, w);
    *map_at(&m->writers, w->key) = w;
    return w;
}

/* The writer of lines that have nothing but this prefix of a launcher. */
static struct log_writer *bare_writer(struct log_messages *m, struct str launcher_key)
{
    struct log_writer *w = map_get(&m->writers, launcher_key);

    if (w)
        return w;
    if (m->list.n >= WRITERS_MAX)
        return m->list.v[0];
    if (launcher_key.n) {
        vec_push(m->in->arena, &m->in->stream_keys, arena_str(m->in->arena, launcher_key));
        m->known.keys = m->in->stream_keys.v;
        m->known.key_count = m->in->stream_keys.n;
    }
    return add_writer(m, launcher_key);
}

static struct log_writer *writer_of(struct log_messages *m, const struct log_line *l)
{
    struct log_writer *bare = bare_writer(m, l->launcher.key), *w;
    char key[600];
    struct str k;

    if (l->form == LOG_BARE)
        return bare;
    k.n = (size_t)snprintf(key, sizeof key, "%.*s\n%llu", (int)(l->launcher.key.n < 500 ? l->launcher.key.n : 500),
                           l->launcher.key.p ? l->launcher.key.p : "", (unsigned long long)l->glog.number);
    k.p = key;
    w = map_get(&m->writers, k);
    if (!w)
        w = m->list.n < WRITERS_MAX ? add_writer(m, k) : m->list.v[0];
    w->bare = bare;
    w->source.bare = &bare->source;
    w->source.number = l->glog.number;
    bare->last = w;
    if (m->in->of_one_process) /* what has no prefix at all is of the process whose messages have one */
        m->list.v[0]->last = w;
    return w;
}

/* --- one message -------------------------------------------------------------------------------------------------- */

static struct str keep(struct buf *b, struct str s)
{
    struct str kept = {b->p + b->n, s.n};

    buf_str(b, s);
    return kept;
}

/* Copies what has line lifetime. */
static void keep_head(struct log_writer *w, const struct log_line *l)
{
    struct log_line *h = &w->message.head;

    *h = *l;
    w->head.n = 0;
    buf_room(&w->head, l->glog.file.n + l->id.n + l->artifact.n + l->launcher.key.n + 1);
    h->glog.file = keep(&w->head, l->glog.file);
    h->id = keep(&w->head, l->id);
    h->artifact = keep(&w->head, l->artifact);
    h->launcher.key = keep(&w->head, l->launcher.key);
    h->launcher.prefix = h->text = h->glog.text = (struct str){0};
}

/* Of a message about a crash, what is behind its certain part is output of the program. */
static void take_crash(struct log_messages *m, struct log_writer *w)
{
    struct log_message *crash = &w->message, rest = *crash;
    const struct payload *certain = &w->certain;

    rest.crash = CRASH_NONE;
    rest.line += certain->lines;
    rest.text = str_skip(crash->text, w->certain_text + 1);
    rest.payload.offset += certain->stored;
    rest.payload.stored -= certain->stored;
    rest.payload.lines -= certain->lines;
    rest.payload.text_bytes = w->rest_bytes;
    crash->payload = *certain;
    crash->text = str_take(crash->text, w->certain_text);
    m->understood += m->take(m->object, crash) ? certain->lines : 0;
    if (str_trim(rest.text).n)
        m->take(m->object, &rest);
}

static void finish_message(struct log_messages *m, struct log_writer *w)
{
    if (!w->open)
        return;
    w->open = false;
    w->message.text = w->text.p ? buf_view(&w->text) : STR("");
    if (w->message.crash) {
        take_crash(m, w);
        return;
    }
    if (w->message.head.form != LOG_BARE) /* its first line may be empty */
        w->message.kind = log_kind_find(w->message.head.artifact, str_trim(w->message.text), false);
    if (w->message.kind || w->message.head.form != LOG_BARE)
        m->understood += w->message.payload.lines;
    m->take(m->object, &w->message);
    if (w->text.cap > 4u << 20)
        buf_free(&w->text);
}

/* Output of the program is not looked at: it stays in the file. */
static void add_text(struct log_writer *w, struct str text)
{
    if (w->text.n >= LIMIT_PAYLOAD_TEXT)
        return;
    if (w->message.payload.lines)
        buf_char(&w->text, '\n');
    buf_str(&w->text, str_take(text, LIMIT_PAYLOAD_TEXT - w->text.n));
}

/* Of a line of the message, as it is read back. */
static size_t length_back(const struct log_writer *w, struct str text)
{
    return log_line_outdented(text, w->indent_back).n;
}

static void add_line(struct log_writer *w, const struct line *line, const struct log_line *l)
{
    struct payload *p = &w->message.payload;
    struct str text = log_line_outdented(l->text, w->indent);

    if (w->message.kind || w->message.crash || w->message.head.form != LOG_BARE)
        add_text(w, text);
    p->text_bytes += length_back(w, l->text) + (p->lines ? 1 : 0);
    p->stored = line->offset + line->stored - p->offset;
    p->lines++;
}

/* Whether a line without prefix is of the message under construction. */
static bool goes_on(struct log_writer *w, struct str text)
{
    const struct log_kind *k = w->message.kind;

    if (text.n && log_line_indent(text) < w->indent)
        return false;
    return !k || log_kind_goes_on(k, &w->state, text);
}

static void begin_message(struct log_messages *m, struct log_writer *w, const struct line *line,
                          const struct log_line *l, const struct log_kind *kind)
{
    finish_message(m, w);
    keep_head(w, l);
    w->message.from = w->bare == w && w->last ? &w->last->source : &w->source;
    w->message.kind = kind;
    w->message.line = line->number;
    w->message.payload = (struct payload){.offset = line->offset, .flags = PAYLOAD_PRESENT | PAYLOAD_LOG};
    w->message.crash = CRASH_NONE;
    w->message.uncaught = false;
    w->message.at_end = false;
    w->text.n = 0;
    w->indent = w->indent_back = l->form == LOG_BARE ? log_line_indent(l->text) : 0;
    w->open = true;
    w->state = 0;
    w->bare_between = false;
    goes_on(w, l->text);
    add_line(w, line, l);
}

/* --- lines -------------------------------------------------------------------------------------------------------- */

static bool is_break(const struct log_kind *k)
{
    return k->apply == apply_log_break || k->apply == apply_log_item_break;
}

/* The stack of a break, at its end: lines behind it without indentation are no part of it. */
static bool has_stack(struct str text)
{
    return str_has(text, STR("User code traceback:")) || str_has(text, STR("from user code at:")) ||
           str_has(text, STR(BREAK_TEXT_CALL));
}

/* Whether the message has lines that lack its prefix. */
static bool has_bare(const struct log_writer *w)
{
    return w->message.payload.flags & PAYLOAD_BARE;
}

/*
 * Whether the line belongs to the message that is open, which had a prefix: the line lacks it. A message of a break
 * whose first line alone has one goes on with blank lines and a stack, which have no words of their own.
 */
static bool lacks_prefix(const struct log_writer *bare, struct str line)
{
    const struct log_writer *last = bare->last;
    struct str text;

    if (!last || !last->open || !last->message.kind || last->bare_between)
        return false;
    text = str_skip(line, log_line_indent(line));
    if (!is_break(last->message.kind))
        return log_kind_goes_on_bare(last->message.kind, text);
    if (bare->open || !(has_bare(last) || last->message.payload.lines == 1))
        return false;
    if (log_kind_goes_on_bare(last->message.kind, text))
        return true;
    if (has_bare(last))
        return text.n < line.n || text.n == 0 || !has_stack(buf_view(&last->text));
    return text.n < line.n &&
           (str_starts(text, STR("File \"")) || str_has(buf_view(&last->text), STR(BREAK_TEXT_CALL)));
}

/* Whose message without a prefix, or in the short form, is open. */
static struct log_writer *open_writer(struct log_writer *bare)
{
    return bare->last && bare->last->open && bare->last->message.head.form == LOG_SHORT ? bare->last : bare;
}

/* Whether a line that could begin a message of kind k belongs to the one that is open. */
static bool takes(const struct log_writer *w, const struct log_kind *k)
{
    const struct log_message *open = &w->message;

    if (!w->open || !open->kind)
        return false;
    if (open->head.form == LOG_SHORT && open->head.artifact.n && str_eq(open->head.artifact, str_of(k->artifact)))
        return true;
    return (k->flags & LOG_ALONE) || log_kind_takes(open->kind, k);
}

/* PyTorch 2.5 and earlier show a break by the traceback of its exception. */
static bool takes_traceback(const struct log_writer *w)
{
    return w->open && w->message.kind && log_kind_has_traceback(w->message.kind, buf_view(&w->text));
}

/*
 * A message without prefix has calls, too, and the words that stand behind an exception; of a break all of it may be
 * the text of one. Other exceptions of the compiler are no part of a message.
 */
static bool may_take_tail(const struct log_writer *w, struct str text)
{
    const struct log_kind *k = w->message.kind;

    return k && (exception_line_begins(text) != EXCEPTION_OF_COMPILER || log_kind_in_traceback(k, buf_view(&w->text)));
}

/* Whether what looks like a crash is part of the message that is open; a tail only when the message goes on. */
static bool takes_crash(const struct log_writer *w, enum crash_form crash, struct str text, bool mine)
{
    return (crash == CRASH_TRACEBACK && takes_traceback(w)) || (crash == CRASH_TAIL && mine && may_take_tail(w, text));
}

/* Without what a logger put before each line of the message; false when it does not stand before this one. */
static bool take_lead(struct log_writer *w, struct str *text)
{
    struct str lead = w->lead.n ? buf_view(&w->lead) : STR("");

    if (crash_has_lead(*text, lead)) {
        *text = str_skip(*text, lead.n);
        return true;
    }
    if (w->message.payload.lines > 1)
        return false;
    w->lead.n = 0; /* it stood only before the header */
    return true;
}

static void mark_certain(struct log_writer *w)
{
    w->certain = w->message.payload;
    w->certain_text = w->text.n;
    w->rest_bytes = 0;
}

/* The line may turn out to be output of the program, which keeps what a logger put before it. */
static void note_unsure(struct log_writer *w, struct str text)
{
    bool first = w->message.payload.lines == w->certain.lines + 1;

    if (first)
        w->rest_indent = log_line_indent(text);
    w->rest_bytes += log_line_outdented(text, w->rest_indent).n + !first;
}

static void begin_crash(struct log_messages *m, struct log_writer *w, const struct line *line, const struct log_line *l,
                        enum crash_form form, size_t lead)
{
    struct str bare = str_skip(l->text, lead);

    if (w->last) /* it shows what was at work */
        finish_message(m, w->last);
    begin_message(m, w, line, l, NULL);
    w->lead.n = 0;
    buf_str(&w->lead, str_take(l->text, lead));
    buf_str(&w->text, log_line_outdented(bare, w->indent));
    w->message.crash = form;
    /* sys.excepthook of torch/distributed/distributed_c10d.py; messages have no blank behind the rank. */
    w->message.uncaught = form == CRASH_TRACEBACK && l->launcher.rank >= 0 && str_ends(l->launcher.prefix, STR("]: "));
    mark_certain(w);
    crash_scan_begin(&w->scan, form, bare);
}

/* Whether one call of a logger wrote all lines: before each it put the place of the call, "[core.py:866] ". */
static bool is_one_record(const struct log_writer *w)
{
    return w->lead.n && w->message.payload.lines > 1 && str_has(buf_view(&w->lead), STR(".py:"));
}

/* False when the line is none of the message about a crash, or there is no such message. */
static bool crash_goes_on(struct log_messages *m, struct log_writer *w, const struct line *line,
                          const struct log_line *l)
{
    struct log_line bare = *l;
    enum crash_line what;

    if (!w->open || !w->message.crash)
        return false;
    what = take_lead(w, &bare.text) ? crash_scan_next(&w->scan, bare.text) : CRASH_NO_LINE;
    if (what == CRASH_NO_LINE) {
        finish_message(m, w);
        return false;
    }
    if (is_one_record(w))
        what = CRASH_LINE;
    add_line(w, line, &bare);
    w->message.payload.text_bytes += length_back(w, l->text) - length_back(w, bare.text);
    if (what == CRASH_LINE)
        mark_certain(w);
    else
        note_unsure(w, l->text);
    return true;
}

/* A message of one line, behind what the program put before it. */
static void begin_within(struct log_messages *m, struct log_writer *w, const struct line *line,
                         const struct log_line *l, const struct log_kind *kind, size_t at)
{
    struct log_line inner = *l;

    inner.text = str_skip(l->text, at);
    begin_message(m, w, line, &inner, kind);
    w->indent_back = l->form == LOG_BARE ? log_line_indent(l->text) : 0; /* it is read back as a whole line */
    w->message.payload.text_bytes = length_back(w, l->text);
}

static void take_bare(struct log_writer *w, const struct line *line, const struct log_line *l)
{
    w->message.payload.flags |= PAYLOAD_BARE;
    add_line(w, line, l);
}

/* All lines without a prefix within a message are read back as its own, or none is. */
static void end_bare(struct log_messages *m, struct log_writer *w)
{
    if (!w || w->message.head.form == LOG_SHORT)
        return;
    w->bare_between = true;
    if (has_bare(w))
        finish_message(m, w);
}

/*
 * A line without a prefix. It goes on with a message of the short form or one without any prefix, begins one of
 * those, or is output of the program.
 */
static void bare_line(struct log_messages *m, struct log_writer *bare, const struct line *line,
                      const struct log_line *l)
{
    struct str text = str_skip(l->text, log_line_indent(l->text));
    struct log_writer *w = open_writer(bare);
    const struct log_kind *kind, *within;
    enum crash_form crash;
    size_t lead = 0;
    bool mine;

    if (crash_goes_on(m, bare, line, l))
        return;
    if (lacks_prefix(bare, l->text)) {
        take_bare(bare->last, line, l);
        return;
    }
    end_bare(m, bare->last);
    kind = log_kind_may_begin(text) ? log_kind_find(STR(""), text, true) : NULL;
    crash = kind ? CRASH_NONE : crash_begins(l->text);
    if (!kind && (!crash || (crash == CRASH_TAIL && exception_line_begins(text) == EXCEPTION_NONE)) &&
        (lead = crash_lead(l->text)))
        crash = crash_begins(str_skip(l->text, lead));
    if (crash && explain_reasons_find(l->text) >= 0) /* names of exceptions are among the reasons */
        crash = CRASH_NONE;
    within = kind || crash ? NULL : log_kind_within(l->text, &lead);
    mine = w->open && (!kind || takes(w, kind)) && goes_on(w, l->text);
    if (within && !(mine && w->message.kind && (within->flags & LOG_ALONE))) {
        if (w != bare) /* the lines of a message of the short form stand together */
            finish_message(m, w);
        begin_within(m, bare, line, l, within, lead);
        return;
    }
    if (crash && !takes_crash(w, crash, text, mine)) {
        begin_crash(m, bare, line, l, crash, lead);
    } else if (mine) {
        add_line(w, line, l);
    } else {
        finish_message(m, w);
        begin_message(m, bare, line, l, kind);
    }
}

/* Of 2.0 to 2.2, whose date was cut off: unlike a short form of today, every line of a message has the prefix. */
static bool goes_on_undated(const struct log_writer *w, const struct log_line *l)
{
    return l->form == LOG_SHORT && log_line_continues(&w->message.head, l) && w->message.kind &&
           log_kind_goes_on_bare(w->message.kind, str_trim(l->text));
}

static void prefixed_line(struct log_messages *m, struct log_writer *w, const struct line *line,
                          const struct log_line *l)
{
    if (w->bare != w)
        finish_message(m, w->bare);
    if (w->open &&
        (goes_on_undated(w, l) || (l->form != LOG_SHORT && log_line_continues(&w->message.head, l) &&
                                   !(w->message.kind && log_kind_begins(w->message.kind, l->text)))))
        add_line(w, line, l);
    else
        begin_message(m, w, line, l, log_kind_find(l->artifact, l->text, false));
}

static bool begins_traceback(struct str text)
{
    return str_ends(text, STR("(most recent call last):")) ||
           str_has(text, STR(" Traceback (most recent call last) ")) ||
           str_has(str_take(text, 200), STR("Fatal Python error: "));
}

/* What stands behind the prefix of a process, such as "(VllmWorker rank=4 pid=842) ". */
static bool has_kind(struct str text)
{
    struct launcher launcher;
    struct str rest;
    size_t at;

    if (text.n && text.p[0] == '(' && log_kind_within(text, &at))
        return true;
    return launcher_take(text, &launcher, &rest) && log_kind_may_begin(rest) && log_kind_find(STR(""), rest, true);
}

/* An exception of the compiler or with words of PyTorch, or a line of a stack, behind the prefix of a process. */
static bool is_error_of_process(struct str text)
{
    enum exception_line begins;
    struct launcher launcher;
    struct str rest;

    if (!text.n || text.p[0] != '(' || !launcher_take(text, &launcher, &rest) || !launcher_names_process(launcher.key))
        return false;
    begins = exception_line_begins(str_trim(rest));
    return (str_starts(str_trim(rest), STR("File \"")) && crash_begins(rest) == CRASH_TAIL) ||
           begins == EXCEPTION_OF_COMPILER ||
           (begins != EXCEPTION_NONE &&
            (exception_line_has_phrase(rest) || str_has_any_line(rest, STR("torch\ntensor\nTensor\ncuda\nCUDA"))));
}

/*
 * A traceback, and a line of a program that has a time of PyTorch, show what a launcher or a container puts before each
 * line, where no message of PyTorch did so before.
 */
static bool learn_prefix(struct log_messages *m, struct str text)
{
    struct launcher launcher;
    struct str rest;
    bool error = is_error_of_process(text);

    if (!(begins_traceback(text) || has_kind(text) || error) || (!error && crash_begins(text)) ||
        !launcher_take(text, &launcher, &rest) ||
        !(crash_begins(rest) || crash_lead(rest) || log_kind_may_begin(rest) || launcher_names_process(launcher.key)))
        return false;
    if (launcher.key.n)
        bare_writer(m, launcher.key);
    else
        m->known.timed = true;
    return true;
}

/* Another program's logger has a prefix as PyTorch's; the traceback that follows its first line has none. */
static void drop_foreign_prefix(struct log_line *l)
{
    if (l->form != LOG_GLOG || l->artifact.n || !str_eq(l->text, STR("Traceback (most recent call last):")) ||
        str_has(l->glog.file, STR("torch/")) || str_has(l->glog.file, STR("torch\\")))
        return;
    l->form = LOG_BARE;
    l->glog = (struct glog){0};
    l->plain = false;
}

/*
 * A logger put its prefix before the header alone, which looks like the name of a writer: the calls below are no part
 * of what nobody's last message was.
 */
static void end_above_header(struct log_messages *m, struct log_writer *w, const struct log_line *l)
{
    bool nobody = w == m->list.v[0];

    if (m->header_above && nobody && w->open && w->message.crash == CRASH_TAIL &&
        str_starts(str_trim(l->text), STR("File \"")))
        finish_message(m, w);
    m->header_above = !nobody && l->form == LOG_BARE && str_ends(l->text, STR("Traceback (most recent call last):"));
}

void log_messages_line(struct log_messages *m, const struct line *line)
{
    struct log_line l;
    struct log_writer *w;

    m->lines++;
    log_line_parse(line->text, &m->known, &m->colorless, &l);
    if (l.form == LOG_BARE && learn_prefix(m, l.text))
        log_line_parse(line->text, &m->known, &m->colorless, &l);
    drop_foreign_prefix(&l);
    m->known.timed |= l.form != LOG_BARE && l.launcher.prefix.n > 0 && l.launcher.key.n == 0;
    w = writer_of(m, &l);
    end_above_header(m, w, &l);
    if (l.form == LOG_BARE)
        bare_line(m, w, line, &l);
    else
        prefixed_line(m, w, line, &l);
}

/* Whether a line that has no mark and no colors is of the open message, and adds to it all of its bytes. */
static bool only_output_goes_on(const struct log_messages *m)
{
    struct log_writer *w = m->list.v[0];

    return m->known.key_count <= 1 && !m->known.timed && w->open && !w->message.kind && !w->message.crash &&
           w->message.head.form == LOG_BARE && w->indent == 0 && w->indent_back == 0 && open_writer(w) == w;
}

void log_messages_skip(struct log_messages *m, struct line_reader *lines)
{
    struct payload *p = &m->list.v[0]->message.payload;
    struct lines_skipped skipped;
    struct str ahead;
    ptrdiff_t escape;
    size_t n;

    if (!only_output_goes_on(m))
        return;
    ahead = lines_ahead(lines);
    escape = lines->escapes ? str_chr(ahead, '\x1b') : -1;
    n = log_unmarked(escape < 0 ? ahead : str_take(ahead, (size_t)escape));
    skipped = lines_skip(lines, n);
    m->lines += skipped.lines;
    p->lines = (uint32_t)(p->lines + skipped.lines < UINT32_MAX ? p->lines + skipped.lines : UINT32_MAX);
    p->text_bytes += n - skipped.crlf;
    p->stored += n;
}

void log_messages_init(struct log_messages *m, struct input *in,
                       bool (*take)(void *object, const struct log_message *m), void *object)
{
    *m = (struct log_messages){.in = in, .arena = arena_new(), .take = take, .object = object};
    map_init(&m->writers, m->arena);
    vec_push(in->arena, &in->stream_keys, STR(""));
    m->known.keys = in->stream_keys.v;
    m->known.key_count = in->stream_keys.n;
    add_writer(m, STR(""));
}

void log_messages_finish(struct log_messages *m)
{
    m->in->lines_timed = m->known.timed;
    for (size_t i = 0; i < m->list.n; i++) {
        m->list.v[i]->message.at_end = true;
        finish_message(m, m->list.v[i]);
        buf_free(&m->list.v[i]->head);
        buf_free(&m->list.v[i]->text);
        buf_free(&m->list.v[i]->lead);
    }
    buf_free(&m->colorless);
    arena_free(m->arena);
}

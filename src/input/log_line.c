#include "input/log_line.h"

enum { LOGGER_MAX = 200, ID_MAX = 40 };

static bool is_id(struct str s)
{
    bool digit = false;

    for (size_t i = 0; i < s.n; i++) {
        digit |= str_is_digit(s.p[i]);
        if (!str_is_digit(s.p[i]) && s.p[i] != '/' && s.p[i] != '_' && !(i == 0 && s.p[i] == '!'))
            return false;
    }
    return digit && (str_chr(s, '/') > 0 || s.p[0] == '!');
}

/* "[0/0] ", "[!0/3/0_1] "; at the end of a line the blank may be missing. */
static void take_id(struct str *s, struct str *id)
{
    ptrdiff_t end = s->n && s->p[0] == '[' ? str_chr(str_take(*s, ID_MAX), ']') : -1;
    struct str inner = end < 0 ? (struct str){0} : str_range(s->p + 1, s->p + end);

    if (!is_id(inner))
        return;
    *id = inner;
    *s = str_skip(*s, (size_t)end + 1);
    str_consume(s, STR(" "));
}

/* "[__guards] " */
static void take_artifact(struct str *s, struct str *artifact)
{
    ptrdiff_t end = str_starts(*s, STR("[__")) ? str_chr(str_take(*s, LOGGER_MAX), ']') : -1;

    if (end < 0)
        return;
    *artifact = str_range(s->p + 3, s->p + end);
    *s = str_skip(*s, (size_t)end + 1);
    str_consume(s, STR(" "));
}

/* The logger "torch._dynamo.guards.__guards" belongs to an artifact. */
static struct str artifact_of_logger(struct str logger)
{
    ptrdiff_t at = str_find(logger, STR(".__"));

    return at < 0 ? (struct str){0} : str_skip(logger, (size_t)at + 3);
}

static void take_tags(struct log_line *l)
{
    take_id(l->form == LOG_BRACKETED ? &l->glog.file : &l->text, &l->id);
    if (l->form == LOG_GLOG)
        take_artifact(&l->text, &l->artifact);
    else
        l->artifact = artifact_of_logger(l->glog.file);
}

/* The name of a module: "torch._dynamo.exc.Unsupported" is an exception that another logger wrote. */
static bool is_logger(struct str s)
{
    struct str last = str_skip(s, (size_t)(str_rchr(s, '.') + 1));

    if (last.n && last.p[0] >= 'A' && last.p[0] <= 'Z')
        return false;
    if (s.n == 0 || s.n > LOGGER_MAX || !str_starts(s, STR("torch")))
        return false;
    for (size_t i = 0; i < s.n; i++)
        if (s.p[i] == ' ' || s.p[i] == '/' || s.p[i] == '(')
            return false;
    return true;
}

/* "DEBUG:torch._dynamo.guards.__recompiles:Recompiling function f", or "[DEBUG] torch…: Recompiling function f" */
static bool take_short(struct log_line *l)
{
    struct str s = l->text, level, logger;
    bool bracket = str_consume(&s, STR("["));
    char letter;

    if (s.n < 8 || !str_has(str_take(s, sizeof "CRITICAL] " - 1), bracket ? STR("] ") : STR(":")))
        return false;
    level = str_split(&s, bracket ? ']' : ':');
    logger = str_split(&s, ':');
    if (bracket && (!str_consume(&logger, STR(" ")) || !str_consume(&s, STR(" "))))
        return false;
    if (!glog_level_of(level, &letter) || s.p == NULL || !is_logger(logger))
        return false;
    l->form = LOG_SHORT;
    l->glog.level = letter;
    l->glog.file = logger;
    l->text = s;
    take_tags(l);
    return true;
}

/* "torch._inductor.utils: [WARNING] text", "[0/1] torch._dynamo...": the form of 2.0 to 2.2 with its date cut off. */
static bool take_undated(struct log_line *l)
{
    struct str s = l->text, id = {0}, logger;
    ptrdiff_t at;
    char letter;

    take_id(&s, &id);
    if (!str_starts(s, STR("torch")) || (at = str_find(str_take(s, LOGGER_MAX + 3), STR(": ["))) < 0)
        return false;
    logger = str_take(s, (size_t)at);
    s = str_skip(s, (size_t)at + 3);
    if (!is_logger(logger) || !glog_take_level(&s, &letter))
        return false;
    l->form = LOG_SHORT;
    l->glog.level = letter;
    l->glog.file = logger;
    l->text = s;
    take_tags(l);
    l->id = id.n ? id : l->id;
    return true;
}

static bool take_prefix(struct log_line *l)
{
    if (glog_parse(l->text, &l->glog)) {
        l->form = l->glog.year ? LOG_BRACKETED : LOG_GLOG;
        l->text = l->glog.text;
        take_tags(l);
        return true;
    }
    l->glog = (struct glog){0};
    return take_short(l) || take_undated(l);
}

static bool is_known(const struct log_prefixes *known, struct str key)
{
    for (size_t i = 0; i < known->key_count; i++)
        if (str_eq(known->keys[i], key))
            return true;
    return false;
}

/* For a line without a PyTorch prefix: takes a prefix that a launcher is known to write. */
static void take_known(struct log_line *l, const struct log_prefixes *known)
{
    struct launcher launcher;
    struct str rest;

    if (!launcher_take(l->text, &launcher, &rest))
        return;
    if (launcher.key.n ? !is_known(known, launcher.key) && !launcher_names_rank(launcher.key) : !known->timed)
        return;
    l->launcher = launcher;
    l->text = rest;
}

/* What follows is a prefix of PyTorch's: then what stands before it is a launcher's. */
static bool take_before_undated(struct log_line *l)
{
    struct log_line rest = *l, found;

    if (!launcher_take(l->text, &rest.launcher, &rest.text))
        return false;
    found = rest;
    if (!take_undated(&found))
        return false;
    l->launcher = rest.launcher;
    l->text = rest.text;
    return true;
}

/* False if there is no launcher prefix. */
static bool take_launcher(struct log_line *l, const struct log_prefixes *known)
{
    struct str line = l->text, rest;
    struct launcher launcher;

    if (launcher_split(line, (struct str){0}, &launcher, &rest)) {
        l->launcher = launcher;
        l->text = rest;
    } else if (!take_before_undated(l)) {
        take_known(l, known);
    }
    return l->text.p != line.p;
}

/* "7]": other loggers write "train.py:7: ". */
static bool is_line_number(struct str s)
{
    size_t n = 0;

    while (n < s.n && str_is_digit(s.p[n]))
        n++;
    return n > 0 && n < s.n && s.p[n] == ']';
}

/*
 * The characters around a colon in each form: "x.py:7]", "guards: [DEBUG]", "DEBUG:torch._dynamo", "[rank0]:", and
 * "[DEBUG] torch._dynamo: x", which begins with a bracket. torchlog/apply/marks.c has a mark for each.
 */
static bool is_of_prefix(struct str line, const char *colon)
{
    enum { RANK_MAX = 40 };
    size_t before = (size_t)(colon - line.p), behind = line.n - before - 1;
    struct str level;
    char letter;

    if (before >= 3 && colon[-1] == 'y' && colon[-2] == 'p' && colon[-3] == '.')
        return is_line_number(str_range(colon + 1, line.p + line.n));
    if (behind >= 2 && colon[1] == ' ' && colon[2] == '[') {
        level = str_range(colon + 3, line.p + line.n);
        return glog_take_level(&level, &letter);
    }
    if (before >= 3 && colon[-1] == ']' &&
        launcher_names_rank(str_range(colon - (before < RANK_MAX ? before : RANK_MAX), colon + 1)))
        return true;
    return behind >= 5 && colon[1] == 't' && memcmp(colon + 1, "torch", 5) == 0;
}

bool log_line_may_have_prefix(struct str line, bool may_have_colors)
{
    const char *end, *p;

    if (line.n == 0)
        return false;
    end = line.p + line.n;
    p = memchr(line.p, ':', line.n);
    for (; p; p = memchr(p + 1, ':', (size_t)(end - p - 1)))
        if (is_of_prefix(line, p))
            return true;
    return (line.p[0] == '[' && str_has(str_take(line, 20), STR("] torch."))) ||
           (may_have_colors && ansi_present(line));
}

void log_line_parse(struct str line, const struct log_prefixes *known, struct buf *colorless, struct log_line *out)
{
    struct str bare = str_drop(line, line.n && line.p[line.n - 1] == '\r');

    *out = (struct log_line){.launcher = {.rank = -1}, .text = bare, .plain = true};
    if (known->key_count <= 1 && !known->timed && !log_line_may_have_prefix(line, true))
        return;
    if (ansi_present(bare)) {
        colorless->n = 0;
        ansi_strip(colorless, bare);
        bare = colorless->p ? buf_view(colorless) : STR("");
    }
    out->text = bare;
    if (!take_prefix(out) && take_launcher(out, known))
        take_prefix(out);
    out->plain = bare.p == line.p && out->launcher.prefix.n == 0;
}

/* Until 2.2 a logger may write a message of several lines line by line, some of them a millisecond later. */
static bool is_soon_after(const struct log_line *a, const struct log_line *b)
{
    enum { SOON_US = 2000 };
    int64_t passed = b->glog.time_us - a->glog.time_us;

    return passed == 0 || (b->form == LOG_BRACKETED && passed > 0 && passed <= SOON_US &&
                           (b->glog.level == 'W' || b->glog.level == 'E'));
}

bool log_line_continues(const struct log_line *a, const struct log_line *b)
{
    const struct glog *g = &a->glog, *h = &b->glog;

    if (a->form == LOG_SHORT && b->form == LOG_SHORT) /* each line of such a message names the logger */
        return a->glog.file.n && str_eq(g->file, h->file) && str_eq(a->launcher.key, b->launcher.key);
    if (a->form == LOG_SHORT || a->form == LOG_BARE)
        return b->form == LOG_BARE && str_eq(a->launcher.key, b->launcher.key);
    return a->form == b->form && is_soon_after(a, b) && g->line == h->line && g->number == h->number &&
           g->level == h->level && g->day == h->day && g->month == h->month && str_eq(g->file, h->file) &&
           str_eq(a->id, b->id) && str_eq(a->artifact, b->artifact) && str_eq(a->launcher.key, b->launcher.key);
}

size_t log_line_indent(struct str text)
{
    size_t n = 0;

    while (n < text.n && text.p[n] == ' ')
        n++;
    return n;
}

struct str log_line_outdented(struct str text, size_t indent)
{
    size_t n = indent ? log_line_indent(text) : 0;

    return str_skip(text, n < indent ? n : indent);
}

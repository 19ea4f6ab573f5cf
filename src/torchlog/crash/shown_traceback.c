#include "torchlog/crash/shown_traceback.h"

#include "torchlog/crash/crash_lines.h"
#include "util/buf.h"
#include "util/utf8.h"

enum { UNSURE_MAX = 1000, NAME_MAX_BYTES = 200 };

/* IN_LINE_STYLE: of --tb=line, which marks only the first line of a message. */
enum shown_state { IN_STACK, IN_MESSAGE, IN_LINE_STYLE, BEHIND_LINK };

static size_t blanks_of(struct str s)
{
    size_t n = 0;

    while (n < s.n && s.p[n] == ' ')
        n++;
    return n;
}

static enum crash_line sure(struct crash_scan *s, enum shown_state next)
{
    s->state = next;
    s->unsure = 0;
    return CRASH_LINE;
}

static enum crash_line unsure(struct crash_scan *s)
{
    return ++s->unsure > UNSURE_MAX ? CRASH_NO_LINE : CRASH_LINE_MAYBE;
}

/* "torch._dynamo.exc.Unsupported: ...", "ValueError" */
static bool is_exception(struct str text)
{
    struct str name = text;
    ptrdiff_t colon = str_chr(str_take(text, NAME_MAX_BYTES), ':');

    if (colon >= 0)
        name = str_take(text, (size_t)colon);
    if (name.n == 0 || name.n > NAME_MAX_BYTES || str_chr(name, ' ') >= 0)
        return false;
    return str_chr(name, '.') > 0 || str_ends(name, STR("Error")) || str_ends(name, STR("Exception"));
}

/* --- pytest ------------------------------------------------------------------------------------------------------- */

/* A place: "test_shop.py:8: in test_total", "test_shop.py:8: " or, at the end, "test_shop.py:13: ValueError". */
struct shown_place {
    struct str file, line, function;
    struct str exception; /* or what else stands there */
};

static bool take_place(struct str text, struct shown_place *out)
{
    ptrdiff_t colon = str_chr(text, ':');
    struct str rest;
    uint64_t number;

    if (colon < 4 || text.p[0] == ' ' || !str_ends(str_take(text, (size_t)colon), STR(".py")))
        return false;
    *out = (struct shown_place){.file = str_take(text, (size_t)colon)};
    rest = str_skip(text, (size_t)colon + 1);
    out->line = rest;
    if (!str_take_u64(&rest, &number) || !str_starts(rest, STR(":")))
        return false;
    out->line.n = (size_t)(rest.p - out->line.p);
    out->exception = str_trim(str_skip(rest, 1));
    if (str_consume(&out->exception, STR("in "))) {
        out->function = out->exception;
        out->exception.n = 0;
    }
    rest = out->exception;
    return str_chr(out->function, ' ') < 0 && str_chr(str_split(&rest, ':'), ' ') < 0;
}

/* "E   TEXT", "E" */
static bool take_mark(struct str line, struct str *text)
{
    if (line.n == 0 || line.p[0] != 'E' || (line.n > 1 && !str_starts(line, STR("E   "))))
        return false;
    *text = str_skip(line, line.n > 1 ? 4 : 1);
    return true;
}

bool pytest_begins(struct str line)
{
    struct str text;
    struct shown_place p;

    if (take_mark(line, &text))
        return is_exception(str_trim(text));
    return take_place(line, &p) && p.exception.n == 0;
}

static bool is_border(struct str line)
{
    return str_starts(line, STR("____")) || str_starts(line, STR("====")) || str_starts(line, STR("----"));
}

enum crash_line pytest_next(struct crash_scan *s, struct str line)
{
    struct str text;
    struct shown_place p;

    if (take_mark(line, &text))
        return s->state == IN_LINE_STYLE ? CRASH_NO_LINE : sure(s, IN_MESSAGE);
    if (s->state != IN_STACK && s->unsure == 0 && str_starts(line, STR("    ")))
        return sure(s, IN_LINE_STYLE);
    if (is_border(line))
        return CRASH_NO_LINE;
    if (crash_is_link(line))
        return sure(s, IN_STACK);
    if (take_place(line, &p))
        return sure(s, s->state);
    return s->state == IN_STACK || str_trim(line).n == 0 ? unsure(s) : CRASH_NO_LINE;
}

/* One exception while it is put together. */
struct shown_exception {
    struct buf calls, message;
    size_t indent; /* of the first line of the message */
};

static void flush(struct shown_exception *e, struct buf *out)
{
    if (e->message.n || e->calls.n) {
        buf_str(out, STR("Traceback (most recent call last):\n"));
        if (e->calls.n)
            buf_str(out, buf_view(&e->calls));
        if (e->message.n)
            buf_str(out, buf_view(&e->message));
    }
    e->calls.n = e->message.n = 0;
}

static void add_message(struct shown_exception *e, struct str text)
{
    size_t blanks = blanks_of(text);

    if (e->message.n == 0)
        e->indent = blanks;
    buf_str(&e->message, str_skip(text, blanks < e->indent ? blanks : e->indent));
    buf_char(&e->message, '\n');
}

static void add_call(struct shown_exception *e, struct str file, struct str line, struct str function,
                     struct str source)
{
    buf_printf(&e->calls, "  File \"%.*s\", line %.*s", STR_ARG(file), STR_ARG(line));
    if (function.n)
        buf_printf(&e->calls, ", in %.*s", STR_ARG(function));
    buf_char(&e->calls, '\n');
    if (source.n)
        buf_printf(&e->calls, "    %.*s\n", STR_ARG(source));
}

static void add_pytest_line(struct shown_exception *e, struct buf *out, struct str line)
{
    struct str text;
    struct shown_place p;

    if (take_mark(line, &text)) {
        add_message(e, text);
    } else if (crash_is_link(line)) {
        flush(e, out);
        buf_printf(out, "\n%.*s\n\n", STR_ARG(line));
    } else if (take_place(line, &p)) {
        add_call(e, p.file, p.line, p.function, (struct str){0});
    } else if (e->message.n && str_starts(line, STR("    "))) {
        add_message(e, str_skip(line, 4));
    }
}

static struct str finish(struct arena *a, struct shown_exception *e, struct buf *out)
{
    struct str text;

    flush(e, out);
    text = out->n ? arena_str(a, buf_view(out)) : STR("");
    buf_free(&e->calls);
    buf_free(&e->message);
    buf_free(out);
    return text;
}

struct str pytest_rewrite(struct arena *a, struct str text)
{
    struct shown_exception e = {0};
    struct buf out = {0};
    struct str line;

    while (str_next_line(&text, &line))
        add_pytest_line(&e, &out, line);
    return finish(a, &e, &out);
}

/* --- IPython ------------------------------------------------------------------------------------------------------ */

bool notebook_begins(struct str line)
{
    struct str name = line;

    if (!str_ends(line, STR(" Traceback (most recent call last)")))
        return false;
    name = str_split(&name, ' ');
    return name.n && name.n <= NAME_MAX_BYTES && name.p[0] >= 'A';
}

/* "/srv/shop.ipynb Cell 6 line 2", of VS Code, whose older versions have no line: "Cell 6 in f(x)". */
static bool take_numbered_cell(struct str head, struct shown_place *out)
{
    ptrdiff_t at = str_find(head, STR(".ipynb Cell "));
    struct str cell = at < 0 ? head : str_skip(head, (size_t)at + 7), rest = cell;
    uint64_t number;

    if (!str_consume(&rest, STR("Cell ")) || !str_take_u64(&rest, &number))
        return false;
    out->file = str_range(cell.p, rest.p);
    str_consume(&rest, STR("'"));
    if (!str_consume(&rest, STR(" line ")))
        return rest.n == 0 && at > 0;
    out->line = rest;
    return str_take_u64(&rest, &number) && rest.n == 0;
}

/*
 * "Cell In[3], line 5, in f(x)", "File /x.py:12, in f(x)", "Input In [3], in <cell line: 1>()" (8.0), and of IPython 7
 * "ipython-input-3-c0ffee in f(x)" in angle brackets and "/x.py in f(x)".
 */
static bool take_call(struct str text, struct shown_place *out)
{
    ptrdiff_t in = str_find(text, STR(" in ")), at;
    struct str head = text;

    *out = (struct shown_place){0};
    if (in > 0) {
        out->function = str_skip(text, (size_t)in + 4);
        out->function = str_split(&out->function, '(');
        head = str_take(text, (size_t)in);
    }
    if (str_ends(head, STR(",")))
        head = str_drop(head, 1);
    if (take_numbered_cell(head, out))
        return true;
    out->file = out->line = (struct str){0};
    if ((at = str_find(head, STR("], line "))) > 0) {
        out->file = str_take(head, (size_t)at + 1);
        out->line = str_skip(head, (size_t)at + 8);
    } else if (str_consume(&head, STR("File ")) && (at = str_rchr(head, ':')) > 0) {
        out->file = str_take(head, (size_t)at);
        out->line = str_skip(head, (size_t)at + 1);
    } else if (in > 0 && (str_ends(head, STR(">")) || str_ends(head, STR("]")) || str_ends(head, STR(".py")))) {
        out->file = head;
    }
    return out->file.n > 0;
}

/* Names of other files than those of Python are of other programs. */
bool notebook_is_call(struct str line)
{
    struct shown_place p;
    uint64_t number;

    if (str_ends(line, STR(")")) && str_has(line, STR("-packages/torch/")) && str_find(line, STR(".py in ")) > 0)
        return str_chr(line, ' ') == str_find(line, STR(" in ")); /* IPython 7, and 8 where the line is not known */
    if (!str_starts(line, STR("File ")) && !str_starts(line, STR("Cell In[")) && !str_has(line, STR(".ipynb Cell ")))
        return false;
    if (!take_call(line, &p) || !str_u64(p.line, &number))
        return false;
    return p.file.p[0] == 'C' || str_ends(p.file, STR(".py"));
}

/* "----> 5 code", "-> 1177 code": the line of the call, `*code` behind its number. */
static bool take_arrow(struct str text, struct str *number, struct str *code)
{
    size_t dashes = 0;
    uint64_t n;

    while (dashes < text.n && text.p[dashes] == '-')
        dashes++;
    text = str_skip(text, dashes);
    if (dashes == 0 || !str_consume(&text, STR("> ")))
        return false;
    *number = text;
    if (!str_take_u64(&text, &n))
        return false;
    number->n = (size_t)(text.p - number->p);
    *code = str_trim(text);
    return true;
}

/* "42 frames", which Colab does not show. */
static bool is_fold(struct str line)
{
    uint64_t number;

    return str_take_u64(&line, &number) && str_eq(str_trim(line), STR("frames"));
}

static enum crash_line notebook_in_stack(struct crash_scan *s, struct str line)
{
    struct str number, code;
    struct shown_place p;

    if (str_trim(line).n == 0 || crash_is_elision(str_trim(line)))
        return unsure(s);
    if (line.p[0] == ' ' || take_arrow(line, &number, &code) || take_call(line, &p) || notebook_begins(line) ||
        is_fold(line))
        return sure(s, IN_STACK);
    if (str_chr(str_take(line, NAME_MAX_BYTES), ':') <= 0)
        return CRASH_NO_LINE;
    s->goes_on = str_ends(str_trim(line), STR(":"));
    return sure(s, IN_MESSAGE);
}

/* Of a message, the scan of Python's own tracebacks knows where it ends. */
enum crash_line notebook_next(struct crash_scan *s, struct str line)
{
    if (crash_is_link(line))
        return sure(s, BEHIND_LINK);
    return notebook_in_stack(s, line);
}

struct str notebook_rewrite(struct arena *a, struct str text)
{
    struct shown_exception e = {0};
    struct buf out = {0};
    struct shown_place call = {0}, next;
    struct str line, number, code;

    while (str_next_line(&text, &line)) {
        bool arrow = take_arrow(line, &number, &code), head = !e.message.n && take_call(line, &next);

        if (call.file.n && (arrow || head)) {
            add_call(&e, call.file, call.line.n ? call.line : arrow ? number : STR("0"), call.function,
                     arrow && (!call.line.n || str_eq(call.line, number)) ? code : (struct str){0});
            call.file.n = 0;
        }
        if (crash_is_link(line)) {
            flush(&e, &out);
            buf_printf(&out, "\n%.*s\n\n", STR_ARG(line));
        } else if (head) {
            call = next;
        } else if (e.message.n || (line.n && !strchr(" -", line.p[0]) && !notebook_begins(line) && !is_fold(line) &&
                                   !crash_is_elision(str_trim(line)))) {
            add_message(&e, line);
        }
    }
    return finish(a, &e, &out);
}

/* --- rich --------------------------------------------------------------------------------------------------------- */

/* Corners and sides of a box; the plain ones are those of old consoles of Windows. */
static const struct str upper[] = {STR_INIT("\u256d"), STR_INIT("\u250c"), STR_INIT("+-")};
static const struct str lower[] = {STR_INIT("\u2570"), STR_INIT("\u2514"), STR_INIT("+-")};
static const struct str sides[] = {STR_INIT("\u2502"), STR_INIT("|")};

static bool consume_any(struct str *s, const struct str *list, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (str_consume(s, list[i]))
            return true;
    return false;
}

#define CONSUME_ANY(s, list) consume_any((s), (list), sizeof(list) / sizeof *(list))

bool boxed_begins(struct str line)
{
    line = str_trim(line);
    return line.n && strchr("\xe2+", line.p[0]) && CONSUME_ANY(&line, upper) &&
           str_has(line, STR(" Traceback (most recent call last) "));
}

ptrdiff_t boxed_find(struct str line)
{
    ptrdiff_t at = str_find(line, STR(" Traceback (most recent call last) ")), open;

    if (at < 0)
        return -1;
    open = str_rchr(str_take(line, (size_t)at), ' ') + 1; /* the side of the box has no blanks */
    while (open < at && !boxed_begins(str_skip(line, (size_t)open)))
        open++;
    return open < at ? open : -1;
}

bool boxed_is_part(struct str line)
{
    return line.n && line.p[0] == '\xe2' &&
           (CONSUME_ANY(&line, upper) || CONSUME_ANY(&line, lower) || CONSUME_ANY(&line, sides));
}

static bool is_bottom(struct str line)
{
    line = str_trim(line);
    return CONSUME_ANY(&line, lower);
}

enum crash_line boxed_next(struct crash_scan *s, struct str line)
{
    struct str text = str_trim(line);

    if (boxed_begins(text) || CONSUME_ANY(&text, sides) || crash_is_link(text))
        return sure(s, IN_STACK);
    if (is_bottom(text)) {
        s->width = utf8_columns(text);
        return sure(s, BEHIND_LINK);
    }
    if (text.n == 0)
        return unsure(s);
    if (s->state != BEHIND_LINK || (str_chr(str_take(text, NAME_MAX_BYTES), ':') <= 0 && !is_exception(text)))
        return CRASH_NO_LINE;
    s->goes_on = str_ends(text, STR(":"));
    s->columns = utf8_columns(text);
    return sure(s, IN_MESSAGE);
}

/* rich wraps the words of a message where the box ends. */
static bool is_wrapped(size_t columns, struct str next, size_t width)
{
    return width && next.n && next.p[0] != ' ' && columns <= width &&
           columns + 1 + utf8_columns(str_split(&next, ' ')) > width;
}

bool boxed_goes_on(struct crash_scan *s, struct str line)
{
    bool wrapped = is_wrapped(s->columns, line, s->width);

    s->columns = utf8_columns(str_trim(line));
    return wrapped;
}

/* What stands between the sides of the box; false for other lines. */
static bool take_content(struct str line, struct str *content)
{
    *content = str_trim(line);
    if (!CONSUME_ANY(content, sides))
        return false;
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
        if (str_ends(*content, sides[i]))
            *content = str_drop(*content, sides[i].n);
    str_consume(content, STR(" "));
    return true;
}

/* "/x.py:9 in <module>" */
static bool take_boxed_place(struct str text, struct shown_place *out)
{
    ptrdiff_t in = str_find(text, STR(" in ")), colon = in < 0 ? -1 : str_rchr(str_take(text, (size_t)in), ':');
    uint64_t number;

    if (colon <= 0)
        return false;
    *out = (struct shown_place){.file = str_take(text, (size_t)colon),
                                .line = str_range(text.p + colon + 1, text.p + in),
                                .function = str_trim(str_skip(text, (size_t)in + 4))};
    return str_u64(out->line, &number) && out->function.n && str_chr(out->function, ' ') < 0;
}

/* A place, where the upper side of the box is missing. */
bool boxed_is_place(struct str line)
{
    struct shown_place p;
    ptrdiff_t at = str_find(line, STR(".py:"));

    return at > 0 && boxed_is_part(line) && take_content(line, &line) && line.n && line.p[0] != ' ' &&
           (take_boxed_place(line, &p) || str_chr(line, ' ') < 0);
}

/* The line that failed, without its number and the bars of its indentation. */
static bool take_boxed_source(struct str text, struct str *source)
{
    uint64_t number;

    if (!str_consume(&text, STR("\u2771")) && !str_consume(&text, STR("> ")))
        return false;
    text = str_trim(text);
    if (!str_take_u64(&text, &number))
        return false;
    do
        text = str_trim(text);
    while (CONSUME_ANY(&text, sides));
    *source = str_trim(text);
    return true;
}

/* A place that is longer than the box goes on in the next line; both pieces are in *place. */
static void add_boxed_line(struct shown_exception *e, struct buf *place, struct str text)
{
    struct str source, bare = str_trim(text);
    struct shown_place p;

    if (take_boxed_source(text, &source)) {
        buf_printf(&e->calls, "    %.*s\n", STR_ARG(source));
    } else if (bare.n && text.p[0] != ' ' && (place->n || !str_is_digit(bare.p[0])) && !CONSUME_ANY(&text, upper) &&
               !CONSUME_ANY(&text, lower) && !CONSUME_ANY(&text, sides)) {
        if (place->n && str_ends(buf_view(place), STR(" in")))
            buf_char(place, ' ');
        buf_str(place, bare);
        if (take_boxed_place(buf_view(place), &p)) {
            add_call(e, p.file, p.line, p.function, (struct str){0});
            place->n = 0;
        }
    } else {
        if (str_ends(buf_view(place), STR(" in"))) { /* a page took "<module>" for a tag */
            buf_str(place, STR(" <module>"));
            if (take_boxed_place(buf_view(place), &p))
                add_call(e, p.file, p.line, p.function, (struct str){0});
        }
        place->n = 0;
    }
}

static void add_boxed_message(struct shown_exception *e, struct str line, bool wrapped)
{
    line.n = (size_t)(str_trim(line).p - line.p) + str_trim(line).n;
    if (wrapped && e->message.n)
        e->message.p[e->message.n - 1] = ' ';
    add_message(e, line);
}

struct str boxed_rewrite(struct arena *a, struct str text)
{
    struct shown_exception e = {0};
    struct buf out = {0}, place = {0};
    struct str line, content;
    size_t width = 0, columns = 0;

    while (str_next_line(&text, &line)) {
        if (is_bottom(line))
            width = utf8_columns(str_trim(line));
        if (take_content(line, &content)) {
            add_boxed_line(&e, &place, content);
        } else if (crash_is_link(line)) {
            flush(&e, &out);
            buf_printf(&out, "\n%.*s\n\n", STR_ARG(line));
        } else if (!boxed_begins(line) && !is_bottom(line)) {
            add_boxed_message(&e, line, is_wrapped(columns, line, width));
            columns = utf8_columns(str_trim(line));
        }
    }
    buf_free(&place);
    return finish(a, &e, &out);
}

#include "ranks/text_difference.h"

#include "model/read/artifact_text.h"
#include "ranks/calls/guard_lines.h"
#include "text/graphs/collective_place.h"
#include "text/graphs/fx_graph.h"
#include "text/guards/guard_comment.h"
#include "text/messages/rank_neutral.h"

/* The artifact of a facet with that index in a compile; NULL beyond the last. */
static const struct artifact *artifact_at(const struct compile *c, enum rank_facet f, size_t number)
{
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (facet_of_artifact(c->artifacts.v[i]) == f && number-- == 0)
            return c->artifacts.v[i];
    return NULL;
}

static bool read_text(const struct artifact *a, struct buf *out)
{
    out->n = 0;
    return payload_may_be_shown(&a->payload) && artifact_read(a, READ_TEXT, out);
}

/* --- line by line ------------------------------------------------------------------------------------------------- */

/* A text that is read line by line, without comments. */
struct text_reader {
    struct buf text, line;
    struct str rest, raw; /* raw: the last line read, unchanged */
    struct rank_neutral neutral;
    struct str file; /* the last user line that was named */
    int64_t place;
    bool framework; /* the last line that was named is PyTorch's own */
    size_t calls;   /* number of collectives up to the current line */
};

static bool reader_open(struct text_reader *r, const struct artifact *a, bool sizes)
{
    if (!read_text(a, &r->text))
        return false;
    *r = (struct text_reader){
        .text = r->text, .line = r->line, .rest = buf_view(&r->text), .neutral = {.without_sizes = !sizes}};
    return true;
}

static void reader_close(struct text_reader *r)
{
    buf_free(&r->text);
    buf_free(&r->line);
}

static void note_place(struct text_reader *r)
{
    struct fx_place place;

    if (!fx_place_parse(r->raw, &place))
        return;
    r->framework = is_framework_file(place.file);
    if (r->framework)
        return;
    r->file = place.file;
    r->place = place.line;
}

static bool is_collective(struct str line)
{
    struct collective_call call;

    return collective_next(&line, &call);
}

/* The next line that is not a comment; false, with an empty line, at the end. */
static bool reader_next(struct text_reader *r)
{
    struct str line;

    r->line.n = 0;
    while (str_next_line(&r->rest, &line)) {
        r->raw = str_trim(line);
        if (r->raw.n && r->raw.p[0] != '#') {
            rank_neutral_line(&r->neutral, line, &r->line);
            r->calls += is_collective(r->raw);
            return true;
        }
        note_place(r);
    }
    r->raw = (struct str){0};
    return false;
}

/* Advances both to the first line that differs; false if there is none. */
static bool first_difference(struct text_reader *a, struct text_reader *b)
{
    bool more_a, more_b;

    do {
        more_a = reader_next(a);
        more_b = reader_next(b);
        if (!str_eq(buf_view(&a->line), buf_view(&b->line)))
            return true;
    } while (more_a || more_b);
    return false;
}

/* How many collectives of that operation the text calls; 2 means several. */
static int calls_of(struct str text, struct str op)
{
    struct collective_call call;
    int n = 0;

    while (n < 2 && collective_next(&text, &call))
        n += str_eq(call.op, op);
    return n;
}

/* The graph names a line in PyTorch's own code; the nodes around it and guards lead to the user's line. */
static void place_collective(struct arena *a, struct contents *contents, const struct compile *c,
                             struct text_side *side, const struct text_reader *r)
{
    struct collective_places places;
    struct collective_call call = {.op = side->op};

    collective_places_find(a, buf_view(&r->text), &places);
    call.file = places.list.v[r->calls - 1].file;
    call.line = places.list.v[r->calls - 1].line;
    call.from_line = places.list.v[r->calls - 1].from_line;
    if (calls_of(buf_view(&r->text), call.op) == 1)
        guard_lines_place(a, contents, c, &call);
    side->file = call.file;
    side->place = call.line;
    side->from_place = call.from_line;
}

static void set_side(struct arena *a, struct contents *contents, const struct compile *c, struct text_side *side,
                     const struct text_reader *r)
{
    struct str rest = r->raw;
    struct collective_call call = {0};

    *side = (struct text_side){.line = arena_str(a, r->raw), .file = r->file, .place = r->place};
    if (collective_next(&rest, &call) && !collective_is_wait(&call))
        side->op = arena_str(a, call.op);
    if (r->framework && is_collective(r->raw))
        place_collective(a, contents, c, side, r);
    side->file = side->file.n ? arena_str(a, side->file) : (struct str){0};
}

/* The common beginning of both lines is shown in full up to this length; of a longer one, only the end. */
enum { BEGINNING_WHOLE = 120, BEGINNING_SHOWN = 40 };

/* Dynamo frees variables after an operation: "x = f(y); y = None". That is not part of the operation. */
static struct str without_freed(struct str line)
{
    ptrdiff_t at = str_find(line, STR(";  "));

    return at >= 0 && str_ends(line, STR(" = None")) ? str_take(line, (size_t)at) : line;
}

static struct str without_end_of_signature(struct str s)
{
    return str_ends(s, STR("):")) ? str_drop(s, 2) : s;
}

/* Up to the next comma after the quoted type: a: "f32[3, 4]", b: "Sym(s0)" */
static struct str next_parameter(struct str *rest)
{
    struct str whole = *rest;
    bool quoted = false;
    size_t n = 0;

    for (; n < whole.n && (quoted || whole.p[n] != ','); n++)
        quoted ^= whole.p[n] == '"';
    *rest = str_trim(str_skip(whole, n < whole.n ? n + 1 : n));
    return str_take(whole, n);
}

/* "def forward(self, a: …, b: …):" reduced to the first parameter that differs. */
static void keep_parameter(struct str *x, struct str *y)
{
    static const struct str head = STR_INIT("def forward(self, ");
    struct str rest_x, rest_y, one = {0}, other = {0};

    if (!str_starts(*x, head) || !str_starts(*y, head))
        return;
    rest_x = without_end_of_signature(str_skip(*x, head.n));
    rest_y = without_end_of_signature(str_skip(*y, head.n));
    while (str_eq(one, other) && rest_x.n && rest_y.n) {
        one = next_parameter(&rest_x);
        other = next_parameter(&rest_y);
    }
    if (!str_eq(one, other) && one.n && other.n) {
        *x = one;
        *y = other;
    }
}

/* Where to begin showing lines with a long common beginning: at a word before the first difference. */
static size_t beginning_skipped(struct str x, struct str y)
{
    size_t n = 0, both = x.n < y.n ? x.n : y.n;

    while (n < both && x.p[n] == y.p[n])
        n++;
    if (n <= BEGINNING_WHOLE)
        return 0;
    for (n -= BEGINNING_SHOWN; n && x.p[n - 1] != ' ';)
        n--;
    return n;
}

/* Lines of a thousand characters are shortened at the beginning, up to the difference. */
static void shorten_sides(struct arena *a, struct text_side *x, struct text_side *y)
{
    bool freed = str_eq(without_freed(x->line), without_freed(y->line)); /* only the freed variables differ */
    struct str of_x = freed ? x->line : without_freed(x->line), of_y = freed ? y->line : without_freed(y->line);
    size_t skipped;

    keep_parameter(&of_x, &of_y);
    skipped = beginning_skipped(of_x, of_y);

    x->line = skipped ? arena_printf(a, "\xe2\x80\xa6 %.*s", STR_ARG(str_skip(of_x, skipped))) : of_x;
    y->line = skipped ? arena_printf(a, "\xe2\x80\xa6 %.*s", STR_ARG(str_skip(of_y, skipped))) : of_y;
}

static bool same_content(struct contents *contents, const struct artifact *x, const struct artifact *y)
{
    struct digest a = contents_of(contents, x).digest, b = contents_of(contents, y).digest;

    return digest_eq(&a, &b);
}

bool text_difference_find(struct arena *a, struct contents *contents, const struct compile *x, const struct compile *y,
                          enum rank_facet f, bool sizes, struct text_difference *out)
{
    struct text_reader of_x = {0}, of_y = {0};
    bool differ = false;

    *out = (struct text_difference){0};
    for (size_t i = 0; !differ; i++) {
        const struct artifact *p = artifact_at(x, f, i), *q = artifact_at(y, f, i);

        if (!p && !q)
            break;
        out->counts = !p || !q;
        if (!out->counts && same_content(contents, p, q))
            continue;
        differ = out->counts ||
                 (reader_open(&of_x, p, sizes) && reader_open(&of_y, q, sizes) && first_difference(&of_x, &of_y));
    }
    if (differ && !out->counts) {
        set_side(a, contents, x, &out->sides[0], &of_x);
        set_side(a, contents, y, &out->sides[1], &of_y);
        shorten_sides(a, &out->sides[0], &out->sides[1]);
    }
    reader_close(&of_x);
    reader_close(&of_y);
    return differ;
}

/* --- guards ------------------------------------------------------------------------------------------------------- */

struct guard_text {
    struct buf text, line;
    struct map lines; /* lines in a form that is the same on any rank -> their number */
};

static struct str neutral_guard(struct guard_text *g, struct str line)
{
    struct rank_neutral neutral = {.guards = true};

    g->line.n = 0;
    rank_neutral_line(&neutral, line, &g->line);
    return buf_view(&g->line);
}

static void count_lines(struct guard_text *g, struct arena *scratch)
{
    struct str rest = buf_view(&g->text), line;

    map_init(&g->lines, scratch);
    while (str_next_line(&rest, &line))
        ++*map_number_at(&g->lines, neutral_guard(g, line));
}

/* The check in "| | +- EQUALS_MATCH: L['n'] == 3  # if n > 3:", without the tree and the comment. */
static struct str check_of(struct str line)
{
    ptrdiff_t at = str_find(line, STR("+- "));

    return guard_comment_check(at < 0 ? line : str_skip(line, (size_t)at + 3));
}

/* The first check of g that the other one lacks, or has less often. */
static struct str only_in(struct guard_text *g, struct guard_text *other, struct arena *scratch)
{
    struct str rest = buf_view(&g->text), line;
    struct map seen;

    map_init(&seen, scratch);
    while (str_next_line(&rest, &line)) {
        struct str neutral = neutral_guard(g, line);

        if (++*map_number_at(&seen, neutral) > map_number(&other->lines, neutral))
            return check_of(line);
    }
    return (struct str){0};
}

bool guard_difference_find(struct arena *a, struct contents *contents, const struct compile *x, const struct compile *y,
                           struct text_difference *out)
{
    struct arena *scratch = arena_new();
    struct guard_text of_x = {0}, of_y = {0};

    *out = (struct text_difference){0};
    for (size_t i = 0; out->sides[0].line.n + out->sides[1].line.n == 0; i++) {
        const struct artifact *p = artifact_at(x, FACET_GUARDS, i), *q = artifact_at(y, FACET_GUARDS, i);

        if (!p || !q)
            break;
        if (same_content(contents, p, q) || !read_text(p, &of_x.text) || !read_text(q, &of_y.text))
            continue;
        count_lines(&of_x, scratch);
        count_lines(&of_y, scratch);
        out->sides[0].line = arena_str(a, only_in(&of_x, &of_y, scratch));
        out->sides[1].line = arena_str(a, only_in(&of_y, &of_x, scratch));
    }
    buf_free(&of_x.text);
    buf_free(&of_x.line);
    buf_free(&of_y.text);
    buf_free(&of_y.line);
    arena_free(scratch);
    return out->sides[0].line.n || out->sides[1].line.n;
}

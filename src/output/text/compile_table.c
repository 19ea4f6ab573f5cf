#include "output/text/compile_table.h"

#include "util/utf8.h"
#include "view/format.h"

/* The cells of one row, or as widths the columns of all rows. */
struct compile_row {
    struct str time, status, id, name, place;
    enum text_style style;
};

struct widths {
    unsigned time, status, id, name, place;
    bool two_lines; /* function and place are on the next line */
};

static enum text_style status_style(enum compile_status s)
{
    static const enum text_style styles[STATUS_COUNT] = {TEXT_GREEN, TEXT_YELLOW, TEXT_RED, TEXT_DIM, TEXT_RED};

    return styles[s];
}

/* The place already shows where a function continues after a graph break. */
static struct str short_name(struct text *t, const struct frame *f)
{
    return f && f->is_resume ? arena_printf(t->arena, "%.*s (resumed)", STR_ARG(f->resumes))
                             : format_frame(t->arena, f);
}

static struct compile_row row_of(struct text *t, const struct compile *c)
{
    int64_t start, duration;
    bool timed = c->frame && compile_interval(c, &start, &duration);

    return (struct compile_row){
        .time = timed ? format_duration_us(t->arena, duration) : STR("-"),
        .status = page_status_word(c),
        .id = format_compile(t->arena, c),
        .name = short_name(t, c->frame),
        .place = c->frame ? format_place(t->arena, c->frame->file, c->frame->line) : STR(""),
        .style = c->frame ? status_style(c->status) : TEXT_PLAIN,
    };
}

static void widen(unsigned *width, struct str cell)
{
    unsigned columns = (unsigned)utf8_columns(cell);

    *width = columns > *width ? columns : *width;
}

enum { GAP = 2, NAME_LEAST = 12, ID_LEAST = 8, ID_MOST = 28 };

/* Places are shown in full if there is room for part of the name: their end, the line number, matters most. */
static void share_out(struct widths *w, unsigned room)
{
    room = room > 2 * NAME_LEAST ? room : 2 * NAME_LEAST;
    w->place = w->place < room - NAME_LEAST ? w->place : room - NAME_LEAST;
    w->name = w->name < room - w->place ? w->name : room - w->place;
}

static struct widths widths_of(const struct text *t, unsigned indent, const struct compile_row *rows, size_t n)
{
    struct widths w = {0};
    unsigned used, id_most;

    for (size_t i = 0; i < n; i++) {
        widen(&w.time, rows[i].time);
        widen(&w.status, rows[i].status);
        widen(&w.id, rows[i].id);
        widen(&w.name, rows[i].name);
        widen(&w.place, rows[i].place);
    }
    used = indent + w.time + w.status + 2 * GAP;
    id_most = t->width > used + ID_LEAST ? t->width - used : ID_LEAST;
    id_most = id_most < ID_MOST ? id_most : ID_MOST;
    w.id = w.id < id_most ? w.id : id_most;
    used += w.id + 2 * GAP;
    w.two_lines = t->width < used + 2 * NAME_LEAST;
    used = w.two_lines ? indent + 2 * GAP : used;
    share_out(&w, t->width > used ? t->width - used : 0);
    return w;
}

static void end_line(struct text *t)
{
    while (t->buf.n && t->buf.p[t->buf.n - 1] == ' ')
        t->buf.n--;
    text_newline(t);
}

static void gap(struct text *t, unsigned columns)
{
    text_cell(t, TEXT_PLAIN, STR(""), columns);
}

static void write_row(struct text *t, const struct compile_row *r, const struct widths *w,
                      enum compile_table_order order)
{
    unsigned indent = order == COMPILES_BY_ID ? 0 : GAP;

    gap(t, indent);
    if (order == COMPILES_BY_ID)
        text_cell(t, TEXT_PLAIN, r->id, w->id);
    else
        text_cell_right(t, TEXT_PLAIN, r->time, w->time);
    gap(t, GAP);
    text_cell(t, r->style, r->status, w->status);
    gap(t, GAP);
    if (order == COMPILES_BY_ID)
        text_cell_right(t, TEXT_PLAIN, r->time, w->time);
    else
        text_cell(t, TEXT_PLAIN, r->id, w->id);
    if (w->two_lines)
        end_line(t);
    gap(t, w->two_lines ? indent + GAP : GAP);
    text_cell(t, TEXT_PLAIN, r->name, w->name);
    gap(t, GAP);
    text_cell(t, TEXT_DIM, r->place, w->place);
    end_line(t);
}

void compile_table_write(struct text *t, enum compile_table_order order, const struct compile *const *list, size_t n)
{
    struct compile_row *rows = ARENA_ARRAY(t->arena, struct compile_row, n);
    struct widths widths;

    for (size_t i = 0; i < n; i++)
        rows[i] = row_of(t, list[i]);
    widths = widths_of(t, order == COMPILES_BY_ID ? 0 : GAP, rows, n);
    for (size_t i = 0; i < n; i++)
        write_row(t, &rows[i], &widths, order);
}

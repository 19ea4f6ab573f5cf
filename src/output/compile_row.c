#include "output/compile_row.h"

#include "util/utf8.h"
#include "view/format.h"

enum { ID_LEAST = 6, ID_MOST = 24, FRAME_LEAST = 24, FRAME_INDENT = 4 };

unsigned compile_row_id_columns(struct text *t, const struct compile *const *list, size_t n, unsigned others)
{
    unsigned room = t->width > others + ID_LEAST ? t->width - others : ID_LEAST;
    unsigned most = room < ID_MOST ? room : ID_MOST;
    size_t needed = ID_LEAST;

    for (size_t i = 0; i < n; i++) {
        size_t columns = utf8_columns(format_compile(t->arena, list[i]));

        needed = columns > needed ? columns : needed;
    }
    return needed < most ? (unsigned)needed : most;
}

void compile_row_duration(struct text *t, const struct compile *c, unsigned columns)
{
    int64_t start, duration;
    bool known = c->frame && compile_interval(c, &start, &duration);

    text_cell_right(t, TEXT_PLAIN, known ? format_duration_us(t->arena, duration) : STR("-"), columns);
}

/* The line at which a function was resumed is in the place beside it. */
static struct str name_of(struct arena *a, const struct frame *f)
{
    if (f && f->is_resume && f->resumes_line == f->line)
        return arena_printf(a, "%.*s (resumed)", STR_ARG(f->resumes));
    return format_frame(a, f);
}

/* Places begin in one column, as names do, unless one would be cut that fits beside its name. */
static unsigned name_columns(struct str name, struct str place, unsigned left)
{
    size_t needed = utf8_columns(name), of_place = utf8_columns(place), columns = left * 9 / 16;

    if (needed + 1 + of_place <= left && columns + 1 + of_place > left)
        columns = left - 1 - of_place;
    return (unsigned)columns;
}

static void end_line(struct text *t)
{
    while (t->buf.n && t->buf.p[t->buf.n - 1] == ' ')
        t->buf.n--;
    text_newline(t);
}

void compile_row_end(struct text *t, const struct compile *c, unsigned used)
{
    struct str name = name_of(t->arena, c->frame);
    struct str place = c->frame ? format_place(t->arena, c->frame->file, c->frame->line) : STR("");
    unsigned left = t->width > used ? t->width - used : 0, columns;

    if (left < FRAME_LEAST) {
        end_line(t);
        text_cell(t, TEXT_PLAIN, STR(""), FRAME_INDENT);
        left = t->width > FRAME_LEAST + FRAME_INDENT ? t->width - FRAME_INDENT : FRAME_LEAST;
    }
    columns = name_columns(name, place, left);
    text_cell(t, TEXT_PLAIN, name, columns);
    text_str(t, TEXT_PLAIN, STR(" "));
    text_cell(t, TEXT_DIM, place, left - columns - 1);
    end_line(t);
}

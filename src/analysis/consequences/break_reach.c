#include "analysis/consequences/break_reach.h"

#include "model/code_file.h"

/* The break is in code that the frame's function runs, and happened while an enclosing function was compiled. */
static bool is_reached_by(const struct frame *fr, const struct graph_break *b)
{
    const struct frame *met = b->compile->frame;

    if (!met || (met->line == fr->line && str_eq(met->name, fr->name) && str_eq(met->file, fr->file)))
        return false;
    for (const struct call *c = b->stack; c; c = c->parent)
        if (str_eq(c->function, fr->name) && str_eq(c->file, fr->file) && c->line >= fr->line)
            return true;
    return false;
}

static bool is_same_line(const struct call *c, const struct call *line)
{
    return c->line == line->line && str_eq(c->function, line->function) && str_eq(c->file, line->file);
}

bool break_reach_calls_at(const struct call *stack, const struct call *line)
{
    for (const struct call *c = stack; c; c = c->parent)
        if (is_same_line(c, line))
            return true;
    return false;
}

static bool is_of_frame(const struct call *c, const struct frame *fr)
{
    return str_eq(c->function, fr->name) && str_eq(c->file, fr->file) && c->line >= fr->line;
}

/*
 * The frame's function is called by the line that breaks the graph, or by one that leads there: Python runs all of
 * these. The hooks of a module break before or after its forward, which then is a frame of its own.
 */
static bool is_called_at(const struct frame *fr, const struct graph_break *b)
{
    const struct call *line = stack_user_call(b->stack), *last = NULL, *own = fr->compiles.v[0]->stack;

    for (const struct call *c = b->stack; c && b->compile->frame && !last; c = c->parent)
        last = is_of_frame(c, b->compile->frame) ? c : NULL;
    for (const struct call *c = b->stack; c && last; c = c->parent) {
        if (break_reach_calls_at(own, c))
            return true;
        if (c == last)
            break;
    }
    return line && break_reach_calls_at(own, line);
}

/* Because of the break, Dynamo skipped a function entirely, and that one calls the frame's. */
static bool is_left_to_python(const struct frame *fr, const struct graph_break *b)
{
    const struct frame *met = b->compile->frame;

    if (!met || met == fr || !compile_given_up(b->compile))
        return false;
    for (const struct call *c = fr->compiles.v[0]->stack ? fr->compiles.v[0]->stack->parent : NULL; c; c = c->parent)
        if (is_of_frame(c, met) && c->line >= met->line)
            return true;
    return false;
}

/*
 * What is left of a function after its break, which an enclosing function met too when it had the function inside its
 * own graph: only the break makes a frame of it.
 */
static bool is_rest_of_inlined(const struct frame *fr, const struct graph_break *b)
{
    const struct call *own = b->stack;

    if (!fr->is_resume || !own || !b->compile->frame || b->compile->frame == fr || own->line != fr->resumes_line ||
        !str_eq(own->function, fr->resumes) || !str_eq(own->file, fr->file))
        return false;
    for (const struct call *c = own->parent; c; c = c->parent)
        if (is_of_frame(c, b->compile->frame))
            return true;
    return false;
}

bool break_reach_is_direct(const struct frame *fr, const struct graph_break *b)
{
    return is_called_at(fr, b) || is_left_to_python(fr, b) || is_rest_of_inlined(fr, b);
}

const struct graph_break *break_reach_of(const struct finder *f, const struct frame *fr)
{
    const struct compile *c;

    for (struct compile_walk w = {.run = f->run}; (c = compile_next(&w));)
        for (size_t i = 0; c->process == fr->process && i < c->breaks.n; i++)
            if ((is_reached_by(fr, c->breaks.v[i]) || break_reach_is_direct(fr, c->breaks.v[i])) && c->frame != fr &&
                finding_of_break(f, c->breaks.v[i]))
                return c->breaks.v[i];
    return NULL;
}

/*
 * "with saved_tensors_hooks(pack, unpack)": the line that breaks the graph hands the function over, and PyTorch calls
 * it for each tensor, because Python runs the function around it.
 */
bool break_reach_hands_over(const struct frame *fr, const struct graph_break *b)
{
    const struct call *line = stack_user_call(b->stack);
    ptrdiff_t at = line && fr->name.n ? str_find(line->source, fr->name) : -1;
    struct str behind = at < 0 ? (struct str){0} : str_skip(line->source, (size_t)at + fr->name.n);

    return at > 0 && !str_is_word_char(line->source.p[at - 1]) && behind.n && str_chr(STR(",) "), behind.p[0]) >= 0 &&
           (is_left_to_python(fr, b) || is_called_at(fr, b));
}

/* Python calls the frame's function in or below the line of the break, and nothing between the two is compiled. */
bool break_reach_is_run(const struct frame *fr, const struct graph_break *b)
{
    const struct call *line = stack_user_call(b->stack), *c = fr->compiles.v[0]->stack;

    for (; c && line && !is_same_line(c, line); c = c->parent)
        if (code_file_has(c->file, STR("torch/_dynamo/eval_frame.py")))
            return false;
    return c && line;
}

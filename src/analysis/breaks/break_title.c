#include "analysis/breaks/break_title.h"

#include "analysis/breaks/break_settings.h"
#include "text/python/python_code.h"
#include "util/map.h"
#include "util/utf8.h"

bool break_reason_is_unknown(const struct graph_break *b)
{
    return b->origin == BREAK_FROM_RESUME;
}

bool break_is_unexplained(const struct break_member *m)
{
    return break_reason_is_unknown(m->place->first->sample) && strcmp(m->fix.id, "break-unknown") == 0;
}

struct str break_function(const struct break_member *m)
{
    const struct break_site *site = &m->fix.site;

    return resumed_function(site->own ? site->own->function : m->place->first->sample->function);
}

struct finding_spot break_spot(const struct break_member *m)
{
    const struct graph_break *b = m->place->first->sample;
    const struct call *own = m->fix.site.own;

    if (own)
        return (struct finding_spot){own->file, own->line, own->source, m->place->met};
    return (struct finding_spot){b->file, b->line, m->place->first->source, m->place->met};
}

/*
 * "call_method GetSetDescriptorVariable() get [ConstantVariable(str: 'q')] {}" of 2.6 and earlier, in words: Dynamo's
 * own classes mean nothing to a user, and the line is shown.
 */
static struct str call_in_words(struct finder *f, struct str type)
{
    bool method = str_consume(&type, STR("call_method "));
    ptrdiff_t end;

    if (!method && !str_consume(&type, STR("call_function ")))
        return (struct str){0};
    end = python_find(type, STR(" "), PYTHON_TOP_LEVEL);
    if (!str_has(str_take(type, end < 0 ? type.n : (size_t)end), STR("Variable(")))
        return (struct str){0};
    type = str_skip(type, end < 0 ? type.n : (size_t)end + 1);
    type = str_split(&type, ' ');
    if (method && break_is_identifier(type))
        return arena_printf(f->arena, "the method `%.*s` of an object that Dynamo has no model of", STR_ARG(type));
    return STR("a call that Dynamo has no model of");
}

/*
 * Types of 2.5 continue with details that a title does not need: "builtin: print [<class
 * 'torch._dynamo.variables...'>] False", "dynamic shape operator: aten.nonzero.default; to enable, set ...".
 */
static struct str short_type(struct finder *f, const struct graph_break *b)
{
    static const struct str ends[] = {STR_INIT(" [<class "), STR_INIT("; to enable, ")};
    struct str type = b->type, cut, call;

    str_consume(&type, STR("Unsupported: "));
    call = call_in_words(f, type);
    if (call.n)
        return call;
    if (str_has(type, STR("skip function graph_break in file")))
        return STR("Call to `torch._dynamo.graph_break()`");
    if (str_starts(type, STR("STORE_ATTR-caused graph break")))
        return STR("an attribute that Dynamo cannot set");
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        ptrdiff_t at = str_find(type, ends[i]);

        type = at > 0 ? str_take(type, (size_t)at) : type;
    }
    cut = utf8_cut(type, 120);
    return cut.n == type.n ? type : arena_printf(f->arena, "%.*s \xe2\x80\xa6", STR_ARG(cut));
}

/* The detail that PyTorch's type lacks: which function, which class. */
static struct str typed(struct finder *f, const struct break_member *m)
{
    struct str type = short_type(f, m->place->first->sample);
    struct str name = break_name_text(f->arena, m->fix.site.called);

    if (name.n == 0 || name.n > 120 || str_has(type, name) || str_chr(name, '`') >= 0)
        return type;
    if (str_has(m->place->first->sample->type, STR("call_method ")) ||
        str_has(m->place->first->sample->type, STR("call_function "))) /* Dynamo's own classes */
        return arena_printf(f->arena, "`%.*s`", STR_ARG(name));
    return arena_printf(f->arena, "%.*s (`%.*s`)", STR_ARG(type), STR_ARG(name));
}

enum { SOURCE_MAX = 70 };

/* The line itself, if it is short and the only one: the part of the statement that decides. */
static struct str source_in_title(struct finder *f, const struct break_member *m)
{
    const struct break_site *site = &m->fix.site;
    struct str source = site->own ? str_trim(site->own->source) : (struct str){0};
    struct str name = m->fix.site.called.function;
    ptrdiff_t comment;

    name = str_skip(name, (size_t)(str_rchr(name, '.') + 1));
    comment = python_find(source, STR("#"), PYTHON_NOT_IN_STRING);
    source = comment < 0 ? source : str_trim(str_take(source, (size_t)comment));
    if (!m->fix.shows_source || source.n == 0 || source.n > SOURCE_MAX || str_chr(source, '`') >= 0 ||
        (name.n && str_has(m->fix.what, name) && str_has(source, name))) /* the name is already in it */
        return (struct str){0};
    if (str_ends(source, STR(":")))
        source = str_drop(source, 1);
    return arena_printf(f->arena, ": `%.*s`", STR_ARG(source));
}

enum { NAMES_MAX = 4 };

/* "`Logger.info(…)`, `Logger.warning(…)`", without duplicates. */
static struct str what_of(struct finder *f, const struct break_cause *cause)
{
    struct str out = {0};
    size_t n = 0;

    vec_each(const struct break_member, m, &cause->members)
    {
        struct str what = m->fix.what.n ? m->fix.what : typed(f, m);

        if (str_has(out, what) || n > NAMES_MAX)
            continue;
        if (++n > NAMES_MAX)
            what = STR("and more");
        out = out.n ? arena_printf(f->arena, "%.*s, %.*s", STR_ARG(out), STR_ARG(what)) : what;
    }
    return out;
}

/* Whether the function that the program calls is the one in whose line the graph breaks. */
static bool is_of_last_call(const struct graph_break *b, struct str callee)
{
    return !b->stack || b->stack->function.n == 0 || str_eq(b->stack->function, callee) ||
           b->stack->line != b->line;
}

/* The place, if it is not the line shown below the title. */
static struct str inside(struct finder *f, const struct break_member *m)
{
    const struct graph_break *b = m->place->first->sample;
    struct str callee = break_name_text(f->arena, m->fix.site.callee);

    if (b->line == 0 && b->function.n)
        return arena_printf(f->arena, " in `%.*s`", STR_ARG(b->function));
    if (!m->fix.site.inside || b->file.n == 0 || m->fix.kind == BREAK_DISTRIBUTION ||
        (m->fix.site.kind && m->fix.what.n))
        return (struct str){0}; /* the row already names the called function */
    if (callee.n && !str_has(m->fix.what, callee)) {
        struct str last = is_of_last_call(b, m->fix.site.callee.function) ? STR("") : b->stack->function;

        return arena_printf(f->arena, " inside `%.*s` (%s%.*s%s%.*s:%lld)", STR_ARG(callee), last.n ? "`" : "",
                            STR_ARG(last), last.n ? "`, " : "", STR_ARG(str_file_name(b->file)), (long long)b->line);
    }
    return (struct str){0};
}

static const struct process *process_of(const struct break_member *m)
{
    return m->place->first->sample->compile->process;
}

/* The first process that says where the graph breaks; others that do not, as another rank, do the same. */
static const struct process *naming_process(const struct break_cause *cause)
{
    vec_each(const struct break_member, m, &cause->members) if (break_spot(m).file.n) return process_of(m);
    return NULL;
}

/* The number of lines in the program: one may break the graph at several places below it. */
static size_t places(struct finder *f, const struct break_cause *cause)
{
    const struct process *naming = naming_process(cause);
    struct map seen;

    map_init(&seen, f->arena);
    vec_each(const struct break_member, m, &cause->members)
    {
        struct finding_spot spot = break_spot(m);

        if (spot.file.n || !naming || process_of(m) == naming)
            map_number_at(&seen, arena_printf(f->arena, "%.*s:%lld", STR_ARG(spot.file), (long long)spot.line));
    }
    return seen.n;
}

/* The number of compiles that had it, on the rank with the most: a break on all ranks counts once. */
static uint64_t met_by(struct finder *f, const struct break_cause *cause)
{
    struct map ranks;
    uint64_t most = 0;

    map_init(&ranks, f->arena);
    for (size_t i = 0; i < cause->members.n; i++) {
        const struct break_place *place = cause->members.v[i].place;

        for (size_t k = 0; k < place->groups.n; k++) {
            uint64_t *n = map_number_at(&ranks, MAP_KEY(place->groups.v[k]->rank));

            *n += place->groups.v[k]->members.n;
            most = *n > most ? *n : most;
        }
    }
    return most;
}

/* How a value is read, as PyTorch's message says: "call_function BuiltinVariable(int) [TensorVariable()] {}". */
static const struct {
    const char *words, *how, *code; /* words: alternatives, separated by '\n'; code: so in the line */
} readers[] = {
    {"Tensor.item", "`.item()`", ".item("},
    {"Tensor.tolist", "`.tolist()`", ".tolist("},
    {"BuiltinVariable(int) [TensorVariable\nbuiltin: int [<class 'torch", "`int(...)`", "int("},
    {"BuiltinVariable(bool) [TensorVariable\nbuiltin: bool [<class 'torch", "`bool(...)`", "bool("},
    {"BuiltinVariable(float) [TensorVariable\nbuiltin: float [<class 'torch", "`float(...)`", "float("},
};

enum { READER_BYTES = 300, NOT_SAID = sizeof readers / sizeof *readers };

static size_t reader_of(const struct graph_break *b)
{
    struct str message = str_take(b->reason.n ? b->reason : b->type, READER_BYTES);
    size_t i = 0;

    while (i < NOT_SAID && !str_has_any_line(message, str_of(readers[i].words)))
        i++;
    return i;
}

/* "a tensor's value is read by `.item()`", unless the line is shown and has it, or the places read in several ways. */
static struct str with_reader(struct finder *f, const struct break_cause *cause, struct str what, struct str source)
{
    size_t i = reader_of(cause->members.v[0].place->first->sample);
    const char *link = str_ends(what, STR("a tensor's value is read"))       ? " by "
                       : str_ends(what, STR("a branch on a tensor's value")) ? ", which "
                                                                             : NULL;

    if (i == NOT_SAID || !link || str_has(source, str_of(readers[i].code)))
        return what;
    vec_each(const struct break_member, m, &cause->members) if (reader_of(m->place->first->sample) != i) return what;
    return arena_printf(f->arena, "%.*s%s%s%s", STR_ARG(what), link, readers[i].how, *link == ',' ? " reads" : "");
}

/* ", 2 times", of a break that a printed table counts. */
static struct str counted_words(struct finder *f, const struct break_cause *cause)
{
    uint64_t n = 0;

    vec_each(const struct break_member, m, &cause->members)
    {
        uint64_t more = m->place->first->sample->counted;

        n = more > UINT64_MAX - n ? UINT64_MAX : n + more;
    }
    if (n < 2)
        return n ? STR(", once") : (struct str){0};
    return arena_printf(f->arena, ", %llu times", (unsigned long long)n);
}

struct str break_title(struct finder *f, const struct break_cause *cause)
{
    const struct break_member *first = &cause->members.v[0];
    struct str times = {0}, where, what, source;
    uint64_t met = met_by(f, cause);
    size_t n = places(f, cause);

    if (n > 1)
        where = arena_printf(f->arena, " at %zu places", n);
    else
        where = inside(f, first);
    if (met > cause->members.n)
        times = arena_printf(f->arena, ", in %llu compiles", (unsigned long long)met);
    if (break_is_unexplained(first))
        return arena_printf(f->arena, "Graph break%s%.*s%.*s; the trace does not say why%s", n > 1 ? "s" : "",
                            STR_ARG(where), STR_ARG(times), first->place->first->sample->line ? "" : " or where");
    if (first->fix.kind == BREAK_DDP_EMPTY)
        return STR("Nothing is compiled of the model in DistributedDataParallel");
    what = what_of(f, cause);
    if (first->fix.kind == BREAK_OPTIMIZER_OFF && first->fix.weight == BREAK_IS_HIGH)
        return arena_printf(f->arena, "Nothing is compiled of `%.*s`: %.*s", STR_ARG(break_function(first)),
                            STR_ARG(what));
    if (first->fix.kind == BREAK_TRAIN_STEP)
        return arena_printf(f->arena, "Code of the training loop is compiled: `%.*s` breaks the graph at %.*s",
                            STR_ARG(break_function(first)), STR_ARG(what));
    source = n < 2 ? source_in_title(f, first) : (struct str){0};
    what = with_reader(f, cause, what, source);
    what = arena_printf(f->arena, "%.*s%.*s%.*s", STR_ARG(what), STR_ARG(source), STR_ARG(counted_words(f, cause)));
    return arena_printf(f->arena, "Graph break%s: %.*s%.*s%.*s", n > 1 ? "s" : "", STR_ARG(what), STR_ARG(where),
                        STR_ARG(times));
}

/* Findings about the recompile limit: functions that PyTorch no longer compiles. */
#include "analysis/find/callee.h"
#include "analysis/find/caller.h"
#include "analysis/findings/find_recompiles.h"
#include "analysis/recompiles/recompile_library.h"
#include "analysis/recompiles/recompile_limit.h"
#include "analysis/remedies/remedies_objects.h"
#include "analysis/remedies/remedies_tensors.h"
#include "analysis/remedies/remedies_values.h"
#include "util/map.h"

#include <stdlib.h>

enum { CAUSES_SHOWN = 8, LAYERS = 64, DEFAULT_LIMIT = 8 /* torch/_dynamo/config.py, recompile_limit */ };

/* One function on several ranks, or in several epochs, is one finding. */
struct limit_reached {
    VEC(const struct recompile_chain *) chains;
    struct recompile_causes causes;
    struct recompile_limit limit; /* of the first chain */
    struct str recursion;         /* ".children": the code walks down a structure by it; empty if it does not */
};

/* --- words -------------------------------------------------------------------------------------------------------- */

/* "the recompile limit (8)" */
static struct str limit_words(struct finder *f, const struct recompile_limit *l)
{
    const char *what = l->accumulated ? "the limit on all compiles of its code" : "the recompile limit";

    return l->value > 0 ? arena_printf(f->arena, "%s (%lld)", what, (long long)l->value) : str_of(what);
}

/* " after 8 compiles"; a text that begins later than the program has fewer compiles than were made. */
static struct str after_words(struct finder *f, const struct recompile_limit *l)
{
    if (l->compiles == 0 || (!l->accumulated && l->value > 0 && l->compiles < (uint64_t)l->value))
        return STR("");
    return arena_printf(f->arena, " after %llu compile%s", (unsigned long long)l->compiles,
                        l->compiles == 1 ? "" : "s");
}

static bool is_endless(struct finder *f, const struct limit_reached *r)
{
    for (size_t i = 0; i < r->causes.list.n; i++)
        if (recompile_is_endless(f, r->causes.list.v[i]))
            return true;
    return false;
}

static bool is_of_deque(struct finder *f, const struct limit_reached *r)
{
    for (size_t i = 0; i < r->causes.list.n; i++)
        if (recompile_is_of_deque(f, r->causes.list.v[i]))
            return true;
    return false;
}

/* ".children[1].children[0].word": the same attribute again, of what it holds. Modules in modules are no such thing. */
static struct str repeated_attribute(struct str source)
{
    while (!str_has(source, STR("_modules")) && str_chr(source, '.') >= 0) {
        struct str name;
        ptrdiff_t end;

        source = str_skip(source, (size_t)str_chr(source, '.'));
        end = str_chr(source, '[');
        name = str_take(source, end < 0 ? 0 : (size_t)end + 1);
        source = str_skip(source, 1);
        if (name.n > 2 && str_rchr(name, '.') == 0 && str_has(source, name))
            return str_drop(name, 1);
    }
    return (struct str){0};
}

/* ".children": the code walks down a structure of the program's objects, and every cause is within that. */
static struct str attribute_of_recursion(struct finder *f, const struct limit_reached *r)
{
    struct str name = {0}, root = {0};

    for (size_t i = 0; i < r->causes.list.n; i++) {
        const struct guard_reason *g = r->causes.list.v[i]->sample;
        struct str source = g ? recompile_full_source(f->arena, g->source) : (struct str){0};
        struct str repeated = repeated_attribute(source);

        if (!g || (root.n && !str_eq(guard_variable(source), root)))
            return (struct str){0};
        root = guard_variable(source);
        name = name.n ? name : repeated;
    }
    return name;
}

/* One of several reasons, and no other is known. An endless cause needs no others. */
static bool is_last_reason(struct finder *f, const struct limit_reached *r)
{
    return r->causes.list.n == 1 && !is_endless(f, r) && recompile_is_last_reason(r->causes.list.v[0]);
}

/* A higher limit is no answer to a function that should not be compiled at all. */
static bool is_to_keep_out(const struct limit_reached *r)
{
    return r->causes.list.n && recompile_is_without_tensors(r->chains.v[0]->frame->file);
}

static struct str title_of(struct finder *f, const struct limit_reached *r)
{
    const struct recompile_limit *l = &r->limit;
    struct str name = callee_words(f, r->chains.v[0]->limit), limit = limit_words(f, l);
    struct str why = {0};

    if (r->causes.list.n == 1 && r->causes.list.v[0]->sample)
        why = arena_printf(f->arena, "%s%.*s", is_last_reason(f, r) ? "; the last reason: " : ": ",
                           STR_ARG(recompile_changes_words(f, r->causes.list.v[0])));
    else if (r->causes.list.n > 1 && is_to_keep_out(r))
        why = arena_printf(f->arena, " at %zu places: %.*s; %.*s", r->causes.list.n,
                           STR_ARG(recompile_changes_words(f, r->causes.list.v[0])),
                           STR_ARG(recompile_changes_words(f, r->causes.list.v[1])));
    else if (r->causes.list.n > 1)
        why = arena_printf(f->arena, ": %zu causes", r->causes.list.n);
    return arena_printf(f->arena, "%.*s hit %.*s%.*s and %s%.*s", STR_ARG(name), STR_ARG(limit),
                        STR_ARG(after_words(f, l)), l->raised ? "raised an error" : "runs eagerly", STR_ARG(why));
}

static int by_count(const void *pa, const void *pb)
{
    const struct recompile_cause *a = *(struct recompile_cause *const *)pa, *b = *(struct recompile_cause *const *)pb;
    const struct compile *ca = a->first->compile, *cb = b->first->compile;

    if (a->list.n != b->list.n)
        return a->list.n < b->list.n ? 1 : -1;
    if (ca->process->index != cb->process->index)
        return ca->process->index < cb->process->index ? -1 : 1;
    return (ca->index > cb->index) - (ca->index < cb->index);
}

/* No more lines than a person reads. */
static struct str list_of_causes(struct finder *f, const struct limit_reached *r)
{
    size_t shown = r->causes.list.n < CAUSES_SHOWN ? r->causes.list.n : CAUSES_SHOWN, more = r->causes.list.n - shown;
    struct str out = {0};

    for (size_t i = 0; i < shown; i++) {
        const struct recompile_cause *cause = r->causes.list.v[i];
        struct str fix = recompile_remedy_words(f, recompile_remedy_of(f, cause), cause);

        out = arena_printf(f->arena, "%.*s%s%zu\xc3\x97 %.*s. %.*s", STR_ARG(out), i ? "\n" : "", cause->list.n,
                           STR_ARG(recompile_changes_words(f, cause)), STR_ARG(fix));
    }
    if (more)
        out = arena_printf(f->arena, "%.*s\nAnd %zu more cause%s.", STR_ARG(out), more, more == 1 ? "" : "s");
    return out;
}

static struct str setting_of(struct finder *f, const struct recompile_limit *l, uint64_t value)
{
    if (l->by_argument)
        return arena_printf(f->arena, "torch.compile(..., recompile_limit=%llu)", (unsigned long long)value);
    return arena_printf(f->arena, "torch._dynamo.config.%.*s = %llu", STR_ARG(l->name), (unsigned long long)value);
}

/* --- findings ----------------------------------------------------------------------------------------------------- */

static bool is_of_modules(const struct recompile_cause *cause)
{
    return cause && (cause->change == CHANGE_MODULE || cause->change == CHANGE_MODULE_ATTRIBUTE);
}

/* Several causes need several remedies; raising the limit helps at once. Models have tens of layers. */
static void paste_limit(struct finder *f, struct finding *x, const struct recompile_limit *l, bool of_modules)
{
    uint64_t now = l->value > 0 ? (uint64_t)l->value : l->compiles ? l->compiles : DEFAULT_LIMIT;
    uint64_t more = now < 4 ? 8 : 2 * now;

    finding_paste(x, l->by_argument ? PASTE_PATTERN : PASTE_SETTING,
                  setting_of(f, l, of_modules && more < LAYERS ? LAYERS : more));
    if (l->by_argument)
        finding_paste_at(x, NULL, STR("where the function is compiled"));
}

/* The cause of at least three in four. Without one, no single remedy is the answer. */
static const struct recompile_cause *main_cause(const struct limit_reached *r)
{
    size_t all = 0;

    for (size_t i = 0; i < r->causes.list.n; i++)
        all += r->causes.list.v[i]->list.n;
    for (size_t i = 0; i < r->causes.list.n; i++)
        if (4 * r->causes.list.v[i]->list.n >= 3 * all)
            return r->causes.list.v[i];
    return NULL;
}

/* How many objects there will be is not known. */
static bool is_of_identity(const struct limit_reached *r)
{
    const struct recompile_cause *cause = main_cause(r);

    return cause && cause->change == CHANGE_IDENTITY;
}

/* A higher limit was not enough, and the reason that is known is an object: there is a new one each time. */
static bool is_replaced(struct finder *f, const struct limit_reached *r)
{
    return r->limit.above_default && (is_of_modules(main_cause(r)) || is_of_identity(r)) && is_last_reason(f, r) &&
           !recompile_is_of_parameter_sizes(f, main_cause(r));
}

static bool is_per_object(struct finder *f, const struct limit_reached *r)
{
    const struct recompile_cause *cause = main_cause(r);

    return cause && recompile_is_per_object(f, cause);
}

/* Nor is it to what PyTorch does itself. */
static bool is_of_optimizer(struct finder *f, const struct limit_reached *r)
{
    const struct recompile_cause *cause = main_cause(r);

    return cause && recompile_is_of_optimizer(f, cause);
}

static bool is_of_layers(struct finder *f, const struct limit_reached *r)
{
    const struct recompile_cause *cause = main_cause(r);

    return cause && recompile_is_of_layers(f, cause);
}

/* A number of the optimizer that changes in each step. */
static bool is_of_scheduler(const struct limit_reached *r)
{
    const struct recompile_cause *cause = main_cause(r);

    return cause && cause->change == CHANGE_OPTIMIZER;
}

/* A higher limit is no answer to a size: there will be more of them. */
static bool varies_in_size(const struct recompile_cause *cause)
{
    return cause && cause->change == CHANGE_SIZE;
}

/* The limit is a remedy only if the cause is known. */
static struct str unknown_cause(void)
{
    return STR("Why it was compiled again is not said here: `TORCH_LOGS=recompiles` prints the failed guard of each "
               "compile.");
}

/* Which option makes the limit an error; several versions say so in the message. */
static struct str outcome_words(const struct limit_reached *r)
{
    const struct compile *c = r->chains.v[0]->limit;

    for (size_t i = 0; i < c->failures.n; i++)
        if (str_has(c->failures.v[i]->message, STR("fail_on_")))
            return STR("The limit is an error because the program sets `fail_on_recompile_limit_hit` (up to 2.6 "
                       "`fail_on_cache_limit_hit`): without it, further cases run uncompiled.");
    return STR("The limit is an error because of `fullgraph=True`: without it, further cases run uncompiled.");
}

static bool is_of_own_class(struct finder *f, const struct limit_reached *r)
{
    const struct recompile_cause *cause = main_cause(r);

    return cause && recompile_is_of_own_class(f, cause);
}

/* Where the limit ended the program, one compile for each case is nothing to accept. */
static struct str without_acceptance(struct finder *f, struct str words)
{
    static const struct str begins[] = {STR_INIT(", or accept "), STR_INIT(" Or accept ")};

    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        ptrdiff_t at;

        while ((at = str_find(words, begins[i])) >= 0) {
            struct str rest = str_skip(words, (size_t)at + begins[i].n);
            ptrdiff_t end = str_find(rest, STR(". ")), line = str_chr(rest, '\n');

            end = end < 0 || (line >= 0 && line < end) ? (line < 0 ? (ptrdiff_t)rest.n : line) - 1 : end;
            rest = str_skip(rest, (size_t)end + (begins[i].p[0] == ' '));
            words = arena_printf(f->arena, "%.*s%.*s", STR_ARG(str_take(words, (size_t)at)), STR_ARG(rest));
        }
    }
    return words;
}

/* What is known cannot have used up the limit. */
static bool is_too_few(struct finder *f, const struct limit_reached *r)
{
    return is_last_reason(f, r) && recompile_has_two_values(r->causes.list.v[0]);
}

/* What a higher limit is good for; empty if nothing need be said. */
static struct str limit_advice(struct finder *f, const struct limit_reached *r)
{
    if (is_of_deque(f, r))
        return STR("A higher limit does not help: without `maxlen` every call is a new case, and with it the code for "
                   "a full deque is wrong.");
    if (r->recursion.n)
        return STR("A higher limit does not help: every structure is a new case.");
    if (main_cause(r) && recompile_is_of_numbers(f, main_cause(r)))
        return STR("A higher limit does not help: every list of numbers is a new case.");
    if (is_endless(f, r))
        return STR("A higher limit does not help: every call is a new case.");
    if (is_of_scheduler(r))
        return STR("A higher limit does not help: every value is a new case.");
    if (is_replaced(f, r))
        return STR("The limit was raised already and reached all the same: most likely the object is replaced again "
                   "and again, and no limit is enough. Keep the same object: change it before compiling, or leave out "
                   "what replaces it.");
    if (is_per_object(f, r) || is_too_few(f, r) || is_of_optimizer(f, r) || is_to_keep_out(r) || is_of_own_class(f, r))
        return (struct str){0};
    if (r->limit.above_default && (!varies_in_size(main_cause(r)) || is_last_reason(f, r)))
        return STR("The limit was raised already. If that many cases are wanted, as in a benchmark, raise it again, or "
                   "drop the compiled code between the cases: `torch.compiler.reset()`.");
    return varies_in_size(main_cause(r)) ? (struct str){0}
                                         : STR("Or, if the number of cases is small and known, raise the limit.");
}

static void add_words(struct finder *f, struct finding *x, struct str words)
{
    if (words.n)
        x->fix = arena_printf(f->arena, "%.*s %.*s", STR_ARG(x->fix), STR_ARG(words));
}

static void set_fix(struct finder *f, struct finding *x, const struct limit_reached *r)
{
    struct str allow = limit_advice(f, r);
    const struct recompile_cause *cause = is_to_keep_out(r) ? r->causes.list.v[0] : main_cause(r);

    if (cause)
        recompile_explain(f, x, cause);
    if (r->causes.list.n > 1 && is_to_keep_out(r))
        return;
    if (r->causes.list.n == 1) {
        if (is_replaced(f, r) || !str_has(x->fix, STR("aise the limit")))
            add_words(f, x, allow);
        if (is_last_reason(f, r) && !str_has(x->fix, STR("TORCH_LOGS=recompiles")))
            add_words(f, x, STR("Only the last reason is known here: `TORCH_LOGS=recompiles` prints all of them."));
        return;
    }
    x->fix = r->causes.list.n ? arena_printf(f->arena, "%.*s\n%.*s", STR_ARG(list_of_causes(f, r)), STR_ARG(allow))
                              : unknown_cause();
    if (cause)
        return;
    if (r->causes.list.n)
        finding_place(x, caller_of(r->causes.list.v[0]->first->compile));
    if (x->line == 0 || is_framework_file(x->file)) {
        x->file = r->chains.v[0]->frame->file;
        x->line = r->chains.v[0]->frame->line;
    }
}

/* The limit itself is what to set: no other remedy has a text to paste, or somebody raised the limit before. */
static bool is_paste_of_limit(struct finder *f, const struct finding *x, const struct limit_reached *r)
{
    bool sized = varies_in_size(main_cause(r));

    if (r->causes.list.n == 0 || is_endless(f, r) || is_replaced(f, r) || is_too_few(f, r) ||
        is_of_optimizer(f, r) || is_of_layers(f, r) || is_of_identity(r) || is_of_own_class(f, r) ||
        is_to_keep_out(r) || r->recursion.n || (main_cause(r) && recompile_is_of_numbers(f, main_cause(r))))
        return false;
    return (x->paste.text.n == 0 && !sized && !is_of_scheduler(r)) ||
           (sized && r->limit.above_default && is_last_reason(f, r));
}

/* PyTorch's own function goes on without an error, and its warning says that it was not compiled at all. */
static void note_unfused(struct finder *f, struct finding *x, const struct limit_reached *r)
{
    const struct frame *fr = r->chains.v[0]->frame;

    if (!r->limit.raised && str_eq(fr->name, STR("flex_attention")) && is_framework_file(fr->file))
        x->fix = arena_printf(f->arena,
                              "From here on `flex_attention` runs unfused: times measured later are not those of the "
                              "compiled kernel. %.*s",
                              STR_ARG(x->fix));
}

/* The causes are numbers and lengths of that structure: to make each dynamic changes nothing. */
static void set_recursion(struct finder *f, struct finding *x, const struct limit_reached *r)
{
    struct str name = r->recursion, variable;

    if (name.n == 0)
        return;
    variable = guard_variable(recompile_full_source(f->arena, r->causes.list.v[0]->sample->source));
    x->detail = x->fix;
    x->paste = (struct fix_paste){0};
    x->fix = arena_printf(
        f->arena,
        "The code walks down `%.*s` (`%.*s[..]%.*s[..]`), a structure of Python that is unrolled into the graph: each "
        "structure is a case of its own, whatever is dynamic in it, and no limit is enough. Compile what is done for "
        "one node, with tensors as its arguments (`model.cell = torch.compile(model.cell)`), and leave the walk to "
        "Python. Or collect the nodes of one level in a tensor, and compute level by level.",
        STR_ARG(variable), STR_ARG(name), STR_ARG(name));
}

static void set_detail(struct finder *f, struct finding *x, const struct limit_reached *r)
{
    struct str set = r->limit.by_argument ? STR("`torch.compile(recompile_limit=...)` set the limit. ") : STR("");

    if (r->limit.raised)
        x->detail = arena_printf(f->arena, "%.*s%.*s", STR_ARG(set), STR_ARG(x->detail));
    else
        x->detail = arena_printf(f->arena,
                                 "%.*sDynamo gave up on this function without an error. " RECOMPILE_LIMIT_MEANS
                                 "%s%.*s",
                                 STR_ARG(set), x->detail.n ? " " : "", STR_ARG(x->detail));
}

static void add_chain(struct finder *f, struct finding *x, const struct recompile_chain *chain)
{
    for (size_t i = 0; i < chain->list.n; i++) {
        finding_evidence(f, x, chain->list.v[i]->compile);
        if (!chain->list.v[i]->compile->limit_hit) /* refused compiles cost nothing */
            finding_cost_compile(f, x, chain->list.v[i]->compile);
    }
}

/* A size that varies has a remedy of its own, and makes others vary: it comes before those that raise the limit. */
static void put_sizes_first(struct finder *f, size_t begin, const bool *sized)
{
    size_t n = f->out->list.n - begin, k = begin; /* those beyond a number are not shown, and are the last */
    struct finding **found = ARENA_ARRAY(f->arena, struct finding *, n ? n : 1);

    for (size_t i = 0; i < n; i++)
        found[i] = f->out->list.v[begin + i];
    for (size_t i = 0; i < n; i++)
        if (sized[i])
            f->out->list.v[k++] = found[i];
    for (size_t i = 0; i < n; i++)
        if (!sized[i])
            f->out->list.v[k++] = found[i];
}

/* Whether a size is why it was reached. */
static bool add_limit(struct finder *f, struct limit_reached *r)
{
    struct finding *x = finding_add(f, "recompile-limit", FINDING_CRITICAL);

    recompile_causes_find(f, r->chains.v, r->chains.n, &r->causes);
    if (r->causes.list.n) /* the limit counts recompiles, not time */
        qsort(r->causes.list.v, r->causes.list.n, sizeof *r->causes.list.v, by_count);
    recompile_limit_of(f, r->chains.v[0], &r->limit);
    r->recursion = attribute_of_recursion(f, r);
    x->title = title_of(f, r);
    set_fix(f, x, r);
    if (r->limit.raised)
        x->fix = arena_printf(f->arena, "%.*s %.*s", STR_ARG(without_acceptance(f, x->fix)), STR_ARG(outcome_words(r)));
    set_recursion(f, x, r);
    note_unfused(f, x, r);
    if (stated_has(&r->chains.v[0]->limit->process->input->stated, STATED_FOLDED))
        add_words(f, x, STR("Ray prints like lines of several workers once (`RAY_DEDUP_LOGS=0` prints all), so more "
                            "ranks than these may have reached it."));
    if (is_per_object(f, r))
        x->severity = FINDING_MEDIUM;
    else if (is_paste_of_limit(f, x, r))
        paste_limit(f, x, &r->limit, is_of_modules(main_cause(r)));
    set_detail(f, x, r);
    for (size_t i = 0; i < r->chains.n; i++)
        add_chain(f, x, r->chains.v[i]);
    if (r->causes.list.n)
        recompile_note(f, x, r->causes.list.v[0]);
    guard_facts_forget(f);
    return varies_in_size(main_cause(r));
}

/* By the number of the function and the last reason, which ranks of one job have in common. */
static struct str number_and_reason(struct finder *f, const struct recompile_chain *chain)
{
    const struct compile *c = chain->limit;

    return c->reasons.n && !chain->frame->unnumbered
               ? arena_printf(f->arena, "%d %.*s", chain->frame->id, STR_ARG(c->reasons.v[0].text))
               : (struct str){0};
}

/* A rank whose lines are cut short does not name the function: then another rank does. */
static const struct frame *named_frame(struct finder *f, const struct map *named, const struct recompile_chain *chain)
{
    struct str key = chain->frame->name.n ? (struct str){0} : number_and_reason(f, chain);
    const struct frame *of = key.n ? map_get(named, key) : NULL;

    return of && of->process != chain->frame->process ? of : chain->frame;
}

static void find_named(struct finder *f, struct map *named)
{
    const struct recompiles *rcs = &f->answers->recompiles;

    map_init(named, f->arena);
    for (size_t i = 0; i < rcs->chains.n && rcs->chains.v[i]->limit; i++) {
        struct str key = rcs->chains.v[i]->frame->name.n ? number_and_reason(f, rcs->chains.v[i]) : (struct str){0};

        if (key.n)
            *map_at(named, key) = (void *)rcs->chains.v[i]->frame;
    }
}

/* One that names the function comes first. */
static void add_chain_to(struct finder *f, struct limit_reached *r, const struct recompile_chain *chain)
{
    vec_push(f->arena, &r->chains, chain);
    if (chain->frame->name.n && r->chains.v[0]->frame->name.n == 0) {
        r->chains.v[r->chains.n - 1] = r->chains.v[0];
        r->chains.v[0] = chain;
    }
}

void find_recompile_limit(struct finder *f)
{
    const struct recompiles *rcs = &f->answers->recompiles;
    size_t begin = f->out->list.n;
    struct map seen, named;
    bool *sized;

    map_init(&seen, f->arena);
    find_named(f, &named);
    for (size_t i = 0; i < rcs->chains.n && rcs->chains.v[i]->limit; i++) {
        const struct frame *fr = named_frame(f, &named, rcs->chains.v[i]);
        long long line = recompile_is_without_tensors(fr->file) ? 0 : fr->line; /* one answer for all its parts */
        void **slot =
            map_at(&seen, arena_printf(f->arena, "%lld %.*s\n%.*s", line, STR_ARG(fr->file), STR_ARG(fr->name)));
        struct limit_reached *r = *slot;

        if (!r)
            *slot = r = ARENA_NEW(f->arena, struct limit_reached);
        add_chain_to(f, r, rcs->chains.v[i]);
    }
    sized = ARENA_ARRAY(f->arena, bool, seen.n ? seen.n : 1);
    for (size_t i = 0; i < seen.n; i++)
        sized[i] = add_limit(f, seen.entries[i].value);
    put_sizes_first(f, begin, sized);
}

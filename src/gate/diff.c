#include "gate/diff.h"

#include "analysis/time/timing.h"
#include "gate/compile_diff.h"
#include "gate/diff_functions.h"
#include "text/messages/cache_key.h"
#include "util/map.h"
#include "view/format.h"
#include "view/view.h"

#include <math.h>

/* Smaller differences also occur between two runs of the same program. */
static const double time_factor = 1.2, time_least_s = 0.5;

struct differ {
    struct matching m;
    bool other_pytorch; /* the sides have different versions of PyTorch */
    double noise_s;     /* how much launches of one program differ; -1 unknown */
    json_t *out, *verdict;
};

static json_t *put_list(json_t *o, const char *key)
{
    json_t *list = json_new_array();

    json_put(o, key, list);
    return list;
}

static void put_text(json_t *o, const char *key, struct str s)
{
    json_put(o, key, s.n ? json_of_str(s) : json_null());
}

static void put_line(json_t *o, int64_t line)
{
    json_put(o, "line", line > 0 ? json_of_i64(line) : json_null());
}

static void say(struct differ *d, struct str sentence)
{
    json_push(d->verdict, json_of_str(sentence));
}

/* --- texts that both sides have ----------------------------------------------------------------------------------- */

static void put_change(json_t *list, struct str name, struct str before, struct str after)
{
    json_t *o = json_new_object();

    json_put_str(o, "name", name);
    put_text(o, "before", before);
    put_text(o, "after", after);
    json_push(list, o);
}

static void diff_environment(struct differ *d)
{
    static const char *const names[] = {"pytorch", "python", "triton", "cuda", "gpu"};
    json_t *list = put_list(d->out, "environment");

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct str texts[SIDES];

        for (int s = 0; s < SIDES; s++)
            texts[s] = member_text(json_object_get(d->m.sides[s]->facts->root, "environment"), names[i]);
        /* A value that one side does not know is not a difference. */
        if (texts[BEFORE].n && texts[AFTER].n && !str_eq(texts[BEFORE], texts[AFTER]))
            put_change(list, str_of(names[i]), texts[BEFORE], texts[AFTER]);
    }
    d->other_pytorch = str_eq(member_text(json_array_get(list, 0), "name"), STR("pytorch"));
}

/* "'/tmp/cache'": where a run puts its files does not matter. */
static bool is_directory(struct str value)
{
    return str_starts(value, STR("'/"));
}

/* The value of a setting that differs from PyTorch's default; empty if it does not differ. */
static struct str setting_of(const struct diff_side *side, struct str name)
{
    json_t *x, *list = json_object_get(json_object_get(side->facts->root, "configuration"), "differing");
    size_t i;

    json_array_foreach(list, i, x)
    {
        if (str_eq(member_text(x, "name"), name))
            return member_text(x, "value");
    }
    return (struct str){0};
}

static void diff_settings(struct differ *d)
{
    json_t *list = put_list(d->out, "settings"), *x;
    struct map seen;
    size_t i;

    map_init(&seen, d->m.arena);
    for (int s = 0; s < SIDES; s++)
        json_array_foreach(json_object_get(json_object_get(d->m.sides[s]->facts->root, "configuration"), "differing"),
                           i, x)
        {
            struct str name = member_text(x, "name"), before = setting_of(d->m.sides[BEFORE], name),
                       after = setting_of(d->m.sides[AFTER], name);
            void **slot = map_at(&seen, name);

            if (*slot || str_eq(before, after) || (is_directory(before) && is_directory(after)))
                continue;
            *slot = d;
            put_change(list, name, before, after);
        }
}

/* --- items that are new, gone or moved ---------------------------------------------------------------------------- */

typedef struct str key_fn(struct arena *a, const json_t *item);

/* Each key with the first item that has it. */
static void index_items(struct differ *d, const struct diff_side *side, const char *list, key_fn *key, struct map *out)
{
    json_t *item;
    size_t i;

    map_init(out, d->m.arena);
    json_array_foreach(snapshot_list(side->facts, list), i, item)
    {
        void **slot = map_at(out, key(d->m.arena, item));

        *slot = *slot ? *slot : item;
    }
}

static json_t *shown_item(const json_t *item, const char *words)
{
    json_t *o = json_new_object();
    struct str text = member_text(item, words), file = member_text(item, "own_file");

    put_text(o, "what", str_split(&text, '\n'));
    put_text(o, "id", member_text(item, "id"));
    put_text(o, "file", file.n ? file : member_text(item, "file"));
    put_line(o, file.n ? member_number(item, "own_line") : member_number(item, "line"));
    put_text(o, "function", member_text(item, "function"));
    put_text(o, "source", member_text(item, "source"));
    return o;
}

/* Entries of one map that the other lacks. */
static json_t *only_in(const struct map *one, const struct map *other, const char *words)
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < one->n; i++)
        if (!map_get(other, one->entries[i].key))
            json_push(list, shown_item(one->entries[i].value, words));
    return list;
}

/* On return, `sides` has the items of both sides by key. */
static json_t *diff_items(struct differ *d, const char *list, key_fn *key, const char *words, struct map sides[SIDES])
{
    json_t *o = json_new_object();

    for (int s = 0; s < SIDES; s++)
        index_items(d, d->m.sides[s], list, key, &sides[s]);
    json_put(o, "new", only_in(&sides[AFTER], &sides[BEFORE], words));
    json_put(o, "gone", only_in(&sides[BEFORE], &sides[AFTER], words));
    return o;
}

/* "at train.py:31" for the first item of a list; empty without a place. */
static struct str first_place(struct differ *d, const json_t *list)
{
    const json_t *first = json_array_get(list, 0);
    struct str place = format_place(d->m.arena, member_text(first, "file"), member_number(first, "line"));

    return place.n
               ? arena_printf(d->m.arena, "%s at %.*s", json_array_size(list) > 1 ? ", the first" : "", STR_ARG(place))
               : STR("");
}

static void say_items(struct differ *d, const json_t *o, const char *one, const char *many)
{
    const json_t *new = json_object_get(o, "new"), *gone = json_object_get(o, "gone");

    if (json_array_size(new))
        say(d, arena_printf(d->m.arena, "%.*s new%.*s",
                            STR_ARG(format_counted(d->m.arena, json_array_size(new), one, many)),
                            STR_ARG(first_place(d, new))));
    if (json_array_size(gone))
        say(d, arena_printf(d->m.arena, "%.*s gone%.*s",
                            STR_ARG(format_counted(d->m.arena, json_array_size(gone), one, many)),
                            STR_ARG(first_place(d, gone))));
}

/* Breaks that are on another line than before. */
static json_t *moved_breaks(const struct map sides[SIDES])
{
    json_t *list = json_new_array();

    for (size_t i = 0; i < sides[AFTER].n; i++) {
        const json_t *after = sides[AFTER].entries[i].value,
                     *before = map_get(&sides[BEFORE], sides[AFTER].entries[i].key);
        json_t *o;

        if (!before || member_number(before, "line") == member_number(after, "line"))
            continue;
        o = shown_item(after, "type");
        json_put_i64(o, "line_before", member_number(before, "line"));
        json_push(list, o);
    }
    return list;
}

/* --- functions ---------------------------------------------------------------------------------------------------- */

static json_t *place_object(const struct place *at)
{
    json_t *o = json_new_object();

    json_put_str(o, "name", at->name);
    put_text(o, "file", at->file);
    put_line(o, at->line);
    return o;
}

static json_t *function_object(const struct function *f)
{
    return place_object(&f->at[AFTER]);
}

/* How much the compile time differs between the launches of one side (`run --repeats`); 0 if there was only one. */
static double noise_of(const struct snapshot *facts, size_t *launches)
{
    json_t *trials = json_object_get(json_object_get(facts->root, "experiment"), "trials"), *t;
    double least = 0, most = 0;
    size_t i, n = 0;

    json_array_foreach(trials, i, t)
    {
        const json_t *seconds = json_object_get(t, "compile_wall_s");
        struct str name = member_text(t, "name");

        if (!json_is_number(seconds) || !str_starts(name, STR("base")))
            continue;
        if (n == 0 || json_number_value(seconds) < least)
            least = json_number_value(seconds);
        if (n++ == 0 || json_number_value(seconds) > most)
            most = json_number_value(seconds);
    }
    *launches = n > *launches ? n : *launches;
    return most - least;
}

/* The larger of both sides' differences between launches of the same program; -1 if each was launched once. */
static double noise(const struct differ *d)
{
    size_t launches = 0;
    double before = noise_of(d->m.sides[BEFORE]->facts, &launches),
           after = noise_of(d->m.sides[AFTER]->facts, &launches);

    if (launches < 2)
        return -1;
    return before > after ? before : after;
}

static bool takes_longer(const struct differ *d, double before, double after)
{
    return fabs(after - before) >= time_least_s && fabs(after - before) > d->noise_s &&
           (after > before * time_factor || before > after * time_factor);
}

/* The reason of the first recompile, on the side that has more of them. */
static struct str why_again(const struct function *f)
{
    const struct had *had = &f->sides[f->sides[AFTER].recompiles > f->sides[BEFORE].recompiles ? AFTER : BEFORE];

    return member_text(json_array_get(json_object_get(had->recompile, "reasons"), 0), "words");
}

static void diff_recompiles(struct differ *d)
{
    json_t *list = put_list(d->out, "recompiles");
    uint64_t more = 0, fewer = 0;

    for (size_t i = 0; i < d->m.functions.n; i++) {
        const struct function *f = d->m.functions.entries[i].value;
        uint64_t before = f->sides[BEFORE].recompiles, after = f->sides[AFTER].recompiles;
        json_t *o;

        if (before == after)
            continue;
        more += after > before ? after - before : 0;
        fewer += before > after ? before - after : 0;
        o = function_object(f);
        json_put_i64(o, "before", (int64_t)before);
        json_put_i64(o, "after", (int64_t)after);
        put_text(o, "why", why_again(f));
        json_push(list, o);
    }
    if (more)
        say(d, arena_printf(d->m.arena, "%.*s more",
                            STR_ARG(format_counted(d->m.arena, more, "recompile", "recompiles"))));
    if (fewer)
        say(d, arena_printf(d->m.arena, "%.*s fewer",
                            STR_ARG(format_counted(d->m.arena, fewer, "recompile", "recompiles"))));
}

static void diff_functions(struct differ *d)
{
    json_t *list = put_list(d->out, "functions");

    for (size_t i = 0; i < d->m.functions.n; i++) {
        const struct function *f = d->m.functions.entries[i].value;
        const struct had *b = &f->sides[BEFORE], *a = &f->sides[AFTER];
        json_t *o;

        if (b->compiles.n == a->compiles.n && !takes_longer(d, b->seconds, a->seconds))
            continue;
        o = function_object(f);
        json_put_i64(o, "compiles_before", (int64_t)b->compiles.n);
        json_put_i64(o, "compiles_after", (int64_t)a->compiles.n);
        json_put(o, "seconds_before", b->compiles.n ? json_of_double(b->seconds) : json_null());
        json_put(o, "seconds_after", a->compiles.n ? json_of_double(a->seconds) : json_null());
        json_push(list, o);
    }
}

/* --- what compiles left behind ------------------------------------------------------------------------------------ */

static const struct {
    enum compile_text which;
    const char *list, *one, *many;
} texts[] = {{COMPILE_GRAPH, "graphs", "graph changed", "graphs changed"},
             {COMPILE_CODE, "output_code", "graph is the same and its code changed",
              "graphs are the same and their code changed"},
             {COMPILE_GUARDS, "guards", "compile has different guards", "compiles have different guards"}};

/*
 * A different graph leads to different code, and another PyTorch to different code and guards: that is not worth
 * listing.
 */
static bool is_news(const struct differ *d, const struct pair *p, enum compile_text which)
{
    return which == COMPILE_GRAPH || (!d->other_pytorch && (which == COMPILE_GUARDS || !p->graph_differs));
}

static void diff_text_of(struct differ *d, size_t row)
{
    json_t *list = put_list(d->out, texts[row].list);
    struct str first = {0};
    uint64_t news = 0;

    vec_each(struct pair, p, &d->m.pairs)
    {
        json_t *o = compile_diff_text(p->compiles[BEFORE], p->compiles[AFTER], texts[row].which);

        if (!o)
            continue;
        p->graph_differs |= texts[row].which == COMPILE_GRAPH;
        json_put_str(o, "function", p->of->at[AFTER].name);
        put_text(o, "file", p->of->at[AFTER].file);
        put_line(o, p->of->at[AFTER].line);
        json_put_str(o, "compile_before", member_text(p->refs[BEFORE], "id"));
        json_put_str(o, "compile_after", member_text(p->refs[AFTER], "id"));
        json_push(list, o);
        if (is_news(d, p, texts[row].which) && news++ == 0)
            first = p->of->at[AFTER].name;
    }
    if (news)
        say(d,
            arena_printf(d->m.arena, "%.*s, the first in `%.*s`",
                         STR_ARG(format_counted(d->m.arena, news, texts[row].one, texts[row].many)), STR_ARG(first)));
}

static void diff_texts(struct differ *d)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        diff_text_of(d, i);
}

/* One row for each component, however many lookups differ in it. */
static void diff_keys(struct differ *d)
{
    json_t *list = put_list(d->out, "cache_keys");
    key_differences found = {0};
    struct map rows;

    map_init(&rows, d->m.arena);
    vec_each(const struct pair, p, &d->m.pairs)
        compile_diff_keys(d->m.arena, p->compiles[BEFORE], p->compiles[AFTER], &found);
    vec_each(const struct key_difference, k, &found)
    {
        const char *layer = cache_layer_name(k->layer), *words = cache_key_words(k->name);
        void **slot = map_at(&rows, arena_printf(d->m.arena, "%s %.*s", layer, STR_ARG(k->name)));
        json_t *o = *slot;

        if (!o) {
            *slot = o = json_new_object();
            json_put_str(o, "layer", str_of(layer));
            json_put_str(o, "component", k->name);
            put_text(o, "words", words ? str_of(words) : (struct str){0});
            put_text(o, "before", k->before);
            put_text(o, "after", k->after);
            json_push(list, o);
        }
        json_put_i64(o, "lookups", member_number(o, "lookups") < 0 ? 1 : member_number(o, "lookups") + 1);
    }
}

/* --- caches, time ------------------------------------------------------------------------------------------------- */

static void diff_caches(struct differ *d)
{
    static const char *const names[] = {"cache_hits", "cache_misses", "cache_bypasses"};
    json_t *list = put_list(d->out, "caches");

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int64_t before = snapshot_total(d->m.sides[BEFORE]->facts, names[i]),
                after = snapshot_total(d->m.sides[AFTER]->facts, names[i]);
        json_t *o;

        if (before < 0 || after < 0 || before == after)
            continue;
        o = json_new_object();
        json_put_str(o, "name", str_of(names[i]));
        json_put_i64(o, "before", before);
        json_put_i64(o, "after", after);
        json_push(list, o);
    }
}

struct spent {
    double seconds[SIDES];
};

/* The self time of each phase: self times add up, but times of nested phases do not. */
static void index_phases(struct differ *d, struct map *phases)
{
    json_t *p;
    size_t i;

    map_init(phases, d->m.arena);
    for (int s = 0; s < SIDES; s++)
        json_array_foreach(snapshot_list(d->m.sides[s]->facts, "phases"), i, p)
        {
            const json_t *self = json_object_get(p, "self_s");
            struct spent *x = MAP_OBJECT(phases, member_text(p, "phase"), struct spent);

            x->seconds[s] += json_is_number(self) ? json_number_value(self) : 0;
        }
}

/* The phase that differs most; {0} if none differs by more than two runs of the same program do. */
static struct str diff_phases(struct differ *d)
{
    json_t *list = put_list(d->out, "phases");
    struct str most = {0};
    double of_most = 0;
    struct map phases;

    index_phases(d, &phases);
    for (size_t i = 0; i < phases.n; i++) {
        const struct spent *x = phases.entries[i].value;
        double change = x->seconds[AFTER] - x->seconds[BEFORE];
        json_t *o;

        if (!takes_longer(d, x->seconds[BEFORE], x->seconds[AFTER]))
            continue;
        o = json_new_object();
        json_put_str(o, "phase", phases.entries[i].key);
        json_put(o, "seconds_before", json_of_double(x->seconds[BEFORE]));
        json_put(o, "seconds_after", json_of_double(x->seconds[AFTER]));
        json_push(list, o);
        if (fabs(change) > of_most) {
            of_most = fabs(change);
            most = phases.entries[i].key;
        }
    }
    return most;
}

static void diff_time(struct differ *d)
{
    int64_t before = snapshot_total_us(d->m.sides[BEFORE]->facts, "compile_wall_s"),
            after = snapshot_total_us(d->m.sides[AFTER]->facts, "compile_wall_s");
    struct str phase = diff_phases(d), most;
    bool differs = before >= 0 && after >= 0 && takes_longer(d, (double)before / 1e6, (double)after / 1e6);
    json_t *o = json_new_object();

    json_put(o, "seconds_before", before >= 0 ? json_of_double((double)before / 1e6) : json_null());
    json_put(o, "seconds_after", after >= 0 ? json_of_double((double)after / 1e6) : json_null());
    json_put(o, "noise_s", d->noise_s >= 0 ? json_of_double(d->noise_s) : json_null());
    json_put_bool(o, "differs", differs);
    json_put(d->out, "compile_time", o);
    if (!differs)
        return;
    most = phase.n ? arena_printf(d->m.arena, ", most of it in %.*s", STR_ARG(phase_title_of(phase))) : STR("");
    say(d, arena_printf(d->m.arena, "it compiles %.*s %s (%.*s, before %.*s)%.*s",
                        STR_ARG(format_duration_us(d->m.arena, after > before ? after - before : before - after)),
                        after > before ? "longer" : "less", STR_ARG(format_duration_us(d->m.arena, after)),
                        STR_ARG(format_duration_us(d->m.arena, before)), STR_ARG(most)));
}

/* --- what moved --------------------------------------------------------------------------------------------------- */

static void diff_places(struct differ *d)
{
    json_t *list = put_list(d->out, "moved");

    for (size_t i = 0; i < d->m.functions.n; i++) {
        const struct function *f = d->m.functions.entries[i].value;
        const struct place *before = &f->at[BEFORE];
        json_t *o;

        if (f->sides[BEFORE].compiles.n == 0 || f->sides[AFTER].compiles.n == 0 ||
            (!f->moved && before->line == f->at[AFTER].line))
            continue;
        o = function_object(f);
        json_put_str(o, "name_before", before->name);
        put_text(o, "file_before", before->file);
        json_put(o, "line_before", before->line > 0 ? json_of_i64(before->line) : json_null());
        json_push(list, o);
    }
}

/* Whether a function is now in another file or has another name. */
static bool moved_between(const struct differ *d, struct str before, struct str after)
{
    for (size_t i = 0; i < d->m.functions.n; i++) {
        const struct function *f = d->m.functions.entries[i].value;

        if (f->moved && str_eq(str_file_name(f->at[BEFORE].file), str_file_name(before)) &&
            str_eq(str_file_name(f->at[AFTER].file), str_file_name(after)))
            return true;
    }
    return false;
}

static bool same_place(const json_t *before, const json_t *after)
{
    return str_eq(str_file_name(member_text(before, "file")), str_file_name(member_text(after, "file"))) &&
           str_eq(resumed_function(member_text(before, "function")), resumed_function(member_text(after, "function")));
}

/* A break that moved with its function, or that another version of PyTorch words differently. */
static bool same_break(const struct differ *d, const json_t *before, const json_t *after)
{
    struct str source = member_text(after, "source");

    if (source.n == 0 || !str_eq(source, member_text(before, "source")))
        return false;
    if (str_eq(member_text(before, "what"), member_text(after, "what")))
        return moved_between(d, member_text(before, "file"), member_text(after, "file"));
    return d->other_pytorch && same_place(before, after);
}

/* Breaks that both sides have, in other files or in other words, are neither new nor gone. */
static void match_breaks(struct differ *d, json_t *breaks)
{
    json_t *new = json_object_get(breaks, "new"), *gone = json_object_get(breaks, "gone"),
           *moved = json_object_get(breaks, "moved"), *renamed = put_list(breaks, "renamed");

    for (size_t i = 0; i < json_array_size(new);) {
        json_t *after = json_array_get(new, i), *before = NULL;
        size_t k = 0;

        while (k < json_array_size(gone) && !same_break(d, json_array_get(gone, k), after))
            k++;
        if (k == json_array_size(gone)) {
            i++;
            continue;
        }
        before = json_array_get(gone, k);
        put_text(after, "what_before", member_text(before, "what"));
        put_text(after, "file_before", member_text(before, "file"));
        json_put_i64(after, "line_before", member_number(before, "line"));
        json_push(str_eq(member_text(before, "what"), member_text(after, "what")) ? moved : renamed,
                  json_incref(after));
        json_array_remove(new, i);
        json_array_remove(gone, k);
    }
}

/* --- all ---------------------------------------------------------------------------------------------------------- */

/* No function is on both sides: the runs are not two versions of one program. */
static bool have_nothing_in_common(const struct differ *d)
{
    bool any[SIDES] = {false, false};

    for (size_t i = 0; i < d->m.functions.n; i++) {
        const struct function *f = d->m.functions.entries[i].value;

        if (f->sides[BEFORE].compiles.n && f->sides[AFTER].compiles.n)
            return false;
        any[BEFORE] |= f->sides[BEFORE].compiles.n > 0;
        any[AFTER] |= f->sides[AFTER].compiles.n > 0;
    }
    return any[BEFORE] && any[AFTER];
}

static void say_rest(struct differ *d)
{
    json_t *environment = json_object_get(d->out, "environment"), *x;
    size_t i;

    if (have_nothing_in_common(d))
        say(d, STR("they have no compiled function in common: these look like different programs"));
    json_array_foreach(environment, i, x)
        say(d, arena_printf(d->m.arena, "%.*s is %.*s, before %.*s", STR_ARG(member_text(x, "name")),
                            STR_ARG(member_text(x, "after")), STR_ARG(member_text(x, "before"))));
    i = json_array_size(json_object_get(d->out, "settings"));
    if (i)
        say(d, arena_printf(d->m.arena, "%.*s",
                            STR_ARG(format_counted(d->m.arena, i, "setting differs", "settings differ"))));
}

json_t *diff_make(struct arena *a, const struct diff_side *before, const struct diff_side *after)
{
    struct differ d = {
        .m = {.arena = a, .sides = {before, after}}, .out = json_new_object(), .verdict = json_new_array()};
    struct map sides[SIDES];
    json_t *breaks;

    json_put_str(d.out, "schema", STR("pt2trace-diff"));
    json_put_str(d.out, "version", STR("1.0"));
    json_put_str(d.out, "before", before->name);
    json_put_str(d.out, "after", after->name);
    json_put(d.out, "verdict", d.verdict);
    d.noise_s = noise(&d);
    diff_environment(&d);
    functions_match(&d.m);
    diff_places(&d);
    json_put(d.out, "errors", diff_items(&d, "errors", error_key, "message", sides));
    say_items(&d, json_object_get(d.out, "errors"), "error", "errors");
    breaks = diff_items(&d, "graph_breaks", break_key, "type", sides);
    json_put(breaks, "moved", moved_breaks(sides));
    match_breaks(&d, breaks);
    json_put(d.out, "graph_breaks", breaks);
    say_items(&d, breaks, "graph break", "graph breaks");
    diff_recompiles(&d);
    diff_texts(&d);
    diff_time(&d);
    diff_functions(&d);
    diff_caches(&d);
    diff_keys(&d);
    json_put(d.out, "findings", diff_items(&d, "findings", finding_key, "title", sides));
    diff_settings(&d);
    say_rest(&d);
    json_put_bool(d.out, "same", json_array_size(d.verdict) == 0);
    return d.out;
}

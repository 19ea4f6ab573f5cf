#include "ranks/fingerprint.h"

#include "text/rank_neutral.h"

/* What is kept of a payload that was read. */
struct content {
    struct digest digest; /* of its neutral text */
    const struct collectives *calls;
};

void fingerprinter_init(struct fingerprinter *s, struct arena *a, struct pool *pool)
{
    *s = (struct fingerprinter){.arena = a, .pool = pool, .ahead_arena = arena_new()};
    map_init(&s->classes, a);
    map_init(&s->contents, a);
    map_init(&s->calls, a);
    map_init(&s->ahead, s->ahead_arena);
}

void fingerprinter_free(struct fingerprinter *s)
{
    arena_free(s->ahead_arena);
    buf_free(&s->text);
    buf_free(&s->line);
}

static uint32_t class_of(struct fingerprinter *s, struct digest digest)
{
    void **slot = map_at_copy(&s->classes, MAP_KEY(digest));

    if (!*slot)
        *slot = (void *)(uintptr_t)s->classes.n;
    return (uint32_t)(uintptr_t)*slot;
}

/* --- payloads ----------------------------------------------------------------------------------------------------- */

static const struct compared {
    struct str name;
    enum rank_facet facet;
} compared[] = {
    {STR_INIT("dynamo_output_graph"), FACET_GRAPH},     {STR_INIT("aot_joint_graph"), FACET_JOINT},
    {STR_INIT("aot_forward_graph"), FACET_PARTITION},   {STR_INIT("aot_backward_graph"), FACET_PARTITION},
    {STR_INIT("aot_inference_graph"), FACET_PARTITION}, {STR_INIT("inductor_post_grad_graph"), FACET_POST_GRAD},
    {STR_INIT("inductor_output_code"), FACET_CODE},     {STR_INIT("dynamo_cpp_guards_str"), FACET_GUARDS},
};

enum rank_facet facet_of_artifact(const struct artifact *a)
{
    for (size_t i = 0; i < sizeof compared / sizeof *compared; i++)
        if (str_eq(a->name, compared[i].name))
            return compared[i].facet;
    return FACETS;
}

/* Longer ones are compared as they are. */
enum { NEUTRAL_MAX = 64 * 1024 * 1024 };

bool fingerprinter_read(struct fingerprinter *s, const struct artifact *a, uint64_t max)
{
    s->text.n = 0;
    return payload_is_told(&a->payload) && artifact_read(a, max, &s->text);
}

/* False when its text cannot be had. */
static bool read_text(struct fingerprinter *s, const struct artifact *a)
{
    return a->payload.text_bytes <= NEUTRAL_MAX && fingerprinter_read(s, a, NEUTRAL_MAX);
}

static struct digest neutral_digest(struct fingerprinter *s, bool guards)
{
    struct rank_neutral neutral = {.guards = guards};
    struct str rest = buf_view(&s->text), line;
    struct digest_state state;

    digest_begin(&state);
    while (str_next_line(&rest, &line)) {
        s->line.n = 0;
        rank_neutral_line(&neutral, line, &s->line);
        buf_char(&s->line, '\n');
        digest_add(&state, buf_view(&s->line));
    }
    return digest_end(&state);
}

static struct str kept(struct fingerprinter *s, struct str text)
{
    return text.n ? arena_str(s->arena, text) : text;
}

static void add_call(struct fingerprinter *s, struct collectives *to, const struct collective_call *call)
{
    struct collective_call *c = vec_add(s->arena, &to->list);

    *c = *call;
    c->op = kept(s, call->op);
    c->reduction = kept(s, call->reduction);
    c->group = kept(s, call->group);
    c->dtype = kept(s, call->dtype);
    c->shape = kept(s, call->shape);
    c->file = kept(s, call->file);
}

static void print_call(struct buf *out, const struct collective_call *c)
{
    buf_printf(out, "%.*s %.*s %.*s %.*s %.*s %llu %.*s %lld\n", STR_ARG(c->op), STR_ARG(c->reduction),
               STR_ARG(c->group), STR_ARG(c->dtype), STR_ARG(c->shape), (unsigned long long)c->group_size,
               STR_ARG(c->file), (long long)c->line);
}

/* Calls of a text, or what is kept of one. */
struct calls_from {
    struct collective_walk walk;
    const struct artifact_content *kept;
    size_t next;
};

static bool next_call(struct calls_from *from, struct collective_call *out)
{
    if (!from->kept)
        return collective_next(&from->walk, out);
    if (from->next == from->kept->calls.n)
        return false;
    *out = from->kept->calls.v[from->next++];
    return true;
}

/* The same list of another rank is found by what it says. */
static const struct collectives *read_calls(struct fingerprinter *s, const struct calls_from *begin)
{
    struct calls_from from = *begin;
    struct collective_call call;
    struct collectives *made;
    struct digest key;
    void **slot;

    s->line.n = 0;
    while (next_call(&from, &call))
        print_call(&s->line, &call);
    if (s->line.n == 0)
        return NULL;
    key = digest_of(buf_view(&s->line));
    slot = map_at_copy(&s->calls, MAP_KEY(key));
    if (*slot)
        return *slot;
    *slot = made = ARENA_NEW(s->arena, struct collectives);
    made->key = key;
    for (from = *begin; next_call(&from, &call);)
        if (collective_is_wait(&call))
            made->waits++;
        else
            add_call(s, made, &call);
    return made;
}

static bool may_call(const struct artifact *a)
{
    enum rank_facet f = facet_of_artifact(a);

    return f == FACET_GRAPH || f == FACET_PARTITION || f == FACET_POST_GRAD || f == FACET_CODE;
}

static void read_content(struct fingerprinter *s, const struct artifact *a, struct content *out)
{
    struct calls_from from = {.kept = a->content};

    *out = (struct content){.digest = a->content ? a->content->neutral : a->payload.digest};
    if (!a->content) {
        if (!read_text(s, a))
            return;
        out->digest = neutral_digest(s, facet_of_artifact(a) == FACET_GUARDS);
        from.walk.rest = buf_view(&s->text);
    }
    if (may_call(a) && (a->content ? a->content->calls.n > 0 : str_has(from.walk.rest, STR("c10d_functional."))))
        out->calls = read_calls(s, &from);
}

/* --- for digests -------------------------------------------------------------------------------------------------- */

static void keep_content(struct fingerprinter *s, struct artifact *a)
{
    struct arena *arena = a->input->arena;
    struct artifact_content *content;
    struct collective_walk walk;
    struct collective_call call;

    if (a->content || facet_of_artifact(a) == FACETS || !read_text(s, a))
        return;
    a->content = content = ARENA_NEW(arena, struct artifact_content);
    content->neutral = neutral_digest(s, facet_of_artifact(a) == FACET_GUARDS);
    walk = (struct collective_walk){.rest = buf_view(&s->text)};
    while (may_call(a) && collective_next(&walk, &call)) {
        struct collective_call *c = vec_add(arena, &content->calls);

        *c = call;
        c->op = arena_str(arena, call.op);
        c->reduction = arena_str(arena, call.reduction);
        c->group = arena_str(arena, call.group);
        c->dtype = arena_str(arena, call.dtype);
        c->shape = arena_str(arena, call.shape);
        c->file = arena_str(arena, call.file);
    }
}

void ranks_keep_contents(const struct run *r)
{
    struct arena *scratch = arena_new();
    struct fingerprinter s;

    fingerprinter_init(&s, scratch, NULL);
    for (size_t i = 0; i < r->inputs.n; i++)
        for (size_t k = 0; k < r->inputs.v[i]->artifacts.n; k++)
            keep_content(&s, r->inputs.v[i]->artifacts.v[k]);
    fingerprinter_free(&s);
    arena_free(scratch);
}

/* --- what is remembered of payloads ------------------------------------------------------------------------------- */

/* Guards differ on every rank as they are written. */
static bool is_shared(const struct artifact *a)
{
    return (a->payload.flags & PAYLOAD_DIGEST) && facet_of_artifact(a) != FACET_GUARDS;
}

/* The signer's own list that says the same. */
static const struct collectives *adopt_calls(struct fingerprinter *s, const struct collectives *from)
{
    struct collectives *made;
    void **slot;

    if (!from)
        return NULL;
    slot = map_at_copy(&s->calls, MAP_KEY(from->key));
    if (*slot)
        return *slot;
    *slot = made = ARENA_NEW(s->arena, struct collectives);
    made->key = from->key;
    made->waits = from->waits;
    for (size_t i = 0; i < from->list.n; i++)
        add_call(s, made, &from->list.v[i]);
    return made;
}

static const struct content *recall(const struct fingerprinter *s, const struct artifact *a)
{
    return is_shared(a) ? map_get(&s->contents, MAP_KEY(a->payload.digest)) : map_get(&s->ahead, MAP_KEY(a));
}

static void remember(struct fingerprinter *s, const struct artifact *a, const struct content *found)
{
    bool shared = is_shared(a);
    struct content *content = ARENA_NEW(shared ? s->arena : s->ahead_arena, struct content);

    *content = (struct content){found->digest, adopt_calls(s, found->calls)};
    *(shared ? map_at_copy(&s->contents, MAP_KEY(a->payload.digest)) : map_at_copy(&s->ahead, MAP_KEY(a))) = content;
}

static struct content content_of(struct fingerprinter *s, const struct artifact *a)
{
    const struct content *known = recall(s, a);
    struct content found;

    if (known)
        return *known;
    read_content(s, a, &found);
    if (is_shared(a))
        remember(s, a, &found);
    return found;
}

const struct collectives *fingerprinter_collectives(struct fingerprinter *s, const struct artifact *a)
{
    return content_of(s, a).calls;
}

/* Whether there is anything to compare. */
static bool is_told(const struct artifact *a)
{
    unsigned missing = a->payload.flags & PAYLOAD_UNREADABLE;

    return (a->payload.flags & PAYLOAD_PRESENT) && (!missing || (missing == PAYLOAD_AWAY && a->content));
}

/* --- reading ahead ------------------------------------------------------------------------------------------------ */

struct ahead {
    VEC(const struct artifact *) list;
    struct content *found;
    struct fingerprinter *parts; /* each thread reads with one of its own */
};

/* Once for each digest that is shared. */
static void want(const struct fingerprinter *s, struct arena *scratch, struct map *wanted, struct ahead *ahead,
                 const struct artifact *a)
{
    void **slot;

    if (!is_told(a) || a->content || facet_of_artifact(a) == FACETS || recall(s, a))
        return;
    if (is_shared(a)) {
        slot = map_at_copy(wanted, MAP_KEY(a->payload.digest));
        if (*slot)
            return;
        *slot = ahead;
    }
    vec_push(scratch, &ahead->list, a);
}

static void read_part(void *arg, size_t part, size_t from, size_t to)
{
    struct ahead *ahead = arg;

    for (size_t i = from; i < to; i++)
        read_content(&ahead->parts[part], ahead->list.v[i], &ahead->found[i]);
}

void fingerprinter_read_ahead(struct fingerprinter *s, const struct process *const *processes, size_t n)
{
    struct arena *scratch = arena_new();
    struct ahead ahead = {0};
    struct map wanted;
    size_t parts;

    map_init(&wanted, scratch);
    arena_reset(s->ahead_arena);
    map_init(&s->ahead, s->ahead_arena);
    for (size_t i = 0; s->pool && i < n; i++)
        for (size_t k = 0; k < processes[i]->compiles.n; k++)
            for (size_t m = 0; m < processes[i]->compiles.v[k]->artifacts.n; m++)
                want(s, scratch, &wanted, &ahead, processes[i]->compiles.v[k]->artifacts.v[m]);
    if (ahead.list.n) {
        parts = pool_parts(s->pool, ahead.list.n);
        ahead.found = ARENA_ARRAY(scratch, struct content, ahead.list.n);
        ahead.parts = ARENA_ARRAY(scratch, struct fingerprinter, parts);
        for (size_t i = 0; i < parts; i++)
            fingerprinter_init(&ahead.parts[i], arena_new(), NULL);
        pool_each(s->pool, ahead.list.n, read_part, &ahead);
        /* In the order of the list, so that nothing depends on which thread was first. */
        for (size_t i = 0; i < ahead.list.n; i++)
            remember(s, ahead.list.v[i], &ahead.found[i]);
        for (size_t i = 0; i < parts; i++) {
            arena_free(ahead.parts[i].arena);
            fingerprinter_free(&ahead.parts[i]);
        }
    }
    arena_free(scratch);
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

static void add_calls(struct digest_state *state, struct rank_neutral *names, struct buf *line,
                      const struct collectives *calls)
{
    line->n = 0;
    for (size_t i = 0; calls && i < calls->list.n; i++) {
        const struct collective_call *c = &calls->list.v[i];
        size_t group = 0;

        while (group < names->group_count && !str_eq(names->groups[group], c->group))
            group++;
        if (group == names->group_count && group < RANK_GROUPS_MAX)
            names->groups[names->group_count++] = c->group;
        buf_printf(line, "%.*s %.*s %zu %.*s %.*s\n", STR_ARG(c->op), STR_ARG(c->reduction), group, STR_ARG(c->dtype),
                   STR_ARG(c->shape));
    }
    digest_add(state, buf_view(line));
}

/* The graphs that come last: those Inductor was given, else AOTAutograd's, else Dynamo's. */
static enum rank_facet last_graphs(const struct fingerprint *sign)
{
    return sign->counts[FACET_POST_GRAD]   ? FACET_POST_GRAD
           : sign->counts[FACET_PARTITION] ? FACET_PARTITION
                                           : FACET_GRAPH;
}

/* Also the order in which the generated code calls them. */
static void sign_collectives(struct fingerprinter *s, const struct compile *c, struct fingerprint *out)
{
    enum rank_facet graphs = last_graphs(out);
    struct rank_neutral names = {0};
    struct digest_state state;

    if (out->counts[graphs] == 0)
        return;
    digest_begin(&state);
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (facet_of_artifact(c->artifacts.v[i]) == graphs)
            add_calls(&state, &names, &s->line, fingerprinter_collectives(s, c->artifacts.v[i]));
    for (size_t i = 0; i < c->artifacts.n; i++)
        if (facet_of_artifact(c->artifacts.v[i]) == FACET_CODE)
            add_calls(&state, &names, &s->line, fingerprinter_collectives(s, c->artifacts.v[i]));
    out->facets[FACET_COLLECTIVES] = class_of(s, digest_end(&state));
    out->counts[FACET_COLLECTIVES] = (uint16_t)(out->counts[graphs] + out->counts[FACET_CODE]);
}

/* --- the other facets --------------------------------------------------------------------------------------------- */

static void sign_payloads(struct fingerprinter *s, const struct compile *c, struct fingerprint *out)
{
    struct digest_state states[FACETS];

    for (size_t i = 0; i < c->artifacts.n; i++) {
        const struct artifact *a = c->artifacts.v[i];
        enum rank_facet f = is_told(a) ? facet_of_artifact(a) : FACETS;
        struct content content;

        if (f == FACETS || out->counts[f] == UINT16_MAX)
            continue;
        if (out->counts[f]++ == 0)
            digest_begin(&states[f]);
        content = content_of(s, a);
        digest_add(&states[f], (struct str){(const char *)content.digest.bytes, DIGEST_BYTES});
    }
    for (int f = 0; f < FACETS; f++)
        if (out->counts[f])
            out->facets[f] = class_of(s, digest_end(&states[f]));
}

/* What stands in the line: a facet's words, of which `name` is the first. */
static uint32_t class_of_line(struct fingerprinter *s)
{
    return class_of(s, digest_of(buf_view(&s->line)));
}

static void add_place(struct buf *out, struct str file, int64_t line)
{
    struct str name = code_file_name(file);

    buf_printf(out, " %.*s:%lld", STR_ARG(name), (long long)line);
}

static void sign_reasons(struct fingerprinter *s, const struct compile *c, struct fingerprint *out)
{
    struct rank_neutral neutral = {.guards = true};

    if (c->reasons.n == 0)
        return;
    s->line.n = 0;
    buf_str(&s->line, STR("reasons"));
    vec_each(const struct recompile_reason, r, &c->reasons) rank_neutral_line(&neutral, r->text, &s->line);
    out->facets[FACET_REASONS] = class_of_line(s);
}

static void sign_breaks(struct fingerprinter *s, const struct compile *c, struct fingerprint *out)
{
    s->line.n = 0;
    buf_str(&s->line, STR("breaks"));
    for (size_t i = 0; i < c->breaks.n; i++) {
        buf_printf(&s->line, "\n%.*s", STR_ARG(c->breaks.v[i]->type));
        add_place(&s->line, c->breaks.v[i]->file, c->breaks.v[i]->line);
    }
    out->facets[FACET_BREAKS] = class_of_line(s);
}

static void sign_status(struct fingerprinter *s, const struct compile *c, struct fingerprint *out)
{
    s->line.n = 0;
    buf_printf(&s->line, "status %d %d", (int)c->status, c->limit_hit);
    for (size_t i = 0; i < c->failures.n; i++) {
        buf_printf(&s->line, "\n%.*s", STR_ARG(c->failures.v[i]->type));
        add_place(&s->line, c->failures.v[i]->file, c->failures.v[i]->line);
    }
    out->facets[FACET_STATUS] = class_of_line(s);
}

static void sign_caches(struct fingerprinter *s, const struct compile *c, struct fingerprint *out)
{
    if (c->cache_events.n == 0)
        return;
    s->line.n = 0;
    buf_str(&s->line, STR("caches"));
    vec_each(const struct cache_event, e, &c->cache_events)
    {
        buf_printf(&s->line, " %d:%d", (int)e->layer, (int)e->outcome);
        out->cached |= e->outcome == CACHE_HIT;
    }
    out->facets[FACET_CACHE] = class_of_line(s);
}

void fingerprint_take(struct fingerprinter *s, const struct compile *c, struct fingerprint *out)
{
    *out = (struct fingerprint){0};
    sign_payloads(s, c, out);
    sign_collectives(s, c, out);
    sign_reasons(s, c, out);
    sign_breaks(s, c, out);
    sign_status(s, c, out);
    sign_caches(s, c, out);
}

#include "ranks/compare/contents.h"

#include "model/read/artifact_text.h"
#include "text/graphs/collective_place.h"
#include "text/graphs/estimated_ops.h"
#include "text/messages/rank_neutral.h"

void contents_init(struct contents *c, struct arena *a, struct pool *pool)
{
    *c = (struct contents){.arena = a, .pool = pool, .ahead_arena = arena_new()};
    map_init(&c->by_digest, a);
    map_init(&c->calls, a);
    map_init(&c->ahead, c->ahead_arena);
}

void contents_free(struct contents *c)
{
    arena_free(c->ahead_arena);
    buf_free(&c->text);
    buf_free(&c->line);
}

/* --- which artifacts are compared --------------------------------------------------------------------------------- */

enum rank_facet facet_of_artifact(const struct artifact *a)
{
    return a->info && a->info->facet ? a->info->facet : FACETS;
}

bool contents_has(const struct artifact *a)
{
    unsigned missing = a->payload.flags & PAYLOAD_UNREADABLE;

    return (a->payload.flags & PAYLOAD_PRESENT) && (!missing || (missing == PAYLOAD_AWAY && a->content));
}

/* --- reading one -------------------------------------------------------------------------------------------------- */

bool contents_read(struct contents *c, const struct artifact *a, enum payload_budget budget)
{
    c->text.n = 0;
    if (a->content && a->content->text.n) {
        buf_str(&c->text, a->content->text);
        return true;
    }
    return payload_may_be_shown(&a->payload) && artifact_read(a, budget, &c->text);
}

/* Longer texts are compared by the digest in the trace. */
static bool read_text(struct contents *c, const struct artifact *a)
{
    return payload_fits(&a->payload, READ_COMPLETE) && contents_read(c, a, READ_COMPLETE);
}

/* The digest of the lines in c->text, each in the form that is the same on any rank. */
static struct digest digest_of_lines(struct contents *c, const struct artifact *a, bool without_sizes)
{
    struct rank_neutral neutral = {.without_sizes = without_sizes, .json = facet_of_artifact(a) == FACET_TENSORS};
    struct str rest = buf_view(&c->text), line;
    struct digest_state state;

    digest_begin(&state);
    while (str_next_line(&rest, &line)) {
        c->line.n = 0;
        rank_neutral_line(&neutral, line, &c->line);
        buf_char(&c->line, '\n');
        digest_add(&state, buf_view(&c->line));
    }
    return digest_end(&state);
}

static void add_digest(uint64_t sum[2], struct digest d)
{
    uint64_t halves[2];

    memcpy(halves, d.bytes, sizeof halves);
    sum[0] += halves[0];
    sum[1] += halves[1];
}

/* Independent of the order of lines: guards on the members of a set are ordered by address. */
static struct digest digest_of_guards(struct contents *c)
{
    struct rank_neutral neutral = {.guards = true};
    struct str rest = buf_view(&c->text), line;
    uint64_t sum[2] = {0};
    struct digest digest;

    while (str_next_line(&rest, &line)) {
        c->line.n = 0;
        rank_neutral_line(&neutral, line, &c->line);
        if (c->line.n)
            add_digest(sum, digest_of(buf_view(&c->line)));
    }
    memcpy(digest.bytes, sum, sizeof digest.bytes);
    return digest;
}

static struct digest neutral_digest(struct contents *c, const struct artifact *a)
{
    return facet_of_artifact(a) == FACET_GUARDS ? digest_of_guards(c) : digest_of_lines(c, a, false);
}

/* --- collectives -------------------------------------------------------------------------------------------------- */

static struct str copy_of(struct contents *c, struct str text)
{
    return text.n ? arena_str(c->arena, text) : text;
}

static void add_call(struct contents *c, struct collectives *to, const struct collective_call *call)
{
    *vec_add(c->arena, &to->list) = (struct collective_call){
        .op = copy_of(c, call->op),
        .reduction = copy_of(c, call->reduction),
        .group = copy_of(c, call->group),
        .group_size = call->group_size,
        .dtype = copy_of(c, call->dtype),
        .shape = copy_of(c, call->shape),
    };
}

static void print_call(struct buf *out, const struct collective_call *c)
{
    buf_printf(out, "%.*s %.*s %.*s %.*s %.*s %llu\n", STR_ARG(c->op), STR_ARG(c->reduction), STR_ARG(c->group),
               STR_ARG(c->dtype), STR_ARG(c->shape), (unsigned long long)c->group_size);
}

/* The calls in a text, or those that a digest file stores for it. */
struct calls_from {
    struct str text;
    const struct artifact_content *kept;
    size_t next;
};

static bool next_call(struct calls_from *from, struct collective_call *out)
{
    if (!from->kept)
        return collective_next(&from->text, out);
    if (from->next == from->kept->calls.n)
        return false;
    *out = from->kept->calls.v[from->next++];
    return true;
}

/* The list of calls; the same list as for an earlier text with equal calls. */
static const struct collectives *read_calls(struct contents *c, const struct calls_from *begin)
{
    struct calls_from from = *begin;
    struct collective_call call;
    struct collectives *made;
    struct digest key;
    void **slot;

    c->line.n = 0;
    while (next_call(&from, &call))
        print_call(&c->line, &call);
    if (c->line.n == 0)
        return NULL;
    key = digest_of(buf_view(&c->line));
    slot = map_at_copy(&c->calls, MAP_KEY(key));
    if (*slot)
        return *slot;
    *slot = made = ARENA_NEW(c->arena, struct collectives);
    made->key = key;
    for (from = *begin; next_call(&from, &call);)
        if (collective_is_wait(&call))
            made->waits++;
        else
            add_call(c, made, &call);
    return made;
}

static void read_content(struct contents *c, const struct artifact *a, struct content *out)
{
    struct calls_from from = {.kept = a->content};
    bool calls = a->info->calls;

    *out = (struct content){.digest = a->content ? a->content->neutral : a->payload.digest};
    if (!a->content) {
        if (!read_text(c, a))
            return;
        out->digest = neutral_digest(c, a);
        from.text = buf_view(&c->text);
        calls = calls && str_has(from.text, STR("c10d_functional."));
    }
    if (calls)
        out->calls = read_calls(c, &from);
}

/* --- run times ---------------------------------------------------------------------------------------------------- */

#define NS_MAX (1ll << 60)

int64_t contents_estimate(struct contents *c, const struct artifact *a)
{
    struct estimated_op op;
    int64_t sum = 0;
    struct str ops;

    if (facet_of_artifact(a) != FACET_TENSORS)
        return -1;
    if (a->content)
        return a->content->estimated_ns;
    if (!contents_read(c, a, READ_TEXT))
        return -1;
    for (ops = estimated_ops(buf_view(&c->text)); estimated_op_next(&ops, &op);)
        if (sum < NS_MAX)
            sum += op.ns;
    return sum;
}

/* --- for digest files --------------------------------------------------------------------------------------------- */

static void keep_calls(struct contents *c, struct arena *arena, struct artifact_content *content)
{
    struct str rest = buf_view(&c->text);
    struct collective_places places;
    struct arena *scratch = arena_new();
    struct collective_call call;

    collective_places_find(scratch, rest, &places);
    for (size_t i = 0; collective_next(&rest, &call); i++)
        *vec_add(arena, &content->calls) = (struct collective_call){
            .op = arena_str(arena, call.op),
            .reduction = arena_str(arena, call.reduction),
            .group = arena_str(arena, call.group),
            .group_size = call.group_size,
            .dtype = arena_str(arena, call.dtype),
            .shape = arena_str(arena, call.shape),
            .file = arena_str(arena, places.list.v[i].file),
            .line = places.list.v[i].line,
            .from_line = places.list.v[i].from_line,
        };
    arena_free(scratch);
}

/* Lists of compile ids, and of names of collectives. */
static bool is_kept_whole(const struct artifact *a)
{
    return artifact_is(a, ARTIFACT_GRAPH_EXECUTION) || artifact_is(a, ARTIFACT_INDUCTOR_COLLECTIVE_SCHEDULE);
}

static void keep_content(struct contents *c, struct artifact *a)
{
    bool compared = facet_of_artifact(a) != FACETS, whole = is_kept_whole(a);
    struct artifact_content *content;

    if (a->content || (!compared && !whole) || !read_text(c, a))
        return;
    content = ARENA_NEW(a->input->arena, struct artifact_content);
    if (whole)
        content->text = arena_str(a->input->arena, buf_view(&c->text));
    if (compared) {
        content->neutral = neutral_digest(c, a);
        content->without_sizes = digest_of_lines(c, a, true);
    }
    if (compared && a->info->calls)
        keep_calls(c, a->input->arena, content);
    content->estimated_ns = contents_estimate(c, a);
    a->content = content;
}

void ranks_keep_contents(const struct run *r)
{
    struct arena *scratch = arena_new();
    struct contents c;

    contents_init(&c, scratch, NULL);
    for (size_t i = 0; i < r->inputs.n; i++)
        for (size_t k = 0; k < r->inputs.v[i]->artifacts.n; k++)
            keep_content(&c, r->inputs.v[i]->artifacts.v[k]);
    contents_free(&c);
    arena_free(scratch);
}

/* --- what is remembered ------------------------------------------------------------------------------------------- */

/*
 * Whether its digest identifies its text: the digest was verified, not only read. Guards differ on every rank as they
 * are written.
 */
static bool is_shared(const struct artifact *a)
{
    return (a->payload.flags & (PAYLOAD_CHECKED | PAYLOAD_BAD)) == PAYLOAD_CHECKED &&
           facet_of_artifact(a) != FACET_GUARDS;
}

/* The equal list of calls in this cache. */
static const struct collectives *adopt_calls(struct contents *c, const struct collectives *from)
{
    struct collectives *made;
    void **slot;

    if (!from)
        return NULL;
    slot = map_at_copy(&c->calls, MAP_KEY(from->key));
    if (*slot)
        return *slot;
    *slot = made = ARENA_NEW(c->arena, struct collectives);
    made->key = from->key;
    made->waits = from->waits;
    for (size_t i = 0; i < from->list.n; i++)
        add_call(c, made, &from->list.v[i]);
    return made;
}

static const struct content *recall(const struct contents *c, const struct artifact *a)
{
    return is_shared(a) ? map_get(&c->by_digest, MAP_KEY(a->payload.digest)) : map_get(&c->ahead, MAP_KEY(a));
}

static void remember(struct contents *c, const struct artifact *a, const struct content *found)
{
    bool shared = is_shared(a);
    struct content *content = ARENA_NEW(shared ? c->arena : c->ahead_arena, struct content);

    *content = (struct content){found->digest, adopt_calls(c, found->calls)};
    *(shared ? map_at_copy(&c->by_digest, MAP_KEY(a->payload.digest)) : map_at_copy(&c->ahead, MAP_KEY(a))) = content;
}

struct content contents_of(struct contents *c, const struct artifact *a)
{
    const struct content *known = recall(c, a);
    struct content found;

    if (known)
        return *known;
    read_content(c, a, &found);
    if (is_shared(a))
        remember(c, a, &found);
    return found;
}

struct digest contents_without_sizes(struct contents *c, const struct artifact *a)
{
    if (a->content)
        return a->content->without_sizes;
    return read_text(c, a) ? digest_of_lines(c, a, true) : a->payload.digest;
}

/* --- reading ahead ------------------------------------------------------------------------------------------------ */

struct ahead {
    VEC(const struct artifact *) list;
    struct content *found;
    struct contents *parts; /* one for each thread */
};

/* Each shared digest is read only once. */
static void want(const struct contents *c, struct arena *scratch, struct map *wanted, struct ahead *ahead,
                 const struct artifact *a)
{
    void **slot;

    if (facet_of_artifact(a) == FACETS || !contents_has(a) || a->content || recall(c, a))
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

/* Stores results in the order of the list, so that nothing depends on which thread was first. */
static void read_list(struct contents *c, struct arena *scratch, struct ahead *ahead)
{
    size_t parts = pool_parts(c->pool, ahead->list.n);

    ahead->found = ARENA_ARRAY(scratch, struct content, ahead->list.n);
    ahead->parts = ARENA_ARRAY(scratch, struct contents, parts);
    for (size_t i = 0; i < parts; i++)
        contents_init(&ahead->parts[i], arena_new(), NULL);
    pool_each(c->pool, ahead->list.n, read_part, ahead);
    for (size_t i = 0; i < ahead->list.n; i++)
        remember(c, ahead->list.v[i], &ahead->found[i]);
    for (size_t i = 0; i < parts; i++) {
        arena_free(ahead->parts[i].arena);
        contents_free(&ahead->parts[i]);
    }
}

void contents_read_ahead(struct contents *c, const struct process *const *processes, size_t n)
{
    struct arena *scratch = arena_new();
    struct ahead ahead = {0};
    struct map wanted;

    map_init(&wanted, scratch);
    arena_reset(c->ahead_arena);
    map_init(&c->ahead, c->ahead_arena);
    for (size_t i = 0; c->pool && i < n; i++)
        for (size_t k = 0; k < processes[i]->compiles.n; k++)
            for (size_t m = 0; m < processes[i]->compiles.v[k]->artifacts.n; m++)
                want(c, scratch, &wanted, &ahead, processes[i]->compiles.v[k]->artifacts.v[m]);
    if (ahead.list.n)
        read_list(c, scratch, &ahead);
    arena_free(scratch);
}

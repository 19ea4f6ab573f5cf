#include "redact/redact_run.h"

#include "model/rows/fields.h"

/*
 * Names are redacted first: a word that is known as a user's name is then replaced in messages as well, where it might
 * pass for a word of PyTorch's. `texts` has one copy of equal texts, because code may compare texts by address.
 */
struct redacting {
    struct redactor *r;
    struct run *run;
    bool skeleton;
    struct map texts[3]; /* original -> struct str: code, prose, paths */
    struct map labels;   /* struct artifact_info of a label -> its redacted form */
    struct map digests;  /* of payloads -> their numbers */
    VEC(struct process *) processes;
};

enum { AS_CODE, AS_PROSE, AS_PATH };

static struct str redacted(struct redacting *d, struct str s, int as)
{
    void **slot;
    struct str *known;

    if (s.n == 0)
        return s;
    slot = map_at_copy(&d->texts[as], s);
    if (!*slot) {
        *slot = known = ARENA_NEW(d->r->arena, struct str);
        *known = as == AS_CODE    ? redactor_code(d->r, s)
                 : as == AS_PROSE ? redactor_prose(d->r, s)
                                  : redactor_path(d->r, s);
    }
    known = *slot;
    return *known;
}

static void code(struct redacting *d, struct str *s)
{
    *s = redacted(d, *s, AS_CODE);
}

static void prose(struct redacting *d, struct str *s)
{
    *s = redacted(d, *s, AS_PROSE);
}

static void path(struct redacting *d, struct str *s)
{
    *s = redacted(d, *s, AS_PATH);
}

static void name(struct redacting *d, struct str *s)
{
    if (s->n)
        redactor_name(d->r, *s);
    code(d, s);
}

static void key(struct redacting *d, struct str *s)
{
    *s = redactor_key(d->r, *s);
}

static void emptied(struct redacting *d, struct str *s)
{
    (void)d;
    *s = STR("");
}

/* --- texts that depend on other fields of their struct ----------------------------------------------------------- */

/* "Foo.forward", "<lambda>": a plain function name, without other text after it. */
static bool is_identifier(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z') && !str_is_digit(s.p[i]) &&
            !(s.p[i] && strchr("_.<>", s.p[i])))
            return false;
    return true;
}

/* Names of PyTorch's functions stay; the same names in a user's file do not. */
static bool function_stays(const struct redacting *d, struct str file, struct str function)
{
    return path_is_kept(&d->r->words, file) && is_identifier(function);
}

static void redact_call(struct redacting *d, void *object, struct str *function)
{
    const struct call *c = object;

    if (!function_stays(d, c->file, c->function))
        name(d, function);
}

/* The name of the frame, or of the function that it resumes. */
static void redact_frame(struct redacting *d, void *object, struct str *function)
{
    const struct frame *f = object;

    if (!function_stays(d, f->file, f->name))
        name(d, function);
}

static void redact_versions(struct redacting *d, void *object, struct str *commit)
{
    (void)object;
    if (!is_identifier(*commit)) /* hashes of PyTorch's repository stay */
        name(d, commit);
}

/* "vllm_submod_0": vLLM numbers the pieces of a graph. */
static bool is_piece_of_vllm(struct str name)
{
    uint64_t number;

    return str_consume(&name, STR("vllm_submod_")) && str_u64(name, &number);
}

/* The catalog's own names are PyTorch's; but a row may also be a pattern for any number of names. */
static void redact_artifact_name(struct redacting *d, struct str *s)
{
    const struct artifact_info *info = artifact_info_find(*s);

    if ((!info || strchr(info->name, '*')) && !is_piece_of_vllm(*s))
        code(d, s);
}

static const char *code_of(struct redacting *d, const char *text)
{
    struct str s = str_of(text);

    code(d, &s);
    return text ? s.p : NULL;
}

/* Titles from --labels, which are not in the catalog, are the user's words. */
static const struct artifact_info *label(struct redacting *d, const struct artifact *a)
{
    struct artifact_info *own;
    void **slot;

    if (!a->info || a->info == artifact_info_find(a->name))
        return a->info;
    slot = map_at_copy(&d->labels, MAP_KEY(a->info));
    if (*slot)
        return *slot;
    *slot = own = ARENA_NEW(d->r->arena, struct artifact_info);
    *own = *a->info;
    own->title = code_of(d, own->title);
    own->group = code_of(d, own->group);
    return own;
}

static void redact_payload(const struct redacting *d, struct artifact *a)
{
    if (a->info && a->info->for_people)
        a->payload.flags |= PAYLOAD_PROSE;
    a->payload.flags &= (uint16_t)~PAYLOAD_DIGEST;
    if (d->skeleton)
        a->payload.flags |= PAYLOAD_WITHHELD;
}

static void redact_artifact(struct redacting *d, void *object, struct str *s)
{
    struct artifact *a = object;

    if (s == &a->detail) {
        (str_chr(*s, '/') >= 0 && !url_length(*s) ? path : code)(d, s);
        return;
    }
    if (s == &a->name) {
        redact_payload(d, a);
        a->info = label(d, a);
    }
    redact_artifact_name(d, s);
}

enum metric_text { METRIC_CODE, METRIC_PROSE, METRIC_PATH, METRIC_NAME };

static enum metric_text metric_text_of(struct str key)
{
    static const struct {
        struct str key;
        enum metric_text text;
    } rows[] = {
        {STR_INIT("co_name"), METRIC_NAME},
        {STR_INIT("co_filename"), METRIC_PATH},
        {STR_INIT("fail_user_frame_filename"), METRIC_PATH},
        {STR_INIT("fail_reason"), METRIC_PROSE},
        {STR_INIT("restart_reasons"), METRIC_PROSE},
        {STR_INIT("exception_stack_trace"), METRIC_PROSE},
        {STR_INIT("stack_trace"), METRIC_PROSE},
        {STR_INIT("cudagraph_skip_reason"), METRIC_PROSE},
        {STR_INIT("tensorify_float_failure"), METRIC_PROSE},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (str_eq(key, rows[i].key))
            return rows[i].text;
    return METRIC_CODE;
}

static void metric_str(struct redacting *d, const struct metric *m, struct str *s)
{
    static void (*const how[])(struct redacting *, struct str *) = {code, prose, path, name};
    enum metric_text text = m->field ? metric_text_of(m->key) : METRIC_CODE;
    bool kept = text == METRIC_NAME || text == METRIC_PATH || str_eq(m->key, STR("compile_id")) ||
                str_eq(m->key, STR("fail_type"));

    (d->skeleton && !kept ? emptied : how[text])(d, s);
}

static void redact_metric(struct redacting *d, void *object, struct str *s)
{
    struct metric *m = object;

    if (m->type == METRIC_STR)
        metric_str(d, m, &m->s);
    for (size_t i = 0; m->type == METRIC_LIST && i < m->list.n; i++)
        metric_str(d, m, &m->list.v[i]);
    if (!m->field)
        code(d, s);
}

/* Equal texts stay equal, but the digest no longer allows checking a guess of the text. */
static void redact_digest(struct redacting *d, struct digest *x)
{
    uint64_t *number = map_number_at(&d->digests, MAP_KEY(*x));

    *number = *number ? *number : d->digests.n;
    *x = (struct digest){0};
    memcpy(x->bytes, number, sizeof *number);
}

/* "artifact:NAME", or a kind. */
static struct str kind_name(struct redacting *d, struct str kind)
{
    static const struct str artifact = STR_INIT("artifact:");
    struct str name = kind;

    if (!str_consume(&name, artifact)) {
        redact_artifact_name(d, &name);
        return name;
    }
    redact_artifact_name(d, &name);
    return arena_printf(d->r->arena, "%.*s%.*s", STR_ARG(artifact), STR_ARG(name));
}

/* Names of kinds that the catalog does not have. */
static void redact_kinds(struct redacting *d, struct map *kinds)
{
    for (size_t i = 0; i < kinds->n; i++) {
        const struct kind_count *k = kinds->entries[i].value;
        struct str *kind = &kinds->entries[i].key;

        if (k->unknown || str_chr(*kind, ':') >= 0)
            *kind = kind_name(d, *kind);
    }
}

/* The file names in string tables. A forked process has some of them in its parent's trace. */
static void redact_strings(struct redacting *d, struct string_table *t)
{
    for (size_t i = 0; i < t->by_number.n; i++)
        path(d, t->by_number.entries[i].value);
}

/* Fields of class REDACT_BY_HAND. */
static const struct {
    const struct shape *shape;
    void (*redact)(struct redacting *d, void *object, struct str *field);
} by_hand[] = {
    {&call_shape, redact_call},         {&frame_shape, redact_frame},   {&versions_shape, redact_versions},
    {&artifact_shape, redact_artifact}, {&metric_shape, redact_metric},
};

static void redact_by_hand(struct redacting *d, const struct shape *s, void *object, struct str *field)
{
    for (size_t i = 0; i < sizeof by_hand / sizeof *by_hand; i++)
        if (by_hand[i].shape == s)
            by_hand[i].redact(d, object, field);
}

/* --- the walk ----------------------------------------------------------------------------------------------------- */

#define AT(S, f) (1 + offsetof(struct S, f))

/*
 * Placeholders are numbered in the order in which originals are met, and a name replaces words of the texts after it.
 * These fields come before the other fields of their struct; 0 ends a list.
 */
static const struct {
    const struct shape *shape;
    size_t fields[12];
} firsts[] = {
    {&call_shape, {AT(call, function)}},
    {&frame_shape, {AT(frame, name), AT(frame, resumes), AT(frame, label), AT(frame, group)}},
    {&artifact_shape, {AT(artifact, content)}},
    {&graph_break_shape, {AT(graph_break, gb_id), AT(graph_break, url)}},
    {&compile_shape,
     {AT(compile, breaks), AT(compile, failures), AT(compile, reasons), AT(compile, export_issues),
      AT(compile, symbols), AT(compile, specializations), AT(compile, shape_guards), AT(compile, tensors),
      AT(compile, storages), AT(compile, cudagraph_skips), AT(compile, restart_reasons)}},
    {&flight_op_shape,
     {AT(flight_op, backend), AT(flight_op, name), AT(flight_op, peers), AT(flight_op, in_shape),
      AT(flight_op, out_shape)}},
    {&process_shape, {AT(process, flights), AT(process, versions), AT(process, compiles), AT(process, unattributed)}},
    {&trial_shape,
     {AT(trial, name), AT(trial, how), AT(trial, command), AT(trial, environment), AT(trial, python),
      AT(trial, error)}},
    {&experiment_shape,
     {AT(experiment, command), AT(experiment, directory), AT(experiment, python), AT(experiment, workload_file),
      AT(experiment, workload), AT(experiment, program), AT(experiment, patch)}},
    {&input_shape,
     {AT(input, path), AT(input, why_not), AT(input, artifacts), AT(input, gpus), AT(input, devices),
      AT(input, known_prefix), AT(input, stream_keys), AT(input, failure)}},
};

static const size_t *firsts_of(const struct shape *s)
{
    static const size_t none[] = {0};

    for (size_t i = 0; i < sizeof firsts / sizeof *firsts; i++)
        if (firsts[i].shape == s)
            return firsts[i].fields;
    return none;
}

static bool is_first(const size_t *fields, const struct field *f)
{
    while (*fields && *fields != 1 + f->offset)
        fields++;
    return *fields != 0;
}

static void redact_text(struct redacting *d, const struct shape *s, const struct field *f, void *object,
                        struct str *text)
{
    static void (*const how[])(struct redacting *, struct str *) = {
        [REDACT_CODE] = code, [REDACT_PROSE] = prose, [REDACT_PATH] = path,
        [REDACT_NAME] = name, [REDACT_KEY] = key,     [REDACT_EMPTIED] = emptied,
    };
    unsigned class = f->redact & REDACT_CLASS;

    d->r->without_numbers = d->skeleton && (f->redact & SKELETON_NUMBERS);
    if (class == REDACT_BY_HAND)
        redact_by_hand(d, s, object, text);
    else if (class != REDACT_KEPT)
        (d->skeleton && (f->redact & SKELETON_DROPS) ? emptied : how[class])(d, text);
    d->r->without_numbers = false;
}

static void redact_bytes(struct redacting *d, const struct field *f, struct digest *x)
{
    if ((f->redact & REDACT_CLASS) == REDACT_HASH)
        redact_digest(d, x);
    else
        *x = (struct digest){0};
}

static void redact_struct(struct redacting *d, const struct shape *s, void *object);

static void redact_one(struct redacting *d, const struct shape *s, const struct field *f, void *object, void *p)
{
    void *owned = f->kind == FIELD_OWNED ? *(void **)p : NULL;

    if (f->kind == FIELD_STRUCT)
        redact_struct(d, f->shape, p);
    else if (owned)
        redact_struct(d, f->shape, owned);
    else if (f->kind == FIELD_KINDS)
        redact_kinds(d, p);
    else if (f->kind == FIELD_STRINGS)
        redact_strings(d, p);
    else if (f->kind == FIELD_BYTES)
        redact_bytes(d, f, p);
    else if (f->redact & REDACT_CLASS)
        redact_text(d, s, f, object, p);
}

/* Many fields are numbers, and some lists of numbers are long. */
static bool has_texts(const struct field *f)
{
    if (f->kind != FIELD_STRUCT && f->kind != FIELD_OWNED)
        return f->kind == FIELD_KINDS || f->kind == FIELD_STRINGS || (f->redact & REDACT_CLASS);
    for (size_t i = 0; i < f->shape->field_count; i++)
        if (has_texts(&f->shape->fields[i]))
            return true;
    return false;
}

static void redact_field(struct redacting *d, const struct shape *s, const struct field *f, void *object)
{
    char *at = (char *)object + f->offset;
    const struct any_list *list = (const void *)at;

    if (!has_texts(f))
        return;
    if (f->many == FIELD_ONE)
        redact_one(d, s, f, object, at);
    for (size_t i = 0; f->many == FIELD_LIST && i < list->n; i++)
        redact_one(d, s, f, object, (char *)list->v + i * f->size);
}

/* Redacts the fields with the flag REDACT_LAST, or those without it, except what redact_all walks itself. */
static void redact_fields(struct redacting *d, const struct shape *s, void *object, unsigned flag)
{
    const size_t *first = firsts_of(s);

    for (const size_t *at = first; *at; at++)
        for (size_t i = 0; i < s->field_count; i++)
            if (1 + s->fields[i].offset == *at && (s->fields[i].redact & REDACT_LAST) == flag)
                redact_field(d, s, &s->fields[i], object);
    for (size_t i = 0; i < s->field_count; i++) {
        const struct field *f = &s->fields[i];

        if ((f->redact & REDACT_LAST) == flag && !is_first(first, f) && f->shape != &stack_tree_shape &&
            f->shape != &process_shape && f->shape != &frame_shape)
            redact_field(d, s, f, object);
    }
}

static void redact_struct(struct redacting *d, const struct shape *s, void *object)
{
    redact_fields(d, s, object, 0);
}

/* --- inputs, the run ---------------------------------------------------------------------------------------------- */

static void apply(void *object, struct str text, bool prose, struct buf *out)
{
    redactor_append(object, text, prose, out);
}

static void apply_nothing(void *object, struct str text, bool prose, struct buf *out)
{
    (void)object, (void)text, (void)prose, (void)out;
}

static void begin(struct redacting *d)
{
    for (size_t i = 0; i < sizeof d->texts / sizeof *d->texts; i++)
        map_init(&d->texts[i], d->r->arena);
    map_init(&d->labels, d->r->arena);
    map_init(&d->digests, d->r->arena);
}

/* Names first: names of functions, then names in other texts. */
static void redact_all(struct redacting *d)
{
    struct run *r = d->run;

    for (size_t i = 0; i < r->inputs.n; i++)
        redact_struct(d, &stack_tree_shape, &r->inputs.v[i]->stacks);
    for (size_t i = 0; i < d->processes.n; i++)
        for (size_t k = 0; k < d->processes.v[i]->frames.n; k++)
            redact_struct(d, &frame_shape, d->processes.v[i]->frames.v[k]);
    for (size_t i = 0; i < d->processes.n; i++)
        redact_struct(d, &process_shape, d->processes.v[i]);
    for (size_t i = 0; i < r->inputs.n; i++) {
        redact_struct(d, &input_shape, r->inputs.v[i]);
        r->inputs.v[i]->filter = (struct payload_filter){d->skeleton ? apply_nothing : apply, d->r};
    }
}

void redact_inputs(struct redactor *r, struct run *run, bool skeleton)
{
    struct redacting d = {.r = r, .run = run, .skeleton = skeleton};

    begin(&d);
    for (size_t i = 0; i < run->inputs.n; i++)
        for (size_t k = 0; k < run->inputs.v[i]->processes.n; k++)
            vec_push(r->arena, &d.processes, run->inputs.v[i]->processes.v[k]);
    redact_all(&d);
    for (size_t i = 0; i < d.processes.n; i++)
        redact_fields(&d, &process_shape, d.processes.v[i], REDACT_LAST);
    for (size_t i = 0; i < run->inputs.n; i++)
        redact_fields(&d, &input_shape, run->inputs.v[i], REDACT_LAST);
}

void redact_run(struct redactor *r, struct run *run, bool skeleton)
{
    struct redacting d = {.r = r, .run = run, .skeleton = skeleton};

    begin(&d);
    for (size_t i = 0; i < run->processes.n; i++)
        vec_push(r->arena, &d.processes, run->processes.v[i]);
    redact_all(&d);
    vec_each(struct message, m, &run->messages) redact_struct(&d, &message_shape, m);
    run->redaction.mode = skeleton ? REDACTION_SKELETON : REDACTION_NAMES;
    for (int i = 0; i < REDACTION_SORTS; i++)
        run->redaction.counts[i] = &r->placeholders.sorts[i].n;
}

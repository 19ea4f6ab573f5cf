#include "redact/redact_run.h"

/*
 * Names come first: what is known as a name of the user's is replaced in messages, too, where it might pass for a word
 * of PyTorch's. `texts` has one copy for equal texts, as some of them are told apart by their address.
 */
struct redacting {
    struct redactor *r;
    struct run *run;
    bool skeleton;
    struct map texts[3]; /* original -> struct str: code, prose, paths */
    struct map labels;   /* struct artifact_info of a label -> what is left of it */
    struct map digests;  /* of payloads -> their number (numbers) */
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

/* What a skeleton does without. */
static void dropped(struct redacting *d, struct str *s, void (*otherwise)(struct redacting *, struct str *))
{
    if (d->skeleton)
        *s = STR("");
    else
        otherwise(d, s);
}

/* --- names -------------------------------------------------------------------------------------------------------- */

/* "Foo.forward", "<lambda>": nothing that a text could have put behind the name of a function. */
static bool is_identifier(struct str s)
{
    for (size_t i = 0; i < s.n; i++)
        if (!((s.p[i] | 0x20) >= 'a' && (s.p[i] | 0x20) <= 'z') && !str_is_digit(s.p[i]) &&
            !(s.p[i] && strchr("_.<>", s.p[i])))
            return false;
    return true;
}

/* What a function of PyTorch's is called stays; that of a user's file does not. */
static bool function_stays(const struct redacting *d, struct str file, struct str function)
{
    return path_is_kept(&d->r->words, file) && is_identifier(function);
}

static void redact_call(struct redacting *d, struct call *c)
{
    if (!function_stays(d, c->file, c->function))
        name(d, &c->function);
    path(d, &c->file);
    dropped(d, &c->source, code);
}

static void redact_frame(struct redacting *d, struct frame *f)
{
    if (!function_stays(d, f->file, f->name)) {
        name(d, &f->name);
        name(d, &f->resumes);
    }
    code(d, &f->label);
    code(d, &f->group);
    path(d, &f->file);
}

static void redact_names(struct redacting *d)
{
    for (size_t i = 0; i < d->run->inputs.n; i++)
        for (size_t k = 0; k < d->run->inputs.v[i]->stacks.all.n; k++)
            redact_call(d, d->run->inputs.v[i]->stacks.all.v[k]);
    for (size_t i = 0; i < d->processes.n; i++)
        for (size_t k = 0; k < d->processes.v[i]->frames.n; k++)
            redact_frame(d, d->processes.v[i]->frames.v[k]);
}

/* --- what `pt2trace run` did -------------------------------------------------------------------------------------- */

static void redact_trial(struct redacting *d, struct trial *t)
{
    code(d, &t->name);
    code(d, &t->how);
    dropped(d, &t->command, code);
    vec_each(struct env_setting, s, &t->environment)
    {
        code(d, &s->name);
        dropped(d, &s->value, code);
    }
    path(d, &t->python);
    dropped(d, &t->error, prose);
    dropped(d, &t->not_applied, prose);
    vec_each(struct trial_stack, s, &t->stacks) dropped(d, &s->text, prose);
    vec_each(struct trial_check, c, &t->checks)
    {
        dropped(d, &c->what, code);
        dropped(d, &c->detail, code);
    }
    vec_each(struct trial_change, c, &t->changes) dropped(d, &c->text, prose);
}

static void redact_fix(struct redacting *d, struct fix *f)
{
    dropped(d, &f->title, prose);
    dropped(d, &f->text, code);
    path(d, &f->file);
    dropped(d, &f->measured, prose);
}

static void redact_experiment(struct redacting *d, struct experiment *x)
{
    dropped(d, &x->command, code);
    path(d, &x->directory);
    path(d, &x->python);
    path(d, &x->workload_file);
    dropped(d, &x->workload, code);
    dropped(d, &x->program, code);
    dropped(d, &x->patch, code);
    vec_each(struct fix, f, &x->fixes) redact_fix(d, f);
    vec_each(struct str, s, &x->conclusions) dropped(d, s, prose);
    vec_each(struct str, s, &x->notes) dropped(d, s, prose);
    vec_each(struct trial, t, &x->trials) redact_trial(d, t);
}

/* --- what belongs to a compile ------------------------------------------------------------------------------------ */

/* "vllm_submod_0": vLLM numbers the pieces of a graph. */
static bool is_piece_of_vllm(struct str name)
{
    uint64_t number;

    return str_consume(&name, STR("vllm_submod_")) && str_u64(name, &number);
}

/* What the catalogue has under one name is PyTorch's; a row may stand for any number of names. */
static void artifact_name(struct redacting *d, struct str *s)
{
    const struct artifact_info *info = artifact_info_find(*s);

    if ((!info || strchr(info->name, '*')) && !is_piece_of_vllm(*s))
        code(d, s);
}

/* Texts that PyTorch writes for people. In others a word that is no name of PyTorch's is the user's. */
static bool is_for_people(const struct artifact *a)
{
    static const struct str names[] = {
        STR_INIT("dynamo_graph_break_reason"),
        STR_INIT("dynamo_error"),
        STR_INIT("eager_compile_backwards_failure"),
        STR_INIT("dynamo_explain"),
        STR_INIT("exception"),
        STR_INIT("crash"),
        STR_INIT("cudagraphs"),
        STR_INIT("perf_hints"),
        STR_INIT("dynamo_log"),
        STR_INIT("caching"),
    };

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (str_eq(a->name, names[i]))
            return true;
    return false;
}

static const char *code_of(struct redacting *d, const char *text)
{
    struct str s = str_of(text);

    code(d, &s);
    return text ? s.p : NULL;
}

/* Titles that come from --labels and not from the catalogue are the user's words. */
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

static void redact_call_of(struct redacting *d, struct collective_call *call)
{
    code(d, &call->op);
    code(d, &call->reduction);
    code(d, &call->group);
    code(d, &call->dtype);
    code(d, &call->shape);
    path(d, &call->file);
}

/* Equal texts stay equal, but nobody who guesses a text can check the guess. */
static void redact_digest(struct redacting *d, struct digest *x)
{
    uint64_t *number = map_number_at(&d->digests, MAP_KEY(*x));

    *number = *number ? *number : d->digests.n;
    *x = (struct digest){0};
    memcpy(x->bytes, number, sizeof *number);
}

/* Of a digest, or for one: the inputs were made for this run alone. */
static void redact_content(struct redacting *d, struct artifact *a)
{
    struct artifact_content *kept = (struct artifact_content *)a->content;

    if (!kept)
        return;
    for (size_t i = 0; i < kept->calls.n; i++)
        redact_call_of(d, &kept->calls.v[i]);
    code(d, &kept->text);
    redact_digest(d, &kept->neutral);
    redact_digest(d, &kept->without_sizes);
}

static void redact_artifact(struct redacting *d, struct artifact *a)
{
    bool is_file = str_chr(a->detail, '/') >= 0 && !url_length(a->detail);

    if (is_for_people(a))
        a->payload.flags |= PAYLOAD_PROSE;
    redact_content(d, a);
    a->info = label(d, a);
    artifact_name(d, &a->name);
    artifact_name(d, &a->kind);
    if (is_file)
        path(d, &a->detail);
    else
        code(d, &a->detail);
    code(d, &a->subgraph);
    a->payload.flags &= (uint16_t)~PAYLOAD_DIGEST;
    redact_digest(d, &a->payload.digest);
    if (d->skeleton)
        a->payload.flags |= PAYLOAD_WITHHELD;
}

/* PyTorch's own words, which findings go by, stay in a skeleton, too. */
static void redact_break(struct redacting *d, struct graph_break *b)
{
    code(d, &b->gb_id);
    code(d, &b->url);
    d->r->without_numbers = d->skeleton;
    prose(d, &b->type);
    prose(d, &b->reason);
    prose(d, &b->explanation);
    prose(d, &b->context);
    vec_each(struct str, hint, &b->hints) prose(d, hint);
    d->r->without_numbers = false;
    path(d, &b->file);
    name(d, &b->function);
}

static void redact_failure(struct redacting *d, struct failure *f)
{
    code(d, &f->type);
    dropped(d, &f->message, prose);
    dropped(d, &f->beside, prose);
    path(d, &f->file);
}

static void redact_cache_event(struct redacting *d, struct cache_event *e)
{
    e->key = redactor_key(d->r, e->key);
    dropped(d, &e->reason, prose);
}

static void redact_symbols(struct redacting *d, struct compile *c)
{
    vec_each(struct symbol, s, &c->symbols)
    {
        code(d, &s->name);
        code(d, &s->source);
        code(d, &s->hint);
        code(d, &s->range);
        code(d, &s->specialized_to);
        code(d, &s->specialized_reason);
    }
    vec_each(struct specialization, s, &c->specializations)
    {
        code(d, &s->symbol);
        code(d, &s->source);
        code(d, &s->value);
        code(d, &s->reason);
    }
    vec_each(struct shape_guard, g, &c->shape_guards)
    {
        code(d, &g->expr);
        code(d, &g->prefix);
    }
}

static void redact_export_issue(struct redacting *d, struct export_issue *e)
{
    code(d, &e->op);
    dropped(d, &e->text, prose);
    code(d, &e->result);
    code(d, &e->symbols);
    vec_each(struct export_local, l, &e->locals)
    {
        code(d, &l->name);
        code(d, &l->value);
    }
    vec_each(struct expression_step, s, &e->steps)
    {
        code(d, &s->method);
        code(d, &s->arguments);
        code(d, &s->result);
    }
}

static void redact_tensors(struct redacting *d, struct compile *c)
{
    vec_each(struct tensor, t, &c->tensors)
    {
        code(d, &t->dtype);
        code(d, &t->device);
        code(d, &t->shape);
        code(d, &t->stride);
        code(d, &t->source);
        code(d, &t->storage_size);
    }
    vec_each(struct storage, s, &c->storages) code(d, &s->size);
}

/* --- metrics ------------------------------------------------------------------------------------------------------ */

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
    bool told = text == METRIC_NAME || text == METRIC_PATH || str_eq(m->key, STR("compile_id")) ||
                str_eq(m->key, STR("fail_type"));

    if (told)
        how[text](d, s);
    else
        dropped(d, s, how[text]);
}

static void redact_metric(struct redacting *d, struct metric *m)
{
    if (m->type == METRIC_STR)
        metric_str(d, m, &m->s);
    for (size_t i = 0; m->type == METRIC_LIST && i < m->list.n; i++)
        metric_str(d, m, &m->list.v[i]);
    if (!m->field)
        code(d, &m->key);
}

/* --- one compile -------------------------------------------------------------------------------------------------- */

/* Texts with sizes and other values in them, which a skeleton replaces. */
static void redact_guards(struct redacting *d, struct compile *c)
{
    d->r->without_numbers = d->skeleton;
    vec_each(struct recompile_reason, reason, &c->reasons)
    {
        code(d, &reason->text);
        dropped(d, &reason->user_stack, code);
    }
    vec_each(struct export_issue, e, &c->export_issues) redact_export_issue(d, e);
    redact_symbols(d, c);
    redact_tensors(d, c);
    d->r->without_numbers = false;
}

static void redact_compile(struct redacting *d, struct compile *c)
{
    for (size_t i = 0; i < c->breaks.n; i++)
        redact_break(d, c->breaks.v[i]);
    for (size_t i = 0; i < c->failures.n; i++)
        redact_failure(d, c->failures.v[i]);
    redact_guards(d, c);
    vec_each(struct cudagraph_skip, skip, &c->cudagraph_skips) dropped(d, &skip->reason, prose);
    vec_each(struct str, reason, &c->restart_reasons) dropped(d, reason, prose);
    dropped(d, &c->limit_told, prose);
    vec_each(struct cache_event, e, &c->cache_events) redact_cache_event(d, e);
    vec_each(struct link, link, &c->links)
    {
        dropped(d, &link->name, code);
        dropped(d, &link->url, code);
    }
    for (size_t i = 0; i < c->metrics.n; i++)
        vec_each(struct metric, m, &c->metrics.v[i]->values) redact_metric(d, m);
}

/* --- processes, inputs, the run ----------------------------------------------------------------------------------- */

/* The GPU's model and the versions of public software are what a bug report is asked for. */
static void redact_versions(struct redacting *d, struct versions *v)
{
    prose(d, &v->pytorch);
    if (!is_identifier(v->commit)) /* of PyTorch's repository, else */
        name(d, &v->commit);
    prose(d, &v->python);
    prose(d, &v->triton);
    prose(d, &v->cuda);
    prose(d, &v->gpu);
}

static void redact_flight_op(struct redacting *d, struct flight_op *op)
{
    code(d, &op->backend);
    code(d, &op->name);
    code(d, &op->peers);
    d->r->without_numbers = d->skeleton;
    code(d, &op->in_shape);
    code(d, &op->out_shape);
    d->r->without_numbers = false;
    code(d, &op->in_dtype);
    code(d, &op->out_dtype);
}

/* What the program calls a group is the user's, but for the name of the default one. */
static void redact_flight(struct redacting *d, struct flight_dump *f)
{
    code(d, &f->version);
    name(d, &f->host);
    vec_each(struct flight_group, g, &f->groups)
    {
        code(d, &g->backend);
        code(d, &g->name);
        code(d, &g->about);
    }
    vec_each(struct flight_op, op, &f->ops) redact_flight_op(d, op);
}

static void redact_process(struct redacting *d, struct process *p)
{
    for (size_t i = 0; i < p->flights.n; i++)
        redact_flight(d, p->flights.v[i]);
    redact_versions(d, &p->versions);
    for (size_t i = 0; i < p->compiles.n; i++)
        redact_compile(d, p->compiles.v[i]);
    redact_compile(d, p->unattributed);
    vec_each(struct event, e, &p->events) code(d, &e->name);
    vec_each(struct call_times, t, &p->times) code(d, &t->name);
}

/* "artifact:NAME", or a kind. */
static struct str kind_name(struct redacting *d, struct str kind)
{
    static const struct str artifact = STR_INIT("artifact:");
    struct str name = kind;

    if (!str_consume(&name, artifact)) {
        artifact_name(d, &name);
        return name;
    }
    artifact_name(d, &name);
    return arena_printf(d->r->arena, "%.*s%.*s", STR_ARG(artifact), STR_ARG(name));
}

static void apply(void *object, struct str text, bool prose, struct buf *out)
{
    redactor_append(object, text, prose, out);
}

static void apply_nothing(void *object, struct str text, bool prose, struct buf *out)
{
    (void)object, (void)text, (void)prose, (void)out;
}

/* Kernels are called as in generated code, which is redacted in the same way, so that both still fit together. */
static void redact_gpu(struct redacting *d, struct gpu_process *g)
{
    dropped(d, &g->host, name);
    dropped(d, &g->program, name);
    prose(d, &g->ended);
    vec_each(struct gpu_name, n, &g->names) code(d, &n->name);
}

static void redact_device(struct redacting *d, struct gpu_device *g)
{
    prose(d, &g->name);
    prose(d, &g->capability);
    prose(d, &g->driver);
    prose(d, &g->cuda);
    prose(d, &g->runtime);
    g->uuid = STR(""); /* it names one card in the world */
    vec_each(struct gpu_user, u, &g->users) dropped(d, &u->name, name);
}

static void redact_input(struct redacting *d, struct input *in)
{
    path(d, &in->path);
    prose(d, &in->why_not);
    for (size_t i = 0; i < in->artifacts.n; i++)
        redact_artifact(d, in->artifacts.v[i]);
    for (size_t i = 0; i < in->gpus.n; i++)
        redact_gpu(d, in->gpus.v[i]);
    vec_each(struct gpu_device, g, &in->devices) redact_device(d, g);
    for (size_t i = 0; i < in->kinds.n; i++) {
        const struct kind_count *k = in->kinds.entries[i].value;
        struct str *key = &in->kinds.entries[i].key;

        if (k->unknown || str_chr(*key, ':') >= 0)
            *key = kind_name(d, *key);
    }
    if (in->experiment)
        redact_experiment(d, in->experiment);
    in->filter = (struct payload_filter){d->skeleton ? apply_nothing : apply, d->r};
}

static void redact_message(struct redacting *d, struct message *m)
{
    path(d, &m->file);
    dropped(d, &m->text, prose);
}

static void begin(struct redacting *d)
{
    for (size_t i = 0; i < sizeof d->texts / sizeof *d->texts; i++)
        map_init(&d->texts[i], d->r->arena);
    map_init(&d->labels, d->r->arena);
    map_init(&d->digests, d->r->arena);
}

static void redact_all(struct redacting *d)
{
    redact_names(d);
    for (size_t i = 0; i < d->processes.n; i++)
        redact_process(d, d->processes.v[i]);
    for (size_t i = 0; i < d->run->inputs.n; i++)
        redact_input(d, d->run->inputs.v[i]);
}

/* What would find the file again, or say what it holds, when only a digest of it is there. */
static void forget_file(struct redacting *d, struct input *in)
{
    code(d, &in->known_prefix);
    vec_each(struct str, key, &in->stream_keys) code(d, key);
    dropped(d, &in->failure, prose);
    in->full_path = STR("");
    in->content = (struct digest){0};
    vec_each(struct message, m, &in->messages.list) redact_message(d, m);
}

/* The names of files by their numbers, of which a forked process has some in its parent's trace. */
static void redact_strings(struct redacting *d, struct process *p)
{
    for (size_t i = 0; i < p->strings.by_number.n; i++)
        path(d, p->strings.by_number.entries[i].value);
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
        redact_strings(&d, d.processes.v[i]);
    for (size_t i = 0; i < run->inputs.n; i++)
        forget_file(&d, run->inputs.v[i]);
}

void redact_run(struct redactor *r, struct run *run, bool skeleton)
{
    struct redacting d = {.r = r, .run = run, .skeleton = skeleton};

    begin(&d);
    for (size_t i = 0; i < run->processes.n; i++)
        vec_push(r->arena, &d.processes, run->processes.v[i]);
    redact_all(&d);
    vec_each(struct message, m, &run->messages) redact_message(&d, m);
    run->redaction.mode = skeleton ? REDACTION_SKELETON : REDACTION_NAMES;
    for (int i = 0; i < REDACTION_SORTS; i++)
        run->redaction.counts[i] = &r->placeholders.sorts[i].n;
}

/* Records that mainly consist of a name and a payload. */
#include "trace/kinds.h"

#include "text/versions/config_text.h"

/* An artifact without a name is called "artifact". */
void apply_artifact(struct record *rec)
{
    struct str name = record_name(rec, rec->value, "name");

    if (name.n)
        rec->name = name;
    if (rec->artifact_kind)
        rec->artifact_kind->apply(rec);
    else
        record_add_artifact(rec, (struct str){0});
}

void apply_named(struct record *rec)
{
    record_add_artifact(rec, record_name(rec, rec->value, "name"));
}

/* torch/_inductor/graph.py: the file name in one of two spellings, or nothing if the file could not be written. */
void apply_output_code(struct record *rec)
{
    struct str file = record_name(rec, rec->value, "filename");

    record_add_artifact(rec, file.n ? file : record_name(rec, rec->value, "file_path"));
}

void apply_link(struct record *rec)
{
    struct link *l = vec_add(record_arena(rec), &rec->compile->links);

    l->name = record_name(rec, rec->value, "name");
    l->url = record_name(rec, rec->value, "url");
    record_add_artifact(rec, l->url);
}

/* torch/_logging/_internal.py, _log_torch_version; 2.12 and later. */
void apply_torch_version(struct record *rec)
{
    struct record payload = *rec;

    record_add_artifact(rec, (struct str){0});
    if (!rec->json)
        return;
    payload.doc = rec->json;
    rec->process->versions.pytorch = record_name(&payload, rec->json->root, "pytorch_version");
    rec->process->versions.commit = record_name(&payload, rec->json->root, "commit");
}

static void set_if_empty(struct record *rec, struct str *to, struct str from)
{
    if (to->n == 0 && from.n)
        *to = record_intern(rec, from);
}

/* Before 2.12 this is the only record with PyTorch's version and the GPU. */
void apply_runnable(struct record *rec)
{
    struct versions *v = &rec->process->versions;
    struct build b;

    record_add_artifact(rec, (struct str){0});
    if (rec->process->build_seen)
        return;
    rec->process->build_seen = true;
    build_parse(rec->text, &b);
    set_if_empty(rec, &v->pytorch, b.pytorch);
    set_if_empty(rec, &v->cuda, b.cuda);
    set_if_empty(rec, &v->commit, b.commit);
    set_if_empty(rec, &v->gpu, b.gpu);
}

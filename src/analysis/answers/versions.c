#include "analysis/answers/versions.h"

#include "text/versions/names.h"

static void fill(struct str *to, struct str from)
{
    if (to->n == 0)
        *to = from;
}

struct str process_pytorch(const struct process *p)
{
    if (p->versions.pytorch.n)
        return p->versions.pytorch;
    return p->version_by_places ? names_version(p->version_by_places) : p->input->stated.pytorch;
}

struct versions run_versions(const struct run *r)
{
    struct versions v = {0};

    for (size_t i = 0; i < r->processes.n; i++) {
        const struct versions *from = &r->processes.v[i]->versions;

        fill(&v.pytorch, from->pytorch);
        fill(&v.commit, from->commit);
        fill(&v.python, from->python);
        fill(&v.triton, from->triton);
        fill(&v.cuda, from->cuda);
        fill(&v.gpu, from->gpu);
    }
    for (size_t i = 0; i < r->processes.n; i++)
        fill(&v.pytorch, process_pytorch(r->processes.v[i]));
    return v;
}

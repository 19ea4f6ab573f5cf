/* run.json of any bytes: it is refused with a reason, or a report can be made of it. */
#include "fuzz.h"

#include "digest/experiment_file.h"
#include "model/merge/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct str text = {(const char *)data, size}, why;
    struct run *r = fuzz_read(NULL, 0);
    struct input *in = r->inputs.v[0];

    experiment_sniff(text);
    in->experiment = ARENA_NEW(in->arena, struct experiment);
    why = experiment_read(in->arena, text, in->experiment);
    if (why.n == 0) {
        in->kind = INPUT_EXPERIMENT;
        in->used = true;
        run_finish(r);
        fuzz_check_outputs(r);
    }
    run_free(r);
    return 0;
}

static const char sample[] = "{\"schema\":\"pt2trace-run\",\"version\":1,\"command\":[\"python\",\"train.py\"],\"why\":"
                             "\"breaks\",\"directory\":\"/x\","
                             "\"trials\":[{\"name\":\"base\",\"command\":[\"python\",\"train.py\"],\"outcome\":"
                             "\"exited\",\"exit\":0,\"seconds\":1.5,\"pid\":12,"
                             "\"ranks\":[{\"rank\":0,\"pid\":12,\"attempt\":0,\"exit\":0}],\"checks\":[{\"name\":"
                             "\"loss\",\"value\":\"0.5\"}],\"changes\":[]}],"
                             "\"fixes\":[{\"finding\":\"break-print\",\"text\":\"t\",\"verdict\":\"helped\"}]}";

void fuzz_seed(const uint8_t *data, size_t size, void (*take)(struct str bytes))
{
    for (size_t cut = 0; cut < 4; cut++)
        take(str_take(str_of(sample), sizeof sample - 1 - (size * cut) % (sizeof sample - 1)));
    take((struct str){(const char *)data, size < 4096 ? size : 4096});
}

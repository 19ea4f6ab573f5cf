/*
 * A Flight Recorder dump of any bytes, as the one of rank 0: lines, JSON, model, what the dumps say together, and the
 * page, report.json and the summary that come of it. Beside it a dump of rank 1, for there to be somebody to wait for.
 */
#include "flight/flight_dump.h"
#include "fuzz.h"
#include "model/merge/run.h"

#include <unistd.h>

static const char other[] =
    "{\"entries\": [{\"collective_seq_id\": 1, \"is_p2p\": false, \"process_group\": [\"0\", \"default_pg\"], "
    "\"profiling_name\": \"nccl:all_reduce\", \"state\": \"started\"}], \"rank\": 1}";

static void add_dump(struct run *r, const uint8_t *data, size_t size)
{
    char name[64];
    int fd = fuzz_file(data, size, name, sizeof name);
    struct input *in = run_add_input(r, str_of(name));

    fuzz_check(fd >= 0 && input_open(in) == 0, "a file in memory can be opened");
    in->kind = INPUT_FLIGHT;
    in->used = flight_read(in);
    in->read = true;
    close(fd);
    fuzz_check(in->used == (in->processes.n == 1), "a dump that is used is of one process");
    fuzz_check(in->used || in->why_not.n, "a dump that is not used says why");
    for (size_t i = 0; i < in->processes.n; i++)
        vec_each(const struct flight_entry, e, &in->processes.v[i]->flights.v[0]->entries)
        {
            fuzz_check(e->group < in->processes.v[i]->flights.v[0]->groups.n, "a call is of a group");
            fuzz_check(e->op < in->processes.v[i]->flights.v[0]->ops.n, "a call is of an operation");
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run *r = run_new();

    flight_sniff((struct str){(const char *)data, size});
    add_dump(r, data, size);
    add_dump(r, (const uint8_t *)other, sizeof other - 1);
    run_finish(r);
    fuzz_check_outputs(r);
    run_free(r);
    return 0;
}

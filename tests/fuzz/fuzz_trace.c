/* The whole reader on any bytes: lines, records, kinds, model; and every payload read back. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run *r = fuzz_read(data, size);

    fuzz_check_artifacts(r);
    run_free(r);
    return 0;
}

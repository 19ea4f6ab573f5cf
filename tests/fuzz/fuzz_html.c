/* From bytes through the reader, the analyses and the views to the page, report.json and the summary. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct run *r = fuzz_read(data, size);

    fuzz_check_outputs(r);
    run_free(r);
    return 0;
}

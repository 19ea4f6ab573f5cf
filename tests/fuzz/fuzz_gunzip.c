/* Unpacking bytes that may be gzip: what is none passes through, and damage never loops. */
#include "fuzz.h"

#include "input/gunzip.h"
#include "util/system/file.h"

#include <fcntl.h>
#include <unistd.h>

static void check_passed(struct str given, struct str out, struct gunzip_facts facts)
{
    fuzz_check(facts.error == 0 && facts.stored <= given.n, "no more is used than there is");
    if (!facts.is_gzip)
        fuzz_check(str_eq(given, out) && !facts.damaged, "what is no gzip passes through");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { OUT_MOST = 64 << 20 };
    char name[64];
    int memory = fuzz_file(data, size, name, sizeof name), fd = open(name, O_RDONLY);
    struct gunzip *g = gunzip_new(fd);
    struct buf out = {0};
    size_t k, piece = size % 1000 + 1;

    while (out.n < OUT_MOST && (k = gunzip_read(g, buf_room(&out, piece), piece)) > 0)
        buf_added(&out, k);
    if (out.n < OUT_MOST)
        check_passed((struct str){(const char *)data, size}, buf_view(&out), gunzip_facts(g));
    fuzz_check(out.n >= OUT_MOST || gunzip_read(g, buf_room(&out, piece), piece) == 0, "the end stays the end");
    gunzip_free(g);
    buf_free(&out);
    close(fd);
    close(memory);
    return 0;
}

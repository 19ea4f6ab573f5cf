/*
 * The main of a fuzz target that is no fuzzer: runs every file named, every file in a directory named, and the sample
 * record of every kind. Speaks TAP, one point per file or sample.
 *
 *   fuzz_trace_once tests/cases            the test
 *   fuzz_trace_once -w DIR [tests/cases]   writes the samples, and what the target makes of files, for a corpus
 */
#include "fuzz.h"

#include "trace/kinds.h"
#include "util/digest.h"
#include "util/mem.h"
#include "util/system/file.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

enum { SEED_MAX = 16 << 20 };

static unsigned points;
static const char *write_to; /* a directory; NULL: seeds are run */

static void point(const char *name)
{
    printf("ok %u - %s\n", ++points, name);
    fflush(stdout);
}

static void write_seed(struct str bytes)
{
    struct digest digest = digest_of(bytes);
    char hex[DIGEST_HEX + 1], *path;
    FILE *f;

    digest_hex(&digest, hex);
    path = xasprintf("%s/%s", write_to, hex);
    f = fopen(path, "w");
    fuzz_check(f && fwrite(bytes.p, 1, bytes.n, f) == bytes.n && fclose(f) == 0, path);
    free(path);
}

static void run_seed(struct str bytes)
{
    if (write_to)
        write_seed(bytes);
    else
        LLVMFuzzerTestOneInput((const uint8_t *)bytes.p, bytes.n);
}

static void run_bytes(struct str bytes, const char *name)
{
    if (!write_to || !fuzz_seed)
        run_seed(bytes);
    if (fuzz_seed)
        fuzz_seed((const uint8_t *)bytes.p, bytes.n, run_seed);
    point(name);
}

static void run_file(const char *path)
{
    struct buf b = {0};

    fuzz_check(read_file(path, SEED_MAX, &b) == 0, path);
    run_bytes(b.p ? buf_view(&b) : STR(""), path);
    buf_free(&b);
}

/* Of tests/cases, three folders hold what comes out, and the archive holds traces that are packed. */
static int is_input(const struct dirent *e)
{
    static const struct str others[] = {STR_INIT("fragments"), STR_INIT("outputs"), STR_INIT("sections"),
                                        STR_INIT("advice.tar.xz")};

    return e->d_name[0] != '.' && !STR_IS_ANY(str_of(e->d_name), others);
}

static void run_path(const char *path)
{
    struct dirent **names;
    int n = scandir(path, &names, is_input, alphasort);

    if (n < 0) {
        run_file(path);
        return;
    }
    for (int i = 0; i < n; i++) {
        char *name = xasprintf("%s/%s", path, names[i]->d_name);

        run_path(name);
        free(name);
        free(names[i]);
    }
    free(names);
}

/* The sample of a row as a trace: under a compile, with a payload that is JSON. */
static char *sample_trace(const struct kind *k)
{
    static const char prefix[] = "V1121 07:52:52.363000 9102 torch/_dynamo/x.py:1] ";
    static const char payload[] = "{\"name\": \"dynamo\", \"ph\": \"B\", \"ts\": 1e15, \"key\": \"f1\"}";
    struct digest digest = digest_of(str_of(payload));
    char hex[DIGEST_HEX + 1];

    digest_hex(&digest, hex);
    return xasprintf(
        "%s{\"str\": [\"/x.py\", 0]}\n"
        "%s%.*s, \"frame_id\": 0, \"frame_compile_id\": 0, \"attempt\": 0, \"has_payload\": \"%s\"}\n\t%s\n",
        prefix, prefix, (int)strlen(k->sample) - 1, k->sample, hex, payload);
}

static void each_sample(const struct kind *table, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char *text = sample_trace(&table[i]);

        run_bytes(str_of(text), table[i].name);
        free(text);
    }
}

int main(int argc, char **argv)
{
    int first = 1;

    if (argc > 2 && strcmp(argv[1], "-w") == 0) {
        write_to = argv[2];
        first = 3;
    }
    each_sample(kinds, kind_count);
    each_sample(artifact_kinds, artifact_kind_count);
    for (int i = first; i < argc; i++)
        run_path(argv[i]);
    printf("1..%u\n", points);
    return 0;
}

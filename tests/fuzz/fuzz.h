/*
 * fuzz: what the fuzz targets share. A target is a file fuzz_NAME.c with LLVMFuzzerTestOneInput; meson builds it as a
 * libFuzzer program (-Dfuzz=true, clang) and, always, as an ordinary program with once.c as its main, which runs the
 * inputs of all cases and the samples of kinds[] one time each: that is what the test suite does.
 *
 * A target looks for more than crashes: invariants for any input are checked, and a violation calls abort().
 */
#pragma once

#include "load/load.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/*
 * Where a target's inputs are not the files of the cases but are made of them, it has this: it gives what it makes of a
 * file. Otherwise the file itself is the input.
 */
void fuzz_seed(const uint8_t *data, size_t size, void (*take)(struct str bytes)) __attribute__((weak));

/* Ends the program unless the claim holds; `what` is printed. */
void fuzz_check(bool claim, const char *what);

/* A file in memory with these bytes; `name` is a path that opens it. The caller closes the descriptor. */
int fuzz_file(const uint8_t *data, size_t size, char *name, size_t name_n);

/* Reads bytes as one trace file, all the way to a finished run. Free it with run_free. */
struct run *fuzz_read(const uint8_t *data, size_t size);
/* The same for a file of GPU activity, of the kind that its beginning shows; NULL if it shows none. */
struct run *fuzz_read_activity(const uint8_t *data, size_t size);
/* The same of console text. */
struct run *fuzz_read_log(const uint8_t *data, size_t size);
/* The same of a file of a torch_compile_debug directory that lies at `path`, which lives as long as the run. */
struct run *fuzz_read_debug(const char *path, const uint8_t *data, size_t size);

/* What is read back is as long as it was, and has its digest. */
void fuzz_check_payload(const struct input *in, const struct artifact *a);
/* Every artifact of the run's only input belongs to one compile, and can be read back. */
void fuzz_check_artifacts(const struct run *r);

/* Writes the page, report.json and the summary, and checks what must hold for each: outputs.c. */
void fuzz_check_outputs(struct run *r);

/* A pool without threads, made once: tasks run where they are waited for. */
struct pool *fuzz_pool(void);

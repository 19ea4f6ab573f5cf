/*
 * How targets whose inputs are texts use a mutator that knows the form of such a text (mutate_records.c or
 * mutate_lines.c): libFuzzer calls it for half of the inputs; the program that runs each input once gets some changes
 * of each case.
 */
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

enum { CHANGED_INPUTS = 4, ROOM = 65536 };

/* From libFuzzer; absent in the program that runs each input once. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) __attribute__((weak));
/* As libFuzzer declares it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed)
{
    if (seed % 2)
        return LLVMFuzzerMutate(data, size, max);
    return mutate_text(data, size, max, seed);
}

void fuzz_seed(const uint8_t *data, size_t size, void (*take)(struct str bytes))
{
    size_t max = 2 * size + ROOM;

    take((struct str){(const char *)data, size});
    for (unsigned seed = 0; seed < CHANGED_INPUTS; seed++) {
        uint8_t *copy = malloc(max);
        size_t n;

        fuzz_check(copy != NULL, "there is memory for a copy");
        memcpy(copy, data, size);
        n = mutate_text(copy, size, max, seed * 7919 + (unsigned)size);
        take((struct str){(const char *)copy, n});
        free(copy);
    }
}

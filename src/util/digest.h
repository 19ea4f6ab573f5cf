/*
 * digest: MD5, as PyTorch puts it into has_payload (torch/_logging/_internal.py: md5 of the payload's UTF-8 bytes).
 * A thin layer over libmd. Not for anything that needs a secure hash. Any thread.
 */
#pragma once

#include "util/str.h"

#include <md5.h>

enum { DIGEST_BYTES = 16, DIGEST_HEX = 32 };

struct digest {
    uint8_t bytes[DIGEST_BYTES];
};

struct digest_state {
    MD5_CTX md5;
};

void digest_begin(struct digest_state *d);
void digest_add(struct digest_state *d, struct str bytes);
struct digest digest_end(struct digest_state *d);
struct digest digest_of(struct str bytes);

/* 32 hex digits of either case; false on anything else. */
bool digest_parse(struct str hex, struct digest *out);
/* Lower case, NUL-terminated. */
void digest_hex(const struct digest *d, char out[DIGEST_HEX + 1]);
bool digest_eq(const struct digest *a, const struct digest *b);

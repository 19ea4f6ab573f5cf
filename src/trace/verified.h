/*
 * verified: the payloads whose MD5 was found to be the one that was announced for them. Ranks of a job announce the
 * same digests for most of what they compile; of the second text with a digest it is enough to know that it is the
 * first again, which a fingerprint tells in a twentieth of the time. Any thread; what is found never depends on which
 * came first, as both ways give the same answer.
 */
#pragma once

#include "util/digest.h"
#include "util/str.h"

struct verified;

struct verified *verified_new(void);
void verified_free(struct verified *v); /* NULL is fine */

/*
 * The MD5 of text, and whether it is UTF-8. `announced` is what it should be. Without a memory (NULL), or for a text
 * that is too short to be worth it, this is only computed.
 */
struct digest verified_digest(struct verified *v, const struct digest *announced, struct str text, bool *utf8);

/*
 * address: what leads to a machine or an account without being a word: addresses of IPv4, IPv6 and network cards, also
 * inside of names that are made of them (ip-10-0-3-17, node_10.0.3.17), hosts of clouds and of private networks, and
 * the ids that clouds and drivers assign. All have numbers, which redaction keeps elsewhere. Pure; any thread.
 */
#pragma once

#include "util/str.h"

/* How many bytes the address takes that begins at text.p[at]; 0 when none begins there. */
size_t address_length(struct str text, size_t at);

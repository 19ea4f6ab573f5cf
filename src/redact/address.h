/*
 * address: recognizes texts that identify a machine or an account without being words: addresses of IPv4, IPv6 and
 * network cards, also inside names made of them (ip-10-0-3-17, node_10.0.3.17), hosts of clouds and of private
 * networks, and the ids that clouds and drivers assign. All of them contain numbers, which redaction keeps elsewhere.
 * Pure; any thread.
 */
#pragma once

#include "util/str.h"

/* The length in bytes of the address that begins at text.p[at]; 0 if none begins there. */
size_t address_length(struct str text, size_t at);

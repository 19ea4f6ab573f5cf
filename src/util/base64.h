/* base64: RFC 4648 with padding, without line breaks. Any thread. */
#pragma once

#include "util/buf.h"

void base64_encode(struct buf *out, struct str in);

/*
 * escape: text made fit for HTML, as element content and inside attributes in double or single quotes (never for an
 * attribute without quotes, a script or a style). Other bytes are passed on as they are: that they are UTF-8 without
 * NUL is the business of util/utf8. Any thread.
 */
#pragma once

#include "util/system/file.h"

/* Writes s with & < > " ' as character references, and with pictures of control characters. */
void escape_html(struct sink *out, struct str s);

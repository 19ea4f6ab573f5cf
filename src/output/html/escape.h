/*
 * escape: makes text safe for HTML, as element content and inside attributes in double or single quotes (never for an
 * unquoted attribute, a script or a style). Other bytes are passed on unchanged: util/utf8 makes sure that they are
 * UTF-8 without NUL. Any thread.
 */
#pragma once

#include "util/system/file.h"

/* Writes s with & < > " ' as character references, and control characters as their pictures. */
void escape_html(struct sink *out, struct str s);

#include "activity/json_stream.h"

#include <string.h>

enum { BLOCK = 256 * 1024 };

void json_stream_begin(struct json_stream *s, struct source *source, const char *list, size_t most)
{
    *s = (struct json_stream){.source = source, .list = list, .most = most};
}

void json_stream_end(struct json_stream *s)
{
    buf_free(&s->block);
    buf_free(&s->key);
    buf_free(&s->piece);
}

/* --- bytes -------------------------------------------------------------------------------------------------------- */

/* The next byte, which stays; -1 at the end. */
static int peek(struct json_stream *s)
{
    if (s->at == s->block.n) {
        s->block.n = s->at = 0;
        buf_added(&s->block, source_read(s->source, buf_room(&s->block, BLOCK), BLOCK));
        if (s->block.n == 0)
            return -1;
    }
    return (unsigned char)s->block.p[s->at];
}

static void take(struct json_stream *s)
{
    s->at++;
    s->offset++;
}

/* The next byte that is no blank and not one of `skipped`. */
static int peek_behind(struct json_stream *s, const char *skipped)
{
    int c;

    while ((c = peek(s)) > 0 && (c == ' ' || c == '\n' || c == '\t' || c == '\r' || strchr(skipped, c)))
        take(s);
    return c;
}

/* --- pieces ------------------------------------------------------------------------------------------------------- */

/* Appends unless it is long; `keep` says whether it still is whole. */
static void keep_byte(struct json_stream *s, struct buf *out, bool *whole, int c)
{
    if (out->n < s->most)
        buf_char(out, (char)c);
    else
        *whole = false;
    take(s);
}

/* With its quotes. False when the file ends in it. */
static bool copy_string(struct json_stream *s, struct buf *out, bool *whole)
{
    bool escaped = false;
    int c = peek(s);

    keep_byte(s, out, whole, c);
    while ((c = peek(s)) >= 0) {
        keep_byte(s, out, whole, c);
        if (!escaped && c == '"')
            return true;
        escaped = !escaped && c == '\\';
    }
    return false;
}

/* One value: up to the comma or bracket behind it. False when the file ends in it. */
static bool copy_value(struct json_stream *s, bool *whole)
{
    uint64_t depth = 0;
    int c;

    s->piece.n = 0;
    *whole = true;
    while ((c = peek(s)) >= 0) {
        if (c == '"') {
            if (!copy_string(s, &s->piece, whole))
                return false;
            continue;
        }
        if (depth == 0 && (c == ',' || c == '}' || c == ']'))
            return true;
        depth += c == '{' || c == '[';
        depth -= c == '}' || c == ']';
        keep_byte(s, &s->piece, whole, c);
    }
    return false;
}

/* The key and its colon. False at the end of the object. */
static bool next_key(struct json_stream *s)
{
    bool whole = true;
    int c = peek_behind(s, ",");

    s->key.n = 0;
    if (c == '}') {
        s->complete = true;
        return false;
    }
    if (c != '"' || !copy_string(s, &s->key, &whole) || peek_behind(s, "") != ':')
        return false;
    take(s);
    return true;
}

static bool is_list(const struct json_stream *s)
{
    return s->key.n == strlen(s->list) + 2 && memcmp(s->key.p + 1, s->list, s->key.n - 2) == 0;
}

/* To where a value begins. False at the end. */
static bool next_value(struct json_stream *s)
{
    for (;;) {
        if (s->in_list) {
            int c = peek_behind(s, ",");

            if (c != ']')
                return c >= 0;
            take(s);
            s->in_list = false;
        }
        if (!next_key(s))
            return false;
        if (peek_behind(s, "") != '[' || !is_list(s))
            return true;
        take(s);
        s->in_list = true;
    }
}

bool json_stream_next(struct json_stream *s, struct json_piece *out)
{
    bool whole = true;

    if (s->offset == 0) {
        if (peek_behind(s, "") != '{')
            return false;
        take(s);
    }
    while (next_value(s)) {
        uint64_t offset = s->offset;

        if (!copy_value(s, &whole) || s->offset == offset)
            return false;
        if (whole) {
            struct str key = s->key.n >= 2 ? (struct str){s->key.p + 1, s->key.n - 2} : STR("");

            *out = (struct json_piece){key, buf_view(&s->piece), offset, s->in_list};
            return true;
        }
        s->left_out++;
    }
    return false;
}

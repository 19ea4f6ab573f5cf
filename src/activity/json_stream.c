#include "activity/json_stream.h"

#include "util/formats/json_scan.h"

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

/* The next byte, which is not consumed; -1 at the end. */
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

/* The next byte that is neither a blank nor one of `skipped`; it is not consumed. */
static int peek_behind(struct json_stream *s, const char *skipped)
{
    int c;

    while ((c = peek(s)) > 0 && (c == ' ' || c == '\n' || c == '\t' || c == '\r' || strchr(skipped, c)))
        take(s);
    return c;
}

/* --- pieces ------------------------------------------------------------------------------------------------------- */

/* Copies one value. False if the file ends inside it. `whole` is false if part of it was left out. */
static bool copy_value(struct json_stream *s, bool *whole)
{
    struct json_scan at = {0};

    s->piece.n = 0;
    *whole = true;
    while (peek(s) >= 0) {
        size_t n = s->block.n - s->at, k = json_scan(&at, (struct str){s->block.p + s->at, n});
        size_t room = s->most > s->piece.n ? s->most - s->piece.n : 0;

        buf_add(&s->piece, s->block.p + s->at, k < room ? k : room);
        *whole &= k <= room;
        s->at += k;
        s->offset += k;
        if (k < n)
            return true;
    }
    return false;
}

/* Copies the key with its quotes. False if the file ends inside it, or if it is longer than any real key. */
static bool copy_key(struct json_stream *s)
{
    bool escaped = false;
    int c = peek(s);

    do {
        buf_char(&s->key, (char)c);
        take(s);
        escaped = !escaped && c == '\\';
        c = peek(s);
    } while (c >= 0 && (c != '"' || escaped) && s->key.n < s->most);
    if (c != '"')
        return false;
    buf_char(&s->key, '"');
    take(s);
    return true;
}

/* Reads the key and its colon. False at the end of the object. */
static bool next_key(struct json_stream *s)
{
    int c = peek_behind(s, ",");

    s->key.n = 0;
    if (c == '}') {
        s->complete = true;
        return false;
    }
    if (c != '"' || !copy_key(s) || peek_behind(s, "") != ':')
        return false;
    take(s);
    return true;
}

static bool is_list(const struct json_stream *s)
{
    return s->key.n == strlen(s->list) + 2 && memcmp(s->key.p + 1, s->list, s->key.n - 2) == 0;
}

/* Moves to the beginning of the next value. False at the end. */
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

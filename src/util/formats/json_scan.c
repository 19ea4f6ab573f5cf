#include "util/formats/json_scan.h"

/*
 * The offset after the end of a string that continues at `from`; s.n if the string does not end. A quote ends it
 * unless an odd number of backslashes precedes it.
 */
static size_t scan_string(struct json_scan *at, struct str s, size_t from)
{
    for (size_t begin = from;;) {
        const char *quote = memchr(s.p + begin, '"', s.n - begin);
        size_t end = quote ? (size_t)(quote - s.p) : s.n, slashes = 0;
        bool odd;

        while (slashes < end - from && s.p[end - slashes - 1] == '\\')
            slashes++;
        odd = (slashes + (slashes == end - from && at->escaped)) % 2;
        if (!quote) {
            at->escaped = odd;
            return s.n;
        }
        begin = end + 1;
        if (odd)
            continue;
        at->string = at->escaped = false;
        return begin;
    }
}

size_t json_scan(struct json_scan *at, struct str text)
{
    size_t i = 0;

    while (i < text.n) {
        if (at->string) {
            i = scan_string(at, text, i);
            continue;
        }
        switch (text.p[i]) {
        case '"':
            at->string = true;
            break;
        case '[':
        case '{':
            at->depth++;
            break;
        case ']':
        case '}':
            if (at->depth == 0)
                return i;
            at->depth--;
            break;
        case ',':
            if (at->depth == 0)
                return i;
            break;
        }
        i++;
    }
    return text.n;
}

static size_t skip_blanks(struct str s, size_t i)
{
    while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t' || s.p[i] == '\r' || s.p[i] == '\n'))
        i++;
    return i;
}

/*
 * Moves past the opening bracket or the comma to the next item. False at the end; the closing bracket is then taken,
 * too.
 */
static bool next_place(struct str *text, char open, char close)
{
    size_t i = skip_blanks(*text, 0);

    if (i < text->n && (text->p[i] == open || text->p[i] == ','))
        i = skip_blanks(*text, i + 1);
    else if (i < text->n && text->p[i] != close)
        i = text->n;
    if (i < text->n && text->p[i] == close) {
        *text = str_skip(*text, skip_blanks(*text, i + 1));
        return false;
    }
    *text = str_skip(*text, i);
    return text->n > 0;
}

bool json_take_value(struct str *text, struct str *value)
{
    struct json_scan at = {0};
    size_t end = json_scan(&at, *text);

    if (end == 0 || end >= text->n)
        return false;
    *value = str_trim(str_take(*text, end));
    *text = str_skip(*text, end);
    return true;
}

bool json_next_item(struct str *text, struct str *item)
{
    return next_place(text, '[', ']') && json_take_value(text, item);
}

bool json_next_key(struct str *text, struct str *key)
{
    struct json_scan at = {.string = true};
    size_t end, i;

    if (!next_place(text, '{', '}') || text->p[0] != '"')
        return false;
    end = scan_string(&at, *text, 1);
    i = skip_blanks(*text, end);
    if (i >= text->n || text->p[i] != ':')
        return false;
    *key = str_range(text->p + 1, text->p + end - 1);
    *text = str_skip(*text, skip_blanks(*text, i + 1));
    return true;
}

bool json_next_member(struct str *text, struct str *key, struct str *value)
{
    return json_next_key(text, key) && json_take_value(text, value);
}

struct str json_member_text(struct str object, struct str name)
{
    struct str key, value;

    while (json_next_member(&object, &key, &value))
        if (str_eq(key, name))
            return value;
    return (struct str){0};
}

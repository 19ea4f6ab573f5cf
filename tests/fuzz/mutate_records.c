/*
 * Changes to a trace that leave it one: records that are missing, doubled, out of order or cut, members of an envelope
 * that are missing, odd or another record's, payloads that are another record's. The digest of a payload is right again
 * in most, so that what reads payloads is reached.
 */
#include "mutate_pieces.h"

#include "util/digest.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RECORDS_MAX = 4096, ODD_DIGESTS = 8 };

/* "V1121 ... ] {...}" and the lines behind it that begin with a tab. */
enum { HEAD, ENVELOPE, PAYLOAD };

static struct str line_at(struct str text, size_t at)
{
    const char *end = memchr(text.p + at, '\n', text.n - at);

    return (struct str){text.p + at, end ? (size_t)(end - text.p) - at + 1 : text.n - at};
}

void mutate_parse(struct mutation *m, struct str text)
{
    for (size_t at = 0; at < text.n && m->pieces.n < RECORDS_MAX;) {
        struct str line = line_at(text, at);
        const char *brace = memmem(line.p, line.n, "] {", 3);
        size_t head = brace ? (size_t)(brace - line.p) + 2 : line.n;
        struct piece r = {{{line.p, head}, {line.p + head, line.n - head}, {line.p + line.n, 0}}};

        for (at += line.n; at < text.n && text.p[at] == '\t'; at += line.n) {
            line = line_at(text, at);
            r.parts[PAYLOAD].n += line.n;
        }
        vec_push(m->arena, &m->pieces, r);
    }
}

static void drop(struct mutation *m)
{
    mutate_drop(m, 1);
}

static void take_payload(struct mutation *m)
{
    struct piece *r = mutate_any_piece(m);

    r->parts[PAYLOAD] = mutate_any_piece(m)->parts[PAYLOAD];
}

static void cut_payload(struct mutation *m)
{
    struct piece *r = mutate_any_piece(m);

    r->parts[PAYLOAD].n = mutate_any(m, r->parts[PAYLOAD].n);
}

static json_t *odd_value(struct mutation *m)
{
    switch (mutate_any(m, 10)) {
    case 0:
        return json_null();
    case 1:
        return json_integer(-1);
    case 2:
        return json_integer(INT64_MAX);
    case 3:
        return json_real(1e300);
    case 4:
        return json_string("");
    case 5:
        return json_string("\n<b>{{x}}\xc2\x9b\xe2\x80\xae");
    case 6:
        return json_array();
    case 7:
        return json_object();
    case 8:
        return json_boolean(mutate_any(m, 2));
    default:
        return json_integer((json_int_t)mutate_any(m, 5));
    }
}

/* One value somewhere below an object or an array. */
static void change_value(struct mutation *m, json_t *in)
{
    bool is_object = json_is_object(in);
    size_t n = is_object ? json_object_size(in) : json_array_size(in), which = mutate_any(m, n);
    void *member = is_object ? json_object_iter(in) : NULL;
    json_t *value;

    if (n == 0)
        return;
    for (size_t i = 0; i < which && member; i++)
        member = json_object_iter_next(in, member);
    value = is_object ? json_object_iter_value(member) : json_array_get(in, which);
    if ((json_object_size(value) || json_array_size(value)) && mutate_any(m, 3))
        change_value(m, value);
    else if (is_object && mutate_any(m, 4) == 0)
        json_object_del(in, json_object_iter_key(member));
    else if (is_object)
        json_object_iter_set_new(in, member, odd_value(m));
    else
        json_array_set_new(in, which, odd_value(m));
}

static json_t *envelope_of(const struct piece *r)
{
    return json_loadb(r->parts[ENVELOPE].p, r->parts[ENVELOPE].n, 0, NULL);
}

static void set_envelope(struct mutation *m, struct piece *r, json_t *envelope)
{
    char *text = json_dumps(envelope, JSON_COMPACT);

    if (text)
        r->parts[ENVELOPE] = arena_printf(m->arena, "%s\n", text);
    free(text);
}

static void change_member(struct mutation *m)
{
    struct piece *r = mutate_any_piece(m);
    json_t *envelope = envelope_of(r);

    if (envelope) {
        change_value(m, envelope);
        set_envelope(m, r, envelope);
    }
    json_decref(envelope);
}

/* Another record's members join this one's. */
static void take_members(struct mutation *m)
{
    struct piece *r = mutate_any_piece(m);
    json_t *envelope = envelope_of(r), *other = envelope_of(mutate_any_piece(m));

    if (envelope && other && json_object_update(envelope, other) == 0)
        set_envelope(m, r, envelope);
    json_decref(envelope);
    json_decref(other);
}

/* The digest is of the payload's text, which has no tabs at the beginnings of its lines and no newline at its end. */
static struct str payload_digest(struct mutation *m, struct str payload)
{
    char *text = arena_alloc(m->arena, payload.n + 1), hex[DIGEST_HEX + 1];
    size_t n = 0;
    struct digest d;

    for (size_t i = 0; i < payload.n; i++)
        if (payload.p[i] != '\t' || (i && payload.p[i - 1] != '\n'))
            text[n++] = payload.p[i];
    n -= n && text[n - 1] == '\n';
    d = digest_of((struct str){text, n});
    digest_hex(&d, hex);
    return arena_printf(m->arena, "%s", hex);
}

static void mend_digest(struct mutation *m, struct piece *r)
{
    json_t *envelope = r->parts[PAYLOAD].n ? envelope_of(r) : NULL;
    struct str hex = payload_digest(m, r->parts[PAYLOAD]);

    if (json_object_get(envelope, "has_payload")) {
        json_object_set_new(envelope, "has_payload", json_stringn(hex.p, hex.n));
        set_envelope(m, r, envelope);
    }
    json_decref(envelope);
}

void mutate_change(struct mutation *m)
{
    static void (*const changes[])(struct mutation *m) = {
        drop,          mutate_repeat, mutate_swap,   take_payload, cut_payload,
        change_member, change_member, change_member, take_members,
    };

    changes[mutate_any(m, sizeof changes / sizeof *changes)](m);
}

void mutate_finish(struct mutation *m, struct piece *p)
{
    if (mutate_any(m, ODD_DIGESTS))
        mend_digest(m, p);
}

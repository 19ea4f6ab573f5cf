#include "relaunch/checks/check_agreed.h"

#include "util/map.h"

#include <math.h>
#include <stdio.h>

struct agreed_line {
    struct str text;
    uint64_t number;
};

typedef VEC(struct agreed_line) lines;

static void split(struct arena *a, struct str text, lines *out)
{
    struct str line;

    for (uint64_t number = 1; str_next_line(&text, &line); number++)
        if (str_trim(line).n)
            vec_push(a, out, ((struct agreed_line){str_trim(line), number}));
}

static void count(struct arena *a, const lines *list, struct map *counts)
{
    map_init(counts, a);
    vec_each(const struct agreed_line, l, list)++ *map_number_at(counts, l->text);
}

static uint64_t least(uint64_t x, uint64_t y)
{
    return x < y ? x : y;
}

/* Removes the lines that all three have, as often as each has them. Returns how many. */
static uint64_t take_common(struct arena *a, lines *all[3])
{
    struct map counts[3];
    uint64_t common = 0;

    for (int i = 0; i < 3; i++)
        count(a, all[i], &counts[i]);
    for (int i = 0; i < 3; i++) {
        struct map taken;
        size_t kept = 0;

        map_init(&taken, a);
        for (size_t k = 0; k < all[i]->n; k++) {
            struct str text = all[i]->v[k].text;
            uint64_t n =
                least(map_number(&counts[0], text), least(map_number(&counts[1], text), map_number(&counts[2], text)));

            if (map_number(&taken, text) >= n) {
                all[i]->v[kept++] = all[i]->v[k];
                continue;
            }
            ++*map_number_at(&taken, text);
            if (i == 0)
                common++;
        }
        all[i]->n = kept;
    }
    return common;
}

static void show(char *out, struct str s)
{
    snprintf(out, CHECK_SHOWN, "%.*s", s.n < CHECK_SHOWN ? (int)s.n : CHECK_SHOWN - 1, s.n ? s.p : "");
}

static void note(struct check_result *r, const char *why, const struct agreed_line *then, const struct agreed_line *now)
{
    r->outcome = CHECK_DIFFERENT;
    r->worst = INFINITY;
    snprintf(r->why, sizeof r->why, "%s", why);
    snprintf(r->where, sizeof r->where, "line %llu", (unsigned long long)(now ? now : then)->number);
    if (then)
        show(r->then, then->text);
    if (now)
        show(r->now, now->text);
}

/*
 * Compares piece by piece, as far as the first two agree. False if the third differs there. Words around a number that
 * always differs are not results: only numbers count as values.
 */
static bool is_as_agreed(struct str first, struct str second, struct str now, uint64_t *values)
{
    double value;

    while (first.n && second.n) {
        struct str one = check_piece(&first), other = check_piece(&second);
        struct str third = now.n ? check_piece(&now) : (struct str){"", 0};

        if (!check_same_piece(one, other))
            continue;
        *values += check_number(one, &value);
        if (!check_same_piece(one, third))
            return false;
    }
    return first.n || second.n || now.n == 0;
}

/* Lines that two of them share are compared; a line that only one has cannot be compared. */
static void compare_rest(const lines *first, const lines *second, const lines *now, struct check_result *r)
{
    bool longer = now->n > first->n;

    if (first->n != second->n)
        return;
    for (size_t i = 0; i < first->n && i < now->n; i++)
        if (!is_as_agreed(first->v[i].text, second->v[i].text, now->v[i].text, &r->values)) {
            note(r, "", &first->v[i], &now->v[i]);
            return;
        }
    if (now->n == first->n)
        return;
    note(r, longer ? "it prints more lines now" : "it prints fewer lines now", longer ? NULL : &first->v[now->n],
         longer ? &now->v[first->n] : NULL);
}

/* The first line that the first two have and the third lacks; NULL if there is none. */
static const struct agreed_line *lost_line(struct arena *a, const lines *first, const lines *second, const lines *now)
{
    struct map in_second;

    count(a, second, &in_second);
    vec_each(const struct agreed_line, l, first)
    {
        bool there = map_number(&in_second, l->text) == 0;

        for (size_t i = 0; i < now->n && !there; i++) {
            uint64_t values = 0;

            there = is_as_agreed(l->text, l->text, now->v[i].text, &values);
        }
        if (!there)
            return l;
    }
    return NULL;
}

void check_agreed(struct arena *a, struct str first, struct str second, struct str now, struct check_result *r)
{
    lines one = {0}, other = {0}, third = {0}, *all[] = {&one, &other, &third};
    const struct agreed_line *lost;

    *r = (struct check_result){0};
    split(a, first, &one);
    split(a, second, &other);
    split(a, now, &third);
    r->values = take_common(a, all);
    compare_rest(&one, &other, &third, r);
    if (one.n != other.n && (lost = lost_line(a, &one, &other, &third)))
        note(r, "a line is missing now", lost, NULL);
    if (r->outcome == CHECK_SAME && r->values == 0) {
        r->outcome = CHECK_NOT_COMPARED;
        snprintf(r->why, sizeof r->why, "two runs have no output in common");
    }
}

/*
 * rows_write: turns rows into functions: each OBJECT becomes fact_NAME of facts.h, which returns `x` as a JSON object,
 * or null if x is NULL. A source includes it before its rows. A row is
 *
 *     KIND(key, value, "what it means")
 *
 * where `value` may use `x` and `v`, the view. Some kinds have more arguments, before the description. If the
 * description is empty, the kind's own is used. tools/make-schema makes the schema of report.json from the same rows,
 * so each kind is defined there as well.
 */
#pragma once

#define OBJECT(name, subject, description)                                                                             \
    json_t *fact_##name(const struct view *v, subject)                                                                 \
    {                                                                                                                  \
        json_t *o;                                                                                                     \
                                                                                                                       \
        (void)v;                                                                                                       \
        if (!x)                                                                                                        \
            return json_null();                                                                                        \
        o = json_new_object();
#define END                                                                                                            \
    return o;                                                                                                          \
    }

/* --- texts -------------------------------------------------------------------------------------------------------- */

/* Never empty. */
#define STRING(key, value, description) json_put_str(o, #key, value);
/* Null if empty. */
#define TEXT(key, value, description) json_put(o, #key, view_text(value));
/* Unchanged, empty or not. */
#define ANY_TEXT(key, value, description) json_put_str(o, #key, value);
#define ANY_TEXT_OR_NULL(key, known, value, description)                                                               \
    json_put(o, #key, (known) ? json_of_str(value) : json_null());
#define CONSTANT(key, value, description) json_put_str(o, #key, STR(value));
/* Matches a regular expression. */
#define LIKE(key, value, pattern, description) json_put_str(o, #key, value);
#define LIKE_OR_NULL(key, value, pattern, description) json_put(o, #key, view_text(value));
/* One of several words, which are given in one string. */
#define ONE_OF(key, value, words, description) json_put_str(o, #key, value);
#define ONE_OF_OR_NULL(key, value, words, description) json_put(o, #key, view_text(value));
/* One of an enum: `name` returns the word for each value below n, or NULL. */
#define WORD(key, name, n, value, description) json_put_str(o, #key, str_of(name(value)));
#define WORD_OR_NULL(key, name, n, value, description) json_put(o, #key, view_text(str_of(name(value))));
/* For -1 the member is left out. */
#define WORD_IF_ANY(key, name, n, value, description) put_word(o, #key, name, value);

/* --- numbers ------------------------------------------------------------------------------------------------------ */

#define COUNT(key, value, description) json_put_i64(o, #key, (int64_t)(value));
/* Null if negative. */
#define COUNT_OR_NULL(key, value, description) json_put(o, #key, number_from(0, (int64_t)(value)));
#define FROM_ONE(key, value, description) json_put_i64(o, #key, (int64_t)(value));
/* Null if less than 1. */
#define FROM_ONE_OR_NULL(key, value, description) json_put(o, #key, number_from(1, (int64_t)(value)));
#define REAL(key, value, description) json_put(o, #key, json_of_double(value));
/* Null if negative. */
#define REAL_OR_NULL(key, value, description) json_put(o, #key, real_or_null(value));
/* From microseconds; null if negative. */
#define SECONDS_OR_NULL(key, value, description) json_put(o, #key, view_seconds_us(value));
#define FLAG(key, value, description) json_put_bool(o, #key, value);
#define FLAG_OR_NULL(key, known, value, description)                                                                   \
    json_put(o, #key, (known) ? json_of_bool(value) : json_null());

/* --- with descriptions of their own ------------------------------------------------------------------------------- */

#define RANK(key, value, description) json_put(o, #key, view_rank(value));
#define PID(key, value, description) json_put(o, #key, number_from(1, (int64_t)(value)));
#define PROCESS(key, value, description) json_put_i64(o, #key, value);
#define RUN(key, value, description) json_put_i64(o, #key, value);
#define EPOCH(key, value, description) json_put_i64(o, #key, value);
/* The id of a compile; null for NULL. */
#define ID(key, value, description) json_put(o, #key, view_id(v, value));
#define PATH(key, value, description) json_put(o, #key, view_text(value));
#define LINE(key, value, description) json_put(o, #key, view_line((int64_t)(value)));
#define STACK(key, value, description) json_put(o, #key, fact_stack(v, value));
/* Where a compile id is unique: rank, pid, process, and epoch. */
#define PROCESS_OF(value) view_put_process(o, value);
#define SCOPE(value) view_put_scope(o, value);
#define MADE_IDS(key, value, description) json_put(o, #key, value);
#define MADE_REFS(key, value, description) json_put(o, #key, value);

/* --- objects and lists -------------------------------------------------------------------------------------------- */

#define PART(key, object, value, description) json_put(o, #key, fact_##object(v, value));
#define PART_OR_NULL(key, object, value, description) json_put(o, #key, fact_##object(v, value));
/* From a VEC of structs, and from a VEC of pointers. */
#define LIST(key, object, list, description)                                                                           \
    {                                                                                                                  \
        json_t *items = json_new_array();                                                                              \
        for (size_t i = 0; i < (list).n; i++)                                                                          \
            json_push(items, fact_##object(v, &(list).v[i]));                                                          \
        json_put(o, #key, items);                                                                                      \
    }
#define LIST_OF(key, object, list, description)                                                                        \
    {                                                                                                                  \
        json_t *items = json_new_array();                                                                              \
        for (size_t i = 0; i < (list).n; i++)                                                                          \
            json_push(items, fact_##object(v, (list).v[i]));                                                           \
        json_put(o, #key, items);                                                                                      \
    }
#define TEXTS(key, list, description) json_put(o, #key, json_of_texts((list).v, (list).n));
#define RANKS(key, list, description) json_put(o, #key, view_ranks((list).v, (list).n));
/* The value is JSON already. */
#define MADE_LIST(key, object, value, description) json_put(o, #key, value);
#define MADE_LIST_OR_NULL(key, object, value, description) json_put(o, #key, value);
#define MADE_TEXTS(key, value, description) json_put(o, #key, value);
#define MADE_NUMBERS(key, value, least, description) json_put(o, #key, value);
#define MADE_NUMBERS_OR_NULL(key, value, least, description) json_put(o, #key, value);
#define MADE_GROUPS(key, value, description) json_put(o, #key, value);
#define MADE_MAP(key, value, description) json_put(o, #key, value);
/* A list of any length, which the caller writes item by item afterwards. */
#define STREAMED(key, object, description)

/* --- what they need ----------------------------------------------------------------------------------------------- */

static inline json_t *number_from(int64_t least, int64_t n)
{
    return n < least ? json_null() : json_of_i64(n);
}

static inline json_t *real_or_null(double x)
{
    return x < 0 ? json_null() : json_of_double(x);
}

/* -1 if the number is unknown. */
static inline int64_t known(bool is_known, uint64_t n)
{
    return is_known ? (int64_t)n : -1;
}

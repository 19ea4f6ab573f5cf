/*
 * rows_write: turns rows into functions. OBJECT(name, TYPE) becomes ROWS_OF(name), which returns `x`, a pointer to a
 * TYPE, as a JSON object, or null if x is NULL. ROWS_OF and OBJECT are defined for each output:
 * view/facts/fact_rows.h, view/page_rows.h. A source includes one of them before its rows. A row is
 *
 *     KIND(key, value, "what it means")
 *
 * where `value` may use `x` and `v`, the view. Some kinds have more arguments, before the description. Rows of the page
 * have no description, because their template shows what they mean. If the description of a fact is empty, the kind's
 * own is used. tools/make-schema makes the schema of report.json from the same rows, so each kind of a fact is defined
 * there as well.
 */
#pragma once

/* The value of a row, with or without a description after it. */
#define ROW_VALUE(value, ...) value

#define END                                                                                                            \
    return o;                                                                                                          \
    }

/* --- texts -------------------------------------------------------------------------------------------------------- */

/* Never empty. */
#define STRING(key, value, description) json_put_str(o, #key, value);
/* Null if empty. */
#define TEXT(key, ...) json_put(o, #key, view_text(ROW_VALUE(__VA_ARGS__, )));
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

#define COUNT(key, ...) json_put_i64(o, #key, (int64_t)(ROW_VALUE(__VA_ARGS__, )));
/* Null if negative. */
#define COUNT_OR_NULL(key, ...) json_put(o, #key, number_from(0, (int64_t)(ROW_VALUE(__VA_ARGS__, ))));
#define FROM_ONE(key, value, description) json_put_i64(o, #key, (int64_t)(value));
/* Null if less than 1. */
#define FROM_ONE_OR_NULL(key, ...) json_put(o, #key, number_from(1, (int64_t)(ROW_VALUE(__VA_ARGS__, ))));
#define REAL(key, value, description) json_put(o, #key, json_of_double(value));
/* Null if negative. */
#define REAL_OR_NULL(key, value, description) json_put(o, #key, real_or_null(value));
/* From microseconds; null if negative. */
#define SECONDS_OR_NULL(key, value, description) json_put(o, #key, view_seconds_us(value));
#define FLAG(key, ...) json_put_bool(o, #key, ROW_VALUE(__VA_ARGS__, ));
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
/* Where a compile id is unique: rank, pid, process, and epoch. */
#define PROCESS_OF(value) view_put_process(o, value);
#define SCOPE(value) view_put_scope(o, value);
#define MADE_IDS(key, value, description) json_put(o, #key, value);
#define MADE_REFS(key, value, description) json_put(o, #key, value);

/* --- objects and lists -------------------------------------------------------------------------------------------- */

#define PART(key, object, ...) json_put(o, #key, ROWS_OF(object)(v, ROW_VALUE(__VA_ARGS__, )));
#define PART_OR_NULL(key, object, value, description) json_put(o, #key, ROWS_OF(object)(v, value));
/* From a VEC of structs, and from a VEC of pointers. */
#define PUT_LIST(key, made, address, list, most)                                                                       \
    {                                                                                                                  \
        json_t *items = json_new_array();                                                                              \
        for (size_t i = 0; i < (list).n && i < (most); i++)                                                            \
            json_push(items, made(v, address(list).v[i]));                                                             \
        json_put(o, #key, items);                                                                                      \
    }
#define LIST(key, object, ...) PUT_LIST(key, ROWS_OF(object), &, ROW_VALUE(__VA_ARGS__, ), SIZE_MAX)
#define LIST_OF(key, object, ...) PUT_LIST(key, ROWS_OF(object), , ROW_VALUE(__VA_ARGS__, ), SIZE_MAX)
#define TEXTS(key, ...) PUT_TEXTS(key, ROW_VALUE(__VA_ARGS__, ))
#define PUT_TEXTS(key, list) json_put(o, #key, json_of_texts((list).v, (list).n));
#define RANKS(key, list, description) json_put(o, #key, view_ranks((list).v, (list).n));
/* The value is JSON already. */
#define MADE_LIST(key, object, value, description) json_put(o, #key, value);
#define MADE_LIST_OR_NULL(key, object, value, description) json_put(o, #key, value);
#define MADE_TEXTS(key, ...) json_put(o, #key, ROW_VALUE(__VA_ARGS__, ));
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

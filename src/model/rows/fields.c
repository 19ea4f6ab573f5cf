#include "model/rows/fields.h"

#include "input/limits.h"

#define LATEST_US 1000000000000000000ll
#define LATEST_NS 9000000000000000000ll

#define MEMBER(S, f) ((struct S *)NULL)->f

/* --- every field has one row -------------------------------------------------------------------------------------- */

/* One initializer per field is required, so a missing row does not compile. Never called. */
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wmissing-field-initializers"
#pragma GCC diagnostic ignored "-Wmissing-braces" /* for an anonymous union */
__attribute__((unused)) static void no_field_lacks_a_row(void)
{
#define SHAPE(name, S, class) _Static_assert(sizeof(struct S) == sizeof((struct S){
#define ROW(S, f, ...) MEMBER(S, f),
#define ARRAY_ROW(S, f, ...) {0},
#define END(name) }), "");
#include "model/rows/fields.def"
}
#pragma GCC diagnostic pop

/* No field can have two rows, because the members of this struct need different names. */
#define SHAPE(name, S, class) struct name##_row_names {
#define ROW(S, f, ...) char f;
#define ARRAY_ROW ROW
#define END(name) };
#include "model/rows/fields.def"

/* --- the table ---------------------------------------------------------------------------------------------------- */

/* A text needs a row with a redaction class, and no other field has one: other combinations do not compile. */
#define TYPE_OF_TEXT(member) _Generic(member, struct str: FIELD_TEXT)
#define TYPE_OF_NO_TEXT(member) _Generic(member, struct str: (struct str){0}, default: FIELD_LEFT_OUT)

#define SHAPE(name, S, class) static const struct field name##_rows[] = {
#define ROW(S, f, ...) {.name = #f, .offset = offsetof(struct S, f), __VA_ARGS__},
#define ARRAY_ROW ROW
#define END(name) };
#include "model/rows/fields.def"

#define SHAPE(name, S, class)                                                                                          \
    const struct shape name##_shape = {                                                                                \
        #S, sizeof(struct S), name##_rows, sizeof name##_rows / sizeof *name##_rows, class,                      \
    };
#define ROW(S, f, ...)
#define ARRAY_ROW ROW
#define END(name)
#include "model/rows/fields.def"

static const struct shape *const shapes[] = {
#define SHAPE(name, S, class) &name##_shape,
#define ROW(S, f, ...)
#define ARRAY_ROW ROW
#define END(name)
#include "model/rows/fields.def"
};

const struct shape *shape_at(size_t i)
{
    return i < sizeof shapes / sizeof *shapes ? shapes[i] : NULL;
}

static size_t least_bytes_of(const struct field *f)
{
    switch (f->kind) {
    case FIELD_OWNER:
    case FIELD_LEFT_OUT:
        return 0;
    case FIELD_BYTES:
        return f->size;
    case FIELD_STRUCT:
        return shape_least_bytes(f->shape);
    default:
        return 1;
    }
}

size_t shape_least_bytes(const struct shape *s)
{
    size_t n = 0;

    for (size_t i = 0; i < s->field_count; i++)
        n += s->fields[i].many == FIELD_LIST    ? 1
             : s->fields[i].many == FIELD_ARRAY ? s->fields[i].count * least_bytes_of(&s->fields[i])
                                                : least_bytes_of(&s->fields[i]);
    return n;
}

uint64_t field_number(const struct field *f, const void *p)
{
    bool has_sign = f->kind == FIELD_SIGNED;
    union {
        uint8_t of_1;
        uint16_t of_2;
        uint32_t of_4;
        uint64_t of_8;
    } n = {.of_8 = 0};

    memcpy(&n, p, f->size);
    switch (f->size) {
    case 1:
        return has_sign ? (uint64_t)(int8_t)n.of_1 : n.of_1;
    case 2:
        return has_sign ? (uint64_t)(int16_t)n.of_2 : n.of_2;
    case 4:
        return has_sign ? (uint64_t)(int32_t)n.of_4 : n.of_4;
    default:
        return n.of_8;
    }
}

void field_set_number(const struct field *f, void *p, uint64_t n)
{
    uint8_t of_1 = (uint8_t)n;
    uint16_t of_2 = (uint16_t)n;
    uint32_t of_4 = (uint32_t)n;

    memcpy(p, f->size == 1 ? (void *)&of_1 : f->size == 2 ? (void *)&of_2 : f->size == 4 ? (void *)&of_4 : &n, f->size);
}

/* FNV-1a */
static uint32_t mix(uint32_t hash, const void *p, size_t n)
{
    for (const unsigned char *c = p; n; n--, c++)
        hash = (hash ^ *c) * 16777619u;
    return hash;
}

uint32_t field_mix(uint32_t hash, const struct field *f)
{
    const uint64_t facts[] = {f->kind,           f->many, f->flags,
                              f->count,          (uint64_t)f->least, f->most,
                              (uint64_t)f->points_to, f->shape ? f->shape->field_count : 0};

    hash = mix(hash, f->name, strlen(f->name));
    hash = f->shape ? mix(hash, f->shape->name, strlen(f->shape->name)) : hash;
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
        for (int shift = 0; shift < 64; shift += 8)
            hash = mix(hash, &(unsigned char){(unsigned char)(facts[i] >> shift)}, 1);
    return hash;
}

uint32_t fields_fingerprint(void)
{
    uint32_t hash = 2166136261u;

    for (size_t i = 0; shape_at(i); i++)
        for (size_t k = 0; k < shapes[i]->field_count; k++)
            hash = field_mix(hash, &shapes[i]->fields[k]);
    for (int code = 0; code < MSG_COUNT; code++)
        hash = mix(hash, message_infos[code].key, strlen(message_infos[code].key));
    return hash;
}

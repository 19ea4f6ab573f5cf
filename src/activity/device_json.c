#include "activity/device_json.h"

#include "input/limits.h"
#include "util/formats/json.h"

/* Members that are one number or one text. */
static const struct {
    const char *key;
    size_t at;
} numbers[] = {
    {"index", offsetof(struct gpu_device, index)},
    {"memory_total", offsetof(struct gpu_device, memory_total)},
    {"memory_free", offsetof(struct gpu_device, memory_free)},
    {"processors", offsetof(struct gpu_device, processors)},
    {"clock_mhz", offsetof(struct gpu_device, clock_mhz)},
    {"clock_most_mhz", offsetof(struct gpu_device, clock_most_mhz)},
    {"memory_clock_mhz", offsetof(struct gpu_device, memory_clock_mhz)},
    {"memory_clock_most_mhz", offsetof(struct gpu_device, memory_clock_most_mhz)},
    {"bus_bits", offsetof(struct gpu_device, bus_bits)},
    {"temperature_c", offsetof(struct gpu_device, temperature_c)},
    {"power_mw", offsetof(struct gpu_device, power_mw)},
    {"power_limit_mw", offsetof(struct gpu_device, power_limit_mw)},
    {"utilization", offsetof(struct gpu_device, utilization)},
    {"ecc_errors", offsetof(struct gpu_device, ecc_errors)},
}, texts[] = {
    {"name", offsetof(struct gpu_device, name)},
    {"uuid", offsetof(struct gpu_device, uuid)},
    {"capability", offsetof(struct gpu_device, capability)},
    {"driver", offsetof(struct gpu_device, driver)},
    {"cuda", offsetof(struct gpu_device, cuda)},
    {"runtime", offsetof(struct gpu_device, runtime)},
    {"mig", offsetof(struct gpu_device, mig)},
    {"compute_mode", offsetof(struct gpu_device, compute_mode)},
};

enum { NUMBERS = sizeof numbers / sizeof *numbers, TEXTS = sizeof texts / sizeof *texts, LISTED_MAX = 1000 };

static json_t *number(int64_t n)
{
    return n < 0 ? json_null() : json_of_i64(n);
}

static json_t *text(struct str s)
{
    return s.n ? json_of_str(s) : json_null();
}

static json_t *throttled_of(const struct gpu_device *d)
{
    json_t *list = json_new_array();

    vec_each(const struct str, why, &d->throttled) json_push(list, json_of_str(*why));
    return list;
}

static json_t *users_of(const struct gpu_device *d)
{
    json_t *list = json_new_array();

    vec_each(const struct gpu_user, u, &d->users)
    {
        json_t *o = json_new_object();

        json_put_i64(o, "pid", (int64_t)u->pid);
        json_put(o, "memory", number(u->memory));
        json_put(o, "name", text(u->name));
        json_push(list, o);
    }
    return list;
}

json_t *gpu_device_to_json(const struct gpu_device *d)
{
    json_t *o = json_new_object();

    json_put(o, numbers[0].key, number(d->index));
    for (size_t i = 0; i < TEXTS; i++)
        json_put(o, texts[i].key, text(*(const struct str *)((const char *)d + texts[i].at)));
    for (size_t i = 1; i < NUMBERS; i++)
        json_put(o, numbers[i].key, number(*(const int64_t *)((const char *)d + numbers[i].at)));
    json_put(o, "throttled", throttled_of(d));
    json_put(o, "users", users_of(d));
    return o;
}

/* --- back --------------------------------------------------------------------------------------------------------- */

static int64_t number_of(const json_t *o, const char *key)
{
    const json_t *n = json_object_get(o, key);

    return json_is_integer(n) && json_integer_value(n) >= 0 ? json_integer_value(n) : -1;
}

static struct str text_of(struct arena *a, const json_t *v)
{
    return arena_str(a, str_take(json_str(v), LIMIT_NAME));
}

static void read_users(struct arena *a, const json_t *list, struct gpu_device *out)
{
    const json_t *o;
    size_t i;

    json_array_foreach(list, i, o)
    {
        int64_t pid = number_of(o, "pid");

        if (i < LISTED_MAX && pid >= 0)
            vec_push(a, &out->users, ((struct gpu_user){(uint64_t)pid, number_of(o, "memory"),
                                                        text_of(a, json_object_get(o, "name"))}));
    }
}

bool gpu_device_of_json(struct arena *a, const json_t *o, struct gpu_device *out)
{
    const json_t *why;
    size_t i;

    *out = gpu_device_unknown();
    if (!json_is_object(o))
        return false;
    for (i = 0; i < NUMBERS; i++)
        *(int64_t *)((char *)out + numbers[i].at) = number_of(o, numbers[i].key);
    for (i = 0; i < TEXTS; i++)
        *(struct str *)((char *)out + texts[i].at) = text_of(a, json_object_get(o, texts[i].key));
    json_array_foreach(json_object_get(o, "throttled"), i, why)
        if (i < LISTED_MAX && json_string_length(why))
            vec_push(a, &out->throttled, text_of(a, why));
    read_users(a, json_object_get(o, "users"), out);
    return true;
}

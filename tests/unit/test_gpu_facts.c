/* Facts about GPUs, by a driver of our own (tests/gpu): LD_LIBRARY_PATH leads to it. */
#include "unit.h"

#include "digest/device_json.h"
#include "relaunch/gpu/gpu_facts.h"

#include <stdlib.h>

static struct gpu_facts facts_with(struct arena *a, const char *cuda, const char *nvml)
{
    struct gpu_facts facts;

    setenv("FAKE_CUDA", cuda, 1);
    setenv("FAKE_NVML", nvml, 1);
    gpu_facts_find(a, &facts);
    return facts;
}

static void both_libraries(void **state)
{
    struct arena *a = arena_new();
    struct gpu_facts facts = facts_with(a, "", "");
    const struct gpu_device *d = facts.devices.v;

    (void)state;
    assert_int_equal(facts.devices.n, 2);
    assert_str(facts.why_none, "");
    assert_str(d->name, "Fake H200");
    assert_str(d->capability, "9.0");
    assert_str(d->driver, "570.12");
    assert_str(d->cuda, "13.1");
    assert_int_equal(d->memory_total, 150109880320);
    assert_int_equal(d->memory_free, 1000);
    assert_int_equal(d->clock_mhz, 345);
    assert_int_equal(d->memory_clock_most_mhz, 3201);
    assert_int_equal(d->temperature_c, 41);
    assert_int_equal(d->power_mw, 120500);
    assert_int_equal(d->ecc_errors, 2);
    assert_int_equal(d->power_limit_mw, -1); /* this NVML has no such function */
    assert_int_equal(d->processors, 132);    /* CUDA's */
    assert_str(d->mig, "disabled");
    assert_str(d->compute_mode, "exclusive");
    assert_int_equal(d->throttled.n, 2);
    assert_str(d->throttled.v[0], "power cap");
    assert_str(d->throttled.v[1], "temperature");
    assert_int_equal(d->users.n, 2);
    assert_int_equal(d->users.v[0].pid, 4242);
    assert_str(d->users.v[0].name, "python3");
    assert_int_equal(d->users.v[1].memory, -1);
    assert_true(gpu_device_bandwidth(d) > 4.9e12 && gpu_device_bandwidth(d) < 5e12);
    arena_free(a);
}

/* What fails for one device is unknown; its name is not UTF-8. */
static void little_is_known(void **state)
{
    struct arena *a = arena_new();
    struct gpu_facts facts = facts_with(a, "", "");
    const struct gpu_device *d = &facts.devices.v[1];

    (void)state;
    assert_str(d->name, "Fake \xef\xbf\xbd T4");
    assert_str(d->capability, "7.5");
    assert_int_equal(d->memory_total, -1);
    assert_int_equal(d->processors, -1);
    assert_str(d->mig, "");
    assert_int_equal(d->users.n, 0);
    assert_true(gpu_device_bandwidth(d) == 0);
    arena_free(a);
}

static void cuda_alone(void **state)
{
    struct arena *a = arena_new();
    struct gpu_facts facts = facts_with(a, "", "fails");

    (void)state;
    assert_int_equal(facts.devices.n, 1);
    assert_str(facts.devices.v[0].name, "Fake GPU 0 of CUDA");
    assert_str(facts.devices.v[0].capability, "9.0");
    assert_str(facts.devices.v[0].cuda, "12.8");
    assert_int_equal(facts.devices.v[0].memory_total, 1000);
    assert_int_equal(facts.devices.v[0].memory_clock_most_mhz, 2619);
    assert_int_equal(facts.devices.v[0].index, 0);
    arena_free(a);
}

static void nothing_usable(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    assert_str(facts_with(a, "fails", "").why_none,
               "CUDA cannot be used: no CUDA-capable device is detected (error 100)");
    assert_str(facts_with(a, "none", "fails").why_none, "CUDA sees no GPU (CUDA_VISIBLE_DEVICES may hide them)");
    assert_int_equal(facts_with(a, "none", "fails").devices.n, 0);
    assert_str(facts_with(a, "crashes", "").why_none, "the NVIDIA driver crashed when it was queried");
    arena_free(a);
}

static void json_and_back(void **state)
{
    struct arena *a = arena_new();
    struct gpu_facts facts = facts_with(a, "", "");
    struct gpu_device again;
    json_t *first, *second;

    (void)state;
    for (size_t i = 0; i < facts.devices.n; i++) {
        first = gpu_device_to_json(&facts.devices.v[i]);
        assert_true(gpu_device_of_json(a, first, &again));
        second = gpu_device_to_json(&again);
        assert_true(json_equal(first, second));
        json_decref(first);
        json_decref(second);
    }
    first = json_loads("{\"index\": \"x\", \"name\": 7, \"users\": [1, {\"pid\": -1}], \"throttled\": [null]}", 0,
                       NULL);
    assert_true(gpu_device_of_json(a, first, &again));
    assert_int_equal(again.index, -1);
    assert_int_equal(again.users.n + again.throttled.n + again.name.n, 0);
    assert_false(gpu_device_of_json(a, NULL, &again));
    json_decref(first);
    first = json_loads("{\"name\": \"H200\", \"users\": \"several\", \"throttled\": \"by heat\"}", 0, NULL);
    assert_true(gpu_device_of_json(a, first, &again)); /* a text is no list of texts */
    assert_str(again.name, "H200");
    assert_int_equal(again.users.n + again.throttled.n, 0);
    json_decref(first);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_libraries), cmocka_unit_test(little_is_known), cmocka_unit_test(cuda_alone),
        cmocka_unit_test(nothing_usable), cmocka_unit_test(json_and_back),
    };

    return RUN(tests);
}

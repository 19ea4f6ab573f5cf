#include "unit.h"

#include "model/model.h"
#include "text/versions/names.h"

#define HAS(kind, name, version) names_has(kind, STR(name), STR(version))
#define TAKES(function, parameter, version) names_has_parameter(STR(function), STR(parameter), STR(version))

#define LIMIT "torch._dynamo.config.recompile_limit"
#define OLD_LIMIT "torch._dynamo.config.cache_size_limit"

static void by_version(void **state)
{
    (void)state;
    assert_int_equal(HAS(NAME_SETTING, LIMIT, "2.7.0"), NAME_PRESENT);
    assert_int_equal(HAS(NAME_SETTING, LIMIT, "2.6.0"), NAME_ABSENT);
    assert_int_equal(HAS(NAME_SETTING, OLD_LIMIT, "2.3.1"), NAME_PRESENT);
    assert_int_equal(HAS(NAME_SETTING, OLD_LIMIT, "2.13.0"), NAME_PRESENT);
    assert_int_equal(HAS(NAME_LIMIT, "cache_size_limit", "2.6.0"), NAME_PRESENT);
    assert_int_equal(HAS(NAME_LIMIT, "cache_size_limit", "2.7.1"), NAME_ABSENT);
    assert_int_equal(HAS(NAME_LIMIT, "recompile_limit", "2.7.1"), NAME_PRESENT);
    assert_int_equal(HAS(NAME_API, "torch.compiler.set_stance", "2.5.1"), NAME_ABSENT);
    assert_int_equal(HAS(NAME_API, "torch.compiler.set_stance", "2.6.0"), NAME_PRESENT);
    assert_int_equal(HAS(NAME_API, "torch.compiler", "2.6.0"), NAME_UNKNOWN); /* what begins like a name is none */
    assert_int_equal(HAS(NAME_MODE, "lite", "2.9.0"), NAME_ABSENT);
    assert_int_equal(HAS(NAME_MODE, "max-autotune", "2.3.0"), NAME_PRESENT);
    assert_int_equal(HAS(NAME_STANCE, "fail_on_recompile", "2.6.0"), NAME_PRESENT);
    assert_int_equal(HAS(NAME_LOG, "recompiles", "2.3.1"), NAME_PRESENT);
    assert_int_equal(HAS(NAME_VARIABLE, "TORCH_COMPILE_DEBUG", "2.3.1"), NAME_PRESENT);
    assert_int_equal(HAS(NAME_VARIABLE, "TORCH_COMPILE_DYNAMIC_SOURCES", "2.6.0"), NAME_ABSENT);
    assert_int_equal(HAS(NAME_VARIABLE, "TORCH_COMPILE_DYNAMIC_SOURCES", "2.13.0"), NAME_PRESENT);
}

static void forms_of_versions(void **state)
{
    static const char *const new_enough[] = {"2.7.0", "2.7", "2.13.0+cpu", "2.8.0a0+git87f8139", "2.10.0.dev20251201"};
    static const char *const unknown[] = {"",        "2",     "2.",      "nightly", "v2.7.0",
                                          "1.13.1",  "1.9.0", "2.999.0", "3.0.0",   "99999999999999999999.1",
                                          "2.7000.1"};

    (void)state;
    for (size_t i = 0; i < COUNT(new_enough); i++)
        assert_int_equal(names_has(NAME_SETTING, STR(LIMIT), str_of(new_enough[i])), NAME_PRESENT);
    for (size_t i = 0; i < COUNT(unknown); i++)
        assert_int_equal(names_has(NAME_SETTING, STR(LIMIT), str_of(unknown[i])), NAME_UNKNOWN);
    assert_int_equal(names_has(NAME_SETTING, STR(LIMIT), (struct str){0}), NAME_UNKNOWN);
}

/* Every first and last line of a kind can be found, and what stands before, between and behind the lines is none. */
static void ends_of_the_table(void **state)
{
    (void)state;
    assert_int_equal(HAS(NAME_API, "", "2.7.0"), NAME_UNKNOWN);
    assert_int_equal(HAS(NAME_API, "a", "2.7.0"), NAME_UNKNOWN);
    assert_int_equal(HAS(NAME_VARIABLE, "zzz", "2.7.0"), NAME_UNKNOWN);
    assert_int_equal(HAS(NAME_VARIABLE, "_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR", "2.7.0"), NAME_PRESENT);
    assert_int_equal(HAS(NAME_LIMIT, "accumulated_cache_size_limit", "2.3.0"), NAME_PRESENT);
    assert_int_equal(HAS(NAME_SETTING, "recompile_limit", "2.7.0"), NAME_UNKNOWN);
}

static void since(void **state)
{
    (void)state;
    assert_str(names_since(NAME_SETTING, STR(LIMIT)), "2.7");
    assert_str(names_since(NAME_SETTING, STR(OLD_LIMIT)), ""); /* 2.0 or before */
    assert_str(names_since(NAME_API, STR("torch.compiler.set_stance")), "2.6");
    assert_str(names_since(NAME_API, STR("torch.no_such_thing")), "");
    assert_str(names_parameter_since(STR("torch.compile"), STR("recompile_limit")), "2.12");
    assert_str(names_parameter_since(STR("torch.compile"), STR("isolate_recompiles")), "2.13");
    assert_str(names_parameter_since(STR("torch.compile"), STR("fullgraph")), "");
    assert_str(names_parameter_since(STR("torch.library.triton_op"), STR("mutates_args")), "2.6");
    assert_str(names_parameter_since(STR("torch.compile"), STR("none")), "");
}

static void parameters(void **state)
{
    (void)state;
    assert_int_equal(TAKES("torch.compile", "dynamic", "2.3.1"), NAME_PRESENT);
    assert_int_equal(TAKES("torch.compile", "recompile_limit", "2.11.0"), NAME_ABSENT);
    assert_int_equal(TAKES("torch.compile", "recompile_limit", "2.12.0"), NAME_PRESENT);
    assert_int_equal(TAKES("torch.compile", "shapes_spec", "2.13.0"), NAME_PRESENT); /* came and went */
    assert_int_equal(TAKES("torch.compile", "shapes_spec", "2.14.0"), NAME_ABSENT);
    assert_int_equal(TAKES("torch.compile", "recompile", "2.13.0"), NAME_ABSENT); /* no part of a word */
    assert_int_equal(TAKES("torch.compile", "", "2.13.0"), NAME_ABSENT);
    assert_int_equal(TAKES("torch.compile", "dynamic", "1.0"), NAME_UNKNOWN);
    assert_int_equal(TAKES("torch.library.triton_op", "fn", "2.5.0"), NAME_ABSENT);
    assert_int_equal(TAKES("torch.no_such_thing", "fn", "2.5.0"), NAME_UNKNOWN);
}

static struct str default_of(const char *setting, const char *version)
{
    struct str value;

    return setting_default(str_of(setting), str_of(version), &value) ? value : STR("not known");
}

static void defaults(void **state)
{
    (void)state;
    assert_str(default_of(LIMIT, "2.7.0"), "8");
    assert_str(default_of(LIMIT, "2.6.0"), "not known");
    assert_str(default_of(OLD_LIMIT, "2.6.0"), "8");
    assert_str(default_of(OLD_LIMIT, "2.13.0"), "8"); /* an alias */
    assert_str(default_of("torch._dynamo.config.accumulated_cache_size_limit", "2.3.1"), "64");
    assert_str(default_of("torch._dynamo.config.accumulated_cache_size_limit", "2.4.1"), "256");
    assert_str(default_of("torch._dynamo.config.accumulated_cache_size_limit", "2.13.0"), "256");
    assert_str(default_of("torch._inductor.config.force_disable_caches", "2.13.0"), "False"); /* of another module */
    assert_str(default_of("torch._inductor.config.triton.cudagraphs", "2.3.1"), "False");
    assert_str(default_of("torch._inductor.config.compile_threads", "2.13.0"), "not known");
    assert_str(default_of(LIMIT, "9.9"), "8"); /* all versions agree */
    assert_str(default_of("torch._inductor.config.fx_graph_cache", "9.9"), "not known");
    assert_str(default_of("torch._inductor.config.compile_threads", ""), "not known");
    assert_str(default_of(OLD_LIMIT, ""), "not known"); /* an alias in some */
    assert_str(default_of("", "2.7"), "not known");
}

static bool is_patched(bool variable, const char *name, const char *value, bool in_set)
{
    struct str rest = names_by_pytorch;
    struct name_patch p;

    while (names_next_patch(&rest, &p))
        if (p.variable == variable && (p.set > 0) == in_set && str_eq(p.name, str_of(name)) &&
            names_patch_has(&p, str_of(value)))
            return true;
    return false;
}

static void by_pytorch(void **state)
{
    (void)state;
    assert_true(is_patched(false, "torch._functorch.config.unlift_effect_tokens", "True", false));
    assert_false(is_patched(false, "torch._functorch.config.unlift_effect_tokens", "None", false));
    assert_false(is_patched(false, "torch._functorch.config", "True", false));
    assert_true(is_patched(true, "TORCHINDUCTOR_CACHE_DIR", "'/tmp/torchinductor_ann'", false));
    assert_false(is_patched(true, "TORCHINDUCTOR_CACHE_DIR", "'/data/cache'", false));
    assert_true(is_patched(true, "_TORCHINDUCTOR_PYOBJECT_TENSOR_DATA_PTR", "'140093998943264'", false));
    assert_true(is_patched(true, "TORCHELASTIC_RESTART_COUNT", "'7'", false));
    assert_false(is_patched(true, "TORCH_LOGS", "'+dynamo'", false));
    assert_false(is_patched(false, "torch._dynamo.config.capture_scalar_outputs", "True", false));
    assert_true(is_patched(false, "torch._dynamo.config.capture_scalar_outputs", "True", true)); /* torch.export */
}

static void patterns(void **state)
{
    static const struct {
        const char *pattern, *value;
        bool has;
    } cases[] = {
        {"*", "", true},         {"*", "x", true},      {"a*", "a", true},      {"a*", "b", false},
        {"*a", "ba", true},      {"*a", "ab", false},   {"*a*", "bab", true},   {"*a*", "bb", false},
        {"a*b", "ab", true},     {"a*b", "aabb", true}, {"a*b", "abc", false},  {"a*b*c", "axbxc", true},
        {"a*b*c", "acb", false}, {"*ab", "aab", true},  {"True", "true", true}, {"[1]", "(1,)", true},
        {"True", "1", false},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++)
        if (names_patch_has(&(struct name_patch){.value = str_of(cases[i].pattern)}, str_of(cases[i].value)) !=
            cases[i].has)
            fail_msg("%s, %s", cases[i].pattern, cases[i].value);
}

static void real_names(void **state)
{
    (void)state;
    assert_str(setting_real_name(STR(OLD_LIMIT), STR("2.13.0")), LIMIT);
    assert_str(setting_real_name(STR(OLD_LIMIT), STR("2.6.0")), OLD_LIMIT);
    assert_str(setting_real_name(STR("nothing"), STR("2.6.0")), "nothing");
    assert_str(setting_real_name(STR("torch._inductor.config.force_disable_caches"), STR("2.13.0")),
               "torch.compiler.config.force_disable_caches");
}

static void versions(void **state)
{
    (void)state;
    assert_str(names_version(2008), "2.8");
    assert_str(names_version(2013), "2.13");
    assert_str(names_version(pytorch_version(names_newest())), "2.15");
    assert_str(names_newest(), "2.15.0");
    assert_str(names_version(1013), "");
    assert_str(names_version(0), "");
}

static void variables(void **state)
{
    (void)state;
    assert_true(setting_has_variable(STR("torch._inductor.config.max_autotune"), STR("TORCHINDUCTOR_MAX_AUTOTUNE")));
    assert_true(setting_has_variable(STR("torch.compiler.config.force_disable_caches"),
                                     STR("TORCHINDUCTOR_FORCE_DISABLE_CACHES")));
    assert_false(setting_has_variable(STR("torch._inductor.config.max_autotune"), STR("TORCHINDUCTOR_MAX_AUTOTUN")));
    assert_false(setting_has_variable(STR(LIMIT), STR("TORCHINDUCTOR_MAX_AUTOTUNE")));
}

static void the_setting_that_is_meant(void **state)
{
    struct str found;

    (void)state;
    assert_true(names_setting_of(STR("max_autotune"), STR("torch._dynamo"), &found));
    assert_str(found, "torch._inductor.config.max_autotune");
    assert_true(names_setting_of(STR("debug"), STR("torch._inductor"), &found));
    assert_str(found, "torch._inductor.config.debug");
    assert_false(names_setting_of(STR("debug"), STR("torch._inductor.config"), &found));
    assert_false(names_setting_of(STR("tills"), STR("torch._dynamo"), &found));
}

static void the_variable_that_is_meant(void **state)
{
    struct str found;

    (void)state;
    assert_true(names_variable_near(STR("TORCHINDUCTOR_MAX_AUTOTUN"), &found));
    assert_str(found, "TORCHINDUCTOR_MAX_AUTOTUNE");
    assert_true(names_variable_near(STR("TORCH_INDUCTOR_FREEZING"), &found));
    assert_str(found, "TORCHINDUCTOR_FREEZING");
    assert_true(names_variable_near(STR("TORCH_LOG"), &found));
    assert_str(found, "TORCH_LOGS");
    assert_false(names_variable_near(STR("TORCHINDUCTOR_FREEZING"), &found));
    assert_false(names_variable_near(STR("TORCHINDUCTOR_TILLS"), &found));
    assert_false(names_variable_near(STR("TORCH_HOME"), &found));
    assert_false(names_variable_near(STR("TORCH_COMPILE"), &found));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_setting_that_is_meant),
        cmocka_unit_test(the_variable_that_is_meant),
        cmocka_unit_test(by_version), cmocka_unit_test(forms_of_versions), cmocka_unit_test(ends_of_the_table),
        cmocka_unit_test(since),      cmocka_unit_test(parameters),        cmocka_unit_test(defaults),
        cmocka_unit_test(real_names), cmocka_unit_test(variables),         cmocka_unit_test(versions),
        cmocka_unit_test(by_pytorch), cmocka_unit_test(patterns),
    };

    return RUN(tests);
}

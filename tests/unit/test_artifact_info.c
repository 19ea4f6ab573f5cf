#include "unit.h"

#include "model/artifact_info.h"
#include "torchlog/apply/log_kinds.h"
#include "trace/kinds.h"

/* A name that the pattern is meant for: every '*' stands for some text. */
static struct str example(struct arena *a, const char *pattern)
{
    struct str out = STR("");

    for (const char *p = pattern; *p; p++)
        out = arena_printf(a, "%.*s%.*s", STR_ARG(out), *p == '*' ? 3 : 1, *p == '*' ? "q7z" : p);
    return out;
}

/* Each row is found by the names it is for: none is hidden behind an earlier one. */
static void no_row_is_shadowed(void **state)
{
    struct arena *a = arena_new();
    const struct artifact_info *info;

    (void)state;
    for (size_t i = 0; (info = artifact_info_at(i)) != NULL; i++) {
        const struct artifact_info *found = artifact_info_find(example(a, info->name));

        if (found != info)
            fail_msg("%s is found as %s", info->name, found ? found->name : "nothing");
    }
    arena_free(a);
}

static void rows(void **state)
{
    const struct artifact_info *info, *other;

    (void)state;
    for (size_t i = 0; (info = artifact_info_at(i)) != NULL; i++) {
        assert_true(info->title[0]);
        assert_in_range(info->bulk, 0, 9);
        assert_non_null(stage_title(info->stage));
        assert_non_null(language_name(info->language));
        for (size_t k = 0; k < i; k++) {
            other = artifact_info_at(k);
            assert_string_not_equal(info->name, other->name);
            /* The two spellings of guards share a short name; else it would be ambiguous. */
            if (info->alias && other->alias && strcmp(info->alias, "guards") != 0)
                assert_string_not_equal(info->alias, other->alias);
        }
    }
    assert_null(artifact_info_at(100000));
}

/* Graphs that are compared after a pass were there before it. */
static void chains_begin_and_end(void **state)
{
    const struct artifact_info *info, *other;

    (void)state;
    for (size_t i = 0; (info = artifact_info_at(i)) != NULL; i++) {
        bool begins = false, ends = false;

        assert_int_equal(info->role != ROLE_NONE, info->chain != NULL);
        for (size_t k = 0; info->chain && (other = artifact_info_at(k)) != NULL; k++) {
            bool same = other->chain && strcmp(info->chain, other->chain) == 0;

            begins |= same && other->role == ROLE_BEGIN;
            ends |= same && other->role == ROLE_END;
        }
        if (info->chain && (!ends || (!begins && strcmp(info->chain, "post_grad") != 0))) /* before_post_grad_graph */
            fail_msg("nothing begins or ends the chain of %s", info->name);
    }
}

/* What a log keeps for a compile is in the catalog under the name that it is kept by: both tables name it. */
static void texts_of_logs(void **state)
{
    (void)state;
    for (size_t i = 0; i < log_kind_count; i++) {
        const char *name = log_kinds[i].name ? log_kinds[i].name : log_kinds[i].artifact;

        if (name && *name && !artifact_info_find(str_of(name)))
            fail_msg("%s is not in the catalog", name);
    }
}

/* Each facet that a text shows, each part and each source is of some artifact; what is compared is no pattern. */
static void uses(void **state)
{
    const struct artifact_info *info;
    unsigned facets = 0, parts = 0, sources = 0;

    (void)state;
    for (size_t i = 0; (info = artifact_info_at(i)) != NULL; i++) {
        facets |= 1u << info->facet;
        parts |= 1u << info->part;
        sources |= 1u << info->kernels;
        assert_false(info->calls && !info->facet);
        assert_false((info->facet || info->part || info->kernels) && strchr(info->name, '*'));
    }
    assert_int_equal(facets, 1u << FACET_REASONS | 1u << FACET_GRAPH | 1u << FACET_JOINT | 1u << FACET_PARTITION |
                                 1u << FACET_POST_GRAD | 1u << FACET_TENSORS | 1u << FACET_CODE | 1u << FACET_GUARDS);
    assert_int_equal(parts, (2u << PART_MAP) - 1);
    assert_int_equal(sources, (2u << KERNELS_MAP) - 1);
}

static void patterns(void **state)
{
    static const struct {
        const char *name, *row;
    } cases[] = {
        {"torch_dynamo_resume_in_f_at_7_ORIGINAL_BYTECODE", "*_ORIGINAL_BYTECODE"},
        {"_ORIGINAL_BYTECODE", "*_ORIGINAL_BYTECODE"},
        {"ORIGINAL_BYTECODE", NULL},
        {"x_ORIGINAL_BYTECODE_", NULL},
        {"aot_joint_graph", "aot_joint_graph"},
        {"aot_joint_graphs", NULL},
        {"aot_joint_grap", NULL},
        {"before_post_grad_graph", "before_post_grad_graph"},
        {"group_batch_fusion_post_grad", "*_post_grad"},
        {"functionalized_rng_runtime_wrapper", "functionalized_rng_runtime_wrapper"},
        {"some_rng_thing_wrapper", "*rng*wrapper"},
        {"rngwrapper", "*rng*wrapper"},
        {"wrapper_rng", NULL},
        {"fx_collectives_node_runtime_estimation", "fx_collectives_*_estimation"},
        {"fx_collectives_estimation", NULL}, /* the two parts must not overlap */
        {"aot_saved_tensors_hooks_pack 0", "aot_saved_tensors_hooks_*"},
        {"vllm_submod_", "vllm_submod_*"},
        {"", NULL},
        {"*", NULL},
    };

    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct artifact_info *info = artifact_info_find(str_of(cases[i].name));

        if (info && cases[i].row)
            assert_string_equal(info->name, cases[i].row);
        else if (info || cases[i].row)
            fail_msg("%s: found %s", cases[i].name, info ? info->name : "nothing");
    }
    assert_null(artifact_info_find((struct str){0}));
}

/* What a record is kept as is in the catalog, too. */
static void kinds_are_in_the_catalog(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    for (size_t i = 0; i < kind_count; i++)
        if (!(kinds[i].flags & KIND_OUTLINE) && kinds[i].apply != apply_artifact &&
            !artifact_info_find(example(a, kinds[i].name)))
            fail_msg("%s has no row in artifact_info", kinds[i].name);
    for (size_t i = 0; i < artifact_kind_count; i++)
        if (strcmp(artifact_kinds[i].name, "get_*") != 0 && !artifact_info_find(example(a, artifact_kinds[i].name)))
            fail_msg("artifact %s has no row in artifact_info", artifact_kinds[i].name);
    arena_free(a);
}

static void names(void **state)
{
    (void)state;
    for (int s = 0; s < STAGE_COUNT; s++)
        for (int k = 0; k < s; k++)
            assert_string_not_equal(stage_title(s), stage_title(k));
    assert_string_equal(language_name(LANG_TEXT), "text");
    assert_string_equal(language_name(LANG_BYTECODE), "bytecode");
}

/* What code asks for is a row, and a name finds the row that has its id. */
static void every_id_has_a_row(void **state)
{
    struct arena *a = arena_new();

    (void)state;
    for (int id = ARTIFACT_OTHER + 1; id < ARTIFACT_IDS; id++) {
        struct str name = artifact_name((enum artifact_id)id);

        assert_true(name.n > 0);
        assert_int_equal(artifact_info_find(example(a, name.p))->id, id);
    }
    assert_int_equal(artifact_name(ARTIFACT_OTHER).n, 0);
    arena_free(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_id_has_a_row),
        cmocka_unit_test(no_row_is_shadowed),
        cmocka_unit_test(rows),
        cmocka_unit_test(chains_begin_and_end),
        cmocka_unit_test(texts_of_logs),
        cmocka_unit_test(uses),
        cmocka_unit_test(patterns),
        cmocka_unit_test(kinds_are_in_the_catalog),
        cmocka_unit_test(names),
    };

    return RUN(tests);
}
